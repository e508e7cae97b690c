"""The present state of a template's tabs in a spreadsheet: their columns, and the rules on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sheets_algo.workbook.addresses import letters
from sheets_algo.workbook.google.commit import guard
from sheets_algo.workbook.google.http.api import Api
from sheets_algo.workbook.google.read.live_cells import grid_cells
from sheets_algo.workbook.google.read.titles import TAB_FIELDS, Area, KnownTabs, Titles, area_of, quoted
from sheets_algo.workbook.google.read.titles import GoogleTab as Titled
from sheets_algo.workbook.tab_key import TabKey, folded
from sheets_algo.workbook.template_spec import ColumnSpec, TabSpec, Template

HEADER_SEARCH = 10
"""The last row that may hold headers, under a title."""
SAMPLE = 20
"""The rows that are searched first for notes and drop-downs."""
_STRUCTURE = (
    "properties(title),developerMetadata(metadataId,metadataKey,metadataValue),"
    f"sheets({TAB_FIELDS},protectedRanges(protectedRangeId,description),"
    "conditionalFormats(ranges,booleanRule(condition)),columnGroups(range,depth))"
)
_CELLS = "sheets(properties(sheetId),data(startRow,startColumn,rowData(values(note,dataValidation(condition(type))))))"


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentTab:
    """The present or planned state of one of the template's tabs."""

    id: int  # The tab's id, which never changes
    title: str  # The tab's current title
    rows: int = 0  # The number of the grid's rows; 0 for a tab that does not exist yet
    columns: int = 0  # The number of the grid's columns
    header_row: int = 0  # The number of the row with the headers; 0 where there is none
    last_row: int = 0  # The number of the last row that holds anything, as far as it was read; 0 for a blank tab
    # The number of a column in the tab by its number in the template; missing columns are absent.
    places: Mapping[int, int] = field(default_factory=dict)
    noted: frozenset[int] = frozenset()  # The numbers of the tab's columns whose header has a note
    # The numbers of the tab's columns in which some cell has a drop-down, a check mark or a range.
    checked: frozenset[int] = frozenset()
    protected: frozenset[str] = frozenset()  # The descriptions of the protected ranges
    tinted: tuple[tuple[Area, str], ...] = ()  # The conditional colours for a word, each with its area and the word
    is_marked: bool = False  # The tab holds the mark by which the program finds it
    # The first and last columns of its groups of columns, each with the group's depth.
    groups: frozenset[tuple[int, int, int]] = frozenset()

    @property
    def is_blank(self) -> bool:
        """Return True if the content of the tab is still missing."""
        return self.last_row == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentSpreadsheet:
    """The state of a spreadsheet, as far as a template describes it."""

    name: str = ""  # The spreadsheet's title
    # The state of each of the template's tabs; tabs that do not exist are absent.
    tabs: Mapping[TabKey, CurrentTab] = field(default_factory=dict)
    ids: frozenset[int] = frozenset()  # The ids of all tabs
    protected_ids: frozenset[int] = frozenset()  # The ids of all protected ranges
    slots: frozenset[int] = frozenset()  # The slots of all receipts ever written
    foreign: frozenset[TabKey] = frozenset()  # The tabs beside which people have one of their own of the same name
    spare: int | None = None  # The id of a new spreadsheet's blank tab, if unused


