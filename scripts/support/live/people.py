"""Deeds: changes that people make to a spreadsheet while a program works in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scripts.support.live.losses import ANSWERS, LOSSES
from scripts.support.live.stage import (
    DIARY,
    FLANKS,
    JOUSTS,
    KNIGHTS,
    LEADERS,
    MILITARIES,
    NAMES,
    NATIONS,
    PLANS,
    PROTECTION,
    REQUESTS,
    SEEN,
    TAB,
    Formula,
    Stage,
)

Act = Callable[[Stage], object]
RECALCULATE = "calculate people's own columns"
WAVER = "type another place"
PASTED = "Pasted war"
"""The name of a war in a row that was pasted with a tick, and that nobody ticks."""


def _rows(first: int, last: int) -> dict[str, Any]:
    return {"sheetId": TAB, "dimension": "ROWS", "startIndex": first, "endIndex": last}


def _asked(tab: str, request: Mapping[str, Any]) -> Act:
    """Return the deed of sending a request that is the same whatever the tab holds."""
    return lambda stage: stage.do(tab, request)


def insert_above(tab: str) -> Act:
    """Return the deed of inserting a blank row below the headers."""
    return _asked(tab, {"insertDimension": {"range": _rows(1, 2), "inheritFromBefore": False}})


def insert_column(tab: str, at: int) -> Act:
    """Return the deed of inserting a blank column."""
    columns = {"sheetId": TAB, "dimension": "COLUMNS", "startIndex": at, "endIndex": at + 1}
    return _asked(tab, {"insertDimension": {"range": columns, "inheritFromBefore": False}})


def delete_row(tab: str, name: str) -> Act:
    def act(stage: Stage) -> None:
        if (row := stage.row(tab, name)) is not None:
            stage.do(tab, {"deleteDimension": {"range": _rows(row, row + 1)}})

    return act


def move_row(tab: str, name: str) -> Act:
    """Return the deed of dragging a row to the end."""

    def act(stage: Stage) -> None:
        end = len(stage.grid(tab))
        if (row := stage.row(tab, name)) is not None and row + 1 < end:
            stage.do(tab, {"moveDimension": {"source": _rows(row, row + 1), "destinationIndex": end}})

    return act


def copy_row(tab: str, name: str) -> Act:
    """Return the deed of inserting a row and pasting another one into it, id and all."""

    def act(stage: Stage) -> None:
        if (row := stage.row(tab, name)) is not None:
            inserted = {"insertDimension": {"range": _rows(row + 1, row + 2), "inheritFromBefore": False}}
            stage.do(tab, inserted, _pasted(row, row + 1, "PASTE_NORMAL"))

    return act


def cut_row(tab: str, name: str, onto: str = "") -> Act:
    """Return the deed of cutting a row and pasting it over another one, or below the last, leaving a blank row."""

    def act(stage: Stage) -> None:
        row, below = stage.row(tab, name), len(stage.grid(tab))
        target = stage.row(tab, onto) if onto else below
        if row is None or target is None:
            return
        source = {"sheetId": TAB, "startRowIndex": row, "endRowIndex": row + 1}
        destination = {"sheetId": TAB, "rowIndex": target, "columnIndex": 0}
        stage.do(tab, {"cutPaste": {"source": source, "destination": destination, "pasteType": "PASTE_NORMAL"}})

    return act


def copy_id(tab: str, name: str, onto: str = "") -> Act:
    """Return the deed of typing the id of a row into another one, or into a blank row below the last."""

    def act(stage: Stage) -> None:
        row, place = stage.row(tab, name), stage.place(tab, "Request")
        target = stage.row(tab, onto) if onto else len(stage.grid(tab))
        if row is None or place is None or target is None:
            return
        grid = stage.book.grid(stage.ids[tab]) or []
        seen = grid[row][place] if row < len(grid) and place < len(grid[row]) else None
        if isinstance(seen, str):
            stage.do(tab, _typed(target, place, seen))

    return act


def sort(tab: str, order: str = "DESCENDING") -> Act:
    """Return the deed of sorting a tab by the names of its rows."""
    return sort_by(tab, NAMES[tab], order)


def sort_by(tab: str, header: str, order: str = "ASCENDING") -> Act:
    """Return the deed of sorting a tab by a column."""

    def act(stage: Stage) -> None:
        if (place := stage.place(tab, header)) is not None:
            range = {"sheetId": TAB, "startRowIndex": 1, "endRowIndex": len(stage.grid(tab))}
            stage.do(tab, {"sortRange": {"range": range, "sortSpecs": [{"dimensionIndex": place, "sortOrder": order}]}})

    return act


def edit(tab: str, name: str, header: str, value: Any) -> Act:
    """Return the deed of typing into a cell."""
    return type_over(tab, name, {header: value})


def _asking(stage: Stage, tab: str, row: int, cells: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the requests that type cells into a row, by header."""
    places = {header: stage.place(tab, header) for header in cells}
    return [_typed(row, place, cells[header]) for header, place in places.items() if place is not None]


