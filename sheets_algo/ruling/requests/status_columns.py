"""Results in rows of requests, and in the rows of further tabs, such as Flanks, that belong to them.

The program computes them from receipts on every pass and writes them where they differ. A row of a further tab belongs
to the request whose id it has, or whose title if no other request has that (FLR-01, `Table.rows_of`). One that a ruling
has read by its title still shows its results, even if another request has the title now.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from engine.columns import ColumnPlace, columns, loosely, tab_of
from engine.ruleset import Plain
from sheets_algo.database.changes import Changes
from sheets_algo.database.grouping import grouped
from sheets_algo.database.problems import Problem, quoted
from sheets_algo.database.records import RULE_AGAIN, Database
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form
from sheets_algo.forms.request_columns import request_id
from sheets_algo.ruling.receipts.receipts import Figures, Receipts, StoredReceipt
from sheets_algo.ruling.requests.row_states import RowKind, RowStates, row_digest
from sheets_algo.workbook.addresses import Address
from sheets_algo.workbook.tab_key import TabKey

Place = tuple[TabKey, int]
"""A tab and the number of a row."""


@dataclass(frozen=True)
class PartRows:
    """The rows of the further tabs of one form."""

    form: Form[Any]
    database: Database  # The database of its ruleset
    receipts: Receipts
    states: RowStates  # The states of the rows of its requests

    @cached_property
    def tables(self) -> Sequence[Table]:
        """Return the tabs that have a column Request."""
        tables = map(self.database.table, self.form.parts)
        return [table for table in tables if "request" in table.places]

    @property
    def requests(self) -> Table:
        """Return the tab of the requests."""
        return self.database.table(self.form.request)

    @cached_property
    def of_requests(self) -> Mapping[int, Sequence[Row]]:
        """Return the rows for the results of each request, by the number of the request's row.

        A copy of a request has none: it gets its own id, and the rows show the results of the original.
        """
        rows: dict[int, dict[Place, Row]] = {}
        for table in self.tables if any(self.tables) else ():
            for request in (row for row in self.requests if self.states.of(row).kind is not RowKind.COPY):
                for row in table.rows_of(request):
                    reader = self.readers.get((table.key, row.number))
                    if reader is None or loosely(reader.request) == loosely(request.name):
                        rows.setdefault(request.number, {})[table.key, row.number] = row
            for (tab, number), reader in self.readers.items():
                for request in self.requests.by_name.get(loosely(reader.request), ()) if tab == table.key else ():
                    rows.setdefault(request.number, {})[tab, number] = Row(table, number)
        return {request: [of_request[place] for place in sorted(of_request)] for request, of_request in rows.items()}

    @cached_property
    def readers(self) -> Mapping[Place, StoredReceipt]:
        """Return the ruling in force that has read a row by the title of its request, by the place of the row."""
        if not self._by_digest:
            return {}
        texts = ((text, rows) for table in self.tables for text, rows in table.by_request.items())
        titled = ((row, text) for text, rows in texts if text not in self.requests.by_name for row in rows)
        read = ((row, ruling) for row, text in titled for ruling in self._rulings_with(row) if text in ruling.titles)
        return {(row.table.key, row.number): ruling for row, ruling in read}

    def has_read(self, ruling: StoredReceipt | None, row: Row) -> bool:
        """Return True if a ruling in force has read a row in its current state, whatever its column Request names."""
        return ruling is not None and ruling in self._rulings_with(row)

    def renewed_with(self, request: Row) -> Sequence[Row]:
        """Return the rows that get the next id with a request (REQ-22): those that name its id, except ruled ones."""
        state, id = self.states.of(request), loosely(request.name)
        if state.kind is RowKind.EQUAL_COPY:
            return ()
        rows = (row for table in self.tables for row in table.by_request.get(id, ()))
        return [row for row in rows if not self.has_read(self.receipts.ruling_in_force(id), row)]

    def _rulings_with(self, row: Row) -> Sequence[StoredReceipt]:
        place = tab_of(row.table.record).name, row_digest(row, without="request")
        return self._by_digest.get(place, ())

    @cached_property
    def _by_digest(self) -> Mapping[tuple[str, str], Sequence[StoredReceipt]]:
        """Return the rulings in force by tab and digest of the rows that they have read."""
        own = [ruling for ruling in self.receipts.rulings if ruling.ruleset == self.form.key and ruling.figures.parts]
        in_force = (ruling for ruling in own if not self.receipts.is_undone(ruling))
        return grouped(((part.tab, part.digest), ruling) for ruling in in_force for part in ruling.figures.parts)


@dataclass(frozen=True, slots=True)
class StatusCells:
    """Content of the program's columns in one request row."""

    row: Row  # The row of the request
    request: str  # The request's id
    status: str  # The status: Waiting, Invalid, Done, Changed, Lapsed, Undone, Failed or blank
    message: str  # The problems, or the result in one line
    # The ruling of the request, whose figures are shown while it is Done; for a lapsed one, that which ended its turn.
    ruled: StoredReceipt | None = None
    # The groups of columns that stay as they are, since they are evidence of a ruling without a receipt (RCP-19).
    kept: Collection[ColumnPlace] = ()

    @property
    def figures(self) -> Figures | None:
        """Return the ruling's figures if the status is Done, else None."""
        return self.ruled.figures if self.ruled and self.status == "Done" else None


