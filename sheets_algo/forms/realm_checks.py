"""What must hold within rows of the realms' tabs, and between an order and the rows that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from engine.fields import loosely
from engine.realm import inputs as orders
from engine.realm.arrivals import is_offered, mercenary_cost
from engine.realm.course import base_attribute
from engine.realm.dice import FixedRoll
from engine.realm.inputs import OrderInputs
from engine.realm.purposes import PURPOSES
from engine.realm.records import (
    DEAD,
    DEFECTION,
    EMPLOYED,
    PRISONER,
    REBELS,
    REMOVED,
    RULER,
    SERVICE,
    City,
    Leader,
    Realm,
    Unit,
)
from engine.realm.service import offer_cost
from engine.realm.tables import Tables
from engine.words import nearest
from sheets_algo.forms.realm_columns import TurnRequest
from sheets_algo.problems import Problem, quoted
from sheets_algo.tables import Row
from sheets_algo.values import readings_of

MOST_FIXED = 1_000_000
USED_BY: Mapping[str, Sequence[str]] = {
    "target_realm": orders.ESPIONAGE,
    "target": orders.TARGETED,
    "agents": orders.ESPIONAGE,
    "event": (orders.AWARD,),
    "battles_won": (orders.PROCESS_TURN,),
    "battles_lost": (orders.PROCESS_TURN,),
    "cities_captured": (orders.PROCESS_TURN,),
    "cities_lost": (orders.PROCESS_TURN,),
    "nearest_enemy": (orders.PROCESS_TURN,),
}
"""Column of an order to the orders that read it."""
NEEDED = ("target_realm", "target", "agents", "event")
"""Those without which an order that reads them cannot be carried out."""
ATTRIBUTES_OF: Mapping[str, Sequence[str]] = {
    orders.INTERROGATE: ("leadership", "melee"),
    orders.ENTICE: ("melee", "stealth"),
    orders.GAMES: ("melee", "stealth"),
}


def is_no_rebel(row: Row, it: Realm) -> Iterator[Problem]:
    """RL-REB-02: the word for rebels names no realm."""
    if loosely(it.name) == REBELS:
        yield row.problem("name", "RL-REB-02", '"Rebels" is nobody\'s realm', allowed="Give the realm another name")


def leader_fits(row: Row, it: Leader) -> Iterator[Problem]:
    """What a leader's own cells must agree on."""
    if it.is_sworn and it.initial_loyalty is None:
        says = f"a {it.kind.lower()} needs an initial loyalty"
        yield row.problem("initial_loyalty", "RL-LOY-04", says, allowed="Enter a whole number from 0 to 100")
    if not it.upkeep and it.pay:
        says = f"a pay of {it.pay:g} without an upkeep to measure it by"
        yield row.problem("pay", "RL-OP-28", says, allowed="Enter the Upkeep too, or clear Pay")
    if it.health is not None and it.max_health is not None and it.health > it.max_health:
        says = f"{it.health} is more than the {it.max_health} of Max health"
        yield row.problem("health", "RL-HEA-01", says, allowed=f"Enter at most {it.max_health}")
    yield from _pairs_fit(row, it)
    yield from _circles(row, it)


def _pairs_fit(row: Row, it: Leader) -> Iterator[Problem]:
    """Cells that only mean something together."""
    if it.status == EMPLOYED and not it.employer:
        yield row.problem("employer", "RL-OP-18", "is Employed by nobody", allowed="Name the realm, or change Status")
    if it.status == PRISONER and not it.captor:
        yield row.problem("captor", "RL-OP-17", "is a Prisoner of nobody", allowed="Name the realm, or change Status")
    if it.captor and it.status != PRISONER:
        says = f"has a captor and is {it.status}"
        yield row.problem("captor", "RL-OP-17", says, allowed="Clear it, or make Status Prisoner")
    if it.offer and not it.offered_to:
        says = f"offers {it.offer} to nobody"
        yield row.problem("offered_to", "RL-OP-22", says, allowed="Name the realm, or clear Offer")
    if it.offered_to and not it.offer:
        says = f"offers nothing to {it.offered_to}"
        yield row.problem("offer", "RL-OP-22", says, allowed="Say what, or clear Offered to")