def type_over(tab: str, name: str, cells: Mapping[str, Any]) -> Act:
    """Return the deed of typing into cells of a row, by header."""

    def act(stage: Stage) -> None:
        if (row := stage.row(tab, name)) is not None and (typed := _asking(stage, tab, row, cells)):
            stage.do(tab, *typed)

    return act


def copy_as(tab: str, name: str, cells: Mapping[str, Any]) -> Act:
    """Return the deed of pasting a row below the last one, id and tick and all, and typing another war over it."""

    def act(stage: Stage) -> None:
        row, below = stage.row(tab, name), len(stage.grid(tab))
        if row is not None:
            stage.do(tab, _pasted(row, below, "PASTE_NORMAL"), *_asking(stage, tab, below, cells))

    return act


def paste_values(tab: str, name: str) -> Act:
    """Return the deed of pasting the values of a row below the last one, without its formulas."""

    def act(stage: Stage) -> None:
        if (row := stage.row(tab, name)) is not None:
            stage.do(tab, _pasted(row, len(stage.grid(tab)), "PASTE_VALUES"))

    return act


def _pasted(row: int, onto: int, kind: str) -> Mapping[str, Any]:
    source, target = ({"sheetId": TAB, "startRowIndex": at, "endRowIndex": at + 1} for at in (row, onto))
    return {"copyPaste": {"source": source, "destination": target, "pasteType": kind}}


def _typed(row: int, place: int, value: Any) -> Mapping[str, Any]:
    text = "formulaValue" if isinstance(value, Formula) else "stringValue"
    kind = "boolValue" if isinstance(value, bool) else text if isinstance(value, str) else "numberValue"
    start = {"sheetId": TAB, "rowIndex": row, "columnIndex": place}
    cell = {} if value is None else {"userEnteredValue": {kind: value}}
    return {"updateCells": {"start": start, "rows": [{"values": [cell]}], "fields": "userEnteredValue"}}


def rename(tab: str, title: str) -> Act:
    return _asked(tab, _titled(title))


def swap_titles(tab: str, other: str) -> Act:
    """Return the deed of exchanging the titles of two tabs; done twice, it has no effect."""

    def act(stage: Stage) -> None:
        titles = {id: title for title, id in stage.twin.tabs.items()}
        one, two = (titles.get(stage.ids[name]) for name in (tab, other))
        if one and two and stage.do(tab, _titled("for a moment")):
            stage.do(other, _titled(one))
            stage.do(tab, _titled(two))

    return act


def _titled(title: str) -> Mapping[str, Any]:
    return {"updateSheetProperties": {"properties": {"sheetId": TAB, "title": title}, "fields": "title"}}


def protect(tab: str) -> Act:
    """Return the deed of protecting a tab from the program's account."""
    protection = {"protectedRangeId": PROTECTION, "range": {"sheetId": TAB}}
    return _asked(tab, {"addProtectedRange": {"protectedRange": protection}})


def unprotect(tab: str) -> Act:
    return _asked(tab, {"deleteProtectedRange": {"protectedRangeId": PROTECTION}})


def delete_tab(tab: str) -> Act:
    return _asked(tab, {"deleteSheet": {"sheetId": TAB}})


