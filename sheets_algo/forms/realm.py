"""The realms' game: how orders and finished games are read, with those rows of the database that they look at."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeVar

from engine.realm import inputs as orders
from engine.realm.inputs import OrderInputs, RatingInputs
from engine.realm.records import REBELS, City, Leader, Nation, Realm, Unit, UnitType
from engine.realm.resolve import RealmOrders, RealmRating
from engine.realm.sight import World, needed_types, seen
from engine.realm.tables import SETTABLE_WORDS, Tables, settable
from engine.settings import Setting
from engine.terrain import Feature
from sheets_algo.book import Book, Read, Vocabulary
from sheets_algo.forms import realm_checks as checks
from sheets_algo.forms.base import Filled, Form, Reading, request_id
from sheets_algo.forms.realm_columns import RatingRequest, RealmSetting, TurnRequest
from sheets_algo.forms.settings import SchemaCheck, SettingsTab
from sheets_algo.problems import Cell, Problem, quoted
from sheets_algo.tables import Row
from sheets_algo.values import trimmed

Record = TypeVar("Record")
Inputs = TypeVar("Inputs")

DATABASE = (Realm, Nation, City, Leader, Unit, UnitType)
BELONGING: Mapping[type, Sequence[str]] = {
    City: ("name", "owner"),
    Leader: ("name", "employer", "captor", "offered_to"),
    Unit: ("name", "owner", "offered_to"),
}
"""Attributes that tell whose a row is; a row that cannot be read matters to those whose it may be."""


class _RealmForm(Form[Inputs]):
    """What both request tabs share: tables, settings, database.

    Args:
        raw: The ruleset's parsed tables.
        open_maps: Not needed: this game has no map of the program's.
        schema: What the schemas say of a table that settings changed.
    """

    ruleset_key = "realm"
    database = (*DATABASE, RealmSetting)

    def __init__(
        self, raw: Mapping[str, Any], open_maps: Callable[[Sequence[Feature]], object], schema: SchemaCheck
    ) -> None:
        self.tables = Tables.of(raw)
        self.settings = SettingsTab(RealmSetting, settable(raw), SETTABLE_WORDS, schema, self.tables.having)
        self.vocabulary = Vocabulary(
            lists=self.tables.lists,
            checks={
                Realm: (checks.is_no_rebel,),
                Leader: (checks.leader_fits,),
                Unit: (checks.unit_fits,),
                TurnRequest: (checks.order_cells_fit,),
            },
        )

    def _own(self, reading: Reading) -> tuple[Setting, ...]:
        own = self.settings.read(reading.book)
        reading.add(*own.problems)
        return own.settings


class RealmForm(_RealmForm[OrderInputs]):
    """How an order is read."""

    key = "realm"
    prefix = "T-"
    request = TurnRequest
    inputs = OrderInputs
    ruleset: RealmOrders

    def __init__(
        self, raw: Mapping[str, Any], open_maps: Callable[[Sequence[Feature]], object], schema: SchemaCheck
    ) -> None:
        super().__init__(raw, open_maps, schema)
        self.ruleset = RealmOrders(self.tables)

    def read(self, row: Row, book: Book) -> Filled[OrderInputs]:
        """One order with what it looks at.

        Raises:
            Rejected: With every problem.
        """
        reading = Reading(book)
        asked = reading.row(row, TurnRequest).record
        settings = self._own(reading)
        for record in DATABASE:
            reading.add(*book.table(record).header_problems)
        if asked is None:
            reading.finish()
            raise AssertionError("an order without a problem was not read")  # a bug of this form
        tables = self.tables.having(settings)
        realm = reading.named(Realm, asked.realm) if asked.realm else None
        target = _target(reading, row, asked, tables)
        other = _other_realm(reading, asked, target)
        order = OrderInputs(
            order=asked.order,
            turn=asked.turn or (realm.last_turn + 1 if realm else 1),
            realm=None if asked.order == orders.PROCESS_REBELS else realm,
            nation=reading.named(Nation, realm.nation) if realm else None,
            target_realm=other,
            target=getattr(target, "name", ""),
            agents=asked.agents or 0,
            deed=asked.event,
            battles_won=asked.battles_won or 0,
            battles_lost=asked.battles_lost or 0,
            cities_captured=asked.cities_captured or 0,
            cities_lost=asked.cities_lost or 0,
            nearest_enemy=asked.nearest_enemy,
            fixed=checks.fixed_rolls(asked.fixed_rolls),
            settings=settings,
            seed_given=asked.seed is not None,
        )
        reading.add(*_once_a_turn(row, book, asked))
        if not reading.failed:
            order = seen(order, _world(reading, order), tables, lambda stem: _free_number(book, stem))
            reading.add(*_missing_types(reading, order, tables))
        if not reading.failed:
            reading.add(*checks.the_realm_may(row, order), *checks.agents_may_go(row, order))
            reading.add(*_target_fits(row, order, target, tables))
        return Filled(order, (), reading.finish())

    def forecast(self, inputs: OrderInputs) -> str:
        """The chances of an order, exactly; a whole turn is drawn (RL-OP-44)."""
        return self.ruleset.line(inputs)


class RealmRatingForm(_RealmForm[RatingInputs]):
    """How a finished game is read."""

    key = "realm-rating"
    prefix = "G-"
    request = RatingRequest
    inputs = RatingInputs
    ruleset: RealmRating

    def __init__(
        self, raw: Mapping[str, Any], open_maps: Callable[[Sequence[Feature]], object], schema: SchemaCheck
    ) -> None:
        super().__init__(raw, open_maps, schema)
        self.ruleset = RealmRating(self.tables)

    def read(self, row: Row, book: Book) -> Filled[RatingInputs]:
        """One game with its players' ratings.

        Raises:
            Rejected: With every problem.
        """
        reading = Reading(book)
        asked = reading.row(row, RatingRequest).record
        settings = self._own(reading)
        reading.add(*book.table(Realm).header_problems)
        standing = tuple(_standing(reading, row, asked.standing)) if asked else ()
        warnings = reading.finish()
        assert asked is not None
        game = RatingInputs(game=asked.game, standing=standing, settings=settings, seed_given=asked.seed is not None)
        return Filled(game, (), warnings)

    def check(self, book: Book) -> Iterator[Problem]:
        """The orders' form checks the database that both share."""
        return iter(())

    def forecast(self, inputs: RatingInputs) -> str:
        """The new ratings: nothing is left to chance."""
        return self.ruleset.line(inputs)


