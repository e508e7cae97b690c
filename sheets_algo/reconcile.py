"""Find out where the cells of a write landed, and what puts them right.

A spreadsheet in a browser takes writes by coordinates alone. Between the last look and the write somebody may sort the
nations, so that England's stability lands beside Normandy. What was read before the write says what stood in each row,
so every row is recognised again wherever it is now, and each of its cells is compared with what it should show.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from engine.fields import loosely, tab_of
from sheets_algo.changes import shows
from sheets_algo.forms.base import Form
from sheets_algo.problems import Cell, Problem, quoted
from sheets_algo.tables import Table
from sheets_algo.values import is_blank, shown, trimmed
from sheets_algo.workbook.base import Address, AppendRow, ChangeSet, Plain, SetCell, Snapshot, Value, tab_key

ALIKE = 0.5
"""Share of equal cells from which a row that somebody has edited is still taken for the one that was read."""

MOST_COMPARED = 100_000
"""Pairs of rows that are compared cell by cell: rows that are recognised neither by content nor by name are few."""

Cells = Mapping[str, Value]
"""Column key to what a row shows there; blanks and unticked boxes are left out."""

Mark = tuple[str, Hashable]
"""A value as values are compared: 7 is 7.0, a number is not its text."""


@dataclass(frozen=True, slots=True)
class Unsure:
    """A cell that shows what was meant for another row, where what belongs there is not known (RCP-33).

    Args:
        tab: Tab as its record class declares it.
        column: Key of the column: its header, in small letters.
        value: What the program wrote.
        digest: Of the row's other cells, by which the row is found again; blank for an id, which is found by itself.
    """

    tab: str
    column: str
    value: Plain
    digest: str


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What became of a write.

    Args:
        changes: What puts cells right that are wrong; empty when every cell is where it belongs.
        unsure: Cells that only a person can put right.
    """

    changes: ChangeSet
    unsure: tuple[Unsure, ...] = ()


def reconcile(
    before: Snapshot,
    changes: ChangeSet,
    found: Snapshot,
    forms: Iterable[type[Form[Any]]],
    covered: Mapping[Address, Value] = MappingProxyType({}),
) -> Reconciled:
    """Compare what a write meant with what stands in the workbook now (RCP-33).

    Columns that the program works out anew at every look (a Status) are left alone; what such a value covered in
    another column is put back.

    Args:
        before: The tabs that the write touched, as they were planned on.
        changes: The cells and rows of people's tabs that were written, by the coordinates of `before`.
        found: A snapshot since.
        forms: Rulesets whose tabs may have been hit.
        covered: What stood in cells of `changes` in the moment of the write, as far as it is known.
    """
    forms = tuple(forms)
    records = {tab_key(tab_of(record).name): record for form in forms for record in form.records()}
    shown_anew = _shown_anew(forms)
    cells: list[SetCell] = []
    rows: list[AppendRow] = []
    unsure: list[Unsure] = []
    for name, record in records.items():
        old, new = before.sheet(name), found.sheet(name)
        if old is None or new is None:
            continue
        written = [cell for cell in changes.cells if tab_key(cell.tab) == tab_key(old.name)]
        added = [row for row in changes.rows if tab_key(row.tab) == tab_key(old.name)]
        if written or added:
            was, now = (_Side(Table(record, sheet), record in shown_anew) for sheet in (old, new))
            tab = _Comparison(was, now, written, covered)
            tab.compare()
            for row in added:
                tab.realign(row)
            cells += tab.cells.values()
            rows += tab.rows
            unsure += tab.unsure
    return Reconciled(ChangeSet(cells=tuple(cells), rows=tuple(rows)), tuple(unsure))


def still_wrong(unsure: Unsure, found: Snapshot, forms: Iterable[type[Form[Any]]]) -> Problem | None:
    """A cell that is still as nobody can know it should be, as a problem; None when somebody has seen to it."""
    forms = tuple(forms)
    records = {record for form in forms for record in form.records()}
    for record in (it for it in records if tab_of(it).name == unsure.tab):
        now = _Side(Table(record, found.sheet(unsure.tab)), record in _shown_anew(forms))
        place = now.places.get(unsure.column, 0)
        for row in now.rows:
            if shows(now.value(row, unsure.column), unsure.value) and unsure.digest in (
                "",
                now.digest(row, unsure.column),
            ):
                return Problem(
                    cell=Cell(now.table.name, row, place),
                    says=f"shows {quoted(shown(unsure.value))}, which the program wrote for another row",
                    allowed="Put back what belongs there, or empty the cell",
                    found=shown(unsure.value),
                    id="RCP-33",
                )
    return None


