"""The page on which the places of the map of the game are clicked: as a file, or of the server of the boards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from sheets_algo.pages.html import asset, rendered, script_json, script_of

STYLES = ("page.css", "picker/picker.css")


def picker_page(data: Mapping[str, Any] | None = None) -> str:
    """Return the page as HTML.

    Args:
        data: What it shows; None for the page of a server, which asks for it.
    """
    values = {"is_live": data is None, "data": script_json(data or {})}
    style = Markup("".join(map(asset, STYLES)))
    script = script_of("picker/picker.js")
    return rendered("picker/picker.html", style, script, values, connects="'self'" if data is None else "")
