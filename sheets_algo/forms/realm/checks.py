"""Checks of single rows of the realms' tabs, and of an order with the rows it names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from engine.columns import loosely
from engine.realm.orders.service import offer_cost
from engine.realm.setup import inputs as orders
from engine.realm.setup.inputs import OrderInputs
from engine.realm.setup.records import (
    COUNTS,
    DEFECTION,
    EMPLOYED,
    PRISONER,
    REBELS,
    RULER,
    SERVICE,
    City,
    Realm,
    RealmLeader,
    RealmUnit,
)
from engine.realm.setup.tables import RealmTables
from engine.realm.turn.arrivals import is_offered, mercenary_cost
from engine.realm.turn.course import base_attribute
from engine.suggest import nearest
from sheets_algo.database.problems import Problem, count
from sheets_algo.database.tables import Row
from sheets_algo.forms.realm import causes
from sheets_algo.forms.realm.columns import TurnRequest
from sheets_algo.forms.realm.fixed_rolls import check_fixed_rolls

ORDERS_BY_COLUMN: Mapping[str, Sequence[str]] = {
    "target_realm": (*orders.ESPIONAGE, *orders.BATTLES),
    "target": (*orders.TARGETED, *orders.BATTLES),
    "agents": orders.ESPIONAGE,
    "event": (orders.AWARD,),
    "battles_won": (orders.PROCESS_TURN,),
    "battles_lost": (orders.PROCESS_TURN,),
    "cities_captured": (orders.PROCESS_TURN,),
    "cities_lost": (orders.PROCESS_TURN,),
    "nearest_enemy": (orders.PROCESS_TURN,),
}
"""Orders that use a column, by attribute."""
MAY_LACK = tuple(("target_realm", order) for order in orders.BATTLES)
"""Attributes of such columns that an order may leave blank: a battle against rebels has no other realm."""
ATTRIBUTES_OF: Mapping[str, Sequence[str]] = {
    orders.INTERROGATE: ("leadership", "melee"),
    orders.ENTICE: ("melee", "stealth"),
    orders.GAMES: ("melee", "stealth"),
}


def check_realm_name(row: Row, realm: Realm) -> Iterator[Problem]:
    """Check that a realm does not have the name of the rebels (RL-REB-02)."""
    if loosely(realm.name) == REBELS:
        yield row.problem(
            "name", "RL-REB-02", '"Rebels" cannot be the name of a realm', allowed="Give the realm another name"
        )


def check_happiness(row: Row, realm: Realm) -> Iterator[Problem]:
    """Warn of a blank happiness, which counts as the greatest (RL-OP-14)."""
    if row.is_blank("happiness"):
        yield row.warning("happiness", "RL-OP-14", f"blank counts as {realm.happiness:g}", allowed="Enter it")


def check_leader(row: Row, leader: RealmLeader) -> Iterator[Problem]:
    """Check the cells of a leader against each other."""
    if leader.is_sworn and leader.initial_loyalty is None:
        says = f"a {leader.kind.lower()} needs an initial loyalty"
        yield row.problem("initial_loyalty", "RL-LOY-04", says, allowed="Enter a whole number from 0 to 100")
    if not leader.upkeep and leader.pay:
        says = f"there is a Pay of {leader.pay:g}, but no Upkeep"
        yield row.problem("pay", "RL-OP-28", says, allowed="Enter the Upkeep too, or clear Pay")
    if leader.health is not None and leader.max_health is not None and leader.health > leader.max_health:
        says = f"{leader.health} is more than the {leader.max_health} of Max health"
        yield row.problem("health", "RL-HEA-01", says, allowed=f"Enter at most {leader.max_health}")
    yield from _check_paired_cells(row, leader)
    yield from _check_employer(row, leader)


def _check_paired_cells(row: Row, leader: RealmLeader) -> Iterator[Problem]:
    """Check that cells which belong together are filled together."""
    for status, attribute, id in ((EMPLOYED, "employer", "RL-OP-18"), (PRISONER, "captor", "RL-OP-17")):
        if leader.status == status and row.is_blank(attribute):
            says = f"the Status is {status}, but no realm is named"
            yield row.problem(attribute, id, says, allowed="Name the realm, or change Status")
    if leader.captor and leader.status != PRISONER:
        says = f"there is a Captor, but the Status is {leader.status}"
        yield row.problem("captor", "RL-OP-17", says, allowed="Clear it, or make Status Prisoner")
    if leader.offer and not leader.offered_to:
        says = f"there is an Offer of {leader.offer}, but no realm is named"
        yield row.problem("offered_to", "RL-OP-22", says, allowed="Name the realm, or clear Offer")
    if leader.offered_to and not leader.offer:
        says = f"{leader.offered_to} is named, but there is no Offer"
        yield row.problem("offer", "RL-OP-22", says, allowed="Choose an Offer, or clear Offered to")


def _check_employer(row: Row, leader: RealmLeader) -> Iterator[Problem]:
    """Check that a leader is not a prisoner, enemy or former servant of its own realm."""
    if not leader.employer:
        return
    if leader.captor == leader.employer:
        says = f"{leader.captor} cannot hold {leader.name}, who is its own leader"
        yield row.problem("captor", "RL-OP-17", says, allowed="Name another Captor or Employer")
    if leader.employer in leader.former_rulers:
        says = f"serves {leader.employer}, which is one of the leader's Former rulers"
        yield row.problem("employer", "RL-LOY-05", says, allowed="Take it out of Former rulers, or name another")
    if leader.offer and leader.offered_to == leader.employer:
        says = f"offers {leader.offer} to {leader.employer}, the leader's own realm"
        yield row.problem("offered_to", "RL-OP-22", says, allowed="Name another realm, or clear the offer")
    if leader.nearest_enemy == leader.employer:
        says = f"{leader.employer} is the leader's own realm"
        yield row.problem("nearest_enemy", "RL-OP-24", says, allowed="Name another realm, or leave it blank")


def check_unit(row: Row, unit: RealmUnit) -> Iterator[Problem]:
    """Check the cells of a unit against each other."""
    if unit.health is not None and unit.max_health is not None and unit.health > unit.max_health:
        says = f"{unit.health} is more than the {unit.max_health} of Max health"
        yield row.problem("health", "RL-HEA-01", says, allowed=f"Enter at most {unit.max_health}")
    if unit.max_health == 0:
        yield row.problem("max_health", "RL-REB-06", "a unit without health", allowed="Enter at least 1")
    if unit.owner and unit.offered_to:
        says = f"is offered to {unit.offered_to} and belongs to {unit.owner.replace(REBELS, 'Rebels')}"
        yield row.problem("offered_to", "RL-OP-22", says, allowed="Clear Owner or Offered to")


def check_order_cells(row: Row, request: TurnRequest) -> Iterator[Problem]:
    """Check that an order has the cells it needs, and warn of filled cells that it does not use."""
    for attribute, users in ORDERS_BY_COLUMN.items():
        is_filled = not row.is_blank(attribute)
        if is_filled and request.order not in users:
            yield row.warning(attribute, "RL-OP-01", f"{request.order} does not read it")
        elif (
            not is_filled
            and request.order in users
            and (attribute, request.order) not in MAY_LACK
            and attribute in RULE_IDS
        ):
            says = f"{request.order} needs it, but it is empty"
            yield row.problem(attribute, RULE_IDS[attribute], says, allowed=ALLOWED[attribute])
    if request.order == orders.PROCESS_REBELS:
        if request.realm:
            yield row.warning("realm", "RL-REB-03", f"{request.order} is for every rebel city, whoever lost it")
        if request.turn is None:
            says = f"{request.order} needs a turn, because it belongs to no realm"
            yield row.problem("turn", "RL-OP-45", says, allowed="Enter the turn")
    elif request.order == orders.PROCESS_ALL:
        if request.realm:
            says = f"{request.order} is for every realm in play"
            yield row.problem("realm", "RL-OP-47", says, allowed="Clear it, or choose Process turn")
    elif not request.realm:
        says = f"{request.order} needs it, but it is empty"
        yield row.problem("realm", "RL-OP-01", says, allowed="Enter a name from Realms")
    yield from check_fixed_rolls(row, request.fixed_rolls)


# Of columns that are required by the orders that use them.
RULE_IDS = {"target_realm": "RL-ESP-A", "target": "RL-GEN-05", "agents": "RL-ESP-A", "event": "RL-EXP-03"}
ALLOWED = {
    "target_realm": "Enter another realm that is in play",
    "target": "Enter the name of the leader, unit, city or place in question",
    "agents": "Enter a whole number of at least 1",
    "event": "Choose what was done",
}


def check_realm(row: Row, inputs: OrderInputs) -> Iterator[Problem]:
    """Check that the realm is in play, the turn is its current one and the nearest enemy is another realm."""
    realm = inputs.realm
    if realm is None:
        return
    if says := causes.realm_out(realm):
        cause = causes.REALM_OUT.of(realm.name)
        yield row.problem("realm", "RL-RUL-05", says, allowed="Name a realm in play", cause=cause)
        return  # even without other errors, there is no turn in which it could be carried out
    current = realm.turn
    if inputs.order != orders.PROCESS_REBELS and inputs.turn != current:
        when = "has already been processed" if inputs.turn < current else "has not begun"
        says = f"turn {inputs.turn} of {realm.name} {when}; its current turn is {current}"
        yield row.problem("turn", "RL-OP-01", says, allowed=f"Enter {current}, or leave Turn blank")
    if inputs.nearest_enemy == realm.name:
        says = f"{realm.name} cannot be its own enemy"
        yield row.problem("nearest_enemy", "RL-OP-24", says, allowed="Name another realm, or leave it blank")


def check_all_turns(row: Row, inputs: OrderInputs) -> Iterator[Problem]:
    """Check that some realm is in play, and that the turn is the earliest one that any is in (RL-OP-47)."""
    if inputs.order != orders.PROCESS_ALL:
        return
    if not inputs.realms:
        yield row.problem("order", "RL-OP-47", "no realm is in play", allowed="Tick In play of a realm in Realms")
        return
    current = min(realm.turn for realm in inputs.realms)
    if inputs.turn != current:
        when = "has been processed for all realms" if inputs.turn < current else "has not begun"
        says = f"turn {inputs.turn} {when}; the current turn is {current}"
        yield row.problem("turn", "RL-OP-47", says, allowed=f"Enter {current}, or leave Turn blank")


def check_battle(row: Row, inputs: OrderInputs, places: Iterable[str]) -> Iterator[Problem]:
    """Check that a battle is against another realm, at a place with own units; warn if the enemy has none (RL-OP-57).

    Args:
        places: The places of the realm's units.
    """
    realm, other = inputs.realm, inputs.target_realm
    if realm is None or inputs.order not in orders.BATTLES:
        return
    if other is not None and other.name == realm.name:
        says = f"{realm.name} cannot fight itself"
        yield row.problem("target_realm", "RL-OP-57", says, allowed="Name another realm, or clear it for rebels")
    military = {type.name for type in inputs.types if type.military}
    there = {unit.owner for unit in inputs.units if unit.type in military}
    if realm.name not in there:
        says = f"{realm.name} has no army in {inputs.target}"
        similar = nearest(inputs.target, (place for place in places if loosely(place) != loosely(inputs.target)))
        allowed = "" if similar else "Enter the place as Location of its armies in Realm Units has it"
        yield row.problem("target", "RL-OP-57", says, allowed=allowed, nearest=similar)
    elif other is not None and other.name not in there:
        says = f"{other.name} has no army in {inputs.target}, and its next turn counts the battle all the same"
        yield row.warning("target_realm", "RL-OP-57", says, allowed="Name the realm that was there")


def check_counts(row: Row, inputs: OrderInputs) -> Iterator[Problem]:
    """Warn of a number that replaces a count of the turn's orders (RL-OP-57, RL-OP-58)."""
    for name in COUNTS if inputs.realm is not None and inputs.order == orders.PROCESS_TURN else ():
        counted, typed = getattr(inputs.realm, name), getattr(inputs, name)
        if counted and typed != counted:
            says = f"orders of the turn have counted {counted}, and the {typed} here counts instead"
            yield row.warning(name, "RL-OP-57", says)


