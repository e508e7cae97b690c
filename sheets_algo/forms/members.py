"""Names in one cell that share a side: `Norden + Rivan`, `France, Spain and Savoy` (WRS-02)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

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
    readings = list(islice(_readings(pieces, names), 2))
    if len(readings) == 1:
        return readings[0]
    if readings:
        one, other = (" | ".join(reading) for reading in readings[:2])
        raise UnclearMembers(f"{quoted(text)} may be {one}, or {other}")
    unknown = next((each for each in pieces[::2] if loosely(each) not in names), text.strip())
    raise UnclearMembers(f"no nation is called {quoted(unknown)}", near=nearest(unknown, names.values()))


def _readings(pieces: Sequence[str], names: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield each way to read names and the separators between them, as lists of names."""
    after: dict[int, list[tuple[str, int]]] = {len(pieces) + 1: []}
    """The names that begin at a piece from which the rest can be read, each with the piece behind its separator."""
    most = max(map(len, names), default=0)
    for start in reversed(range(0, len(pieces), 2)):
        choices, text = [], ""
        for end in range(start, len(pieces), 2):
            text += "".join(pieces[max(start, end - 1) : end + 1])
            if (name := names.get(loosely(text))) and end + 2 in after:
                choices.append((name, end + 2))
            if len(loosely(text)) > most:
                break
        if choices:
            after[start] = choices
    open_: list[tuple[int, list[str]]] = [(0, [])] if 0 in after else []
    while open_:
        start, reading = open_.pop()
        if start > len(pieces):
            yield reading
        open_ += [(end, [*reading, name]) for name, end in reversed(after[start])]
