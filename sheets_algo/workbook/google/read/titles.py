"""Finding the tab of a key: by its title, else by the id found under that title before, else by its mark.

A tab keeps its id for life, whatever people call it. A spreadsheet's answers name tabs by title, so titles are cached,
and read again when outdated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sheets_algo.workbook.addresses import letters
from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.tab_key import TabKey, meant

MARK_KEY = "sheets-algo-tab"
"""The key of a tab's developer metadata: the name by which the program knows the tab, whatever its title."""

Area = tuple[int, int, int, int]
"""First row, first column, last row, last column; from 1, ends included."""

TAB_FIELDS = (
    "properties(sheetId,title,index,sheetType,gridProperties(rowCount,columnCount)),merges,"
    "developerMetadata(metadataKey,metadataValue)"
)
"""The mask of the fields that `GoogleTab.of` reads."""

_FAR = 1 << 30
"""The open end of an area."""


@dataclass(frozen=True, slots=True)
class GoogleTab:
    """One tab as the spreadsheet last described it."""

    id: int  # The tab's id, which never changes
    title: str  # The tab's current title
    index: int  # The tab's place among the tabs, from 0
    rows: int  # The number of the grid's rows
    columns: int  # The number of the grid's columns
    merged: tuple[Area, ...] = ()  # The merged areas
    mark: str = ""  # The name by which the program knows the tab, blank if it is not marked

    @classmethod
    def of(cls, sheet: Mapping[str, Any]) -> GoogleTab | None:
        """Return the tab of a `Sheet` of the API; None for a tab of a chart or a data source, which has no cells."""
        properties = sheet["properties"]
        if properties.get("sheetType", "GRID") != "GRID":
            return None
        grid = properties.get("gridProperties", {})
        marks = (item for item in sheet.get("developerMetadata", ()) if item.get("metadataKey") == MARK_KEY)
        return cls(
            id=properties.get("sheetId", 0),
            title=properties.get("title", ""),
            index=properties.get("index", 0),
            rows=grid.get("rowCount", 0),
            columns=grid.get("columnCount", 0),
            merged=tuple(area_of(range) for range in sheet.get("merges", ())),
            mark=next((item.get("metadataValue", "") for item in marks), ""),
        )

    def range(self, first: int | None = None, last: int | None = None) -> str:
        """Return the tab, or some rows of it, in A1 notation."""
        return quoted(self.title) if first is None else f"{quoted(self.title)}!{first}:{last}"

    def below(self, first: int, width: int) -> str:
        """Return the rows from `first` down to the end of the tab, at least `width` columns wide, in A1 notation."""
        return f"{quoted(self.title)}!A{first}:{letters(max(self.columns, width))}"


def mark_of(key: TabKey, title: str) -> str:
    """Return the mark of a tab: its title if that means its key, and the key's name if it was renamed."""
    return title if TabKey.named(title) == key else key.name


def quoted(title: str) -> str:
    """Return a title in A1 notation: always in quotes, since it may look like a cell."""
    return "'" + title.replace("'", "''") + "'"


def area_of(range: Mapping[str, Any]) -> Area:
    """Return the area of a `GridRange` of the API, whose open ends are absent."""
    return (
        range.get("startRowIndex", 0) + 1,
        range.get("startColumnIndex", 0) + 1,
        range.get("endRowIndex", _FAR),
        range.get("endColumnIndex", _FAR),
    )


def holds(area: Area, row: int, column: int) -> bool:
    """Return True if a cell lies inside an area."""
    return area[0] <= row <= area[2] and area[1] <= column <= area[3]


def is_open_below(area: Area) -> bool:
    """Return True if an area reaches down to the last row, however many rows there will be."""
    return area[2] == _FAR


@dataclass(frozen=True, slots=True)
class Titles:
    """The tabs of a spreadsheet as it last described them."""

    name: str  # The spreadsheet's title
    tabs: tuple[GoogleTab, ...]  # The tabs in order

    @classmethod
    def of(cls, name: str, answer: Mapping[str, Any]) -> Titles:
        """Return the titles of a `Spreadsheet` of the API."""
        tabs = (GoogleTab.of(sheet) for sheet in answer.get("sheets", ()))
        return cls(name, tuple(sorted((tab for tab in tabs if tab), key=lambda tab: tab.index)))

    def updated(self, sheets: Iterable[Mapping[str, Any]]) -> Titles:
        """Return the titles updated with some tabs of a later answer; new tabs come last."""
        changed = {tab.id: tab for sheet in sheets if (tab := GoogleTab.of(sheet))}
        return replace(self, tabs=tuple(({tab.id: tab for tab in self.tabs} | changed).values()))

    def by_id(self, id: int) -> GoogleTab | None:
        """Return the tab with an id, None if it was deleted."""
        return next((tab for tab in self.tabs if tab.id == id), None)

    def by_title(self, key: TabKey) -> GoogleTab | None:
        """Return the tab whose title is the name of a tab; None if there is none.

        Raises:
            WorkbookUnavailable: Two tabs have it.
        """
        tabs = meant(key, self.tabs, lambda tab: tab.title)
        if len(tabs) > 1:
            raise WorkbookUnavailable(
                f'{self.name}: the tabs "{tabs[0].title}" and "{tabs[1].title}" differ in capitals or spaces only; '
                f"rename one of them."
            )
        return tabs[0] if tabs else None


@dataclass(slots=True)
class KnownTabs:
    """The tabs of the program, with the ids found for them."""

    asked: set[TabKey] = field(default_factory=set)
    ids: dict[TabKey, int] = field(default_factory=dict)

    def find(self, titles: Titles, keys: Sequence[TabKey]) -> dict[TabKey, GoogleTab]:
        """Return the tabs of these keys; tabs that do not exist are absent.

        Raises:
            WorkbookUnavailable: Two tabs have one of the names.
        """
        self.asked |= set(keys)
        tabs = {key: tab for key in keys if (tab := self.tab(titles, key))}
        self.ids |= {key: tab.id for key, tab in tabs.items()}
        return tabs

    def tab(self, titles: Titles, key: TabKey) -> GoogleTab | None:
        """Return one tab, None if it does not exist.

        Raises:
            WorkbookUnavailable: Two tabs have the name.
        """
        titled = titles.by_title(key)
        renamed = [tab for tab in titles.tabs if TabKey.named(tab.title) not in self.asked]
        known = [tab for tab in renamed if tab.id == self.ids.get(key)]
        marked = [tab for tab in renamed if TabKey.named(tab.mark) == key and tab.id not in self.ids.values()]
        if titled and TabKey.named(titled.title).has_ending:
            return titled
        own = [tab for tab in (*known, *marked) if not (titled or key.has_ending) or TabKey.named(tab.mark).has_ending]
        return next(iter(own), titled)
