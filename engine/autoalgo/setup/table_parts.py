"""Declarations of the files of `config/tables/autoalgo/`, except the numbers of words (`values.py`).

Errors within one file are reported here with their place; conditions between files are checked in `tables.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from engine.autoalgo.records import GENERIC, Location, Military, Nation, Unit
from engine.autoalgo.setup.dates import Generation, Phase
from engine.autoalgo.setup.source import RULE_SETS
from engine.config_value import are_of, at, is_one, table_error
from engine.declare import described, entry, record, table
from engine.row_shapes import RowOf
from engine.shapes import Choice, ListOf, MapOf, Number, RecordOf, Text

Place = tuple[float, float]
"""x to the right and y down, in pixels."""
ENDS = ("routed", "retreating")
"""The causes of the end of a battle (R-29)."""
WHOLE = Number(0, whole=True)
PLACE = ListOf(Number(0, 399), 2, 2, repeats=True, about="Pixels.")
PLACES = ListOf(PLACE, repeats=True, about="x to the right and y down, in pixels.")
FORTUNE = Number(0, 4)
FACTOR = Number(0, 10)
POSITIVE_SHARE = Number(above=0, high=1)


@table("strategy", "Strategy and clock")
class Strategy:
    """Set-up, maximum length and luck of a battle.

    A fortune of the day (R-28) counts doublings: with 1 it is a factor between 0.5 and 2, evenly in proportion; 0
    switches it off.
    """

    map_pixels: int = entry(Number(400, 400, whole=True), "Side of a map in pixels (MAP-01).")
    km_per_pixel: float = entry(Number(above=0, high=10), "Kilometres a pixel stands for (MAP-06).")
    default_flanks: tuple[str, ...] = entry(ListOf(Text(), 1, 99, repeats=True), "Names of the flanks (STRAT-01).")
    attackers: tuple[Place, ...] = entry(PLACES, "One place for each default flank.", "positions/attacker")
    defenders: tuple[Place, ...] = entry(PLACES, "One place for each default flank.", "positions/defender")
    new_attacker: Place = entry(PLACE, "Of a further flank that names no place.", "new_flank/attacker")
    new_defender: Place = entry(PLACE, "Of a further flank that names no place.", "new_flank/defender")
    from_middle: float = entry(
        Number(0, 200), "Pixels from the middle of the map at which a side starts at the nearest; 0: anywhere (R-116)."
    )
    flanks_most: int = entry(Number(1, 99, whole=True), "Flanks a side may have (STRAT-01).")
    size_tolerance_men: int = entry(WHOLE, "Men by which a strategy may miss its military's numbers (STRAT-06).")
    ship_tolerance: int = entry(WHOLE, "Ships by which it may miss them (STRAT-07).")
    hours_per_day: int = entry(Number(1, 24, whole=True), "Hours of battle in a day.")
    hours_most: int = entry(Number(1, 100_000, whole=True), "Hours after which the attack is abandoned (R-13).")
    ends_when: str = entry(
        Choice(ENDS), "A side has lost when all its flanks are routed, or as soon as none can fight any more (R-29)."
    )
    rules: str = entry(
        Choice(RULE_SETS),
        "The rule set by which wars are fought: `history`, or `source` with the numbers of `source.json` (R-98).",
    )
    fortune_side: float = entry(FORTUNE, "On whom a side kills and shakes.", "fortune/side")
    fortune_flank: float = entry(FORTUNE, "On whom a flank kills and shakes.", "fortune/flank")
    fortune_panic: float = entry(FORTUNE, "Besides, on whom a side shakes.", "fortune/panic")

    def __post_init__(self) -> None:
        for side, places in (("attacker", self.attackers), ("defender", self.defenders)):
            if len(places) != len(self.default_flanks):
                says = f"{len(places)} places for {len(self.default_flanks)} default flanks."
                raise table_error(says, "positions", side)


@record
class LegendRow:
    """A feature of the maps."""

    name: str = entry(Text(), "What players read.")
    rgb: tuple[int, int, int] = entry(
        ListOf(Number(0, 255, whole=True), 3, 3, repeats=True, about="Red, green or blue."), "Its colour on the map."
    )
    speed: float | None = entry(Number(above=0, high=10, null=True), "Factor on speed; null where the ship decides.")
    efficiency: float = entry(FACTOR, "Factor on Efficiency.", "Efficiency")
    limitation: float = entry(FACTOR, "Factor on Limitation.", "Limitation")
    hold: float = entry(FACTOR, "What country of it adds to those who stand in it (R-86).", default=0.0)


@table("terrain", "Terrain")
class TerrainRoles:
    """Legend of the maps with the features' factors (MAP-02, MAP-08), and what some of them are besides."""

    legend: tuple[LegendRow, ...] = entry(
        ListOf(LegendRow, 1, 255, repeats=True),
        "In order of preference: of two colours as near the earlier wins (R-10).",
    )
    high: tuple[str, ...] = entry(ListOf(Text()), "Features that stand above the rest (ATK-09).", "roles/height")
    besieged: tuple[str, ...] = entry(ListOf(Text()), "Where the besieged stand (SIEGE-01).", "roles/siege")
    hiding: tuple[str, ...] = entry(ListOf(Text()), "What hides an ambush (R-118).", "roles/cover")

    def __post_init__(self) -> None:
        for role, names in (("height", self.high), ("siege", self.besieged), ("cover", self.hiding)):
            with at("roles", role):
                are_of(names, [feature.name for feature in self.legend], "in the legend")

    @property
    def height(self) -> tuple[int, ...]:
        """Indices into the legend."""
        return self._indices(self.high)

    @property
    def siege(self) -> tuple[int, ...]:
        """Indices into the legend."""
        return self._indices(self.besieged)

    @property
    def cover(self) -> tuple[int, ...]:
        """Indices into the legend."""
        return self._indices(self.hiding)

    def _indices(self, names: tuple[str, ...]) -> tuple[int, ...]:
        legend = [feature.name for feature in self.legend]
        return tuple(legend.index(name) for name in names)


