"""Shapes that table files share with tabs: rows under column headers, and value lists."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.columns import Field, Kind, ValueList, columns, tab_of
from engine.config_value import TableErrors, as_object, is_one, quote, table_error
from engine.shapes import NAME, Choice, Entry, FixedKeys, Known, ListOf, Number, Schema, Shape, Text, explained


@dataclass(frozen=True)
class RowOf(Shape):
    """A row of a tab, by column headers: a built-in entry of a tab that workbooks have too."""

    record: type  # The tab's record class; columns not named take their default
    # Headers missing from the file, with their values.
    given: Mapping[str, Any] = field(default_factory=dict)
    ignore: str = ""  # A header for people only
    most: float = float("inf")  # Upper bound of all numbers
    text: Shape = field(default_factory=Text)  # The shape of a text
    # From the tab that a reference points to, to a description of its names: `a unit`.
    names: Mapping[str, str] = field(default_factory=dict)

    def schema(self) -> Schema:
        by_header = {column.header: column for _, column in columns(self.record) if column.header not in self.given}
        required = [header for header, column in by_header.items() if column.required]
        inner = {header: explained(self._of(column).schema(), column.note) for header, column in by_header.items()}
        if self.ignore:
            inner[self.ignore] = explained(Text().schema(), "For people; no rule reads it.")
        return {"type": "object", "additionalProperties": False, "required": required, "properties": inner}

    def read(self, value: Any, known: Known) -> Any:
        declared = self._declared
        values = {declared[header][0]: given for header, given in self.given.items()}
        errors = TableErrors()
        for header, cell in as_object(value).items():
            with errors.at(header):
                if header == self.ignore:
                    Text().read(cell, known)
                    continue
                is_one(header, declared, f"a column of {tab_of(self.record).name}")
                attribute, _, shape = declared[header]
                values[attribute] = shape.read(cell, known)
        for attribute, column, _ in declared.values():
            if column.required and attribute not in values and column.header not in value:
                errors.add(table_error(f"{quote(column.header)} is missing."))
        errors.end()
        return self.record(**values)

    @functools.cached_property
    def _declared(self) -> Mapping[str, tuple[str, Field, Shape]]:
        """Return attribute, column and cell shape of each header, computed once."""
        return {column.header: (attribute, column, self._of(column)) for attribute, column in columns(self.record)}

    def _of(self, column: Field) -> Shape:
        high = None if column.high is None else min(column.high, self.most)
        match column.kind:
            case Kind.NUMBER | Kind.WHOLE:
                return Number(column.low, high, whole=column.kind is Kind.WHOLE)
            case Kind.NUMBERS:
                return ListOf(Number(column.low, high), column.count, column.count, repeats=True)
            case Kind.CHOICE:
                return Text(among=f"a value of {column.choices}")
            case _:
                return Text(among=self.names[column.to]) if column.to in self.names else self.text


@dataclass(frozen=True)
class Words(Shape):
    """A list of words with their meanings, read as a value list; `words` fixes the list."""

    name: str
    words: tuple[str, ...] = ()

    @functools.cached_property
    def _rows(self) -> ListOf:
        value = Entry(Choice(self.words) if self.words else NAME, "As the column spells it.")
        row = FixedKeys({"value": value, "meaning": Entry(NAME, "One sentence for people who fill in the sheet.")})
        return ListOf(row, len(self.words) or 1, len(self.words) or None, "value")

    def schema(self) -> Schema:
        return self._rows.schema()

    def read(self, value: Any, known: Known) -> ValueList:
        meanings = {word: row["meaning"] for word, row in self._rows.read(value, known).items()}
        return ValueList(self.name, tuple(meanings), meanings)
