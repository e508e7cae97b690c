"""Explanation of a war's Stability, occupation and losses, term by term, for `explain` (R-93)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from engine.autoalgo.aftermath import decided
from engine.autoalgo.aftermath.result import Aftermath
from engine.autoalgo.battle.state import DEFENDER, Battle
from engine.autoalgo.names import party_names, possessive, side_names
from engine.autoalgo.report.aftermath_terms import AftermathTerms
from engine.autoalgo.report.stability_reasons import explained
from engine.explained import number
from engine.receipt import counted

CAUSES = (
    ("killed", "killed in action (ATK-06)"),
    ("died", "dead of hunger and hardship (ATT-05)"),
    ("diseased", "dead of disease (DIS-03)"),
    ("captured", "captured (ATK-08)"),
)
"""Field of `Battle` and words for each cause of losses."""


def why(terms: AftermathTerms) -> Iterator[str]:
    """Yield the lines of the explanation, a heading and its indented terms for each number."""
    names = side_names(terms.war)
    for party, name in enumerate(party_names(terms.war)):
        yield from explained(terms, party, name)
    yield from _occupation(terms, names)
    for side in (0, 1):
        yield from _losses(terms.aftermath, terms.battle, side, names[side])


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
    rule = "WAR-12" if winner == DEFENDER else "R-23"
    yield f"  = {score}; log({score} + 1) = {occupation.result:.2f}, {occupation.band.name} ({rule})"


def _losses(aftermath: Aftermath, battle: Battle, side: int, name: str) -> Iterator[str]:
    """Yield a side's losses by cause, and their split before and after the decision (R-29)."""
    of_side, losses = battle.side == side, aftermath.losses[side]
    yield f"Losses of {name}: {losses.lost:,} of {counted(losses.men, 'man', 'men')}"
    if any(aftermath.decisions.of(loss, side) is not None for loss in decided.LOSSES):
        yield "  as the moderator decided (OVR-12)"
        return
    for field, words in CAUSES:
        men = int(getattr(battle, field)[of_side].sum())
        if men:
            yield f"  {men:,} {words}"
    if battle.decided_hour and losses.lost:
        before = int(battle.lost_before[of_side].sum())
        yield f"  {before:,} of them before the battle was decided, {losses.lost - before:,} after that (R-29)"
