"""The log: one line with its rule id for every roll, factor, modifier and consequence."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from engine.exact import printed
from engine.receipt import on_one_line
from engine.ruleset import Event
from engine.scorecard.aftermath import ScoreRuling, fate_text
from engine.scorecard.receipt import points_text, result_text, territory_text, threshold_text
from engine.scorecard.score import Score


def events(ruling: ScoreRuling) -> Iterator[Event]:
    """Yield an event for each result, in the order of computation."""
    for score in ruling.scores:
        yield from _rolls(score)
        yield from _factors(score)
    for score in ruling.scores:
        yield from _fate(score)
    yield Event(None, "", "", "result", float(ruling.margin), "SC-24", result_text(ruling))
    amount = float(ruling.threshold)
    yield Event(None, "", "", "transplant", amount, "SC-21", f"Full government transplant: {threshold_text(ruling)}")
    if ruling.territory is not None:
        text = f"Territory taken: {territory_text(ruling.territory)}"
        yield Event(None, "", "", "territory", float(ruling.territory.taken), "SC-OP-15", text)


def _rolls(score: Score) -> Iterator[Event]:
    commander = score.side.general
    if commander is None or score.rolls.fate is None or score.rolls.exp is None:
        return
    if commander.exp is None:
        yield _event(score, "roll", score.rolls.exp, "SC-OP-08", f"Exp of {commander.name}: drew {score.rolls.exp}")
    how = "drew" if score.side.general_roll is None else "moderator's"
    yield _event(score, "roll", score.rolls.fate, "SC-03a", f"fate of {commander.name}: {how} {score.rolls.fate}")


def _factors(score: Score) -> Iterator[Event]:
    for factor in score.factors:
        yield _event(score, "factor", factor.points, factor.id, f"{factor.name}: {points_text(factor)}")
    for modifier in score.modifiers:
        text = f"{modifier.explained.name}: {modifier.text}, makes {printed(modifier.total)}"
        yield _event(score, "modifier", modifier.total, modifier.explained.id, text)
    yield _event(score, "total", score.total, "SC-24", f"Total: {printed(score.total)}")


def _fate(score: Score) -> Iterator[Event]:
    if score.side.general is not None and score.fate is not None:
        yield _event(score, "fate", score.fate.f, "SC-03a", f"{score.side.general.name}: {fate_text(score)}")


def _event(score: Score, kind: str, amount: Fraction | int, id: str, text: str) -> Event:
    whose = on_one_line(score.side.title)
    return Event(None, score.side.side, "", kind, float(amount), id, f"{whose}, {on_one_line(text)}")
