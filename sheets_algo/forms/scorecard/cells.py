"""Parsers of score cells that hold several values, and checks of single rows."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from engine.columns import loosely
from engine.receipt import counted
from engine.scorecard.inputs import LEADS, Override, ScoreBelligerent
from engine.scorecard.records import MOST, ScoreLeader, ScoreNation
from engine.suggest import misspelt, nearest
from sheets_algo.database.cell_text import ReadError
from sheets_algo.database.problems import Problem, one_of, quoted, shortened
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.database.typed_numbers import number_of

LIST_PART = re.compile(r"(?:[^,;()]|\([^()]*\)?|\))+")
"""Pattern of the text between commas or semicolons, except those in brackets."""


def parse_belligerents(cell: str) -> tuple[ScoreBelligerent, ...]:
    """Return the nations and capital letters of `China (L), Korea (MW)`; letters are optional (SC-04).

    Args:
        cell: The text of the cell, whose errors `check_belligerents` reports.
    """
    parts = map(str.strip, LIST_PART.findall(cell))
    return tuple(_parse_belligerent(part) for part in parts if part)


def check_belligerents(row: Row, cell: str, letters: Sequence[str]) -> Iterator[Problem]:
    """Check that a list has names, each once, and known letters (SC-04), and warn unless one leads it (SC-OP-03)."""
    listed = parse_belligerents(cell)
    spellings: dict[str, list[str]] = {}
    for belligerent in listed:
        yield from _check_belligerent(row, belligerent, letters)
        spellings.setdefault(bare(belligerent.name), []).append(belligerent.name)
    for name, *others in spellings.values():
        if others and name:
            other = next((f", also as {quoted(other)}" for other in others if loosely(other) != loosely(name)), "")
            says, allowed = f"{quoted(name)} is listed more than once{other}", "Write it once, with all its letters"
            yield row.problem("belligerents", "SC-OP-25", says, allowed=allowed)
    leaders = sum(belligerent.letters.count(LEADS) for belligerent in listed)
    unbracketed = [belligerent.name for belligerent in listed if _has_bare_letters(belligerent, letters)]
    for name in unbracketed:
        nation, _, last = name.rpartition(" ")
        says = f"{quoted(name)} has no letters in brackets, so it counts nothing"
        allowed = f"Write {nation} ({last}), unless that is its name"
        yield row.warning("belligerents", "SC-04", says, allowed=allowed)
    if listed and leaders != 1 and not (unbracketed and leaders == 0):
        says = f"{leaders or 'no'} ({LEADS}) on the list, where one leads the side; only listed letters count"
        yield row.warning("belligerents", "SC-OP-03", says)


def bare(name: str) -> str:
    """Return a name without accents, spaces and punctuation, for the comparison of nations in lists (SC-OP-25).

    Marks of vowels and sounds stay, since only they distinguish some names in other alphabets.
    """
    chars = (char for char in unicodedata.normalize("NFKD", loosely(name)) if not "\u0300" <= char <= "\u036f")
    kept = (char for char in chars if char.isalnum() or unicodedata.category(char).startswith("M"))
    return unicodedata.normalize("NFC", "".join(kept)) or loosely(name)


def check_rows_of_nations(row: Row, listed: Sequence[ScoreBelligerent], database: Database) -> Iterator[Problem]:
    """Warn of the nations of a list that have no row in Score Nations (SC-OP-25)."""
    known, unlike = {bare(name): name for name in database.table(ScoreNation).names}, []
    for name in (one.name for one in listed if one.name and one.letters and not database.find(ScoreNation, one.name)):
        if similar := known.get(misspelt(bare(name), known)):
            yield row.warning("belligerents", "SC-OP-25", f"no row in Score Nations: {quoted(name)}", nearest=similar)
        else:
            unlike.append(name)
    if unlike:
        says, allowed = f"no row in Score Nations: {shortened(', '.join(unlike))}", "Add one for each, or correct it"
        yield row.warning("belligerents", "SC-OP-25", says, allowed=allowed)


def _has_bare_letters(belligerent: ScoreBelligerent, letters: Sequence[str]) -> bool:
    """Return True if a nation without letters has a last word that consists of letters, as in `Spain L`."""
    nation, _, last = belligerent.name.rpartition(" ")
    return bool(nation) and not belligerent.letters and set(last) <= set(letters)


def _parse_belligerent(part: str) -> ScoreBelligerent:
    if "(" not in part or not part.endswith(")"):
        return ScoreBelligerent(part, "")
    name, _, letters = part[:-1].rpartition("(")
    return ScoreBelligerent(name.rstrip(), re.sub(r"[\s,;]", "", letters).upper())


def _check_belligerent(row: Row, belligerent: ScoreBelligerent, letters: Sequence[str]) -> Iterator[Problem]:
    syntax = "Write the list as Name (letters), Name (letters)"
    unknown = sorted(set(belligerent.letters) - set(letters))
    if not belligerent.name:
        yield row.problem("belligerents", "SC-04", f'"({belligerent.letters})" has no name before it', allowed=syntax)
    elif belligerent.name.count("(") != belligerent.name.count(")"):
        yield row.problem(
            "belligerents", "SC-04", f'"{belligerent.name}" has one bracket too many or too few', allowed=syntax
        )
    if unknown:
        not_letters = "is not one of the letters" if len(unknown) == 1 else "are not among the letters"
        says = f"{belligerent}: {', '.join(unknown)} {not_letters}"
        allowed = f"{one_of(letters)}; if a name ends in brackets, write its letters after them: Korea (North) (L)"
        yield row.problem("belligerents", "SC-04", says, allowed=allowed)
    elif len(set(belligerent.letters)) < len(belligerent.letters):
        repeated = ", ".join(letter for letter, count in Counter(belligerent.letters).items() if count > 1)
        yield row.warning(
            "belligerents", "SC-OP-25", f"{belligerent}: {repeated} stands there more than once and counts each time"
        )


def parse_overrides(cell: str, factors: Mapping[str, str]) -> tuple[Override, ...]:
    """Return the moderator's points for factors of `General=5; Motive=2`.

    Args:
        cell: The text of the cell; invalid parts, which `check_overrides` reports, are left out.
    """
    return tuple(override for _, override in _parse_override_parts(cell, factors) if isinstance(override, Override))


def check_overrides(row: Row, cell: str, factors: Mapping[str, str]) -> Iterator[Problem]:
    """Check that overrides name known factors, each once and with a number (SC-OP-27)."""
    names: set[str] = set()
    for part, result in _parse_override_parts(cell, factors):
        if isinstance(result, Override):
            if result.factor in names:
                says = f"{factors[result.factor]} is there twice"
                yield row.problem("overrides", "SC-OP-27", says, allowed="Keep one number for each factor")
            names.add(result.factor)
            continue
        name = part.partition("=")[0].strip()
        similar = nearest(name, factors.values()) if loosely(name) not in map(loosely, factors.values()) else ""
        allowed = "Write Factor=points; Factor=points, the factors named as on the receipt"
        yield row.problem("overrides", "SC-OP-27", result, allowed=allowed, nearest=similar)


def _parse_override_parts(cell: str, factors: Mapping[str, str]) -> Iterator[tuple[str, Override | str]]:
    """Yield each part of the cell with its override or an error message."""
    ids = {loosely(name): id for id, name in factors.items()}
    for part in filter(None, (part.strip() for part in cell.split(";"))):
        name, equals, points = part.partition("=")
        if not equals:
            yield part, f'"{part}" has no points'
        elif loosely(name) not in ids:
            yield part, f'"{name.strip()}" is not a factor'
        else:
            yield part, _parse_points(points, ids[loosely(name)])


def _parse_points(points: str, factor: str) -> Override | str:
    """Return the override with some points, or an error message."""
    try:
        number = number_of(points)
    except ReadError as error:
        return error.says
    if number is None or abs(number) > MOST:
        return f'"{points.strip()}" is not a number of points'
    return Override(factor, number)


def check_wins(row: Row, leader: ScoreLeader) -> Iterator[Problem]:
    """Check that a leader has not won more battles than it fought (SC-03b)."""
    if leader.wins > leader.battles:
        says = f"{counted(leader.wins, 'win')}, but only {counted(leader.battles, 'battle')}"
        yield row.problem("wins", "SC-03b", says, allowed="Enter at most as many wins as battles")