def recalculate(stage: Stage) -> None:
    """Let each cell of people's own columns show something else, as clocks, feeds and imported ranges do."""
    for tab in stage.ids:
        if (place := stage.place(tab, SEEN)) is None:
            continue
        cells = {number: row[place] for number, row in enumerate(stage.grid(tab)) if place < len(row)}
        seen = {number: int(cell.split()[1]) for number, cell in cells.items() if str(cell).startswith("seen")}
        if seen:
            stage.do(tab, *(_typed(number, place, f"seen {times + 1} times") for number, times in seen.items()))


def waver(stage: Stage) -> None:
    """Let the place of a war be another one than a moment ago."""
    row, place = stage.row(REQUESTS, "Stamford Bridge"), stage.place(REQUESTS, "Location")
    if row is not None and place is not None:
        places = [cells[0] for cells in stage.grid("Locations")[1:]]
        at = places.index(stage.grid(REQUESTS)[row][place])
        stage.do(REQUESTS, _typed(row, place, places[(at + 1) % len(places)]))


def nothing(stage: Stage) -> None:
    """Do nothing, as a person who only looks."""


DEEDS: Mapping[str, Act] = {
    "insert above requests": insert_above(REQUESTS),
    "insert above nations": insert_above(NATIONS),
    "insert above leaders": insert_above(LEADERS),
    "insert above flanks": insert_above(FLANKS),
    "delete the first request": delete_row(REQUESTS, "Stamford Bridge"),
    "delete the request without an id": delete_row(REQUESTS, "Manzikert"),
    "delete a nation": delete_row(NATIONS, "Normandy"),
    "delete a leader": delete_row(LEADERS, "Harold Godwinson"),
    "delete a flank": delete_row(FLANKS, "hill"),
    "drag a request to the end": move_row(REQUESTS, "=Hastings"),
    "drag a nation to the end": move_row(NATIONS, "England"),
    "sort requests": sort(REQUESTS),
    "sort nations": sort(NATIONS),
    "sort leaders": sort(LEADERS),
    "sort flanks": sort(FLANKS),
    "sort requests up": sort(REQUESTS, "ASCENDING"),
    "rename requests": rename(REQUESTS, "Wars"),
    "rename requests back": rename(REQUESTS, REQUESTS),
    "rename nations": rename(NATIONS, "Our nations"),
    "rename nations back": rename(NATIONS, NATIONS),
    "swap nations and leaders": swap_titles(NATIONS, LEADERS),
    "edit a year": edit(REQUESTS, "=Hastings", "Year", 1067),
    "edit a size": edit(MILITARIES, "Harold's Host", "Size", 6500),
    "mend the refused one": edit(REQUESTS, "Fulford", "Defender", "Norway"),
    "tick the last one": edit(REQUESTS, "Channel interception", "Ready", True),
    "untick one": edit(REQUESTS, "=Hastings", "Ready", False),
    "rewrite a remark": edit(REQUESTS, "Stamford Bridge", "Remarks", "=another"),
    "move a flank": edit(FLANKS, "hill", "X", 210),
    "copy a request": copy_row(REQUESTS, "=Hastings"),
    "copy a nation": copy_row(NATIONS, "England"),
    RECALCULATE: recalculate,
    "cut a request and paste it at the end": cut_row(REQUESTS, "Stamford Bridge"),
    "cut the request without an id and paste it at the end": cut_row(REQUESTS, "Manzikert"),
    "cut a request and paste it over another": cut_row(REQUESTS, "=Hastings", "Fulford"),
    "cut a nation and paste it at the end": cut_row(NATIONS, "England"),
    "cut a flank and paste it at the end": cut_row(FLANKS, "hill"),
    "copy an id onto another request": copy_id(REQUESTS, "=Hastings", "Fulford"),
    "copy an id onto the request without one": copy_id(REQUESTS, "=Hastings", "Manzikert"),
    "copy an id onto a blank row": copy_id(REQUESTS, "=Hastings"),
    "copy the id that was given onto another request": copy_id(REQUESTS, "Manzikert", "Fulford"),
    "copy the id that was given onto a blank row": copy_id(REQUESTS, "Manzikert"),
    "clear an id": edit(REQUESTS, "=Hastings", "Request", None),
    "clear the id that was given": edit(REQUESTS, "Manzikert", "Request", None),
    "edit an id": edit(REQUESTS, "=Hastings", "Request", "W-0099"),
    "edit the id that was given": edit(REQUESTS, "Manzikert", "Request", "W-0088"),
    "type another war over a request": type_over(
        REQUESTS, "Stamford Bridge", {"War": "Retyped war", "Year": 1073, "Location": "Manzikert"}
    ),
    "type another war over a request, but its name": type_over(REQUESTS, "Stamford Bridge", {"Location": "Manzikert"}),
    "copy a request as another war": copy_as(REQUESTS, "Stamford Bridge", {"War": PASTED, "Year": 1072}),
    "copy a request as values": paste_values(REQUESTS, "Stamford Bridge"),
    "insert above plans": insert_above(PLANS),
    "sort plans": sort(PLANS),
    "drag a plan to the end": move_row(PLANS, "Stamford Bridge"),
    "edit a plan": edit(PLANS, "=Hastings", "Location", "Manzikert"),
    "delete a plan": delete_row(PLANS, "Stamford Bridge"),
    "sort requests by formulas": sort_by(REQUESTS, "Attacker"),
    "protect requests": protect(REQUESTS),
    "unprotect requests": unprotect(REQUESTS),
    "protect nations": protect(NATIONS),
    "unprotect nations": unprotect(NATIONS),
    "delete flanks": delete_tab(FLANKS),
    "delete the diary": delete_tab(DIARY),
    "insert a column before requests": insert_column(REQUESTS, 0),
    "insert a column among requests": insert_column(REQUESTS, 4),
    "insert a column before nations": insert_column(NATIONS, 0),
    "insert a column before leaders": insert_column(LEADERS, 0),
    "insert a column before flanks": insert_column(FLANKS, 0),
    "insert above jousts": insert_above(JOUSTS),
    "sort jousts": sort(JOUSTS),
    "drag a joust to the end": move_row(JOUSTS, "The first joust"),
    "sort knights": sort(KNIGHTS),
    "drag a knight to the end": move_row(KNIGHTS, "Tancred"),
    "insert a column before jousts": insert_column(JOUSTS, 0),
    "insert a column before knights": insert_column(KNIGHTS, 0),
}
"""The deeds by name, so that a schedule can be written down."""


