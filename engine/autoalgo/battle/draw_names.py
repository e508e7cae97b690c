"""Names of the battle's draws, with which a moderator sets single ones (OVR-11).

A name is the hour, the flank or side, and the draw: `hour 7, Normandy right flank, attack`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.autoalgo.battle import draw_ids as ids
from engine.autoalgo.inputs import SIDES
from engine.autoalgo.names import Names, flank_name, possessive
from engine.columns import loosely
from engine.decisions import DecidedDraw, WrongDecision

FLANK_DRAWS: Mapping[str, tuple[int, ...]] = {
    "attack": tuple(range(ids.ATTACK, ids.ATTACK + 4)),
    "charge": (ids.CHARGE,),
    "attack order": (ids.ATTACK_ORDER,),
    "move order": (ids.MOVE_ORDER,),
    "scatter east-west": (ids.JITTER_X,),
    "scatter north-south": (ids.JITTER_Y,),
    "killed rounding": (ids.KILLED_WHOLE,),
    "supply cut": (ids.SUPPLY_CUT,),
    "attrition": (ids.ATTRITION,),
    "attrition rounding": (ids.ATTRITION_WHOLE,),
    "disease rounding": (ids.DISEASE_WHOLE, ids.DISEASE_WHOLE + 1),
}
"""Draws of a flank in an hour; a name for several ids sets all: the dice of all unit types, of both diseases."""
SIDE_DRAWS: Mapping[str, int] = {"outbreak": ids.OUTBREAK, "severity": ids.DISEASE}
"""Draws of an exposed side in an hour, for each side's disease: the first of two ids (DIS-02, DIS-03)."""
SIEGE_DRAWS: Mapping[str, int] = {"siege": ids.SIEGE_MIND, "siege fight": ids.SIEGE_FIGHT, "ambush": ids.AMBUSH_FOUND}
"""Draws of a side at the end of a day of a siege: its action, and the success of its storm or sally (R-100).

The attacker's action in hour 1 decides whether there is a siege, and each side's ambush, whether it is found (R-118).
"""
FORTUNE, PANIC = "fortune", "panic"
"""Draws of the whole battle: fortune of a side or flank, panic of a side (R-28)."""


@dataclass(frozen=True, slots=True)
class DrawPlace:
    """The place of a named draw in a battle's blocks of draws."""

    purposes: tuple[int, ...]  # The ids of its purposes
    index: int  # The flank or the side
    side: int  # The side it belongs to
    flank: int  # The flank it belongs to, -1 for a whole side
    is_hourly: bool  # True if it is drawn anew in each hour; else once for the battle


@dataclass(frozen=True, slots=True)
class FixedDraw:
    """A draw set by a moderator."""

    decided: DecidedDraw  # The decision
    hour: int  # The hour, 0 for a draw of the whole battle
    place: DrawPlace


def draw_places(names: Names) -> dict[str, tuple[str, dict[str, DrawPlace]]]:
    """Return the draws of each side and flank by their names in comparison, with the displayed ones."""
    places: dict[str, tuple[str, dict[str, DrawPlace]]] = {}
    for side, name in enumerate(names.sides):
        draws = {
            f"{what} of {possessive(names.sides[carrier])} disease": DrawPlace((first + carrier,), side, side, -1, True)
            for what, first in SIDE_DRAWS.items()
            for carrier in (0, 1)
        }
        draws |= {name: DrawPlace((id,), side, side, -1, True) for name, id in SIEGE_DRAWS.items()}
        draws[FORTUNE] = DrawPlace((ids.FORTUNE_SIDE,), side, side, -1, False)
        draws[PANIC] = DrawPlace((ids.FORTUNE_PANIC,), side, side, -1, False)
        places[_compared(name)] = (name, {_compared(draw): place for draw, place in draws.items()})
        places.setdefault(_compared(SIDES[side]), places[_compared(name)])
    for flank, side in enumerate(names.side_of):
        draws = {name: DrawPlace(purposes, flank, side, flank, True) for name, purposes in FLANK_DRAWS.items()}
        draws[FORTUNE] = DrawPlace((ids.FORTUNE_FLANK,), flank, side, flank, False)
        of_flank = (
            names.flank(flank).replace(",", "", 1),
            {_compared(draw): place for draw, place in draws.items()},
        )
        places[_compared(names.flank(flank))] = of_flank
        for spelling in (names.flank_of(flank), f"{SIDES[side]} {flank_name(names.flanks[flank])}"):
            places.setdefault(_compared(spelling), of_flank)
    return places