def _shown_anew(forms: Iterable[type[Form[Any]]]) -> set[type]:
    """Tabs in which the program works out its own columns anew at every look."""
    return {record for form in forms for record in (form.request, *form.parts)}


class _Side:
    """A tab before the write or now: its columns by key, its rows as cells by key.

    Args:
        table: The tab.
        is_shown_anew: Whether the program works out its own columns there at every look; else they are data.
    """

    def __init__(self, table: Table, is_shown_anew: bool) -> None:
        self.table = table
        self.places = self._columns()
        self.keys = {place: key for key, place in self.places.items()}
        self.programs = {
            self.keys[table.places[attribute]]
            for attribute, column, _ in table.placed
            if is_shown_anew and column.place.is_programs and table.places[attribute] in self.keys
        }
        self.rows: dict[int, Cells] = {}
        self.waiting: set[int] = set()
        """Rows that hold nothing but boxes to tick."""
        for number in sorted(table.sheet.rows if table.sheet else ()):
            if number > table.header_row:
                cells = self._cells(number)
                if cells:
                    self.rows[number] = cells
                else:
                    self.waiting.add(number)

    def value(self, row: int, key: str) -> Value:
        """What a row shows in a column; None where the column is gone."""
        place = self.places.get(key)
        return self.table.value(row, place) if place else None

    def digest(self, row: int, without: str) -> str:
        """Of the cells of a row but one."""
        words = sorted(f"{key}={_mark(value)}" for key, value in self.rows[row].items() if key != without)
        return hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]

    def _columns(self) -> dict[str, int]:
        """Key to column number: the header; one without a header is counted on from the one before."""
        heads = self.table.sheet.rows.get(self.table.header_row, ()) if self.table.sheet else ()
        places: dict[str, int] = {}
        last, blanks = "", 0
        for place in range(1, max(self.table.width, len(heads)) + 1):
            head = heads[place - 1] if place <= len(heads) else None
            words = loosely(trimmed(head)) if isinstance(head, str) else shown(head)
            last, blanks = (words, 0) if words else (last, blanks + 1)
            key = f"{last}\n{blanks}" if blanks else last
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
    """One tab as it was planned on and as it is now.

    Args:
        was: Before the write, without the columns that the program works out anew.
        now: As it is.
        written: The cells that were set, by the coordinates of `was`.
        covered: What stood there in the moment of the write, as far as it is known.
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
        self.meant: dict[int, dict[str, Plain]] = {}
        for cell in self.written:
            key = was.keys.get(cell.column)
            if key and key not in was.programs:
                self.meant.setdefault(cell.row, {})[key] = cell.value
        self.wanted = {row: self._wanted(row) for row in {*was.rows, *self.meant}}
        self.pairs = _Matching(self).pairs()
        self.cells: dict[tuple[int, int], SetCell] = {}
        self.rows: list[AppendRow] = []
        self.unsure: list[Unsure] = []

    def _wanted(self, row: int) -> Cells:
        """A row as it should be after the write."""
        cells = {**self.was.rows.get(row, {}), **self.meant.get(row, {})}
        return {key: value for key, value in cells.items() if value is not False and not is_blank(value)}

    def compare(self) -> None:
        """Find the cells that the write missed and those that it covered."""
        astray = self._missed()
        covered = [*self._covered(astray), *self._in_strange_rows(astray)]
        times = Counter(mark for _, _, mark, _ in covered)
        for row, key, mark, belongs in covered:
            if belongs is _UNKNOWN or times[mark] > astray[mark]:
                self.unsure.append(self._not_known(row, key))
            else:
                self._put(row, key, belongs)
        self._results_away(astray)
        self._headers_back()
        self._swallowed()
        self._rows_again()

    def _missed(self) -> Counter[Mark]:
        """Set what did not come where it was meant; count the values that may stand somewhere else instead."""
        astray = Counter(
            _mark(cell.value) for cell in self.written if cell.value is not None and self._is_lost_result(cell)
        )
        for row, cells in self.meant.items():
            for key, value in cells.items():
                at = self.pairs.get(row)
                found = self.now.value(at, key) if at else None
                if at and shows(found, value):
                    self._typed_meanwhile(row, key, at)
                    continue
                if value is not None:
                    astray[_mark(value)] += 1
                if at and shows(found, _plain(self.was.rows.get(row, {}).get(key))):
                    self._put(at, key, value)
        return astray

    def _typed_meanwhile(self, row: int, key: str, at: int) -> None:
        """Let an id stand that a person typed between the last look and the write."""
        place = self.was.places[key]
        theirs = self.covered.get((row, place))
        is_news = not is_blank(theirs) and not shows(theirs, _plain(self.was.table.value(row, place)))
        if is_news and place == self.was.table.places.get("request"):
            self._put(at, key, _plain(theirs))

    def _under(self, value: Value) -> Any:
        """What a value that went astray covered; unknown if several cells were to show it."""
        cells = [cell for cell in self.written if shows(value, cell.value)]
        if len(cells) != 1 or (cells[0].row, cells[0].column) not in self.covered:
            return _UNKNOWN
        found = self.covered[cells[0].row, cells[0].column]
        return None if is_blank(found) else _plain(found)

    def _is_lost_result(self, cell: SetCell) -> bool:
        """Whether a cell of a column that is worked out anew does not show what it was set to.

        Then the value may have covered a cell of another column.
        """
        key, at = self.was.keys.get(cell.column, ""), self.pairs.get(cell.row)
        return key in self.was.programs and not (at and shows(self.now.value(at, key), cell.value))

    def _covered(self, astray: Mapping[Mark, int]) -> Iterator[tuple[int, str, Mark, Any]]:
        """Cells of known rows that show a value that went astray, and what belongs there."""
        for row, at in self.pairs.items():
            for key in dict.fromkeys((*self.wanted[row], *self.now.rows.get(at, ()))):
                found = self.now.value(at, key)
                belongs = self.wanted[row].get(key)
                before = self.was.rows.get(row, {}).get(key)
                is_as_meant = shows(found, _plain(belongs)) or shows(found, _plain(before))
                if self._went_astray(at, key, astray) and not is_as_meant:
                    under = _UNKNOWN if key in self.meant.get(row, {}) else self._under(found)
                    yield at, key, _mark(found), _plain(belongs) if under is _UNKNOWN else under

    def _in_strange_rows(self, astray: Mapping[Mark, int]) -> Iterator[tuple[int, str, Mark, Any]]:
        """The same of rows that did not exist before: one that holds nothing else was blank."""
        for at in self.now.rows.keys() - set(self.pairs.values()):
            hit = [key for key in self.now.rows[at] if self._went_astray(at, key, astray)]
            is_alone = len(hit) == len(self.now.rows[at])
            for key in hit:
                found = self.now.value(at, key)
                under = self._under(found)
                yield at, key, _mark(found), None if under is _UNKNOWN and is_alone else under

    def _went_astray(self, row: int, key: str, astray: Mapping[Mark, int]) -> bool:
        """Whether a cell of people's shows a value that missed its place."""
        if key in self.now.programs or key not in self.now.places:
            return False
        found = self.now.value(row, key)
        return found is not None and bool(astray.get(_mark(found)))

    def _results_away(self, astray: Mapping[Mark, int]) -> None:
        """Empty what landed in the program's columns of rows in which nobody asks for anything."""
        asked = {row.number for row in self.now.table.rows}
        for row in self.now.table.sheet.rows.keys() - asked if self.now.table.sheet else ():
            for key in self.now.programs if row > self.now.table.header_row else ():
                found = self.now.value(row, key)
                if found is not None and astray.get(_mark(found)):
                    self._put(row, key, None)

    def _headers_back(self) -> None:
        """A header that was added at the right end may have landed on a column that was moved there."""
        header = self.now.table.header_row
        gone = [place for key, place in self.was.places.items() if key not in self.now.places and "\n" not in key]
        hit = [
            cell.column
            for cell in self.headers
            if self.now.places.get(loosely(str(cell.value))) == cell.column
            and any(self.now.table.value(row, cell.column) is not None for row in self.now.rows)
            and all(it.column != cell.column for it in self.written)
        ]
        for place, old in zip(sorted(hit), sorted(gone), strict=False):
            text = self.was.table.value(self.was.table.header_row, old)
            self.cells[header, place] = self._cell(header, place, _plain(text))

    def _swallowed(self) -> None:
        """Rows of people's that lie under new rows: as many boxes wait as if the new rows stood somewhere else."""
        new = sorted(self.meant.keys() - self.was.rows.keys())
        used = [row for row in new if row in self.was.waiting]
        waiting = self.now.waiting | {row for row, _ in self.cells if self._is_box(row)}
        spare = len(waiting) - (len(self.was.waiting) - len(used))
        gone = sorted(self.was.rows.keys() - self.pairs.keys())
        if not used or spare < 1 or len(gone) != spare:
            return
        for row, old in zip([row for row in new if row in self.pairs][-spare:], gone, strict=False):
            at = self.pairs.pop(row)
            for key in dict.fromkeys((*self.meant[row], *self.was.rows[old])):
                if not shows(self.now.value(at, key), value := _plain(self.was.rows[old].get(key))):
                    self._put(at, key, value)

    def _is_box(self, row: int) -> bool:
        """Whether a row held nothing but boxes before a value went astray there."""
        sheet = self.now.table.sheet
        return row not in self.pairs.values() and sheet is not None and False in sheet.rows.get(row, ())

    def _rows_again(self) -> None:
        """New rows that came to stand nowhere go below the last row."""
        for row in sorted(self.meant.keys() - self.was.rows.keys() - self.pairs.keys()):
            places = {self.now.places[key]: it for key, it in self.meant[row].items() if key in self.now.places}
            if any(not is_blank(value) for value in places.values()):
                values = tuple(places.get(place) for place in range(1, max(places) + 1))
                self.rows.append(AppendRow(self.now.table.name, values))

    def realign(self, added: AppendRow) -> None:
        """Put an appended row whose columns were moved under its headers."""
        wanted = {place: value for place, value in enumerate(added.values, start=1) if value not in (None, "")}
        keys = {place: self.was.keys.get(place, "") for place in wanted}
        if all(self.now.places.get(key) == place for place, key in keys.items()):
            return
        for row in sorted(self.now.rows.keys() - set(self.pairs.values())):
            if all(shows(self.now.table.value(row, place), value) for place, value in wanted.items()):
                meant = {self.now.places[key]: wanted[place] for place, key in keys.items() if key in self.now.places}
                for place in sorted({*wanted, *meant}):
                    if not shows(self.now.table.value(row, place), meant.get(place)):
                        self.cells[row, place] = self._cell(row, place, meant.get(place))
                return

    def _put(self, row: int, key: str, value: Plain) -> None:
        place = self.now.places.get(key)
        if place:
            self.cells[row, place] = self._cell(row, place, value)

    def _cell(self, row: int, place: int, value: Plain) -> SetCell:
        return SetCell(self.now.table.name, row, place, value, self.now.table.value(row, place))

    def _not_known(self, row: int, key: str) -> Unsure:
        table = self.now.table
        is_id = table.places.get("request") == self.now.places[key]
        digest = "" if is_id else self.now.digest(row, key)
        return Unsure(tab_of(table.record).name, key, _plain(self.now.value(row, key)), digest)


