"""Receipts of section 2.5: a turn with its figures, an order with its outcome, an uprising, a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from engine.exact import exact, printed, signed
from engine.realm.orders.report import RealmReport
from engine.realm.rating import RatingChange
from engine.realm.setup.dice import RealmDice
from engine.realm.setup.inputs import PROCESS_REBELS, OrderInputs, RatingInputs
from engine.realm.setup.records import REBELS
from engine.realm.turn.all_turns import AllTurns
from engine.realm.turn.course import Course
from engine.realm.turn.rebels import Uprising
from engine.realm.turn.turn import Turn
from engine.receipt import Block, Line, ReceiptText, on_one_line
from engine.settings import typed_lines


def title(order: OrderInputs) -> str:
    """Return the title: `Rome, turn 12`."""
    if order.order == PROCESS_REBELS:
        return f"Rebels, turn {order.turn}"
    name = on_one_line("" if order.realm is None else order.realm.name)
    return f"{name}, turn {order.turn}"


def of_turn(course: Course, turn: Turn, seed: int) -> ReceiptText:
    """Return the receipt of a turn: treasury, happiness, cities, leaders, arrivals, event."""
    rulings = Block("Moderator's rulings", tuple(_moderators_rulings(course.dice, course.inputs, seed)))
    return _receipt(title(course.inputs), [*_turn_blocks(course, turn), rulings])


def _turn_blocks(course: Course, turn: Turn) -> tuple[Block, ...]:
    return (
        Block("Treasury", tuple(treasury_lines(course, turn))),
        Block("Happiness", tuple(happiness_lines(course, turn))),
        Block("Cities", tuple(city_lines(course, turn))),
        Block("Leaders", tuple(_leaders(course, turn))),
        Block("Arrivals", tuple(_arrivals(turn))),
        Block("Event", (event_line(turn),)),
    )


def of_all_turns(turns: AllTurns, seed: int) -> ReceiptText:
    """Return the receipt of all realms' turns: a block for each realm, in the order in which they were processed."""
    blocks = [
        Block(course.realm.name, tuple(line for block in _turn_blocks(course, turn) for line in block.lines))
        for course, turn in turns.turns
    ]
    rulings = _moderators_rulings(turns.dice, turns.order, seed)
    blocks += [*_uprising_blocks(turns.uprising), Block("Moderator's rulings", tuple(rulings))]
    return _receipt(f"All realms, turn {turns.order.turn}", blocks)


def of_order(course: Course, report: RealmReport, seed: int) -> ReceiptText:
    """Return the receipt of an order with its outcome and every roll."""
    order = course.inputs
    target = target_of(order)
    head = [Line("Order", order.order)]
    head += [Line("Target", target)] if target else []
    head += [Line("Agents", str(order.agents))] if order.agents else []
    rolls = [Line("", event.brief_line()) for event in course.events if event.kind in ("die", "chance")]
    blocks = [
        Block("", tuple(head)),
        Block("Outcome", tuple(Line(label, text) for label, text in report.lines)),
        Block("Rolls", tuple(rolls)),
        Block("Moderator's rulings", tuple(_moderators_rulings(course.dice, course.inputs, seed))),
    ]
    return _receipt(title(order), blocks)


def target_of(order: OrderInputs) -> str:
    """Return the target of an order: `Camulogenus (Gaul)`; blank without one."""
    other = order.target_realm.name if order.target_realm else ""
    return f"{order.target} ({other})" if order.target and other else order.target or other


def of_uprising(course: Course, result: Uprising, seed: int) -> ReceiptText:
    """Return the receipt of an uprising with the rebels' next moves."""
    blocks = [
        *_uprising_blocks(result),
        Block("Moderator's rulings", tuple(_moderators_rulings(course.dice, course.inputs, seed))),
    ]
    if not result.raised and not result.moves:
        blocks.insert(0, Block("", (Line("", "No city is held by rebels."),)))
    return _receipt(title(course.inputs), blocks)