def _target(reading: Reading, row: Row, asked: TurnRequest, tables: Tables) -> Leader | Unit | City | None:
    """The row that Target names, in the tab that the order means."""
    if not asked.target or asked.order not in orders.TARGETED:
        return None
    record = _meant(asked, tables)
    found = reading.book.find(record, asked.target)
    if found:
        target: Leader | Unit | City | None = reading.row(found[0], record).record
        return target
    tab = record.tab
    near = reading.book.names(record).nearest(asked.target)
    allowed = "" if near else f"Enter a name from {tab.name}"
    says = f"{tab.one} not found: {quoted(asked.target)}"
    reading.add(row.problem("target", "RL-GEN-05", says, allowed=allowed, nearest=near))
    return None


def _meant(asked: TurnRequest, tables: Tables) -> type[Leader] | type[Unit] | type[City]:
    if asked.order == orders.SCOUT:
        return City
    if asked.order == orders.HIRE_MERCENARY:
        return Unit
    is_of_units = asked.order == orders.AWARD and asked.event and tables.deeds[asked.event].of == "unit"
    return Unit if is_of_units else Leader


def _other_realm(reading: Reading, asked: TurnRequest, target: object) -> Realm | None:
    """The realm that agents go to, or that the leader in question serves."""
    if asked.order in orders.ESPIONAGE:
        return reading.named(Realm, asked.target_realm) if asked.target_realm else None
    if isinstance(target, Leader) and target.employer and target.employer != asked.realm:
        return reading.named(Realm, target.employer)
    return None


def _once_a_turn(row: Row, book: Book, asked: TurnRequest) -> Iterator[Problem]:
    """RL-OP-45: no realm keeps the rebels' last turn, so another row with the same turn tells of it."""
    if asked.order != orders.PROCESS_REBELS or asked.turn is None:
        return
    for other in book.table(TurnRequest):
        if other.number >= row.number:
            return
        found = book.read(other, TurnRequest).values
        is_same = found.get("order") == asked.order and found.get("turn") == asked.turn
        counts = found.get("ready") and found.get("action", "Rule") == "Rule" and other.value("status") != "Undone"
        if is_same and counts:
            says = f"the rebels' turn {asked.turn} stands in row {other.number} already, {request_id(other) or 'new'}"
            yield row.problem("turn", "RL-OP-45", says, allowed="Enter another turn, or clear one of the rows")
            return