_UNKNOWN = object()
"""What belongs in a cell of which nobody knows what stood there."""


class _Matching:
    """Recognises the rows of before among those of now, the surest signs first."""

    def __init__(self, of: _Comparison) -> None:
        self._of = of
        self._old = dict.fromkeys(sorted({*of.was.rows, *of.meant}))
        self._new = dict.fromkeys(of.now.rows)
        self._found: dict[int, int] = {}
        self._written = {key for cells in of.meant.values() for key in cells}

    def pairs(self) -> dict[int, int]:
        """Row number before to row number now; rows that are gone are absent."""
        of = self._of
        self._same(lambda row: _marks(of.wanted[row]), lambda row: _marks(of.now.rows[row]))
        self._same(lambda row: _marks(of.was.rows.get(row, {})), lambda row: _marks(of.now.rows[row]))
        self._same(
            lambda row: _marks(of.was.rows.get(row, {}), self._written),
            lambda row: _marks(of.now.rows[row], self._written),
        )
        covered = self._covered_columns()
        self._same(lambda row: _marks(of.was.rows.get(row, {}), covered), lambda row: _marks(of.now.rows[row], covered))
        self._named()
        self._alike()
        self._left_over()
        return self._found

    def _same(self, old: Callable[[int], Hashable], new: Callable[[int], Hashable]) -> None:
        """Pair rows of which all is equal; several equal ones in their order."""
        waiting: dict[Hashable, list[int]] = {}
        for row in self._new:
            waiting.setdefault(new(row), []).append(row)
        for row in list(self._old):
            mark = old(row)
            if waiting.get(mark) and mark != frozenset():
                self._pair(row, waiting[mark].pop(0))

    def _covered_columns(self) -> set[str]:
        """Columns in which a row that is not recognised yet shows something that was written."""
        written = {_mark(cell.value) for cell in self._of.written}
        rows = [self._of.now.rows[row] for row in self._new]
        return self._written | {key for cells in rows for key, value in cells.items() if _mark(value) in written}

    def _named(self) -> None:
        """Pair rows by a name that no other row has."""
        key = tab_of(self._of.was.table.record).key
        place = self._of.was.table.places.get(key) if key else None
        column = self._of.was.keys.get(place, "") if place else ""
        if not column:
            return
        compared = self._of.was.table.compared
        old = {row: compared(shown(self._of.wanted[row].get(column))) for row in self._old}
        new = {row: compared(shown(self._of.now.rows[row].get(column))) for row in self._new}
        for row, name in old.items():
            found = [at for at, other in new.items() if name and other == name]
            if len(found) == 1 and list(old.values()).count(name) == 1:
                self._pair(row, found[0])

    def _alike(self) -> None:
        """Pair a row that somebody has edited with the one that it shares most cells with, if there is no other."""
        old = [row for row in self._old if row in self._of.was.rows]
        if len(old) * len(self._new) > MOST_COMPARED:
            return
        of_old: dict[int, list[tuple[float, int]]] = {row: [] for row in old}
        of_new: dict[int, list[tuple[float, int]]] = {at: [] for at in self._new}
        for row in old:
            for at in self._new:
                if (share := _share(self._of.wanted[row], self._of.now.rows[at])) >= ALIKE:
                    of_old[row].append((share, at))
                    of_new[at].append((share, row))
        for row, found in of_old.items():
            best = _best(found)
            if best is not None and _best(of_new[best]) == row:
                self._pair(row, best)

    def _left_over(self) -> None:
        """Rows of requests that hold nothing but an id, filled in beforehand, keep their order."""
        place = self._of.was.table.places.get("request", 0)
        alone = {self._of.was.keys.get(place, "")}
        old = [row for row in self._old if self._of.was.rows.get(row, {}).keys() == alone]
        new = [row for row in self._new if self._of.now.rows[row].keys() == alone]
        if len(old) == len(new):
            for row, at in zip(old, new, strict=True):
                self._pair(row, at)

    def _pair(self, row: int, at: int) -> None:
        self._found[row] = at
        del self._old[row], self._new[at]


def _marks(cells: Cells, without: Iterable[str] = ()) -> frozenset[tuple[str, Mark]]:
    left_out = set(without)
    return frozenset((key, _mark(value)) for key, value in cells.items() if key not in left_out)


def _share(old: Cells, new: Cells) -> float:
    equal = len(_marks(old) & _marks(new))
    return equal / max(len(old), len(new), 1)


def _best(found: Iterable[tuple[float, int]]) -> int | None:
    """The row with the largest share; None if there is none, or two are alike."""
    first, *rest = sorted(found, reverse=True) or [(0.0, 0)]
    return first[1] if first[1] and not (rest and rest[0][0] == first[0]) else None


def _mark(value: Value) -> Mark:
    if isinstance(value, bool):
        return ("tick", value)
    if isinstance(value, (int, float)):
        return ("number", float(value))
    return ("text", shown(value))


def _plain(value: Value) -> Plain:
    return value if isinstance(value, (bool, int, float, str)) else None
