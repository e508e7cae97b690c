"""Which cached results become wrong when cells change: formulas that read them, directly or through others.

A program that opens the file shows a cached result rather than computing it, so exactly the wrong ones have to go.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sheets_algo.workbook.xlsx.areas import Area, AreaIndex, Cells
from sheets_algo.workbook.xlsx.references import NameUse, References, TableUse, references
from sheets_algo.workbook.xlsx.sheetxml import FormulaCell
from sheets_algo.workbook.xlsx.tables import Table

Cell = tuple[int, int, int]
"""Number of the tab (from 0, as the workbook lists them), row and column (from 1)."""

Reads = list[tuple[int, Area]] | None
"""Tab number and area of all that a formula reads; None if that cannot be known."""

MOST_SPILLED = 1_000_000
"""Results that reach over more cells than this are taken to reach everywhere."""

MOST_NAMES = 100
"""A formula that leads to more names than this is taken to read anything."""

LONGEST = 16_384
"""So is a formula of more characters; Excel knows none of more than 8,192."""


@dataclass(frozen=True, slots=True)
class Names:
    """What formulas of a workbook can call by name.

    Args:
        sheets: Case-folded tab name to number.
        defined: Number of the tab it belongs to (None: the workbook) and case-folded name to formula.
        tables: Case-folded table name to the number of its tab and itself.
    """

    sheets: Mapping[str, int] = field(default_factory=dict)
    defined: Mapping[tuple[int | None, str], str] = field(default_factory=dict)
    tables: Mapping[str, tuple[int, Table]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula in its tab.

    Args:
        sheet: Number of the tab.
        cell: Where it stands and what it says.
    """

    sheet: int
    cell: FormulaCell


def stale(formulas: Sequence[Formula], names: Names, changed: Sequence[Cell]) -> list[Formula]:
    """The formulas whose results depend on changed cells.

    A formula that reads NOW, TODAY or a random number does not depend on a cell for that: its result stays. One that
    uses OFFSET, INDIRECT, CELL or INFO, or something that is not defined in the workbook, may depend on any cell.

    Args:
        formulas: All formulas of the workbook, those of a tab in file order.
        names: What they can call by name.
        changed: The changed cells.

    Returns:
        The stale ones in the order of `formulas`.
    """
    if not changed or not formulas:
        return []
    if sum(_size(result_area(formula.cell)) - 1 for formula in formulas) > MOST_SPILLED:
        return list(formulas)
    precedents = _Precedents(names)
    reads = [precedents.of(formula) for formula in formulas]
    directly = _direct_readers(reads, changed)
    return [formulas[number] for number in sorted(_all_readers(formulas, reads, directly))] if directly else []


def result_area(formula: FormulaCell) -> Area:
    """The cells that show the formula's result: its own, or those of an array, a spill or a data table."""
    own = Area(formula.cell.row, formula.cell.column, formula.cell.row, formula.cell.column)
    return formula.reach or own if formula.kind in ("array", "dataTable") else own


def _direct_readers(reads: Sequence[Reads], changed: Sequence[Cell]) -> list[int]:
    """Numbers of the formulas that read a changed cell, or that may read any."""
    by_sheet: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for sheet, row, column in changed:
        by_sheet[sheet].append((row, column))
    cells = {sheet: Cells(places) for sheet, places in by_sheet.items()}
    return [
        number
        for number, areas in enumerate(reads)
        if areas is None or any(sheet in cells and cells[sheet].any_in(where) for sheet, where in areas)
    ]


def _all_readers(formulas: Sequence[Formula], reads: Sequence[Reads], directly: Sequence[int]) -> set[int]:
    """Numbers of those formulas, and of all that read their results, and so on."""
    readers: defaultdict[int, AreaIndex[int]] = defaultdict(AreaIndex)
    for number, areas in enumerate(reads):
        for sheet, where in areas or ():
            readers[sheet].add(where, number)
    found, queue = set(directly), list(directly)
    while queue:
        formula = formulas[queue.pop()]
        for row, column in result_area(formula.cell).cells():
            for number in readers[formula.sheet].take(row, column):
                if number not in found:
                    found.add(number)
                    queue.append(number)
    return found


def _size(where: Area) -> int:
    return (where.bottom - where.top + 1) * (where.right - where.left + 1)