def look(api: Api, template: Template) -> CurrentSpreadsheet:
    """Read the state of a spreadsheet in three requests, one more if a column seems to have lost its drop-downs.

    Raises:
        WorkbookUnavailable: The spreadsheet cannot be read, or two tabs have one name.
    """
    answer = api.get(fields=_STRUCTURE)
    titles = Titles.of(answer.get("properties", {}).get("title", ""), answer)
    known = KnownTabs().find(
        titles, [tab.key.beside if tab.key in template.foreign else tab.key for tab in template.tabs]
    )
    sheets = {sheet["properties"].get("sheetId", 0): sheet for sheet in answer.get("sheets", ())}
    tabs = [(tab, known[tab.key]) for tab in template.tabs if tab.key in known]
    spare = _spare(titles, sheets, [tab.id for tab in known.values()])
    ranges = {titled.id: _to_read(tab, titled) for tab, titled in tabs}
    ranges |= {spare.id: spare.range()} if spare else {}
    values = dict(zip(ranges, api.batch_get([*ranges.values()]), strict=True)) if ranges else {}
    current_tabs = {tab.key: _current_tab(tab, titled, sheets[titled.id], values[titled.id]) for tab, titled in tabs}
    foreign = frozenset(
        tab.key for tab, titled in tabs if _is_foreign(tab, titled, current_tabs[tab.key], values[titled.id])
    )
    current_tabs = {key: tab for key, tab in current_tabs.items() if key not in foreign}
    return CurrentSpreadsheet(
        name=titles.name,
        foreign=foreign | template.foreign.keys(),
        tabs=_with_cells(api, template, current_tabs),
        ids=frozenset(sheets),
        protected_ids=frozenset(
            area.get("protectedRangeId", 0) for sheet in sheets.values() for area in sheet.get("protectedRanges", ())
        ),
        slots=frozenset(guard.slots(answer.get("developerMetadata", ()))),
        spare=spare.id if spare and not any(map(any, values[spare.id])) else None,
    )


def _is_foreign(tab: TabSpec, titled: Titled, current: CurrentTab, rows: Sequence[Sequence[Any]]) -> bool:
    """Return True if a tab with the name of a helper tab, such as Guide or Lists, is people's own."""
    is_like = current.header_row or next((cell for row in rows for cell in row if cell), "") == tab.top_row[0]
    return not (tab.is_needed or titled.mark or current.is_blank or is_like)


def header_keys(headers: Iterable[Any]) -> Iterator[str]:
    """Yield the keys for comparing headers; blank ones are counted from the one before, as in a helper tab's blocks."""
    last, blanks = "", 0
    for header in headers:
        key = folded(header) if isinstance(header, str) else ""
        last, blanks = (key, 0) if key else (last, blanks + 1)
        yield f"{last}\n{blanks}" if blanks else last


def _to_read(tab: TabSpec, titled: Titled) -> str:
    """Return the range to read: people's tabs as a whole; of the program's own, which may be long, the first rows."""
    return titled.range(1, min(SAMPLE, titled.rows)) if tab.is_programs else titled.range()


def _current_tab(tab: TabSpec, titled: Titled, sheet: Mapping[str, Any], rows: Sequence[Sequence[Any]]) -> CurrentTab:
    header_row, places = _places(tab, rows, titled.columns) if tab.has_header else (0, {})
    filled = [number for number, row in enumerate(rows, start=1) if any(cell not in ("", None) for cell in row)]
    return CurrentTab(
        id=titled.id,
        title=titled.title,
        rows=titled.rows,
        columns=titled.columns,
        header_row=header_row,
        last_row=max(filled, default=0),
        places=places,
        protected=frozenset(area.get("description", "") for area in sheet.get("protectedRanges", ())),
        tinted=tuple(_tints(sheet.get("conditionalFormats", ()))),
        is_marked=bool(titled.mark),
        groups=frozenset(
            (group["range"].get("startIndex", 0) + 1, group["range"]["endIndex"], group["depth"])
            for group in sheet.get("columnGroups", ())
        ),
    )


def _places(tab: TabSpec, rows: Sequence[Sequence[Any]], width: int) -> tuple[int, dict[int, int]]:
    """Return the row with most of the template's headers among the first ten, and the number of each column."""
    specs = [*zip(tab.columns, header_keys(column.header for column in tab.columns), strict=True)]
    best: tuple[int, dict[int, int]] = 0, {}
    for number, row in enumerate(rows[:HEADER_SEARCH], start=1):
        columns: dict[str, int] = {}
        for column, key in enumerate(header_keys([*row, *[""] * (width - len(row))]), start=1):
            columns.setdefault(key, column)
        places = {place: at for place, spec in enumerate(specs, start=1) if (at := _find_column(*spec, columns))}
        if len(places) > len(best[1]):
            best = number, places
    return best


