"""Numbers in force from a year, a turn or a season on (SET-07), in files beside the tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.config_value import KINDS, quote, table_error
from engine.declare import entry, record, table
from engine.settings import Setting
from engine.shapes import Known, ListOf, MapOf, Schema, Shape, Text

YEAR, TURN, SEASON = "year", "turn", "season"
DATED = "dated"
"""The folder of the files, and the name of a file of an unknown ruleset in messages."""


class SettableValue(Shape):
    """Type of a number or a word; the tables decide which one a path takes."""

    def schema(self) -> Schema:
        """Return the schema of a number or a text."""
        return {"type": ["number", "string"]}

    def read(self, value: Any, known: Known) -> int | float | str:
        """Return the value unchanged."""
        if not isinstance(value, int | float | str) or isinstance(value, bool):
            raise table_error(f"{quote(value)} is not allowed. Use {KINDS['number']} or {KINDS['string']}.")
        return value


@record
class DatedChange:
    """Numbers in force from a date on."""

    since: str = entry(
        Text(rf"^({YEAR}|{TURN}|{SEASON}) -?[0-9]{{1,4}}$"),
        "When they begin to count: `year 1500`, `season 3`.",
        "from",
    )
    why: str = entry(Text(), "For people; no rule reads it.", default="")
    numbers: Mapping[str, int | float | str] = entry(
        MapOf(SettableValue(), 1), "Each number by its name, as in a settings tab (SET-01)."
    )

    @property
    def kind(self) -> str:
        """Return the unit of its date: year, turn or season."""
        return self.since.split()[0]

    def is_in_force(self, date: Mapping[str, int]) -> bool:
        """Return True if a date, given by unit, has reached the change's date."""
        return self.kind in date and date[self.kind] >= int(self.since.split()[1])


@table(DATED, "Dated numbers")
class DatedChanges:
    """Numbers of one ruleset in force from dates on; if two change one number, the later entry counts."""

    changes: tuple[DatedChange, ...] = entry(ListOf(DatedChange, 1, 200, repeats=True), "In the order of their dates.")


def dated_settings(changes: Iterable[DatedChange], date: Mapping[str, int]) -> dict[str, Setting]:
    """Return the settings in force at a date, by name."""
    return {
        name: Setting(name=name, value=value, since=change.since)
        for change in changes
        if change.is_in_force(date)
        for name, value in change.numbers.items()
    }
