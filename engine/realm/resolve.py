"""The two rulesets of a realm game: the orders of a turn, and the rating of a finished game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from engine.calculation import Calculation
from engine.exact import signed
from engine.forecast import Measure, Replicates
from engine.realm.orders.orders import ORDERS
from engine.realm.orders.report import RealmReport
from engine.realm.rating import RatingChange, new_rating, rate
from engine.realm.report import known, receipt
from engine.realm.series import chances
from engine.realm.series import replicates as drawing
from engine.realm.setup.inputs import PROCESS_ALL, PROCESS_REBELS, PROCESS_TURN, OrderInputs, RatingInputs
from engine.realm.setup.records import Realm
from engine.realm.setup.tables import RealmTables
from engine.realm.turn.all_turns import AllTurns
from engine.realm.turn.course import Course
from engine.realm.turn.rebels import Uprising, uprising
from engine.realm.turn.turn import Turn, process
from engine.receipt import ReceiptText
from engine.rng import Rng
from engine.rule import Label, named
from engine.ruleset import Beliefs, Event, LogSink, News, Outcome, Ruleset, Update, no_op
from engine.settings import setting_events
from engine.terms import explained


@dataclass(frozen=True, slots=True)
class RealmOrders(Ruleset[OrderInputs]):
    """Ruleset of turns, rebels and a ruler's other orders."""

    tables: RealmTables

    def resolve(self, inputs: OrderInputs, rng: Rng, log: LogSink = no_op) -> Outcome:
        """Carry out one order.

        Raises:
            ValueError: The inputs were not checked: an order without its realm, a blank attribute.
        """
        if inputs.order == PROCESS_ALL:
            return self._resolve_all(inputs, rng, log)
        course = Course(inputs, self.tables.having(inputs.settings), rng)
        course.events.extend(setting_events(self.tables.raw, inputs.settings))
        return self._outcome(inputs, course, rng.seed, log, _carry_out(course, rng.seed))

    def _news(self, inputs: OrderInputs, seed: int, beliefs: Beliefs) -> tuple[News, ...]:
        """Carry out an order once more for the players' news, with the rulers' false beliefs (RL-OP-55)."""
        tables = self.tables.having(inputs.settings)
        if inputs.order == PROCESS_ALL:
            turns = AllTurns(inputs, tables, Rng(seed), beliefs)
            turns.process()
            news = (news for course, turn in turns.turns for news in known.of_turn(course, turn))
            return (*news, *known.of_uprising(turns.uprising))
        course = Course(inputs, tables, Rng(seed), beliefs=beliefs)
        return _carry_out(course, seed).news

    def _resolve_all(self, inputs: OrderInputs, rng: Rng, log: LogSink) -> Outcome:
        turns = AllTurns(inputs, self.tables.having(inputs.settings), rng)
        turns.events.extend(setting_events(self.tables.raw, inputs.settings))
        turns.process()
        summaries = [f"{course.realm.name}: {_turn_line(course, turn)}" for course, turn in turns.turns]
        summaries += [f"Rebels: {_risen_line(turns.uprising)}"] if turns.uprising.raised else []
        summary = " / ".join(summaries)
        result = _Result(summary, "", receipt.of_all_turns(turns, rng.seed), ())
        return self._outcome(inputs, turns, rng.seed, log, result)

    def _outcome(
        self, inputs: OrderInputs, played: Course | AllTurns, seed: int, log: LogSink, result: _Result
    ) -> Outcome:
        """Log the effects of an order, and return its outcome."""
        log(map(Event.brief_line, played.events))
        return Outcome(
            winner="",
            summary=result.summary,
            receipt=result.receipt,
            figures={"Result": result.summary, "Target message": result.message},
            updates=tuple(played.updates()),
            events=tuple(played.events),
            explanations=partial(chances.of_order, inputs, played.tables),
            rows=tuple(played.rows),
            news=partial(self._news, inputs, seed),
            typed=played.dice.typed,
            is_drawn=played.dice.is_drawn,
        )

    def explain(self, inputs: OrderInputs) -> tuple[Calculation, ...]:
        """Return every chance and figure before any roll."""
        return chances.of_order(inputs, self.tables.having(inputs.settings))

    def replicates(self, inputs: OrderInputs, seed: int, first: int, count: int) -> Replicates:
        """Return `count` courses of a seed, numbered from `first`; number 0 is its ruling."""
        return drawing.replicates(inputs, self.tables.having(inputs.settings), seed, first, count)

    def course(self, inputs: OrderInputs, results: Replicates) -> str:
        """Return the most frequent words and the medians of the numbers."""
        return drawing.likeliest(results)

    def forecast(self, inputs: OrderInputs) -> str:
        """Return the chances of an order in one line; blank for a whole turn."""
        return chances.line(inputs, self.tables.having(inputs.settings))


