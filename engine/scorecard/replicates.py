"""What may come of a war by drawing: the same rolls as rulings, one after the other."""

from __future__ import annotations

import numpy as np

from engine.forecast import ATTACKER, DEFENDER, NOBODY, Kinds, Measure, Replicates, Whole
from engine.luck import Luck
from engine.scorecard.general import Rolls, roll
from engine.scorecard.inputs import ScoreInputs, Side
from engine.scorecard.score import Score, score
from engine.scorecard.tables import Tables


def replicates(war: ScoreInputs, tables: Tables, seed: int, first: int, count: int) -> Replicates:
    """Some wars of one seed, counted from `first`; the one with number 0 is the ruling of that seed.

    Equal totals count as nobody's win: the defender holds.

    Args:
        war: Read and checked.
        tables: Without the settings of the war.
        seed: 0 to 2**64 - 1.
        first: Number of the first.
        count: How many, at least 1.
    """
    tables = tables.having(war.settings)
    lucks = [Luck(seed, first + it) for it in range(count)]
    ours = _scored(war, war.attacker, war.defender, tables, lucks)
    theirs = _scored(war, war.defender, war.attacker, tables, lucks)
    winner = [
        ATTACKER if own.total > enemy.total else DEFENDER if own.total < enemy.total else NOBODY
        for own, enemy in zip(ours, theirs, strict=True)
    ]
    numbers, words = {}, {}
    for scores in (ours, theirs):
        side = scores[0].side
        numbers[f"{side.side} total"] = Measure(np.array([float(it.total) for it in scores], np.float64), "points")
        if side.general is not None:
            words[f"{side.side} general"] = _fates(scores, tables)
    return Replicates(_whole(winner), numbers, words, tuple(numbers))


def _scored(war: ScoreInputs, own: Side, enemy: Side, tables: Tables, lucks: list[Luck]) -> list[Score]:
    """A side has at most a hundred different scores: one for each pair of rolls."""
    known: dict[Rolls, Score] = {}
    found = []
    for luck in lucks:
        rolls = roll(own, luck)
        if rolls not in known:
            known[rolls] = score(war, own, enemy, rolls, tables)
        found.append(known[rolls])
    return found


def _fates(scores: list[Score], tables: Tables) -> Kinds:
    names = tuple(band.name for band in tables.fates)
    return Kinds(_whole([names.index(it.fate.band.name) if it.fate else -1 for it in scores]), names)


def _whole(values: list[int]) -> Whole:
    return np.array(values, np.int64)