def _find_column(column: ColumnSpec, key: str, columns: Mapping[str, int]) -> int | None:
    return next((columns[name] for name in (key, *map(folded, column.aliases)) if name and name in columns), None)


def _tints(rules: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Area, str]]:
    for rule in rules:
        condition = rule.get("booleanRule", {}).get("condition", {})
        if condition.get("type") == "TEXT_EQ":
            for value in condition.get("values", ())[:1]:
                yield from ((area_of(area), value.get("userEnteredValue", "")) for area in rule.get("ranges", ()))


def _with_cells(api: Api, template: Template, current_tabs: Mapping[TabKey, CurrentTab]) -> dict[TabKey, CurrentTab]:
    """Return the tabs with the notes on their headers, and with the columns that have drop-downs."""
    tabs = {tab.key: tab for tab in template.tabs}
    sampled = {key: current for key, current in current_tabs.items() if current.header_row}
    if not sampled:
        return dict(current_tabs)
    ranges = [_range(current, 1, min(SAMPLE, current.rows)) for current in sampled.values()]
    cells = _read_cells(api, ranges)
    tabs_read = dict(current_tabs)
    for key, current in sampled.items():
        noted = {
            column for row, column, cell in cells.get(current.id, ()) if row == current.header_row and cell.get("note")
        }
        checked = {column for _, column, cell in cells.get(current.id, ()) if "dataValidation" in cell}
        tabs_read[key] = replace(current, noted=frozenset(noted), checked=frozenset(checked))
    lacking = {key: list(_lacking(tabs[key], tabs_read[key])) for key in sampled}
    ranges = [
        _range(tabs_read[key], 1, tabs_read[key].rows, column) for key, columns in lacking.items() for column in columns
    ]
    cells = _read_cells(api, ranges) if ranges else {}
    for key in lacking:
        current = tabs_read[key]
        more = {column for _, column, cell in cells.get(current.id, ()) if "dataValidation" in cell}
        tabs_read[key] = replace(current, checked=current.checked | more)
    return tabs_read


def _lacking(tab: TabSpec, current: CurrentTab) -> Iterator[int]:
    """Yield the columns whose expected drop-downs are missing in the sample."""
    for place, at in current.places.items():
        if at not in current.checked and any(not check.is_open for check in tab.columns[place - 1].checks):
            yield at


def _read_cells(api: Api, ranges: Sequence[str]) -> dict[int, list[tuple[int, int, Mapping[str, Any]]]]:
    """Return row, column and content of the cells that have a note or a rule, by tab id."""
    by_tab: dict[int, list[tuple[int, int, Mapping[str, Any]]]] = {}
    for sheet in api.get(fields=_CELLS, ranges=ranges).get("sheets", ()):
        cells = by_tab.setdefault(sheet["properties"].get("sheetId", 0), [])
        cells += ((row, column, cell) for (row, column), cell in grid_cells(sheet.get("data", ())) if cell)
    return by_tab


def _range(tab: CurrentTab, first: int, last: int, column: int | None = None) -> str:
    at = letters(column) if column else ""
    return f"{quoted(tab.title)}!{at}{first}:{at}{last}"


def _spare(titles: Titles, sheets: Mapping[int, Mapping[str, Any]], used: Sequence[int]) -> Titled | None:
    """Return the unused first tab of a new spreadsheet (`Sheet1`, `Tabelle1`), None if it was resized or has rules."""
    tab = titles.by_id(0)
    if tab is None or tab.id in used or (tab.rows, tab.columns) != (1000, 26) or tab.merged or tab.mark:
        return None
    has_rules = any(key in sheets[0] for key in ("protectedRanges", "conditionalFormats"))
    return tab if re.fullmatch(r"\D+1", tab.title) and not has_rules else None