RESULTS = (ColumnPlace.RESULT, ColumnPlace.LAST)
"""Places of the columns with contents of receipts."""

OPEN_STATUSES = ("Waiting", "Invalid", "Failed")
"""Statuses that a program writes without a ruling; any other text was typed by a person, or restored."""


RETURNS_MOST = 5
"""Maximum number of times that a program rewrites its words in a row: beyond it, another program is assumed."""


class WrittenStatus(NamedTuple):
    """The status that a program wrote for a request."""

    digest: str  # The digest of the row
    status: str
    # The earlier statuses of this row, which may return with an older version.
    earlier: frozenset[str] = frozenset()
    returns: int = 0  # The number of such returns


@dataclass
class StatusWriter:
    """Writer of the statuses of one pass."""

    changes: Changes  # The collector of the pass's writes
    # The digest of the row and the status of each request, after the pass before.
    last_statuses: Mapping[str, WrittenStatus]
    blocked: Collection[Address]  # The addresses of cells that take no value
    is_verified: bool  # True if every earlier write is verified; else a status may be beside the wrong row
    statuses: dict[str, WrittenStatus] = field(default_factory=dict)  # The same as `last_statuses`, after this pass
    # The problems of requests in which two programs disagree.
    disputes: list[Problem] = field(default_factory=list)
    _new: dict[TabKey, Counter[str]] = field(default_factory=dict)

    def write(self, parts: PartRows, cells: StatusCells, *, is_ruling: bool) -> None:
        """Write the status of a request as far as there is room; that of a new ruling is always written."""
        if self._is_disputed(cells):
            self.disputes.append(_dispute(cells))
        elif is_ruling or self.changes.has_room(2):
            write_status(self.changes, parts, cells)
        else:
            return
        status_cell = (cells.row.table.key, cells.row.number, cells.row.table.places.get("status", 0))
        if cells.request and status_cell not in self.blocked:
            self.statuses[loosely(cells.request)] = self._status_to_remember(cells)

    def _status_to_remember(self, cells: StatusCells) -> WrittenStatus:
        """Return the record of a written or existing status."""
        digest, last = row_digest(cells.row), self.last_statuses.get(loosely(cells.request))
        if last is None or last.digest != digest:
            return WrittenStatus(digest, cells.status)
        earlier = last.earlier | {last.status}
        returns = last.returns + (_status_in(cells.row) not in (last.status, cells.status))
        return WrittenStatus(digest, cells.status, earlier - {cells.status}, returns)

    def _is_disputed(self, cells: StatusCells) -> bool:
        """Return True if another program has replaced the status that this one wrote, in a row that has not changed.

        It has other tabs, maps or settings; its text is newer, and two programs would rewrite each other forever.
        Receipts decide between them where there is a ruling. A result without a ruling comes from a restored older
        version, as does an earlier status of this program.
        """
        if not self.is_verified or cells.ruled is not None:
            return False
        status, last = _status_in(cells.row), self.last_statuses.get(loosely(cells.request))
        if last is None or last[:2] != (row_digest(cells.row), cells.status):
            return False
        if status not in OPEN_STATUSES or status == cells.status:
            return False
        if status in last.earlier and last.returns < RETURNS_MOST:
            return False
        return status in self._new_statuses(cells.row.table)

    def _new_statuses(self, table: Table) -> Counter[str]:
        """Return the statuses in more rows of a tab than this program wrote.

        The others have only moved: a sort that covers some columns leaves statuses beside other rows.
        """
        if table.key not in self._new:
            last = (self.last_statuses.get(loosely(request_id(row)), WrittenStatus("", "")) for row in table)
            self._new[table.key] = Counter(map(_status_in, table)) - Counter(written.status for written in last)
        return self._new[table.key]


