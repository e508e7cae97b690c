"""Suggestions for misspelled words."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from itertools import takewhile

FEW = 500
"""Number of words that can be compared one by one within some milliseconds."""


BEGINNING, ENDINGS = 4, 3
"""Minimum length of the common beginning of a word and its misspelling, and maximum length of their endings."""

SIMILAR, CERTAIN = 0.6, 0.8
"""Minimum similarity, 0 to 1, of a suggested word, and of a certain misspelling."""


def nearest(word: str, allowed: Iterable[str]) -> str:
    """Return the allowed word most similar to `word`, ignoring case; blank if none is similar."""
    return WordList(allowed).nearest(word)


def misspelt(typed: str, allowed: Iterable[str]) -> str:
    """Return the word that `typed` almost certainly misspells, ignoring case; blank if there is none.

    Both begin with the same letter: typing errors there are rare, and Owner is not Power.
    """
    words = [word for word in allowed if word[:1].casefold() == typed[:1].casefold()]
    return WordList(words).nearest(typed, CERTAIN) or next((word for word in words if _ends_otherwise(typed, word)), "")


class WordList:
    """Words to search repeatedly for the most similar one, even if there are very many."""

    def __init__(self, allowed: Iterable[str]) -> None:
        self._by_spelling = {word.casefold(): word for word in allowed}
        self._by_pair: dict[str, list[str]] = {}

    def __bool__(self) -> bool:
        """Return True if there are any words."""
        return bool(self._by_spelling)

    def nearest(self, typed: str, least: float = SIMILAR) -> str:
        """Return the word most similar to `typed`, ignoring case; blank if none is similar enough.

        A single name with more words, such as Kingdom of Osk for Osk, is suggested even though it is less similar.
        """
        folded = typed.casefold()
        if folded in self._by_spelling:
            return self._by_spelling[folded]
        candidates = self._by_spelling if len(self._by_spelling) <= FEW else self._sharing_pairs(folded)
        matches = difflib.get_close_matches(folded, candidates, n=1, cutoff=least)
        if not matches and least <= SIMILAR:
            longer = [word for word in candidates if f" {folded} " in f" {word} "]
            matches = longer if len(longer) == 1 else []
        return self._by_spelling[matches[0]] if matches else ""

    def all_nearest(self, typed: str) -> list[str]:
        """Return the word that `nearest` returns, and equally similar ones."""
        if not (best := self.nearest(typed)):
            return []
        folded = typed.casefold()
        likeness = difflib.SequenceMatcher(a=best.casefold(), b=folded).ratio()
        candidates = self._by_spelling if len(self._by_spelling) <= FEW else self._sharing_pairs(folded)
        matches = difflib.get_close_matches(folded, candidates, n=FEW, cutoff=likeness) if likeness >= SIMILAR else ()
        return [self._by_spelling[match] for match in matches] or [best]

    def _sharing_pairs(self, folded: str) -> Iterable[str]:
        """Return the words that share the rarest pairs of letters with a word: a typing error keeps most pairs."""
        if not self._by_pair:
            for spelling in self._by_spelling:
                for pair in _pairs(spelling):
                    self._by_pair.setdefault(pair, []).append(spelling)
        candidates: dict[str, None] = {}
        for words in sorted((self._by_pair.get(pair, []) for pair in _pairs(folded)), key=len):
            if candidates and len(candidates) + len(words) > FEW:
                break
            candidates |= dict.fromkeys(words[:FEW])
        return candidates


def _ends_otherwise(typed: str, word: str) -> bool:
    """Return True for words that begin alike and differ in a few letters at the end: Motif, Motive; not Active."""
    pairs = zip(typed.casefold(), word.casefold(), strict=False)
    begin = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return begin >= BEGINNING and len(typed) + len(word) - 2 * begin <= ENDINGS


def _pairs(word: str) -> Iterator[str]:
    return iter(dict.fromkeys(word[start : start + 2] for start in range(len(word) - 1)))