def fixed_draws(decided: Sequence[DecidedDraw], names: Names) -> tuple[FixedDraw, ...]:
    """Return the places of the draws set by a moderator.

    Raises:
        WrongDecision: A draw does not exist, two flanks share the name, it is set twice, or its hour is missing or
            superfluous.
    """
    places = draw_places(names) if decided else {}
    flanks = [_compared(names.flank(flank)) for flank in range(len(names.flanks))]
    fixed: dict[tuple[int, DrawPlace], FixedDraw] = {}
    for draw in decided:
        hour, place = _place_of(draw.what, places)
        if place.flank >= 0 and flanks.count(flanks[place.flank]) > 1:
            raise WrongDecision(draw.what, "two flanks have this name", allowed="Give each a name of its own")
        if (hour, place) in fixed:
            raise WrongDecision(draw.what, "is set by another row already", allowed="Keep one of them")
        fixed[hour, place] = FixedDraw(draw, hour, place)
    return tuple(fixed.values())


def refuse_late(fixed: Sequence[FixedDraw], hours: int) -> None:
    """Refuse a draw of an hour that no battle reaches.

    The length of this battle must stay secret until the ruling; a draw of a later hour has no effect.

    Args:
        hours: The time limit of any attack.

    Raises:
        WrongDecision: A draw is that late.
    """
    for draw in fixed:
        if draw.hour > hours:
            says = f"there is no hour {draw.hour}, since no battle lasts longer than {hours:,}"
            raise WrongDecision(draw.decided.what, says, allowed=f"Use an hour from 1 to {hours}")


HOUR = re.compile(r"hour (\d{1,6})\b[ ,]*(.*)")


def _place_of(what: str, places: Mapping[str, tuple[str, dict[str, DrawPlace]]]) -> tuple[int, DrawPlace]:
    timed = HOUR.fullmatch(loosely(what))
    hour, rest = (int(timed[1]), timed[2]) if timed else (0, loosely(what))
    rest = _compared(rest)
    # The longest name that fits decides: "England left flank" before "England".
    owner = max((name for name in places if rest == name or rest.startswith(f"{name} ")), key=len, default="")
    spellings = list(dict.fromkeys(name for name, _ in places.values()))
    if not owner:
        raise WrongDecision(what, "there is no such side or flank", spellings)
    name, draws = places[owner]
    place = draws.get(rest.removeprefix(owner).strip())
    if place is None:
        flanks = [flank for flank in spellings if flank.startswith(f"{name} ")]
        raise WrongDecision(what, f"{name} has no such draw", [*draws, *flanks])
    if place.is_hourly and (timed is None or hour < 1):
        raise WrongDecision(what, "is drawn anew in each hour", allowed="Begin with the hour, from 1: hour 7, ...")
    if not place.is_hourly and timed is not None:
        raise WrongDecision(what, "is drawn once for the whole battle", allowed="Leave out the hour")
    return hour, place


def _compared(name: str) -> str:
    """Return a name in its form for comparison: any case, commas as spaces."""
    return loosely(name.replace(",", " "))


def drawn_in(fixed: Sequence[FixedDraw], hour: int) -> Iterator[FixedDraw]:
    """Yield the draws of an hour, of the whole battle for hour 0."""
    return (draw for draw in fixed if draw.hour == hour)
