"""Fixed rolls: numbers that a moderator types in place of dice (RL-OP-41)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from engine.columns import loosely
from engine.realm.setup.dice import FixedRoll
from engine.realm.setup.purposes import PURPOSES
from engine.suggest import nearest
from sheets_algo.database.cell_text import ReadError
from sheets_algo.database.problems import Problem, quoted
from sheets_algo.database.tables import Row
from sheets_algo.database.typed_numbers import number_of

FIXED_ROLL_MOST = 1_000_000


def parse_fixed_rolls(cell: str, names: Collection[str] = ()) -> tuple[FixedRoll, ...]:
    """Return the fixed rolls of `RL-LOY-02 Brennus=97; RL-RND-01=65` (RL-OP-41).

    Args:
        cell: The text of the cell; invalid parts, which `check_fixed_rolls` reports, are left out.
        names: The names of all leaders, cities, units and facts, by which the rolls are spelled.
    """
    spelled = {loosely(name): name for name in names}
    rolls = (roll for roll in map(_parse_fixed_roll, _parts(cell)) if isinstance(roll, FixedRoll))
    return tuple(replace(roll, whose=spelled.get(loosely(roll.whose), roll.whose)) for roll in rolls)


def check_fixed_rolls(row: Row, cell: str) -> Iterator[Problem]:
    """Check that fixed rolls name known dice, each with a whole number of at least 1 (RL-OP-41)."""
    for part in _parts(cell):
        result = _parse_fixed_roll(part)
        if isinstance(result, str):
            id = part.partition("=")[0].strip().split(" ")[0]
            similar = nearest(id, PURPOSES) if id not in PURPOSES else ""
            allowed = "Write rule-id=number, or rule-id name=number; several with semicolons"
            yield row.problem("fixed_rolls", "RL-OP-41", result, allowed=allowed, nearest=similar)


def check_roll_names(row: Row, rolls: Iterable[FixedRoll], names: Collection[str]) -> Iterator[Problem]:
    """Warn of fixed rolls for unknown names (RL-OP-41)."""
    for name in dict.fromkeys(roll.whose for roll in rolls if roll.whose and roll.whose not in names):
        says = f"{quoted(name)} is no leader, city, unit or fact so far, and its number counts for no other"
        similar = nearest(name, names)
        allowed = "" if similar else "Write the name as its own tab has it"
        yield row.warning("fixed_rolls", "RL-OP-41", says, allowed=allowed, nearest=similar)


def _parts(cell: str) -> Iterator[str]:
    return filter(None, (part.strip() for part in re.split(r"[;\n]", cell)))


def _parse_fixed_roll(part: str) -> FixedRoll | str:
    """Return a fixed roll or an error message."""
    die, equals, number = part.rpartition("=")
    id, _, name = die.strip().partition(" ")
    known = {loosely(purpose): purpose for purpose in PURPOSES}
    if not equals:
        return f"{quoted(part)} has no number"
    if loosely(id) not in known:
        return f"{quoted(id)} is not a die of these rules"
    try:
        rolled = number_of(number, is_whole=True)
    except ReadError as error:
        return error.says
    if rolled is None or rolled != int(rolled) or not 1 <= rolled <= FIXED_ROLL_MOST:
        return f"{quoted(number.strip())} is not a whole number of at least 1, as a die shows"
    return FixedRoll(rule=known[loosely(id)], number=int(rolled), whose=name.strip())
