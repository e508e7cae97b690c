"""The greeting of a spreadsheet shared with the account: a tab with a box that its owner ticks to begin.

Both are noted in developer metadata under unique ids, which Google accepts once: even if sent twice, or by two
programs, the greeting is written once, and never again after its deletion.
"""

from __future__ import annotations

import secrets
from typing import Any

from sheets_algo.workbook.google.commit.requests import create_metadata
from sheets_algo.workbook.google.http.api import Api, BadRequest
from sheets_algo.workbook.google.read.titles import quoted
from sheets_algo.workbook.tab_key import TabKey

GREETED_ID = 1_069_000_000
"""The id of the note that the greeting was written; its value is the id of the tab."""
ASKED_ID = GREETED_ID + 1
"""The id of the note that the box was ticked."""
KEY = "sheets-algo-welcome"
TITLES = ("Guide", "Guide of sheets-algo")
LINES = (
    "sheets-algo can rule a map game in this spreadsheet.",
    "Nothing is ruled before the owner of the spreadsheet ticks the box below. Then the tabs of a game are added, a"
    " guide takes the place of this one, and what you have stays as it is.",
    "If nobody asked for this, take the spreadsheet's sharing with the account back, or delete this tab.",
)
BOX = len(LINES) + 1
"""The row of the box."""
WIDTH = 700
"""The width of the tab's only column, in pixels."""


def is_asked(api: Api, *, greets: bool = True) -> bool:
    """Write the greeting once, if required; return True if the owner has ticked the box.

    Raises:
        WorkbookUnavailable: The spreadsheet cannot be read or written.
    """
    answer = api.get(fields="developerMetadata(metadataId,metadataValue),sheets(properties(sheetId,title))")
    notes = {note["metadataId"]: note.get("metadataValue", "") for note in answer.get("developerMetadata", ())}
    tabs = {tab["properties"].get("sheetId", 0): tab["properties"]["title"] for tab in answer.get("sheets", ())}
    if ASKED_ID in notes:
        return True
    try:
        if GREETED_ID not in notes and not greets:
            return False
        if GREETED_ID not in notes:
            taken = {TabKey.named(title) for title in tabs.values()}
            title = next((title for title in TITLES if TabKey.named(title) not in taken), TITLES[-1])
            api.batch_update({"requests": _greeting(title, api.access.email)})
            return False
        tab = next((tab for tab in tabs if str(tab) == notes[GREETED_ID]), None)
        if tab is None or api.batch_get([f"{quoted(tabs[tab])}!A{BOX}"]) != [[[True]]]:
            return False
        spare: list[dict[str, Any]] = [{"addSheet": {}}] if len(tabs) == 1 else []
        api.batch_update({"requests": [create_metadata(KEY, "", ASKED_ID), *spare, {"deleteSheet": {"sheetId": tab}}]})
    except BadRequest:  # another program, or a person, changed the tabs meanwhile: the next look sees what is there
        return False
    return True


def _greeting(title: str, email: str | None) -> list[dict[str, Any]]:
    """Return the requests that note and write the greeting, in a tab that only the owner may edit."""
    tab = secrets.randbelow(2**31 - 1) + 1
    grid = {"rowCount": BOX, "columnCount": 1}
    cells = [
        {"userEnteredValue": {"stringValue": line}, "userEnteredFormat": {"wrapStrategy": "WRAP"}} for line in LINES
    ]
    box = {"userEnteredValue": {"boolValue": False}, "dataValidation": {"condition": {"type": "BOOLEAN"}}}
    rows = [{"values": [cell]} for cell in (*cells, box)]
    start = {"sheetId": tab, "rowIndex": 0, "columnIndex": 0}
    column = {"sheetId": tab, "dimension": "COLUMNS", "startIndex": 0, "endIndex": 1}
    guarded = {"range": {"sheetId": tab}, "description": KEY, "editors": {"users": [email] if email else []}}
    return [
        create_metadata(KEY, str(tab), GREETED_ID),
        {"addSheet": {"properties": {"sheetId": tab, "title": title, "index": 0, "gridProperties": grid}}},
        {"updateCells": {"start": start, "rows": rows, "fields": "userEnteredValue,userEnteredFormat,dataValidation"}},
        {"updateDimensionProperties": {"range": column, "properties": {"pixelSize": WIDTH}, "fields": "pixelSize"}},
        {"addProtectedRange": {"protectedRange": guarded}},
    ]
