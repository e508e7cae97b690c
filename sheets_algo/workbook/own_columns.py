"""The tab Columns, which maps people's own tabs and headers to those of the program (DB-17).

It is read only here: a workbook opened with `translated` has people's tabs under the program's keys, for reading and
writing. Cells keep their places, and forms and steps are unaware of it. Two tabs of the program may be in one of
people's, such as the army of a nation in the row of the nation.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from sheets_algo.workbook.addresses import Address
from sheets_algo.workbook.changes import AppendRow, ChangeSet, CommitResult, ComparedCells, SetCell
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.snapshot import NO_NEEDS, Areas, Columns, Needs, OwnHeaders, Sheet, Snapshot
from sheets_algo.workbook.staleness import HEADER_ROWS
from sheets_algo.workbook.store import Workbook
from sheets_algo.workbook.tab_key import TabKey, folded
from sheets_algo.workbook.template_spec import AreaSpec, CellCheck, FormulaSpec, TabSpec, Template, quoted
from sheets_algo.workbook.values import Value

T = TypeVar("T")

COLUMNS = TabKey.named("Columns")
"""The tab that assigns people's own columns."""
HEADERS = ("Your Tab", "Your Header", "Tab", "Column", "Factor")
"""Its headers; a row without a column says that the column stays people's own."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """One row of the tab Columns."""

    row: int  # Number of the row
    title: str  # Title of people's own tab
    header: str  # Header of people's own column
    tab: str  # Name of the program's tab; blank if the column stays people's own
    column: str  # Header of the program's column; blank likewise
    factor: float | None  # The factor of its numbers; None if the cell is not a number above 0


@dataclass(frozen=True)
class OwnColumns:
    """The content of the tab Columns."""

    assignments: tuple[Assignment, ...] = ()

    @classmethod
    def of(cls, sheet: Sheet | None) -> OwnColumns:
        """Return the content of a tab; none if its headers are not those of the tab Columns."""
        rows = sorted(sheet.rows.items()) if sheet else []
        for number, cells in rows[:HEADER_ROWS]:
            heads = {folded(cell): place for place, cell in enumerate(cells) if isinstance(cell, str)}
            if all(folded(header) in heads for header in HEADERS[:4]):
                places = [heads.get(folded(header), len(cells)) for header in HEADERS]
                return cls(tuple(_assignments((row for row in rows if row[0] > number), places)))
        return cls()

    @functools.cached_property
    def titles(self) -> Mapping[TabKey, str]:
        """Return the title of people's own tab by the key of the program's; the first one, if two are named."""
        titles: dict[TabKey, str] = {}
        for each in self.assignments:
            if each.tab and each.column and each.title:
                titles.setdefault(TabKey.named(each.tab), each.title)
        return titles

    @functools.cached_property
    def headers(self) -> Mapping[TabKey, OwnHeaders]:
        """Return the meaning of people's own headers by the key of the program's tab."""
        return {key: self._headers(key, folded(title)) for key, title in self.titles.items()}

    def _headers(self, key: TabKey, title: str) -> OwnHeaders:
        columns: dict[str, tuple[str, ...]] = {}
        factors: dict[str, float] = {}
        for each in self.assignments:
            if folded(each.title) == title:
                columns.setdefault(each.header, ())
                if TabKey.named(each.tab) == key and each.column:
                    columns[each.header] = (*columns[each.header], each.column)
                    factors |= {each.header: each.factor} if each.factor not in (None, 1) else {}
        return OwnHeaders(columns, factors)

    def key(self, tab: TabKey) -> TabKey:
        """Return a store's key of people's tab for one of the program."""
        return TabKey.named(self.titles[tab]) if tab in self.titles else tab

    @functools.cached_property
    def sharing(self) -> Mapping[TabKey, Sequence[TabKey]]:
        """Return the program's tabs that are in one of people's, by the key of a store; the first one owns the rows."""
        tabs: dict[TabKey, list[TabKey]] = {}
        for key in self.titles:
            tabs.setdefault(self.key(key), []).append(key)
        return tabs

    def translated(self, snapshot: Snapshot, keys: Iterable[TabKey]) -> Snapshot:
        """Return a store's snapshot with people's tabs under the requested keys of the program."""
        if not self.titles:
            return snapshot
        sheets = {
            key: replace(sheet, own=self.headers.get(key)) if key in self.titles else sheet
            for key in dict.fromkeys((*keys, COLUMNS))
            if (sheet := snapshot.sheets.get(self.key(key)))
        }
        return replace(snapshot, sheets=sheets, own=self.titles)

    def original(self, snapshot: Snapshot) -> Snapshot:
        """Return the original snapshot of the store."""
        if not self.titles:
            return snapshot
        sheets = {self.key(key): replace(sheet, own=None) for key, sheet in snapshot.sheets.items()}
        unread = {key: title for title in snapshot.others if (key := TabKey.named(title)) in self.titles}
        return replace(snapshot, sheets=sheets, own={}, foreign={**snapshot.foreign, **unread})

    def places(self, columns: Columns) -> Columns:
        """Return columns of tabs by the keys of a store."""
        places: dict[TabKey, set[int]] = {}
        for key, numbers in columns.items():
            places.setdefault(self.key(key), set()).update(numbers)
        return {key: sorted(numbers) for key, numbers in places.items()}

    def changes(self, changes: ChangeSet, snapshot: Snapshot) -> ChangeSet:
        """Return planned changes with the keys of a store.

        Raises:
            RefusedChange: A row would be added to a tab without its own rows.
        """
        for row in changes.rows:
            owner = self.sharing.get(self.key(row.tab), [row.tab])[0]
            if row.tab != owner:
                raise RefusedChange(
                    f"{self.titles[row.tab]}: a row for {row.tab} cannot be added, since its rows are those of {owner}"
                    f" here (tab Columns); nothing was written: give {row.tab} a tab of its own."
                )
        cells = tuple(self._cell(cell, changes.cells, snapshot) for cell in changes.cells)
        note = changes.note
        if note:
            note = replace(note, covers=tuple((self.key(tab), row, column) for tab, row, column in note.covers))
        compared: dict[TabKey, ComparedCells] = {}
        for key, some in changes.compared.items():
            known = compared.get(self.key(key), some)
            compared[self.key(key)] = replace(known, columns=known.columns | some.columns)
        rows = tuple(AppendRow(self.key(row.tab), row.values) for row in changes.rows)
        return replace(changes, cells=cells, rows=rows, note=note, compared=compared)

    def _cell(self, cell: SetCell, cells: Sequence[SetCell], snapshot: Snapshot) -> SetCell:
        """Return a cell under the key of a store; columns added for a second tab follow those for the first."""
        sharing = self.sharing.get(self.key(cell.tab), ())
        sheet, column = snapshot.sheets.get(cell.tab), cell.column
        width = max(map(len, sheet.rows.values()), default=0) if sheet and len(sharing) > 1 else cell.column
        if cell.column > width:
            before = set(sharing[: sharing.index(cell.tab)])
            column += len(
                {(other.tab, other.column) for other in cells if other.tab in before and other.column > width}
            )
        return replace(cell, tab=self.key(cell.tab), column=column)

    def obstacles(self, obstacles: Mapping[Address, str]) -> Mapping[Address, str]:
        """Return the refused cells of a store, by the keys of the program."""
        return {
            (key, row, column): why
            for (tab, row, column), why in obstacles.items()
            for key in self.sharing.get(tab, (tab,))
        }

    def template(self, template: Template) -> Template:
        """Return a template without the tabs that people's own replace, and without lists that read them."""
        kept = [tab for tab in template.tabs if tab.key not in self.titles and not self._reads(tab)]
        keys = {tab.key for tab in kept}

        def is_usable(check: CellCheck) -> bool:
            return not isinstance(check.source, AreaSpec) or check.source.tab in keys

        tabs = [
            replace(
                tab,
                columns=[replace(each, checks=[*filter(is_usable, each.checks)]) for each in tab.columns],
            )
            for tab in kept
        ]
        return replace(template, tabs=tabs)

    def _reads(self, tab: TabSpec) -> bool:
        names = [f"{quoted(key.name)}!" for key in self.titles]
        texts = (cell.value.text for row in tab.rows for cell in row if isinstance(cell.value, FormulaSpec))
        return any(name in text for text in texts for name in names)