def check_agents(row: Row, inputs: OrderInputs) -> Iterator[Problem]:
    """Check that a mission is against another realm in play, with enough agents and no ban (RL-ESP, RL-OP-40)."""
    realm, target = inputs.realm, inputs.target_realm
    if realm is None or inputs.order not in orders.ESPIONAGE:
        return
    if target is not None and target.name == realm.name:
        says = f"{realm.name} cannot spy on itself"
        yield row.problem("target_realm", "RL-ESP-A", says, allowed="Name another realm")
    elif target is not None and not target.in_play:
        says, cause = causes.realm_out(target), causes.TARGET_REALM_OUT.of(target.name)
        yield row.problem("target_realm", "RL-RUL-05", says, allowed="Name a realm in play", cause=cause)
    free = max(0, realm.agents - realm.agents_used)
    if inputs.agents > free:
        left = f"{free} left ({realm.agents} in all, {realm.agents_used} used)"
        says = f"{count(inputs.agents, 'agent')}, but {realm.name} has {left}"
        allowed = f"Enter at most {free}" if free else f"Enter turn {inputs.turn + 1}, or clear Ready"
        killed = causes.AGENTS_LOST.of(realm.name, least=inputs.agents)
        cause = causes.AGENTS_USED.of(realm.name) if inputs.agents <= realm.agents else killed
        yield row.problem("agents", "RL-ESP-A", says, allowed=allowed, cause=cause)
    until = realm.espionage_blocked_until
    if until is not None and inputs.turn <= until:
        says = f"{realm.name} cannot send agents before turn {until + 1}"
        allowed, cause = f"Enter turn {until + 1}, or clear Ready", causes.AGENTS_BANNED.of(realm.name)
        yield row.problem("order", "RL-RND-08", says, allowed=allowed, cause=cause)


