"""From what is true to what is written: the projection of every request, and appended rows, as a change set."""

from __future__ import annotations

from collections.abc import Mapping

from engine.fields import tab_of
from engine.outcome import Plain
from sheets_algo.tables import Row, Table
from sheets_algo.values import is_blank, shown
from sheets_algo.workbook.base import AppendRow, ChangeSet, NewTab, SetCell, Value


class Changes:
    """Collects what a pass writes; a cell that shows its value already is left alone."""

    def __init__(self) -> None:
        self._tabs: dict[type, NewTab] = {}
        self._cells: dict[tuple[str, int, int], SetCell] = {}
        self._rows: list[AppendRow] = []
        self._added: dict[tuple[type, str], int] = {}

    def set(self, row: Row, attribute: str, value: Plain) -> None:
        """Make a cell of an existing row show a value."""
        column = self._column(row.table, attribute)
        key = (row.table.name, row.number, column)
        before = row.table.value(row.number, column)
        if shows(before, value):
            self._cells.pop(key, None)
        else:
            self._cells[key] = SetCell(*key, value, before)

    def append(self, table: Table, values: Mapping[str, Plain]) -> None:
        """Add a row, attribute to value, below a table of the program's own; a missing tab is made."""
        if table.sheet is None or not table.header_row:
            self._tabs.setdefault(
                table.record, NewTab(tab_of(table.record).name, tuple(column.header for _, column in table.columns))
            )
            places = {attribute: place for place, (attribute, _) in enumerate(table.columns, start=1)}
        else:
            places = {attribute: self._column(table, attribute) for attribute in values}
        cells: list[Plain] = [None] * max(places[attribute] for attribute in values)
        for attribute, value in values.items():
            cells[places[attribute] - 1] = None if value == "" else value
        self._rows.append(AppendRow(table.name, tuple(cells)))

    def finish(self, guard: int | None) -> ChangeSet:
        """All of it, in reading order."""
        return ChangeSet(
            tabs=tuple(self._tabs.values()),
            cells=tuple(self._cells[key] for key in sorted(self._cells)),
            rows=tuple(self._rows),
            guard=guard,
        )

    def _column(self, table: Table, attribute: str) -> int:
        """The attribute's column; one of the program's that the sheet lacks is added at the right end."""
        place = table.places.get(attribute) or self._added.get((table.record, attribute))
        if place is None:
            added = [column for (record, _), column in self._added.items() if record is table.record]
            place = max([table.width, *added]) + 1
            self._added[table.record, attribute] = place
            header = dict(table.columns)[attribute].header
            self._cells[table.name, table.header_row, place] = SetCell(table.name, table.header_row, place, header)
        return place


def shows(found: Value, value: Plain) -> bool:
    """Whether a cell shows what is to be written: an empty text is a blank, 7 is 7.0, a number is not its text."""
    if is_blank(found) or value is None or value == "":
        return is_blank(found) and (value is None or value == "")
    if isinstance(found, bool) or isinstance(value, bool):
        return found is value
    if isinstance(found, (int, float)) and isinstance(value, (int, float)):
        return found == value
    return isinstance(found, str) and isinstance(value, str) and (found == value or shown(found) == shown(value))
