"""An order under way: the records as it leaves them, its dice, its log.

The one thing of these rules that is changed in place: a turn has eleven steps, each on what the ones before it left.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from engine.exact import exact
from engine.fields import columns, tab_of
from engine.luck import Luck
from engine.outcome import Event, NewRow, Plain, Update
from engine.realm import formulas
from engine.realm.dice import Dice
from engine.realm.inputs import OrderInputs
from engine.realm.records import EMPLOYED, REBELS, RULER, City, Leader, Realm, Unit, UnitType
from engine.realm.tables import RulerType, Tables

ATTRIBUTE_NAMES = ("leadership", "melee", "stealth")
Record = TypeVar("Record", Realm, City, Leader, Unit)
AnyRecord = Realm | City | Leader | Unit


@dataclass(frozen=True, slots=True)
class Attributes:
    """A leader's attributes now: base and what the level adds (RL-GEN-05, RL-EXP-05)."""

    leadership: Fraction
    melee: Fraction
    stealth: Fraction


class Course:
    """One order, as far as it has got.

    Args:
        inputs: The order and what it looks at.
        tables: The workbook's own numbers already in place.
        luck: Of this order.
    """

    def __init__(self, inputs: OrderInputs, tables: Tables, luck: Luck) -> None:
        self.inputs = inputs
        self.tables = tables
        self.constants = tables.constants
        self.events: list[Event] = []
        self.dice = Dice(luck, inputs.fixed, self.events)
        self.rows: list[NewRow] = []
        self.outcome = ""
        """What became of it, one of the order's own words."""
        realms = [it for it in (inputs.realm, inputs.target_realm) if it is not None]
        records: list[AnyRecord] = [*realms, *inputs.cities, *inputs.leaders, *inputs.units]
        self._before: dict[tuple[type, str], AnyRecord] = {(type(it), it.name): it for it in records}
        self._now = dict(self._before)
        self.types = {it.name: it for it in inputs.types}
        self._free = {it.stem: it.number for it in inputs.free}

    @property
    def realm(self) -> Realm:
        """Whose order it is, as it stands now.

        Raises:
            ValueError: Nobody's.
        """
        if self.inputs.realm is None:
            raise ValueError(f"{self.inputs.order} is no realm's order")
        return self.now(self.inputs.realm)

    @property
    def target_realm(self) -> Realm:
        """The other realm, as it stands now.

        Raises:
            ValueError: There is none.
        """
        if self.inputs.target_realm is None:
            raise ValueError(f"{self.inputs.order} has no other realm")
        return self.now(self.inputs.target_realm)

    def now(self, record: Record) -> Record:
        """A record as it stands now."""
        found: Record = self._now[type(record), record.name]  # type: ignore[assignment]  # it stands under its own class
        return found

    def leader(self, name: str) -> Leader:
        """A leader as he stands now; of one who is only known by name, what is written changes his row."""
        found = self._now.setdefault((Leader, name), self._before.setdefault((Leader, name), _only_named(name)))
        assert isinstance(found, Leader)
        return found

    def unit(self, name: str) -> Unit:
        """A unit as it stands now."""
        found = self._now[Unit, name]
        assert isinstance(found, Unit)
        return found

    def city(self, name: str) -> City:
        """A city as it stands now."""
        found = self._now[City, name]
        assert isinstance(found, City)
        return found

    def change(self, record: Record, **fields: Any) -> Record:
        """Write fields of a record, whatever state of it is at hand."""
        changed: Record = dataclasses.replace(self.now(record), **fields)
        self._now[type(record), record.name] = changed
        return changed

    @property
    def sworn(self) -> Sequence[Leader]:
        """Heroes and legends that the realm employs now, by name."""
        return self.sworn_to(self.realm.name)

    def sworn_to(self, realm: str) -> Sequence[Leader]:
        """Heroes and legends that a realm employs now, by name."""
        return [it for it in self.employed_by(realm) if it.is_sworn]

    def employed_by(self, realm: str) -> Sequence[Leader]:
        """Every leader that a realm employs now, its ruler too."""
        leaders = (self.now(it) for it in self.inputs.leaders)
        return [it for it in leaders if it.employer == realm and it.status == EMPLOYED]

    @property
    def cities(self) -> Sequence[City]:
        """The realm's cities now, by name."""
        return [it for it in map(self.now, self.inputs.cities) if it.owner == self.realm.name]

    @property
    def armies(self) -> Sequence[Unit]:
        """The realm's military units now, ships too, by name."""
        units = (self.now(it) for it in self.inputs.units)
        return [it for it in units if it.owner == self.realm.name and self.type_of(it).military]

    def type_of(self, unit: Unit) -> UnitType:
        """A unit's type."""
        return self.types[unit.type]

    def max_health(self, unit: Unit) -> int:
        """Its own, else its type's."""
        return self.type_of(unit).max_health if unit.max_health is None else unit.max_health

    def attributes(self, leader: Leader) -> Attributes:
        """What a leader is worth now, from words or numbers; a ruler's blanks are his type's (RL-RUL-01).

        Raises:
            ValueError: One is blank; the form never lets that through to an order that asks for it.
        """
        return attributes(leader, ruler_type(leader, self.inputs, self.tables), self.tables)

    def note(self, kind: str, id: str, text: str, amount: float | Fraction | None = None) -> None:
        """One line of the log that is no die."""
        self.events.append(Event(None, "", "", kind, None if amount is None else float(amount), id, text))

    def take_gold(self, realm: Realm, gold: int) -> int:
        """Take gold, as much as there is (RL-OP-13).

        Returns:
            What was taken.
        """
        treasury = self.now(realm).treasury
        taken = min(gold, treasury)
        self.change(realm, treasury=treasury - taken)
        return taken

    def lose_loyalty(self, leader: Leader, points: int) -> int:
        """RL-LOY-04: take loyalty, as much as there is.

        Returns:
            What was taken.
        """
        before = self.now(leader).loyal
        after = formulas.bounded(before - formulas.loyalty_loss(points, leader.initial_loyalty or 0, self.constants))
        self.change(leader, loyalty=after)
        return before - after

    def add_happiness(self, realm: Realm, points: Fraction | int) -> None:
        """Change happiness, at most to 100 (RL-OP-14)."""
        happiness = formulas.capped_happiness(exact(self.now(realm).happiness) + points, self.constants)
        self.change(realm, happiness=float(happiness))

    def leave(self, leader: Leader, status: str, employer: str = "") -> Leader:
        """RL-LOY-05: whoever switches sides or disappears begins anew and never serves the old ruler again."""
        it = self.now(leader)
        former = dict.fromkeys((*it.former_rulers, *filter(None, [it.employer])))
        return self.change(
            leader,
            status=status,
            employer=employer,
            captor="",
            offer="",
            offered_to="",
            interrogated_by="",
            loyalty=it.initial_loyalty,
            former_rulers=tuple(former),
        )

    def new_unit(self, stem: str, values: Mapping[str, Plain]) -> str:
        """Append a unit under its first free name."""
        number = self._free.get(stem, 1)
        self._free[stem] = number + 1
        name = f"{stem} {number}"
        self.rows.append(NewRow(Unit.tab.name, {"Unit": name, **values}))
        return name

    def updates(self) -> Iterator[Update]:
        """Every field that ends otherwise than it began."""
        for key, before in self._before.items():
            after = self._now[key]
            if after is not before:
                yield from _updates(before, after)


