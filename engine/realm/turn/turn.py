"""The order Process turn: a whole turn of one realm, in the order of RL-OP-01."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.realm.setup.records import COUNTS
from engine.realm.turn import arrivals, economy, loyalty, unrest
from engine.realm.turn.course import Course
from engine.realm.turn.economy import Taxes


@dataclass(frozen=True, slots=True)
class Turn:
    """Results of a turn besides the changed records."""

    actions: Mapping[str, str]  # The disloyal or loyal actions by leader
    arrived: str  # The leader who offers service; blank for none
    mercenaries: str  # The mercenaries who offer service, in words; blank for none
    taxes: Taxes  # The income and happiness
    rebelled: tuple[str, ...]  # The cities that left the realm
    event: str  # The event's name
    event_effect: str  # The event's effect, in words


def process(course: Course) -> Turn:
    """Carry out the eleven steps of a turn."""
    arrivals.lapse(course)
    loyalty.adjust(course)  # RL-LOY-01
    actions = loyalty.check(course)  # RL-LOY-02 ... RL-LOY-06
    arrived = arrivals.recruit(course)  # RL-REC
    mercenaries = arrivals.offer_mercenaries(course)  # RL-MER
    taxes = economy.collect(course)  # RL-TAX
    economy.grow(course)  # RL-POP
    economy.heal(course)  # RL-HEA
    economy.learn(course)  # RL-EXP-01
    rebelled = unrest.rebel(course)  # RL-REB-01, RL-REB-02
    event, event_effect = unrest.draw_event(course)  # RL-RND
    course.change(course.realm, agents_used=0, last_turn=course.inputs.turn, **dict.fromkeys(COUNTS, 0))
    return Turn(actions, arrived, mercenaries, taxes, rebelled, event, event_effect)