@table("climate", "Climates")
class Climates:
    """Local population of locations that do not name one (ATT-02, ATT-03)."""

    assumed_below: int = entry(WHOLE, "A local population below this number is replaced by the climate's.")
    ocean: str = entry(Text(among="a value of Climate"), "The climate on which the fleets decide (ATT-03).")
    population: Mapping[str, int] = entry(
        MapOf(Number(1, whole=True), about="People."), "People of each other climate.", "local_population"
    )

    camps: Mapping[str, float] = entry(
        MapOf(Number(1), about="Overcrowding, at least 1."), "Least overcrowding of both camps of a siege.", "camp"
    )
    winter_months: tuple[str, ...] = entry(ListOf(Text(among="a value of Month")), "The months of winter (R-114).")
    winter: Mapping[str, float] = entry(
        MapOf(POSITIVE_SHARE, about="A share."), "Share of those who feed an army that does so in winter (R-114)."
    )

    def winter_share(self, climate: str, month: str | None) -> float:
        """Return the share of people who still feed an army in a month, 1 outside winter (R-114)."""
        return self.winter[climate] if month in self.winter_months else 1.0

    def camp(self, climate: str, month: str | None) -> float:
        """Return the hardship of siege camps, greater in winter (R-100, R-114)."""
        return (self.camps[climate] - 1.0) / self.winter_share(climate, month)

    def local_population(self, location: Location, country: float) -> int | None:
        """Return the number of people who feed an army; None on the ocean (ATT-03).

        They are the residents and a share, `country`, of the climate's people (R-99). Without a share they are the
        residents or, where these are too few, the climate's people (ATT-02).
        """
        if location.climate == self.ocean:
            return None
        if country:
            return location.local_population + int(country * self.population[location.climate])
        if location.local_population < self.assumed_below:
            return self.population[location.climate]
        return location.local_population