def attributes(leader: Leader, by_type: RulerType | None, tables: Tables) -> Attributes:
    """Base and what the level adds; a ruler's blanks are his type's.

    Raises:
        ValueError: One is blank.
    """
    level = tables.leader_level(leader.experience)
    values = []
    for name in ATTRIBUTE_NAMES:
        base = base_attribute(leader, by_type, name)
        if base is None:
            raise ValueError(f"{leader.name} has no {name}")
        values.append(tables.constants.attribute(base) + getattr(level, name))
    return Attributes(*values)


def base_attribute(leader: Leader, by_type: RulerType | None, name: str) -> str | float | None:
    """A leader's own, else that of his type of ruler; None for neither."""
    own: str | float | None = getattr(leader, name)
    return own if own is not None else getattr(by_type, name, None)


def ruler_type(leader: Leader, inputs: OrderInputs, tables: Tables) -> RulerType | None:
    """What a ruler is by the type of the realm he rules; None for others and where no type stands."""
    if leader.kind != RULER:
        return None
    realms = [it for it in (inputs.realm, inputs.target_realm) if it is not None and it.name == leader.employer]
    return tables.rulers.get(realms[0].ruler_type) if realms else None


def _only_named(name: str) -> Leader:
    return Leader(name=name, kind="")


def _updates(before: AnyRecord, after: AnyRecord) -> Iterator[Update]:
    for attribute, column in columns(type(before)):
        old, new = getattr(before, attribute), getattr(after, attribute)
        if old != new:
            yield Update(tab_of(type(before)).name, before.name, column.header, worded(old), worded(new))


def worded(value: Any) -> Plain:
    """A field as its cell shows it: lists with semicolons, rebels with a capital, whole numbers without a point."""
    if isinstance(value, tuple):
        return "; ".join(value)
    if value == REBELS:
        return "Rebels"
    if isinstance(value, float) and value.is_integer():
        return int(value)
    plain: Plain = value
    return plain
