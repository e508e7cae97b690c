"""The numbers that a test uses: pinned ones, which stay as they are, or the shipped ones, which are tuned.

The tests of rules, requests and commands use the pinned ones (`tests/data/`): tables, and the season of 1066. Every
fact that was worked out by hand holds with them, whatever `config/` contains; tuning the shipped numbers changes
nothing here. A new table or key is added to both; `test_pinned_tables.py` reports a missing one. Tests of the
configuration itself, of maps, documentation and wheel, laws of whole rulings and the golden receipts use the shipped
ones, as do all tests of rulesets whose numbers are printed in their rules.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.autoalgo.setup.tables import Tables
from engine.settings import merged

WORKSHOP = Path(__file__).resolve().parents[2] / "tests" / "data"
"""The pinned configuration, in the layout of a moderator's own folder, so that `--config` can take it too."""
SHIPPED = Path(__file__).resolve().parents[2] / "config"
TACTICS = tuple(f"R-{number}" for number in (81, 85, 86, 87, 88, 89, 99, 100, 110, 125, 126, 127))
"""The rules that make ground, works, the number of flanks, supply, sieges and defeat count as in history."""


@functools.cache
def tables() -> Tables:
    """Return the pinned tables without TACTICS, which numbers worked out by hand for another rule leave out."""
    return tables_with({})


@functools.cache
def history_tables() -> Tables:
    """Return the pinned tables as they are: by the rule set `history`."""
    return tables_with({}, without=())


@functools.cache
def shipped_tables() -> Tables:
    """Return the tables that moderators get, for laws that hold whatever the numbers are."""
    return Tables.of(raw_tables(config=SHIPPED))


def raw_tables(ruleset: str = "autoalgo", config: Path = WORKSHOP) -> dict[str, Any]:
    """Return the table files of a ruleset, parsed anew, so that a test may change them."""
    folder = config / "tables" / ruleset
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))}


def tables_with(numbers: Mapping[str, Any], without: Sequence[str] = TACTICS) -> Tables:
    """Return the pinned tables with other numbers in some places: `{"weights/major": 4}`.

    Args:
        numbers: Place to number.
        without: The rules that are switched off, by their numbers in `source.json`.
    """
    raw = raw_tables()
    for rule in without:
        raw = merged(raw, raw["source"]["rules"][rule])
    for path, number in numbers.items():
        *keys, last = path.split("/")
        place: Any = raw
        for key in keys:
            place = place[int(key) if isinstance(place, list) else key]
        place[int(last) if isinstance(place, list) else last] = number
    return Tables.of(raw)
