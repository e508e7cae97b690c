"""States of request rows, by their cells, the rows that share their id, and the receipts (REQ-16, REQ-17).

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

import functools
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from engine.columns import ColumnPlace, Field, columns, loosely, tab_of
from sheets_algo.database.cell_text import as_text, is_blank
from sheets_algo.database.cells import LOADING
from sheets_algo.database.grouping import grouped
from sheets_algo.database.problems import Problem, quoted, shortened
from sheets_algo.database.records import RULE_AGAIN, Database
from sheets_algo.database.tables import Row, Table
from sheets_algo.database.typed_numbers import typed_text
from sheets_algo.forms.base import Form
from sheets_algo.forms.request_columns import is_ready, request_id, requested_action
from sheets_algo.ruling.receipts.receipts import Lapse, Receipts, StoredReceipt
from sheets_algo.workbook.values import BlankFormula, Uncalculated

DIGITS_MOST = 9
"""Maximum number of digits of an id's number; longer ids are not the program's."""
OWN_ID = "Give each row its own id"
AGAIN = f'Choose Action "{RULE_AGAIN}"'
"""The remedy for a ruled row with another request: it gets the next id."""
WRITABLE = "Let the program write here, and it gives the row an id of its own"
"""The remedy for a copy whose id is a formula, or protected."""
TITLE = ""
"""Key of the name of a war among its cells: it decides nothing, but a copy with another name is a new war."""


class RowKind(Enum):
    """State of a request row."""

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
    kind: RowKind  # The kind
    ruling: StoredReceipt | None  # The last ruling of its id, or None
    holder: Row  # The row that holds the id; the row itself, if it is not a copy
    # The headers of deciding cells that differ from the ruling, or from the lapsed order, each with the former value.
    differences: Mapping[str, str]
    lapse: Lapse | None = None  # The lapse of the order with its id, if any (REQ-18)
    ruled: StoredReceipt | None = None  # The last ruling of its id by any ruleset, or None
    own_id: str = ""  # The id under which the war in a changed row was ruled, if that has lost its row

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return the problems of a row that differs from its ruling, for a person to decide; empty for others.

        That of a copy counts only if the program cannot give it its own id.
        """
        id = request_id(self.row)
        match self.kind:
            case RowKind.CHANGED:
                names, typed = self.differences, [shortened(text) for text in self.differences.values() if text]
                blank = [name for name, text in names.items() if not text]
                back = [f"type {', '.join(typed)} back"] if typed else []
                back += [f"empty {', '.join(blank)} again"] if blank else []
                was = f"lapsed with {self.lapse.receipt.request}" if self.lapse else f"was ruled{self._ruled}"
                says = f"{id} {was}; {', '.join(names)} differ{'s' if len(names) == 1 else ''}"
                slip, question, end = " and ".join(back), "A slip?", ""
                if renamed := self._renamed:
                    question = f"A slip, or is it {' and '.join(renamed)} under another name?"
                    end = "; a ruled row keeps the names of its ruling"
                anew = "Type it into another row" if self.lapse else AGAIN
                ways = f"A new {self._one}? {anew}. {question} {slip[:1].upper()}{slip[1:]}{end}"
                ways = f"This row is {self.own_id}: type that id. {ways}" if self.own_id else ways
                return (self.row.problem("request", "REQ-16", says, allowed=ways),)
            case RowKind.COPY:
                says = f"the id {quoted(id)} is also in row {self.holder.number}, so this row is not ruled"
                return (self.row.problem("request", "REQ-01", says, allowed=WRITABLE),)
            case RowKind.EQUAL_COPY:
                says = f"a copy of {id} in row {self.holder.number}, ruled{self._ruled}; the copy is not ruled"
                ways = f"{AGAIN} for another {self._one}, or delete the row"
                return (self.row.problem("request", "REQ-17", says, allowed=ways),)
            case _:
                return ()

    @property
    def _renamed(self) -> list[str]:
        """Return the names in the ruling that are lost, where the request names another row now."""
        table = self.row.table
        cells = [(self.differences.get(column.header, ""), column, as_text(self.row.value(name)))
                 for name, column in table.columns if column.to]  # fmt: skip
        return [
            shortened(was)
            for was, column, now in cells
            if was and table.is_name(column, now) and not table.is_name(column, was)
        ]

    @property
    def has_no_id(self) -> bool:
        """Return True for an unticked row whose id cell is merged with that of a row above."""
        return is_ready(self.row) is False and bool(self.row.table.merged_downwards("request", self.row.number))

    @property
    def notice(self) -> Problem:
        """Return the warning of a copy that gets its own id at the next pass."""
        says = f"has the id of row {self.holder.number}; the program gives the copy an id of its own"
        return self.row.warning("request", "REQ-17", says, allowed="Tick Ready anew after that")

    @property
    def _one(self) -> str:
        return tab_of(self.row.table.record).one

    @property
    def _ruled(self) -> str:
        assert self.ruling is not None
        return f" as {shortened(self.ruling.war)}" if self.ruling.war else ""


