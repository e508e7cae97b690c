"""Forecasts of an order: repeated draws, and the exact result, because chance decides little (CI-OP-29)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

import numpy as np

from engine.ciais.battle import DEFENDER as DEFENDER_SIDE
from engine.ciais.battle import meet
from engine.ciais.chance import FACES, CiaisRolls, drawn_among, roll
from engine.ciais.game import Game
from engine.ciais.inputs import BATTLE, END_ROUND, CiaisInputs, ending
from engine.ciais.odds import percent
from engine.ciais.play import OrderResult, play
from engine.ciais.receipt import summary
from engine.ciais.records import LOST, PLAYING, WON, Player
from engine.ciais.tables import CiaisTables
from engine.decimals import printed
from engine.forecast import ATTACKER, DEFENDER, NOBODY, Kinds, Measure, Replicates
from engine.rng import Rng

STATUSES = (PLAYING, LOST, WON)
HEADLINES_MOST = 8
"""Maximum number of headlines: bank and unrest of four players."""


def replicates(inputs: CiaisInputs, tables: CiaisTables, seed: int, first: int, count: int) -> Replicates:
    """Return `count` rulings of one seed, numbered from `first`; number 0 is the ruling of that seed.

    Args:
        tables: The tables without the game's settings.
    """
    tables = tables.having(inputs.settings)
    known: dict[CiaisRolls, OrderResult] = {}  # at most a hundred different ones
    results = []
    for number in range(first, first + count):
        rolls = roll(inputs, Rng(seed, number))
        if rolls not in known:
            known[rolls] = play(inputs, rolls, tables)
        results.append(known[rolls])
    names = _affected_players(inputs)
    measured = {"unrest": MEASURED["unrest"]} if inputs.order.kind == BATTLE else MEASURED
    numbers = {
        f"{name} {label}": Measure(np.array([value(played.game.players[name]) for played in results], np.float64), unit)
        for name in names
        for label, (value, unit) in measured.items()
    }
    words = {
        f"{name} status": Kinds(
            np.array([STATUSES.index(played.game.players[name].status) for played in results], np.int64), STATUSES
        )
        for name in names
    }
    winner = np.array([_winner(played) for played in results], np.int64) if inputs.order.kind == BATTLE else None
    return Replicates(winner, numbers, words, tuple(numbers)[:HEADLINES_MOST])


MEASURED: Mapping[str, tuple[Callable[[Player], float], str]] = {
    "bank": (lambda player: player.bank, "¤"),
    "unrest": (lambda player: player.unrest, "points"),
}
"""Numbers of every player concerned: getter and unit by label."""


def expected(inputs: CiaisInputs, tables: CiaisTables) -> str:
    """Return the exact line without drawing: a battle's attrition and odds, else the order's result."""
    tables = tables.having(inputs.settings)
    if inputs.order.kind == BATTLE:
        return _odds(inputs, tables)
    count = drawn_among(inputs)
    if count <= 1:
        return summary(play(inputs, CiaisRolls(opponent=count or None), tables))
    summaries = Counter(summary(play(inputs, CiaisRolls(opponent=number), tables)) for number in range(1, count + 1))
    return f"each 1 in {count}: {' | '.join(summaries)}"


def _odds(inputs: CiaisInputs, tables: CiaisTables) -> str:
    meeting = meet(Game(inputs, tables))
    points = [
        f"{fighter.unit.name} {fighter.supply.points} ({printed(fighter.before)} → {printed(fighter.after)})"
        for fighter in meeting.fighters
    ]
    attrition = f"attrition: {', '.join(points)}"
    if meeting.chance is None:
        dead = " and ".join(fighter.unit.name for fighter in meeting.fighters if fighter.is_dead)
        return f"no battle: {dead} dies of attrition; {attrition}"
    share = percent(meeting.chance)
    names = [fighter.unit.name for fighter in meeting.fighters]
    return f"{names[0]} wins {share} %, {names[1]} wins {FACES[1] - share} %; {attrition}"


def _affected_players(inputs: CiaisInputs) -> tuple[str, ...]:
    """Return the players whose figures an order may change, in the order of the inputs."""
    order = inputs.order
    if order.kind == BATTLE:
        names = {unit.owner for unit in inputs.units} | {site.owner for site in inputs.sites if site.name == order.city}
    elif order.player:
        names = {order.player, order.heir} | {site.owner for site in inputs.sites if site.name == order.city}
    elif order.kind == END_ROUND:
        names = {player.name for player in ending(order, inputs.players).players}
    else:
        names = {player.name for player in inputs.players if player.status == PLAYING}
    return tuple(player.name for player in inputs.players if player.name in names)


def _winner(played: OrderResult) -> int:
    if played.fought is None or not played.fought.winner:
        return NOBODY
    return DEFENDER if played.fought.winner == DEFENDER_SIDE else ATTACKER
