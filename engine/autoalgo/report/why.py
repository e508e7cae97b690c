"""Explanation of a war's stability, occupation and losses, term by term, for `explain` (R-93)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from engine.autoalgo.aftermath import decided
from engine.autoalgo.aftermath.result import Aftermath
from engine.autoalgo.battle.state import Battle
from engine.autoalgo.names import counted, possessive, side_names
from engine.autoalgo.report.aftermath_terms import AftermathTerms
from engine.explained import number

CAUSES = (
    ("killed", "killed in action (ATK-06)"),
    ("died", "dead of hunger and hardship (ATT-05)"),
    ("diseased", "dead of disease (DIS-03)"),
    ("captured", "captured (ATK-08)"),
)
"""Field of `Battle` and words for each cause of losses."""


def why(terms: AftermathTerms) -> Iterator[str]:
    """Yield the lines that say why, a heading and its indented terms for each number.

    Args:
        terms: The terms of the numbers that follow the battle.
    """
    names = side_names(terms.war)
    for side in (0, 1):
        yield from _stability(terms, side, names[side])
    yield from _occupation(terms, names)
    for side in (0, 1):
        yield from _losses(terms.aftermath, terms.battle, side, names[side])


def _stability(terms: AftermathTerms, side: int, name: str) -> Iterator[str]:
    """Yield the terms of a nation's new Stability, and a remark if the result may surprise (STAB-02 to STAB-04)."""
    inputs, aftermath = terms.inputs, terms.aftermath
    if aftermath.decisions.of(decided.STABILITY, side) is not None:
        change = aftermath.stability[side]
        yield f"{possessive(name)} stability: {change.after:g}, {change.band}, as the moderator decided (OVR-12)"
        return
    home, constants = (inputs.attacker, inputs.defender)[side].home, inputs.constants
    losses, changed, is_loser = aftermath.losses[side], aftermath.stability[side], side != aftermath.winner
    found = terms.changed_stability(side)
    stability, toll = found["Stability"], found["hardship"].value
    luck, capital, leader = (stability.entered(what) for what in ("draw", "capital lost", "national leader killed"))
    yield f"{possessive(name)} stability (STAB-04): {number(home.stability)} before the war"
    yield f"  × {number(home.innate)}: Innate Stability, the share of it that lasts (VAR-STAB)"
    if capital is not None:
        yield f"  × {number(capital)}: its capital is lost (STAB-02)"
    if leader is not None:
        yield f"  × {number(leader)}: its national leader is killed (STAB-03)"
    occupied = f", at an occupation of {aftermath.occupation.result:.2f}" if is_loser else ""
    men = f"{losses.casualties:,} killed and captured of at most {home.maximum_military:,.0f} men under arms"
    yield f"  − {toll:.2f}: {men}, borne by Economy {number(home.economy)}{occupied}"
    yield from (f"      {found[name].line()}" for name in ("casualties", "hardship"))
    yield f"  + {luck:.2f}: luck, drawn from 0 to {number(constants.stab_04.luck_most)}"
    low, high = constants.stab_01
    bounds = f" (kept within {number(low)} to {number(high)})" if stability.value in (low, high) else ""
    yield f"  = {changed.after:g}, {changed.band}{bounds}"
    if capital is not None or leader is not None:
        return
    is_heavy = 2 * losses.lost >= losses.men
    if changed.after > changed.before and (is_loser or is_heavy):
        lost = (
            f"{losses.lost:,} of {counted(losses.men, 'man', 'men')} were lost" if is_heavy else "the battle was lost"
        )
        reason = "only a lost capital or the death of a leader of nation and army weighs heavily (STAB-02, STAB-03)"
        yield f"  It rose although {lost}: killed and captured cost {toll:.2f} points; {reason}."
    if changed.after < changed.before and not is_loser:
        cost = home.stability * (1.0 - home.innate)
        reason = f"Innate Stability cost {cost:.2f}" if cost > toll else f"killed and captured cost {toll:.2f}"
        yield f"  It fell although the battle was won: {reason} points, whoever wins."


def _occupation(terms: AftermathTerms, names: tuple[str, str]) -> Iterator[str]:
    """Yield the factors of the occupation's score and its result (OCC-01, OCC-03, OCC-08)."""
    inputs, aftermath = terms.inputs, terms.aftermath
    occupation, winner = aftermath.occupation, aftermath.winner
    if aftermath.decisions.of(decided.OCCUPATION) is not None:
        yield f"Occupation by {names[winner]}: {occupation.text()}, as the moderator decided (OVR-12)"
        return
    start, end = occupation.history[0], occupation.history[-1]
    bonus = (inputs.attacker, inputs.defender)[winner].conquest.bonus
    loser = possessive(names[1 - winner])
    base = f"its Occupation Base over {loser}, lowered by disease (OCC-01)"
    yield f"Occupation by {names[winner]} (OCC-08): {number(start.score)}, {base}"
    yield from (f"      {calculation.line()}" for calculation in islice(terms.occupation_begins(), 1))
    efficiency = f"Efficiency {number(start.efficiency)} of its {occupation.type_name}, which wears off with morale"
    rounds = counted(occupation.rounds, "round")
    yield f"  × {number(end.score / start.score)}: growth in {rounds}, by {efficiency} (OCC-03, OCC-04)"
    if bonus != 1.0:
        yield f"  × {number(bonus)}: Attack of its national leader (OCC-08)"
    score = number(occupation.score)
    yield f"  = {score}; log({score} + 1) = {occupation.result:.2f}, {occupation.band.name} (R-23)"


def _losses(aftermath: Aftermath, battle: Battle, side: int, name: str) -> Iterator[str]:
    """Yield a side's losses by cause, and how many of them came before and after the decision (R-29)."""
    own, losses = battle.side == side, aftermath.losses[side]
    yield f"Losses of {name}: {losses.lost:,} of {counted(losses.men, 'man', 'men')}"
    if any(aftermath.decisions.of(loss, side) is not None for loss in decided.LOSSES):
        yield "  as the moderator decided (OVR-12)"
        return
    for field, words in CAUSES:
        men = int(getattr(battle, field)[own].sum())
        if men:
            yield f"  {men:,} {words}"
    if battle.decided_hour and losses.lost:
        before = int(battle.lost_before[own].sum())
        yield f"  {before:,} of them before the battle was decided, {losses.lost - before:,} after that (R-29)"