def row_states(
    rows: Sequence[Row],
    ruling: StoredReceipt | None,
    cells: Mapping[int, Mapping[str, str]],
    *,
    is_undone: bool = False,
    lapse: Lapse | None = None,
) -> Iterator[RowState]:
    """Yield the states of the request rows that have an id, in the order of the sheet.

    Args:
        ruling: The last ruling of the id, or None.
        cells: The deciding cells of each row by its number; not needed without a ruling or a lapse.
        is_undone: True if the ruling is undone.
        lapse: The lapse of the order with its turn, None if it did not lapse.
    """
    lapse = lapse if ruling is None else None
    decided = ruling.figures.cells if ruling else lapse.order.cells if lapse else {}
    differences = {row.number: _differences(decided, cells.get(row.number, {})) for row in rows}
    titles = {row.number: cells.get(row.number, {}).get(TITLE) for row in rows}
    as_it_was = RowKind.AS_RULED if ruling else RowKind.LAPSED if lapse else RowKind.OPEN
    holder = min(rows, key=lambda row: bool(differences[row.number]))  # the first one that is equal
    for row in rows:
        is_other = bool(differences[row.number])
        if row is holder:
            kind = RowKind.CHANGED if is_other and not is_undone else as_it_was
        elif ruling is None or is_other or titles[row.number] != titles[holder.number]:
            kind = RowKind.COPY
        else:
            kind = RowKind.EQUAL_COPY
        yield RowState(row, kind, ruling, holder, differences[row.number], lapse)


def _differences(decided: Mapping[str, str], cells: Mapping[str, str]) -> Mapping[str, str]:
    """Return the headers of differing cells, with the values of the ruling; invisible differences do not count."""
    return {
        header: decided[header]
        for header, text in cells.items()
        if header in decided and loosely(decided[header]) != loosely(text)
    }


def deciding_cells(form: Form[Any], row: Row, database: Database) -> dict[str, str]:
    """Return the deciding cells of a request, by header, as they are read: a blank one is its default.

    The name of the war, notes and the program's columns decide nothing. A broken reference counts as its text, since
    names in the database may change after a ruling. A missing column, and a formula without a value yet, are left out
    as unknown.
    """
    cells = dict(_decided_by(row, database, is_part=False))
    for record in form.parts:
        rows = database.table(record).rows_of(row)
        parts = (" ".join(text for _, text in _decided_by(part, database, is_part=True)) for part in rows)
        if text := "; ".join(sorted(filter(None, parts))):
            cells[tab_of(record).name] = text
    return cells


def _decided_by(row: Row, database: Database, *, is_part: bool) -> Iterator[tuple[str, str]]:
    """Yield header and content of each deciding cell of a row."""
    values = database.read(row, row.table.record).values
    for name, column in row.table.columns:
        if name in row.table.places and decides(column, is_part=is_part):
            value = row.value(name)
            if value != LOADING and not isinstance(value, Uncalculated | BlankFormula):
                blank = typed_text(column, column.default) if row.is_blank(name) else as_text(value)
                yield column.header, typed_text(column, values[name]) if name in values else blank