REUSES = tuple(name for name in DEEDS if name.endswith(("plan", "plans", "plan to the end")) or "another war" in name)
"""Deeds after which the row of an id may name another war."""

OF_IDS = tuple(name for name in DEEDS if " id" in name and "without an id" not in name)
"""Deeds that change ids: afterwards people decide which id a row keeps."""

RUINOUS = (*OF_IDS, *(name for name in DEEDS if name.startswith(("delete", "cut", "copy"))))
"""Deeds after which a cell may be beyond repair: the row or the cell that identifies its place is gone, or exists
twice. Then the program has to name the cell.
"""


RULE_AGAIN = "choose to rule one again"
FORGET = "clear the time of a ruling"
EVERY_DEED: Mapping[str, Act] = {
    **DEEDS,
    **LOSSES,
    **ANSWERS,
    WAVER: waver,
    RULE_AGAIN: edit(REQUESTS, "=Hastings", "Action", "Rule again"),
    FORGET: edit(REQUESTS, "=Hastings", "Ruled At", None),
}
"""All deeds, with those in the program's tabs."""


def mend(stage: Stage) -> None:
    """Restore titles and protections, since the program cannot work with tabs that it cannot find or write."""
    for tab, id in stage.ids.items():
        titles = {id: title for title, id in stage.twin.tabs.items()}
        if id in titles and titles[id] != tab:
            if tab in titles.values():
                swap_titles(tab, next(name for name, other in stage.ids.items() if titles.get(other) == tab))(stage)
            else:
                rename(tab, tab)(stage)
        unprotect(tab)(stage)
