"""Verification of writes by coordinates, and repair of cells in rows that people moved meanwhile.

An online spreadsheet accepts writes by coordinates only. If somebody sorts the nations between reading and writing,
England's stability is written to Normandy's row. The snapshot before the write identifies every row wherever it is
now, so that each of its cells can be compared with its intended value.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from engine.columns import loosely, tab_of
from sheets_algo.database.cells import is_blank, shown, trimmed
from sheets_algo.database.problems import CellRef, Problem, quoted
from sheets_algo.database.tables import Table
from sheets_algo.forms.base import Form
from sheets_algo.ruling.changes import shows
from sheets_algo.workbook.base import Address, AppendRow, ChangeSet, Plain, SetCell, Snapshot, Value, tab_key

ALIKE = 0.5
"""Least share of equal cells by which an edited row is identified with the row that was read."""

MOST_COMPARED = 100_000
"""Most pairs of rows that are compared cell by cell; only rows not identified by content or name need it."""

Cells = Mapping[str, Value]
"""Values of a row by column key, without blanks and unticked boxes."""

Mark = tuple[str, Hashable]
"""Normalised value for comparison: 7 equals 7.0, a number differs from its text."""


@dataclass(frozen=True, slots=True)
class UnsureCell:
    """A cell with a value that was meant for another row, whose correct value is not known (RCP-33).

    Args:
        tab: The declared name of the tab.
        column: The key of the column, its header in small letters.
        value: The value that the program wrote.
        digest: The digest of the row's other cells, which identifies the row; blank for an id, which identifies itself.
    """

    tab: str
    column: str
    value: Plain
    digest: str


@dataclass(frozen=True, slots=True)
class Reconciled:
    """Result of verifying a write.

    Args:
        changes: The changes that correct misplaced cells, empty if there are none.
        unsure: The cells that only a person can correct.
    """

    changes: ChangeSet
    unsure: tuple[UnsureCell, ...] = ()


def reconcile(
    before: Snapshot,
    changes: ChangeSet,
    found: Snapshot,
    forms: Iterable[type[Form[Any]]],
    covered: Mapping[Address, Value] = MappingProxyType({}),
) -> Reconciled:
    """Compare the intended result of a write with the workbook (RCP-33).

    Columns that the program computes on every pass (a Status) are not corrected, but cells of other columns that their
    values overwrote are restored.

    Args:
        before: The snapshot of the written tabs that the changes were planned on.
        changes: The cells and rows of people's tabs that were written, by the coordinates of `before`.
        found: A later snapshot.
        forms: The form classes whose tabs may have been written.
        covered: The values of cells of `changes` at the time of the write, as far as known.
    """
    forms = tuple(forms)
    records = {tab_key(tab_of(record).name): record for form in forms for record in form.records()}
    computed = _computed_records(forms)
    cells: list[SetCell] = []
    rows: list[AppendRow] = []
    unsure: list[UnsureCell] = []
    for name, record in records.items():
        old, new = before.sheet(name), found.sheet(name)
        if old is None or new is None:
            continue
        written = [cell for cell in changes.cells if tab_key(cell.tab) == tab_key(old.name)]
        added = [row for row in changes.rows if tab_key(row.tab) == tab_key(old.name)]
        if written or added:
            was, now = (_Side(Table(record, sheet), record in computed) for sheet in (old, new))
            comparison = _Comparison(was, now, written, covered)
            comparison.compare()
            for row in added:
                comparison.realign(row)
            cells += comparison.cells.values()
            rows += comparison.rows
            unsure += comparison.unsure
    return Reconciled(ChangeSet(cells=tuple(cells), rows=tuple(rows)), tuple(unsure))


def still_wrong(unsure: UnsureCell, found: Snapshot, forms: Iterable[type[Form[Any]]]) -> Problem | None:
    """Return the problem of an unsure cell, or None if a person has corrected it."""
    forms = tuple(forms)
    records = {record for form in forms for record in form.records()}
    for record in (candidate for candidate in records if tab_of(candidate).name == unsure.tab):
        now = _Side(Table(record, found.sheet(unsure.tab)), record in _computed_records(forms))
        place = now.places.get(unsure.column, 0)
        for row in now.rows:
            if shows(now.value(row, unsure.column), unsure.value) and unsure.digest in (
                "",
                now.digest(row, unsure.column),
            ):
                return Problem(
                    cell=CellRef(now.table.name, row, place),
                    says=f"shows {quoted(shown(unsure.value))}, which the program wrote for another row",
                    allowed="Put back what belongs there, or empty the cell",
                    found=shown(unsure.value),
                    id="RCP-33",
                )
    return None


def _computed_records(forms: Iterable[type[Form[Any]]]) -> set[type]:
    """Return the record classes of tabs whose program columns are computed on every pass."""
    return {record for form in forms for record in (form.request, *form.parts)}


class _Side:
    """A tab before the write or now, with columns and cells by key.

    Args:
        table: The tab.
        is_computed: True if the program's columns are computed on every pass, False if they are data.
    """

    def __init__(self, table: Table, is_computed: bool) -> None:
        self.table = table
        self.places = self._columns()
        self.keys = {place: key for key, place in self.places.items()}
        self.programs = {
            self.keys[table.places[attribute]]
            for attribute, column, _ in table.placed
            if is_computed and column.place.is_programs and table.places[attribute] in self.keys
        }
        self.rows: dict[int, Cells] = {}
        self.box_rows: set[int] = set()
        """Numbers of rows that have nothing but unticked boxes."""
        for number in sorted(table.sheet.rows if table.sheet else ()):
            if number > table.header_row:
                cells = self._cells(number)
                if cells:
                    self.rows[number] = cells
                else:
                    self.box_rows.add(number)

    def value(self, row: int, key: str) -> Value:
        """Return the value of a row in a column, or None if the column is gone."""
        place = self.places.get(key)
        return self.table.value(row, place) if place else None

    def digest(self, row: int, without: str) -> str:
        """Return the digest of the cells of a row except for one column."""
        words = sorted(f"{key}={_mark(value)}" for key, value in self.rows[row].items() if key != without)
        return hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]

    def _columns(self) -> dict[str, int]:
        """Return the column numbers by key: the header, or for a column without one the last header and a count."""
        headers = self.table.sheet.rows.get(self.table.header_row, ()) if self.table.sheet else ()
        places: dict[str, int] = {}
        last_header, blanks = "", 0
        for place in range(1, max(self.table.width, len(headers)) + 1):
            header = headers[place - 1] if place <= len(headers) else None
            text = loosely(trimmed(header)) if isinstance(header, str) else shown(header)
            last_header, blanks = (text, 0) if text else (last_header, blanks + 1)
            key = f"{last_header}\n{blanks}" if blanks else last_header
            places.setdefault(key, place)
        return places

    def _cells(self, number: int) -> Cells:
        return {
            key: value
            for key, place in self.places.items()
            if key not in self.programs
            and (value := self.table.value(number, place)) is not False
            and not is_blank(value)
        }


class _Comparison:
    """Comparison of one tab before the write and now.

    Args:
        was: The tab before the write, without columns computed on every pass.
        now: The tab now.
        written: The cells that were set, by the coordinates of `was`.
        covered: The values of these cells at the time of the write, as far as known.
    """

    def __init__(self, was: _Side, now: _Side, written: Sequence[SetCell], covered: Mapping[Address, Value]) -> None:
        self.was, self.now = was, now
        self.covered = {
            (cell.row, cell.column): covered[cell.tab, cell.row, cell.column]
            for cell in written
            if (cell.tab, cell.row, cell.column) in covered
        }
        header = was.table.header_row
        self.written = [cell for cell in written if cell.row > header]
        self.headers = [cell for cell in written if cell.row <= header]
        self.changed: dict[int, dict[str, Plain]] = {}
        for cell in self.written:
            key = was.keys.get(cell.column)
            if key and key not in was.programs:
                self.changed.setdefault(cell.row, {})[key] = cell.value
        self.intended = {row: self._intended_cells(row) for row in {*was.rows, *self.changed}}
        self.pairs = _Matching(self).pairs()
        self.cells: dict[tuple[int, int], SetCell] = {}
        self.rows: list[AppendRow] = []
        self.unsure: list[UnsureCell] = []

    def _intended_cells(self, row: int) -> Cells:
        """Return the intended cells of a row after the write."""
        cells = {**self.was.rows.get(row, {}), **self.changed.get(row, {})}
        return {key: value for key, value in cells.items() if value is not False and not is_blank(value)}

    def compare(self) -> None:
        """Find the cells that the write missed or overwrote, and collect their corrections."""
        misplaced = self._correct_missed_cells()
        overwritten = [*self._overwritten_cells(misplaced), *self._overwritten_in_new_rows(misplaced)]
        counts = Counter(mark for _, _, mark, _ in overwritten)
        for row, key, mark, correct in overwritten:
            if correct is _UNKNOWN or counts[mark] > misplaced[mark]:
                self.unsure.append(self._unsure_cell(row, key))
            else:
                self._set_cell(row, key, correct)
        self._clear_results(misplaced)
        self._restore_headers()
        self._restore_rows()
        self._append_lost_rows()

    def _correct_missed_cells(self) -> Counter[Mark]:
        """Correct the cells that the write missed; return the counts of values that may be in other cells instead."""
        misplaced = Counter(
            _mark(cell.value) for cell in self.written if cell.value is not None and self._is_lost_result(cell)
        )
        for row, cells in self.changed.items():
            for key, value in cells.items():
                row_now = self.pairs.get(row)
                value_now = self.now.value(row_now, key) if row_now else None
                if row_now and shows(value_now, value):
                    self._restore_typed_id(row, key, row_now)
                    continue
                if value is not None:
                    misplaced[_mark(value)] += 1
                if row_now and shows(value_now, _plain(self.was.rows.get(row, {}).get(key))):
                    self._set_cell(row_now, key, value)
        return misplaced

    def _restore_typed_id(self, row: int, key: str, row_now: int) -> None:
        """Restore an id that a person typed between reading and writing."""
        place = self.was.places[key]
        typed = self.covered.get((row, place))
        is_new_id = not is_blank(typed) and not shows(typed, _plain(self.was.table.value(row, place)))
        if is_new_id and place == self.was.table.places.get("request"):
            self._set_cell(row_now, key, _plain(typed))

    def _overwritten_value(self, value: Value) -> Any:
        """Return the value that a misplaced value overwrote, unknown if several cells were set to it."""
        cells = [cell for cell in self.written if shows(value, cell.value)]
        if len(cells) != 1 or (cells[0].row, cells[0].column) not in self.covered:
            return _UNKNOWN
        value_before = self.covered[cells[0].row, cells[0].column]
        return None if is_blank(value_before) else _plain(value_before)

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
                is_as_meant = shows(value_now, _plain(intended)) or shows(value_now, _plain(before))
                if self._is_misplaced(row_now, key, misplaced) and not is_as_meant:
                    overwritten = _UNKNOWN if key in self.changed.get(row, {}) else self._overwritten_value(value_now)
                    yield row_now, key, _mark(value_now), _plain(intended) if overwritten is _UNKNOWN else overwritten

    def _overwritten_in_new_rows(self, misplaced: Mapping[Mark, int]) -> Iterator[tuple[int, str, Mark, Any]]:
        """Yield the same for rows that did not exist before; a row with misplaced values only was blank."""
        for row_now in self.now.rows.keys() - set(self.pairs.values()):
            keys = [key for key in self.now.rows[row_now] if self._is_misplaced(row_now, key, misplaced)]
            is_alone = len(keys) == len(self.now.rows[row_now])
            for key in keys:
                value_now = self.now.value(row_now, key)
                overwritten = self._overwritten_value(value_now)
                yield row_now, key, _mark(value_now), None if overwritten is _UNKNOWN and is_alone else overwritten

    def _is_misplaced(self, row: int, key: str, misplaced: Mapping[Mark, int]) -> bool:
        """Return True if a cell of a people's column shows a misplaced value."""
        if key in self.now.programs or key not in self.now.places:
            return False
        value_now = self.now.value(row, key)
        return value_now is not None and bool(misplaced.get(_mark(value_now)))

    def _clear_results(self, misplaced: Mapping[Mark, int]) -> None:
        """Clear misplaced values in the program's columns of rows without a request."""
        requested = {row.number for row in self.now.table.rows}
        for row in self.now.table.sheet.rows.keys() - requested if self.now.table.sheet else ():
            for key in self.now.programs if row > self.now.table.header_row else ():
                value_now = self.now.value(row, key)
                if value_now is not None and misplaced.get(_mark(value_now)):
                    self._set_cell(row, key, None)

    def _restore_headers(self) -> None:
        """Restore headers of moved columns that were overwritten by headers added at the right end."""
        header = self.now.table.header_row
        lost = [place for key, place in self.was.places.items() if key not in self.now.places and "\n" not in key]
        overwritten = [
            cell.column
            for cell in self.headers
            if self.now.places.get(loosely(str(cell.value))) == cell.column
            and any(self.now.table.value(row, cell.column) is not None for row in self.now.rows)
            and all(other.column != cell.column for other in self.written)
        ]
        for place, old in zip(sorted(overwritten), sorted(lost), strict=False):
            text = self.was.table.value(self.was.table.header_row, old)
            self.cells[header, place] = self._changed_cell(header, place, _plain(text))

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
                if not shows(self.now.value(row_now, key), value := _plain(self.was.rows[old].get(key))):
                    self._set_cell(row_now, key, value)

    def _is_box(self, row: int) -> bool:
        """Return True if an unidentified row has an unticked box, so that it had nothing else before."""
        sheet = self.now.table.sheet
        return row not in self.pairs.values() and sheet is not None and False in sheet.rows.get(row, ())

    def _append_lost_rows(self) -> None:
        """Append the new rows that are nowhere in the tab."""
        for row in sorted(self.changed.keys() - self.was.rows.keys() - self.pairs.keys()):
            places = {self.now.places[key]: value for key, value in self.changed[row].items() if key in self.now.places}
            if any(not is_blank(value) for value in places.values()):
                values = tuple(places.get(place) for place in range(1, max(places) + 1))
                self.rows.append(AppendRow(self.now.table.name, values))

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
        return SetCell(self.now.table.name, row, place, value, self.now.table.value(row, place))

    def _unsure_cell(self, row: int, key: str) -> UnsureCell:
        table = self.now.table
        is_id = table.places.get("request") == self.now.places[key]
        digest = "" if is_id else self.now.digest(row, key)
        return UnsureCell(tab_of(table.record).name, key, _plain(self.now.value(row, key)), digest)


