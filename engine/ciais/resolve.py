"""The ruleset: carry out one order and report its result, or forecast it without drawing (CI-OP-29)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from engine.calculation import Calculation
from engine.ciais.battle import DEFENDER as DEFENDER_SIDE
from engine.ciais.battle import derivations, meet
from engine.ciais.chance import FACES, CiaisRolls, drawn_among, roll
from engine.ciais.game import Game
from engine.ciais.inputs import BATTLE, END_ROUND, CiaisInputs, ending
from engine.ciais.odds import percent
from engine.ciais.places import place_map
from engine.ciais.play import OrderResult, play
from engine.ciais.receipt import events, receipt, summary, title
from engine.ciais.records import LOST, PLAYING, WON, Player
from engine.ciais.tables import CiaisTables
from engine.decimals import printed
from engine.forecast import ATTACKER, DEFENDER, NOBODY, Kinds, Measure, Replicates
from engine.rng import Rng
from engine.ruleset import Event, LogSink, Outcome, Plain, Ruleset, no_op

STATUSES = (PLAYING, LOST, WON)
HEADLINES_MOST = 8
"""Maximum number of headlines: bank and unrest of four players."""
MEASURED: Mapping[str, tuple[Callable[[Player], float], str]] = {
    "bank": (lambda player: player.bank, "¤"),
    "unrest": (lambda player: player.unrest, "points"),
}
"""Numbers of every player concerned: getter and unit by label."""


@dataclass(frozen=True, slots=True)
class Ciais(Ruleset[CiaisInputs]):
    """Ruleset of a board game with battles, rounds, taxes and unrest, one order at a time."""

    tables: CiaisTables

    def resolve(self, inputs: CiaisInputs, rng: Rng, log: LogSink = no_op) -> Outcome:
        """Rule one order.

        Raises:
            ValueError: A fighting unit has no supply, which the input checks exclude, or a setting does not exist.
        """
        tables = self.tables.having(inputs.settings)
        rolls = roll(inputs, rng)
        played = play(inputs, rolls, tables)
        result = summary(played)
        order_events = tuple(events(played))
        log(map(Event.brief_line, order_events))
        return Outcome(
            winner=played.fought.winner if played.fought else "",
            summary=result,
            receipt=receipt(played, rng.seed),
            figures=_figures(played),
            updates=tuple(played.game.updates()),
            events=order_events,
            explanations=lambda: played.game.explained,
            places=place_map(played.fought, title(inputs), result, tables.constants) if played.fought else None,
            typed=() if rolls.typed is None else (f"roll {rolls.typed}",),
            is_drawn=rolls.is_drawn,
        )

    def explain(self, inputs: CiaisInputs) -> tuple[Calculation, ...]:
        """Return each number that does not depend on a roll, with its derivation."""
        tables = self.tables.having(inputs.settings)
        if inputs.order.kind != BATTLE:
            return play(inputs, CiaisRolls(opponent=1 if drawn_among(inputs) else None), tables).game.explained
        return tuple(derivation() for derivation in derivations(meet(Game(inputs, tables)), tables.constants))

    def replicates(self, inputs: CiaisInputs, seed: int, first: int, count: int) -> Replicates:
        """Return `count` rulings of a seed, numbered from `first`; number 0 is its ruling."""
        tables = self.tables.having(inputs.settings)
        is_battle = inputs.order.kind == BATTLE
        known: dict[CiaisRolls, OrderResult] = {}  # at most a hundred different ones
        results = []
        for number in range(first, first + count):
            rolls = roll(inputs, Rng(seed, number))
            if rolls not in known:
                known[rolls] = play(inputs, rolls, tables)
            results.append(known[rolls])
        courses = {name: [played.game.players[name] for played in results] for name in _affected_players(inputs)}
        measured = {"unrest": MEASURED["unrest"]} if is_battle else MEASURED
        numbers = {
            f"{name} {label}": Measure(np.array([value(player) for player in players], np.float64), unit)
            for name, players in courses.items()
            for label, (value, unit) in measured.items()
        }
        words = {
            f"{name} status": Kinds(np.array([STATUSES.index(player.status) for player in players], np.int64), STATUSES)
            for name, players in courses.items()
        }
        winner = np.array([_winner(played) for played in results], np.int64) if is_battle else None
        return Replicates(winner, numbers, words, tuple(numbers)[:HEADLINES_MOST])

    def forecast(self, inputs: CiaisInputs) -> str:
        """Return the exact line without drawing: a battle's attrition and odds, else the order's result."""
        tables = self.tables.having(inputs.settings)
        if inputs.order.kind == BATTLE:
            return _odds(inputs, tables)
        count = drawn_among(inputs)
        if count <= 1:
            return summary(play(inputs, CiaisRolls(opponent=count or None), tables))
        results = (play(inputs, CiaisRolls(opponent=number), tables) for number in range(1, count + 1))
        return f"each 1 in {count}: {' | '.join(Counter(map(summary, results)))}"


def _figures(played: OrderResult) -> dict[str, Plain]:
    """Return Winner and Chance; for a battle the winning unit's owner, even if another player won the game by it."""
    fought = played.fought
    if fought is None:
        return {"Winner": ", ".join(played.won) or None, "Chance": None}
    return {
        "Winner": fought.sides[0].unit.owner if fought.winner else None,
        "Chance": None if fought.chance is None else percent(fought.chance),
    }


def _odds(inputs: CiaisInputs, tables: CiaisTables) -> str:
    meeting = meet(Game(inputs, tables))
    points = [
        f"{fighter.unit.name} {fighter.supply.points} ({printed(fighter.before)} → {printed(fighter.after)})"
        for fighter in meeting.fighters
    ]
    attrition = f"attrition: {', '.join(points)}"
    if meeting.chance is None:
        return f"no battle: {meeting.dead} dies of attrition; {attrition}"
    share = percent(meeting.chance)
    names = [fighter.unit.name for fighter in meeting.fighters]
    return f"{names[0]} wins {share} %, {names[1]} wins {FACES[1] - share} %; {attrition}"


def _affected_players(inputs: CiaisInputs) -> tuple[str, ...]:
    """Return the players whose figures an order may change, in the order of the inputs."""
    order = inputs.order
    owners = {site.owner for site in inputs.sites if site.name == order.city}
    if order.kind == BATTLE:
        names = {unit.owner for unit in inputs.units} | owners
    elif order.player:
        names = {order.player, order.heir} | owners
    elif order.kind == END_ROUND:
        names = {player.name for player in ending(order, inputs.players).players}
    else:
        names = {player.name for player in inputs.players if player.status == PLAYING}
    return tuple(player.name for player in inputs.players if player.name in names)


def _winner(played: OrderResult) -> int:
    if played.fought is None or not played.fought.winner:
        return NOBODY
    return DEFENDER if played.fought.winner == DEFENDER_SIDE else ATTACKER
