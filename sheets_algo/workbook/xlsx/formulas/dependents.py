"""The formulas whose stored results become wrong when cells change: those that read them, directly or indirectly.

A program that opens the file shows a stored result rather than computing it, so exactly the wrong results must be
removed.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sheets_algo.workbook.xlsx.file.areas import MAX_COLUMN, Area, AreaIndex
from sheets_algo.workbook.xlsx.formulas.references import NameUse, References, TableUse, references
from sheets_algo.workbook.xlsx.read.sheetxml import FormulaCell
from sheets_algo.workbook.xlsx.read.tables import XlsxTable

Cell = tuple[int, int, int]
"""Number of the tab (from 0, in the order of the workbook), row and column (from 1)."""

Reads = Sequence[tuple[int, Area]] | None
"""Tab number and area of everything that a formula reads; None if that cannot be determined."""

MOST_SPILLED = 1_000_000
"""Maximum number of cells that results may cover together; beyond it, every formula is taken as stale."""

MOST_NAMES = 100
"""Maximum number of names that a formula may lead to; beyond it, the formula is taken to read any cell."""

LONGEST = 16_384
"""Maximum number of characters of a formula; a longer one is taken to read any cell. Excel allows 8,192."""


MOST_READ, MOST_READ_EACH = 100_000, 10
"""Most areas that formulas may read together, and how many more for each; beyond it, all are taken as stale."""

MOST_BLOCKS = 500_000
"""Most blocks (see `AreaIndex`) of the areas that formulas read; later areas are taken to be as wide as the tab."""


@dataclass(frozen=True, slots=True)
class DefinedNames:
    """The names that formulas of a workbook can use."""

    sheets: Mapping[str, int] = field(default_factory=dict)  # Case-folded tab name to tab number
    # Tab number (None for the whole workbook) and case-folded name to formula.
    defined: Mapping[tuple[int | None, str], str] = field(default_factory=dict)
    # Case-folded table name to tab number and table.
    tables: Mapping[str, tuple[int, XlsxTable]] = field(default_factory=dict)


class Formula(NamedTuple):
    """A formula in its tab."""

    sheet: int  # Number of the tab
    cell: FormulaCell  # The formula and its cell


class StaleFormulas(NamedTuple):
    """Formulas by what a change does to their results, in the order of the workbook."""

    surely: Sequence[Formula]  # Formulas that read a changed cell, directly or through others
    # Formulas that may read any cell, and those that read their results, as far as not in `surely`.
    perhaps: Sequence[Formula]


def stale_formulas(formulas: Sequence[Formula], names: DefinedNames, changed: Sequence[Cell]) -> StaleFormulas:
    """Return the formulas whose results depend, or may depend, on changed cells.

    NOW, TODAY and random numbers depend on no cell, so a formula does not become stale because of them. One that uses
    OFFSET, INDIRECT, CELL or INFO, or a name that the workbook does not define, may depend on any cell.

    Args:
        formulas: All formulas of the workbook, those of a tab in file order.
    """
    if not changed or not formulas:
        return StaleFormulas((), ())
    if sum(_size(result_area(cell)) - 1 for _, cell in formulas if cell.reach) > MOST_SPILLED:
        return StaleFormulas((), formulas)
    precedents = _Precedents(names, formulas)
    reads = [precedents.areas_read(formula) for formula in formulas]
    if precedents.room < 0:
        return StaleFormulas((), formulas)
    direct = _readers(reads, changed)
    opaque = [number for number, areas in enumerate(reads) if areas is None]
    if not direct and not opaque:
        return StaleFormulas((), ())
    dependents = _Dependents(formulas, reads, set(direct))
    surely, perhaps = dependents.take(direct), dependents.take(opaque)
    return StaleFormulas(
        [formulas[number] for number in sorted(surely)], [formulas[number] for number in sorted(perhaps)]
    )


def result_area(formula: FormulaCell) -> Area:
    """Return the cells that show the formula's result: its own, or those of an array, a spill or a data table."""
    cell = Area(formula.row, formula.column, formula.row, formula.column)
    return formula.reach or cell if formula.kind in ("array", "dataTable") else cell