def _circles(row: Row, it: Leader) -> Iterator[Problem]:
    """Nobody is his own realm's prisoner, enemy or former servant."""
    if not it.employer:
        return
    if it.captor == it.employer:
        says = f"is held by {it.captor}, whom he serves"
        yield row.problem("captor", "RL-OP-17", says, allowed="Name another Captor or Employer")
    if it.employer in it.former_rulers:
        says = f"serves {it.employer}, which is among the Former rulers that are never served again"
        yield row.problem("employer", "RL-LOY-05", says, allowed="Take it out of Former rulers, or name another")
    if it.offer and it.offered_to == it.employer:
        says = f"offers {it.offer} to {it.employer}, whom he serves already"
        yield row.problem("offered_to", "RL-OP-22", says, allowed="Name another realm, or clear the offer")
    if it.nearest_enemy == it.employer:
        says = f"{it.employer} is the own realm"
        yield row.problem("nearest_enemy", "RL-OP-24", says, allowed="Name another realm, or leave it blank")


def unit_fits(row: Row, it: Unit) -> Iterator[Problem]:
    """What a unit's own cells must agree on."""
    if it.health is not None and it.max_health is not None and it.health > it.max_health:
        says = f"{it.health} is more than the {it.max_health} of Max health"
        yield row.problem("health", "RL-HEA-01", says, allowed=f"Enter at most {it.max_health}")
    if it.max_health == 0:
        yield row.problem("max_health", "RL-REB-06", "a unit without health", allowed="Enter at least 1")
    if it.owner and it.offered_to:
        says = f"is offered to {it.offered_to} and belongs to {it.owner.replace(REBELS, 'Rebels')}"
        yield row.problem("offered_to", "RL-OP-22", says, allowed="Clear Owner or Offered to")


def fixed_rolls(cell: str) -> tuple[FixedRoll, ...]:
    """RL-OP-41: `RL-LOY-02 Brennus=97; RL-RND-01=65` as dice that a moderator laid.

    Args:
        cell: As it stands there; `fixed_rolls_fit` says what is wrong with it, and such parts are left out here.
    """
    return tuple(found for found in map(_fixed, _parts(cell)) if isinstance(found, FixedRoll))


def order_cells_fit(row: Row, it: TurnRequest) -> Iterator[Problem]:
    """What an order needs stands there; what it does not read is told of."""
    for attribute, readers in USED_BY.items():
        is_filled = not row.is_blank(attribute)
        if is_filled and it.order not in readers:
            yield row.warning(attribute, "RL-OP-01", f"{it.order} does not read it")
        elif not is_filled and it.order in readers and attribute in NEEDED:
            says = f"{it.order} needs it, but it is empty"
            yield row.problem(attribute, IDS[attribute], says, allowed=WANTED[attribute])
    if it.order == orders.PROCESS_REBELS:
        if it.realm:
            yield row.warning("realm", "RL-REB-03", f"{it.order} is for every rebel city, whoever lost it")
        if it.turn is None:
            says = f"{it.order} needs its turn, for no realm's last turn tells it"
            yield row.problem("turn", "RL-OP-45", says, allowed="Enter the turn; rebels act once in it")
    elif not it.realm:
        says = f"{it.order} needs it, but it is empty"
        yield row.problem("realm", "RL-OP-01", says, allowed="Enter a name from Realms")
    yield from fixed_rolls_fit(row, it.fixed_rolls)


IDS = {"target_realm": "RL-ESP-A", "target": "RL-GEN-05", "agents": "RL-ESP-A", "event": "RL-EXP-03"}
WANTED = {
    "target_realm": "Enter another realm that is in play",
    "target": "Enter the name of the leader, unit or city in question",
    "agents": "Enter a whole number of at least 1",
    "event": "Choose what was done",
}


def fixed_rolls_fit(row: Row, cell: str) -> Iterator[Problem]:
    """RL-OP-41: known dice, each with a whole number of at least 1."""
    for part in _parts(cell):
        found = _fixed(part)
        if isinstance(found, str):
            id = part.partition("=")[0].strip().split(" ")[0]
            near = nearest(id, PURPOSES) if id not in PURPOSES else ""
            allowed = "Write rule-id=number, or rule-id name=number; several with semicolons"
            yield row.problem("fixed_rolls", "RL-OP-41", found, allowed=allowed, nearest=near)


def _parts(cell: str) -> Iterator[str]:
    return filter(None, (part.strip() for part in re.split(r"[;\n]", cell)))