def _uprising_blocks(result: Uprising) -> tuple[Block, Block]:
    return (
        Block("Risen", tuple(Line(city, unit) for city, unit in result.raised)),
        Block("Rebels do next", tuple(Line(unit, move) for unit, move in result.moves)),
    )


def of_game(game: RatingInputs, rated: Sequence[RatingChange]) -> ReceiptText:
    """Return the receipt of a game: old rating, change by opponent and new rating, in the order of the standing."""
    lines = []
    for player in rated:
        changes = ", ".join(f"{name} {signed(Fraction(points))}" for name, points in player.changes)
        lines.append(
            Line(player.name, f"{player.before} → {player.after} ({player.wins} won, {player.losses} lost: {changes})")
        )
    blocks = [Block("Ratings", tuple(lines)), Block("Moderator's rulings", tuple(typed_lines(game.settings)))]
    return _receipt(on_one_line(game.game), blocks)


def _receipt(name: str, blocks: Sequence[Block]) -> ReceiptText:
    return ReceiptText(name, tuple(block for block in blocks if block.lines))


def treasury_lines(course: Course, turn: Turn, unnoticed: tuple[int, int] = (0, 0)) -> Iterator[Line]:
    """Yield income, pay and treasury of a turn, with the unnoticed loss of gold before and after it."""
    assert course.inputs.realm is not None
    before, after = course.inputs.realm.treasury + unnoticed[0], course.realm.treasury + unnoticed[1]
    yield Line("Income", f"{turn.taxes.income} gold")
    if turn.taxes.pay_due:
        paid = f"paid {turn.taxes.pay}" if course.constants.charge_leader_pay else "not charged"
        yield Line("Leader pay due", f"{printed(turn.taxes.pay_due)} gold, {paid}")
    yield Line("Treasury", f"{before} → {after}")


def happiness_lines(course: Course, turn: Turn) -> Iterator[Line]:
    """Yield the base and the change of happiness in a turn."""
    assert course.inputs.realm is not None
    taxes = turn.taxes
    parts = [printed(taxes.base)]
    parts += [f"battles {signed(taxes.battles)}"] if taxes.battles else []
    parts += [f"cities {signed(taxes.cities)}"] if taxes.cities else []
    yield Line("Base", ", ".join(parts))
    before, after = exact(course.inputs.realm.happiness), exact(course.realm.happiness)
    yield Line("Happiness", f"{printed(before)} → {printed(after)}")


def city_lines(course: Course, turn: Turn) -> Iterator[Line]:
    """Yield the people of each city before and after a turn, and its rebellion."""
    for before in course.inputs.cities:
        after = course.now(before)
        lost = ", leaves the realm" if after.owner == REBELS else ""
        yield Line(before.name, f"{before.population:,} → {after.population:,}{lost}")


def _leaders(course: Course, turn: Turn) -> Iterator[Line]:
    for before in course.inputs.leaders:
        if before.name in turn.actions:
            after = course.now(before)
            yield Line(before.name, f"loyalty {before.loyal} → {after.loyal}, {turn.actions[before.name]}")
        elif before.offer:
            yield Line(before.name, "the offer lapses")


def _arrivals(turn: Turn) -> Iterator[Line]:
    if turn.arrived:
        yield Line("Leader", f"{turn.arrived} offers service")
    if turn.mercenaries:
        yield Line("Mercenaries", turn.mercenaries)


def event_line(turn: Turn) -> Line:
    """Return the event of a turn with its effect."""
    return Line("", ": ".join(filter(None, (turn.event, turn.event_effect))))


def _moderators_rulings(dice: RealmDice, order: OrderInputs, seed: int) -> Iterator[Line]:
    """Yield a line for every number that a moderator typed in place of the rules' own."""
    for fixed in dice.used:
        yield Line("", f"Fixed roll {fixed}")
    for fixed in dice.unused:
        yield Line("", f"Fixed roll {fixed}: nothing was rolled for it")
    yield from typed_lines(order.settings, seed if order.seed_given else None)
