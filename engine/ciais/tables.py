"""The tables of `ciais`: what the files of `config/tables/ciais/` may hold, and the numbers built from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from engine.ciais.records import CiaisUnitType
from engine.columns import ValueList
from engine.config_value import table_error
from engine.declare import entry, known_values, read_table, record, table, value_lists, words
from engine.row_shapes import RowOf
from engine.settings import Raw, RulesetTables
from engine.shapes import MOST, NAME, YES_NO, Choice, ListOf, Number

MULTI_L, OWN_TYPE, LITERAL = "multi-l", "own type", "literal"
YES, NO = "yes", "no"
DEATH_STATS = (MULTI_L, OWN_TYPE, LITERAL)
UP, DOWN = Number(0, MOST), Number(-MOST, 0)
PER_CENT = Number(0, 100)
LONGITUDE = Number(-180, 180)


@table("constants", "Single numbers")
class CiaisConstants:
    """The single numbers of the rules, each under its rule, and the readings that a game may choose."""

    attrition_step: Decimal = entry(Number(0, 10), "What an attrition point takes from every multiplier.", "CI-LOG-04/")
    income_per_percent: Decimal = entry(UP, "Income in ¤ a round for each per cent of tax.", "CI-TAX-01/")
    high_tax: Decimal = entry(PER_CENT, "Above this rate, in per cent, unrest rises.", "CI-UNR-01/")
    unrest_per_percent_above: Decimal = entry(UP, "Change of unrest a round for each per cent above it.", "CI-UNR-01/")
    unit_lost: Decimal = entry(UP, "Change of unrest for an own unit lost in battle.", "CI-UNR-02/")
    economic_failure: Decimal = entry(UP, "Change of unrest when the balance goes below 0.", "CI-UNR-03/")
    low_tax: Decimal = entry(PER_CENT, "Below this rate, in per cent, unrest falls.", "CI-UNR-04/")
    unrest_per_percent_below: Decimal = entry(DOWN, "Change of unrest a round for each per cent below.", "CI-UNR-04/")
    battle_won: Decimal = entry(DOWN, "Change of unrest for a battle won.", "CI-UNR-05/")
    city_captured: Decimal = entry(DOWN, "Change of unrest for an enemy city captured.", "CI-UNR-06/")
    funding_unit: Decimal = entry(Number(0.01, MOST), "Only full sums of so many ¤ count.", "CI-UNR-07/")
    unrest_per_funding_unit: Decimal = entry(DOWN, "Change of unrest for each of them.", "CI-UNR-07/")
    overthrown_at: Decimal = entry(Number(0.001, MOST), "Unrest at which a player is overthrown.", "CI-UNR-08/")
    death_stat: str = entry(
        Choice(DEATH_STATS),
        "multi-l: by multi-l, a unit without any by its own type's; own type: by its own type's always; literal: by"
        " multi-l always.",
        "CI-OP-06/",
    )
    lon_wrap: str = entry(YES_NO, "yes: distances go the shorter way round; no: never over the date line.", "CI-OP-09/")
    allied_supply: str = entry(YES_NO, "yes: bases and outposts of allies supply too; no: own ones only.", "CI-OP-10/")
    ten_is_certain: str = entry(YES_NO, "yes: an effective 10 beats less outright; no: the formula alone.", "CI-OP-13/")

    def __post_init__(self) -> None:
        if self.low_tax > self.high_tax:
            says = f"{self.low_tax} is more than high_tax {self.high_tax}. Use at most that."
            raise table_error(says, "CI-UNR-04", "low_tax")


@record
class Theatre:
    """A part of the map, without its bounds."""

    name: str = entry(NAME, "Its name.", "theatre")
    west_of: float | None = entry(LONGITUDE, "It lies west of this longitude, east positive.", default=None)
    east_of: float | None = entry(LONGITUDE, "It lies east of this longitude, east positive.", default=None)

    def holds(self, longitude: float) -> bool:
        """Return True if the theatre contains a longitude."""
        return (self.west_of is None or longitude < self.west_of) and (self.east_of is None or longitude > self.east_of)


@table("theatres", "Theatres")
class Theatres:
    """The parts of the map by longitude."""

    theatres: tuple[Theatre, ...] = entry(
        ListOf(Theatre, 1, repeats=True), "The first that fits a place is its own.", "CI-BASE-04"
    )

    def __post_init__(self) -> None:
        if self.theatres[-1].west_of is not None or self.theatres[-1].east_of is not None:
            raise table_error("the last theatre has a bound, so some places would have none.", "CI-BASE-04")


@table("unit_types", "Unit types")
class UnitTypes:
    """Unit types that need no row in the workbook."""

    types: tuple[CiaisUnitType, ...] = entry(
        ListOf(RowOf(CiaisUnitType, most=MOST, text=NAME), repeats=True),
        "With the columns of the CiAIS Unit Types tab.",
        "CI-BASE-03",
    )


@table("values", "Lists of allowed values")
class CiaisLists:
    """The lists of allowed values, with their meanings."""

    action: ValueList = words("Action", "What is asked for.", "Rule", "Forecast")
    order: ValueList = words(
        "Order",
        "Orders.",
        *("Battle", "End round", "Set tax", "City captured", "Adjust bank", "Overthrow choice"),
        "Check victory",
    )
    choice: ValueList = words("Choice", "Choices of an overthrown player.", "2a", "2b", "2c")
    player_status: ValueList = words("Player status", "Where a player stands.", "Playing", "Lost", "Won")
    loss_condition: ValueList = words(
        "Loss condition",
        "How a player lost.",
        *("CI-LOSE-1", "CI-LOSE-2", "CI-LOSE-2a", "CI-LOSE-2b", "CI-LOSE-2c", "CI-LOSE-3", "CI-LOSE-4"),
    )
    unit_type: ValueList = words("Unit type", "Kinds of unit types.", "land", "sea", "air")
    cooldown: ValueList = words("Cooldown", "Cooldowns that are not a number.", "Infinity")
    unit_status: ValueList = words("Unit status", "Where a unit stands.", "Active", "Lost")
    site_kind: ValueList = words("Site kind", "Kinds of sites.", "base", "outpost", "city")


TABLES = (CiaisConstants, Theatres, UnitTypes, CiaisLists)
"""A class for each file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CiaisTables(RulesetTables):
    """All tables; a place belongs to the first theatre holding it (CI-BASE-04); unit types need no row (CI-OP-05)."""

    constants: CiaisConstants
    theatres: tuple[Theatre, ...]
    unit_types: Mapping[str, CiaisUnitType]
    lists: Mapping[str, ValueList]

    @classmethod
    def of(cls, raw: Raw) -> CiaisTables:
        """Return the tables of the parsed files."""
        lists = value_lists(read_table(CiaisLists, raw))
        return cls(
            raw=raw,
            constants=read_table(CiaisConstants, raw),
            theatres=read_table(Theatres, raw).theatres,
            unit_types={
                unit_type.name: unit_type for unit_type in read_table(UnitTypes, raw, known_values(lists)).types
            },
            lists=lists,
        )

    def theatre(self, longitude: float) -> str:
        """Return the theatre of a longitude: `Western`, `Central` or `Eastern` (CI-BASE-04)."""
        return next(theatre.name for theatre in self.theatres if theatre.holds(longitude))
