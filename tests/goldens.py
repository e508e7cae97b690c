"""Golden cases: a request of an example workbook, a seed, and the whole receipt they must give.

A case is a folder `tests/golden/<ruleset>/<case>/` with `request.json` (which example, which request, which seed; under
`rows` the tabs that have other rows than the example's) and `receipt.wiki`. The request is read as the desk reads it,
so a case covers form, rules and wording. Numbers are the shipped ones.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from engine.fields import tab_of
from engine.luck import Luck
from engine.outcome import Outcome
from sheets_algo.book import Book
from sheets_algo.forms.base import Form
from sheets_algo.library import Library
from sheets_algo.rulesets import open_forms
from tests.desks import workbook

GOLDEN = Path(__file__).resolve().parent / "golden"
REQUEST, RECEIPT = "request.json", "receipt.wiki"


def golden_cases(ruleset: str = "*") -> tuple[Path, ...]:
    """The folders of all cases, or of one ruleset's."""
    return tuple(sorted(found.parent for found in GOLDEN.glob(f"{ruleset}/*/{REQUEST}")))


def ruled(case: Path) -> Outcome:
    """What the rules make of a case today."""
    chosen: Mapping[str, Any] = json.loads((case / REQUEST).read_text(encoding="utf-8"))
    form = next(form for form in _forms() if form.key == case.parent.name)
    tabs = [tab_of(record).name for record in form.records()]
    rows = {**_shipped().example(chosen["example"]), **chosen.get("rows", {})}
    book = Book(workbook(rows).read(tabs), form.records(), form.vocabulary)
    [row] = book.find(form.request, chosen["request"])
    return form.ruleset.resolve(form.read(row, book).inputs, Luck(chosen["seed"]))


def receipt_today(case: Path) -> str:
    """The receipt of a case as its file should hold it."""
    return ruled(case).receipt.wiki() + "\n"


def receipt_kept(case: Path) -> str:
    """The receipt of a case as its file holds it; blank for a new case."""
    file = case / RECEIPT
    return file.read_text(encoding="utf-8") if file.exists() else ""


def keep(case: Path, receipt: str) -> None:
    """Make it the case's receipt."""
    (case / RECEIPT).write_text(receipt, encoding="utf-8")


@cache
def _shipped() -> Library:
    return Library()


@cache
def _forms() -> tuple[Form[Any], ...]:
    return open_forms(_shipped())
