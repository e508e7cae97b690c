"""States of request rows: a pure function of a row, the rows that share its id, and the receipts (REQ-16, REQ-17).

A ruling is shown only by a row that has its id and the cells that decided it. The holder of an id is the first row
whose cells are those of its ruling; without one, the first row that has the id.

| Ruling of the id | Row | Its deciding cells | State | What a pass does |
|---|---|---|---|---|
| none | the holder | any | `OPEN` | answers the request |
| none, and its turn ended without it | the holder | those that lapsed | `LAPSED` | shows no result: Lapsed |
| none, and its turn ended without it | the holder | others | `CHANGED` | names the cells and both ways out |
| stands | the holder | those of the ruling | `AS_RULED` | shows the result: Done |
| stands | the holder | others | `CHANGED` | shows no result, and names the cells and both ways out |
| undone | the holder | any | `AS_RULED` | shows no result: Undone |
| none | another | any | `COPY` | gives the row an id of its own |
| stands or undone | another | others, or another name of the war | `COPY` | gives the row an id of its own |
| stands or undone | another | those of the ruling | `EQUAL_COPY` | says that it is a copy, and rules nothing |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from engine.columns import ColumnPlace, Field, loosely, tab_of
from sheets_algo.database.cell_text import shown
from sheets_algo.database.cells import LOADING
from sheets_algo.database.problems import Problem, quoted, shortened
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.database.typed_numbers import per_cent
from sheets_algo.forms.base import Form
from sheets_algo.forms.request_columns import request_id
from sheets_algo.ruling.receipts.receipts import Lapse, Receipts, StoredReceipt
from sheets_algo.workbook.values import Uncalculated

CLEAR = "Clear this cell"
"""The way out for a war of its own: a row without an id gets one."""
TITLE = ""
"""Key of the name of a war among its cells: it decides nothing, but a copy with another name is a war to come."""
NOTHING = "nothing"
"""What is typed back into a cell that was blank."""


class RowKind(Enum):
    """What a request row is."""

    OPEN = "not ruled"
    LAPSED = "lapsed with its turn"
    AS_RULED = "as ruled"
    CHANGED = "changed since its ruling"
    COPY = "a copy, which gets an id of its own"
    EQUAL_COPY = "a copy of a ruled row"


@dataclass(frozen=True, slots=True)
class RowState:
    """The state of a request row."""

    row: Row
    kind: RowKind  # What it is
    ruling: StoredReceipt | None  # The last ruling of its id, or None
    holder: Row  # The row that holds the id; the row itself, if it is no copy
    # The headers of deciding cells that differ from the ruling, or from the order that lapsed, each with what it was.
    differences: Mapping[str, str]
    lapse: Lapse | None = None  # How the order of its id lapsed, if it did (REQ-18)
    ruled: StoredReceipt | None = None  # The last ruling of its id by any ruleset, or None

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return what a person has to decide about a row that is not the one that was ruled; empty for others.

        That of a copy counts where the program cannot give it an id of its own.
        """
        id = request_id(self.row)
        match self.kind:
            case RowKind.CHANGED:
                names, back = self.differences, ", ".join(map(_typed, self.differences.values()))
                was = f"lapsed (receipt {self.lapse.receipt.seq})" if self.lapse else f"was ruled{self._ruled}"
                says = f"{id} {was}; {', '.join(names)} differ{'s' if len(names) == 1 else ''}"
                ways = f"A new {'order' if self.lapse else 'war'}? {CLEAR}. A slip? Type {back} back"
                return (self.row.problem("request", "REQ-16", says, allowed=ways),)
            case RowKind.COPY:
                says = f"the id {quoted(id)} is also in row {self.holder.number}, so this row is not ruled"
                return (self.row.problem("request", "REQ-01", says, allowed="Give each row its own id"),)
            case RowKind.EQUAL_COPY:
                says = f"a copy of {id} in row {self.holder.number}, ruled{self._ruled}; the copy is not ruled"
                ways = f"{CLEAR} for another war, or delete the row"
                return (self.row.problem("request", "REQ-17", says, allowed=ways),)
            case _:
                return ()

    @property
    def notice(self) -> Problem:
        """Return the warning of a copy that gets an id of its own at the next pass."""
        says = f"has the id of row {self.holder.number}; the program gives the copy an id of its own"
        return self.row.warning("request", "REQ-17", says, allowed="Tick Ready anew after that")

    @property
    def _ruled(self) -> str:
        assert self.ruling is not None
        war = f" as {shortened(self.ruling.war)}" if self.ruling.war else ""
        return f"{war} (receipt {self.ruling.seq})"


