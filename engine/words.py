"""The word that somebody probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(found: str, allowed: Iterable[str]) -> str:
    """The allowed word that looks most like `found`, whatever its capitals; blank when none looks like it."""
    by_spelling = {word.casefold(): word for word in allowed}
    matches = difflib.get_close_matches(found.casefold(), by_spelling, n=1)
    return by_spelling[matches[0]] if matches else ""
