"""Golden cases: a request of an example workbook, a seed, and the whole receipt they must give.

A case is a folder `tests/golden/<form>/<case>/`, or `tests/games/<game>/golden/<form>/<case>/`, with `request.json`
(the example, the request and the seed; under `rows` the tabs that have other rows than the example's; under `rules` the
rule set, `history` if it is left out) and `receipt.wiki`. The request is read as in a pass, so a case
covers form, rules and wording, with the shipped numbers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from engine.receipt import USUAL, SeasonOptions
from engine.rng import Rng
from engine.ruleset import Outcome
from scripts.support.workbooks import workbook
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.database.records import Database
from sheets_algo.forms.base import Form
from sheets_algo.forms.rulesets import open_forms

TESTS = Path(__file__).resolve().parents[2] / "tests"
FOLDERS = ("golden", "games/*/golden")
REQUEST, RECEIPT = "request.json", "receipt.wiki"


def golden_cases(form: str = "*") -> tuple[Path, ...]:
    """Return the folders of all cases, or of one form's."""
    found = (file for folder in FOLDERS for file in TESTS.glob(f"{folder}/{form}/*/{REQUEST}"))
    return tuple(sorted(file.parent for file in found))


def ruled(case: Path, own_maps: Path | None = None) -> Outcome:
    """Return the outcome of a case with the present rules, and with the maps of a folder if one is given."""
    chosen: Mapping[str, Any] = json.loads((case / REQUEST).read_text(encoding="utf-8"))
    options = SeasonOptions(rules_name=chosen.get("rules", USUAL.rules_name))
    form = next(form for form in _forms(own_maps) if form.key == case.parent.name).in_season(options)
    rows = {**_shipped().example(chosen["example"]), **chosen.get("rows", {})}
    book = Database(workbook(rows).read(form.tabs), form.records(), form.vocabulary)
    [row] = book.find(form.request, chosen["request"])
    return form.ruleset.resolve(form.read(row, book).inputs, Rng(chosen["seed"]))


def current_receipt(case: Path, own_maps: Path | None = None) -> str:
    """Return the receipt of a case by the present rules, with its account."""
    return ruled(case, own_maps).receipt.wiki() + "\n"


def kept_receipt(case: Path) -> str:
    """Return the receipt of a case in its file; blank for a new case."""
    file = case / RECEIPT
    return file.read_text(encoding="utf-8") if file.exists() else ""


def keep(case: Path, receipt: str) -> None:
    """Write the receipt of a case."""
    (case / RECEIPT).write_text(receipt, encoding="utf-8")


@cache
def _shipped() -> ConfigLoader:
    return ConfigLoader()


@cache
def _forms(own_maps: Path | None) -> tuple[Form[Any], ...]:
    return open_forms(_shipped(), own_maps=own_maps)
