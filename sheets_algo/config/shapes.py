"""Declarations of the rulebooks and example workbooks of `config/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.config_value import KINDS, not_allowed, table_error
from engine.declare import entry, record, table
from engine.shapes import Known, ListOf, MapOf, Schema, Shape, Text


@record
class Rule:
    """One rule."""

    text: str = entry(Text(), "What it says, in one line.")
    ruling: str = entry(Text(), "What was decided where the source is silent or contradicts itself.", default="")
    why: str = entry(Text(), "Why it was decided so.", default="")
    source: str = entry(Text(), "What counts instead in seasons by the rules of the source (R-98).", default="")


@table("rulebook", "Rulebook")
class Rulebook:
    """Every rule of a ruleset in one line, with the rulings on open questions."""

    rules: Mapping[str, Rule] = entry(MapOf(Rule, 1), "Rule id to rule.", "*")


class Cell(Shape):
    """Type of the values that are allowed in a cell."""

    def schema(self) -> Schema:
        """Return the schema of anything but a list or an object."""
        return {"type": ["string", "number", "boolean"]}

    def read(self, value: Any, known: Known) -> Any:
        """Return a text, a number, true or false as it is."""
        if not isinstance(value, str | int | float):
            raise table_error(not_allowed(value, " or ".join(KINDS[kind] for kind in self.schema()["type"])))
        return value


HEADERS = "Column header to value; a column left out stays blank."


@table("example", "Example workbook")
class Example:
    """Rows that a new workbook starts with, by tab."""

    tabs: Mapping[str, Any] = entry(
        MapOf(ListOf(MapOf(Cell()), about=HEADERS, repeats=True), about="The tab's rows from the top."),
        "Tab to rows.",
        "*",
    )
