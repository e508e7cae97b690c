"""Orders with the rules that carry them out and their possible outcomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.realm.orders import dungeon, espionage, service, war
from engine.realm.orders.report import RealmReport
from engine.realm.setup import inputs as names
from engine.realm.turn.course import Course


@dataclass(frozen=True, slots=True)
class RealmOrder:
    """An order other than Process turn and Process rebels."""

    carry_out: Callable[[Course], RealmReport]  # The function that carries it out
    outcomes: tuple[str, ...]  # The words for all possible outcomes, for forecasts


HOME_OR_FREE = (dungeon.RETURNED, dungeon.FREE)

ORDERS: Mapping[str, RealmOrder] = {
    names.HIRE_LEADER: RealmOrder(service.hire_leader, (service.HIRED,)),
    names.HIRE_MERCENARY: RealmOrder(service.hire_mercenary, (service.HIRED,)),
    names.ACCEPT_OFFER: RealmOrder(service.accept, (service.BOUGHT,)),
    names.INTERROGATE: RealmOrder(dungeon.interrogate, (dungeon.TALKED, dungeon.SILENT)),
    names.RELEASE: RealmOrder(dungeon.release, (dungeon.CONVERTED, *HOME_OR_FREE)),
    names.ENTICE: RealmOrder(dungeon.entice, (dungeon.CONVERTED, *HOME_OR_FREE, dungeon.STAYED)),
    names.GAMES: RealmOrder(dungeon.games, (dungeon.DIED, *HOME_OR_FREE, dungeon.GONE, dungeon.STAYED)),
    names.EXECUTE: RealmOrder(dungeon.execute, (dungeon.EXECUTED,)),
    names.AWARD: RealmOrder(service.award, (service.AWARDED,)),
    **{name: RealmOrder(war.battle, (war.RECORDED,)) for name in names.BATTLES},
    names.CAPTURE: RealmOrder(war.capture, (war.CAPTURED,)),
    **{mission: RealmOrder(espionage.send, espionage.OUTCOMES) for mission in names.ESPIONAGE},
}
"""Orders by their name in the column Order."""