class _Precedents:
    """The areas that formulas read."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._callable = frozenset(name for _, name in names.defined)
        self._masters: dict[tuple[int, str], FormulaCell] = {}

    def of(self, formula: Formula) -> Reads:
        """What a formula reads."""
        cell = formula.cell
        if cell.kind == "dataTable":
            return self._of_data_table(formula)
        text, origin = cell.text, cell.cell
        if cell.kind == "shared":
            key = formula.sheet, cell.attributes.get("si", "")
            if text:
                self._masters[key] = cell
            elif key in self._masters:
                text, origin = self._masters[key].text, self._masters[key].cell
            else:
                return None
        found: list[tuple[int, Area]] = []
        shift = cell.cell.row - origin.row, cell.cell.column - origin.column
        return found if self._collect(text, formula, shift, found) else None

    def _of_data_table(self, formula: Formula) -> Reads:
        """A data table reads its input cells, and the formulas and values along its upper and left edge."""
        where = result_area(formula.cell)
        found = [(formula.sheet, Area(max(where.top - 1, 1), max(where.left - 1, 1), where.bottom, where.right))]
        for key in ("r1", "r2"):
            if ref := formula.cell.attributes.get(key):
                self._collect(ref, formula, (0, 0), found)
        return found

    def _collect(self, text: str, formula: Formula, shift: tuple[int, int], found: list[tuple[int, Area]]) -> bool:
        """Add what a formula's text reads, names followed to what they stand for; whether all of it could be told."""
        seen, pending = {text}, [(text, shift)]
        while pending:
            text, shift = pending.pop()
            if len(text) > LONGEST or len(seen) > MOST_NAMES:
                return False
            parsed = references(text)
            if parsed.is_opaque or not all(self._table(use, formula, found) for use in parsed.tables):
                return False
            for place in parsed.places:
                sheets = self._sheets(place.sheets, formula.sheet)
                if not sheets:
                    return False
                where = place.shifted(*shift)
                found += ((sheet, where) for sheet in sheets)
            for use in self._named(parsed):
                named = self._defined(use, formula)
                if named is None:
                    if use.sheet is not None or not self._table(TableUse(use.name, (), None), formula, found):
                        return False
                elif named not in seen:
                    seen.add(named)
                    # Relative references of a name are stated as seen from A1.
                    pending.append((named, (formula.cell.cell.row - 1, formula.cell.cell.column - 1)))
        return True

    def _named(self, parsed: References) -> tuple[NameUse, ...]:
        """The names a formula uses; a LAMBDA that the workbook defines is called like a function."""
        called = parsed.calls & self._callable
        return (*parsed.names, *(NameUse(None, name) for name in sorted(called))) if called else parsed.names

    def _sheets(self, named: tuple[str, str] | None, own: int) -> range:
        if named is None:
            return range(own, own + 1)
        first, last = (self._names.sheets.get(name.casefold()) for name in named)
        return range(0) if first is None or last is None else range(min(first, last), max(first, last) + 1)

    def _defined(self, use: NameUse, formula: Formula) -> str | None:
        """What a name stands for: on its tab, else in the workbook."""
        key = use.name.casefold()
        scope = formula.sheet if use.sheet is None else self._names.sheets.get(use.sheet.casefold())
        return self._names.defined.get((scope, key), self._names.defined.get((None, key)))

    def _table(self, use: TableUse, formula: Formula, found: list[tuple[int, Area]]) -> bool:
        held = self._names.tables.get(use.table.casefold()) if use.table else self._table_around(formula)
        if held is None:
            return False
        sheet, table = held
        left, right = table.area.left, table.area.right
        if use.columns:
            names = [name.casefold() for name in table.columns]
            wanted = [name.casefold() for name in use.columns]
            if not set(wanted) <= set(names):
                return False
            left, right = sorted(table.area.left + names.index(name) for name in wanted)
        for top, bottom in table.rows(use.items, formula.cell.cell.row):
            found.append((sheet, Area(top, left, bottom, right)))
        return True

    def _table_around(self, formula: Formula) -> tuple[int, Table] | None:
        cell = formula.cell.cell
        for sheet, table in self._names.tables.values():
            if sheet == formula.sheet and table.area.holds(cell.row, cell.column):
                return sheet, table
        return None
