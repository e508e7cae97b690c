"""Results of a war decided by a moderator, and the results that they replace (OVR-12, R-97)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from engine.autoalgo.aftermath.battle_end import Ends
from engine.autoalgo.aftermath.consequences import Consequences
from engine.autoalgo.battle.state import Battle
from engine.autoalgo.inputs import SIDES, WarInputs
from engine.autoalgo.setup.army import armies_of, belligerent
from engine.autoalgo.setup.tables import Tables
from engine.columns import loosely
from engine.decisions import DecidableResult, DecidedValue, WrongDecision
from engine.elementary import exp
from engine.receipt import counted, on_one_line

WINNER, OCCUPATION, STABILITY, LEADER = "Winner", "Occupation", "Stability", "Leader"
LOSSES = ("Killed", "Died", "Captured", "Wounded", "Missing")
"""Losses of men, the fields of `Ends` in lower case; the last two only by R-125."""
SUNK = "Ships Sunk"
KILLED, ALIVE = "killed", "alive"
OCCUPATION_MOST = 10.0
"""Highest decidable result of an occupation, far above the beginning of the highest band."""


@dataclass(frozen=True, slots=True)
class DecidedResults:
    """The results decided by a moderator."""

    # The values by the first name of `decidable_results`.
    values: Mapping[str, DecidedValue] = field(default_factory=dict)

    def of(self, what: str, side: int = -1) -> DecidedValue | None:
        """Return the value of a result, of one side if it has sides; None if it is not decided."""
        return self.values.get(what if side < 0 else f"{SIDES[side]} {what}")


NONE_DECIDED = DecidedResults()


def decidable_results(war: WarInputs, tables: Tables) -> Iterator[DecidableResult]:
    """Yield the results of a war that a moderator may decide; a side is named as such or by its nation."""
    nations = [on_one_line(belligerent(war, side).nation.name) for side in (0, 1)]
    are_told_apart = loosely(nations[0]) != loosely(nations[1])
    spellings = [(SIDES[side], *((nations[side],) if are_told_apart else ())) for side in (0, 1)]
    winners = {spelling: SIDES[side] for side in (0, 1) for spelling in spellings[side]}
    yield DecidableResult((WINNER,), winners)
    yield DecidableResult((OCCUPATION,), low=0.0, high=OCCUPATION_MOST)
    low, high = tables.constants.stab_01
    for side, names in enumerate(spellings):
        army, size = belligerent(war, side), sum(army.military.size for army in armies_of(war, side))
        yield DecidableResult(_named(names, STABILITY), low=low, high=high)
        # The losses of a coalition are those of the side, and its leader's name says nothing of them.
        of_side = names[:1] if army.allies else names
        for loss in LOSSES if tables.constants.r_125.applies else LOSSES[:3]:
            yield DecidableResult(_named(of_side, loss), low=0, high=size, is_whole=True)
        if army.units[3] is not None:
            yield DecidableResult(_named(of_side, SUNK), low=0, high=SHIPS_MOST, is_whole=True)
        if army.military_leader is not None:
            yield DecidableResult(_named(names, LEADER), {KILLED: KILLED, ALIVE: ALIVE})


SHIPS_MOST = 10_000_000
"""More ships than in any fleet; a fleet's own number is known only after deployment."""


def _named(names: tuple[str, ...], result: str) -> tuple[str, ...]:
    return tuple(f"{name} {result}" for name in names)


def decide_ends(decided: DecidedResults, battle: Battle, ends: Ends) -> None:
    """Write the decided winner and losses into the end of a battle.

    Undecided numbers give way, as they must stay secret until the ruling; only decided ones can be too large.

    Raises:
        WrongDecision: The decided losses exceed the men or ships present.
    """
    if (winner := decided.of(WINNER)) is not None:
        ends.winner[0] = SIDES.index(str(winner))
        ends.is_abandoned[0] = 0
    for side in (0, 1):
        of_side = battle.side == side
        columns = {loss: getattr(ends, loss.lower()) for loss in LOSSES}
        men, ships = int(battle.men_start[of_side].sum()), int(battle.ships_start[of_side].sum())
        losses = {loss: int(value) for loss in columns if (value := decided.of(loss, side)) is not None}
        if losses:
            left = men - sum(losses.values())
            if left < 0:
                says = f"{counted(men - left, 'man', 'men')} would be lost, and there were {men:,}"
                raise WrongDecision(f"{SIDES[side]} {[*losses][-1]}", says, allowed="Lower it", is_value=True)
            for loss, column in columns.items():
                column[0, side] = losses.get(loss, min(int(column[0, side]), left))
                left -= 0 if loss in losses else int(column[0, side])
            ends.left[0, side] = left
        if (sunk := decided.of(SUNK, side)) is not None:
            if int(sunk) > ships:
                says = f"{counted(int(sunk), 'ship')} would be sunk, and there were {ships:,}"
                raise WrongDecision(f"{SIDES[side]} {SUNK}", says, allowed=f"Use 0 to {ships:,}", is_value=True)
            ends.sunk[0, side] = int(sunk)


def decide_fates(decided: DecidedResults, consequences: Consequences) -> None:
    """Write the decided fates of the commanders."""
    for side in (0, 1):
        if (fate := decided.of(LEADER, side)) is not None:
            consequences.is_killed[0, side] = 1 if fate == KILLED else 0


def decide_occupation(decided: DecidedResults, consequences: Consequences) -> None:
    """Write the decided result of the occupation, with its score (OCC-08)."""
    if (result := decided.of(OCCUPATION)) is not None:
        consequences.result[0] = float(result)
        consequences.score[0] = exp(float(result)) - 1.0


def decide_stability(decided: DecidedResults, consequences: Consequences) -> None:
    """Write the decided Stability of the nations."""
    for side in (0, 1):
        if (stability := decided.of(STABILITY, side)) is not None:
            consequences.stability[0, side] = float(stability)