def edits_of(form: Form[Any], row: Row, database: Database, receipts: Receipts) -> Iterator[str]:
    """Yield a problem if a request differs from its player's order (TRN-12)."""
    _, sent = receipts.sent.get(loosely(request_id(row)), (None, {}))
    now = deciding_cells(form, row, database) if sent else {}
    edits = [f"{header} was {quoted(sent[header])}" for header in now if now[header] != sent.get(header, now[header])]
    if edits:
        yield f"Not as it was sent: {', '.join(edits)}"


def decides(column: Field, *, is_part: bool = False) -> bool:
    """Return True if a column's cells decide rulings, in a request or in its other rows."""
    return column.decides if column.decides is not None else not is_part and column.place is ColumnPlace.PERSON


@dataclass(frozen=True)
class RowStates:
    """The states of the rows of one request tab."""

    form: Form[Any]
    database: Database  # The database of its ruleset, before rulings
    receipts: Receipts
    _by_id: dict[str, Mapping[int, RowState]] = field(default_factory=dict)

    def of(self, row: Row) -> RowState:
        """Return the state of a row."""
        id = loosely(request_id(row))
        if id not in self._by_id:
            self._by_id[id] = self._states(id) if id else {}
        return self._by_id[id].get(row.number) or RowState(row, RowKind.OPEN, None, row, {})

    def asks_anew(self, row: Row) -> bool:
        """Return True if a ready row needs another ruling, since its id has one that it does not show.

        Then the row gets the next id (REQ-22). A row that shows its ruling does not count, a copy gets its own id in
        any case, and a lapsed order is not ruled in a later turn.
        """
        if is_ready(row) is not True or requested_action(row, self.database) != RULE_AGAIN:
            return False
        state = self.of(row)
        if state.ruled is None or state.kind is RowKind.COPY:
            return False
        is_shown = state.ruled is state.ruling and not self.receipts.is_undone(state.ruled)
        return not is_shown or state.kind is not RowKind.AS_RULED

    def _states(self, id: str) -> Mapping[int, RowState]:
        """Return the states of the rows that have an id; that of another ruleset's ruling counts as free here."""
        ruled = self.receipts.ruling_of(id)
        ruling = ruled if ruled is not None and ruled.ruleset == self.form.key else None
        lapse = self.receipts.lapse_of(id)
        lapse = lapse if lapse is not None and lapse.receipt.ruleset == self.form.key else None
        rows = self.database.table(self.form.request).by_request.get(id, [])
        cells = {
            row.number: {TITLE: as_text(row.value("war")) if "war" in row.table.places else ""}
            | deciding_cells(self.form, row, self.database)
            for row in (rows if ruling or lapse else ())
        }
        is_undone = ruling is not None and self.receipts.is_undone(ruling)
        states = row_states(rows, ruling, cells, is_undone=is_undone, lapse=lapse) if rows else ()
        return {state.row.number: replace(state, ruled=ruled, own_id=self._own_id(state)) for state in states}

    def _own_id(self, state: RowState) -> str:
        lost = self._lost.ruling_of(state.row, self.form.key) if state.kind is RowKind.CHANGED else None
        return lost.request if lost else ""

    @functools.cached_property
    def _lost(self) -> LostRequests:
        return LostRequests(self.receipts, {self.form.key: self.database.table(self.form.request)})


def row_digest(row: Row, without: str = "") -> str:
    """Return the digest of a row's cells except for the program's, which identifies the row after it is moved.

    Args:
        without: The attribute of a column that is left out; blank for none.
    """
    people = (name for name, column in row.table.columns if not column.place.is_programs)
    cells = [as_text(row.value(name)) for name in people if name != without]
    return hashlib.sha256("\x1f".join(cells).encode()).hexdigest()[:16]


def typed_digest(row: Row, parts: Iterable[Row]) -> str:
    """Return the digest of the people's cells in a request's rows, without the id and independent of their order.

    Columns that decide nothing, such as notes, may change from poll to poll.
    """
    cells = [
        as_text(row.value(name))
        for name, column in row.table.columns
        if column.place in (ColumnPlace.PERSON, ColumnPlace.CONTROL) and column.decides is not False
    ]
    return hashlib.sha256("\x1f".join((*cells, *sorted(map(row_digest, parts)))).encode()).hexdigest()[:16]


