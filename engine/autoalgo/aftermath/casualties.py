"""Casualties by fate: killed, wounded, captured or missing (R-125), in plain numbers."""

from __future__ import annotations

import math
from typing import NamedTuple

from engine.autoalgo.aftermath.battle_end import Ends
from engine.autoalgo.battle.state import DEFENDER, SIEGE_BEGUN, Battle
from engine.autoalgo.constants import R125
from engine.calculation import WHOLE, YEAR
from engine.rule import Label, rule


class HitMen(NamedTuple):
    """The men of a side who were hit, by fate."""

    killed: int
    wounded: int
    captured: int
    missing: int


def note_casualties(battle: Battle, attackers: float, defenders: float, numbers: R125, ends: Ends, row: int) -> None:
    """Split the men hit in a battle, counted as killed by `note_end`, by fate (R-125).

    Args:
        attackers: Of `wounded_share`, for the attacker's men.
        defenders: Likewise, for the defender's men.
    """
    if numbers.applies == 0:
        return
    for side in range(2):
        is_loser = side != ends.winner[row]
        taken = is_taken(battle, side, is_loser)
        share = defenders if side == DEFENDER else attackers
        fates = fates_of(ends.killed[row, side], pursued(battle, side), is_loser, taken, share, numbers)
        ends.killed[row, side] = fates.killed
        ends.wounded[row, side] = fates.wounded
        ends.captured[row, side] += fates.captured
        ends.missing[row, side] = fates.missing


def pursued(battle: Battle, side: int) -> int:
    """Return the number of a side's men hit in flight."""
    men = 0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == side:
            men += battle.pursued[flank]
    return men


def is_taken(battle: Battle, side: int, is_loser: bool) -> bool:
    """Return True for a garrison that was besieged and lost, whose wounded stay behind."""
    return bool(is_loser and side == DEFENDER and battle.tally[SIEGE_BEGUN] > 0)


def fates_of(hit: int, in_flight: int, is_loser: bool, taken: bool, share: float, numbers: R125) -> HitMen:
    """Return the fates of a side's men who were hit (R-125).

    Args:
        in_flight: Of them, those who were hit while their flank fled; only a loser's count.
        taken: Of `is_taken`.
        share: Of `wounded_share`.
    """
    fled = in_flight if is_loser else 0
    wounded = wounded_men(hit, fled, share)
    if not is_loser:
        return HitMen(hit - wounded, wounded, 0, 0)
    stopped = stopped_men(fled, share) if fled else 0
    left = left_on_field(wounded, 1.0 if taken else numbers.left)
    missing = missing_men(stopped, left, numbers)
    return HitMen(hit - stopped - wounded, wounded - left, stopped + left - missing, missing)


@rule("R-125", "share not killed", fire="fire", fought=Label("year", YEAR), year=Label("", YEAR))
def wounded_share(fire: float, fought: int, numbers: R125) -> float:
    """Return the share of the men hit who are not killed, by the arms and the age of those who hit them (R-125).

    Args:
        fire: Share of the hits that come from beyond contact, 0 to 1.
        fought: Year of the war.
    """
    progress = min(max((fought - numbers.year) / numbers.years, 0.0), 1.0)
    by_fire = numbers.fire_first + (numbers.fire_last - numbers.fire_first) * progress
    return 1.0 - 1.0 / (1.0 + numbers.contact + (by_fire - numbers.contact) * fire)


@rule(
    "R-125",
    "wounded",
    WHOLE,
    hit=Label("hit", WHOLE),
    in_flight=Label("hit in flight", WHOLE, silent=0),
    share="share not killed",
)
def wounded_men(hit: int, in_flight: int, share: float) -> int:
    """Return the men wounded before their flank fled (R-125); arguments as of `fates_of`."""
    return math.floor((hit - in_flight) * share + 1.0 / 2.0)


@rule("R-125", "stopped in flight", WHOLE, silent=0, in_flight=Label("hit in flight", WHOLE), share="share not killed")
def stopped_men(in_flight: int, share: float) -> int:
    """Return the men hit in flight and not killed (R-125); arguments as of `fates_of`."""
    return math.floor(in_flight * share + 1.0 / 2.0)


@rule("R-125", "left on the field", WHOLE, wounded=Label("wounded", WHOLE), share=Label("share left", silent=1.0))
def left_on_field(wounded: int, share: float) -> int:
    """Return the loser's wounded left on the field (R-125)."""
    return math.floor(wounded * share + 1.0 / 2.0)


@rule(
    "R-125",
    "missing",
    WHOLE,
    stopped=Label("stopped in flight", WHOLE, silent=0),
    left=Label("left on the field", WHOLE),
)
def missing_men(stopped: int, left: int, numbers: R125) -> int:
    """Return the missing among those stopped in flight and left on the field (R-125)."""
    return math.floor((stopped + left) * numbers.missing + 1.0 / 2.0)


def returning(wounded: int, numbers: R125) -> int:
    """Return the number of wounded who return to their army (R-125)."""
    return math.floor(wounded * numbers.returning + 1.0 / 2.0)
