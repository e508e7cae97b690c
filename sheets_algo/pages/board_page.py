"""The pages of the strategy board and of places on the map of the game: one HTML file, wherever it is opened."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from markupsafe import Markup

from sheets_algo.pages.html import asset, digest_of, rendered, script_json, script_of

STYLES = ("page.css", "board/board.css")


@cache
def board_digest() -> str:
    """Return a digest of the template, the styles and the script, which tells when pages must be rewritten."""
    return digest_of("\0".join((asset("board/board.html"), script_of("board/lone.js"), *map(asset, STYLES))))


def board_page(data: Mapping[str, Any]) -> str:
    """Return the page of a war's board as HTML; equal data give equal bytes."""
    return _page(f"{data['request']['war']}: strategy board", "lone", data)


def live_board_page(first: str) -> str:
    """Return the page of the board server, which requests its data from there.

    Args:
        first: The id of the request that is shown first; blank for the first one that is not ruled.
    """
    return _page("Strategy board", "live", {"first": first}, connects="'self'")


def sheets_files() -> dict[str, str]:
    """Return the two files of the board inside Google Sheets, by name: its script there, and the page that it shows."""
    page = _page("Strategy board", "sheets", {}, has_policy=False)
    return {"Code.gs": asset("board/Code.gs"), "Board.html": page}


def _page(title: str, script: str, data: Mapping[str, Any], **policy: Any) -> str:
    values = {"title": title, "is_lone": script == "lone", "is_live": script == "live", "data": script_json(data)}
    style = Markup("".join(map(asset, STYLES)))
    return rendered("board/board.html", style, script_of(f"board/{script}.js"), values, **policy)


PICKER_STYLES = ("page.css", "picker/picker.css")


def picker_page(data: Mapping[str, Any] | None = None) -> str:
    """Return the page as HTML.

    Args:
        data: What it shows; None for the page of a server, which asks for it.
    """
    values = {"is_live": data is None, "data": script_json(data or {})}
    style = Markup("".join(map(asset, PICKER_STYLES)))
    script = script_of("picker/picker.js")
    return rendered("picker/picker.html", style, script, values, connects="'self'" if data is None else "")
