"""Damaged workbooks: odd values in any cell; columns, rows and tabs moved, doubled or removed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time
from functools import cache
from typing import Any

from hypothesis import strategies as st

from scripts.support.workbooks import example, run, workbook
from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.values import CellError, Uncalculated, Value
from tests.helpers.games import EXAMPLES, facts
from tests.helpers.tabs import key, keys

Grid = list[list[Value]]


class Grids(dict[str, Grid]):
    """The grid of each tab, and a list of the changes, which a failing test prints instead of the whole workbook."""

    def __init__(self, name: str, tabs: Mapping[str, Grid]) -> None:
        super().__init__({tab: [list(cells) for cells in grid] for tab, grid in tabs.items()})
        self.done = [name]

    def __repr__(self) -> str:
        return "; ".join(self.done)


WORDS = (
    "default",
    "Default ",
    "0",
    "none",
    "-",
    ";",
    "; / |",
    "yes",
    "1e999",
    "-1e999",
    "1e-999",
    "-3,500",
    "7.000",
    "1,066",
    "12 %",
    "9" * 5000,
    "nan",
    "inf",
    "England",
    "england ",
    "England; Norway",
    "England, Norway",
    "Attacker",
    "Defender",
    "Rule",
    "Forecast",
    "W-0001",
    "W-0002",
    "W-99999999999999999999",
    "W-" + "9" * 5000,
    "Name",
    "Stability",
    "Request",
    "Soldier",
    "24:00",
    "٢٣:٣٠",
    "٧",
    "=1+1",
    "'",
    '"',
    "a\nb",
    "\u200b",
    "\u00a0",
    "\x00",
    "\ud800",
    "\U0001f451" * 300,
    "x" * 32_767,
    "J-0001",
    "R-0001",
    "Anna",
    "Set tax",
    "Out",
    "York > Tudor > York",
    *(word for words in facts("WORDS") for word in words),
)
"""Words that have a meaning somewhere, and words that have none anywhere."""


def values() -> st.SearchStrategy[Value]:
    """Return a strategy of anything that a snapshot can hold in a cell."""
    return st.one_of(
        st.none(),
        st.sampled_from(WORDS),
        st.text(st.characters(exclude_categories=()), max_size=40),
        st.booleans(),
        st.integers(-10, 3000),
        st.integers(-(10**40), 10**40),
        st.floats(),
        st.floats(-1, 10),
        st.dates(date(1, 1, 1)),
        st.datetimes(datetime(1, 1, 1)),
        st.times(time(0)),
        st.sampled_from(["#REF!", "#N/A", "#DIV/0!"]).map(CellError),
        st.sampled_from(["=A1", "=SUM(B:B)"]).map(Uncalculated),
    )


@cache
def _example(name: str, is_ruled: bool) -> Mapping[str, Grid]:
    book = workbook(example(name))
    if is_ruled:
        run(book)
    tabs = (*example(name), "Receipts", *(("Log",) if is_ruled else ()))
    sheets = {tab: book.read(keys(tab)).sheet(key(tab)) for tab in tabs}
    return {tab: _grid(sheet) for tab, sheet in sheets.items() if sheet}


def _grid(sheet: Any) -> Grid:
    return [list(sheet.rows.get(number, ())) for number in range(1, sheet.last_row + 1)]


def example_grids(name: str, is_ruled: bool = False) -> Grids:
    """Return an example as grids, before or after its wars were ruled."""
    return Grids(f"{name} ruled" if is_ruled else name, _example(name, is_ruled))


@st.composite
def damaged_grids(draw: st.DrawFn, most: int = 6) -> Grids:
    """Draw an example with up to `most` changes."""
    tabs = example_grids(draw(st.sampled_from(EXAMPLES)), draw(st.booleans()))
    for _ in range(draw(st.integers(1, most))):
        if tabs:
            tabs.done.append(draw(st.sampled_from(SPOILS))(draw, tabs))
    return tabs


def _put(draw: st.DrawFn, tabs: Grids) -> str:
    tab, grid = _one(draw, tabs)
    row = draw(st.integers(0, len(grid)))
    grid.extend([] for _ in range(row + 1 - len(grid)))
    column = draw(st.integers(0, max(len(grid[0]), len(grid[row]))))
    grid[row].extend([None] * (column + 1 - len(grid[row])))
    grid[row][column] = draw(values())
    return f"{tab}!{a1(row + 1, column + 1)} = {repr(grid[row][column])[:60]}"


def _drop_column(draw: st.DrawFn, tabs: Grids) -> str:
    tab, grid = _one(draw, tabs)
    column = draw(st.integers(0, _width(grid)))
    for cells in grid:
        del cells[column : column + 1]
    return f"{tab} without column {column + 1}"


def _double_column(draw: st.DrawFn, tabs: Grids) -> str:
    tab, grid = _one(draw, tabs)
    column = draw(st.integers(0, _width(grid)))
    for cells in grid:
        cells[column:column] = cells[column : column + 1]
    return f"{tab} with column {column + 1} twice"


def _move_columns(draw: st.DrawFn, tabs: Grids) -> str:
    tab, grid = _one(draw, tabs)
    order = draw(st.permutations(range(_width(grid))))
    for number, cells in enumerate(grid):
        grid[number] = [cells[column] if column < len(cells) else None for column in order]
    return f"{tab} columns {order}"


def _drop_row(draw: st.DrawFn, tabs: Grids) -> str:
    tab, grid = _one(draw, tabs)
    row = draw(st.integers(0, len(grid)))
    del grid[row : row + 1]
    return f"{tab} without row {row + 1}"


def _double_row(draw: st.DrawFn, tabs: Grids) -> str:
    tab, grid = _one(draw, tabs)
    row = draw(st.integers(0, len(grid)))
    grid.extend(list(cells) for cells in grid[row : row + 1])
    return f"{tab} with row {row + 1} twice"


def _move_rows(draw: st.DrawFn, tabs: Grids) -> str:
    tab, grid = _one(draw, tabs)
    order = draw(st.permutations(range(1, len(grid))))
    grid[1:] = [grid[row] for row in order]
    return f"{tab} rows {order}"


def _blank_row(draw: st.DrawFn, tabs: Grids) -> str:
    tab, grid = _one(draw, tabs)
    row = draw(st.integers(0, len(grid)))
    grid.insert(row, [])
    return f"{tab} with a blank row {row + 1}"


def _title(draw: st.DrawFn, tabs: Grids) -> str:
    tab, grid = _one(draw, tabs)
    grid.insert(0, [draw(values())])
    return f"{tab} with the title {repr(grid[0][0])[:60]}"


def _drop_tab(draw: st.DrawFn, tabs: Grids) -> str:
    tab, _ = _one(draw, tabs)
    del tabs[tab]
    return f"no {tab}"


def _rename_tab(draw: st.DrawFn, tabs: Grids) -> str:
    tab, _ = _one(draw, tabs)
    name = draw(st.sampled_from([f" {tab.upper()} ", tab.replace(" ", "  "), f"{tab} (old)"]))
    tabs[name] = tabs.pop(tab)
    return f"{tab} called {name!r}"


def _one(draw: st.DrawFn, tabs: Grids) -> tuple[str, Grid]:
    tab = draw(st.sampled_from(sorted(tabs)))
    if not tabs[tab]:
        tabs[tab].append([])
    return tab, tabs[tab]


def _width(grid: Grid) -> int:
    return max(map(len, grid), default=0)


SPOILS = (
    *(_put,) * 12,
    _drop_column,
    _double_column,
    _move_columns,
    _drop_row,
    _double_row,
    _move_rows,
    _blank_row,
    _title,
    _drop_tab,
    _rename_tab,
)
"""The possible changes of a workbook; single cells most often."""
