"""Reading a spreadsheet's id from an address that a person copied from a browser. Imports nothing that loads slowly."""

from __future__ import annotations

import re

from sheets_algo.workbook.errors import BadAddress

_ID = r"[-_A-Za-z0-9]"
_BARE = re.compile(rf"{_ID}{{20,}}")
_HOST = re.compile(r"(?:https?:)?(?://)?(docs|drive|sheets)\.google\.com(?::\d+)?(?:[/?#]|$)", re.IGNORECASE)
_SPREADSHEET = re.compile(rf"/(?:a/[^/]+/)?spreadsheets/(?:u/\d+/)?d/({_ID}+)(?:[/?#]|$)", re.IGNORECASE)
_PUBLISHED = re.compile(r"/spreadsheets/(?:u/\d+/)?d/e/", re.IGNORECASE)
_OTHERS = (
    (re.compile(r"/document/"), "a text document"),
    (re.compile(r"/presentation/"), "a presentation"),
    (re.compile(r"/forms/"), "a form"),
    (re.compile(r"/folders/"), "a Drive folder"),
    (re.compile(r"/file/"), "a file in Drive"),
)
_COPY = "Open the spreadsheet in a browser and copy its address (https://docs.google.com/spreadsheets/d/...)."


def spreadsheet_id(text: str) -> str | None:
    """Return the id of the Google spreadsheet that a text names.

    Returns:
        The id, or None if the text names no Google file (a path, for example).

    Raises:
        BadAddress: It is a Google address, but not of a spreadsheet.
    """
    text = text.strip()
    if _BARE.fullmatch(text):
        return text
    if not _HOST.match(text):
        return None
    if _PUBLISHED.search(text):
        raise BadAddress(f"{text}: this is a page published to the web, which cannot be written to. {_COPY}")
    if match := _SPREADSHEET.search(text):
        return match[1]
    for pattern, kind in _OTHERS:
        if pattern.search(text):
            raise BadAddress(f"{text}: this is {kind}, not a spreadsheet. {_COPY}")
    raise BadAddress(f"{text}: this address names no spreadsheet. {_COPY}")
