"""Verification of writes by coordinates, and repair of cells in rows that people moved meanwhile.

An online spreadsheet accepts writes by coordinates only. If a person sorts the nations between reading and writing,
England's stability is written to Normandy's row. The snapshot before the write identifies every row wherever it is
now, so that each of its cells can be compared with its intended value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from engine.columns import loosely, tab_of
from sheets_algo.database.cell_text import as_text, is_blank
from sheets_algo.database.changes import shows
from sheets_algo.database.headers import key_of
from sheets_algo.database.problems import CellRef, Problem, quoted
from sheets_algo.database.tables import Table
from sheets_algo.forms.base import Form
from sheets_algo.ruling.repair.tab_state import Mark, RowCells, RowMatching, TabState, mark, plain
from sheets_algo.ruling.requests.overrides import OverrideRow
from sheets_algo.workbook.addresses import Address
from sheets_algo.workbook.changes import AppendRow, ChangeSet, SetCell
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.values import Plain, Value


@dataclass(frozen=True, slots=True)
class UnsureCell:
    """A cell with a value for another row, whose correct value is unknown (RCP-33)."""

    tab: str  # The declared name of the tab
    column: str  # The key of the column, its header in small letters
    value: Plain  # The value that the program wrote
    # The digest of the row's other cells, which identifies the row; blank for an id, which identifies itself.
    digest: str


@dataclass(frozen=True, slots=True)
class WriteCheck:
    """Result of verifying a write."""

    changes: ChangeSet  # The changes that correct misplaced cells, empty if there are none
    unsure: tuple[UnsureCell, ...] = ()  # The cells that only a person can correct
    # The problems of tabs that lack a written column of data, so that nothing can be compared.
    unreachable: tuple[Problem, ...] = ()


def reconcile(
    before: Snapshot,
    changes: ChangeSet,
    current: Snapshot,
    forms: Iterable[type[Form[Any]]],
    covered: Mapping[Address, Value] = MappingProxyType({}),
) -> WriteCheck:
    """Compare the intended result of a write with the workbook (RCP-33).

    Columns that the program computes on every pass (a Status) are not corrected, but cells of other columns that their
    values overwrote are restored.

    Args:
        before: The snapshot of the written tabs that the changes were planned on.
        changes: The cells and rows of people's tabs that were written, by the coordinates of `before`.
        covered: The values of cells of `changes` at the time of the write, as far as known.
    """
    forms = tuple(forms)
    records = people_records(forms)
    computed = _computed_records(forms)
    cells: list[SetCell] = []
    rows: list[AppendRow] = []
    unsure: list[UnsureCell] = []
    unreachable: list[Problem] = []
    for tab, record in records.items():
        old, new = before.sheet(tab), current.sheet(tab)
        # A tab of people's own may stand for several, whose cells are in the same rows (DB-17).
        sharing = [key for key in records if old and (sheet := before.sheet(key)) and sheet.title == old.title]
        if tab in sharing[1:]:
            continue
        written = [cell for cell in changes.cells if cell.tab in sharing]
        added = [row for row in changes.rows if row.tab == tab]
        if old is None or new is None:
            if old and written and (title := current.foreign.get(tab)):  # perhaps titles of tabs were exchanged
                table = Table(record, old)
                header = as_text(table.value(table.header_row, written[0].column))
                unreachable.append(_unreachable(title, header))
            continue
        if written or added:
            was, now = (TabState(Table(record, sheet), record in computed) for sheet in (old, new))
            comparison = _Comparison(was, now, written, covered)
            if gone := comparison.gone_column:
                unreachable.append(_unreachable(new.title, gone))
                continue
            comparison.compare()
            for row in added:
                comparison.realign(row)
            cells += comparison.cells.values()
            rows += comparison.rows
            unsure += comparison.unsure
    return WriteCheck(ChangeSet(cells=tuple(cells), rows=tuple(rows)), tuple(unsure), tuple(unreachable))


def _unreachable(tab: str, header: str) -> Problem:
    return Problem(
        cell=CellRef(tab),
        says=f"has no column {quoted(header)} any more, in which the program has just written",
        allowed="Put back its header, or the titles of tabs that were exchanged; nothing is ruled until then",
        id="RCP-33",
    )


def still_wrong(unsure: UnsureCell, snapshot: Snapshot, forms: Iterable[type[Form[Any]]]) -> Problem | None:
    """Return the problem of an unsure cell, or None if a person has corrected it."""
    forms = tuple(forms)
    for record in (record for record in people_records(forms).values() if tab_of(record).name == unsure.tab):
        now = TabState(Table.of(snapshot, record), record in _computed_records(forms))
        place = now.places.get(unsure.column, 0)
        for row in now.rows:
            is_row = not unsure.digest or unsure.digest == now.digest(row, unsure.column)
            if is_row and shows(now.value(row, unsure.column), unsure.value):
                return Problem(
                    cell=CellRef(now.table.title, row, place),
                    says=f"shows {quoted(as_text(unsure.value))}, which the program wrote for another row",
                    allowed="Put back what belongs there, or empty the cell",
                    value=as_text(unsure.value),
                    id="RCP-33",
                )
    return None


def people_records(forms: Iterable[type[Form[Any]]]) -> Mapping[TabKey, type]:
    """Return the record classes of the tabs of people in which the program writes, by the tab."""
    records = (*(record for form in forms for record in form.records()), OverrideRow)
    return {key_of(record): record for record in records}


def _computed_records(forms: Iterable[type[Form[Any]]]) -> set[type]:
    """Return the record classes of tabs whose program columns are computed on every pass."""
    return {record for form in forms for record in (form.request, *form.parts)}


class _Comparison:
    """Comparison of one tab before the write and now.

    Args:
        was: The tab before the write, without columns computed on every pass.
        written: The cells that were set, by the coordinates of `was`.
        covered: The values of these cells at the time of the write, as far as known.
    """

    def __init__(
        self, was: TabState, now: TabState, written: Sequence[SetCell], covered: Mapping[Address, Value]
    ) -> None:
        self.was, self.now = was, now
        self.covered = {
            (cell.row, cell.column): covered[cell.tab, cell.row, cell.column]
            for cell in written
            if (cell.tab, cell.row, cell.column) in covered
        }
        header = was.table.header_row
        self.written = [cell for cell in written if cell.row > header]
        self.headers = [cell for cell in written if cell.row <= header]
        self.old_places = dict(was.places)
        for cell in self.headers:  # columns that the write added, in the same rows
            was.keys.setdefault(cell.column, loosely(str(cell.value)))
            was.places.setdefault(was.keys[cell.column], cell.column)
        self.changed: dict[int, dict[str, Plain]] = {}
        for cell in self.written:
            key = was.keys.get(cell.column)
            if key and key not in was.programs:
                self.changed.setdefault(cell.row, {})[key] = cell.value
        self.intended = {row: self._intended_cells(row) for row in {*was.rows, *self.changed}}
        columns = {key for cells in self.changed.values() for key in cells}
        values = {mark(cell.value) for cell in self.written}
        self.pairs = RowMatching(was, now, self.intended, columns, values).pairs()
        self.cells: dict[tuple[int, int], SetCell] = {}
        self.rows: list[AppendRow] = []
        self.unsure: list[UnsureCell] = []

    @property
    def gone_column(self) -> str:
        """Return the header of a written column of data that is lost; blank if there is none."""
        table = self.was.table
        keys = {key for cells in self.changed.values() for key in cells}
        gone = (table.value(table.header_row, self.was.places[key]) for key in sorted(keys - self.now.places.keys()))
        return next((as_text(header) for header in gone if not is_blank(header)), "")

    def _intended_cells(self, row: int) -> RowCells:
        cells = {**self.was.rows.get(row, {}), **self.changed.get(row, {})}
        return {key: value for key, value in cells.items() if value is not False and not is_blank(value)}

    def compare(self) -> None:
        """Find the cells that the write missed or overwrote, and collect their corrections."""
        misplaced = self._correct_missed_cells()
        overwritten = [*self._overwritten_cells(misplaced), *self._overwritten_in_new_rows(misplaced)]
        # A row that was copied since shows the value where its original does.
        distinct = {(marked, key, self.now.digest(row, key)) for row, key, marked, _ in overwritten}
        counts = Counter(marked for marked, _, _ in distinct)
        unsure: list[tuple[int, str]] = []
        for row, key, marked, correct in overwritten:
            if correct is _UNKNOWN or counts[marked] > misplaced[marked]:
                unsure.append((row, key))
            else:
                self._set_cell(row, key, correct)
        self._restore_cleared_cells()
        self._clear_results(misplaced)
        self._restore_headers()
        self._restore_rows()
        self._append_lost_rows()
        self.unsure += [self._unsure_cell(row, key) for row, key in unsure]

    def _correct_missed_cells(self) -> Counter[Mark]:
        """Correct the cells that the write missed; return the counts of values that may be in other cells instead."""
        misplaced = Counter(
            mark(cell.value) for cell in self.written if cell.value is not None and self._is_lost_result(cell)
        )
        for row, cells in self.changed.items():
            for key, value in cells.items():
                if self._is_landed_id(row, key):
                    continue
                row_now = self.pairs.get(row)
                value_now = self.now.value(row_now, key) if row_now else None
                if row_now and shows(value_now, value):
                    self._restore_typed_id(row, key, row_now)
                    continue
                if value is not None:
                    misplaced[mark(value)] += 1
                if row_now and shows(value_now, plain(self.was.rows.get(row, {}).get(key))):
                    self._set_cell(row_now, key, value)
        return misplaced

    def _is_landed_id(self, row: int, key: str) -> bool:
        """Return True if an id was written to its row: the cell is where it was, and held what was read there.

        Later changes of the id are people's. If rows were moved and moved back meanwhile, two requests that both lacked
        an id may have exchanged ids, which harms neither.
        """
        place = self.was.places[key]
        is_there = self.pairs.get(row) == row and self.now.places.get(key) == place
        return (
            is_there
            and place == self.was.table.places.get("request")
            and (row, place) in self.covered
            and shows(self.covered[row, place], plain(self.was.table.value(row, place)))
        )

    def _restore_typed_id(self, row: int, key: str, row_now: int) -> None:
        """Restore an id that a person typed between reading and writing.

        A row that received another row's id may show its own by chance, since rows of one request share an id; the id
        at the written place is then that of a moved row.
        """
        place = self.was.places[key]
        typed, value = self.covered.get((row, place)), self.changed[row][key]
        is_new_id = not is_blank(typed) and not shows(typed, plain(self.was.table.value(row, place)))
        if sum(cells.get(key) == value for cells in self.changed.values()) > 1:
            is_new_id = is_new_id and not any(shows(cells.get(key), plain(typed)) for cells in self.was.rows.values())
        if is_new_id and place == self.was.table.places.get("request"):
            self._set_cell(row_now, key, plain(typed))

    def _overwritten_value(self, value: Value) -> Any:
        """Return the value that a misplaced value overwrote, unknown if several cells were set to it."""
        cells = [cell for cell in self.written if shows(value, cell.value)]
        if len(cells) != 1 or (cells[0].row, cells[0].column) not in self.covered:
            return _UNKNOWN
        value_before = self.covered[cells[0].row, cells[0].column]
        return None if is_blank(value_before) else plain(value_before)

    def _is_lost_result(self, cell: SetCell) -> bool:
        """Return True if a computed cell does not show the value it was set to.

        Its value may then have overwritten a cell of another column.
        """
        key, row_now = self.was.keys.get(cell.column, ""), self.pairs.get(cell.row)
        return key in self.was.programs and not (row_now and shows(self.now.value(row_now, key), cell.value))

    def _overwritten_cells(self, misplaced: Mapping[Mark, int]) -> Iterator[tuple[int, str, Mark, Any]]:
        """Yield the cells of identified rows with misplaced values, as row, column key, value and correct value."""
        for row, row_now in self.pairs.items():
            for key in dict.fromkeys((*self.intended[row], *self.now.rows.get(row_now, ()))):
                value_now = self.now.value(row_now, key)
                intended = self.intended[row].get(key)
                before = self.was.rows.get(row, {}).get(key)
                is_as_meant = shows(value_now, plain(intended)) or shows(value_now, plain(before))
                if self._is_misplaced(row_now, key, misplaced) and not is_as_meant:
                    overwritten = _UNKNOWN if key in self.changed.get(row, {}) else self._overwritten_value(value_now)
                    yield row_now, key, mark(value_now), plain(intended) if overwritten is _UNKNOWN else overwritten

    def _overwritten_in_new_rows(self, misplaced: Mapping[Mark, int]) -> Iterator[tuple[int, str, Mark, Any]]:
        """Yield the same for rows that did not exist before; a row with misplaced values only was blank."""
        for row_now in self.now.rows.keys() - set(self.pairs.values()):
            keys = [key for key in self.now.rows[row_now] if self._is_misplaced(row_now, key, misplaced)]
            is_alone = len(keys) == len(self.now.rows[row_now])
            for key in keys:
                value_now = self.now.value(row_now, key)
                overwritten = self._overwritten_value(value_now)
                yield row_now, key, mark(value_now), None if overwritten is _UNKNOWN and is_alone else overwritten

    def _is_misplaced(self, row: int, key: str, misplaced: Mapping[Mark, int]) -> bool:
        """Return True if a cell of a people's column shows a misplaced value."""
        if key in self.now.programs or key not in self.now.places:
            return False
        value_now = self.now.value(row, key)
        return value_now is not None and bool(misplaced.get(mark(value_now)))

    def _restore_cleared_cells(self) -> None:
        """Restore people's cells of moved rows or columns, to whose places a blank was written."""
        rows_before = {row_now: row for row, row_now in self.pairs.items()}
        for cell in self.written:
            row, key = rows_before.get(cell.row), self.now.keys.get(cell.column)
            if row is None or key is None or not is_blank(cell.value) or key in self.changed.get(row, {}):
                continue
            is_moved = (row, key) != (cell.row, self.was.keys.get(cell.column))
            before = self.was.rows.get(row, {}).get(key)
            if is_moved and not is_blank(before) and is_blank(self.now.value(cell.row, key)):
                self._set_cell(cell.row, key, plain(before))

    def _clear_results(self, misplaced: Mapping[Mark, int]) -> None:
        """Clear misplaced values in the program's columns of rows without a request."""
        requested = {row.number for row in self.now.table.rows}
        for row in self.now.table.sheet.rows.keys() - requested if self.now.table.sheet else ():
            for key in self.now.programs if row > self.now.table.header_row else ():
                value_now = self.now.value(row, key)
                if value_now is not None and misplaced.get(mark(value_now)):
                    self._set_cell(row, key, None)

    def _restore_headers(self) -> None:
        """Restore headers of moved columns that were overwritten by headers added at the right end."""
        header = self.now.table.header_row
        lost = [place for key, place in self.old_places.items() if key not in self.now.places and "\n" not in key]
        overwritten = [
            cell.column
            for cell in self.headers
            if self.now.places.get(loosely(str(cell.value))) == cell.column
            and any(self.now.table.value(row, cell.column) is not None for row in self.now.rows)
            and all(other.column != cell.column for other in self.written)
        ]
        for place, old in zip(sorted(overwritten), sorted(lost), strict=False):
            text = self.was.table.value(self.was.table.header_row, old)
            self.cells[header, place] = self._changed_cell(header, place, plain(text))

    def _restore_rows(self) -> None:
        """Restore people's rows that new rows overwrote; their number follows from the rows of unticked boxes."""
        new = sorted(self.changed.keys() - self.was.rows.keys())
        used = [row for row in new if row in self.was.box_rows]
        waiting = self.now.box_rows | {row for row, _ in self.cells if self._is_box(row)}
        excess = len(waiting) - (len(self.was.box_rows) - len(used))
        lost = sorted(self.was.rows.keys() - self.pairs.keys())
        if not used or excess < 1 or len(lost) != excess:
            return
        for row, old in zip([row for row in new if row in self.pairs][-excess:], lost, strict=False):
            row_now = self.pairs.pop(row)
            for key in dict.fromkeys((*self.changed[row], *self.was.rows[old])):
                if not shows(self.now.value(row_now, key), value := plain(self.was.rows[old].get(key))):
                    self._set_cell(row_now, key, value)

    def _is_box(self, row: int) -> bool:
        """Return True if an unidentified row has an unticked box, so that it had nothing else before."""
        sheet = self.now.table.sheet
        return row not in self.pairs.values() and sheet is not None and False in sheet.rows.get(row, ())

    def _append_lost_rows(self) -> None:
        """Append the new rows that are missing in the tab."""
        for row in sorted(self.changed.keys() - self.was.rows.keys() - self.pairs.keys()):
            places = {self.now.places[key]: value for key, value in self.changed[row].items() if key in self.now.places}
            if any(not is_blank(value) for value in places.values()):
                values = tuple(places.get(place) for place in range(1, max(places) + 1))
                self.rows.append(AppendRow(self.now.table.key, values))

    def realign(self, added: AppendRow) -> None:
        """Move the cells of an appended row to their columns if these were moved meanwhile."""
        values = {place: value for place, value in enumerate(added.values, start=1) if value not in (None, "")}
        keys = {place: self.was.keys.get(place, "") for place in values}
        if all(self.now.places.get(key) == place for place, key in keys.items()):
            return
        for row in sorted(self.now.rows.keys() - set(self.pairs.values())):
            if all(shows(self.now.table.value(row, place), value) for place, value in values.items()):
                placed = {self.now.places[key]: values[place] for place, key in keys.items() if key in self.now.places}
                for place in sorted({*values, *placed}):
                    if not shows(self.now.table.value(row, place), placed.get(place)):
                        self.cells[row, place] = self._changed_cell(row, place, placed.get(place))
                return

    def _set_cell(self, row: int, key: str, value: Plain) -> None:
        place = self.now.places.get(key)
        if place:
            self.cells[row, place] = self._changed_cell(row, place, value)

    def _changed_cell(self, row: int, place: int, value: Plain) -> SetCell:
        return SetCell(self.now.table.key, row, place, value, self.now.table.value(row, place))

    def _unsure_cell(self, row: int, key: str) -> UnsureCell:
        table = self.now.table
        is_id = tab_of(table.record).key == "request" and table.places.get("request") == self.now.places[key]
        changed = {
            self.now.keys[place]: cell.value
            for (other, place), cell in self.cells.items()
            if other == row and place in self.now.keys
        }
        digest = "" if is_id else self.now.digest(row, key, changed)
        return UnsureCell(tab_of(table.record).name, key, plain(self.now.value(row, key)), digest)


_UNKNOWN = object()
"""Placeholder for the unknown content of an overwritten cell."""
