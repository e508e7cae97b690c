"""Cells of the score tabs that hold more than one value, and checks of single rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from engine.fields import loosely
from engine.scorecard.inputs import LEADS, Belligerent, Override
from engine.scorecard.records import MOST, Leader
from engine.words import nearest
from sheets_algo.problems import Problem, one_of
from sheets_algo.tables import Row
from sheets_algo.values import readings_of, shown

LISTED = re.compile(r"(?:[^,;()]|\([^()]*\)?|\))+")
"""What stands between commas or semicolons, those in brackets not counted."""


def belligerents(cell: str) -> tuple[Belligerent, ...]:
    """SC-04: `China (L), Korea (MW)` as nations with letters, in capitals; a name without brackets has none.

    Args:
        cell: As it stands there; `belligerents_fit` says what is wrong with it.
    """
    parts = map(str.strip, LISTED.findall(cell))
    return tuple(_belligerent(part) for part in parts if part)


def belligerents_fit(row: Row, cell: str, letters: Sequence[str]) -> Iterator[Problem]:
    """SC-04: known letters, a name before them; warnings for a list without a leader or with two (SC-OP-03)."""
    listed = belligerents(cell)
    for it in listed:
        yield from _belligerent_fits(row, it, letters)
    leaders = sum(it.letters.count(LEADS) for it in listed)
    if listed and leaders != 1:
        says = f"{leaders or 'no'} ({LEADS}) on the list, where one leads the side; only listed letters count"
        yield row.warning("belligerents", "SC-OP-03", says)


def _belligerent(part: str) -> Belligerent:
    if "(" not in part or not part.endswith(")"):
        return Belligerent(part, "")
    name, _, letters = part[:-1].rpartition("(")
    return Belligerent(name.rstrip(), re.sub(r"[\s,;]", "", letters).upper())


def _belligerent_fits(row: Row, it: Belligerent, letters: Sequence[str]) -> Iterator[Problem]:
    wanted = "Write the list as Name (letters), Name (letters)"
    unknown = sorted(set(it.letters) - set(letters))
    if not it.name:
        yield row.problem("belligerents", "SC-04", f'"({it.letters})" has no name before it', allowed=wanted)
    elif it.name.count("(") != it.name.count(")"):
        yield row.problem("belligerents", "SC-04", f'"{it.name}" has a bracket too many or too few', allowed=wanted)
    if unknown:
        says = f"{it}: {', '.join(unknown)} {'is no letter' if len(unknown) == 1 else 'are no letters'} of the list"
        allowed = f"{one_of(letters)}; a name that ends in brackets needs its letters behind them: Korea (North) (L)"
        yield row.problem("belligerents", "SC-04", says, allowed=allowed)
    elif len(set(it.letters)) < len(it.letters):
        twice = ", ".join(letter for letter, count in Counter(it.letters).items() if count > 1)
        yield row.warning("belligerents", "SC-OP-25", f"{it}: {twice} stands there more than once and counts each time")


def overrides(cell: str, factors: Mapping[str, str]) -> tuple[Override, ...]:
    """`General=5; Motive=2` as a moderator's points for factors.

    Args:
        cell: As it stands there; `overrides_fit` says what is wrong with it, and such parts are left out here.
        factors: Factor id to name.
    """
    return tuple(found for _, found in _overrides(cell, factors) if isinstance(found, Override))


def overrides_fit(row: Row, cell: str, factors: Mapping[str, str]) -> Iterator[Problem]:
    """SC-OP-27: known factors, each once, each with a number."""
    seen: set[str] = set()
    for part, found in _overrides(cell, factors):
        if isinstance(found, Override):
            if found.factor in seen:
                says = f"{factors[found.factor]} stands there twice"
                yield row.problem("overrides", "SC-OP-27", says, allowed="Keep one number for each factor")
            seen.add(found.factor)
            continue
        name = part.partition("=")[0].strip()
        near = nearest(name, factors.values()) if loosely(name) not in map(loosely, factors.values()) else ""
        allowed = "Write Factor=points; Factor=points, the factors named as on the receipt"
        yield row.problem("overrides", "SC-OP-27", found, allowed=allowed, nearest=near)


def _overrides(cell: str, factors: Mapping[str, str]) -> Iterator[tuple[str, Override | str]]:
    """Each part of the cell with its override, or with what is wrong."""
    ids = {loosely(name): id for id, name in factors.items()}
    for part in filter(None, (part.strip() for part in cell.split(";"))):
        name, equals, points = part.partition("=")
        readings = [found for found in readings_of(points) if abs(found) <= MOST]
        if not equals:
            yield part, f'"{part}" has no points'
        elif loosely(name) not in ids:
            yield part, f'"{name.strip()}" is not a factor'
        elif len(readings) > 1:
            yield part, f'"{points.strip()}" could mean {" or ".join(map(shown, readings))}'
        elif not readings:
            yield part, f'"{points.strip()}" is not a number of points'
        else:
            yield part, Override(ids[loosely(name)], readings[0])


def wins_within_battles(row: Row, it: Leader) -> Iterator[Problem]:
    """SC-03b: nobody has won more battles than he fought."""
    if it.wins > it.battles:
        says = f"{it.wins} wins of {it.battles} battles"
        yield row.problem("wins", "SC-03b", says, allowed="Enter at most as many wins as battles")