def row_state(
    row: Row,
    namesakes: Sequence[Row],
    ruling: StoredReceipt | None,
    cells: Mapping[int, Mapping[str, str]],
    *,
    is_undone: bool = False,
    lapse: Lapse | None = None,
) -> RowState:
    """Return the state of a request row.

    Args:
        namesakes: The rows that have its id, itself among them, in the order of the sheet.
        ruling: The last ruling of the id, or None.
        cells: The deciding cells of each of these rows by its number; not needed without a ruling or a lapse.
        is_undone: True if the ruling is undone.
        lapse: How the order lapsed with its turn, None if it did not.
    """
    lapse = lapse if ruling is None else None
    decided = ruling.figures.cells if ruling else lapse.order.cells if lapse else {}
    titles = {other.number: cells.get(other.number, {}).get(TITLE) for other in namesakes}
    differences = {other.number: _differences(decided, cells.get(other.number, {})) for other in namesakes}
    holder = next((other for other in namesakes if not differences[other.number]), namesakes[0])
    own = differences[row.number]
    if row.number == holder.number:
        as_it_was = RowKind.AS_RULED if ruling else RowKind.LAPSED if lapse else RowKind.OPEN
        kind = RowKind.CHANGED if own and not is_undone else as_it_was
    else:
        kind = (
            RowKind.COPY if ruling is None or own or titles[row.number] != titles[holder.number] else RowKind.EQUAL_COPY
        )
    return RowState(row, kind, ruling, holder, own, lapse)


def _differences(decided: Mapping[str, str], cells: Mapping[str, str]) -> Mapping[str, str]:
    """Return the headers of cells that differ, with what decided the ruling; cells that nobody can see do not."""
    return {
        header: decided[header]
        for header, text in cells.items()
        if header in decided and loosely(decided[header]) != loosely(text)
    }


def _typed(text: str) -> str:
    return shortened(text) if text else NOTHING


def deciding_cells(form: Form[Any], row: Row, database: Database) -> dict[str, str]:
    """Return the cells of a request that decide its ruling, by header, as they are read: a blank one is its default.

    The name of the war, notes and the program's columns decide nothing. A cell that a reference cannot follow any more
    counts as it stands, since names in the database may change after a ruling. A column that the tab lacks, and a
    formula without a value yet, are left out: nothing is known of them.
    """
    cells = dict(_decided_by(row, database, is_part=False))
    for record in form.parts:
        rows = database.table(record).by_request.get(loosely(request_id(row)), ())
        parts = (" ".join(text for _, text in _decided_by(part, database, is_part=True)) for part in rows)
        if text := "; ".join(sorted(filter(None, parts))):
            cells[tab_of(record).name] = text
    return cells


def _decided_by(row: Row, database: Database, *, is_part: bool) -> Iterator[tuple[str, str]]:
    """Yield header and content of each cell of a row that decides."""
    values = database.read(row, row.table.record).values
    for name, column in row.table.columns:
        if name in row.table.places and decides(column, is_part=is_part):
            value = row.value(name)
            if value != LOADING and not isinstance(value, Uncalculated):
                blank = _text(column, column.default) if row.is_blank(name) else shown(value)
                yield column.header, _text(column, values[name]) if name in values else blank


def decides(column: Field, *, is_part: bool = False) -> bool:
    """Return True if a cell of a column decides rulings, in a request or in another row that belongs to one."""
    return column.decides if column.decides is not None else not is_part and column.place is ColumnPlace.PERSON


def _text(column: Field, value: Any) -> str:
    """Return a value as a person would type it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "; ".join(map(shown, value))
    return per_cent(value) if column.is_in_per_cent and value is not None else shown(value)


class RowStates:
    """The states of the rows of one request tab.

    Args:
        form: The form of the tab.
        database: The database of its ruleset, as it was read.
        receipts: The receipts of the workbook.
    """

    def __init__(self, form: Form[Any], database: Database, receipts: Receipts) -> None:
        self._form, self._database, self._receipts = form, database, receipts
        self._by_id: dict[str, Mapping[int, RowState]] = {}

    def of(self, row: Row) -> RowState:
        """Return the state of a row."""
        id = loosely(request_id(row))
        if id not in self._by_id:
            self._by_id[id] = self._states(id) if id else {}
        return self._by_id[id].get(row.number) or RowState(row, RowKind.OPEN, None, row, {})

    def _states(self, id: str) -> Mapping[int, RowState]:
        """Return the states of the rows that have an id; that of another ruleset's ruling counts as free here."""
        ruled = self._receipts.ruling_of(id)
        ruling = ruled if ruled is not None and ruled.ruleset == self._form.key else None
        lapse = self._receipts.lapse_of(id)
        lapse = lapse if lapse is not None and lapse.receipt.ruleset == self._form.key else None
        rows = self._database.table(self._form.request).by_request.get(id, [])
        cells = {
            row.number: {TITLE: shown(row.value("war")) if "war" in row.table.places else ""}
            | deciding_cells(self._form, row, self._database)
            for row in (rows if ruling or lapse else ())
        }
        is_undone = ruling is not None and self._receipts.is_undone(ruling)
        states = (row_state(row, rows, ruling, cells, is_undone=is_undone, lapse=lapse) for row in rows)
        return {state.row.number: replace(state, ruled=ruled) for state in states}
