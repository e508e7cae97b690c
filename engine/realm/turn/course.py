"""State of an order during processing: the current records, its dice and its log.

The only mutable object of these rules: each of a turn's eleven steps continues from the previous one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import starmap
from typing import Any, TypeVar

from engine.columns import columns, tab_of
from engine.exact import exact
from engine.realm.setup import formulas
from engine.realm.setup.dice import RealmDice
from engine.realm.setup.inputs import OrderInputs
from engine.realm.setup.records import EMPLOYED, REBELS, RULER, City, Realm, RealmLeader, RealmUnit, RealmUnitType
from engine.realm.setup.tables import RealmTables, RulerType
from engine.rng import Rng
from engine.ruleset import Beliefs, Event, NewRow, Plain, Update
from engine.terms import explained

ATTRIBUTE_NAMES = ("leadership", "melee", "stealth")
Record = TypeVar("Record", Realm, City, RealmLeader, RealmUnit)
Step = tuple[Any, ...]
"""A formula and its arguments, of which the log may show the terms (VAR-05)."""
AnyRecord = Realm | City | RealmLeader | RealmUnit


@dataclass(frozen=True, slots=True)
class Attributes:
    """A leader's current attributes: base values with the level's additions (RL-GEN-05, RL-EXP-05)."""

    leadership: Fraction
    melee: Fraction
    stealth: Fraction


class Course:
    """State of one order during processing.

    Args:
        tables: The tables, with the workbook's settings in place.
        dice: The dice and log of an order that consists of several; None for dice and a log of its own.
        beliefs: The rulers' errors about their gold and leaders; None without readers (RL-OP-55).
    """

    def __init__(
        self,
        inputs: OrderInputs,
        tables: RealmTables,
        rng: Rng,
        dice: RealmDice | None = None,
        beliefs: Beliefs | None = None,
    ) -> None:
        self.inputs = inputs
        self.tables = tables
        self.constants = tables.constants
        self.dice = RealmDice(rng, inputs.fixed, []) if dice is None else dice
        self.events = self.dice.events
        self.rows: list[NewRow] = []
        self._beliefs: Beliefs = {} if beliefs is None else beliefs
        self._beliefs_before = dict(self._beliefs)
        self.outcome = ""
        """The outcome, one of the order's own words."""
        realms = [realm for realm in (inputs.realm, inputs.target_realm) if realm is not None]
        records: list[AnyRecord] = [*realms, *inputs.cities, *inputs.leaders, *inputs.units]
        self._before: dict[tuple[type, str], AnyRecord] = {(type(record), record.name): record for record in records}
        self._now = dict(self._before)
        self.types = {unit_type.name: unit_type for unit_type in inputs.types}
        self._free = {name.stem: name.number for name in inputs.free}

    @property
    def realm(self) -> Realm:
        """Return the current record of the realm that gives the order.

        Raises:
            ValueError: The order belongs to no realm.
        """
        if self.inputs.realm is None:
            raise ValueError(f"{self.inputs.order} is not a realm's order")
        return self.now(self.inputs.realm)

    @property
    def target_realm(self) -> Realm:
        """Return the current record of the other realm.

        Raises:
            ValueError: The order has no other realm.
        """
        if self.inputs.target_realm is None:
            raise ValueError(f"{self.inputs.order} has no other realm")
        return self.now(self.inputs.target_realm)

    def now(self, record: Record) -> Record:
        """Return the current state of a record."""
        current: Record = self._now[type(record), record.name]  # type: ignore[assignment]  # keyed by its own class
        return current

    def leader(self, name: str) -> RealmLeader:
        """Return the current record of a leader; an unknown name gets an empty record, so that updates work."""
        current = self._now.setdefault(
            (RealmLeader, name), self._before.setdefault((RealmLeader, name), RealmLeader(name=name, kind=""))
        )
        assert isinstance(current, RealmLeader)
        return current

    def unit(self, name: str) -> RealmUnit:
        """Return the current record of a unit."""
        current = self._now[RealmUnit, name]
        assert isinstance(current, RealmUnit)
        return current

    def city(self, name: str) -> City:
        """Return the current record of a city."""
        current = self._now[City, name]
        assert isinstance(current, City)
        return current

    def change(self, record: Record, **fields: Any) -> Record:
        """Change fields of a record; the record passed may be an older state of it."""
        changed: Record = dataclasses.replace(self.now(record), **fields)
        self._now[type(record), record.name] = changed
        return changed

    @property
    def sworn(self) -> Sequence[RealmLeader]:
        """Return the heroes and legends that the realm employs now, by name."""
        return self.sworn_to(self.realm.name)

    def sworn_to(self, realm: str) -> Sequence[RealmLeader]:
        """Return the heroes and legends that a realm employs now, by name."""
        return [leader for leader in self.employed_by(realm) if leader.is_sworn]

    def employed_by(self, realm: str) -> Sequence[RealmLeader]:
        """Return all leaders that a realm employs now, including its ruler."""
        leaders = (self.now(leader) for leader in self.inputs.leaders)
        return [leader for leader in leaders if leader.employer == realm and leader.status == EMPLOYED]

    def is_due(self, record: RealmLeader | RealmUnit) -> bool:
        """Return True unless a leader or unit was processed this turn under another realm (RL-OP-46)."""
        before = self._before[type(record), record.name]
        assert isinstance(before, RealmLeader | RealmUnit)
        return before.last_turn is None or before.last_turn < self.inputs.turn

    @property
    def processed_leaders(self) -> Sequence[RealmLeader]:
        """Return the leaders of this turn, including those who deserted in it."""
        served = (each for each in self.inputs.leaders if (each.employer, each.status) == (self.realm.name, EMPLOYED))
        return [leader for leader in map(self.now, served) if leader.status == EMPLOYED and self.is_due(leader)]

    @property
    def processed_armies(self) -> Sequence[RealmUnit]:
        """Return the military units of this turn, including those that deserted in it."""
        units = [self.now(unit) for unit in self.inputs.units if unit.owner == self.realm.name]
        return [unit for unit in units if unit.owner and self.type_of(unit).military and self.is_due(unit)]

    @property
    def cities(self) -> Sequence[City]:
        """Return the realm's current cities, by name."""
        return [city for city in map(self.now, self.inputs.cities) if city.owner == self.realm.name]

    @property
    def armies(self) -> Sequence[RealmUnit]:
        """Return the realm's current military units, including ships, by name."""
        units = (self.now(unit) for unit in self.inputs.units)
        return [unit for unit in units if unit.owner == self.realm.name and self.type_of(unit).military]

    def type_of(self, unit: RealmUnit) -> RealmUnitType:
        """Return a unit's type."""
        return self.types[unit.type]

    def max_health(self, unit: RealmUnit) -> int:
        """Return a unit's own maximum health, else its type's."""
        return self.type_of(unit).max_health if unit.max_health is None else unit.max_health

    def attributes(self, leader: RealmLeader) -> Attributes:
        """Return a leader's current attributes; a ruler's blanks come from the type of ruler (RL-RUL-01).

        Raises:
            ValueError: An attribute is blank, which the input checks exclude for orders that need it.
        """
        return attributes(leader, ruler_type(leader, self.inputs, self.tables), self.tables)

    def note(self, kind: str, id: str, text: str, amount: float | Fraction | None = None, *steps: Step) -> None:
        """Add a line other than a die to the log, with the formulas of its numbers and their arguments."""
        number = None if amount is None else float(amount)
        self.events.append(Event(None, "", "", kind, number, id, text, lambda: starmap(explained, steps)))

    def take_gold(self, realm: Realm, gold: int, *, unnoticed: bool = False) -> int:
        """Take gold from a realm, at most its treasury, and return it (RL-OP-13).

        A ruler does not notice embezzlement until gold is short (RL-OP-55).
        """
        treasury = self.now(realm).treasury
        taken = min(gold, treasury)
        self.change(realm, treasury=treasury - taken)
        if unnoticed:
            self._beliefs[_treasury(realm.name)] = self._beliefs.get(_treasury(realm.name), 0) + taken
        elif taken < gold:
            self._beliefs.pop(_treasury(realm.name), None)
        return taken

    def lose_loyalty(self, leader: RealmLeader, points: int, id: str = "", *, unnoticed: bool = False) -> int:
        """Reduce a leader's loyalty, at most to 0, and return the loss (RL-LOY-04).

        Args:
            id: The rule by which the loss is noted; blank for none.
        """
        step = formulas.loyalty_loss, points, leader.initial_loyalty or 0, self.constants
        before, lost = self.now(leader).loyal, formulas.loyalty_loss(*step[1:])
        lost = before - self.change_loyalty(leader, lambda loyalty: loyalty - lost, unnoticed=unnoticed)
        if id:
            self.note("loyalty", id, f"{leader.name}: loses {lost} loyalty", -lost, step)
        return lost

    def change_loyalty(
        self, leader: RealmLeader, changed: Callable[[int], Fraction | int], *, unnoticed: bool = False
    ) -> int:
        """Change and return a leader's loyalty, and the ruler's belief about it if he notices (RL-OP-55)."""
        believed = self.believed_loyalty(leader.name)
        after = formulas.bounded(Fraction(changed(self.now(leader).loyal)))
        self.change(leader, loyalty=after)
        believed = believed if unnoticed else formulas.bounded(Fraction(changed(believed)))
        self._beliefs[_loyalty(leader.name)] = believed - after
        return after

    def believed_loyalty(self, leader: str, *, before: bool = False) -> int:
        """Return the ruler's belief about a leader's loyalty, now or before the order."""
        records, beliefs = (self._before, self._beliefs_before) if before else (self._now, self._beliefs)
        record = records[RealmLeader, leader]
        assert isinstance(record, RealmLeader)
        return formulas.bounded(Fraction(record.loyal + beliefs.get(_loyalty(leader), 0)))

    def unnoticed_gold(self, realm: str, *, before: bool = False) -> int:
        """Return a realm's unnoticed loss of gold, now or before the order."""
        return (self._beliefs_before if before else self._beliefs).get(_treasury(realm), 0)

    def add_happiness(self, realm: Realm, points: Fraction | int) -> None:
        """Change a realm's happiness, at most to 100 (RL-OP-14)."""
        happiness = formulas.capped_happiness(exact(self.now(realm).happiness) + points, self.constants)
        self.change(realm, happiness=float(happiness))

    def leave(self, leader: RealmLeader, status: str, employer: str = "") -> RealmLeader:
        """Let a leader leave the employer, with initial loyalty and never to return (RL-LOY-05)."""
        current = self.now(leader)
        self.know_loyalty(leader)
        former = dict.fromkeys((*current.former_rulers, *filter(None, [current.employer])))
        return self.change(
            leader,
            status=status,
            employer=employer,
            captor="",
            offer="",
            offered_to="",
            interrogated_by="",
            loyalty=current.initial_loyalty,
            former_rulers=tuple(former),
        )

    def know_loyalty(self, leader: RealmLeader) -> None:
        """Reset a leader's loyalty to its public initial value."""
        self._beliefs.pop(_loyalty(leader.name), None)

    def new_unit(self, stem: str, values: Mapping[str, Plain]) -> str:
        """Append a unit under the first free name and return the name."""
        number = self._free.get(stem, 1)
        self._free[stem] = number + 1
        name = f"{stem} {number}"
        self.rows.append(NewRow(RealmUnit.tab.name, {"Unit": name, **values}))
        return name

    def updates(self) -> Iterator[Update]:
        """Yield an update for every field that changed."""
        for key, before in self._before.items():
            yield from changed_fields(before, self._now[key])

    def changed(self) -> Iterator[tuple[tuple[type, str], dict[str, Any]]]:
        """Yield the key of every changed record with its changed fields by attribute."""
        for key, before in self._before.items():
            after = self._now[key]
            if after is not before:
                names = (field.name for field in dataclasses.fields(before))
                yield key, {name: value for name in names if (value := getattr(after, name)) != getattr(before, name)}


