"""A spreadsheet on a local Sheets server, in which a program and a person work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from scripts.support.shared_sheets import access, sheets
from sheets_algo.workbook.changes import ChangeSet, CommitResult
from sheets_algo.workbook.google.http.api import Api
from sheets_algo.workbook.google.http.budget import RequestBudget
from sheets_algo.workbook.google.spreadsheet import GoogleWorkbook
from sheets_algo.workbook.values import Value
from tests.helpers.tabs import keys
from tests.workbook.google.scripted import Clock

PLENTY = 100_000
"""Requests a minute: these tests do not wait."""

TABS: dict[str, list[list[Value]]] = {
    "War Requests": [
        ["Request", "War", "Ready", "Status"],
        ["W-0001", "Hastings", True],
        ["W-0002", "Manzikert", True],
        ["W-0003", "Stamford Bridge", False],
    ],
    "Nations": [["Nation", "Stability"], ["England", 100], ["Normandy", 80], ["Norway", 60]],
    "Receipts": [["Seq", "Request"], [1, "W-0000"]],
}


@dataclass(frozen=True)
class Season:
    """One spreadsheet."""

    id: str

    @classmethod
    def begun(cls, tabs: Mapping[str, Sequence[Sequence[Value]]] = TABS, title: str = "Our season") -> Season:
        return cls(sheets().make(title, tabs))

    def workbook(self, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> GoogleWorkbook:
        """The program's view, as after a start; whatever it waits for takes no time."""
        pace = Clock().pace
        budget = RequestBudget(PLENTY, pace=pace)
        api = Api(self.id, access(), budget, timeout=60, url=sheets().url, pace=pace)
        return GoogleWorkbook(api, clock=clock)

    def tab(self, title: str) -> list[list[Any]]:
        """What stands in a tab."""
        return sheets().tab(self.id, title)

    def everything(self) -> dict[str, list[list[Any]]]:
        """What stands in every tab."""
        return {title: self.tab(title) for title in sheets().tabs(self.id)}

    def sheet_id(self, title: str) -> int:
        return sheets().tabs(self.id)[title]

    def person(self, *requests: Mapping[str, Any], **when: Any) -> None:
        """What a person does: now, or as `when` says."""
        sheets().user(self.id, requests, **when)

    def type_in(self, title: str, row: int, column: int, value: Value) -> None:
        """A person's cell, typed exactly as the value is."""
        self.person(cell(self.sheet_id(title), row, column, value))


def cell(sheet: int, row: int, column: int, value: Value) -> dict[str, Any]:
    """The request that sets one cell."""
    kind = {bool: "boolValue", str: "stringValue", int: "numberValue", float: "numberValue"}
    data = {} if value is None else {"userEnteredValue": {kind[type(value)]: value}}
    start = {"sheetId": sheet, "rowIndex": row - 1, "columnIndex": column - 1}
    return {"updateCells": {"start": start, "rows": [{"values": [data]}], "fields": "userEnteredValue"}}


def commit(workbook: GoogleWorkbook, changes: ChangeSet) -> CommitResult:
    """Read and write at once, as a pass does."""
    return workbook.commit(workbook.read(keys(*TABS)), changes)


class Spent:
    """Counts what the program sends from now on."""

    def __init__(self) -> None:
        self._reads, self._writes = sheets().count("read"), sheets().count("write")

    @property
    def reads(self) -> int:
        return sheets().count("read") - self._reads

    @property
    def writes(self) -> int:
        return sheets().count("write") - self._writes
