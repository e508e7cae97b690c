"""Armies at the end of a year: returns, desertion and recruitment (YRS-04, YRS-05, YRS-10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.autoalgo.aftermath.casualties import returning
from engine.autoalgo.records import SIZE_MOST
from engine.autoalgo.setup.year_numbers import YearNumbers
from engine.autoalgo.years.world import (
    DESERT,
    RECRUIT,
    ArmyState,
    NationState,
    Peace,
    YearArmy,
    YearInputs,
    YearWorld,
    by_band,
    is_same,
)
from engine.elementary import power

KEPT = "prisoners kept"
"""Terms that free no prisoners."""


def return_men(world: YearWorld, inputs: YearInputs) -> None:
    """Return wounded men and prisoners to their armies (YRS-04)."""
    for state in world.armies:
        army = state.army
        wounded = max(0, returning(army.wounded, world.tables.constants.r_125) - army.back)
        fates = [_prisoners(inputs, world.tables.years, army, captor, men) for captor, men in army.captured]
        state.returned = min(wounded + sum(freed for freed, _ in fates), SIZE_MOST - state.size)
        state.captive = sum(held for _, held in fates)
        state.size += state.returned


def prisoners_after(inputs: YearInputs, numbers: YearNumbers) -> Iterator[tuple[YearArmy, str, int]]:
    """Yield the prisoners left after a year: their army, their captor and their number (YRS-04)."""
    for army in inputs.armies:
        for captor, men in army.captured:
            if held := _prisoners(inputs, numbers, army, captor, men)[1]:
                yield army, captor, held


def _prisoners(inputs: YearInputs, numbers: YearNumbers, army: YearArmy, captor: str, men: int) -> tuple[int, int]:
    """Return the numbers of an army's prisoners freed and still held: none after a peace."""
    peace = next((peace for peace in inputs.peaces if _reconciles(peace, army.nation, captor)), None)
    if peace is not None and KEPT in peace.terms.lower():
        return 0, 0
    if peace is not None or not any(_guards(other, captor) for other in inputs.armies):
        return round(men * numbers.released), 0
    freed = round(men * (1.0 - power(1.0 - numbers.exchanged, inputs.year - inputs.since + 1)))
    return freed, men - freed


def _guards(army: YearArmy, captor: str) -> bool:
    """Return True if a captor has men to guard its prisoners."""
    return army.size > 0 and any(is_same(name, captor) for name in army.nation)


def _reconciles(peace: Peace, nations: Iterable[str], captor: str) -> bool:
    """Return True if a peace is between the nations of an army and its captor."""
    for one, other in ((peace.winners, peace.losers), (peace.losers, peace.winners)):
        if any(is_same(captor, name) for name in one):
            return any(is_same(nation, name) for nation in nations for name in other)
    return False


def desert(world: YearWorld, state: NationState) -> None:
    """Let men desert a weak state (YRS-10)."""
    share = by_band(world.tables.years.desertion, world.tables.stability_bands, state.nation.stability)
    for army in world.armies_of(state.name) if share and not state.is_rebel else ():
        left = min(army.size, world.whole(army.size * share, DESERT, army.index))
        army.size -= left
        army.deserted += left


def recruit(world: YearWorld, state: NationState, maximum: float, group: str) -> None:
    """Recruit towards the nation's peacetime army, or send men home (YRS-05).

    Args:
        maximum: The maximum military, without the share of occupied places (MAX-01).
        group: The group of its civilization.
    """
    numbers, armies = world.tables.years, [*world.armies_of(state.name)]
    pace = numbers.recruits[group]
    obedience = min(1.0, state.nation.stability / numbers.obedience)
    free = 1.0 - world.occupied_share(state.name)
    room = maximum * free - sum(army.size for army in armies)
    levy = min(max(room, 0.0), state.nation.population * numbers.levy * free)
    gaps = [kept(army, is_rebel=state.is_rebel) - army.size for army in armies]
    wanted = sum(max(gap, 0) for gap in gaps) * pace * obedience
    share = min(1.0, levy / wanted) if wanted else 0.0
    for army, gap in zip(armies, gaps, strict=True):
        amount = abs(gap) * pace * (obedience * share if gap > 0 else 1.0)
        men = min(abs(gap), world.whole(amount, RECRUIT, army.index))
        army.recruits += men if gap > 0 else -men
        army.size += men if gap > 0 else -men


def kept(army: ArmyState, *, is_rebel: bool = False) -> int:
    """Return an army's target size: Keep; if that is blank, at least its first size (YRS-05)."""
    if is_rebel:
        return 0
    if army.army.keep is not None:
        return army.army.keep
    return max(army.size, army.army.usual_size or 0)
