"""Rectangles of cells: parsing and formatting references, and fast lookup of the rectangles that contain a cell."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

from sheets_algo.workbook.addresses import a1, column_number

MAX_ROW = 1 << 20
MAX_COLUMN = 1 << 14

T = TypeVar("T")


class Area(NamedTuple):
    """A rectangle of cells; rows and columns from 1, both ends included."""

    top: int
    left: int
    bottom: int
    right: int

    def __str__(self) -> str:
        first, last = a1(self.top, self.left), a1(self.bottom, self.right)
        return first if first == last else f"{first}:{last}"

    def holds(self, row: int, column: int) -> bool:
        """Return True if the cell is inside."""
        return self.top <= row <= self.bottom and self.left <= column <= self.right

    def overlaps(self, other: Area) -> bool:
        """Return True if the two rectangles have a cell in common."""
        return (
            self.top <= other.bottom
            and other.top <= self.bottom
            and self.left <= other.right
            and other.left <= self.right
        )

    def including(self, row: int, column: int) -> Area:
        """Return the smallest rectangle that contains this one and a cell."""
        return Area(min(self.top, row), min(self.left, column), max(self.bottom, row), max(self.right, column))

    def cells(self) -> Iterator[tuple[int, int]]:
        """Yield row and column of each cell, row by row."""
        for row in range(self.top, self.bottom + 1):
            for column in range(self.left, self.right + 1):
                yield row, column


def area(ref: str) -> Area | None:
    """Parse a reference: `area("B2:C5") == Area(2, 2, 5, 3)`; None unless it is within a sheet's limits."""
    first, _, last = ref.partition(":")
    start, end = cell(first), cell(last or first)
    if start is None or end is None:
        return None
    return Area(min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1]))


def cell(ref: str) -> tuple[int, int] | None:
    """Parse an address: `cell("$C$14") == (14, 3)`; None unless it is within a sheet's limits."""
    match = _ADDRESS.fullmatch(ref)
    if match is None:
        return None
    row, column = int(match[2]), column_number(match[1])
    return (row, column) if 1 <= row <= MAX_ROW and column <= MAX_COLUMN else None


_ADDRESS = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})")


class AreaIndex(Generic[T]):
    """Items by the areas that they cover.

    Every area is cut into blocks whose sides are powers of two, as in a quadtree, so that a cell is looked up only in
    the few block sizes in use: whole columns and 100,000 growing ranges are equally fast.
    """

    def __init__(self) -> None:
        self._blocks: defaultdict[tuple[int, int, int, int], list[T]] = defaultdict(list)
        self._sizes: dict[tuple[int, int], None] = {}

    def add(self, region: Area, item: T) -> int:
        """Add an item that covers an area; return the number of blocks of the area."""
        top, left, bottom, right = region
        if top == bottom and left == right:
            self._blocks[0, 0, top - 1, left - 1].append(item)
            self._sizes[0, 0] = None
            return 1
        runs, across = _aligned_runs(top, bottom, MAX_ROW), _aligned_runs(left, right, MAX_COLUMN)
        for rows, row in runs:
            for columns, column in across:
                self._blocks[rows, columns, row, column].append(item)
                self._sizes[rows, columns] = None
        return len(runs) * len(across)

    def at(self, row: int, column: int) -> Iterator[T]:
        """Yield the items that cover a cell; an item added twice is yielded twice."""
        for rows, columns in self._sizes:
            yield from self._blocks.get((rows, columns, row - 1 >> rows, column - 1 >> columns), ())

    def take(self, row: int, column: int) -> Iterator[T]:
        """Yield and remove the items that cover a cell; lookups of other cells may no longer find them."""
        for rows, columns in self._sizes:
            yield from self._blocks.pop((rows, columns, row - 1 >> rows, column - 1 >> columns), ())


@lru_cache(maxsize=4096)
def _aligned_runs(first: int, last: int, most: int) -> tuple[tuple[int, int], ...]:
    """Cut first..last (from 1) into aligned runs of length 2**n; return n and the index of each run."""
    runs = []
    start, end = max(first, 1) - 1, min(last, most)
    while start < end:
        size = min((start & -start).bit_length() - 1 if start else 20, (end - start).bit_length() - 1)
        runs.append((size, start >> size))
        start += 1 << size
    return tuple(runs)