def check_payment(row: Row, realm: Realm, cost: int, id: str) -> Iterator[Problem]:
    """Check that the realm's treasury covers a cost."""
    if realm.treasury < cost:
        says = f"it costs {cost} gold, and {realm.name} has {realm.treasury}"
        allowed, cause = "Order less, enter a later turn, or clear Ready", causes.GOLD_SPENT.of(realm.name, least=cost)
        yield row.problem("order", id, says, allowed=allowed, cause=cause)


def check_target_leader(row: Row, inputs: OrderInputs, leader: RealmLeader, tables: RealmTables) -> Iterator[Problem]:
    """Check that the target leader meets the conditions of the order."""
    realm, gone = inputs.realm, causes.LEADER_GONE.of(leader.name)
    assert realm is not None
    if says := causes.leader_out(leader):
        yield row.problem("target", "RL-OP-38", says, allowed="Name a leader who is still in the game", cause=gone)
    elif inputs.order in orders.DUNGEON:
        yield from _check_prisoner(row, inputs, leader, tables)
    elif inputs.order == orders.HIRE_LEADER:
        yield from _check_hire(row, inputs, leader)
    elif inputs.order == orders.ACCEPT_OFFER:
        yield from _check_offer(row, inputs, leader, tables)
    elif inputs.order == orders.AWARD and (leader.status != EMPLOYED or leader.employer != realm.name):
        says = f"{leader.name} does not serve {realm.name}"
        yield row.problem("target", "RL-EXP-03", says, allowed=f"Name a leader of {realm.name}", cause=gone)
    elif (
        inputs.order == orders.WATCH
        and inputs.target_realm is not None
        and not _is_sworn_to(leader, inputs.target_realm)
    ):
        says = f"{leader.name} is not a hero or legend in the service of {inputs.target_realm.name}"
        yield row.problem("target", "RL-ESP-8", says, allowed="Name one who is", cause=gone)


