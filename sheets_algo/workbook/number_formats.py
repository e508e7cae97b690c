"""Number formats of spreadsheets: recognition of per cent and dates from their codes."""

from __future__ import annotations

import re

_NOT_LETTERS = re.compile(r'"[^"]*"?|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^\]]*\]', re.IGNORECASE | re.DOTALL)


def first_section(code: str) -> str:
    """Return the part of a format for positive numbers, without literals and colours."""
    return _NOT_LETTERS.sub("", code).partition(";")[0]


def is_per_cent(code: str) -> bool:
    """Return True if a format shows 0.3 as 30 %; a quoted per cent sign is only printed beside the number."""
    return "%" in first_section(code)
