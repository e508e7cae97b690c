"""What may come of an order: drawn again and again, and exactly, since little is left to chance (CI-OP-29)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

import numpy as np

from engine.ciais.battle import DEFENDER as DEFENDER_SIDE
from engine.ciais.battle import meet
from engine.ciais.chance import FACES, Rolls, drawn_among, roll
from engine.ciais.game import Game
from engine.ciais.inputs import BATTLE, END_ROUND, CiaisInputs, ending
from engine.ciais.odds import percent
from engine.ciais.play import Played, play
from engine.ciais.receipt import summary
from engine.ciais.records import LOST, PLAYING, WON, Player
from engine.ciais.tables import Tables
from engine.decimals import printed
from engine.forecast import ATTACKER, DEFENDER, NOBODY, Kinds, Measure, Replicates
from engine.luck import Luck

STATUSES = (PLAYING, LOST, WON)
HEADLINES_MOST = 8
"""Bank and unrest of four players."""


def replicates(inputs: CiaisInputs, tables: Tables, seed: int, first: int, count: int) -> Replicates:
    """Some rulings of one seed, counted from `first`; the one with number 0 is the ruling of that seed.

    Args:
        inputs: Read and checked.
        tables: Without the settings of the game.
        seed: 0 to 2**64 - 1.
        first: Number of the first.
        count: How many, at least 1.
    """
    tables = tables.having(inputs.settings)
    known: dict[Rolls, Played] = {}  # there are no more than a hundred different ones
    found = []
    for number in range(first, first + count):
        rolls = roll(inputs, Luck(seed, number))
        if rolls not in known:
            known[rolls] = play(inputs, rolls, tables)
        found.append(known[rolls])
    names = _concerned(inputs)
    measured = {"unrest": MEASURED["unrest"]} if inputs.order.kind == BATTLE else MEASURED
    numbers = {
        f"{name} {what}": Measure(np.array([value(it.game.players[name]) for it in found], np.float64), unit)
        for name in names
        for what, (value, unit) in measured.items()
    }
    words = {
        f"{name} status": Kinds(
            np.array([STATUSES.index(it.game.players[name].status) for it in found], np.int64), STATUSES
        )
        for name in names
    }
    winner = np.array([_winner(it) for it in found], np.int64) if inputs.order.kind == BATTLE else None
    return Replicates(winner, numbers, words, tuple(numbers)[:HEADLINES_MOST])


MEASURED: Mapping[str, tuple[Callable[[Player], float], str]] = {
    "bank": (lambda it: it.bank, "¤"),
    "unrest": (lambda it: it.unrest, "points"),
}
"""Numbers of every player whom an order concerns: what and in which unit."""


def expected(inputs: CiaisInputs, tables: Tables) -> str:
    """The exact line: a battle's attrition and odds, else what the order makes of it; nothing is drawn."""
    tables = tables.having(inputs.settings)
    if inputs.order.kind == BATTLE:
        return _odds(inputs, tables)
    count = drawn_among(inputs)
    if count <= 1:
        return summary(play(inputs, Rolls(opponent=count or None), tables))
    found = Counter(summary(play(inputs, Rolls(opponent=number), tables)) for number in range(1, count + 1))
    return f"each 1 in {count}: {' | '.join(found)}"


def _odds(inputs: CiaisInputs, tables: Tables) -> str:
    meeting = meet(Game(inputs, tables))
    points = [
        f"{it.unit.name} {it.supply.points} ({printed(it.before)} → {printed(it.after)})" for it in meeting.fighters
    ]
    attrition = f"attrition: {', '.join(points)}"
    if meeting.chance is None:
        dead = " and ".join(it.unit.name for it in meeting.fighters if it.is_dead)
        return f"no battle: {dead} dies of attrition; {attrition}"
    share = percent(meeting.chance)
    names = [it.unit.name for it in meeting.fighters]
    return f"{names[0]} wins {share} %, {names[1]} wins {FACES[1] - share} %; {attrition}"


def _concerned(inputs: CiaisInputs) -> tuple[str, ...]:
    """Players whose figures an order may change, in the order of the inputs."""
    order = inputs.order
    if order.kind == BATTLE:
        named = {it.owner for it in inputs.units}
    elif order.player:
        named = {order.player, order.heir} | {it.owner for it in inputs.sites if it.name == order.city}
    elif order.kind == END_ROUND:
        named = {it.name for it in ending(order, inputs.players).players}
    else:
        named = {it.name for it in inputs.players if it.status == PLAYING}
    return tuple(it.name for it in inputs.players if it.name in named)


def _winner(played: Played) -> int:
    if played.fought is None or not played.fought.winner:
        return NOBODY
    return DEFENDER if played.fought.winner == DEFENDER_SIDE else ATTACKER
