"""Every rule has its line in the rulebook, its place in the code and its test."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from engine.columns import columns
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.forms.rulesets import load_all, rulebook, ruleset_names
from sheets_algo.ruling.forecast.forecast_rows import ForecastRow
from sheets_algo.ruling.receipts.receipt_rows import LogRow, ReceiptRow
from sheets_algo.ruling.requests.overrides import OverrideRow

HOME = Path(__file__).parents[1]
BOOKS = sorted(path.stem for path in (HOME / "config" / "rulebook").glob("*.json"))
ID = re.compile(r"[A-Z]+(?:-[A-Z0-9]+[a-z]?)+")


@cache
def ids(book: str) -> list[str]:
    return list(rulebook(ConfigLoader(), book, [form for form in load_all() if form.ruleset_key == book]))


@cache
def words(*folders: str) -> frozenset[str]:
    """Every rule id in Python files and pages of some folders, ranges like VAR-01 ... VAR-03 spelled out."""
    found: set[str] = set()
    for folder in folders:
        pages = (path for name in ("*.py", "cells.txt", "stories.txt") for path in (HOME / folder).rglob(name))
        for path in pages:
            text = path.read_text(encoding="utf-8")
            found |= set(ID.findall(text))
            for name in re.findall(r"def test_(\w+)", text):
                found |= ids_in(name)
    return frozenset(id.upper() for id in found)


@cache
def rows() -> frozenset[str]:
    """Every rule id that a table stands under or a row of a table names as its own: rules that are data."""

    def found(value: object) -> set[str]:
        match value:
            case dict():
                own = {id for id in (*value, value.get("id"), value.get("ruling")) if isinstance(id, str)}
                return {id.upper() for id in own if ID.fullmatch(id)}.union(*map(found, value.values()))
            case list():
                return set[str]().union(*map(found, value))
            case _:
                return set()

    tables = (HOME / "config" / "tables").rglob("*.json")
    return frozenset(id for path in tables for id in found(json.loads(path.read_text(encoding="utf-8"))))


def ids_in(test: str) -> set[str]:
    """What a test's name may cite: `atk_04_r_36_mercy` has ATK-04 and R-36, and pieces that are no ids."""
    parts = test.upper().split("_")
    return {"-".join(parts[start : start + many]) for many in (2, 3) for start in range(len(parts) - many + 1)}


@pytest.mark.parametrize("book", BOOKS)
def test_every_rule_is_cited_in_its_code(book):
    done = words("engine", "sheets_algo") | rows()
    assert [id for id in ids(book) if id.upper() not in done] == []


@pytest.mark.parametrize("book", BOOKS)
def test_every_rule_has_a_test_that_names_it(book):
    assert [id for id in ids(book) if id.upper() not in words("tests")] == []


def test_every_id_cited_in_code_is_in_a_rulebook():
    known = {id.upper() for book in BOOKS for id in ids(book)}
    families = {id.rsplit("-", 1)[0] for id in known}
    cited = {id for id in words("engine", "sheets_algo") if id.rsplit("-", 1)[0] in families}
    assert sorted(cited - known) == []


def test_every_column_has_its_rule_in_a_rulebook():
    known = {id for book in (*BOOKS, *(set(ruleset_names()) - {*BOOKS})) for id in ids(book)}
    records = [record for form in load_all() for record in form.records()]
    declared = {
        column.id
        for record in (*records, OverrideRow, ReceiptRow, LogRow, ForecastRow)
        for _, column in columns(record)
    }
    assert sorted(declared - known) == []


def test_a_page_has_text_formula_numbers_cases_and_tests_of_each_rule(monkeypatch):
    """Of the pages that `scripts/docs --rulebook` writes."""
    monkeypatch.syspath_prepend(HOME)
    made = {str(path): text for path, text in import_module("scripts.rulebook_pages").pages()}

    for book in BOOKS:
        pages = "".join(text for path, text in made.items() if path.startswith(f"{book}/"))
        assert [id for id in ids(book) if f"\n## {id}\n" not in pages] == []
    page = made["autoalgo/STAB.md"].partition("## STAB-04")[2].partition("## STAB-05")[0]
    for told in (
        "New stability is the old one times Innate Stability",
        "```python\ndef hardship(casualties: float, economy: float, occupation: float",
        "| `constants/STAB-04/occupation_factor` | 3 | 0 or more | Factor on the logarithm of the occupation. |",
        "  - hardship 0.13 = casualties 0.1 ÷ (2 × (Economy 0.75, at least 0.1)) × occupation 0.65 × 3 [STAB-04]",
        "`tests/engine/autoalgo/aftermath/test_stability.py`: test_stab_04",
    ):
        assert told in page, told
    links = re.findall(r"\]\(([^)]+)\)", made["README.md"])
    assert sorted(links) == sorted(made.keys() - {"README.md"})
