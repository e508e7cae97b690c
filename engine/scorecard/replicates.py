"""Repeated draws of one war, with the same rolls as rulings."""

from __future__ import annotations

import numpy as np

from engine.forecast import ATTACKER, DEFENDER, NOBODY, Kinds, Measure, Replicates, Whole
from engine.rng import Rng
from engine.scorecard.general import CommanderRolls, roll
from engine.scorecard.inputs import ScoredSide, ScoreInputs
from engine.scorecard.score import Score, score
from engine.scorecard.tables import ScoreTables


def replicates(war: ScoreInputs, tables: ScoreTables, seed: int, first: int, count: int) -> Replicates:
    """Return `count` wars of one seed, numbered from `first`; number 0 is the ruling of that seed.

    Equal totals count as a win of neither side: the defender holds.

    Args:
        tables: The tables without the war's settings.
    """
    tables = tables.having(war.settings)
    rngs = [Rng(seed, first + number) for number in range(count)]
    attacker_scores = _scored(war, war.attacker, war.defender, tables, rngs)
    defender_scores = _scored(war, war.defender, war.attacker, tables, rngs)
    winner = [
        ATTACKER if own.total > enemy.total else DEFENDER if own.total < enemy.total else NOBODY
        for own, enemy in zip(attacker_scores, defender_scores, strict=True)
    ]
    numbers, words = {}, {}
    for scores in (attacker_scores, defender_scores):
        side = scores[0].side
        numbers[f"{side.side} total"] = Measure(
            np.array([float(side_score.total) for side_score in scores], np.float64), "points"
        )
        if side.general is not None:
            words[f"{side.side} general"] = _fates(scores, tables)
    return Replicates(_int_array(winner), numbers, words, tuple(numbers))


def _scored(war: ScoreInputs, own: ScoredSide, enemy: ScoredSide, tables: ScoreTables, rngs: list[Rng]) -> list[Score]:
    """Score a side once for each distinct pair of rolls, of which there are at most a hundred."""
    known: dict[CommanderRolls, Score] = {}
    scores = []
    for rng in rngs:
        rolls = roll(own, rng)
        if rolls not in known:
            known[rolls] = score(war, own, enemy, rolls, tables)
        scores.append(known[rolls])
    return scores


def _fates(scores: list[Score], tables: ScoreTables) -> Kinds:
    names = tuple(band.name for band in tables.fates)
    return Kinds(
        _int_array([names.index(side_score.fate.band.name) if side_score.fate else -1 for side_score in scores]), names
    )


def _int_array(values: list[int]) -> Whole:
    return np.array(values, np.int64)