def _readers(reads: Sequence[Reads], changed: Sequence[Cell]) -> list[int]:
    """Return the numbers of the formulas that read a changed cell, in order."""
    by_column: defaultdict[int, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for sheet, row, column in sorted(changed):
        by_column[sheet][column].append(row)

    def is_changed(sheet: int, region: Area) -> bool:
        return any(
            region.left <= column <= region.right and bisect_left(rows, region.top) < bisect_right(rows, region.bottom)
            for column, rows in by_column.get(sheet, {}).items()
        )

    return [number for number, areas in enumerate(reads) if any(is_changed(*area) for area in areas or ())]


class _Dependents:
    """The formulas of a workbook by what they read, each of which is found once.

    Args:
        reads: What each of them reads; emptied, since both it and the index of it would take much memory.
        direct: Numbers of those that need not be found by what they read.
    """

    def __init__(self, formulas: Sequence[Formula], reads: list[Reads], direct: Collection[int]) -> None:
        self._formulas = formulas
        self._taken: set[int] = set()
        self._readers: defaultdict[int, AreaIndex[int]] = defaultdict(AreaIndex)
        blocks = 0
        for number in range(len(reads)):
            areas, reads[number] = reads[number], None
            for sheet, region in (areas or ()) if number not in direct else ():
                if blocks > MOST_BLOCKS:
                    region = region._replace(left=1, right=MAX_COLUMN)
                blocks += self._readers[sheet].add(region, number)

    def take(self, start: Iterable[int]) -> set[int]:
        """Return the numbers of some formulas, and of all that read their results, except those found before."""
        dependents = set(start) - self._taken
        queue = list(dependents)
        while queue:
            sheet, cell = self._formulas[queue.pop()]
            for row, column in result_area(cell).cells() if sheet in self._readers else ():
                for number in self._readers[sheet].take(row, column):
                    if number not in dependents and number not in self._taken:
                        dependents.add(number)
                        queue.append(number)
        self._taken |= dependents
        return dependents


def _size(region: Area) -> int:
    return (region.bottom - region.top + 1) * (region.right - region.left + 1)


def _shared_key(formula: Formula) -> tuple[int, str]:
    """Return the common key of the cells of one shared formula."""
    return formula.sheet, formula.cell.attributes.get("si", "")


class _Precedents:
    """Finder of the areas that formulas read."""

    def __init__(self, names: DefinedNames, formulas: Sequence[Formula]) -> None:
        self._names = names
        self.room = MOST_READ + MOST_READ_EACH * len(formulas)
        """Number of areas that may still be found; below 0, no more are looked for."""
        self._callable = frozenset(name for _, name in names.defined)
        self._shared_masters: dict[tuple[int, str], FormulaCell] = {}
        self._sharing = Counter(_shared_key(formula) for formula in formulas if formula.cell.kind == "shared")

    def areas_read(self, formula: Formula) -> Reads:
        """Return the areas that a formula reads."""
        cell = formula.cell
        if cell.kind == "dataTable":
            return self._areas_of_data_table(formula)
        text, row, column = cell.text, cell.row, cell.column
        if cell.kind == "shared":
            key = _shared_key(formula)
            if text:
                self._shared_masters[key] = cell
                self._refuse_many(text, self._sharing[key])
            elif key in self._shared_masters:
                origin = self._shared_masters[key]
                text, row, column = origin.text, origin.row, origin.column
            else:
                return None
        if self.room < 0:
            return None
        areas: list[tuple[int, Area]] = []
        shift = cell.row - row, cell.column - column
        is_known = self._collect(text, formula, shift, areas)
        self.room -= len(areas)
        return tuple(areas) if is_known else None

    def _refuse_many(self, text: str, cells: int) -> None:
        """Look for no more areas if so many cells that share a formula read too many."""
        if len(text) <= LONGEST and not references(text).is_opaque and cells * len(references(text).places) > self.room:
            self.room = -1

    def _areas_of_data_table(self, formula: Formula) -> Reads:
        """Return the areas that a data table reads: its input cells, and its upper and left edge."""
        region = result_area(formula.cell)
        areas = [(formula.sheet, Area(max(region.top - 1, 1), max(region.left - 1, 1), region.bottom, region.right))]
        for key in ("r1", "r2"):
            if ref := formula.cell.attributes.get(key):
                self._collect(ref, formula, (0, 0), areas)
        return areas

    def _collect(self, text: str, formula: Formula, shift: tuple[int, int], areas: list[tuple[int, Area]]) -> bool:
        """Add the areas that a formula's text reads, following names; return False if some cannot be determined."""
        seen_texts, pending = {text}, [(text, shift)]
        while pending:
            text, shift = pending.pop()
            if len(text) > LONGEST or len(seen_texts) > MOST_NAMES:
                return False
            parsed = references(text)
            if parsed.is_opaque or (
                parsed.tables and not all(self._table(use, formula, areas) for use in parsed.tables)
            ):
                return False
            for reference in parsed.places:
                region = reference.shifted(*shift)
                if reference.sheets is None:
                    areas.append((formula.sheet, region))
                elif sheets := self._sheets(reference.sheets):
                    areas += [(sheet, region) for sheet in sheets]
                else:
                    return False
            for use in self._named(parsed) if parsed.names or parsed.calls else ():
                named = self._defined(use, formula)
                if named is None:
                    if use.sheet is not None or not self._table(TableUse(use.name, (), None), formula, areas):
                        return False
                elif named not in seen_texts:
                    seen_texts.add(named)
                    # Relative references of a name are relative to A1.
                    pending.append((named, (formula.cell.row - 1, formula.cell.column - 1)))
        return True

    def _named(self, parsed: References) -> tuple[NameUse, ...]:
        """Return the names that a formula uses, including a LAMBDA of the workbook, which is called like a function."""
        called = parsed.calls & self._callable
        return (*parsed.names, *(NameUse(None, name) for name in sorted(called))) if called else parsed.names

    def _sheets(self, named: tuple[str, str]) -> range:
        first, last = (self._names.sheets.get(name.casefold()) for name in named)
        return range(0) if first is None or last is None else range(min(first, last), max(first, last) + 1)

    def _defined(self, use: NameUse, formula: Formula) -> str | None:
        """Return the formula of a name: the one of its tab, else of the workbook; None if it is not defined."""
        key = use.name.casefold()
        scope = formula.sheet if use.sheet is None else self._names.sheets.get(use.sheet.casefold())
        return self._names.defined.get((scope, key), self._names.defined.get((None, key)))

    def _table(self, use: TableUse, formula: Formula, areas: list[tuple[int, Area]]) -> bool:
        """Add the area of a structured reference; return False if the table or a column is unknown."""
        located = self._names.tables.get(use.table.casefold()) if use.table else self._table_around(formula)
        if located is None:
            return False
        sheet, table = located
        left, right = table.area.left, table.area.right
        if use.columns:
            names = [name.casefold() for name in table.columns]
            used = [name.casefold() for name in use.columns]
            if not set(used) <= set(names):
                return False
            left, right = sorted(table.area.left + names.index(name) for name in used)
        for top, bottom in table.rows(use.items, formula.cell.row):
            areas.append((sheet, Area(top, left, bottom, right)))
        return True

    def _table_around(self, formula: Formula) -> tuple[int, XlsxTable] | None:
        cell = formula.cell
        for sheet, table in self._names.tables.values():
            if sheet == formula.sheet and table.area.holds(cell.row, cell.column):
                return sheet, table
        return None
