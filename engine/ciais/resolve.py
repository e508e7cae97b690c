"""The ruleset: carry out one order and report its result."""

from __future__ import annotations

from dataclasses import dataclass

from engine.calculation import Calculation
from engine.ciais.battle import derivations, meet
from engine.ciais.chance import CiaisRolls, drawn_among, roll
from engine.ciais.forecast import expected, replicates
from engine.ciais.game import Game
from engine.ciais.inputs import BATTLE, CiaisInputs
from engine.ciais.odds import percent
from engine.ciais.places import place_map
from engine.ciais.play import OrderResult, play
from engine.ciais.receipt import events, receipt, summary, title
from engine.ciais.tables import CiaisTables
from engine.forecast import Replicates
from engine.rng import Rng
from engine.ruleset import Event, LogSink, Outcome, Plain, Ruleset, no_op


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
        return replicates(inputs, self.tables, seed, first, count)

    def course(self, inputs: CiaisInputs, results: Replicates) -> str:
        """Return the exact forecast, without drawing."""
        return self.forecast(inputs)

    def forecast(self, inputs: CiaisInputs) -> str:
        """Return the exact forecast of an order."""
        return expected(inputs, self.tables)


def _figures(played: OrderResult) -> dict[str, Plain]:
    """Return Winner and Chance; for a battle the winning unit's owner, even if another player won the game by it."""
    fought = played.fought
    if fought is None:
        return {"Winner": ", ".join(played.won) or None, "Chance": None}
    chance = fought.meeting.chance
    return {
        "Winner": fought.sides[0].unit.owner if fought.winner else None,
        "Chance": None if chance is None else percent(chance),
    }
