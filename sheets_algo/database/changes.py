"""Collector of changed cells and appended rows, which results in a change set."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from engine.columns import Kind
from engine.ruleset import Plain
from sheets_algo.database.cell_text import as_text, is_blank
from sheets_algo.database.headers import scaled
from sheets_algo.database.tables import Row, Table
from sheets_algo.database.typed_numbers import is_share, number_of, per_cent
from sheets_algo.workbook.addresses import Address
from sheets_algo.workbook.changes import AppendRow, ChangeSet, NewTab, SetCell
from sheets_algo.workbook.head import NO_RECEIPT, Head
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.template_spec import TabSpec
from sheets_algo.workbook.values import PerCent, Value

CELL_COST = 50
"""Approximate number of characters of a cell in a request to a spreadsheet, without its value."""


class Changes:
    """Collector of a pass's writes, except for cells that show their value already.

    `size` is the approximate number of characters of all changes in a request; `is_partial` is True if changes were
    left to the next pass for lack of room.

    Args:
        blocked: The addresses of cells that cannot be written and are left out.
        most: The most characters that a pass writes, roughly; None for no limit. A pass may lower it.
    """

    def __init__(self, blocked: Collection[Address] = (), most: int | None = None) -> None:
        self.size = 0
        self.is_partial = False
        self._blocked, self.most = blocked, most
        self._tabs: dict[type, NewTab] = {}
        self._cells: dict[Address, SetCell] = {}
        self._rows: list[AppendRow] = []
        self._added: dict[tuple[TabKey, int], int] = {}

    def has_room(self, times: int = 1) -> bool:
        """Return True if more may be written, up to some times the limit; else note that something is left."""
        has_room = self.most is None or self.size < times * self.most
        self.is_partial = self.is_partial or not has_room
        return has_room

    def set(self, row: Row, attribute: str, value: Plain) -> None:
        """Set the value of a cell in an existing row or a row added before."""
        column = self._column(row.table, attribute)
        key = (row.table.key, row.number, column)
        if (added := self._added.get(key[:2])) is not None:
            self._rows[added] = _with_value(self._rows[added], column, _as_cell(row.table, attribute, None, value))
            return
        before = row.table.value(row.number, column)
        value = _as_cell(row.table, attribute, before, value)
        if shows(before, value) or key in self._blocked:
            self._cells.pop(key, None)
        else:
            self._cells[key] = SetCell(*key, value, before)
            self.size += _cost(value)

    def add(self, row: Row, values: Mapping[str, Plain]) -> None:
        """Add a row that is new in its table; `set` may change it later.

        A row below all content is appended, which is safe even if people add rows meanwhile. A row above, with
        unticked boxes only, is filled cell by cell.
        """
        if row.number > row.table.last_row:
            self._added[row.table.key, row.number] = len(self._rows)
            self.append(row.table, values)
        else:
            for attribute, value in values.items():
                self.set(row, attribute, value)

    def append(self, table: Table, values: Mapping[str, Plain], looks: TabSpec | None = None) -> None:
        """Append a row to a table, and create the tab if it is one of the program's and missing.

        Args:
            looks: The format of the tab if it is missing; None for a plain one.
        """
        if not table.header_row:
            self._add_headers(table, looks)
            places = {attribute: place for place, (attribute, _) in enumerate(table.columns, start=1)}
        else:
            places = {attribute: self._column(table, attribute) for attribute in values}
        cells: list[Plain] = [None] * max(places[attribute] for attribute in values)
        for attribute, value in values.items():
            cells[places[attribute] - 1] = None if value == "" else _as_cell(table, attribute, None, value)
        self._rows.append(AppendRow(table.key, tuple(cells)))
        self.size += sum(map(_cost, cells))

    def finish(
        self, guard: int | None, season: str = "", head: Head = NO_RECEIPT, known: Head | None = None
    ) -> ChangeSet:
        """Return all changes as a change set, in reading order; arguments as of `ChangeSet`."""
        return ChangeSet(
            tabs=tuple(self._tabs.values()),
            cells=tuple(self._cells[key] for key in sorted(self._cells)),
            rows=tuple(self._rows),
            guard=guard,
            season=season,
            head=head,
            known=known,
        )

    def _add_headers(self, table: Table, looks: TabSpec | None) -> None:
        """Write the headers of a missing or empty tab; beside one with other content, make the program's own."""
        headers = tuple(column.header for _, column in table.columns)
        if table.sheet is None or table.sheet.rows:
            key = table.key.beside if table.sheet else table.key
            self._tabs.setdefault(table.record, NewTab(key, headers, looks))
        else:
            for column, header in enumerate(headers, start=1):
                self._cells[table.key, 1, column] = SetCell(table.key, 1, column, header)

    def _column(self, table: Table, attribute: str) -> int:
        """Return the number of an attribute's column, which is added at the right end if the sheet lacks it."""
        if attribute not in table.places:
            place = table.add_column(attribute)
            header = SetCell(table.key, table.header_row, place, table.header(attribute))
            self._cells[table.key, table.header_row, place] = header
        return table.places[attribute]


def _as_cell(table: Table, attribute: str, before: Value, value: Plain) -> Plain:
    """Return a value as its cell must hold it: 20 % is 0.2 in the format of per cent (NUM-03).

    The format of a blank cell is not known. If other cells of its column are in per cent, a text is right in each
    format: `20 %`, or the number of men in a column that takes shares too.
    """
    if value is None or (before is None and isinstance(value, str)):
        return value  # most cells: those of new rows of the log
    column, place = dict(table.columns)[attribute], table.places.get(attribute)
    value = scaled(value, 1 / table.factor(attribute))
    is_count = column.kind is Kind.COUNT
    if is_count and isinstance(before, PerCent) and is_share(value):
        return float(f"{number_of(value):.15g}")
    if not (column.is_in_per_cent or is_count) or not isinstance(value, int | float):
        return value
    if isinstance(before, PerCent) and column.is_in_per_cent:
        return float(value if isinstance(value, PerCent) else f"{value / 100:.15g}")
    is_text = is_share(before)
    if is_blank(before):
        is_text = place is not None and any(isinstance(table.value(row.number, place), PerCent) for row in table.rows)
    if is_count:
        return as_text(value) if is_text else value
    return per_cent(value) if is_text or isinstance(value, PerCent) else value


def _with_value(row: AppendRow, column: int, value: Plain) -> AppendRow:
    cells = [*row.values, *[None] * (column - len(row.values))]
    cells[column - 1] = None if value == "" else value
    return AppendRow(row.tab, tuple(cells))


def _cost(value: Plain) -> int:
    """Return the approximate number of characters of a cell in a request."""
    return CELL_COST + len(str(value)) if value is not None else 3


def shows(cell: Value, value: Plain) -> bool:
    """Return True if a cell shows a value: an empty text is blank, 7 equals 7.0, a number differs from its text."""
    if is_blank(cell) or value is None or value == "":
        return is_blank(cell) and (value is None or value == "")
    if isinstance(cell, bool) or isinstance(value, bool):
        return cell is value
    if isinstance(cell, (int, float)) and isinstance(value, (int, float)):
        return cell == value
    return isinstance(cell, str) and isinstance(value, str) and (cell == value or as_text(cell) == as_text(value))
