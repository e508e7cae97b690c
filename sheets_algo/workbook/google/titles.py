"""Which tab is meant by a name: by its title, else the one found under that name before, else the one that is marked.

A tab keeps its id for life, whatever people call it. A spreadsheet's answers name tabs by title, so titles are kept
and read again when they turn out to be old.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sheets_algo.workbook.base import WorkbookUnavailable, letters, tab_key
from sheets_algo.workbook.google.batch import MARK_KEY

Area = tuple[int, int, int, int]
"""First row, first column, last row, last column; from 1, ends included."""

TAB_FIELDS = (
    "properties(sheetId,title,index,sheetType,gridProperties(rowCount,columnCount)),merges,"
    "developerMetadata(metadataKey,metadataValue)"
)
"""Mask of what `Tab.of` reads."""

_FAR = 1 << 30
"""Stands for the open end of an area."""


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab as the spreadsheet last described it.

    Args:
        id: For life.
        title: As people call it now.
        index: Its place among the tabs, from 0.
        rows: Of the grid.
        columns: Of the grid.
        merged: Merged cells.
        mark: The name the program knows it by, blank if it is not marked.
    """

    id: int
    title: str
    index: int
    rows: int
    columns: int
    merged: tuple[Area, ...] = ()
    mark: str = ""

    @classmethod
    def of(cls, sheet: Mapping[str, Any]) -> Tab | None:
        """From a `Sheet` of the API; None for a chart's or a data source's own tab, which has no cells."""
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
        """The tab, or some rows of it, in A1 notation."""
        return quoted(self.title) if first is None else f"{quoted(self.title)}!{first}:{last}"

    def below(self, first: int, width: int) -> str:
        """The rows from `first` down to whatever row there is, in A1 notation; `width` columns if it has no more."""
        return f"{quoted(self.title)}!A{first}:{letters(max(self.columns, width))}"


def quoted(title: str) -> str:
    """A title as A1 notation has it: always in quotes, for it may look like a cell."""
    return "'" + title.replace("'", "''") + "'"


def area_of(range: Mapping[str, Any]) -> Area:
    """A `GridRange` of the API, whose open ends are absent."""
    return (
        range.get("startRowIndex", 0) + 1,
        range.get("startColumnIndex", 0) + 1,
        range.get("endRowIndex", _FAR),
        range.get("endColumnIndex", _FAR),
    )


def holds(area: Area, row: int, column: int) -> bool:
    """Whether a cell lies inside."""
    return area[0] <= row <= area[2] and area[1] <= column <= area[3]


def is_open_below(area: Area) -> bool:
    """Whether an area reaches down to whatever row there will be."""
    return area[2] == _FAR


@dataclass(frozen=True, slots=True)
class Titles:
    """The tabs of a spreadsheet as it last described them.

    Args:
        name: The spreadsheet's title.
        tabs: In their order.
    """

    name: str
    tabs: tuple[Tab, ...]

    @classmethod
    def of(cls, name: str, answer: Mapping[str, Any]) -> Titles:
        """From a `Spreadsheet` of the API."""
        tabs = (Tab.of(sheet) for sheet in answer.get("sheets", ()))
        return cls(name, tuple(sorted((tab for tab in tabs if tab), key=lambda tab: tab.index)))

    def with_news(self, sheets: Iterable[Mapping[str, Any]]) -> Titles:
        """The same with what a later answer says of some tabs."""
        news = {tab.id: tab for sheet in sheets if (tab := Tab.of(sheet))}
        return replace(self, tabs=tuple(news.get(tab.id, tab) for tab in self.tabs))

    def by_id(self, id: int) -> Tab | None:
        """The tab of that id, unless it was deleted."""
        return next((tab for tab in self.tabs if tab.id == id), None)

    def by_title(self, key: str) -> Tab | None:
        """The tab of that title, compared as `tab_key` does.

        Raises:
            WorkbookUnavailable: There are two.
        """
        found = [tab for tab in self.tabs if tab_key(tab.title) == key]
        if len(found) > 1:
            raise WorkbookUnavailable(
                f'{self.name}: the tabs "{found[0].title}" and "{found[1].title}" differ in capitals or spaces only; '
                f"rename one of them."
            )
        return found[0] if found else None


@dataclass(slots=True)
class KnownTabs:
    """The tabs that the program works with: the names it asked for, and the ids it found under them."""

    names: dict[str, str] = field(default_factory=dict)
    ids: dict[str, int] = field(default_factory=dict)

    def find(self, titles: Titles, names: Sequence[str]) -> dict[str, Tab]:
        """The tabs of the names that the program asks for, by `tab_key`; what does not exist is absent.

        Raises:
            WorkbookUnavailable: Two tabs go by one of the names.
        """
        self.names |= {tab_key(name): " ".join(name.split()) for name in names}
        found = {key: tab for key in map(tab_key, names) if (tab := self.tab(titles, key))}
        self.ids |= {key: tab.id for key, tab in found.items()}
        return found

    def tab(self, titles: Titles, key: str) -> Tab | None:
        """The tab of one name, if it exists.

        Raises:
            WorkbookUnavailable: Two tabs go by the name.
        """
        if tab := titles.by_title(key):
            return tab
        renamed = [tab for tab in titles.tabs if tab_key(tab.title) not in self.names]
        held = [tab for tab in renamed if tab.id == self.ids.get(key)]
        marked = [tab for tab in renamed if tab_key(tab.mark) == key and tab.id not in self.ids.values()]
        return next(iter((*held, *marked)), None)
