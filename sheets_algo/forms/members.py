"""Names in one cell that share a side: `Norden + Rivan`, `France, Spain and Savoy` (WRS-02)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from engine.columns import loosely
from engine.errors import ExpectedError
from engine.suggest import nearest
from sheets_algo.database.problems import quoted

SIGNS = "+;&/,"
SEPARATORS = re.compile(rf"(\s*[{SIGNS}\n]\s*|\s+and\s+)", re.IGNORECASE)
"""Texts between two names; a name may have one of them too, such as "Trinidad and Tobago"."""


class UnclearMembers(ExpectedError):
    """A cell whose names cannot be told apart, or that has one that nobody knows; the text says which."""

    exit_code = 1

    def __init__(self, says: str, *, near: str = "") -> None:
        super().__init__(says)
        self.nearest = near
        """The known name that is most like the unknown one; blank for none."""


def members(text: str, known: Iterable[str]) -> Sequence[str]:
    """Return the names of a cell, as they are known. Whole names count first.

    Raises:
        UnclearMembers: There are two readings, or none.
    """
    names = {loosely(name): name for name in known}
    pieces = SEPARATORS.split(text.strip())
    readings = list(_readings([piece for piece in pieces if piece is not None], names))
    if len(readings) == 1:
        return readings[0]
    if readings:
        one, other = (" | ".join(reading) for reading in readings[:2])
        raise UnclearMembers(f"{quoted(text)} may be {one}, or {other}")
    unknown = next((each for each in pieces[::2] if loosely(each) not in names), text.strip())
    raise UnclearMembers(f"no nation is called {quoted(unknown)}", near=nearest(unknown, names.values()))


def _readings(pieces: Sequence[str], names: dict[str, str]) -> Iterator[list[str]]:
    """Yield each way to read names and the separators between them, as lists of names."""
    if not pieces:
        yield []
        return
    for end in range(1, len(pieces) + 1, 2):
        if name := names.get(loosely("".join(pieces[:end]))):
            if end == len(pieces):
                yield [name]
            for rest in _readings(pieces[end + 1 :], names) if end < len(pieces) else ():
                yield [name, *rest]