@dataclass(frozen=True, slots=True)
class RealmRating(Ruleset[RatingInputs]):
    """Ruleset for the rating of players after a game; it draws nothing."""

    tables: RealmTables

    def resolve(self, inputs: RatingInputs, rng: Rng, log: LogSink = no_op) -> Outcome:
        """Rate one game."""
        rated = self._rated(inputs)
        events = (*setting_events(self.tables.raw, inputs.settings), *_rating_events(rated))
        log(map(Event.brief_line, events))
        summary = ratings_line(rated)
        return Outcome(
            winner="",
            summary=summary,
            receipt=receipt.of_game(inputs, rated),
            figures={"Result": summary},
            updates=tuple(
                Update(Realm.tab.name, player.name, "Rating", player.before, player.after)
                for player in rated
                if player.change
            ),
            events=events,
            explanations=partial(self.explain, inputs),
            is_drawn=False,
        )

    def explain(self, inputs: RatingInputs) -> tuple[Calculation, ...]:
        """Return each player's new rating, opponent by opponent."""
        return tuple(
            explained(
                new_rating,
                player.before,
                [named(points, Label(name)) for name, points in player.changes],
                name=f"Rating of {player.name}",
            )
            for player in self._rated(inputs)
        )

    def replicates(self, inputs: RatingInputs, seed: int, first: int, count: int) -> Replicates:
        """Return the same ratings for each replicate, as nothing is drawn."""
        numbers = {
            f"Rating of {player.name}": Measure(np.full(count, float(player.after)), "points")
            for player in self._rated(inputs)
        }
        return Replicates(None, numbers, {}, tuple(numbers))

    def forecast(self, inputs: RatingInputs) -> str:
        """Return every new rating, which is certain."""
        return ratings_line(self._rated(inputs))

    def _rated(self, inputs: RatingInputs) -> tuple[RatingChange, ...]:
        return rate(inputs.standing, self.tables.having(inputs.settings).constants)


def ratings_line(rated: Iterable[RatingChange]) -> str:
    """Return `A 536 (+36), B 504 (+4), C 560 (−40)`."""
    return ", ".join(f"{player.name} {player.after} ({signed(Fraction(player.change))})" for player in rated)


@dataclass(frozen=True, slots=True)
class _Result:
    """Result of an order in words: for its row, for the other realm, for the moderator and for the players."""

    summary: str
    message: str
    receipt: ReceiptText
    news: tuple[News, ...]


def _carry_out(course: Course, seed: int) -> _Result:
    """Carry out the order."""
    if course.inputs.order == PROCESS_TURN:
        turn = process(course)
        text = receipt.of_turn(course, turn, seed)
        return _Result(_turn_line(course, turn), "", text, tuple(known.of_turn(course, turn)))
    if course.inputs.order == PROCESS_REBELS:
        result = uprising(course)
        summary = _risen_line(result) if result.raised else "no city is held by rebels"
        return _Result(summary, "", receipt.of_uprising(course, result, seed), tuple(known.of_uprising(result)))
    report = ORDERS[course.inputs.order].carry_out(course)
    text = receipt.of_order(course, report, seed)
    return _Result(_order_line(course, report), report.message, text, tuple(known.of_order(course, report)))


def _risen_line(result: Uprising) -> str:
    return f"{len(result.raised)} risen: {', '.join(f'{unit} in {city}' for city, unit in result.raised)}"


def _turn_line(course: Course, turn: Turn) -> str:
    disloyal = [f"{name} {action}" for name, action in turn.actions.items() if action != "loyal"]
    parts = [
        f"income {turn.taxes.income}, treasury {course.realm.treasury}",
        f"happiness {course.realm.happiness:g}",
        *disloyal,
        *([f"{turn.arrived} offers service"] if turn.arrived else []),
        *([turn.mercenaries] if turn.mercenaries else []),
        *[f"{city} rebels" for city in turn.rebelled],
        f"event: {turn.event}",
    ]
    return "; ".join(parts)


def _order_line(course: Course, report: RealmReport) -> str:
    order = course.inputs
    texts = "; ".join(f"{label}: {text}" for label, text in report.lines if label != "Outcome")
    return f"{order.order} – {course.outcome}" + (f"; {texts}" if texts else "")


def _rating_events(rated: Iterable[RatingChange]) -> Iterable[Event]:
    for player in rated:
        for name, points in player.changes:
            yield Event(
                None, "", "", "rating", points, "RL-RAT-04", f"{player.name} against {name}: {signed(Fraction(points))}"
            )
