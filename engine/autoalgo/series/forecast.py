"""Forecast of a war: the results of many battles in the same numbers and words as a ruling.

A battle of a forecast is a ruling without its log: the same steps in the same order, with the luck of its replicate.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.autoalgo.aftermath.battle_end import fight_hours, men_lost
from engine.autoalgo.aftermath.result import NOTHING_TAKEN
from engine.autoalgo.battle.state import DEFENDER, Whole
from engine.autoalgo.fight.battlefield import BattleResults
from engine.autoalgo.inputs import SIDES, WarInputs
from engine.autoalgo.names import side_names, verb_ending
from engine.autoalgo.setup.army import belligerent
from engine.autoalgo.setup.source import HISTORY
from engine.autoalgo.setup.table_parts import Band
from engine.autoalgo.setup.tables import Tables
from engine.forecast import Kinds, Measure, Real, Replicates, Which, favourite, rounded, spread, summed_up
from engine.receipt import counted

LOST, HELD = "lost", "held"
KILLED, SURVIVES = "killed", "survives"
LOST_MEN = ("killed", "died", "captured", "wounded", "missing")
"""Losses of men, the fields of `Ends`; the last two only by R-125."""
IN_BATTLE, AT_THE_LIMIT = "decided", "attack abandoned"
DURATION = "Duration"
LOSSES = ("Attacker losses", "Defender losses")


def replicates_of(war: WarInputs, tables: Tables, fought: BattleResults) -> Replicates:
    """Return the results of battles as columns: numbers and words by name, rounded as in a ruling."""
    ends, then = fought
    numbers: dict[str, Measure] = {}
    for side, name in enumerate(SIDES):
        lost = LOST_MEN if tables.constants.r_125.applies else LOST_MEN[:3]
        parts = {name: getattr(ends, name)[:, side] for name in lost}
        numbers[LOSSES[side]] = _measure(men_lost(ends)[:, side], "men")
        numbers |= {f"{name} {what}": _measure(men, "men") for what, men in parts.items()}
        if belligerent(war, side).units[-1] is not None:
            numbers[f"{name} ships sunk"] = _measure(ends.sunk[:, side], "ships")
    numbers["Hours to contact"] = _hours(ends.first_contact)
    numbers["Hours to the decision"] = _hours(ends.decided)
    hours = fight_hours(ends) if tables.strategy.rules == HISTORY else ends.hours
    numbers[DURATION] = _measure(hours, "hours")
    numbers["Occupation result"] = _measure(then.result, "")
    words = {
        "Ending": _either(ends.is_abandoned, AT_THE_LIMIT, IN_BATTLE),
        "Occupation": _taken(_banded(rounded(then.result, 2), tables.occupation_bands), ends.winner),
    }
    for side, name in enumerate(SIDES):
        before = belligerent(war, side).nation.stability
        after = rounded(then.stability[:, side], 1)
        numbers[f"{name} stability change"] = _measure(rounded(after - before, 1), "points")
        words[f"{name} stability"] = _banded(after, tables.stability_bands)
    for side, name in enumerate(SIDES):
        army = belligerent(war, side)
        if army.military_leader is not None:
            words[f"{name} leader"] = _either(then.is_killed[:, side], KILLED, SURVIVES)
        if army.nation.capital == war.location.name:
            words[f"{name} capital"] = _either(ends.winner != side, LOST, HELD)
    return Replicates(ends.winner, numbers, words, (*LOSSES, DURATION))


def course(war: WarInputs, replicates: Replicates) -> str:
    """Return the most likely course in one sentence: the usual values of the favourite's victories."""
    assert replicates.winner is not None  # every battle of these rules has a winner
    winner = favourite(replicates.winner)
    won = replicates.where(replicates.winner == winner)
    forecast = summed_up(won)
    names = side_names(war)
    contact, end = won.numbers["Hours to contact"].values, won.numbers[DURATION].values
    met = "hardly a blow"
    if 2 * np.count_nonzero(~np.isnan(contact)) > len(won):
        # The median of all battles, a few of which may end without a blow, is never later than that of their ends.
        met = f"first blows in hour {spread(_measure(np.fmin(contact, end), 'hours')).quantiles[2]:.0f}"
    usual = [round(spread(won.numbers[name]).quantiles[2]) for name in LOSSES]
    hours = round(forecast.numbers[DURATION].quantiles[2])
    favourites = f"{names[winner]} win{verb_ending(names[winner])}"
    lost = " and ".join(f"{counted(usual[side], 'man', 'men')} of {names[side]}" for side in (winner, 1 - winner))
    held, share = max(forecast.words["Occupation"].items(), key=lambda kind_and_share: kind_and_share[1].share)
    return (
        f"Most likely {favourites} after {counted(hours, 'hour')}, {met}, at the price of {lost}; then"
        f" {held} ({100 * share.share:.0f} % of these battles)"
    )


def _measure(values: object, unit: str) -> Measure:
    return Measure(np.asarray(values, np.float64), unit)


def _hours(hours: Whole) -> Measure:
    """Return hours counted from 1; 0 means none."""
    return Measure(np.where(hours == 0, math.nan, hours.astype(np.float64)), "hours")


def _banded(results: Real, bands: Sequence[Band]) -> Kinds:
    """Return the band of each result: the last one that begins at or below it (R-23)."""
    codes = np.searchsorted([band.first for band in bands], results, side="right") - 1
    return Kinds(np.maximum(codes, 0), tuple(band.name for band in bands))


def _taken(bands: Kinds, winner: Whole) -> Kinds:
    """Return the bands of occupations; nothing is taken where the defender won (WAR-12)."""
    return Kinds(np.where(winner == DEFENDER, len(bands.names), bands.codes), (*bands.names, NOTHING_TAKEN.name))


def _either(is_first: Whole | Which, first: str, second: str) -> Kinds:
    return Kinds(np.where(is_first, 0, 1).astype(np.int64), (first, second))
