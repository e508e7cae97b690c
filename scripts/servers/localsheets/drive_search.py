"""Drive's search language, as far as the program and gspread use it: `mimeType = '…' and modifiedTime > '…'`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

Predicate = Callable[[dict[str, Any]], bool]
"""A predicate of a file in Drive's format."""

_COMPARISON = re.compile(r"""\s*(mimeType|modifiedTime|trashed)\s*([=>])\s*('[^'\\]*'|"[^"\\]*"|true|false)\s*""")
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {"=": operator.eq, ">": operator.gt}


def search(query: str) -> Predicate:
    """Return the predicate of a query: comparisons that all have to hold.

    Raises:
        ValueError: The query has something else.
    """
    matches = [_COMPARISON.fullmatch(part) for part in query.split(" and ")]
    comparisons = [match.groups() for match in matches if match]
    if len(comparisons) < len(matches):
        raise ValueError(f"cannot read the query {query!r}")

    def is_meant(file: dict[str, Any]) -> bool:
        return all(_COMPARE[sign](file[name], _value(text)) for name, sign, text in comparisons)

    return is_meant


def _value(text: str) -> str | bool:
    return text[1:-1] if text[0] in "'\"" else text == "true"
