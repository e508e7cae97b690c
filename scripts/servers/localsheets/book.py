"""The state of one spreadsheet: tabs, named ranges, developer metadata, and the results of its formulas."""

from __future__ import annotations

import secrets
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from localsheets import a1
from localsheets.a1 import Area, Box
from localsheets.cells import Cell, Scalar
from localsheets.errors import invalid
from localsheets.sheet import Record, Sheet

MAX_CELLS = 10_000_000
FEW = 64
"""The number of cells up to which each is looked at for a formula."""


@dataclass(slots=True, eq=False)
class Book:
    """Everything in a spreadsheet but its id.

    Attributes:
        properties: The SpreadsheetProperties.
        owner: E-mail of the owner, whom no protection stops; empty if there is none.
        developer_metadata: All developer metadata, of tabs, rows and columns too.
        results: Results of formulas by tab id, row and column; empty after every change.
        formula_rows: The rows of formulas by tab id and column, in order, as far as asked for; empty after a change.
    """

    properties: Record
    owner: str = ""
    sheets: list[Sheet] = field(default_factory=list)
    named_ranges: list[Record] = field(default_factory=list)
    developer_metadata: list[Record] = field(default_factory=list)
    results: dict[tuple[int, int, int], Scalar] = field(default_factory=dict)
    formula_rows: dict[int, dict[int, list[int]]] = field(default_factory=dict)

    def copy(self) -> Book:
        """Return a copy that can be changed."""
        return replace(
            self,
            sheets=[sheet.copy() for sheet in self.sheets],
            named_ranges=list(self.named_ranges),
            developer_metadata=list(self.developer_metadata),
            results={},
            formula_rows={},
        )

    def find(self, id: int) -> Sheet | None:
        """Return the tab with that id, or None."""
        return next((sheet for sheet in self.sheets if sheet.id == id), None)

    def sheet(self, id: int, kind: str = "sheet") -> Sheet:
        """Return the tab with that id.

        Raises:
            ApiError: 400 if there is none; `kind` is the word for it in the message.
        """
        if (found := self.find(id)) is None:
            raise invalid(f"No {kind} with id: {id}")
        return found

    def titled(self, title: str) -> Sheet | None:
        """Return the tab of that title; capitals matter only if two titles differ by nothing else."""
        same = [sheet for sheet in self.sheets if sheet.title == title]
        folded = [sheet for sheet in self.sheets if sheet.title.casefold() == title.casefold()]
        return next(iter(same or folded), None)

    def named(self, name: str) -> Record | None:
        """Return the named range of that name."""
        return next(
            (named_range for named_range in self.named_ranges if named_range["name"].casefold() == name.casefold()),
            None,
        )

    def locate(self, text: str) -> tuple[Sheet, Area]:
        """Return the tab and the cells of a range in A1 notation.

        Raises:
            ApiError: 400 `Unable to parse range`.
        """
        title, cells = a1.split(text)
        sheet = self.titled(title) if title is not None else self.sheets[0]
        if sheet is None:
            raise invalid(f"Unable to parse range: {text}")
        if cells is None:
            return sheet, Area()
        if area := a1.parse_area(cells):
            return sheet, area
        if title is None and (whole := self.titled(cells)):
            return whole, Area()
        named_range = self.named(cells)
        if named_range is None or (owner := self.find(named_range["range"].get("sheetId", 0))) is None:
            raise invalid(f"Unable to parse range: {text}")
        return owner, owner.box(named_range["range"])

    def formulas_inside(self, sheet: Sheet, box: Box) -> list[tuple[int, int]]:
        """Return the row and column of each formula in some cells of a tab."""
        if box.height * box.width <= FEW:
            return [(row, column) for row, column, cell in sheet.inside(box) if cell.formula is not None]
        if sheet.id not in self.formula_rows:
            found: dict[int, list[int]] = {}
            for row, column, cell in sheet.inside(sheet.all):
                if cell.formula is not None:
                    found.setdefault(column, []).append(row)
            self.formula_rows[sheet.id] = found
        return [
            (row, column)
            for column, rows in self.formula_rows[sheet.id].items()
            if box.left <= column < box.right
            for row in rows[bisect_left(rows, box.top) : bisect_left(rows, box.bottom)]
        ]

    def changed(self) -> None:
        """Discard the results of formulas, and their places."""
        self.results.clear()
        self.formula_rows.clear()

    def put(self, sheet: Sheet, row: int, column: int, cell: Cell) -> None:
        """Replace a cell."""
        sheet.put(row, column, cell)
        self.changed()

    def check_size(self) -> None:
        """Refuse more cells than a spreadsheet may hold."""
        if sum(sheet.rows * sheet.columns for sheet in self.sheets) > MAX_CELLS:
            raise invalid(
                f"This action would increase the number of cells in the workbook above the limit of {MAX_CELLS} cells."
            )

    @property
    def protected_ids(self) -> set[int]:
        """The ids of protected ranges, which are unique in the spreadsheet."""
        return {record["protectedRangeId"] for sheet in self.sheets for record in sheet.protected_ranges}

    def fresh_id(self) -> int:
        """Return an unused positive 31-bit number."""
        taken = {sheet.id for sheet in self.sheets} | self.protected_ids
        taken |= {record["metadataId"] for record in self.developer_metadata}
        while (id := secrets.randbelow(2**31 - 1) + 1) in taken:
            pass
        return id

    def can_edit(self, record: Mapping[str, Any], caller: str) -> bool:
        """Return True if a protection lets an account edit."""
        editors = record.get("editors", {})
        is_free = record.get("warningOnly") or not self.owner or not caller
        return bool(is_free or caller == self.owner or caller in editors.get("users", ()))
