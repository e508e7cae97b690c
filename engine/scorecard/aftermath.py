"""Consequences of two scores, and those that a moderator decides (OVR-12): winner, territory, commanders."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from engine.columns import PER_CENT, loosely
from engine.decisions import DecidableResult, DecidedValue
from engine.exact import exact
from engine.receipt import on_one_line
from engine.rule import rule
from engine.ruleset import Plain, Update
from engine.scorecard.general import CommanderFate
from engine.scorecard.inputs import ATTACKER, DEFENDER, SIDES, ScoredSide, ScoreInputs
from engine.scorecard.records import RULER, ScoreLeader
from engine.scorecard.score import Score
from engine.scorecard.tables import ScoreConstants, ScoreTables

WINNER, TERRITORY, COMMANDER = "Winner", "Territory Taken", "Commander"
KILLED, ALIVE, DECIDED_TIE = "killed", "alive", "Stalemate"
"""Names and words of decidable results (OVR-12)."""
STALEMATE = f"stalemate – {DEFENDER.lower()} holds"
"""Text of a tie (SC-OP-14)."""
WHOLE = Fraction(100)
"""The whole territory, in per cent."""


@dataclass(frozen=True, slots=True)
class Territory:
    """Share of the loser's territory that the winner took, in per cent (SC-OP-15)."""

    base: Fraction  # The moderator's figure
    # 1.5 when the loser is not fully united (SC-22), 0 when the winner is in civil disarray (SC-20), else 1.
    factor: Fraction
    taken: Fraction  # The base times the factor, at most 100
    is_transplant: bool | None  # True if the share reaches SC-21's threshold; None when the defender won (SC-OP-28)


@dataclass(frozen=True, slots=True)
class ScoreRuling:
    """One war with its scores and consequences."""

    war: ScoreInputs  # The war's inputs
    attacker: Score  # The attacker's score
    defender: Score  # The defender's score
    countries: int  # The number of attacking countries, X of SC-21
    threshold: Fraction  # The share needed for a full transplant, in per cent (SC-21)
    # The territory taken; None at a tie or without a figure from the moderator (SC-OP-23).
    territory: Territory | None = None
    # The winner decided by a moderator, `Stalemate` for none; blank if the totals decide (OVR-12).
    decided_winner: str = ""

    @property
    def scores(self) -> tuple[Score, Score]:
        """Return the attacker's and the defender's score."""
        return self.attacker, self.defender

    @property
    def is_tie(self) -> bool:
        """Return True if both totals are equal."""
        if self.decided_winner:
            return self.decided_winner == DECIDED_TIE
        return self.attacker.total == self.defender.total

    @property
    def winner(self) -> Score:
        """Return the side with the higher total (SC-24); at a tie the defender, which holds (SC-OP-14)."""
        if self.decided_winner:
            return self.attacker if self.decided_winner == ATTACKER else self.defender
        return self.attacker if self.attacker.total > self.defender.total else self.defender

    @property
    def margin(self) -> Fraction:
        """Return the difference between the totals, not negative."""
        return abs(self.attacker.total - self.defender.total)


def ruling(
    war: ScoreInputs, attacker: Score, defender: Score, tables: ScoreTables, decided_winner: str = ""
) -> ScoreRuling:
    """Compare two scores and determine the consequences, with a moderator's decision on the winner, if any."""
    countries = attacking_countries(war, tables)
    threshold = Fraction(100 * countries) / (countries + tables.constants.transplant_addend)
    compared = ScoreRuling(war, attacker, defender, countries, threshold, decided_winner=decided_winner)
    if war.territory_taken is None or compared.is_tie:
        return compared
    return dataclasses.replace(compared, territory=_territory(compared, exact(war.territory_taken), tables.constants))


def attacking_countries(war: ScoreInputs, tables: ScoreTables) -> int:
    """Return X of SC-21: the moderator's number, else that of the attacker's nations who attack (SC-OP-10)."""
    if war.attacking_countries is not None:
        return war.attacking_countries
    lists = [set(nation.letters) for nation in war.attacker.listed]
    return max(1, sum(bool(one & tables.attacks_with) and not one & tables.attacks_not_with for one in lists))


def _territory(ruling: ScoreRuling, base: Fraction, constants: ScoreConstants) -> Territory:
    winner, loser = ruling.scores if ruling.winner is ruling.attacker else ruling.scores[::-1]
    factor = Fraction(1) if loser.side.nation.fully_united else constants.disunited_factor
    if winner.side.nation.civil_disarray:
        factor = Fraction(0)
    taken = territory_taken(base, factor)
    is_transplant = taken >= ruling.threshold if winner.side.side == ATTACKER else None
    return Territory(base, factor, taken, is_transplant)


