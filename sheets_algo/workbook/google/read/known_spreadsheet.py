"""Knowledge of a spreadsheet between two requests: its name and tabs, and its cells with dates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import Any

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.google.http.api import Api, BadRequest
from sheets_algo.workbook.google.read.live_cells import DATE_FIELDS, Place, cells_by_tab, dates_by_tab
from sheets_algo.workbook.google.read.titles import TAB_FIELDS, GoogleTab, KnownTabs, Titles, quoted
from sheets_algo.workbook.redact import one_line
from sheets_algo.workbook.tab_key import TabKey

TITLES_FIELDS = f"properties(title),sheets({TAB_FIELDS})"

MOST_DATES = 100
"""The maximum number of cells of a tab that are read again because they were dates."""


class KnownSpreadsheet:
    """Shared knowledge of reading and writing about one spreadsheet.

    Args:
        clock: A function that returns the time now, UTC and aware.
        drive_clock: The clock by which reports of Drive are noted.
    """

    def __init__(self, api: Api, clock: Callable[[], datetime], drive_clock: Callable[[], float]) -> None:
        self.api = api
        self.clock = clock
        self.name = api.spreadsheet  # The title; the id before the first read
        self.kept: Titles | None = None  # The tabs of the last lookup; None if it must be repeated
        self.looked_up_at = 0.0  # When that was, by Drive's clock
        self.tabs = KnownTabs()
        self.asked: tuple[TabKey, ...] = ()  # The tabs that were read last
        self.dates: dict[int, dict[Place, date]] = {}
        self._drive_clock = drive_clock
        self._kept_at = clock()

    @property
    def titles(self) -> Titles:
        """Return the tabs; look them up if necessary."""
        if self.kept is None:
            self.keep(self.api.get(fields=TITLES_FIELDS, cause="titles"))
        assert self.kept is not None
        return self.kept

    def keep(self, answer: Mapping[str, Any]) -> None:
        """Store name and tabs of an answer with `TITLES_FIELDS`."""
        self.name = one_line(answer.get("properties", {}).get("title", "")) or self.api.spreadsheet
        self.kept, self._kept_at = Titles.of(self.name, answer), self.clock()
        self.looked_up_at = self._drive_clock()

    def forget(self) -> None:
        """Let the tabs be looked up again."""
        self.kept = None

    def is_old(self, serve: timedelta) -> bool:
        """Return True if the tabs must be looked up again because of their age."""
        return self.clock() - self._kept_at >= serve

    def find(self, keys: Sequence[TabKey]) -> Mapping[TabKey, GoogleTab]:
        """Return some tabs; look the titles up again if none of them is known."""
        is_fresh = self.kept is None
        try:
            tabs = self.tabs.find(self.titles, keys)
            if not tabs and keys and not is_fresh:
                self.forget()
                tabs = self.tabs.find(self.titles, keys)
        except WorkbookUnavailable:
            self.forget()
            raise
        return tabs

    def look_at_dates(self, tabs: Iterable[GoogleTab]) -> None:
        """Check whether cells that were dates at the last reading still are; most spreadsheets have none."""
        asked = [
            f"{quoted(tab.title)}!{a1(row, column)}"
            for tab in tabs
            for row, column in [*self.dates.get(tab.id, {})][:MOST_DATES]
        ]
        self.dates = {}
        if asked:
            with suppress(BadRequest):  # a row or a tab is gone
                cells = cells_by_tab(self.api.get(fields=DATE_FIELDS, ranges=asked, cause="details")["sheets"])
                self.dates = dates_by_tab(cells)