_UNKNOWN = object()
"""Value of an overwritten cell whose content is not known."""


class _Matching:
    """Identification of the rows before the write with those now, by the most certain criteria first."""

    def __init__(self, comparison: _Comparison) -> None:
        self._comparison = comparison
        self._old = dict.fromkeys(sorted({*comparison.was.rows, *comparison.changed}))
        self._new = dict.fromkeys(comparison.now.rows)
        self._found: dict[int, int] = {}
        self._written = {key for cells in comparison.changed.values() for key in cells}

    def pairs(self) -> dict[int, int]:
        """Return the row numbers now by row number before, without rows that are gone."""
        tabs = self._comparison
        self._pair_equal(lambda row: _marks(tabs.intended[row]), lambda row: _marks(tabs.now.rows[row]))
        self._pair_equal(lambda row: _marks(tabs.was.rows.get(row, {})), lambda row: _marks(tabs.now.rows[row]))
        self._pair_equal(
            lambda row: _marks(tabs.was.rows.get(row, {}), self._written),
            lambda row: _marks(tabs.now.rows[row], self._written),
        )
        covered = self._covered_columns()
        self._pair_equal(
            lambda row: _marks(tabs.was.rows.get(row, {}), covered), lambda row: _marks(tabs.now.rows[row], covered)
        )
        self._pair_by_name()
        self._pair_similar()
        self._pair_numbered()
        return self._found

    def _pair_equal(self, old: Callable[[int], Hashable], new: Callable[[int], Hashable]) -> None:
        """Pair rows with equal marks, several equal ones in their order."""
        unmatched: dict[Hashable, list[int]] = {}
        for row in self._new:
            unmatched.setdefault(new(row), []).append(row)
        for row in list(self._old):
            marks = old(row)
            if unmatched.get(marks) and marks != frozenset():
                self._pair(row, unmatched[marks].pop(0))

    def _covered_columns(self) -> set[str]:
        """Return the columns in which an unidentified row shows a written value."""
        written = {_mark(cell.value) for cell in self._comparison.written}
        rows = [self._comparison.now.rows[row] for row in self._new]
        return self._written | {key for cells in rows for key, value in cells.items() if _mark(value) in written}

    def _pair_by_name(self) -> None:
        """Pair rows by unique names."""
        key = tab_of(self._comparison.was.table.record).key
        place = self._comparison.was.table.places.get(key) if key else None
        column = self._comparison.was.keys.get(place, "") if place else ""
        if not column:
            return
        compared = self._comparison.was.table.normalised
        old = {row: compared(shown(self._comparison.intended[row].get(column))) for row in self._old}
        new = {row: compared(shown(self._comparison.now.rows[row].get(column))) for row in self._new}
        for row, name in old.items():
            rows_now = [row_now for row_now, other in new.items() if name and other == name]
            if len(rows_now) == 1 and list(old.values()).count(name) == 1:
                self._pair(row, rows_now[0])

    def _pair_similar(self) -> None:
        """Pair edited rows with the rows that they share most cells with, if these are unique."""
        old = [row for row in self._old if row in self._comparison.was.rows]
        if len(old) * len(self._new) > MOST_COMPARED:
            return
        shares_of_old: dict[int, list[tuple[float, int]]] = {row: [] for row in old}
        shares_of_new: dict[int, list[tuple[float, int]]] = {row_now: [] for row_now in self._new}
        for row in old:
            for row_now in self._new:
                if (share := _share(self._comparison.intended[row], self._comparison.now.rows[row_now])) >= ALIKE:
                    shares_of_old[row].append((share, row_now))
                    shares_of_new[row_now].append((share, row))
        for row, shares in shares_of_old.items():
            best = _best(shares)
            if best is not None and _best(shares_of_new[best]) == row:
                self._pair(row, best)

    def _pair_numbered(self) -> None:
        """Pair request rows that have nothing but a prefilled id in their order."""
        place = self._comparison.was.table.places.get("request", 0)
        id_only = {self._comparison.was.keys.get(place, "")}
        old = [row for row in self._old if self._comparison.was.rows.get(row, {}).keys() == id_only]
        new = [row for row in self._new if self._comparison.now.rows[row].keys() == id_only]
        if len(old) == len(new):
            for row, row_now in zip(old, new, strict=True):
                self._pair(row, row_now)

    def _pair(self, row: int, row_now: int) -> None:
        self._found[row] = row_now
        del self._old[row], self._new[row_now]


def _marks(cells: Cells, without: Iterable[str] = ()) -> frozenset[tuple[str, Mark]]:
    left_out = set(without)
    return frozenset((key, _mark(value)) for key, value in cells.items() if key not in left_out)


def _share(old: Cells, new: Cells) -> float:
    equal = len(_marks(old) & _marks(new))
    return equal / max(len(old), len(new), 1)


def _best(shares: Iterable[tuple[float, int]]) -> int | None:
    """Return the row with the largest share, or None if there is none or two have it."""
    first, *rest = sorted(shares, reverse=True) or [(0.0, 0)]
    return first[1] if first[1] and not (rest and rest[0][0] == first[0]) else None


def _mark(value: Value) -> Mark:
    if isinstance(value, bool):
        return ("tick", value)
    if isinstance(value, (int, float)):
        return ("number", float(value))
    return ("text", shown(value))


def _plain(value: Value) -> Plain:
    return value if isinstance(value, (bool, int, float, str)) else None
