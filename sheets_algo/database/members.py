"""Names in one cell that share a side: `Norden + Rivan`, `France, Spain and Savoy`, `Norden (rebels)` (WRS-02)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from engine.columns import loosely
from engine.errors import ExpectedError
from engine.suggest import nearest
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.problems import quoted
from sheets_algo.workbook.values import Value

PLUS = " + "
"""Text between the names of a side in its one canonical form."""
SIGNS = "+;&/,"
SEPARATORS = re.compile(rf"(\s*[{SIGNS}\n]\s*|\s+and\s+)", re.IGNORECASE)
"""Texts between two names; a name may have one of them too, such as "Trinidad and Tobago"."""
BRACKETS = re.compile(r"(.*\S)\s*\(\s*([^()]+?)\s*\)\s*")
"""A name with something in brackets behind it."""
ROLES = re.compile(r"[LMSVW]+|leader|member|ally", re.IGNORECASE)
LEADS = re.compile(r"[MSVW]*L[LMSVW]*|leader", re.IGNORECASE)
"""Marks of a member's part in brackets: letters as on wikis, of which L is the leader's, or a word."""


class UnclearMembers(ExpectedError):
    """A cell with ambiguous or unknown names; the text names them."""

    exit_code = 1

    def __init__(self, says: str, *, near: str = "") -> None:
        super().__init__(says)
        self.nearest = near
        """The most similar known name; blank for none."""


def members(text: str, known: Iterable[str], what: str = "nation") -> Sequence[str]:
    """Return the known names of a cell, the one marked as leader first.

    A cell that is a known name is that name alone. A text in brackets after a nation, `Norden (rebels)`, is a party of
    it (R-133).

    Args:
        what: The word for the named things.

    Raises:
        UnclearMembers: There are two readings, none, or two leaders.
    """
    names = {loosely(name): name for name in known}
    if loosely(text) in names:
        return [names[loosely(text)]]
    pieces = SEPARATORS.split(text.strip(f"{SIGNS} \n"))
    readings = _readings(pieces, names)
    if not readings:
        unknown = next((piece for piece in pieces[::2] if _named(piece, names) is None), text.strip())
        raise UnclearMembers(f"no {what} is called {quoted(unknown)}", near=nearest(unknown, names.values()))
    if len(readings) > 1:
        one, other = (" | ".join(name for name, _ in reading) for reading in readings)
        raise UnclearMembers(f"{quoted(text)} may be {one}, or {other}")
    leaders = [name for name, leads in readings[0] if leads]
    if len(leaders) > 1:
        raise UnclearMembers(f"{' and '.join(leaders)} are both marked as the leader")
    return [*leaders, *(name for name, leads in readings[0] if not leads)]


def candidates(cell: Value) -> Sequence[str]:
    """Return the possible names in a cell, without regard to known ones: the whole, and each part of it."""
    text = cell if isinstance(cell, str) else as_text(cell)
    parts = [part.strip() for part in SEPARATORS.split(text)[::2]]
    bare = [match[1] for part in parts if (match := BRACKETS.fullmatch(part))]
    return [*dict.fromkeys(filter(None, (text.strip(), *parts, *bare)))]


def nation_and_party(name: str, known: Iterable[str]) -> tuple[str, str]:
    """Return a nation, and the party of it that a name means; blank for the nation itself (R-133)."""
    bracketed = BRACKETS.fullmatch(name)
    names = {loosely(each): each for each in known} if bracketed else {}
    if not bracketed or loosely(name) in names or loosely(bracketed[1]) not in names:
        return name, ""
    return names[loosely(bracketed[1])], bracketed[2]


def _named(text: str, names: Mapping[str, str]) -> tuple[str, bool] | None:
    """Return the known name in a text, and whether it is marked as the leader; None for an unknown one."""
    if name := names.get(loosely(text)):
        return name, False
    bracketed = BRACKETS.fullmatch(text)
    if not bracketed:
        return None
    if ROLES.fullmatch(bracketed[2]):
        name, _ = _named(bracketed[1], names) or ("", False)
        return (name, LEADS.fullmatch(bracketed[2]) is not None) if name else None
    nation = names.get(loosely(bracketed[1]))
    meant = f"{nation} ({bracketed[2]})"
    near = nearest(meant, [name for name in names.values() if "(" in name])
    return None if nation is None or near else (meant, False)


def _readings(pieces: Sequence[str], names: Mapping[str, str]) -> Sequence[list[tuple[str, bool]]]:
    """Return up to two ways to read names and the separators between them: the names, each with whether it leads."""
    rest: dict[int, list[list[tuple[str, bool]]]] = {len(pieces) + 1: [[]]}
    """The readings from a piece on."""
    most = max(map(len, names), default=0)
    for start in reversed(range(0, len(pieces), 2)):
        ways, text = [], ""
        for end in range(start, len(pieces), 2):
            text += "".join(pieces[max(start, end - 1) : end + 1])
            if end + 2 in rest and (name := _named(text, names)):
                ways += [[name, *way] for way in rest[end + 2]]
            if len(ways) > 1 or (len(loosely(text)) > most and "(" not in text):
                break
        if ways:
            rest[start] = ways[:2]
    return rest.get(0, [])