def attributes(leader: RealmLeader, by_type: RulerType | None, tables: RealmTables) -> Attributes:
    """Return a leader's attributes: base values with the level's additions.

    Raises:
        ValueError: An attribute is blank.
    """
    level = tables.leader_level(leader.experience)
    values = []
    for name in ATTRIBUTE_NAMES:
        base = base_attribute(leader, by_type, name)
        if base is None:
            raise ValueError(f"{leader.name} has no {name}")
        values.append(tables.constants.attribute(base) + getattr(level, name))
    return Attributes(*values)


def base_attribute(leader: RealmLeader, by_type: RulerType | None, name: str) -> str | float | None:
    """Return a leader's own attribute, else that of the type of ruler; None for neither."""
    value: str | float | None = getattr(leader, name)
    return value if value is not None else getattr(by_type, name, None)


def ruler_type(leader: RealmLeader, inputs: OrderInputs, tables: RealmTables) -> RulerType | None:
    """Return a ruler's type, by the realm employing the ruler; None for other leaders and unknown types."""
    if leader.kind != RULER:
        return None
    realms = [
        realm for realm in (inputs.realm, inputs.target_realm) if realm is not None and realm.name == leader.employer
    ]
    return tables.rulers.get(realms[0].ruler_type) if realms else None


def _treasury(realm: str) -> tuple[str, str, str]:
    return Realm.tab.name, realm, "Treasury"


def _loyalty(leader: str) -> tuple[str, str, str]:
    return RealmLeader.tab.name, leader, "Loyalty"


def changed_fields(before: AnyRecord, after: AnyRecord) -> Iterator[Update]:
    """Yield an update for every field in which two states of a record differ."""
    for attribute, column in columns(type(before)):
        old, new = getattr(before, attribute), getattr(after, attribute)
        if old != new:
            yield Update(tab_of(type(before)).name, before.name, column.header, worded(old), worded(new))


def worded(value: Any) -> Plain:
    """Return a field as its cell shows it: lists with semicolons, `Rebels` capitalised, integers without a point."""
    if isinstance(value, tuple):
        return "; ".join(value)
    if value == REBELS:
        return "Rebels"
    if isinstance(value, float) and value.is_integer():
        return int(value)
    plain: Plain = value
    return plain