def war_digest(row: Row) -> str:
    """Return the digest of the people's cells in a war's row, without id and control columns (REQ-08)."""
    cells = [as_text(row.value(name)) for name, column in row.table.columns if column.place is ColumnPlace.PERSON]
    return hashlib.sha256("\x1f".join(cells).encode()).hexdigest()[:16]


@dataclass
class Ids:
    """The request ids of one tab."""

    form: Form[Any]
    database: Database
    # The request tab of each form by its key; their ids must differ since receipts name requests by id alone.
    tables: Mapping[str, Table]
    receipts: Receipts
    _last: int | None = None

    @property
    def _others(self) -> list[Table]:
        return [other for key, other in self.tables.items() if key != self.form.key]

    def conflict_problems(self, row: Row, ruling: StoredReceipt | None) -> tuple[Problem, ...]:
        """Return the problem of a row whose id another form has ruled, or that is unruled and in another tab too."""
        id = as_text(row.value("request"))
        if ruling is not None:
            if ruling.ruleset == self.form.key:
                return ()
            says = f"the id {quoted(id)} belongs to a ruling of another ruleset ({ruling.ruleset})"
            return (row.problem("request", "REQ-01", says, allowed=AGAIN),)
        rows = [other for table in self._others for other in table.by_request.get(loosely(id), ())]
        if not rows:
            return ()
        cells = " and ".join(str(other.cell("request")) for other in rows)
        says = f"the id {quoted(id)} is also in {cells}, so {'neither' if len(rows) == 1 else 'none'} is ruled"
        return (row.problem("request", "REQ-01", says, allowed=OWN_ID),)

    def next_free(self) -> str:
        """Return the next unused id, beyond those of numbered blank rows of a new workbook."""
        if self._last is None:
            self._last = max(map(self._number, self._used()), default=0)
        self._last += 1
        return f"{self.form.prefix}{self._last:04}"

    def _used(self) -> Iterator[str]:
        """Yield all ids, including those of rulings without a row, and of flanks whose request does not exist yet."""
        tables = map(self.database.table, (self.form.request, *self.form.parts))
        for table in (*tables, *self._others):
            yield from table.texts("request")
        for receipt in self.receipts.by_seq.values():
            yield from (receipt.request, *receipt.figures.lapsed)
        yield from self.receipts.sent

    def _number(self, id: str) -> int:
        """Return the number of an id with this prefix, 0 for any other id."""
        folded, prefix = loosely(id), loosely(self.form.prefix)
        number = folded.removeprefix(prefix)
        is_ours = folded.startswith(prefix) and number.isdecimal() and len(number) <= DIGITS_MOST
        return int(number) if is_ours else 0


@dataclass(frozen=True)
class ShownResults:
    """Results in request rows, compared with their receipts (RCP-19)."""

    receipts: Receipts

    @functools.cached_property
    def _messages(self) -> Mapping[str, list[str]]:
        return grouped((ruling.time, _strip_spaces(ruling.figures.message)) for ruling in self.receipts.rulings)

    def problem(self, row: Row) -> Problem | None:
        """Return the problem of a row whose cells show a ruling without a receipt.

        A copy of a ruled row shows the result of an existing receipt. Anything but a date, such as an id that landed
        there while a person moved columns, is not a ruling's time.
        """
        time, text = as_text(row.value("ruled_at")), _strip_spaces(as_text(row.value("message")))
        if not _DATE.search(time) or any(text.startswith(known) for known in self._messages.get(time, ())):
            return None
        begun = self.receipts.begun
        is_earlier = begun is not None and bool(_ISO.match(time)) and time < begun.time
        when = f"{time}, before this season began," if is_earlier else f"{time},"
        says = f"shows a ruling of {when} and there is no receipt of it, so nothing is ruled here"
        ways = "Is the row pasted from another season? Clear this cell. Was it ruled here? Bring the receipt back"
        ways = f'{ways} from an older version, or choose Action "{RULE_AGAIN}" to have it ruled anew'
        return row.problem("ruled_at", "RCP-19", says, allowed=ways)