def _fixed(part: str) -> FixedRoll | str:
    """A fixed roll, or what is wrong with it."""
    named, equals, number = part.rpartition("=")
    id, _, whose = named.strip().partition(" ")
    known = {loosely(it): it for it in PURPOSES}
    readings = [found for found in readings_of(number) if found == int(found) and 1 <= found <= MOST_FIXED]
    if not equals:
        return f"{quoted(part)} has no number"
    if loosely(id) not in known:
        return f"{quoted(id)} is no die of these rules"
    if not readings:
        return f"{quoted(number.strip())} is not what a die can show: a whole number of at least 1"
    return FixedRoll(rule=known[loosely(id)], number=int(readings[-1]), whose=whose.strip())


def the_realm_may(row: Row, it: OrderInputs) -> Iterator[Problem]:
    """Whether the realm is in play, the turn still to come and the money there."""
    realm = it.realm
    if realm is None:
        return
    if not realm.in_play:
        yield row.problem("realm", "RL-RUL-05", f"{realm.name} is out of the game", allowed="Name a realm in play")
    if it.order == orders.PROCESS_TURN and it.turn <= realm.last_turn:
        attribute = "realm" if row.is_blank("turn") else "turn"
        says = f"turn {it.turn} of {realm.name} is processed already; its last turn is {realm.last_turn}"
        yield row.problem(attribute, "RL-OP-01", says, allowed=f"Enter {realm.last_turn + 1}, or leave Turn blank")
    if it.nearest_enemy == realm.name:
        says = f"{realm.name} is no enemy of itself"
        yield row.problem("nearest_enemy", "RL-OP-24", says, allowed="Name another realm, or leave it blank")


def agents_may_go(row: Row, it: OrderInputs) -> Iterator[Problem]:
    """RL-ESP: another realm in play, enough agents, and no ban (RL-OP-40)."""
    realm, target = it.realm, it.target_realm
    if realm is None or it.order not in orders.ESPIONAGE:
        return
    if target is not None and target.name == realm.name:
        says = f"{realm.name} would spy on itself"
        yield row.problem("target_realm", "RL-ESP-A", says, allowed="Name another realm")
    elif target is not None and not target.in_play:
        says = f"{target.name} is out of the game"
        yield row.problem("target_realm", "RL-RUL-05", says, allowed="Name a realm in play")
    free = max(0, realm.agents - realm.agents_used)
    if it.agents > free:
        says = f"{it.agents} agents, but {realm.name} has {free} left ({realm.agents}, {realm.agents_used} used)"
        yield row.problem("agents", "RL-ESP-A", says, allowed=f"Enter at most {free}" if free else "Wait for a turn")
    until = realm.espionage_blocked_until
    if until is not None and it.turn <= until:
        says = f"{realm.name} can send no agents up to turn {until}"
        yield row.problem("order", "RL-RND-08", says, allowed=f"Wait for turn {until + 1}")


def can_pay(row: Row, realm: Realm, cost: int, id: str) -> Iterator[Problem]:
    """Nothing is bought on credit."""
    if realm.treasury < cost:
        says = f"it costs {cost} gold, and {realm.name} has {realm.treasury}"
        yield row.problem("order", id, says, allowed="Order less, or wait for an income")


def leader_may_be_ordered(row: Row, it: OrderInputs, leader: Leader, tables: Tables) -> Iterator[Problem]:
    """What the leader in question must be, have or offer."""
    realm = it.realm
    assert realm is not None
    if leader.status in (DEAD, REMOVED):
        says = f"{leader.name} is {'dead' if leader.status == DEAD else 'out of the game'}"
        yield row.problem("target", "RL-OP-38", says, allowed="Name a leader who can still be ordered about")
    elif it.order in orders.DUNGEON:
        yield from _prisoner_fits(row, it, leader, tables)
    elif it.order == orders.HIRE_LEADER:
        yield from _can_be_hired(row, it, leader)
    elif it.order == orders.ACCEPT_OFFER:
        yield from _can_be_bought(row, it, leader, tables)
    elif it.order == orders.AWARD and (leader.status != EMPLOYED or leader.employer != realm.name):
        says = f"{leader.name} does not serve {realm.name}"
        yield row.problem("target", "RL-EXP-03", says, allowed=f"Name a leader of {realm.name}")
    elif it.order == orders.WATCH and it.target_realm is not None and not _is_sworn_to(leader, it.target_realm):
        says = f"{leader.name} is no hero or legend in the service of {it.target_realm.name}"
        yield row.problem("target", "RL-ESP-8", says, allowed="Name one who is")


def _is_sworn_to(leader: Leader, realm: Realm) -> bool:
    return leader.kind != RULER and leader.status == EMPLOYED and leader.employer == realm.name