@record
class Shares:
    """The shares of one group."""

    totalitarian: float = entry(POSITIVE_SHARE, "Share of the population under a totalitarian government.")
    others: float = entry(POSITIVE_SHARE, "Share under any other.")


@table("max_military", "Maximum military")
class MaxMilitary:
    """Share of the population that can be under arms (MAX-01)."""

    groups: Mapping[str, str] = entry(
        MapOf(Text(), among="a value of Civilization Type", about="A group of the shares."),
        "Each civilization type with the group of its share.",
        "civilization_groups",
    )
    totalitarian: frozenset[str] = entry(
        ListOf(Text(among="a value of Federal Government")),
        "Governments with the first of the two shares; they lose more with their leader (STAB-03).",
        "totalitarian_governments",
    )
    shares: Mapping[str, Shares] = entry(MapOf(Shares), "Groups with their shares.", "share")

    def __post_init__(self) -> None:
        for name, group in self.groups.items():
            with at("civilization_groups", name):
                is_one(group, self.shares, "a group of the shares")

    def share(self, federal_government: str, civilization_type: str) -> float:
        """0 to 1."""
        shares = self.shares[self.groups[civilization_type]]
        return shares.totalitarian if federal_government in self.totalitarian else shares.others


@table("army_sizes", "Sizes of armies")
class ArmySizes:
    """Sizes of an army by word, as shares of the population (R-132)."""

    words: Mapping[str, Mapping[str, float]] = entry(
        MapOf(MapOf(POSITIVE_SHARE, about="Share of the nation's population."), about="A word."),
        "Each word with the share of a nation's population, by a group of max_military.json.",
    )
    garrison: Mapping[str, float] = entry(
        MapOf(POSITIVE_SHARE, about="Share of the local population."), "Garrison of a place without an army, likewise."
    )
    sources: tuple[str, ...] = entry(ListOf(Text(), 1), "What the shares rest on; for people.")


@record
class Band:
    """A range of results with a name, up to the next band (R-23)."""

    first: float = entry(Number(0), "Where it begins.", "from")
    name: str = entry(Text(), "What players read.")
    meaning: str = entry(Text(), "What it means on the ground or for the state (RCPT-03).")


@record
class _Bands:
    """The bands, the first at 0."""

    bands: tuple[Band, ...] = entry(ListOf(Band, 1, repeats=True), "The lowest first; it begins at 0.")

    def __post_init__(self) -> None:
        for position, (lower, higher) in enumerate(pairwise(self.bands)):
            if lower.first >= higher.first:
                says = f"{lower.first:g} is not below the next band's {higher.first:g}."
                raise table_error(says, "bands", position, "from")
        if self.bands[0].first != 0:
            raise table_error("the first band must begin at 0.", "bands")


@table("occupation_bands", "Occupation bands")
class OccupationBands(_Bands):
    """Names of occupation results (R-23)."""


@table("stability_bands", "Stability bands")
class StabilityBands(_Bands):
    """Names of stabilities (R-23)."""


def _check_phases(phases: tuple[Phase, ...]) -> None:
    """Check that phases begin at 0 and follow each other without a gap or end (DATE-04)."""
    if phases[0].first != 0:
        raise table_error("the first phase must begin at 0 years.", "phases")
    for position, (earlier, later) in enumerate(pairwise(phases)):
        if earlier.end != later.first:
            raise table_error(
                f"{earlier.end} is not where the next phase begins, {later.first}.", "phases", position, "to"
            )
    if phases[-1].end is not None:
        raise table_error("the last phase must have no end; write null.", "phases", len(phases) - 1, "to")


@table("secular_cycles", "Secular cycles")
class SecularCycles:
    """Phases by the age of the state (DATE-02)."""

    phases: tuple[Phase, ...] = entry(ListOf(Phase, 1, repeats=True), "From 0 years on without a gap.")

    def __post_init__(self) -> None:
        _check_phases(self.phases)


@table("generations", "Generations")
class Generations:
    """Phases by the years since the last crisis (DATE-03)."""

    phases: tuple[Generation, ...] = entry(ListOf(Generation, 1, repeats=True), "From 0 years on without a gap.")

    def __post_init__(self) -> None:
        _check_phases(self.phases)


