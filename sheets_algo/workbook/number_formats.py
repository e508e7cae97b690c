"""Number formats of spreadsheets: the codes that say whether a cell shows its number as per cent or as a date."""

from __future__ import annotations

import re

_NOT_LETTERS = re.compile(r'"[^"]*"?|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^\]]*\]', re.IGNORECASE | re.DOTALL)


def first_section(code: str) -> str:
    """Return the part of a format that positive numbers have, without what it shows literally and without colours."""
    return _NOT_LETTERS.sub("", code).partition(";")[0]


def is_per_cent(code: str) -> bool:
    """Return True if a format shows 0.3 as 30 %; a quoted per cent sign is only printed beside the number."""
    return "%" in first_section(code)
