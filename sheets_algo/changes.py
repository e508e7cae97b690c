"""From what is true to what is written: the projection of every request, and appended rows, as a change set."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from engine.fields import tab_of
from engine.outcome import Plain
from sheets_algo.problems import Cell
from sheets_algo.tables import Row, Table
from sheets_algo.values import is_blank, shown
from sheets_algo.workbook.base import Address, AppendRow, ChangeSet, NewTab, SetCell, Value, WorkbookError


class ForeignTab(WorkbookError):
    """A tab that the program needs for itself holds something else."""


CELL_COST = 50
"""Characters that a cell takes on its way to a spreadsheet, beside those of its value."""


class Changes:
    """Collects what a pass writes; a cell that shows its value already is left alone.

    `size` says roughly how many characters it takes to send all of it.

    Args:
        blocked: Cells that take no value; they are left alone too.
    """

    def __init__(self, blocked: Collection[Address] = ()) -> None:
        self.size = 0
        self._blocked = blocked
        self._tabs: dict[type, NewTab] = {}
        self._cells: dict[tuple[str, int, int], SetCell] = {}
        self._rows: list[AppendRow] = []
        self._added: dict[tuple[str, int], int] = {}

    def set(self, row: Row, attribute: str, value: Plain) -> None:
        """Make a cell of an existing row show a value."""
        column = self._column(row.table, attribute)
        key = (row.table.name, row.number, column)
        if (added := self._added.get(key[:2])) is not None:
            self._rows[added] = _having(self._rows[added], column, value)
            return
        before = row.table.value(row.number, column)
        if shows(before, value) or key in self._blocked:
            self._cells.pop(key, None)
        else:
            self._cells[key] = SetCell(*key, value, before)
            self.size += _cost(value)

    def add(self, row: Row, values: Mapping[str, Plain]) -> None:
        """Write a row that is new in its table, attribute to value; `set` may still change it.

        Only below everything is it appended, which puts it where it belongs even when people add rows meanwhile. In
        rows that wait for it, with boxes to tick, its cells are set.
        """
        if row.number > row.table.last_row:
            self._added[row.table.name, row.number] = len(self._rows)
            self.append(row.table, values)
        else:
            for attribute, value in values.items():
                self.set(row, attribute, value)

    def append(self, table: Table, values: Mapping[str, Plain]) -> None:
        """Add a row, attribute to value, below a table; a missing tab of the program's own is made.

        Raises:
            ForeignTab: The tab of that name is not the program's.
        """
        if not table.header_row:
            self._begin(table)
            places = {attribute: place for place, (attribute, _) in enumerate(table.columns, start=1)}
        else:
            places = {attribute: self._column(table, attribute) for attribute in values}
        cells: list[Plain] = [None] * max(places[attribute] for attribute in values)
        for attribute, value in values.items():
            cells[places[attribute] - 1] = None if value == "" else value
        self._rows.append(AppendRow(table.name, tuple(cells)))
        self.size += sum(map(_cost, cells))

    def finish(self, guard: int | None, season: str = "") -> ChangeSet:
        """All of it, in reading order."""
        return ChangeSet(
            tabs=tuple(self._tabs.values()),
            cells=tuple(self._cells[key] for key in sorted(self._cells)),
            rows=tuple(self._rows),
            guard=guard,
            season=season,
        )

    def _begin(self, table: Table) -> None:
        """Give a tab its headers: a new tab, or one that is there and empty.

        Raises:
            ForeignTab: It holds something else.
        """
        headers = tuple(column.header for _, column in table.columns)
        if table.sheet is None:
            self._tabs.setdefault(table.record, NewTab(tab_of(table.record).name, headers))
        elif table.sheet.rows:
            raise ForeignTab(
                f"{Cell(table.name)}: the tab holds something else than the program's {table.name}; rename it, so that"
                f" the program can add its own."
            )
        else:
            for column, header in enumerate(headers, start=1):
                self._cells[table.name, 1, column] = SetCell(table.name, 1, column, header)

    def _column(self, table: Table, attribute: str) -> int:
        """The attribute's column; one of the program's that the sheet lacks is added at the right end."""
        if attribute not in table.places:
            place = table.add(attribute)
            self._cells[table.name, table.header_row, place] = SetCell(
                table.name, table.header_row, place, table.header(attribute)
            )
        return table.places[attribute]


def _having(row: AppendRow, column: int, value: Plain) -> AppendRow:
    cells = [*row.values, *[None] * (column - len(row.values))]
    cells[column - 1] = None if value == "" else value
    return AppendRow(row.tab, tuple(cells))


def _cost(value: Plain) -> int:
    """Characters that a cell takes when it is sent, roughly."""
    return CELL_COST + len(str(value)) if value is not None else 3


def shows(found: Value, value: Plain) -> bool:
    """Whether a cell shows what is to be written: an empty text is a blank, 7 is 7.0, a number is not its text."""
    if is_blank(found) or value is None or value == "":
        return is_blank(found) and (value is None or value == "")
    if isinstance(found, bool) or isinstance(value, bool):
        return found is value
    if isinstance(found, (int, float)) and isinstance(value, (int, float)):
        return found == value
    return isinstance(found, str) and isinstance(value, str) and (found == value or shown(found) == shown(value))