@table("units", "Units")
class Catalogue:
    """The catalogue of fighters and ships in every game (UNIT-01 to UNIT-16)."""

    basic_unit: str = entry(Text(), "Infantry of a military that names no type (MD-03).")
    basic_transport: str = entry(Text(), "Transport of a military that names none (MD-06).")
    aliases: Mapping[str, str] = entry(MapOf(Text(), about="A unit's name."), "Other spellings of unit names.")
    beasts: tuple[str, ...] = entry(
        ListOf(Text()), "Units of beasts and chariots, of which few armies had many (MIL-16)."
    )
    # "Slot, era" is for people (DB-04)
    units: Mapping[str, Unit] = entry(
        ListOf(RowOf(Unit, ignore="Slot, era"), 1, key="Name", repeats=True), "Columns left out are Soldier's (UD-01)."
    )

    def __post_init__(self) -> None:
        basic = {("basic_unit",): self.basic_unit, ("basic_transport",): self.basic_transport}
        for path, name in (basic | {("aliases", other): name for other, name in self.aliases.items()}).items():
            with at(*path):
                is_one(name, self.units, "a unit")
        with at("beasts"):
            are_of(self.beasts, self.units, "a unit")


@table("points", "Points")
class Points:
    """Points of a man of each unit, and of a ship (R-117); a moderator's catalogue may lack some units."""

    points: Mapping[str, float] = entry(MapOf(Number(0), about="Points of a man, or of a ship."), "Unit to points.")


@table("weights", "Weights")
class Weights:
    """Weights of terms in an average (R-01)."""

    major: float = entry(Number(above=0), "A major term.")
    moderate: float = entry(Number(above=0), "A moderate term.")
    minor: float = entry(Number(above=0), "A minor term.")


TERMS = ListOf(Text(), about="A term.")


@record
class VariableRow:
    """A variable with its terms."""

    name: str = entry(Text(), "As in the other tables and in the log.")
    range: tuple[float, float] = entry(
        ListOf(Number(), 2, 2, repeats=True, about="A bound."), "Of the variable and of each term (VAR-04)."
    )
    major: tuple[str, ...] = entry(TERMS, "Names of terms.")
    moderate: tuple[str, ...] = entry(TERMS, "Names of terms.")
    minor: tuple[str, ...] = entry(TERMS, "Names of terms.")


VARIABLES = {
    "VAR-STAB": "Innate Stability, of the nation.",
    "VAR-ECON": "Economy, of the nation.",
    "VAR-EFF": "Efficiency, of each unit type.",
    "VAR-LIM": "Limitation, of each unit type.",
    "VAR-DEF": "Defense, of each unit type.",
    "VAR-CAP": "Capacity, of the side.",
    "VAR-MOR": "Morale Bonus, of the side.",
}


@table("variables", "Weighted averages")
class Variables:
    """The terms of each variable (VAR-01)."""

    rules: Mapping[str, VariableRow] = entry(described(RecordOf(VariableRow), VARIABLES), "Rule to variable.", "*")


YEAR = Number(high=0, whole=True)
YEARS = {"Year Founded": 0, "Year Crisis": 0}
"""Columns of the nation counted from the war year."""


@table("defaults", "The generic entries")
class Generic:
    """Generic nation, military and location of the name 'default' (DB-10, R-27)."""

    nation: Nation = entry(RowOf(Nation, {"Name": GENERIC} | YEARS), "Column header to value, as in the Nations tab.")
    year_offsets: Mapping[str, int] = entry(
        described(YEAR, dict.fromkeys(YEARS, "Years from the war year, negative before it.")), "The nation's two years."
    )
    military: Military = entry(
        RowOf(Military, {"Name": GENERIC, "Nation": ()}, names={"Units": "a unit"}), "As in the Militaries tab."
    )
    location: Location = entry(RowOf(Location, {"Name": GENERIC}), "Column header to value, as in the Locations tab.")
