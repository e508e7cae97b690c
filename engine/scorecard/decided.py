"""Results of a war by score that a moderator decides (OVR-12): winner, territory, a commander's fate."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from fractions import Fraction

from engine.columns import PER_CENT, loosely
from engine.decisions import DecidableResult, DecidedValue
from engine.exact import exact
from engine.receipt import on_one_line
from engine.scorecard.aftermath import ALIVE, COMMANDER, DECIDED_TIE, KILLED, TERRITORY, WINNER, ScoreRuling, Territory
from engine.scorecard.general import CommanderFate
from engine.scorecard.inputs import SIDES, ScoredSide, ScoreInputs
from engine.scorecard.score import Score
from engine.scorecard.tables import ScoreTables


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
