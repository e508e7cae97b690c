"""The page of the strategy board: one HTML file that asks for nothing, wherever it is opened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from sheets_algo.pages.html import asset, rendered, script_json
from sheets_algo.pages.scripts import script_of


def board_page(data: Mapping[str, Any]) -> str:
    """Return the page of a war's board as HTML; equal data give equal bytes.

    Args:
        data: Of a form's `board`.
    """
    shown = {
        "title": f"{data['request']['war']}: strategy board",
        "request": data["request"],
        "data": script_json({"bridge": "page", "board": data}),
    }
    style = Markup(asset("page.css") + asset("board/board.css"))
    return rendered("board/board.html", style, script_of("board/main.js"), shown)
