"""Process turn: the whole turn of one realm, in the order of RL-OP-01."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.realm import arrivals, economy, loyalty, unrest
from engine.realm.course import Course
from engine.realm.economy import Taxes


@dataclass(frozen=True, slots=True)
class Turn:
    """What a turn brought, beside the records.

    Args:
        actions: Leader to what he did about his loyalty.
        arrived: The leader who offers service; blank for nobody.
        mercenaries: What offers service, in words; blank for nothing.
        taxes: Income and happiness.
        rebelled: Cities that left.
        event: Its name.
        befell: What it did, in words.
    """

    actions: Mapping[str, str]
    arrived: str
    mercenaries: str
    taxes: Taxes
    rebelled: tuple[str, ...]
    event: str
    befell: str


def process(course: Course) -> Turn:
    """The eleven steps."""
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
    event, befell = unrest.befall(course)  # RL-RND
    course.change(course.realm, agents_used=0, last_turn=course.inputs.turn)
    return Turn(actions, arrived, mercenaries, taxes, rebelled, event, befell)
