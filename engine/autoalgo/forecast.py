"""What may come of a war: its battles fought many times over, each told in the same numbers and words.

A battle of a forecast is a ruling without its log: the same steps in the same order, on the luck of its replicate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from engine.autoalgo.aftermath import Aftermath
from engine.autoalgo.battle import fight
from engine.autoalgo.deploy import deploy
from engine.autoalgo.events import Events
from engine.autoalgo.inputs import SIDES, WarInputs
from engine.autoalgo.names import counted, duration_text, side_names
from engine.autoalgo.parts import Band
from engine.autoalgo.reckoning import follow
from engine.autoalgo.state import Whole
from engine.autoalgo.strategy import belligerent
from engine.autoalgo.tables import Tables
from engine.autoalgo.variables import SideVariables, side_variables
from engine.forecast import Kinds, Measure, Replicates, favourite, spread, summed_up
from engine.luck import Luck

LOST, HELD = "lost", "held"
KILLED, SURVIVES = "killed", "survives"
IN_BATTLE, AT_THE_LIMIT = "decided", "attack abandoned"
DURATION = "Duration"
LOSSES = ("Attacker losses", "Defender losses")


class Ended(NamedTuple):
    """One battle of many.

    Args:
        aftermath: What followed it.
        contact: Hour of the first attack, 0 = none (R-29).
        decided: Hour in which one side had no fighting flank left, 0 = none.
    """

    aftermath: Aftermath
    contact: int
    decided: int


def replicates(war: WarInputs, tables: Tables, seed: int, first: int, count: int) -> Replicates:
    """Some battles of one seed, counted from `first`; the one with number 0 is the ruling of that seed.

    Args:
        war: Read and checked.
        tables: With the settings of the war in them.
        seed: 0 to 2**64 - 1.
        first: Number of the first.
        count: How many, at least 1.

    Raises:
        ValueError: A strategy that cannot run (STRAT-07).
    """
    variables = (side_variables(war, 0, tables), side_variables(war, 1, tables))
    return told(war, tables, [_fought(war, tables, variables, Luck(seed, first + it)) for it in range(count)])


def _fought(war: WarInputs, tables: Tables, variables: tuple[SideVariables, SideVariables], luck: Luck) -> Ended:
    battle, tunables = deploy(war, variables, tables, luck)
    fight(battle, tunables, luck, _unheard)
    aftermath = follow(war, battle, tunables, variables, tables, luck, is_naval=False)  # only a receipt tells that
    return Ended(aftermath, battle.first_contact_hour, battle.decided_hour)


def _unheard(events: Events) -> None:
    """Nobody reads the log of a forecast."""


def told(war: WarInputs, tables: Tables, ended: Sequence[Ended]) -> Replicates:
    """Battles as columns: numbers and words by name."""
    after = [it.aftermath for it in ended]

    def measured(unit: str, of: Callable[[Aftermath], float]) -> Measure:
        return Measure(np.array([of(it) for it in after], np.float64), unit)

    numbers: dict[str, Measure] = {}
    for side, name in enumerate(SIDES):
        losses = [it.losses[side] for it in after]
        for what in ("lost", "killed", "died", "captured"):
            column = LOSSES[side] if what == "lost" else f"{name} {what}"
            numbers[column] = Measure(np.array([getattr(it, what) for it in losses], np.float64), "men")
        if losses[0].ships:
            numbers[f"{name} ships sunk"] = Measure(np.array([it.sunk for it in losses], np.float64), "ships")
    numbers["Hours to contact"] = _hours([it.contact for it in ended])
    numbers["Hours to the decision"] = _hours([it.decided for it in ended])
    numbers[DURATION] = measured("hours", lambda it: it.hours)
    numbers["Occupation result"] = measured("", lambda it: it.occupation.result)
    words = {
        "Ending": _either([it.is_abandoned for it in after], AT_THE_LIMIT, IN_BATTLE),
        "Occupation": _banded([it.occupation.band for it in after], tables.occupation_bands),
    }
    for side, name in enumerate(SIDES):
        changes = [round(it.stability[side].after - it.stability[side].before, 1) for it in after]
        numbers[f"{name} stability change"] = Measure(np.array(changes, np.float64), "points")
        words[f"{name} stability"] = _banded([it.stability[side].band for it in after], tables.stability_bands)
    for side, name in enumerate(SIDES):
        own = belligerent(war, side)
        if own.military_leader is not None:
            killed = [any(fate.is_killed for fate in it.fates[side]) for it in after]
            words[f"{name} leader"] = _either(killed, KILLED, SURVIVES)
        if own.nation.capital == war.location.name:
            words[f"{name} capital"] = _either([it.winner != side for it in after], LOST, HELD)
    return Replicates(_whole([it.winner for it in after]), numbers, words, (*LOSSES, DURATION))


def course(war: WarInputs, tables: Tables, found: Replicates) -> str:
    """The most likely course in one sentence: what is usual among the battles that the favourite wins."""
    winner = favourite(found.winner)
    its = found.where(found.winner == winner)
    forecast = summed_up(its)
    names = side_names(war)
    contact = spread(its.numbers["Hours to contact"])
    usual = [round(spread(its.numbers[name]).quantiles[2]) for name in LOSSES]
    hours = round(forecast.numbers[DURATION].quantiles[2])
    lasting = duration_text(hours, tables.strategy.hours_per_day)
    met = f"first blows in hour {contact.quantiles[2]:.0f}" if 2 * contact.battles > len(its) else "hardly a blow"
    lost = " and ".join(f"{counted(usual[side], 'man', 'men')} of {names[side]}" for side in (winner, 1 - winner))
    held, share = max(forecast.words["Occupation"].items(), key=lambda it: it[1].share)
    return (
        f"Most likely {names[winner]} wins after {lasting}, {met}, at the price of {lost}; then"
        f" {held} ({100 * share.share:.0f} % of these battles)"
    )


def _hours(hours: Sequence[int]) -> Measure:
    """Hours that are counted from 1; 0 is none."""
    return Measure(np.array([it or math.nan for it in hours], np.float64), "hours")


def _banded(names: Sequence[str], bands: Sequence[Band]) -> Kinds:
    known = tuple(dict.fromkeys(band.name for band in bands))
    return Kinds(_whole([known.index(name) for name in names]), known)


def _either(is_first: Sequence[bool], first: str, second: str) -> Kinds:
    return Kinds(_whole([0 if it else 1 for it in is_first]), (first, second))


def _whole(values: Sequence[int]) -> Whole:
    return np.array(values, np.int64)
