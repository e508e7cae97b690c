"""The two rulesets of a realm's game: orders of a turn, and the rating of a finished game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from engine.exact import signed
from engine.explained import Explained, Term
from engine.forecast import Measure, Replicates
from engine.luck import Luck
from engine.outcome import Event, Listener, Outcome, Update, silent
from engine.realm import chances, receipt
from engine.realm import replicates as drawing
from engine.realm.course import Course
from engine.realm.inputs import PROCESS_REBELS, PROCESS_TURN, OrderInputs, RatingInputs
from engine.realm.orders import ORDERS
from engine.realm.rating import Rated, rate
from engine.realm.rebels import uprising
from engine.realm.records import Realm
from engine.realm.report import Report
from engine.realm.tables import Tables
from engine.realm.turn import Turn, process
from engine.receipt import Receipt
from engine.settings import told


@dataclass(frozen=True, slots=True)
class RealmOrders:
    """Turns, rebels and everything a ruler orders besides."""

    name: ClassVar[str] = "realm"
    tables: Tables

    def resolve(self, inputs: OrderInputs, luck: Luck, tell: Listener = silent) -> Outcome:
        """Carry out one order.

        Raises:
            ValueError: Something the form never lets through: an order without its realm, a blank attribute.
        """
        course = Course(inputs, self.tables.having(inputs.settings), luck)
        course.events.extend(told(self.tables.raw, inputs.settings))
        summary, message, paper = _carried_out(course, luck.seed)
        tell(map(line, course.events))
        return Outcome(
            winner="",
            summary=summary,
            receipt=paper,
            figures={"Result": summary, "Target message": message},
            updates=tuple(course.updates()),
            events=tuple(course.events),
            explained=chances.explained(inputs, course.tables),
            rows=tuple(course.rows),
        )

    def explain(self, inputs: OrderInputs) -> tuple[Explained, ...]:
        """Every chance and figure before anything is rolled."""
        return chances.explained(inputs, self.tables.having(inputs.settings))

    def replicates(self, inputs: OrderInputs, seed: int, first: int, count: int) -> Replicates:
        """Courses number `first` and so on of a seed; number 0 is its ruling."""
        return drawing.replicates(inputs, self.tables.having(inputs.settings), seed, first, count)

    def hasten(self, inputs: OrderInputs, cache: str | None, battles: int) -> str:
        """A turn is a handful of dice: machine code would gain nothing."""
        return ""

    def course(self, inputs: OrderInputs, found: Replicates) -> str:
        """The commonest words and the middle of the numbers."""
        return drawing.likeliest(found)

    def line(self, inputs: OrderInputs) -> str:
        """The chances of an order in one line; blank for a whole turn."""
        return chances.line(inputs, self.tables.having(inputs.settings))


@dataclass(frozen=True, slots=True)
class RealmRating:
    """The rating of players after a game: no luck in it."""

    name: ClassVar[str] = "realm"
    tables: Tables

    def resolve(self, inputs: RatingInputs, luck: Luck, tell: Listener = silent) -> Outcome:
        """Rate one game."""
        rated = self._rated(inputs)
        events = (*told(self.tables.raw, inputs.settings), *_changes(rated))
        tell(map(line, events))
        summary = ratings_line(rated)
        return Outcome(
            winner="",
            summary=summary,
            receipt=receipt.of_game(inputs, rated),
            figures={"Result": summary},
            updates=tuple(Update(Realm.tab.name, it.name, "Rating", it.before, it.after) for it in rated if it.change),
            events=events,
            explained=self.explain(inputs),
        )

    def explain(self, inputs: RatingInputs) -> tuple[Explained, ...]:
        """Each player's new rating, opponent by opponent."""
        return tuple(
            Explained(
                f"Rating of {it.name}",
                "RL-RAT-04",
                it.after,
                (Term("before", "", it.before), *(Term(name, "", points) for name, points in it.changes)),
                "sum",
            )
            for it in self._rated(inputs)
        )

    def replicates(self, inputs: RatingInputs, seed: int, first: int, count: int) -> Replicates:
        """The same game again and again: nothing is drawn."""
        numbers = {
            f"Rating of {it.name}": Measure(np.full(count, float(it.after)), "points") for it in self._rated(inputs)
        }
        return Replicates(None, numbers, {}, tuple(numbers))

    def hasten(self, inputs: RatingInputs, cache: str | None, battles: int) -> str:
        """Nothing to gain."""
        return ""

    def course(self, inputs: RatingInputs, found: Replicates) -> str:
        """The ratings, which are certain."""
        return self.line(inputs)

    def line(self, inputs: RatingInputs) -> str:
        """Every new rating."""
        return ratings_line(self._rated(inputs))

    def _rated(self, inputs: RatingInputs) -> tuple[Rated, ...]:
        return rate(inputs.standing, self.tables.having(inputs.settings).constants)


def line(event: Event) -> str:
    """As a person reads it: `Brennus, loyalty check: rolled 63 of 100 [RL-LOY-02]`."""
    return f"{event.text} [{event.id}]"


def ratings_line(rated: Iterable[Rated]) -> str:
    """`A 536 (+36), B 504 (+4), C 560 (−40)`."""
    return ", ".join(f"{it.name} {it.after} ({signed(Fraction(it.change))})" for it in rated)


def _carried_out(course: Course, seed: int) -> tuple[str, str, Receipt]:
    """Summary, message to the target realm, receipt."""
    if course.inputs.order == PROCESS_TURN:
        turn = process(course)
        return _turn_line(course, turn), "", receipt.of_turn(course, turn, seed)
    if course.inputs.order == PROCESS_REBELS:
        found = uprising(course)
        many = len(found.raised)
        risen = ", ".join(f"{unit} in {city}" for city, unit in found.raised) or "no city is held by rebels"
        return f"{many} risen: {risen}" if many else risen, "", receipt.of_uprising(course, found, seed)
    report = ORDERS[course.inputs.order].carry_out(course)
    return _order_line(course, report), report.message, receipt.of_order(course, report, seed)


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


def _order_line(course: Course, report: Report) -> str:
    order = course.inputs
    told = "; ".join(f"{label}: {text}" for label, text in report.lines if label != "Outcome")
    return f"{order.order} – {course.outcome}" + (f"; {told}" if told else "")


def _changes(rated: Iterable[Rated]) -> Iterable[Event]:
    for it in rated:
        for name, points in it.changes:
            yield Event(
                None, "", "", "rating", points, "RL-RAT-04", f"{it.name} against {name}: {signed(Fraction(points))}"
            )
