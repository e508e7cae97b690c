"""A workbook that is being changed: its tabs as bytes, and the names that its formulas can use."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property

from sheets_algo.workbook.cell_limits import refused
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.tab_key import TabKey, meant
from sheets_algo.workbook.xlsx.edit.cellxml import Writing
from sheets_algo.workbook.xlsx.file.areas import MAX_COLUMN, Area, AreaIndex
from sheets_algo.workbook.xlsx.file.dates import format_kinds
from sheets_algo.workbook.xlsx.file.markup import Markup, MarkupEdits, Unscannable
from sheets_algo.workbook.xlsx.file.package import Package, SheetEntry
from sheets_algo.workbook.xlsx.file.parts import Parts
from sheets_algo.workbook.xlsx.formulas.dependents import DefinedNames, Formula, result_area
from sheets_algo.workbook.xlsx.read.sheetxml import FormulaCell, SheetXml, outline
from sheets_algo.workbook.xlsx.read.tables import XlsxTable, pivots_of, tables_of

_MOST_NAMES = 250_000
_ENCODED = re.compile(rb"""[^<]*<\?xml[^>]*?\sencoding\s*=\s*["'](?!(?:utf-8|us-ascii)["'])""", re.IGNORECASE)
_FORMULA, _NAME_END = re.compile(rb"<(?:[^<>\s/:]+:)?f[\s/>]|\0"), re.compile(rb"[\s/>]")  # zeros: in UTF-16
_FEW = 16  # lookups of merged cells that are made sooner without an index of them


@contextmanager
def tab_named(name: str) -> Iterator[None]:
    """Name the tab in the refusal if one of its parts cannot be edited.

    Raises:
        RefusedChange: In place of `Unscannable`.
    """
    try:
        yield
    except Unscannable as problem:
        raise RefusedChange(f"{name}: the tab cannot be edited: {problem}; nothing was written.") from problem


@dataclass(frozen=True, slots=True)
class Origin:
    """What a new tab was copied from."""

    content: bytes  # Worksheet in its template
    state: str = "visible"  # `visible` or `hidden`
    styles: bytes = b""  # Styles that it counts in, blank if they are those of the workbook
    # Kind of each relationship of the worksheet to its id there and to the part that it leads to.
    notes: Mapping[str, tuple[str, bytes]] = field(default_factory=dict)
    names: Sequence[tuple[bytes, bytes]] = ()  # Name and text, as XML, of each name that holds what is printed of it


class XlsxTab:
    """A worksheet that is being changed.

    Args:
        name: Name as the workbook spells it.
        number: Position among the tabs, from 0.
        package: The workbook, of which tables are read; None for a new tab.

    Raises:
        Unscannable: The part cannot be edited.
    """

    def __init__(self, name: str, number: int, part: str, content: bytes, package: Package | None = None) -> None:
        self.name = name
        self.key = TabKey.named(name)
        self.number = number
        self.part = part
        self.xml = SheetXml(content)
        self.tables = [*tables_of(package, part)] if package else []
        self.pivots = pivots_of(package, part) if package else ()
        self.writings: dict[tuple[int, int], Writing] = {}
        self.dropped: set[tuple[int, int]] = set()
        self.edits = MarkupEdits()
        self._lookups = 0

    @cached_property
    def formulas(self) -> tuple[FormulaCell, ...]:
        """Formulas of the tab, in file order."""
        return tuple(self.xml.formulas())

    @cached_property
    def formula_cells(self) -> dict[tuple[int, int], FormulaCell]:
        """Formula cells by row and column."""
        return {(formula.row, formula.column): formula for formula in self.formulas}

    @cached_property
    def results(self) -> AreaIndex[FormulaCell]:
        """Formulas by the cells that show their results, for those with a result in several cells."""
        index: AreaIndex[FormulaCell] = AreaIndex()
        for formula in self.formulas:
            if formula.kind in ("array", "dataTable"):
                index.add(result_area(formula), formula)
        return index

    def refused(self, row: int, column: int, reason: str, remedy: str = "") -> RefusedChange:
        """Return the error for a cell that may not be written."""
        return refused((self.key, row, column), self.name, reason, remedy)

    def merged_at(self, row: int, column: int) -> list[Area]:
        """Return the ranges of merged cells that cover a cell."""
        if not self.xml.merged:
            return []
        self._lookups += 1
        regions = self.xml.merged if self._lookups <= _FEW else self._merged_by_row.at(row, column)
        return [region for region in regions if region[0] <= row <= region[2] and region[1] <= column <= region[3]]

    @cached_property
    def _merged_by_row(self) -> AreaIndex[Area]:
        """Ranges of merged cells by their rows; to cut 100,000 ranges into blocks of columns too would take minutes."""
        index: AreaIndex[Area] = AreaIndex()
        for region in self.xml.merged:
            index.add(region._replace(left=1, right=MAX_COLUMN), region)
        return index


def may_have_formulas(package: Package, entry: SheetEntry) -> bool:
    """Return False if a tab has no formula for certain; its part is not held for that."""
    rest = b""
    for chunk in package.chunks(entry.part) if entry.is_worksheet else ():
        text = rest + chunk
        if _ENCODED.match(text) or ((b"<f" in text or b":f" in text or b"\0" in text) and _FORMULA.search(text)):
            return True
        rest = text[text.rfind(b"<") :] if b"<" in text else b""
        rest = b"" if _NAME_END.search(rest) else rest
    return False


class XlsxBook:
    """The tabs of a package for editing, each read on first use.

    Args:
        rows: Numbers of the rows that a rehearsal needs, so that large tabs are read as outlines; None to edit.
        is_forced: True to change what is protected, signed or final.
    """

    def __init__(self, package: Package, rows: Collection[int] | None = None, *, is_forced: bool = False) -> None:
        self.package = package
        self.is_forced = is_forced
        self.remarks: list[str] = []
        """Deviations from the planned changes, one sentence each."""
        self._rows = rows
        self.parts = Parts(package)
        if self.parts.count_names() > _MOST_NAMES:  # the part that lists them is changed, and compared as a tree
            says = f"it defines more than {_MOST_NAMES:,} names, the limit; nothing was written."
            raise RefusedChange(f"{package.name}: {says}")
        self._tabs: dict[int, XlsxTab] = {}
        self._names = [entry.name for entry in package.sheets]
        self._numbers: dict[str, int] = {}
        self.origins: dict[str, Origin] = {}
        """What each new tab was copied from, by its name."""

    @property
    def tab_names(self) -> tuple[str, ...]:
        """Names of all tabs, new ones included."""
        return tuple(self._names)

    def tab(self, key: TabKey) -> XlsxTab:
        """Return a worksheet; of two with one key the first.

        Raises:
            RefusedChange: There is no such tab, or it has no cells that can be edited.
        """
        return self.open_tab(self._number(key))

    def formulas(self, key: TabKey) -> Sequence[FormulaCell]:
        """Return the formulas of a worksheet, in file order.

        Raises:
            RefusedChange: There is no such tab, or it cannot be scanned.
        """
        number = self._number(key)
        return self.open_tab(number).formulas if self._may_have_formulas(number) else ()

    def _number(self, key: TabKey) -> int:
        if key.name not in self._numbers:
            named = meant(key, self._names, str)
            if not named:
                raise RefusedChange(f"{key}: the workbook has no such tab; nothing was written.")
            self._numbers[key.name] = self._names.index(named[0])
        return self._numbers[key.name]

    @cached_property
    def all_formulas(self) -> tuple[Formula, ...]:
        """All formulas, in the order of the workbook."""
        return tuple(Formula(tab.number, cell) for tab in self.tabs_with_formulas() for cell in tab.formulas)

    def _may_have_formulas(self, number: int) -> bool:
        return number in self._tabs or may_have_formulas(self.package, self.package.sheets[number])

    def add(self, tab: XlsxTab, origin: Origin) -> None:
        """Add a new tab after the last one."""
        self.origins[tab.name] = origin
        self._tabs[tab.number] = tab
        self._names.append(tab.name)
        self._numbers.clear()

    def tabs_with_formulas(self) -> Iterator[XlsxTab]:
        """Yield every tab that has formulas, or may have some.

        Raises:
            RefusedChange: One of them cannot be scanned.
        """
        for number in range(len(self._names)):
            if self._may_have_formulas(number):
                yield self.open_tab(number)

    def loaded_tabs(self) -> Iterator[XlsxTab]:
        """Yield the tabs that have been read so far, new ones included."""
        yield from (self._tabs[number] for number in sorted(self._tabs))

    def names(self) -> DefinedNames:
        """Return the names that formulas can use, with tables in their current size."""
        markup = Markup(self.package.part(self.package.workbook_part))
        defined: dict[tuple[int | None, str], str] = {}
        for tag in markup.tags(b"definedName"):
            scope = tag.get(b"localSheetId") or ""
            key = int(scope) if scope.isdecimal() else None, (tag.get(b"name") or "").casefold()
            defined[key] = markup.content(tag, b"definedName")
        return DefinedNames(
            sheets={name.casefold(): number for number, name in reversed(list(enumerate(self._names)))},
            defined=defined,
            tables={table.name.casefold(): (number, table) for number, table in self._tables()},
        )

    def _tables(self) -> Iterator[tuple[int, XlsxTable]]:
        """Yield every table with the number of its tab."""
        for number in range(len(self._names)):
            if number in self._tabs:
                tables: Iterable[XlsxTable] = self._tabs[number].tables
            else:
                with tab_named(self._names[number]):
                    tables = tables_of(self.package, self.package.sheets[number].part)
            yield from ((number, table) for table in tables)

    @cached_property
    def format_kinds(self) -> Sequence[str]:
        """Kind of value that each cell style shows, those of new tabs too."""
        styles = self.package.related("styles")
        return format_kinds(self.parts.read(styles)) if styles in self.parts.changed else self.package.format_kinds

    def open_tab(self, number: int) -> XlsxTab:
        """Return the worksheet at a position among the tabs, from 0.

        Raises:
            RefusedChange: It has no cells that can be edited.
        """
        if number not in self._tabs:
            entry = self.package.sheets[number]
            if not entry.is_worksheet:
                raise RefusedChange(f"{entry.name}: the tab has no cells; it may be a chart. Nothing was written.")
            with tab_named(entry.name):
                part, rows = entry.part, self._rows
                content = self.package.part(part) if rows is None else outline(self.package, part, rows)
                self._tabs[number] = XlsxTab(entry.name, number, part, content, self.package)
        return self._tabs[number]