def _is_sworn_to(leader: RealmLeader, realm: Realm) -> bool:
    return leader.kind != RULER and leader.status == EMPLOYED and leader.employer == realm.name


def _check_prisoner(row: Row, inputs: OrderInputs, leader: RealmLeader, tables: RealmTables) -> Iterator[Problem]:
    realm, gone = inputs.realm, causes.LEADER_GONE.of(leader.name)
    assert realm is not None
    if leader.status != PRISONER or leader.captor != realm.name:
        says = f"{leader.name} is not a prisoner of {realm.name}"
        yield row.problem("target", "RL-DUN-01", says, allowed="Name a prisoner of this realm", cause=gone)
        return
    if leader.kind == RULER and inputs.order in (orders.INTERROGATE, orders.ENTICE):
        says = f"{leader.name} is a ruler, and rulers have no loyalty"
        yield row.problem("target", "RL-OP-39", says, allowed="Use Release, Send to games or Execute")
    elif inputs.order == orders.INTERROGATE and leader.interrogated_by == realm.name:
        says = f"{leader.name} has already been interrogated by {realm.name}"
        allowed, cause = "Use Entice, Release, Send to games or Execute", causes.LEADER_ASKED.of(leader.name)
        yield row.problem("target", "RL-OP-17", says, allowed=allowed, cause=cause)
    elif inputs.order == orders.ENTICE:
        yield from check_payment(row, realm, int(tables.constants.entice_cost), "RL-DUN-03")
    by_type = (
        tables.rulers.get(inputs.target_realm.ruler_type) if inputs.target_realm and leader.kind == RULER else None
    )
    missing = [name for name in ATTRIBUTES_OF.get(inputs.order, ()) if base_attribute(leader, by_type, name) is None]
    if missing:
        says = (
            f"{inputs.order} needs the {' and '.join(missing)} of {leader.name}, but the cell in Realm Leaders is blank"
        )
        yield row.problem("target", "RL-OP-06", says, allowed="Fill in the cell there")


