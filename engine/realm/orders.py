"""Which rules carry out which order, and what can become of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.realm import dungeon, espionage, service
from engine.realm import inputs as names
from engine.realm.course import Course
from engine.realm.report import Report


@dataclass(frozen=True, slots=True)
class Order:
    """An order other than Process turn and Process rebels.

    Args:
        carry_out: Does it.
        outcomes: Every word for what can become of it, for forecasts.
    """

    carry_out: Callable[[Course], Report]
    outcomes: tuple[str, ...]


HOME_OR_FREE = (dungeon.RETURNED, dungeon.FREE)

ORDERS: Mapping[str, Order] = {
    names.HIRE_LEADER: Order(service.hire_leader, (service.HIRED,)),
    names.HIRE_MERCENARY: Order(service.hire_mercenary, (service.HIRED,)),
    names.ACCEPT_OFFER: Order(service.accept, (service.BOUGHT,)),
    names.INTERROGATE: Order(dungeon.interrogate, (dungeon.TALKED, dungeon.SILENT)),
    names.RELEASE: Order(dungeon.release, (dungeon.CONVERTED, *HOME_OR_FREE)),
    names.ENTICE: Order(dungeon.entice, (dungeon.CONVERTED, *HOME_OR_FREE, dungeon.STAYED)),
    names.GAMES: Order(dungeon.games, (dungeon.DIED, *HOME_OR_FREE, dungeon.GONE, dungeon.STAYED)),
    names.EXECUTE: Order(dungeon.execute, (dungeon.EXECUTED,)),
    names.AWARD: Order(service.award, (service.AWARDED,)),
    **{mission: Order(espionage.send, espionage.OUTCOMES) for mission in names.ESPIONAGE},
}
"""By the name in the column Order."""