@rule("SC-22", "territory taken", base="base", factor="factor")
def territory_taken(base: Fraction, factor: Fraction) -> Fraction:
    """Return the winner's share of territory, in per cent (SC-OP-15)."""
    return min(base * factor, WHOLE)


def fate_text(score: Score) -> str:
    """Return the commander's fate for the sheet and the receipt; blank without a commander."""
    if score.fate is None:
        return ""
    if is_killed(score) and score.fate.band.gen:
        return "killed (mod ruling)"
    return score.fate.text


def is_killed(score: Score) -> bool:
    """Return True if the commander is dead, by fate or as a ruler whom the moderator ruled killed (SC-OP-24)."""
    commander = score.side.general
    if commander is None or score.fate is None:
        return False
    return score.fate.band.gen == 0 or (score.side.leader_killed and commander.role == RULER)


def updates(ruling: ScoreRuling, tables: ScoreTables) -> tuple[Update, ...]:
    """Return the updates of Score Leaders: battles, the winner's wins, fate, and Exp if it was blank."""
    return tuple(update for score in ruling.scores for update in _updates(ruling, score, tables))


def _updates(ruling: ScoreRuling, score: Score, tables: ScoreTables) -> Iterator[Update]:
    commander, fate = score.side.general, score.fate
    if commander is None or fate is None:
        return
    yield _update(commander, "Battles", commander.battles, commander.battles + 1)
    if score is ruling.winner and not ruling.is_tie:  # a stalemate does not count as a win (SC-OP-23)
        yield _update(commander, "Wins", commander.wins, commander.wins + 1)
    worst = tables.fates[0]
    band = worst if is_killed(score) else fate.band
    if band.status and band.status != commander.status:
        yield _update(commander, "Status", commander.status, band.status)
    turns, year = (0, None) if is_killed(score) or not fate.turns else (fate.turns, ruling.war.year)
    if turns or commander.wounded_in is not None:
        yield _update(commander, "Unavailable turns", commander.unavailable_turns, turns)
    if year != commander.wounded_in:
        yield _update(commander, "Wounded in", commander.wounded_in, year)
    if commander.exp is None:
        yield _update(commander, "Exp", None, score.rolls.exp)


def _update(commander: ScoreLeader, field: str, before: Plain, after: Plain) -> Update:
    return Update(ScoreLeader.tab.name, commander.name, field, before, after)


def winner_text(ruling: ScoreRuling) -> str:
    """Return the value of the Winner column: the winning nation, or the stalemate."""
    return STALEMATE if ruling.is_tie else ruling.winner.side.nation.name


def decidable_results(war: ScoreInputs) -> Iterator[DecidableResult]:
    """Yield the results that may be decided; a side is named as such or by its nation."""
    sides = war.attacker, war.defender
    names = [on_one_line(side.nation.name) for side in sides]
    are_told_apart = loosely(names[0]) != loosely(names[1])
    spellings = [(side.side, *((name,) if are_told_apart else ())) for side, name in zip(sides, names, strict=True)]
    winners = {spelling: side.side for side, words in zip(sides, spellings, strict=True) for spelling in words}
    yield DecidableResult((WINNER,), {**winners, DECIDED_TIE: DECIDED_TIE})
    yield DecidableResult((TERRITORY,), low=0.0, high=100.0, unit=PER_CENT)
    for side, words in zip(sides, spellings, strict=True):
        if side.general is not None:
            yield DecidableResult(tuple(f"{name} {COMMANDER}" for name in words), {KILLED: KILLED, ALIVE: ALIVE})


def decided_scores(
    scores: tuple[Score, Score], results: Mapping[str, DecidedValue], tables: ScoreTables
) -> tuple[Score, Score]:
    """Return the scores with the decided fates of the commanders; the points do not change."""
    attacker, defender = (
        _with_fate(score, str(fate), tables) if (fate := results.get(f"{side} {COMMANDER}")) is not None else score
        for side, score in zip(SIDES, scores, strict=True)
    )
    return attacker, defender


def _with_fate(score: Score, decided: str, tables: ScoreTables) -> Score:
    band = tables.fates[0 if decided == KILLED else -1]
    fate = CommanderFate(band, score.fate.f if score.fate else Fraction(0), 0)
    side: ScoredSide = dataclasses.replace(score.side, leader_killed=False)
    return dataclasses.replace(score, fate=fate, side=side)


def with_territory(ruled: ScoreRuling, results: Mapping[str, DecidedValue]) -> ScoreRuling:
    """Return a ruling with the decided share of territory, without factors; none is taken after a tie."""
    share = results.get(TERRITORY)
    if share is None or ruled.is_tie:
        return ruled
    taken = exact(float(share))
    is_transplant = taken >= ruled.threshold if ruled.winner is ruled.attacker else None
    return dataclasses.replace(ruled, territory=Territory(taken, Fraction(1), taken, is_transplant))
