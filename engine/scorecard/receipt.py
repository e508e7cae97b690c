"""The receipt of section 2.5, and the log, which has every roll as well."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from engine.exact import percent, printed
from engine.receipt import Block, Line, ReceiptText, as_sentence, on_one_line
from engine.ruleset import Event
from engine.scorecard.aftermath import STALEMATE, ScoreRuling, Territory, fate_text
from engine.scorecard.factors import Factor
from engine.scorecard.inputs import ScoredSide
from engine.scorecard.score import Score
from engine.settings import typed_lines


def receipt(ruling: ScoreRuling, seed: int) -> ReceiptText:
    """Return the whole receipt, without a story (SC-OP-20); it prints the seed only if the moderator gave it."""
    date = on_one_line(ruling.war.date)
    blocks = [
        Block("", (Line("Date", date),) if date else ()),
        *(Block(on_one_line(score.side.title), tuple(_score_lines(score))) for score in ruling.scores),
        Block("Result", tuple(_result_lines(ruling))),
        Block("Moderator's rulings", tuple(moderators_rulings(ruling, seed))),
    ]
    points = f"The attacker has {printed(ruling.attacker.total)} points, the defender {printed(ruling.defender.total)}."
    account = (as_sentence(result_text(ruling)), points)
    return ReceiptText(on_one_line(ruling.war.name), tuple(block for block in blocks if block.lines), account)


def points_text(factor: Factor) -> str:
    """Return a factor's points with its input: `4 (Next to it)`."""
    return f"{factor.text} ({on_one_line(factor.input_text)})" if factor.input_text else factor.text


def result_text(ruling: ScoreRuling) -> str:
    """Return `France (Defender) wins by 41`, or the stalemate."""
    if ruling.is_tie:
        return STALEMATE
    if ruling.decided_winner:
        return f"{on_one_line(ruling.winner.side.title)} wins, as the moderator decided"
    return f"{on_one_line(ruling.winner.side.title)} wins by {margin_text(ruling)}"


def margin_text(ruling: ScoreRuling) -> str:
    """Return the margin as text; one that would be rounded to 0 is `less than 0.01` (SC-OP-29)."""
    text = printed(ruling.margin)
    return text if text != "0" else "less than 0.01"


def summary(ruling: ScoreRuling) -> str:
    """Return one line for the request's Message."""
    totals = f"attacker {printed(ruling.attacker.total)}, defender {printed(ruling.defender.total)}"
    return f"{result_text(ruling)}; {totals}"


def threshold_text(ruling: ScoreRuling) -> str:
    """Return the number of attacking countries with their threshold (SC-21)."""
    countries = "1 attacking country" if ruling.countries == 1 else f"{ruling.countries} attacking countries"
    return f"{countries}, at least {percent(ruling.threshold)} of the territory"


def territory_text(territory: Territory) -> str:
    """Return the territory taken: `20 % × 1.5 = 30 %; transplant: no`."""
    text, factor = percent(territory.base), territory.factor
    if factor != 1:
        limit = ", at most 100 %" if territory.base * factor > territory.taken else ""
        text += f" × {printed(factor)} = {percent(territory.taken)}{limit}"
    if territory.is_transplant is None:
        return text
    return f"{text}; transplant: {'yes' if territory.is_transplant else 'no'}"


def moderators_rulings(ruling: ScoreRuling, seed: int) -> Iterator[Line]:
    """Yield a line for every number that a moderator typed in place of the rules' own."""
    for score in ruling.scores:
        yield from _side_rulings(score)
    if ruling.war.attacking_countries is not None:
        yield Line("", f"Attacking countries: {ruling.countries}")
    yield from typed_lines(ruling.war.settings, seed if ruling.war.seed_given else None)


def _score_lines(score: Score) -> Iterator[Line]:
    for factor in score.factors:
        yield Line(factor.name, points_text(factor))
    if score.modifiers:
        yield Line("Sum", printed(score.sum))
    for modifier in score.modifiers:
        yield Line(modifier.explained.name, modifier.text)
    yield Line("Total", printed(score.total))


def _result_lines(ruling: ScoreRuling) -> Iterator[Line]:
    for score in ruling.scores:
        if score.side.general is not None:
            yield Line("Commander", f"{_commander(score.side)}: {fate_text(score)}")
    yield Line("Full government transplant", threshold_text(ruling))
    if ruling.territory is not None:
        yield Line("Territory taken", territory_text(ruling.territory))


def typed_rolls(score: Score) -> Iterator[str]:
    """Yield the rolls that a moderator typed in place of a side's luck (LUCK-12)."""
    side, title = score.side, on_one_line(score.side.title)
    if side.chance is not None:
        yield f"{title}, Chance roll: {side.chance}"
    if side.general_roll is not None and side.general is not None:
        yield f"{title}, General roll: {side.general_roll}"


def _side_rulings(score: Score) -> Iterator[Line]:
    side, title = score.side, on_one_line(score.side.title)
    for factor in score.factors:
        if factor.ruled:
            yield Line("", f"{title}, {factor.name}: {factor.text}")
    for words in typed_rolls(score):
        yield Line("", words)
    if side.leader_killed:
        yield Line("", f"{title}, Leader killed: yes")


def _commander(side: ScoredSide) -> str:
    name = "" if side.general is None else side.general.name
    return on_one_line(f"{name} ({side.nation.name})")


def events(ruling: ScoreRuling) -> Iterator[Event]:
    """Yield an event for each result, in the order of computation."""
    for score in ruling.scores:
        yield from _roll_events(score)
        yield from _factor_events(score)
    for score in ruling.scores:
        yield from _fate_events(score)
    yield Event(None, "", "", "result", float(ruling.margin), "SC-24", result_text(ruling))
    amount = float(ruling.threshold)
    yield Event(None, "", "", "transplant", amount, "SC-21", f"Full government transplant: {threshold_text(ruling)}")
    if ruling.territory is not None:
        text = f"Territory taken: {territory_text(ruling.territory)}"
        yield Event(None, "", "", "territory", float(ruling.territory.taken), "SC-OP-15", text)


def _roll_events(score: Score) -> Iterator[Event]:
    commander = score.side.general
    if commander is None or score.rolls.fate is None or score.rolls.exp is None:
        return
    if commander.exp is None:
        yield _event(score, "roll", score.rolls.exp, "SC-OP-08", f"Exp of {commander.name}: drew {score.rolls.exp}")
    how = "drew" if score.side.general_roll is None else "moderator's"
    yield _event(score, "roll", score.rolls.fate, "SC-03a", f"fate of {commander.name}: {how} {score.rolls.fate}")


def _factor_events(score: Score) -> Iterator[Event]:
    for factor in score.factors:
        yield _event(score, "factor", factor.points, factor.id, f"{factor.name}: {points_text(factor)}")
    for modifier in score.modifiers:
        text = f"{modifier.explained.name}: {modifier.text}, makes {printed(modifier.total)}"
        yield _event(score, "modifier", modifier.total, modifier.explained.id, text)
    yield _event(score, "total", score.total, "SC-24", f"Total: {printed(score.total)}")


def _fate_events(score: Score) -> Iterator[Event]:
    if score.side.general is not None and score.fate is not None:
        yield _event(score, "fate", score.fate.f, "SC-03a", f"{score.side.general.name}: {fate_text(score)}")


def _event(score: Score, kind: str, amount: Fraction | int, id: str, text: str) -> Event:
    whose = on_one_line(score.side.title)
    return Event(None, score.side.side, "", kind, float(amount), id, f"{whose}, {on_one_line(text)}")
