"""Inputs of a year, and the state of the world during it: it starts from them, and the rules change it in place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from engine.autoalgo.records import Leader, Nation
from engine.autoalgo.setup.table_parts import Band
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.year_numbers import LifeRow
from engine.columns import loosely
from engine.rng import Rng, whole_by_chance
from engine.ruleset import NewRow
from engine.settings import Setting


@dataclass(frozen=True, slots=True, kw_only=True)
class YearNation:
    """A nation, and its wars."""

    nation: Nation
    fought: tuple[int, ...] = ()  # The years in which it fought
    has_lost_capital: bool = False  # True if it lost a battle in its capital since the last year
    usual_revenue: str = ""  # Revenue at the beginning of the season; blank if it has not changed


@dataclass(frozen=True, slots=True, kw_only=True)
class YearArmy:
    """An army, its casualties since the last year, and its prisoners."""

    name: str
    nation: tuple[str, ...]  # Its nations, of which the first one recruits
    size: int  # Men
    leader: str = ""
    keep: int | None = None  # Men that the nation keeps; None for a blank cell
    usual_size: int | None = None  # Men at the beginning of the season; None if they have not changed
    wounded: int = 0
    back: int = 0  # Wounded who have returned already
    captured: tuple[tuple[str, int], ...] = ()  # Prisoners by captor, with those of earlier years
    unit: str = ""  # Unit of its infantry


@dataclass(frozen=True, slots=True, kw_only=True)
class YearPlace:
    """A location that has an owner."""

    name: str
    owner: str
    occupied_by: str = ""  # Blank while the owner holds it
    people: int = 0  # Residents


@dataclass(frozen=True, slots=True, kw_only=True)
class Peace:
    """A war that has ended since the last year (YRS-13)."""

    war: str
    winners: tuple[str, ...]  # Nations of one side, even of a war without a winner
    losers: tuple[str, ...]  # Nations of the other side
    is_won: bool  # False without a winner
    terms: str = ""  # The terms as typed


@dataclass(frozen=True, slots=True, kw_only=True)
class YearInputs:
    """The inputs of the ruling of a year."""

    year: int  # The year that ends
    since: int  # The first year that the ruling ends; the same one unless years were skipped
    nations: tuple[YearNation, ...] = ()  # Sorted by name, like all below
    armies: tuple[YearArmy, ...] = ()
    leaders: tuple[Leader, ...] = ()
    places: tuple[YearPlace, ...] = ()
    peaces: tuple[Peace, ...] = ()
    has_keep: bool = False  # True if Militaries has the column Keep
    settings: tuple[Setting, ...] = ()  # Numbers of the tables replaced by the workbook (SET-04)
    seed_given: bool = False  # True if the moderator typed the seed


DESERT, RECRUIT, GROW, DIE, INHERIT, REVOLT = range(2, 8)
"""Purposes of draws, beside the skills of leaders; never renumbered (R-25)."""
REBELS = "Rebels of "
"""Beginning of the names of rebels, as a nation and as an army."""


@dataclass(frozen=True, slots=True)
class YearEvent:
    """An event in a nation's year."""

    nation: str
    kind: str  # Its event in the log
    amount: float | None
    id: str
    text: str  # A sentence without its full stop


@dataclass(slots=True)
class ArmyState:
    """State of an army."""

    army: YearArmy
    index: int  # Its position among all armies, the index of its draws
    size: int
    leader: str
    returned: int = 0
    captive: int = 0  # Prisoners who are still held
    recruits: int = 0  # Negative for men sent home
    deserted: int = 0


@dataclass(slots=True)
class NationState:
    """State of a nation."""

    given: YearNation
    nation: Nation
    fought: frozenset[int]

    @property
    def name(self) -> str:
        """Return its name."""
        return self.nation.name

    @property
    def is_rebel(self) -> bool:
        """Return True for rebels, who do not recruit and face no revolts (YRS-11)."""
        return self.name.startswith(REBELS)

    def change(self, **fields: Any) -> None:
        """Change fields of its row."""
        self.nation = replace(self.nation, **fields)


@dataclass(slots=True)
class Revolt:
    """A revolt against a nation (YRS-11)."""

    against: str
    men: int
    year: int


@dataclass(slots=True)
class YearWorld:
    """State of nations, armies, leaders and places."""

    tables: Tables
    rng: Rng
    nations: list[NationState]
    armies: list[ArmyState]
    leaders: list[Leader]
    places: list[YearPlace]
    hour: int = 0  # Number of the year, from 0: the hour of its draws
    heirs: list[NewRow] = field(default_factory=list)  # The rows of new leaders
    revolts: list[Revolt] = field(default_factory=list)
    happenings: list[YearEvent] = field(default_factory=list)

    @classmethod
    def of(cls, inputs: YearInputs, tables: Tables, rng: Rng) -> YearWorld:
        """Return the world at the beginning of a year."""
        return cls(
            tables=tables,
            rng=rng,
            nations=[NationState(given, given.nation, frozenset(given.fought)) for given in inputs.nations],
            armies=[ArmyState(army, index, army.size, army.leader) for index, army in enumerate(inputs.armies)],
            leaders=[*inputs.leaders],
            places=[*inputs.places],
        )

    def armies_of(self, nation: str) -> Iterator[ArmyState]:
        """Yield the armies for which a nation recruits."""
        return (army for army in self.armies if army.army.nation and is_same(army.army.nation[0], nation))

    def find(self, nation: str) -> NationState | None:
        """Return a nation by its name; None if missing."""
        return next((state for state in self.nations if is_same(state.name, nation)), None)

    def leader(self, name: str) -> Leader | None:
        """Return a living leader by name."""
        return next((leader for leader in self.leaders if is_same(leader.name, name) and not leader.status), None)

    def places_of(self, nation: str) -> Sequence[YearPlace]:
        """Return the places that a nation owns."""
        return [place for place in self.places if is_same(place.owner, nation)]

    def occupied_share(self, nation: str) -> float:
        """Return the share of a nation's places occupied by others, 0 without places (YRS-12)."""
        owned = self.places_of(nation)
        return sum(bool(place.occupied_by) for place in owned) / len(owned) if owned else 0.0

    def whole(self, amount: float, purpose: int, index: int) -> int:
        """Round an amount by chance (R-26)."""
        return whole_by_chance(amount, self.rng.uniform(purpose, self.hour, index))

    def tell(self, nation: str, kind: str, amount: float | None, id: str, text: str) -> None:
        """Record an event of a nation."""
        self.happenings.append(YearEvent(nation, kind, amount, id, text))


def is_same(one: str, other: str) -> bool:
    """Return True if workbooks treat two names as equal."""
    return loosely(one) == loosely(other)


def between(points: Sequence[tuple[float, float]], at: float) -> float:
    """Interpolate linearly between points; outside them return the nearest value.

    Args:
        points: Places and values, in order of place.
    """
    if not points:
        return 0.0
    if at <= points[0][0]:
        return points[0][1]
    for (left, low), (right, high) in pairwise(points):
        if at <= right:
            return low + (high - low) * (at - left) / (right - left)
    return points[-1][1]


def by_band(shares: Mapping[str, float], bands: Sequence[Band], stability: float) -> float:
    """Return the share for a Stability from those of its bands, 0 for missing ones."""
    return between([(band.first, shares.get(band.name, 0.0)) for band in bands], stability)


def by_age(life: Sequence[LifeRow], age: int) -> float:
    """Return the chance to die within a year (YRS-08)."""
    return between([(row.age, row.chance) for row in life], age)
