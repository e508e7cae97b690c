"""Reasons for a change of a nation's Stability, in points, for the receipt and `explain` (STAB-04, R-93, R-110)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine.autoalgo.battle.state import ATTACKER
from engine.autoalgo.names import possessive, side_names
from engine.autoalgo.report.aftermath_terms import AftermathTerms
from engine.calculation import Calculation
from engine.explained import number
from engine.receipt import counted, on_one_line

LEAST_TOLD = 0.05
"""Minimum points of a reason on the receipt, which has one decimal."""


class Reason(NamedTuple):
    """A reason for a change of Stability."""

    words: str  # Its name: `victory`
    points: float  # Its points, counted after the reasons before it


def clause(terms: AftermathTerms, party: int) -> str:
    """Return the reasons, the largest first, as a clause after the new Stability; blank if a moderator decided it.

    Args:
        party: Number of the nation (R-131).
    """
    if terms.is_decided(party):
        return ""
    by_weight = sorted(reasons(terms, party), key=lambda reason: -abs(reason.points))
    phrases = [f"{words} {signed(points)}" for words, points in by_weight if abs(points) >= LEAST_TOLD]
    change = terms.aftermath.parties[party].stability
    if not phrases and round(change.before, 1) != round(change.after, 1):
        phrases = [f"small reasons {signed(change.after - change.before)}"]
    low, high = terms.inputs.constants.stab_01
    bound = {low: [f"at least {number(low)}"], high: [f"at most {number(high)}"]}
    phrases += bound.get(terms.changed_stability(party)["Stability"].value, [])
    return f": {', '.join(phrases) or 'too small a war to move it'}"


def signed(points: float) -> str:
    """Return points with their sign and at most one decimal."""
    return f"{'−' if points < 0 else '+'}{round(abs(points), 1):g}"


def reasons(terms: AftermathTerms, party: int) -> Iterator[Reason]:
    """Yield the reasons in the order of the rules; together they make the change."""
    calculations = terms.changed_stability(party)
    left = terms.aftermath.parties[party].stability.before
    for words, _, factor in _factors(calculations["Stability"]):
        yield Reason(words, left * (factor - 1.0))
        left *= factor
    yield from (_weighed if "weight of the war" in calculations else _printed)(terms, party, calculations)


FACTORS = {
    "Innate Stability": ("Innate Stability", "Innate Stability, the share of it that lasts (VAR-STAB)"),
    "capital lost": ("the loss of its capital", "its capital is lost (STAB-02)"),
    "national leader killed": ("the death of its leader", "its national leader is killed (STAB-03)"),
}
"""Factors of Stability, with words for the receipt and for `explain`."""


def _factors(stability: Calculation) -> Iterator[tuple[str, str, float]]:
    """Yield the factors of a Stability, each with its words for the receipt and for `explain`."""
    for name, (words, sentence) in FACTORS.items():
        factor = stability.entered(name)
        if factor is not None:
            yield words, sentence, factor


def _printed(terms: AftermathTerms, party: int, calculations: Mapping[str, Calculation]) -> Iterator[Reason]:
    """Yield the points of casualties and luck (STAB-04)."""
    yield Reason("men killed and captured", -calculations["hardship"].value)
    yield Reason("luck", calculations["Stability"].entered("draw") or 0.0)


def _weighed(terms: AftermathTerms, party: int, calculations: Mapping[str, Calculation]) -> Iterator[Reason]:
    """Yield the points of result, losses, occupation and length (R-110)."""
    own, winner, cost = terms.aftermath.parties[party], terms.aftermath.winner, calculations["cost"]
    losses, side = own.losses, own.side
    place, names = on_one_line(terms.war.location.name), side_names(terms.war)
    is_capital = calculations.get("hold of the winner", cost).entered("capital") is not None
    held = f"{place}, its capital" if is_capital else place
    if side == winner:
        yield Reason("victory", calculations["gain"].value)
    words = {
        "losses": f"{losses.lost / max(losses.men, 1):.0%} of its men lost".replace("%", " %"),
        "hold of the winner": f"{possessive(names[ATTACKER])} hold on {held}" if side else f"{held} held against it",
        "length": f"a battle of {counted(terms.aftermath.hours, 'hour')}",
    }
    weight = calculations["weight of the war"].value
    for name, said in words.items():
        points = cost.entered(name)
        if points is not None:
            yield Reason(said, -points if name in ("hold of the winner", "length") else -weight * points)


def explained(terms: AftermathTerms, party: int, name: str) -> Iterator[str]:
    """Yield the terms of a nation's new Stability, and a remark on a surprising result."""
    inputs, changed = terms.inputs, terms.aftermath.parties[party].stability
    if terms.is_decided(party):
        yield f"{possessive(name)} stability: {changed.after:g}, {changed.band}, as the moderator decided (OVR-12)"
        return
    stability = terms.changed_stability(party)["Stability"]
    id = "R-110" if inputs.constants.r_110.applies else "STAB-04"
    yield f"{possessive(name)} stability ({id}): {number(changed.before)} before the war"
    factors = [*_factors(stability)]
    yield from (f"  × {number(factor)}: {sentence}" for _, sentence, factor in factors)
    for words, points in [*reasons(terms, party)][len(factors) :]:
        yield f"  {'+' if points > 0 else '−'} {abs(points):.2f}: {words}"
    low, high = inputs.constants.stab_01
    bounds = f" (kept within {number(low)} to {number(high)})" if stability.value in (low, high) else ""
    yield f"  = {changed.after:g}, {changed.band}{bounds}"
    if all(words == "Innate Stability" for words, *_ in factors):
        yield from _surprise(terms, party)


def _surprise(terms: AftermathTerms, party: int) -> Iterator[str]:
    """Yield a remark if Stability rose despite heavy losses, or fell despite a victory (R-93)."""
    own = terms.aftermath.parties[party]
    losses, changed = own.losses, own.stability
    is_loser, is_heavy = own.side != terms.aftermath.winner, 2 * losses.lost >= losses.men
    if changed.after > changed.before and (is_loser or is_heavy):
        men = counted(losses.men, "man", "men")
        lost = f"{losses.lost:,} of {men} were lost" if is_heavy else "the battle was lost"
        most = max(reasons(terms, party), key=lambda reason: reason.points)
        yield f"  It rose although {lost}: {most.words} added {most.points:.2f} points."
    if changed.after < changed.before and not is_loser:
        most = min(reasons(terms, party), key=lambda reason: reason.points)
        yield f"  It fell although the battle was won: {most.words} cost {-most.points:.2f} points."
