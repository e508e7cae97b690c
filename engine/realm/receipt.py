"""What players read (section 2.5): a turn with its figures before and after, an order with what came of it, a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from engine.exact import exact, printed, signed
from engine.realm.course import Course
from engine.realm.inputs import PROCESS_REBELS, OrderInputs, RatingInputs
from engine.realm.rating import Rated
from engine.realm.rebels import Uprising
from engine.realm.records import REBELS, Leader
from engine.realm.report import Report
from engine.realm.turn import Turn
from engine.receipt import Block, Line, Receipt, on_one_line
from engine.settings import Setting


def title(order: OrderInputs) -> str:
    """`Rome, turn 12`, or with what was ordered."""
    if order.order == PROCESS_REBELS:
        return f"Rebels, turn {order.turn}"
    name = on_one_line("" if order.realm is None else order.realm.name)
    return f"{name}, turn {order.turn}"


def of_turn(course: Course, turn: Turn, seed: int) -> Receipt:
    """Treasury, happiness, cities, leaders, arrivals, event."""
    blocks = [
        Block("Treasury", tuple(_treasury(course, turn))),
        Block("Happiness", tuple(_happiness(course, turn))),
        Block("Cities", tuple(_cities(course, turn))),
        Block("Leaders", tuple(_leaders(course, turn))),
        Block("Arrivals", tuple(_arrivals(turn))),
        Block("Event", (Line("", ": ".join(filter(None, (turn.event, turn.befell)))),)),
        Block("Moderator's rulings", tuple(_moderators(course, seed))),
    ]
    return _receipt(title(course.inputs), blocks)


def of_order(course: Course, report: Report, seed: int) -> Receipt:
    """What was ordered and what came of it, with every roll."""
    order = course.inputs
    other = order.target_realm.name if order.target_realm else ""
    whom = f"{order.target} ({other})" if order.target and other else order.target or other
    head = [Line("Order", order.order)]
    head += [Line("Target", whom)] if whom else []
    head += [Line("Agents", str(order.agents))] if order.agents else []
    rolls = [Line("", f"{it.text} [{it.id}]") for it in course.events if it.kind in ("die", "chance")]
    blocks = [
        Block("", tuple(head)),
        Block("Outcome", tuple(Line(label, text) for label, text in report.lines)),
        Block("Rolls", tuple(rolls)),
        Block("Moderator's rulings", tuple(_moderators(course, seed))),
    ]
    return _receipt(title(order), blocks)


def of_uprising(course: Course, found: Uprising, seed: int) -> Receipt:
    """What rose, and what rebels do next."""
    blocks = [
        Block("Risen", tuple(Line(city, unit) for city, unit in found.raised)),
        Block("Rebels do next", tuple(Line(unit, move) for unit, move in found.moves)),
        Block("Moderator's rulings", tuple(_moderators(course, seed))),
    ]
    if not found.raised and not found.moves:
        blocks.insert(0, Block("", (Line("", "No city is held by rebels."),)))
    return _receipt(title(course.inputs), blocks)


def of_game(game: RatingInputs, rated: Sequence[Rated]) -> Receipt:
    """Old rating, each opponent's change, new rating; in the order of the standing."""
    lines = []
    for it in rated:
        changes = ", ".join(f"{name} {signed(Fraction(points))}" for name, points in it.changes)
        lines.append(Line(it.name, f"{it.before} → {it.after} ({it.wins} won, {it.losses} lost: {changes})"))
    blocks = [Block("Ratings", tuple(lines)), Block("Moderator's rulings", tuple(_settings(game.settings)))]
    return _receipt(on_one_line(game.game), blocks)


def _receipt(name: str, blocks: Sequence[Block]) -> Receipt:
    return Receipt(name, tuple(block for block in blocks if block.lines))


def _treasury(course: Course, turn: Turn) -> Iterator[Line]:
    assert course.inputs.realm is not None
    yield Line("Income", f"{turn.taxes.income} gold")
    if turn.taxes.pay_due:
        paid = f"paid {turn.taxes.pay}" if course.constants.charge_leader_pay else "not charged"
        yield Line("Leader pay due", f"{printed(turn.taxes.pay_due)} gold, {paid}")
    yield Line("Treasury", f"{course.inputs.realm.treasury} → {course.realm.treasury}")


def _happiness(course: Course, turn: Turn) -> Iterator[Line]:
    assert course.inputs.realm is not None
    it = turn.taxes
    parts = [printed(it.base)]
    parts += [f"battles {signed(it.battles)}"] if it.battles else []
    parts += [f"cities {signed(it.cities)}"] if it.cities else []
    yield Line("Base", ", ".join(parts))
    before, after = exact(course.inputs.realm.happiness), exact(course.realm.happiness)
    yield Line("Happiness", f"{printed(before)} → {printed(after)}")


def _cities(course: Course, turn: Turn) -> Iterator[Line]:
    for before in course.inputs.cities:
        after = course.now(before)
        lost = ", leaves the realm" if after.owner == REBELS else ""
        yield Line(before.name, f"{before.population:,} → {after.population:,}{lost}")


def _leaders(course: Course, turn: Turn) -> Iterator[Line]:
    for before in course.inputs.leaders:
        if before.name in turn.actions:
            after = course.now(before)
            yield Line(before.name, f"loyalty {before.loyal} → {after.loyal}, {turn.actions[before.name]}")
        elif _had_offer(before):
            yield Line(before.name, "the offer lapses")


def _had_offer(leader: Leader) -> bool:
    return bool(leader.offer)


def _arrivals(turn: Turn) -> Iterator[Line]:
    if turn.arrived:
        yield Line("Leader", f"{turn.arrived} offers service")
    if turn.mercenaries:
        yield Line("Mercenaries", turn.mercenaries)


def _moderators(course: Course, seed: int) -> Iterator[Line]:
    """Every number that a moderator typed in place of the rules' own."""
    for fixed in course.dice.used:
        yield Line("", f"Fixed roll {fixed}")
    for fixed in course.dice.unused:
        yield Line("", f"Fixed roll {fixed}: nothing was rolled for it")
    yield from _settings(course.inputs.settings)
    if course.inputs.seed_given:
        yield Line("", f"Seed: {seed}")


def _settings(settings: Sequence[Setting]) -> Iterator[Line]:
    for setting in settings:
        yield Line("", f"Setting {setting.name.rpartition('/')[2]}: {setting.value}")