def _assignments(rows: Iterable[tuple[int, Sequence[Value]]], places: Sequence[int]) -> Iterator[Assignment]:
    for number, cells in rows:
        title, header, tab, column, factor = (cells[place] if place < len(cells) else None for place in places)
        title, header, tab, column = (" ".join(str(cell or "").split()) for cell in (title, header, tab, column))
        if title or header or tab or column:
            yield Assignment(number, title, header, tab, column, _factor(factor))


def _factor(cell: Value) -> float | None:
    if cell in (None, ""):
        return 1
    try:
        factor = float(str(cell).replace(",", "."))
    except ValueError:
        return None
    return factor if 0 < factor < 1e15 else None


class TranslatedWorkbook:
    """A workbook with its tab Columns applied; all else is delegated to the workbook."""

    def __init__(self, workbook: Workbook) -> None:
        self._workbook = workbook
        self._known = OwnColumns()  # of the last read, so that most reads need one request

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the workbook."""
        if name.startswith("__") or name == "_workbook":  # an unfinished copy has none
            raise AttributeError(name)
        return getattr(self._workbook, name)

    @property
    def place(self) -> str:
        """Return the place of the workbook, as `Workbook.place`."""
        return self._workbook.place

    def read(self, tabs: Sequence[TabKey], headers_only: Sequence[TabKey] = (), needs: Needs = NO_NEEDS) -> Snapshot:
        """Read tabs as `Workbook.read`, people's own under the keys of the program."""
        while True:
            own = self._known
            whole = [own.key(key) for key in (*tabs, COLUMNS)]
            heads = [key for key in map(own.key, headers_only) if key not in whole]
            needed = {own.key(key): [*map(own.key, others)] for key, others in needs.items()} if own.titles else needs
            snapshot = self._workbook.read([*dict.fromkeys(whole)], [*dict.fromkeys(heads)], needed)
            self._known = OwnColumns.of(snapshot.sheet(COLUMNS))
            if self._known == own:
                return own.translated(snapshot, (*tabs, *headers_only))

    def with_details(self, snapshot: Snapshot, columns: Columns, blanks: Callable[[], Areas] = tuple) -> Snapshot:
        """Return the snapshot with details, as `Workbook.with_details`."""
        own = _own(snapshot)
        if not own.titles:
            return self._workbook.with_details(snapshot, columns, blanks)

        def areas() -> Areas:
            return [(own.key(key), area) for key, area in blanks()]

        detailed = self._workbook.with_details(own.original(snapshot), own.places(columns), areas)
        return own.translated(detailed, snapshot.sheets)

    def has_formulas(self, snapshot: Snapshot, columns: Columns) -> bool:
        """Return True if cells of some columns show results of formulas, as `Workbook.has_formulas`."""
        own = _own(snapshot)
        return self._workbook.has_formulas(own.original(snapshot), own.places(columns))

    def commit(self, snapshot: Snapshot, changes: ChangeSet) -> CommitResult:
        """Write changes into people's tabs, as `Workbook.commit`."""
        return self._write(self._workbook.commit, snapshot, changes)

    def rehearse(self, snapshot: Snapshot, changes: ChangeSet) -> None:
        """Refuse the changes that `commit` would refuse, as `Workbook.rehearse`."""
        self._write(self._workbook.rehearse, snapshot, changes)

    def _write(self, write: Callable[[Snapshot, ChangeSet], T], snapshot: Snapshot, changes: ChangeSet) -> T:
        own = _own(snapshot)
        if not own.titles:
            return write(snapshot, changes)
        try:
            return write(own.original(snapshot), own.changes(changes, snapshot))
        except RefusedChange as error:
            error.obstacles = own.obstacles(error.obstacles)
            raise

    def complete(
        self, template: Template, missing: Callable[[Snapshot], ChangeSet], *, dry: bool = False
    ) -> tuple[TabKey, ...]:
        """Add the missing tabs and cells, except for tabs that people's own replace."""
        own = self._known
        if not own.titles:
            return self._workbook.complete(template, missing, dry=dry)

        def lacking(snapshot: Snapshot) -> ChangeSet:
            changes = missing(snapshot)
            return replace(changes, tabs=tuple(new for new in changes.tabs if new.tab not in own.titles))

        return self._workbook.complete(own.template(template), lacking, dry=dry)


def _own(snapshot: Snapshot) -> OwnColumns:
    """Return the assignments of a snapshot, which were read with it."""
    return OwnColumns.of(snapshot.sheet(COLUMNS)) if snapshot.own else OwnColumns()


def translated(workbook: Workbook) -> Workbook:
    """Return a workbook with its tab Columns applied."""
    return cast(Workbook, TranslatedWorkbook(workbook))
