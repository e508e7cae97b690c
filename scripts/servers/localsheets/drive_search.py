"""Drive's search language: `mimeType = '…' and ('folder' in parents or name contains 'War') and not trashed`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

Predicate = Callable[[dict[str, Any]], bool]
"""A predicate of a file in Drive's format."""

_TOKEN = re.compile(
    r"""\s*(?: '((?:[^'\\]|\\.)*)' | "((?:[^"\\]|\\.)*)" | (!=|<=|>=|[=<>()]) | ([A-Za-z][\w.]*) )""", re.VERBOSE
)
_COMPARE = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_TIMES = ("createdTime", "modifiedTime")
_FLAGS = ("trashed", "starred", "sharedWithMe")
_LISTS = ("parents", "owners", "writers", "readers")


def search(query: str) -> Predicate:
    """Return the predicate of a query.

    Raises:
        ValueError: The query is not written in that language.
    """
    return _Reader(list(_tokens(query))).whole()


def _tokens(query: str) -> list[tuple[str, str]]:
    """Return the tokens of a query: (text, sign or word; content)."""
    at, found = 0, []
    while query[at:].strip():
        match = _TOKEN.match(query, at)
        if not match:
            raise ValueError(f"cannot read the query from {query[at:]!r}")
        single, double, sign, word = match.groups()
        text = single if single is not None else double
        if text is not None:
            found.append(("text", re.sub(r"\\(.)", r"\1", text)))
        else:
            found.append(("sign", sign) if sign else ("word", word))
        at = match.end()
    return found


class _Reader:
    """A recursive descent parser: or, and, not, one comparison."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._rest = tokens[::-1]

    def whole(self) -> Predicate:
        found = self._or()
        if self._rest:
            raise ValueError(f"unexpected {self._rest[-1][1]!r}")
        return found

    def _or(self) -> Predicate:
        parts = [self._and()]
        while self._skip("or"):
            parts.append(self._and())
        return lambda file: any(part(file) for part in parts)

    def _and(self) -> Predicate:
        parts = [self._not()]
        while self._skip("and"):
            parts.append(self._not())
        return lambda file: all(part(file) for part in parts)

    def _not(self) -> Predicate:
        if self._skip("not"):
            inner = self._not()
            return lambda file: not inner(file)
        if self._skip("("):
            inner = self._or()
            if not self._skip(")"):
                raise ValueError("a bracket is not closed")
            return inner
        return self._comparison()

    def _comparison(self) -> Predicate:
        kind, left = self._next()
        if kind == "word" and left in _FLAGS and (not self._rest or self._rest[-1][1] in ("and", "or", ")")):
            return lambda file: bool(file.get(left))
        _, sign = self._next()
        _, right = self._next()
        if sign == "in" and left in _LISTS:  # not the documented order, but Google takes it, and gspread sends it
            left, right, kind = right, left, "text"
        if sign == "in" and kind == "text" and right in _LISTS:
            return lambda file: left in file[right]
        if left in _FLAGS and sign in ("=", "!="):
            return lambda file: bool(file.get(left)) is ((right == "true") is (sign == "="))
        if left in ("name", "fullText") and sign == "contains":
            return lambda file: _has_word(file["name"], right)
        if left == "mimeType" and sign == "contains":
            return lambda file: file["mimeType"].startswith(right)
        if left in ("name", "mimeType", *_TIMES) and sign in _COMPARE:
            return lambda file: bool(_COMPARE[sign](file[left].lower(), right.lower()))
        raise ValueError(f"cannot search by {left} {sign}")

    def _skip(self, word: str) -> bool:
        if self._rest and self._rest[-1][0] != "text" and self._rest[-1][1] == word:
            self._rest.pop()
            return True
        return False

    def _next(self) -> tuple[str, str]:
        if not self._rest:
            raise ValueError("the query ends too early")
        return self._rest.pop()


def _has_word(name: str, start: str) -> bool:
    """Return True if a word of a name begins with `start`, as Drive searches."""
    return re.search(r"\b" + re.escape(start), name, re.IGNORECASE) is not None or start.lower() in name.lower().split()
