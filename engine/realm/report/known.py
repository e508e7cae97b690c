"""News of a ruling: the parts for each player (RL-OP-50 ... RL-OP-52, RL-OP-55).

The receipt is for the moderator: it has every die, and a die's chance reveals the loyalty behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.players import player_names, players_in
from engine.realm.orders.report import RealmReport
from engine.realm.report.receipt import city_lines, event_line, happiness_lines, target_of, treasury_lines
from engine.realm.setup.inputs import OrderInputs
from engine.realm.setup.records import EMPLOYED, RULER, SERVICE, RealmLeader
from engine.realm.turn.course import Course
from engine.realm.turn.rebels import Uprising
from engine.realm.turn.turn import Turn
from engine.receipt import Block, Line
from engine.ruleset import News

EVERYBODY = ""
NEWS, OFFERS = "News", "Offers to you"


def of_turn(course: Course, turn: Turn) -> Iterator[News]:
    """Yield the news of a turn: the realm's own affairs, and its effects on others."""
    realm = course.realm
    unnoticed = course.unnoticed_gold(realm.name, before=True), course.unnoticed_gold(realm.name)
    who = player_names(players_in(realm.player))
    yield _news(EVERYBODY, "Realms", Line(realm.name, ", ".join((*who, realm.nation))))
    yield from (_news(EVERYBODY, NEWS, Line("", f"{city} rises against {realm.name}.")) for city in turn.rebelled)
    for heading, lines in (
        ("Realm", _realm_lines(course)),
        ("Treasury", treasury_lines(course, turn, unnoticed)),
        ("Happiness", happiness_lines(course, turn)),
        ("Cities", city_lines(course, turn)),
        ("Leaders", _leader_lines(course, turn)),
        ("Armies", _army_lines(course)),
        (OFFERS, _arrival_lines(course, turn)),
        ("Event", (event_line(turn),)),
    ):
        yield _news(realm.name, heading, *lines)
    yield from _news_for_others(course)


def of_order(course: Course, report: RealmReport) -> Iterator[News]:
    """Yield the news of an order: its outcome for the realm that gave it, and the other realm's message."""
    order, other = course.inputs, course.inputs.target_realm
    agents = f", agents: {order.agents}" if order.agents else ""
    heading = ": ".join(filter(None, (order.order, target_of(order)))) + agents
    yield _news(course.realm.name, heading, *(Line(label, text) for label, text in report.realm_lines or report.lines))
    if report.message and (report.is_public or other is not None):
        reader = EVERYBODY if report.is_public or other is None else other.name
        yield _news(reader, NEWS, Line("", report.message))
    if other is not None and other.in_play and not course.target_realm.in_play:
        yield _news(EVERYBODY, NEWS, Line("", f"{other.name} is out of the game."))


def of_uprising(uprising: Uprising) -> Iterator[News]:
    """Yield the news of the rebels for everybody, without their moves and threats (RL-OP-52)."""
    for city, unit in uprising.raised:
        yield _news(EVERYBODY, NEWS, Line("", f"{unit} rises in {city}."))


def _news(reader: str, heading: str, *lines: Line) -> News:
    return News(reader, Block(heading, lines))


def _realm_lines(course: Course) -> Iterator[Line]:
    realm = course.realm
    yield Line("Tax rate", f"{realm.tax_rate} %")
    yield Line("Fame", str(realm.fame))
    yield Line("Agents", str(realm.agents))


def _own_leaders(order: OrderInputs) -> Sequence[RealmLeader]:
    """Return the leaders that the realm employed when its turn began."""
    name = "" if order.realm is None else order.realm.name
    return [leader for leader in order.leaders if leader.employer == name and leader.status == EMPLOYED]


def _leader_lines(course: Course, turn: Turn) -> Iterator[Line]:
    """Yield the leaders: their apparent loyalty, and those who left (RL-OP-51, RL-OP-55)."""
    for before in _own_leaders(course.inputs):
        after = course.now(before)
        if (after.employer, after.status) != (before.employer, before.status):
            yield Line(before.name, turn.actions[before.name])
            continue
        seemed, seems = (course.believed_loyalty(before.name, before=earlier) for earlier in (True, False))
        loyalty = () if before.kind == RULER else (f"loyalty {seemed} → {seems}",)
        health = () if after.health is None else (f"health {after.health}",)
        place = (f"in {after.location}",) if after.location else ()
        yield Line(before.name, ", ".join((*loyalty, f"experience {after.experience}", *health, *place)))


def _army_lines(course: Course) -> Iterator[Line]:
    for unit in course.armies:
        most = course.max_health(unit)
        health = f"health {most if unit.health is None else unit.health} of {most}"
        place = (f"in {unit.location}",) if unit.location else ()
        yield Line(unit.name, ", ".join((unit.type, f"experience {unit.experience}", health, *place)))


def _arrival_lines(course: Course, turn: Turn) -> Iterator[Line]:
    for before in course.inputs.leaders:
        if before.offer == SERVICE and before.name != turn.arrived:
            yield Line(before.name, "the offer lapses")
    if turn.arrived:
        yield Line(turn.arrived, "offers service (Hire leader)")
    if turn.mercenaries:
        yield Line("Mercenaries", f"{turn.mercenaries} (Hire mercenary)")


def _news_for_others(course: Course) -> Iterator[News]:
    """Yield offers of the realm's leaders to others, and desertions to them (RL-OP-51)."""
    realm_name = course.realm.name
    for before in _own_leaders(course.inputs):
        after = course.now(before)
        if before.offer and before.offered_to != after.offered_to:
            yield _news(
                before.offered_to, OFFERS, Line(before.name, f"{before.offer} of {realm_name}: the offer lapses")
            )
        if after.offer:
            yield _news(after.offered_to, OFFERS, Line(after.name, f"{after.offer} of {realm_name} (Accept offer)"))
        if after.employer not in ("", realm_name):
            company = [
                unit.name
                for unit in course.inputs.units
                if unit.owner != after.employer and course.now(unit).owner == after.employer
            ]
            suffix = f" with {', '.join(company)}" if company else ""
            yield _news(after.employer, NEWS, Line("", f"{after.name} comes over from {realm_name}{suffix}."))