def _prisoner_fits(row: Row, it: OrderInputs, leader: Leader, tables: Tables) -> Iterator[Problem]:
    realm = it.realm
    assert realm is not None
    if leader.status != PRISONER or leader.captor != realm.name:
        says = f"{leader.name} is not in the dungeon of {realm.name}"
        yield row.problem("target", "RL-DUN-01", says, allowed="Name a prisoner of this realm")
        return
    if leader.kind == RULER and it.order in (orders.INTERROGATE, orders.ENTICE):
        says = f"{leader.name} is a ruler and has no loyalty to break"
        yield row.problem("target", "RL-OP-39", says, allowed="Release, Send to games or Execute")
    elif it.order == orders.INTERROGATE and leader.interrogated_by == realm.name:
        says = f"{leader.name} was interrogated by {realm.name} already"
        yield row.problem("target", "RL-OP-17", says, allowed="Entice, Release, Send to games or Execute")
    elif it.order == orders.ENTICE:
        yield from can_pay(row, realm, int(tables.constants.entice_cost), "RL-DUN-03")
    by_type = tables.rulers.get(it.target_realm.ruler_type) if it.target_realm and leader.kind == RULER else None
    missing = [name for name in ATTRIBUTES_OF.get(it.order, ()) if base_attribute(leader, by_type, name) is None]
    if missing:
        says = f"{it.order} asks for the {' and '.join(missing)} of {leader.name}, which Realm Leaders leaves blank"
        yield row.problem("target", "RL-OP-06", says, allowed="Fill it in there")


def _can_be_hired(row: Row, it: OrderInputs, leader: Leader) -> Iterator[Problem]:
    realm = it.realm
    assert realm is not None
    if leader.offer != SERVICE or leader.offered_to != realm.name:
        says = f"{leader.name} offers no service to {realm.name}"
        yield row.problem("target", "RL-OP-22", says, allowed="Name a leader whose Offer is Service to this realm")
    elif leader.status in (EMPLOYED, PRISONER):
        says = f"{leader.name} is {'a prisoner' if leader.status == PRISONER else f'employed by {leader.employer}'}"
        yield row.problem("target", "RL-OP-38", says, allowed="Name a leader who serves nobody")
    elif realm.name in leader.former_rulers:
        says = f"{leader.name} has served {realm.name} and never will again"
        yield row.problem("target", "RL-LOY-05", says, allowed="Name another leader")
    else:
        yield from can_pay(row, realm, leader.initial_cost, "RL-OP-22")


def _can_be_bought(row: Row, it: OrderInputs, leader: Leader, tables: Tables) -> Iterator[Problem]:
    realm = it.realm
    assert realm is not None
    if leader.offer in ("", SERVICE) or leader.offered_to != realm.name or leader.status != EMPLOYED:
        says = f"{leader.name} has no open offer to {realm.name}"
        allowed = "Name a leader whose Offer to this realm is Information, Thrown battle or Defection"
        yield row.problem("target", "RL-OP-23", says, allowed=allowed)
    elif leader.offer == DEFECTION and realm.name in leader.former_rulers:
        says = f"{leader.name} has served {realm.name} and never will again"
        yield row.problem("target", "RL-LOY-05", says, allowed="Name another leader")
    else:
        yield from can_pay(row, realm, offer_cost(leader, tables), "RL-OP-23")


def unit_may_be_ordered(row: Row, it: OrderInputs, unit: Unit, tables: Tables) -> Iterator[Problem]:
    """A mercenary that waits for this realm, or a unit of it."""
    realm = it.realm
    assert realm is not None
    if it.order == orders.AWARD:
        if unit.owner != realm.name:
            says = f"{unit.name} does not belong to {realm.name}"
            yield row.problem("target", "RL-EXP-02", says, allowed=f"Name a unit of {realm.name}")
        return
    if not is_offered(unit, realm.name):
        says = f"{unit.name} offers no service to {realm.name}"
        yield row.problem("target", "RL-OP-22", says, allowed="Name a unit that is Offered to this realm")
        return
    type = next((type for type in it.types if type.name == unit.type), None)
    if type is not None:
        yield from can_pay(row, realm, mercenary_cost(unit, type, tables), "RL-MER-02")


def city_may_be_scouted(row: Row, it: OrderInputs, city: City) -> Iterator[Problem]:
    """RL-ESP-5: a city of the target realm."""
    if it.target_realm is not None and city.owner != it.target_realm.name:
        says = f"{city.name} does not belong to {it.target_realm.name}"
        yield row.problem("target", "RL-ESP-5", says, allowed=f"Name a city of {it.target_realm.name}")