def _check_hire(row: Row, inputs: OrderInputs, leader: RealmLeader) -> Iterator[Problem]:
    realm, gone = inputs.realm, causes.LEADER_GONE.of(leader.name)
    assert realm is not None
    if leader.offer != SERVICE or leader.offered_to != realm.name:
        says = f"{leader.name} has no offer of service to {realm.name}"
        allowed = "Name a leader whose Offer is Service to this realm"
        yield row.problem("target", "RL-OP-22", says, allowed=allowed, cause=gone)
    elif leader.status in (EMPLOYED, PRISONER):
        says = f"{leader.name} is {'a prisoner' if leader.status == PRISONER else f'employed by {leader.employer}'}"
        yield row.problem("target", "RL-OP-38", says, allowed="Name a leader who serves nobody", cause=gone)
    elif realm.name in leader.former_rulers:
        says = f"{leader.name} is a former leader of {realm.name} and will not serve it again"
        yield row.problem("target", "RL-LOY-05", says, allowed="Name another leader")
    else:
        yield from check_payment(row, realm, leader.initial_cost, "RL-OP-22")


def _check_offer(row: Row, inputs: OrderInputs, leader: RealmLeader, tables: RealmTables) -> Iterator[Problem]:
    realm, gone = inputs.realm, causes.LEADER_GONE.of(leader.name)
    assert realm is not None
    if leader.offer in ("", SERVICE) or leader.offered_to != realm.name or leader.status != EMPLOYED:
        says = f"{leader.name} has no open offer to {realm.name}"
        allowed = "Name a leader whose Offer to this realm is Information, Thrown battle or Defection"
        yield row.problem("target", "RL-OP-23", says, allowed=allowed, cause=gone)
    elif leader.offer == DEFECTION and realm.name in leader.former_rulers:
        says = f"{leader.name} is a former leader of {realm.name} and will not serve it again"
        yield row.problem("target", "RL-LOY-05", says, allowed="Name another leader")
    else:
        yield from check_payment(row, realm, offer_cost(leader, tables), "RL-OP-23")


def check_target_unit(row: Row, inputs: OrderInputs, unit: RealmUnit, tables: RealmTables) -> Iterator[Problem]:
    """Check that the target unit is a mercenary offered to the realm or, for an award, a unit of the realm."""
    realm, gone = inputs.realm, causes.UNIT_GONE.of(unit.name)
    assert realm is not None
    if inputs.order == orders.AWARD:
        if unit.owner != realm.name:
            says = f"{unit.name} does not belong to {realm.name}"
            yield row.problem("target", "RL-EXP-02", says, allowed=f"Name a unit of {realm.name}", cause=gone)
        return
    if not is_offered(unit, realm.name):
        says = f"{unit.name} has no offer of service to {realm.name}"
        yield row.problem("target", "RL-OP-22", says, allowed="Name a unit that is Offered to this realm", cause=gone)
        return
    type = next((type for type in inputs.types if type.name == unit.type), None)
    if type is not None:
        yield from check_payment(row, realm, mercenary_cost(unit, type, tables), "RL-MER-02")


def check_target_city(row: Row, inputs: OrderInputs, city: City) -> Iterator[Problem]:
    """Check that the target city belongs to the target realm, or to another one that can lose it (RL-ESP-5)."""
    if inputs.order == orders.CAPTURE and inputs.realm is not None and city.owner == inputs.realm.name:
        says, cause = f"{city.name} is {inputs.realm.name}'s already", causes.CITY_TAKEN.of(city.name)
        yield row.problem("target", "RL-OP-58", says, allowed="Name a city of others", cause=cause)
        return
    if inputs.target_realm is not None and city.owner != inputs.target_realm.name:
        says = f"{city.name} does not belong to {inputs.target_realm.name}"
        allowed, cause = f"Name a city of {inputs.target_realm.name}", causes.CITY_TAKEN.of(city.name)
        yield row.problem("target", "RL-ESP-5", says, allowed=allowed, cause=cause)
