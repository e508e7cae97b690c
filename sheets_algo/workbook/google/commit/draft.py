"""Planned changes sorted by tab, with values in the form of cells; nothing here sends a request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from zlib import crc32

from sheets_algo.workbook.addresses import letters
from sheets_algo.workbook.cell_limits import fit, fit_at, refused
from sheets_algo.workbook.changes import ChangeSet, ComparedCells, NewTab, Note, Picture
from sheets_algo.workbook.errors import RefusedChange, StaleWorkbook
from sheets_algo.workbook.google.read.titles import GoogleTab, KnownTabs, Titles
from sheets_algo.workbook.notes import note_cells
from sheets_algo.workbook.snapshot import Sheet, Snapshot
from sheets_algo.workbook.staleness import HEADER_ROWS
from sheets_algo.workbook.tab_key import TabKey, folded
from sheets_algo.workbook.template_spec import CellCheck
from sheets_algo.workbook.values import Plain

NEW_ROWS, NEW_COLUMNS = 1_000, 26
"""The grid of a new tab, the same as of a tab that a person adds."""

LONGEST_TITLE = 100


@dataclass(slots=True)
class TabEdits:
    """The edits of one tab."""

    tab: GoogleTab  # The tab as last described; a new one has the id that it will get
    key: TabKey
    heads: int = 1  # The number of rows at the top that are titles and headers
    header: int | None = None  # The number of cells in row 1 of a new tab, None where the tab exists
    cells: dict[tuple[int, int], Plain] = field(default_factory=dict)  # The values by row and column, from 1
    # The rows to append below the last one, each with its values from column A.
    rows: list[tuple[Plain, ...]] = field(default_factory=list)
    picture: Picture | None = None  # The last picture for the tab
    is_whole: bool = False  # Replace the whole content of the tab by the cells
    # The tab id, row and column of each cell that is copied into the last column before it is set.
    copies: list[tuple[int, int, int]] = field(default_factory=list)
    # The drop-down lists of words of a new tab, by the number of the column.
    lists: Mapping[int, CellCheck] = field(default_factory=dict)
    compared: ComparedCells | None = None  # The cells of its rows that must be as they were read; None for all

    def refused(self, row: int, column: int, reason: str, remedy: str = "") -> RefusedChange:
        """Return the error for a cell that may not be written."""
        return refused((self.key, row, column), self.tab.title, reason, remedy)

    @property
    def is_new(self) -> bool:
        """Return True if the batch makes the tab."""
        return self.header is not None

    @property
    def has_values(self) -> bool:
        """Return True if anything but a picture is written."""
        return bool(self.is_new or self.cells or self.rows)

    @property
    def width(self) -> int:
        """Return the number of the last column that is set to something."""
        return max((column for (_, column), value in self.cells.items() if value is not None), default=0)

    def compares(self, row: int, column: int) -> bool:
        """Return True if a cell of a watched row must be unchanged: it is set, or the plan depends on it."""
        return self.compared is None or column in self.compared.columns or (row, column) in self.cells

    @property
    def head_rows(self) -> Iterable[int]:
        """Return the rows that show whether columns were moved."""
        return range(1, self.heads + 1) if self.compared is None else (self.compared.header,)

    @property
    def touched(self) -> tuple[int, ...]:
        """Return the rows in which a cell is set, in order."""
        return tuple(sorted({row for row, _ in self.cells}))

    @property
    def size(self) -> tuple[int, int]:
        """Return the number of rows and columns for the set cells and the added rows."""
        rows = max((row for row, _ in self.cells), default=1)
        columns = max((column for _, column in self.cells), default=1)
        if self.copies:
            rows = max(rows, len(self.copies) + 1)
        return rows, max([columns, *map(len, self.rows)])


@dataclass(frozen=True, slots=True)
class Draft:
    """The edits of a change set, by tab."""

    # New tabs first, then in the order in which the changes name them; none are empty.
    by_tab: Mapping[TabKey, TabEdits]
    remarks: tuple[str, ...] = ()  # The remarks about characters that were replaced

    @property
    def edits(self) -> tuple[TabEdits, ...]:
        """Return the edits in order."""
        return tuple(self.by_tab.values())

    @property
    def ids(self) -> dict[TabKey, int]:
        """Return the ids of the tabs that exist."""
        return {key: edits.tab.id for key, edits in self.by_tab.items() if not edits.is_new}

    def with_titles(self, titles: Titles) -> Draft:
        """Return the draft with each tab as last described."""
        return replace(
            self,
            by_tab={
                key: replace(edits, tab=titles.by_id(edits.tab.id) or edits.tab) for key, edits in self.by_tab.items()
            },
        )

    def is_outdated(self, before: Titles, now: Titles) -> bool:
        """Return True if an edited tab is gone, renamed or smaller by now, or a new one exists already."""
        taken = {folded(tab.title) for tab in now.tabs} | {tab.id for tab in now.tabs}
        for edits in self.by_tab.values():
            old, new = before.by_id(edits.tab.id), now.by_id(edits.tab.id)
            if edits.is_new and {folded(edits.tab.title), edits.tab.id} & taken:
                return True
            if old and (new is None or new.title != old.title):
                return True
            if old and new and (new.rows < old.rows or new.columns < old.columns):
                return True
        return False


def make_draft(changes: ChangeSet, snapshot: Snapshot, titles: Titles, known: KnownTabs) -> Draft:
    """Return the draft of planned changes: find their tabs and fit their values.

    Raises:
        RefusedChange: A tab is missing or exists already, a value fits no cell, or a cell is to get two values.
        StaleWorkbook: A tab that was read is gone now.
        WorkbookUnavailable: Two tabs have one name.
    """
    builder = _DraftBuilder(snapshot, titles, known, changes.compared)
    for new in changes.tabs:
        builder.add(new)
    if changes.note:
        builder.note(changes.note)
    for cell in changes.cells:
        edits = builder.edits_of(cell.tab)
        value = fit(edits.tab.title, cell.row, cell.column, cell.value, builder.remarks)
        if edits.cells.setdefault((cell.row, cell.column), value) != value:
            raise edits.refused(cell.row, cell.column, "two values are planned for the cell")
    for row in changes.rows:
        edits = builder.edits_of(row.tab)
        if values := _fit_row(f"{edits.tab.title}, the row to be added", row.values, builder.remarks):
            edits.rows.append(values)
    for picture in changes.pictures:
        edits = builder.edits_of(picture.tab)
        edits.picture = picture if picture.text else None
    edits_by_tab = {key: edits for key, edits in builder.edits.items() if edits.has_values or edits.picture}
    return Draft(edits_by_tab, tuple(builder.remarks))


class _DraftBuilder:
    """A draft in progress: the edits of each tab, made when first asked for."""

    def __init__(
        self, snapshot: Snapshot, titles: Titles, known: KnownTabs, compared: Mapping[TabKey, ComparedCells]
    ) -> None:
        self.edits: dict[TabKey, TabEdits] = {}
        self.remarks: list[str] = []
        self._snapshot, self._titles, self._known, self._compared = snapshot, titles, known, compared

    def add(self, new: NewTab) -> None:
        key, name = new.tab, new.tab.name
        if key in self.edits or self._titles.by_title(key):
            raise RefusedChange(f"{name}: there is a tab of this name already; nothing was written.")
        if not 1 <= len(name) <= LONGEST_TITLE:
            raise RefusedChange(
                f"{name}: a tab's name has 1 to {LONGEST_TITLE} characters; nothing was written: choose another."
            )
        tab = GoogleTab(self._free_id(key), name, len(self._titles.tabs), NEW_ROWS, NEW_COLUMNS)
        header = _fit_row(f"{name}, the header", new.header, self.remarks)
        cells = {(1, column): text for column, text in enumerate(header, start=1)}
        lists = {
            column: check
            for column, spec in enumerate(new.spec.columns if new.spec else (), start=1)
            for check in spec.checks
            if isinstance(check.source, tuple)
        }
        self.edits[key] = TabEdits(tab, key, header=len(header), cells=cells, lists=lists)

    def note(self, note: Note) -> None:
        """Replace one of the program's own tabs by the note."""
        if note.tab not in self._snapshot.sheets and self._known.tab(self._titles, note.tab) is None:
            self.add(NewTab(note.tab, tuple(str(head) for head in note.open[0])))
        edits = self.edits_of(note.tab)
        edits.is_whole = True
        sheet = self._snapshot.sheets.get(note.tab) or Sheet(edits.tab.title, {})
        cells = note_cells(note, note.open, sheet)
        edits.cells |= {(cell.row, cell.column): cell.value for cell in cells}
        edits.cells |= {
            (row, column): value
            for row, values in enumerate(note.open, start=1)
            for column, value in enumerate(values, start=1)
        }
        edits.copies += [(self.edits_of(tab).tab.id, row, column) for tab, row, column in note.covers]

    def edits_of(self, key: TabKey) -> TabEdits:
        if key not in self.edits:
            tab = self._known.tab(self._titles, key)
            if tab is None and key in self._snapshot.sheets:
                raise StaleWorkbook(f"{key}: the tab is gone since it was read; nothing was written: read again.")
            if tab is None:
                raise RefusedChange(f"{key}: there is no tab of this name; nothing was written.")
            heads = _heads(self._snapshot.sheets.get(key))
            self.edits[key] = TabEdits(tab, key, heads, compared=self._compared.get(key))
        return self.edits[key]

    def _free_id(self, key: TabKey) -> int:
        """Return an unused id that follows from the name: of two programs that add the same tab, one is refused."""
        taken = {tab.id for tab in self._titles.tabs} | {edits.tab.id for edits in self.edits.values()}
        id = crc32(key.folded.encode()) >> 1
        while id in taken:
            id = (id + 1) % (1 << 31)
        return id


def _heads(sheet: Sheet | None) -> int:
    """Return the number of rows down to the last possible row of headers: texts only, within the first ten."""
    rows = {} if sheet is None else sheet.rows
    texts = (row for row, cells in rows.items() if all(cell is None or isinstance(cell, str) for cell in cells))
    return max((row for row in texts if row <= HEADER_ROWS), default=1)


def _fit_row(where: str, values: Iterable[Plain], remarks: list[str]) -> tuple[Plain, ...]:
    """Return a row's values as cells hold them, without trailing blanks."""
    cells = [
        fit_at(f"{where}, column {letters(column)}", value, remarks) for column, value in enumerate(values, start=1)
    ]
    while cells and cells[-1] is None:
        cells.pop()
    return tuple(cells)
