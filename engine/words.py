"""The word that somebody probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator

FEW = 500
"""So many words are compared one by one in some milliseconds."""


def nearest(found: str, allowed: Iterable[str]) -> str:
    """The allowed word that looks most like `found`, whatever its capitals; blank when none looks like it."""
    return Words(allowed).nearest(found)


class Words:
    """Words among which the nearest is looked for again and again, however many there are.

    Args:
        allowed: The words.
    """

    def __init__(self, allowed: Iterable[str]) -> None:
        self._by_spelling = {word.casefold(): word for word in allowed}
        self._by_pair: dict[str, list[str]] = {}

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self._by_spelling)

    def nearest(self, found: str) -> str:
        """The word that looks most like `found`, whatever its capitals; blank when none looks like it."""
        folded = found.casefold()
        if folded in self._by_spelling:
            return self._by_spelling[folded]
        alike = self._by_spelling if len(self._by_spelling) <= FEW else self._sharing_pairs(folded)
        matches = difflib.get_close_matches(folded, alike, n=1)
        return self._by_spelling[matches[0]] if matches else ""

    def _sharing_pairs(self, folded: str) -> Iterable[str]:
        """Of very many words those that share the rarest pairs of letters with a word: a slip leaves most pairs."""
        if not self._by_pair:
            for spelling in self._by_spelling:
                for pair in _pairs(spelling):
                    self._by_pair.setdefault(pair, []).append(spelling)
        alike: dict[str, None] = {}
        for words in sorted((self._by_pair.get(pair, []) for pair in _pairs(folded)), key=len):
            if alike and len(alike) + len(words) > FEW:
                break
            alike |= dict.fromkeys(words[:FEW])
        return alike


def _pairs(word: str) -> Iterator[str]:
    return iter(dict.fromkeys(word[start : start + 2] for start in range(len(word) - 1)))