def _world(reading: Reading, order: OrderInputs) -> World:
    """The database; what is wrong in a row is noted if the order may look at it."""
    whose = {it.name for it in (order.realm, order.target_realm) if it is not None} | {order.target}
    if order.order == orders.PROCESS_REBELS:
        whose.add(REBELS)
    return World(lambda record: _readable(reading, record, whose))


def _readable(reading: Reading, record: type[Record], whose: Collection[str]) -> tuple[Record, ...]:
    """By name: whoever sorts the rows of a tab changes neither seed nor ruling (RL-OP-01)."""
    reads = [reading.book.read(row, record) for row in reading.book.table(record)]
    for read in reads:
        if read.record is None and _matters(read, BELONGING.get(record, ()), whose):
            reading.add(*read.problems)
    records = [(read.values["name"], read.record) for read in reads if read.record is not None]
    return tuple(record for _, record in sorted(records, key=itemgetter(0)))


def _matters(read: Read[Record], attributes: Sequence[str], whose: Collection[str]) -> bool:
    """Whether a row that cannot be read belongs to somebody in question, or may."""
    values = read.values
    unread = (attribute not in values and not read.row.is_blank(attribute) for attribute in attributes)
    return any(unread) or any(values.get(attribute) in whose for attribute in attributes)


def _free_number(book: Book, stem: str) -> int:
    """The first number that makes a name no unit has."""
    number = 1
    while book.find(Unit, f"{stem} {number}"):
        number += 1
    return number


def _missing_types(reading: Reading, order: OrderInputs, tables: Tables) -> Iterator[Problem]:
    """Unit types that rise or come and have no row: what they are worth must be typed."""
    for name in needed_types(order, tables):
        if not any(it.name == name for it in order.types):
            table = reading.book.table(UnitType)
            rows = reading.book.find(UnitType, name)
            if rows:
                reading.row(rows[0], UnitType)
                continue
            allowed = "Add a row for it, with its Attack, Max health and Initial cost"
            says = f"unit type not found: {quoted(name)}, which {order.order} needs"
            yield Problem(cell=Cell(table.name), says=says, allowed=allowed, id="RL-REB-03")


def _target_fits(row: Row, order: OrderInputs, target: object, tables: Tables) -> Iterator[Problem]:
    if isinstance(target, Leader):
        yield from checks.leader_may_be_ordered(row, order, target, tables)
    elif isinstance(target, Unit):
        yield from checks.unit_may_be_ordered(row, order, target, tables)
    elif isinstance(target, City):
        yield from checks.city_may_be_scouted(row, order, target)
    if order.order == orders.BRIBE and order.realm is not None:
        yield from checks.can_pay(row, order.realm, int(tables.constants.bribe_cost) * order.agents, "RL-ESP-3")


def _standing(reading: Reading, row: Row, cell: str) -> Iterator[Realm]:
    """RL-RAT-03: realms of the game, the best first, each once, at least two."""
    names = [trimmed(part) for part in cell.split(">")]
    wanted = "Write the realms, the best first, as A > B > C"
    if len(names) < 2 or not all(names):
        reading.add(row.problem("standing", "RL-RAT-03", f"{quoted(cell)} is no standing", allowed=wanted))
        return
    for place, name in enumerate(names):
        rows = reading.book.find(Realm, name)
        if not rows:
            near = reading.book.names(Realm).nearest(name)
            allowed = "" if near else "Enter names from Realms"
            says = f"realm not found: {quoted(name)}"
            reading.add(row.problem("standing", "RL-RAT-03", says, allowed=allowed, nearest=near))
            continue
        if any(reading.book.find(Realm, other) == rows for other in names[:place]):
            says = f"{quoted(name)} stands there twice"
            reading.add(row.problem("standing", "RL-RAT-03", says, allowed="Name each realm once"))
            continue
        found = reading.row(rows[0], Realm).record
        if found is not None:
            yield found
