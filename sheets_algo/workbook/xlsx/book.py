"""A workbook while it is being changed: its tabs as bytes, and what its formulas can call by name."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from sheets_algo.workbook.base import RefusedChange, tab_key
from sheets_algo.workbook.xlsx.areas import Area, AreaIndex
from sheets_algo.workbook.xlsx.cells import Meaning
from sheets_algo.workbook.xlsx.cellxml import Writing
from sheets_algo.workbook.xlsx.dates import date_kinds
from sheets_algo.workbook.xlsx.formulas import Names, result_area
from sheets_algo.workbook.xlsx.markup import Edits, Markup, Unscannable
from sheets_algo.workbook.xlsx.package import Package
from sheets_algo.workbook.xlsx.parts import Parts
from sheets_algo.workbook.xlsx.sheetxml import FormulaCell, SheetXml
from sheets_algo.workbook.xlsx.tables import Table, tables_of


class Tab:
    """One worksheet while it is being changed.

    Args:
        name: As the workbook spells it.
        number: Its place among the tabs, from 0.
        part: Its part.
        content: The part's bytes.
        tables: Its tables.

    Raises:
        Unscannable: The part cannot be edited.
    """

    def __init__(self, name: str, number: int, part: str, content: bytes, tables: tuple[Table, ...] = ()) -> None:
        self.name = name
        self.number = number
        self.part = part
        self.xml = SheetXml(content)
        self.tables = list(tables)
        self.writings: dict[tuple[int, int], Writing] = {}
        self.edits = Edits()

    @cached_property
    def formulas(self) -> tuple[FormulaCell, ...]:
        """Its formulas in file order."""
        return tuple(self.xml.formulas())

    @cached_property
    def formula_cells(self) -> dict[tuple[int, int], FormulaCell]:
        """Row and column of cells with a formula of their own."""
        return {(formula.cell.row, formula.cell.column): formula for formula in self.formulas}

    @cached_property
    def results(self) -> AreaIndex[FormulaCell]:
        """Where the result of a formula covers other cells than its own."""
        index: AreaIndex[FormulaCell] = AreaIndex()
        for formula in self.formulas:
            if formula.kind in ("array", "dataTable"):
                index.add(result_area(formula), formula)
        return index

    @cached_property
    def merged(self) -> AreaIndex[Area]:
        """Ranges of merged cells by the cells they cover."""
        index: AreaIndex[Area] = AreaIndex()
        for where in self.xml.merged:
            index.add(where, where)
        return index


class Book:
    """The tabs of a package for editing, each read when it is needed.

    Args:
        package: The workbook.
    """

    def __init__(self, package: Package) -> None:
        self.package = package
        self.parts = Parts(package)
        self._tabs: dict[int, Tab] = {}
        self._names: list[str] = []
        self._exact: dict[str, int] = {}
        self._loose: dict[str, int] = {}
        for entry in package.sheets:
            self._list(entry.name)

    @property
    def tab_names(self) -> tuple[str, ...]:
        """Names of all tabs, new ones included."""
        return tuple(self._names)

    def tab(self, name: str) -> Tab:
        """The worksheet of that name, else the one whose name differs only in capitals and spaces.

        Raises:
            RefusedChange: There is none, or it has no cells that can be edited.
        """
        number = self._exact.get(name, self._loose.get(tab_key(name)))
        if number is not None:
            return self._at(number)
        raise RefusedChange(f"{name}: the workbook has no such tab; nothing was written.")

    def add(self, tab: Tab) -> None:
        """Take in a new tab, the last one so far."""
        self._tabs[tab.number] = tab
        self._list(tab.name)

    def worksheets(self) -> Iterator[Tab]:
        """Every tab with cells.

        Raises:
            RefusedChange: One of them cannot be scanned.
        """
        for number in range(len(self._names)):
            if number in self._tabs or self.package.sheets[number].is_worksheet:
                yield self._at(number)

    def opened(self) -> Iterator[Tab]:
        """The tabs that have been read so far, new ones included."""
        yield from (self._tabs[number] for number in sorted(self._tabs))

    def names(self) -> Names:
        """What formulas can call by name, tables as large as they are by now."""
        markup = Markup(self.package.part(self.package.workbook_part))
        defined = {}
        for tag in markup.tags(b"definedName"):
            scope = tag.get(b"localSheetId")
            key = int(scope) if scope and scope.isdecimal() else None, (tag.get(b"name") or "").casefold()
            defined[key] = markup.content(tag, b"definedName")
        return Names(
            sheets={name.casefold(): number for number, name in reversed(list(enumerate(self._names)))},
            defined=defined,
            tables={table.name.casefold(): (tab.number, table) for tab in self.worksheets() for table in tab.tables},
        )

    @cached_property
    def meaning(self) -> Meaning:
        """What a number in a cell of some style reads back as."""
        styles = self.package.related("styles")
        kinds = date_kinds(self.package.part(styles)) if styles else ()
        return Meaning(strings=(), kinds=kinds, uses_1904=self.package.uses_1904)

    def _list(self, name: str) -> None:
        """Put a tab's name at the end of the list; of several alike the first one counts."""
        self._exact.setdefault(name, len(self._names))
        self._loose.setdefault(tab_key(name), len(self._names))
        self._names.append(name)

    def _at(self, number: int) -> Tab:
        if number not in self._tabs:
            entry = self.package.sheets[number]
            if not entry.is_worksheet:
                raise RefusedChange(f"{entry.name}: the tab has no cells; it may be a chart. Nothing was written.")
            try:
                tables = tables_of(self.package, entry.part)
                self._tabs[number] = Tab(entry.name, number, entry.part, self.package.part(entry.part), tables)
            except Unscannable as problem:
                raise RefusedChange(
                    f"{entry.name}: the tab cannot be edited: {problem}; nothing was written."
                ) from problem
        return self._tabs[number]
