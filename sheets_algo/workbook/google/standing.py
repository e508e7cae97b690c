"""What stands in a spreadsheet of what a template describes: the tabs, their columns, and the rules on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sheets_algo.template.parts import Column, Tab, Template
from sheets_algo.workbook.base import letters, tab_key
from sheets_algo.workbook.google import guard
from sheets_algo.workbook.google.api import Api
from sheets_algo.workbook.google.reading import grid_cells
from sheets_algo.workbook.google.titles import TAB_FIELDS, Area, KnownTabs, Titles, area_of, quoted
from sheets_algo.workbook.google.titles import Tab as Titled

HEADER_SEARCH = 10
"""A header row may stand this far down, under a title."""
SAMPLE = 20
"""Rows in which notes and drop-downs are looked for first."""
_STRUCTURE = (
    "properties(title),developerMetadata(metadataId,metadataKey,metadataValue),"
    f"sheets({TAB_FIELDS},protectedRanges(protectedRangeId,description),"
    "conditionalFormats(ranges,booleanRule(condition)))"
)
_CELLS = "sheets(properties(sheetId),data(startRow,startColumn,rowData(values(note,dataValidation(condition(type))))))"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One of the template's tabs as it stands, or is about to.

    Args:
        id: For life.
        title: As people call it now.
        rows: Of the grid; 0 for a tab that does not exist yet.
        columns: Of the grid.
        header_row: Number of the row with the headers; 0 where there is none.
        last_row: Number of the last row that holds anything, as far as it was read; 0 for a blank tab.
        places: Number of a column in the template to its number in the tab; columns that the tab lacks are absent.
        noted: Numbers of the tab's columns whose header has a note.
        checked: Numbers of the tab's columns in which some cell has a drop-down, a check mark or a range.
        protected: Descriptions of the protected ranges.
        tinted: Conditional colours for a word: its area, and the word.
        is_marked: Whether the tab tells the program which one it is.
    """

    id: int
    title: str
    rows: int = 0
    columns: int = 0
    header_row: int = 0
    last_row: int = 0
    places: Mapping[int, int] = field(default_factory=dict)
    noted: frozenset[int] = frozenset()
    checked: frozenset[int] = frozenset()
    protected: frozenset[str] = frozenset()
    tinted: tuple[tuple[Area, str], ...] = ()
    is_marked: bool = False

    @property
    def is_blank(self) -> bool:
        """Whether the whole tab is still to be made."""
        return self.last_row == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A spreadsheet as far as a template goes.

    Args:
        name: Its title.
        tabs: Name of a tab of the template to what stands there; tabs that do not exist are absent.
        ids: Of all tabs.
        protected_ids: Of all protected ranges.
        slots: Of receipts that were written, now or once.
        spare: Id of the blank tab that every new spreadsheet begins with, if nobody has touched it.
    """

    name: str = ""
    tabs: Mapping[str, Standing] = field(default_factory=dict)
    ids: frozenset[int] = frozenset()
    protected_ids: frozenset[int] = frozenset()
    slots: frozenset[int] = frozenset()
    spare: int | None = None


def look(api: Api, template: Template) -> Seen:
    """What stands there: three reads, one more if a column seems to have lost its drop-downs.

    Raises:
        WorkbookUnavailable: It cannot be read, or two tabs go by one name.
    """
    answer = api.get(fields=_STRUCTURE)
    titles = Titles.of(answer.get("properties", {}).get("title", ""), answer)
    found = KnownTabs().find(titles, [tab.name for tab in template.tabs])
    sheets = {sheet["properties"].get("sheetId", 0): sheet for sheet in answer.get("sheets", ())}
    described = [(tab, found[tab_key(tab.name)]) for tab in template.tabs if tab_key(tab.name) in found]
    spare = _spare(titles, sheets, [it.id for it in found.values()])
    ranges = {titled.id: _to_read(tab, titled) for tab, titled in described}
    ranges |= {spare.id: spare.range()} if spare else {}
    values = dict(zip(ranges, api.batch_get([*ranges.values()]), strict=True)) if ranges else {}
    standing = {tab.name: _standing(tab, titled, sheets[titled.id], values[titled.id]) for tab, titled in described}
    return Seen(
        name=titles.name,
        tabs=_with_cells(api, template, standing),
        ids=frozenset(sheets),
        protected_ids=frozenset(
            it["protectedRangeId"] for sheet in sheets.values() for it in sheet.get("protectedRanges", ())
        ),
        slots=frozenset(guard.slots(answer.get("developerMetadata", ()))),
        spare=spare.id if spare and not any(map(any, values[spare.id])) else None,
    )


def header_keys(headers: Iterable[Any]) -> Iterator[str]:
    """How headers are compared; a blank one counts on from the one before, as blocks of a helper tab have them."""
    last, blanks = "", 0
    for header in headers:
        key = tab_key(header) if isinstance(header, str) else ""
        last, blanks = (key, 0) if key else (last, blanks + 1)
        yield f"{last}\n{blanks}" if blanks else last


def _to_read(tab: Tab, titled: Titled) -> str:
    """People may begin anywhere in a tab; the program's own may be very long, and begin at the top."""
    return titled.range(1, min(SAMPLE, titled.rows)) if tab.is_programs else titled.range()