_ISO = re.compile(r"\d{4}-\d\d-\d\dT")
"""The beginning of a time as the program writes it."""
_DATE = re.compile(r"\d+[-./]\d+[-./]\d+|^\d+([.,]\d+)?$")
"""A date in any form of spreadsheets, including its number of days."""


def shown_results(row: Row) -> str:
    """Return the results in a row as a sentence; else the sentence in its Message about former ones."""
    cells = {column.header: row.value(name) for name, column in row.table.columns if column.place is ColumnPlace.RESULT}
    results = [f"{header} {shortened(as_text(value))}" for header, value in cells.items() if not is_blank(value)]
    if results:
        return f"{SHOWED}{', '.join(results)}."
    lines = str(row.value("message") or "").splitlines()
    return next((line for line in lines if line.startswith(SHOWED)), "")


SHOWED = "It showed: "
"""The beginning of the sentence with the results of a row without a receipt."""


def _strip_spaces(text: str) -> str:
    return "".join(text.split())


@dataclass(frozen=True)
class LostRequests:
    """Ruled requests whose id is in no row, or in that of another war."""

    receipts: Receipts
    tables: Mapping[str, Table]  # The request tab of each form by the form's key

    def __bool__(self) -> bool:
        """Return True if any ruled request has lost its row."""
        return bool(self._lost)

    @functools.cached_property
    def by_presence(self) -> tuple[list[StoredReceipt], list[StoredReceipt]]:
        """Return the rulings whose id is in no row, and the others."""
        ids = {loosely(id) for table in self.tables.values() for id in table.texts("request")}
        in_force = (ruling for ruling in self.receipts.rulings if not self.receipts.is_undone(ruling))
        rulings = {loosely(ruling.request): ruling for ruling in in_force if ruling.ruleset in self.tables}
        gone = [ruling for id, ruling in rulings.items() if id not in ids]
        return gone, [ruling for id, ruling in rulings.items() if id in ids]

    @functools.cached_property
    def _lost(self) -> list[StoredReceipt]:
        """Return the rulings whose war may have another id; computed only for a ruling."""
        gone, there = self.by_presence
        return gone + [ruling for ruling in there if self._is_beside_another_war(ruling)]

    def _is_beside_another_war(self, ruling: StoredReceipt) -> bool:
        """Return True if each row with the id holds another war; unknown (False) for a war without a name."""
        rows = self.tables[ruling.ruleset].by_request.get(loosely(ruling.request), ())
        return bool(ruling.figures.row) and all(war_digest(row) != ruling.figures.row for row in rows)

    def lookalike_problems(self, row: Row, key: str, inputs: str = "") -> tuple[Problem, ...]:
        """Return the problem of a row that resembles a request ruled under another id (REQ-08).

        Either the inputs are equal or, since a ruling changes the nations among the inputs, the people's cells in the
        row of a war with a name.

        Args:
            inputs: The serialised inputs, blank if not known.
        """
        lost = self.ruling_of(row, key, inputs)
        if lost is None:
            return ()
        war, one = f", {shortened(lost.war)}" if lost.war else "", tab_of(row.table.record).one
        where = "no row has that id any more" if lost in self.by_presence[0] else f"another {one} has that id now"
        says = f"looks like {lost.request}, ruled by receipt {lost.seq}{war}; {where}"
        allowed = f'Put the id {lost.request} back, or choose Action "{RULE_AGAIN}" if it is another {one}'
        return (row.problem("request", "REQ-08", says, allowed=allowed),)

    def ruling_of(self, row: Row, key: str, inputs: str = "") -> StoredReceipt | None:
        """Return the ruling of a row's war under an id that is no longer beside it; arguments as above."""
        name_column = dict(columns(row.table.record)).get("war")
        digest = war_digest(row) if self._lost and name_column is not None and name_column.required else ""
        for lost in self._lost:
            if lost.ruleset == key and ((inputs and lost.inputs == inputs) or (digest and lost.figures.row == digest)):
                return lost
        return None
