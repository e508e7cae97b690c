"""What follows from two scores: winner, territory, and what is written down about the commanders."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from engine.exact import exact
from engine.outcome import Plain, Update
from engine.scorecard.inputs import ATTACKER, DEFENDER, ScoreInputs
from engine.scorecard.records import RULER, Leader
from engine.scorecard.score import Score
from engine.scorecard.tables import Constants, Tables


@dataclass(frozen=True, slots=True)
class Territory:
    """What a win took, in per cent of the loser's territory (SC-OP-15).

    Args:
        base: The moderator's figure.
        factor: 1.5 when the loser is not fully united (SC-22), 0 when the winner is in civil disarray (SC-20), else 1.
        taken: Base × factor, at most 100.
        is_transplant: Whether that reaches SC-21's threshold; None when the defender won (SC-OP-28).
    """

    base: Fraction
    factor: Fraction
    taken: Fraction
    is_transplant: bool | None


@dataclass(frozen=True, slots=True)
class Ruling:
    """One war, ruled.

    Args:
        war: The war.
        attacker: Its score.
        defender: Its score.
        countries: X of SC-21.
        threshold: What they must take for a full transplant, in per cent (SC-21).
        territory: None without a figure of the moderator, or at a tie (SC-OP-23).
    """

    war: ScoreInputs
    attacker: Score
    defender: Score
    countries: int
    threshold: Fraction
    territory: Territory | None = None

    @property
    def scores(self) -> tuple[Score, Score]:
        """Attacker, defender."""
        return self.attacker, self.defender

    @property
    def is_tie(self) -> bool:
        """Whether neither side has the higher total."""
        return self.attacker.total == self.defender.total

    @property
    def winner(self) -> Score:
        """SC-24: the side with the higher total; at a tie the defender, who holds (SC-OP-14)."""
        return self.attacker if self.attacker.total > self.defender.total else self.defender

    @property
    def margin(self) -> Fraction:
        """Between the totals, not negative."""
        return abs(self.attacker.total - self.defender.total)


def ruling(war: ScoreInputs, attacker: Score, defender: Score, tables: Tables) -> Ruling:
    """Compare two scores and find what follows."""
    countries = attacking_countries(war, tables)
    threshold = Fraction(100 * countries) / (countries + tables.constants.transplant_addend)
    ruled = Ruling(war, attacker, defender, countries, threshold)
    if war.territory_taken is None or ruled.is_tie:
        return ruled
    return dataclasses.replace(ruled, territory=_territory(ruled, exact(war.territory_taken), tables.constants))


def attacking_countries(war: ScoreInputs, tables: Tables) -> int:
    """X of SC-21: the moderator's, else nations of the attacker's list with L or M and without W (SC-OP-10)."""
    if war.attacking_countries is not None:
        return war.attacking_countries
    lists = [set(it.letters) for it in war.attacker.listed]
    return max(1, sum(1 for it in lists if it & tables.attacks_with and not it & tables.attacks_not_with))


def _territory(ruling: Ruling, base: Fraction, constants: Constants) -> Territory:
    winner, loser = ruling.scores if ruling.winner is ruling.attacker else ruling.scores[::-1]
    factor = Fraction(1) if loser.side.nation.fully_united else constants.disunited_factor
    if winner.side.nation.civil_disarray:
        factor = Fraction(0)
    taken = min(base * factor, Fraction(100))
    is_transplant = taken >= ruling.threshold if winner.side.side == ATTACKER else None
    return Territory(base, factor, taken, is_transplant)


def fate_shown(score: Score) -> str:
    """The commander's fate for the sheet and the receipt; blank without a commander."""
    if score.fate is None:
        return ""
    if is_killed(score) and score.fate.band.gen:
        return "killed (mod ruling)"
    return score.fate.shown


def is_killed(score: Score) -> bool:
    """Whether the commander is dead: by his fate, or as the ruler whom the moderator killed after it (SC-OP-24)."""
    commander = score.side.general
    if commander is None or score.fate is None:
        return False
    return score.fate.band.gen == 0 or (score.side.leader_killed and commander.role == RULER)


def updates(ruling: Ruling, tables: Tables) -> tuple[Update, ...]:
    """What Score Leaders gets: one battle more, one win more for the winner's, fate, Exp if it was blank."""
    return tuple(update for score in ruling.scores for update in _updates(ruling, score, tables))


def _updates(ruling: Ruling, score: Score, tables: Tables) -> Iterator[Update]:
    commander, fate = score.side.general, score.fate
    if commander is None or fate is None:
        return
    yield _update(commander, "Battles", commander.battles, commander.battles + 1)
    if score is ruling.winner and not ruling.is_tie:  # a stalemate is nobody's victory (SC-OP-23)
        yield _update(commander, "Wins", commander.wins, commander.wins + 1)
    worst = tables.fates[0]
    band = worst if is_killed(score) else fate.band
    if band.status and band.status != commander.status:
        yield _update(commander, "Status", commander.status, band.status)
    if fate.turns and not is_killed(score):
        yield _update(commander, "Unavailable turns", commander.unavailable_turns, fate.turns)
    if commander.exp is None:
        yield _update(commander, "Exp", None, score.rolls.exp)


def _update(commander: Leader, field: str, before: Plain, after: Plain) -> Update:
    return Update(Leader.tab.name, commander.name, field, before, after)


def winner_shown(ruling: Ruling) -> str:
    """The Winner column: the nation, or that nobody won."""
    return STALEMATE if ruling.is_tie else ruling.winner.side.nation.name


STALEMATE = f"stalemate – {DEFENDER.lower()} holds"
"""SC-OP-14."""