def _standing(tab: Tab, titled: Titled, sheet: Mapping[str, Any], rows: Sequence[Sequence[Any]]) -> Standing:
    header_row, places = _places(tab, rows, titled.columns) if tab.has_header else (0, {})
    filled = [number for number, row in enumerate(rows, start=1) if any(cell not in ("", None) for cell in row)]
    return Standing(
        id=titled.id,
        title=titled.title,
        rows=titled.rows,
        columns=titled.columns,
        header_row=header_row,
        last_row=max(filled, default=0),
        places=places,
        protected=frozenset(it.get("description", "") for it in sheet.get("protectedRanges", ())),
        tinted=tuple(_tints(sheet.get("conditionalFormats", ()))),
        is_marked=bool(titled.mark),
    )


def _places(tab: Tab, rows: Sequence[Sequence[Any]], width: int) -> tuple[int, dict[int, int]]:
    """The row with the most of the template's headers among the first ten, and where each column stands."""
    wanted = [*zip(tab.columns, header_keys(column.header for column in tab.columns), strict=True)]
    best: tuple[int, dict[int, int]] = 0, {}
    for number, row in enumerate(rows[:HEADER_SEARCH], start=1):
        columns: dict[str, int] = {}
        for column, key in enumerate(header_keys([*row, *[""] * (width - len(row))]), start=1):
            columns.setdefault(key, column)
        found = {place: at for place, it in enumerate(wanted, start=1) if (at := _at(*it, columns))}
        if len(found) > len(best[1]):
            best = number, found
    return best


def _at(column: Column, key: str, columns: Mapping[str, int]) -> int | None:
    return next((columns[it] for it in (key, *map(tab_key, column.aliases)) if it and it in columns), None)


def _tints(rules: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Area, str]]:
    for rule in rules:
        condition = rule.get("booleanRule", {}).get("condition", {})
        if condition.get("type") == "TEXT_EQ":
            word = condition["values"][0].get("userEnteredValue", "")
            yield from ((area_of(area), word) for area in rule.get("ranges", ()))


def _with_cells(api: Api, template: Template, standing: Mapping[str, Standing]) -> dict[str, Standing]:
    """The same with the notes on the headers, and with the columns that have drop-downs."""
    tabs = {tab.name: tab for tab in template.tabs}
    sampled = {name: it for name, it in standing.items() if it.header_row}
    if not sampled:
        return dict(standing)
    ranges = [_range(it, 1, min(SAMPLE, it.rows)) for it in sampled.values()]
    cells = _read_cells(api, ranges)
    done = dict(standing)
    for name, it in sampled.items():
        noted = {column for row, column, cell in cells.get(it.id, ()) if row == it.header_row and cell.get("note")}
        checked = {column for _, column, cell in cells.get(it.id, ()) if "dataValidation" in cell}
        done[name] = replace(it, noted=frozenset(noted), checked=frozenset(checked))
    lacking = {name: list(_lacking(tabs[name], done[name])) for name in sampled}
    ranges = [_range(done[name], 1, done[name].rows, column) for name, columns in lacking.items() for column in columns]
    cells = _read_cells(api, ranges) if ranges else {}
    for name in lacking:
        it = done[name]
        more = {column for _, column, cell in cells.get(it.id, ()) if "dataValidation" in cell}
        done[name] = replace(it, checked=it.checked | more)
    return done


def _lacking(tab: Tab, it: Standing) -> Iterator[int]:
    """Columns that should have drop-downs and show none in the sample."""
    for place, at in it.places.items():
        if at not in it.checked and any(not check.is_open for check in tab.columns[place - 1].checks):
            yield at


def _read_cells(api: Api, ranges: Sequence[str]) -> dict[int, list[tuple[int, int, Mapping[str, Any]]]]:
    """Row, column and content of the cells that have a note or a rule, by tab."""
    found: dict[int, list[tuple[int, int, Mapping[str, Any]]]] = {}
    for sheet in api.get(fields=_CELLS, ranges=ranges).get("sheets", ()):
        cells = found.setdefault(sheet["properties"].get("sheetId", 0), [])
        cells += ((row, column, cell) for (row, column), cell in grid_cells(sheet.get("data", ())) if cell)
    return found


def _range(it: Standing, first: int, last: int, column: int | None = None) -> str:
    at = letters(column) if column else ""
    return f"{quoted(it.title)}!{at}{first}:{at}{last}"


def _spare(titles: Titles, sheets: Mapping[int, Mapping[str, Any]], used: Sequence[int]) -> Titled | None:
    """The first tab of a new spreadsheet (`Sheet1`, `Tabelle1`), as large as it was made and without rules."""
    tab = titles.by_id(0)
    if tab is None or tab.id in used or (tab.rows, tab.columns) != (1000, 26) or tab.merged or tab.mark:
        return None
    has_rules = any(key in sheets[0] for key in ("protectedRanges", "conditionalFormats"))
    return tab if re.fullmatch(r"\D+1", tab.title) and not has_rules else None
