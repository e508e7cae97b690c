"""The conversion of planned changes to changed parts: all checks first, then the bytes.

The changes are *set cell* and *append row*, and tabs and pictures of the program. Everything else stays byte for byte;
a change that could damage what a person made is refused with the cell and the reason.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sheets_algo.workbook.cell_limits import fit, refused_together
from sheets_algo.workbook.changes import ChangeSet, NewTab, Picture, SetCell
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.xlsx.edit.append import append_rows, update_tables
from sheets_algo.workbook.xlsx.edit.book import Origin, XlsxBook, tab_named
from sheets_algo.workbook.xlsx.edit.caches import drop_stale_results
from sheets_algo.workbook.xlsx.edit.cellxml import Writing, write_cells
from sheets_algo.workbook.xlsx.edit.checks import check_cell, check_tab, check_workbook
from sheets_algo.workbook.xlsx.edit.newtabs import add_tab
from sheets_algo.workbook.xlsx.edit.pictures import place_pictures
from sheets_algo.workbook.xlsx.edit.transplant import Transplant
from sheets_algo.workbook.xlsx.file import xml
from sheets_algo.workbook.xlsx.file.markup import Unscannable
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.formulas.dependents import DefinedNames, Formula


@dataclass(frozen=True, slots=True)
class Patch:
    """The changes to the parts of a package."""

    changed: Mapping[str, bytes]  # New content of existing parts
    removed: frozenset[str] = frozenset()  # Names of the parts to remove
    added: Mapping[str, bytes] = field(default_factory=dict)  # Content of new parts
    remarks: tuple[str, ...] = ()  # Deviations from the planned changes, one sentence each
    # Tab, row and column of every formula whose stored result is removed.
    dropped: frozenset[tuple[str, int, int]] = frozenset()
    formulas: Sequence[Formula] = ()  # All formulas of the workbook, if cells are written
    names: DefinedNames = field(default_factory=DefinedNames)  # Names that they use
    # Name of each tab that is added to what it was copied from.
    new_tabs: Mapping[str, Origin] = field(default_factory=dict)


def make_patch(package: Package, changes: ChangeSet, tabs_read: Collection[TabKey] | None = None) -> Patch:
    """Convert planned changes to new content of the affected parts.

    Args:
        package: The workbook, which is not changed.
        changes: New tabs, cells, rows and pictures, processed in this order.
        tabs_read: The tabs that the program reads, whose formulas must not show an outdated result; None for
            all.

    Raises:
        RefusedChange: A planned change is not allowed or not possible; the message gives the tab, the cell and the
            reason.
    """
    book = plan_changes(package, changes, tabs_read)
    parts, formulas = book.parts, book.all_formulas if any(tab.writings for tab in book.loaded_tabs()) else ()
    for tab in book.loaded_tabs():
        if tab.edits:
            parts.write(tab.part, tab.edits.apply(tab.xml.data))
    return Patch(
        changed=parts.changed,
        removed=frozenset(parts.removed),
        added=parts.added,
        remarks=tuple(book.remarks),
        dropped=frozenset((tab.name, *position) for tab in book.loaded_tabs() for position in tab.dropped),
        formulas=formulas,
        names=book.names() if formulas else DefinedNames(),
        new_tabs=book.origins,
    )


def plan_changes(
    package: Package, changes: ChangeSet, tabs_read: Collection[TabKey] | None = None, *, is_rehearsal: bool = False
) -> XlsxBook:
    """Return the workbook with all edits noted, as for `make_patch`; no large part is rewritten.

    In a rehearsal, large tabs are outlines, of which no part can be made.

    Raises:
        RefusedChange: As `make_patch`.
    """
    book = XlsxBook(package, {cell.row for cell in changes.cells} if is_rehearsal else None, is_forced=changes.forced)
    try:
        check_workbook(book)
        _add_tabs(book, changes.tabs)
        _plan_cells(book, changes.cells)
        for key in dict.fromkeys(row.tab for row in changes.rows):
            check_tab(book, tab := book.tab(key))
            with tab_named(tab.name):
                append_rows(book, tab, [row.values for row in changes.rows if row.tab == key])
        for tab in [tab for tab in book.loaded_tabs() if tab.writings]:
            with tab_named(tab.name):
                update_tables(book, tab)
                write_cells(tab.xml, tab.writings, tab.edits, len(book.format_kinds))
        if any(tab.writings for tab in book.loaded_tabs()):
            drop_stale_results(book, tabs_read)
        pictures = [*_takeable(book, changes.pictures)]
        for key in dict.fromkeys(picture.tab for picture in pictures):
            check_tab(book, tab := book.tab(key))
            place_pictures(book, tab, [picture for picture in pictures if picture.tab == key])
    except (Unscannable, xml.Refused) as problem:
        raise RefusedChange(
            f"{package.name}: one of its parts cannot be edited: {problem}; nothing was written."
        ) from problem
    return book


def _add_tabs(book: XlsxBook, tabs: Sequence[NewTab]) -> None:
    specs = [new.spec for new in tabs if new.spec]
    transplant = Transplant(book, specs) if specs and Transplant.is_possible(book) else None
    for new in tabs:
        header = [fit(new.tab.name, 1, column, text, book.remarks) for column, text in enumerate(new.header, start=1)]
        add_tab(book, new.tab.name, [str(text or "") for text in header], transplant if new.spec else None)


def _plan_cells(book: XlsxBook, cells: Iterable[SetCell]) -> None:
    """Plan all cells; if single ones are refused, all of those are named."""
    refusals = []
    for cell in cells:
        try:
            _plan_cell(book, cell)
        except RefusedChange as refusal:
            if not refusal.obstacles:
                raise
            refusals.append(refusal)
    if refusals:
        raise refused_together(refusals)


def _plan_cell(book: XlsxBook, cell: SetCell) -> None:
    tab = book.tab(cell.tab)
    check_tab(book, tab, cell.row, cell.column)
    check_cell(tab, cell.row, cell.column)
    writing = Writing(fit(tab.name, cell.row, cell.column, cell.value, book.remarks))
    if tab.writings.setdefault((cell.row, cell.column), writing) != writing:
        raise tab.refused(cell.row, cell.column, "two values are planned for the cell")


def _takeable(book: XlsxBook, pictures: Iterable[Picture]) -> Iterator[Picture]:
    """Yield the pictures whose tabs take them; of another one, a remark tells (RCP-31)."""
    for picture in pictures:
        tab = book.tab(picture.tab)
        if book.is_forced or not tab.xml.is_protected:
            yield picture
        else:
            book.remarks.append(f"{tab.name}: the tab is protected, so its picture stays as it is: unprotect it.")
