"""The page of the strategy board: one HTML file that asks for nothing, wherever it is opened."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from markupsafe import Markup

from sheets_algo.pages.html import asset, digest_of, rendered, script_json
from sheets_algo.pages.scripts import script_of

STYLES = ("page.css", "board/board.css")


@cache
def board_digest() -> str:
    """Return a digest of the template, the styles and the script, which changes when pages have to be made anew."""
    return digest_of("\0".join((asset("board/board.html"), script_of("board/lone.js"), *map(asset, STYLES))))


def board_page(data: Mapping[str, Any]) -> str:
    """Return the page of a war's board as HTML; equal data give equal bytes."""
    values = {
        "title": f"{data['request']['war']}: strategy board",
        "is_lone": True,
        "is_live": False,
        "data": script_json(data),
    }
    return rendered("board/board.html", _style(), script_of("board/lone.js"), values)


def live_board_page(workbook: str, first: str) -> str:
    """Return the page that a server shows, which asks that server for all else.

    Args:
        first: The id of the request that is shown first; blank for the first one that is not ruled.
    """
    values = {
        "title": f"{workbook}: strategy board",
        "is_lone": False,
        "is_live": True,
        "data": script_json({"first": first}),
    }
    return rendered("board/board.html", _style(), script_of("board/live.js"), values, connects="'self'")


def sheets_files() -> dict[str, str]:
    """Return the two files of the board inside Google Sheets, by name: its script there, and the page that it shows."""
    values = {"title": "Strategy board", "is_lone": False, "is_live": False, "data": script_json({})}
    page = rendered("board/board.html", _style(), script_of("board/sheets.js"), values, has_policy=False)
    return {"Code.gs": asset("board/Code.gs"), "Board.html": page}


def _style() -> Markup:
    return Markup("".join(map(asset, STYLES)))
