"""A mistake that a test makes on purpose, and ways to make it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.columns import column, tab_of
from scripts.support.moderator import BOOK, Rows, season, write
from sheets_algo.forms.rulesets import load_all

Arrange = Callable[[Path], None]
"""Makes the files of a case in an empty folder."""

KEYS = {"Flanks": "Flank", "Overrides": "Request"}
"""The header by which a row is named here, in tabs whose declaration has no key."""


@dataclass(frozen=True, slots=True)
class Case:
    """One mistake.

    Args:
        about: The tab, or what else was wrong.
        did: What was done, as a moderator would say it.
        line: The line that is shown.
        arrange: Makes it so.
        words: What is typed after `sheets-algo`.
        code: The exit code.
        environment: Variables that are set.
        rows: The rows of its workbook, if it is a workbook with some cells typed.
    """

    about: str
    did: str
    line: str
    arrange: Arrange
    words: tuple[str, ...] = ("check", BOOK)
    code: int = 1
    environment: Mapping[str, str] | None = None
    rows: Callable[[], Rows] | None = None


def cells(tab: str, name: str, changes: Mapping[str, Any], example: str = "1066") -> Arrange:
    """Other values in one row."""
    key = KEYS.get(tab) or _key(tab)
    return spoiled(lambda rows: next(row for row in rows[tab] if row[key] == name).update(changes), example)


def added(tab: str, row: Mapping[str, Any], example: str = "1066") -> Arrange:
    """One more row."""
    return spoiled(lambda rows: rows.setdefault(tab, []).append(dict(row)), example)


def spoiled(change: Callable[[Rows], object], example: str = "1066") -> Arrange:
    """Any other change of the rows."""

    def arrange(folder: Path) -> None:
        rows = season(example)
        change(rows)
        write(folder / BOOK, rows)

    return arrange


def _key(tab: str) -> str:
    """The header of a tab's key column."""
    record = next(record for form in load_all() for record in form.records() if tab_of(record).name == tab)
    return column(record, tab_of(record).key).header