def _status_in(row: Row) -> str:
    return str(row.value("status") or "")


def _dispute(cells: StatusCells) -> Problem:
    """Return the problem of a request in which two programs disagree (REQ-05)."""
    return cells.row.warning(
        "status",
        "REQ-05",
        f"another program has written {quoted(_status_in(cells.row))} where this one wrote"
        f" {quoted(cells.status)}; it is left as it is",
        allowed="Let both run the same version, settings and maps, and restart the one that is wrong",
    )


def write_status(changes: Changes, parts: PartRows, cells: StatusCells) -> None:
    """Write the program's columns of a request's row and of its other rows."""
    figures = cells.figures
    time = cells.ruled.time if cells.ruled and figures else ""
    status_values: dict[str, Plain] = {"status": cells.status, "message": cells.message, "ruled_at": time}
    values = figures.values if figures else {}
    for attribute, column in columns(parts.form.request):
        if column.place.is_computed and column.place not in cells.kept:
            _set_cell(changes, cells.row, attribute, status_values.get(attribute, values.get(column.header)))
    is_shared = cells.status == "Invalid" and cells.ruled is not None
    if (
        cells.request and not is_shared and ColumnPlace.RESULT not in cells.kept
    ):  # neither of two rows with a ruling's id may change the ruling's results
        _write_parts(changes, parts, cells)


def _write_parts(changes: Changes, parts: PartRows, cells: StatusCells) -> None:
    left = [*cells.figures.parts] if cells.figures else []
    for row in parts.of_requests.get(cells.row.number, ()):
        place = tab_of(row.table.record).name, row_digest(row, without="request")
        part = next((part for part in left if (part.tab, part.digest) == place), None)
        if part is not None:
            left.remove(part)
        elif cells.figures:
            continue  # a person has changed the row, and its results are those of the ruled row
        for attribute, column in row.table.columns:
            if column.place in RESULTS:
                _set_cell(changes, row, attribute, part.values.get(column.header) if part else None)


def _set_cell(changes: Changes, row: Row, attribute: str, value: Plain) -> None:
    if value not in (None, "") or attribute in row.table.places:
        changes.set(row, attribute, value)


COPIED = "Copied from {}; its own id is {}. Clear Ready until this line is gone, and tick it anew"
UNDONE = f'Its ruling is undone. To have it ruled anew, choose Action "{RULE_AGAIN}"'
LAPSED = "Lapsed with {}: {}. Type a new order into another row"
GAME_OVER = "The game is over: {}; it is ruled if somebody plays again"
LAPSES = "Lapses when {} ends, unless that changes"
NOTHING_RULED = "Nothing is ruled now. {}"
NEXT_LOOK = "Refused at first, but another ruling of this look has changed that; it is ruled at the next look"
NOT_SHOWN_YET = "The formula in {} shows nothing yet; the next look says so if it still does not"
NOT_COUNTED = "Decisions in the tab Overrides are not counted here; the command forecast counts those of Kind Input"
PREVIEWED = "Preview, nothing is ruled: {}"
NO_FILE = "the setting pictures = false leaves out the picture"
NO_PICTURE = "Preview, nothing is ruled: no flank is on the map"
CHANGED = "{}. Tick Ready to have it ruled"
CHANGING = "Seen; {} is done at the next look, unless somebody changes it until then"
WAITING = "Seen; it is ruled at the next look, unless somebody changes it until then"
