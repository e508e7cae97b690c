"""The Map Game Database: one record class per tab, each field with its column, range and default (autoalgo inputs 1).

The order of the fields is the order of the columns in a new workbook. Fields name their list of allowed values; the
lists and their numbers, which the source leaves open (QN-06), are in the tables. A value that is not listed, like an
Ideology "Economic", is refused (QN-05). A blank cell means the default (DB-01), or is a problem if the column is
required (DB-02).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from engine.columns import (
    ColumnPlace,
    TabDeclaration,
    listed,
    number,
    numbers,
    reference,
    references,
    result,
    row_label,
    text,
    whole,
)

EARLIEST_YEAR = -3500
LATEST_YEAR = 2100
PRINTED_YEAR = 2020
"""Last year of the printed rules, kept by `source`."""
NO_ARMS = "the rules have no arms of the 20th century"
"""Limit of the catalogue of units."""
SIZE_MOST = 15_000_000
"""Maximum size of a military (MIL-03)."""
NONE_ON_PURPOSE = "0"
"""Cell value for a unit type deliberately missing from the military (MD-08, QN-04)."""
GENERIC = "default"
"""The reserved name of the generic nation, military and location (DB-10, R-27)."""

dated = partial(whole, low=EARLIEST_YEAR, high=LATEST_YEAR, required=True, unit="year")
"""Declare a column of years that must be typed; years BC are negative."""
_slot_share = partial(number, high=1, default=0, unit="share of Size")
_skill = partial(number, high=10, default=0)
"""Declare a skill of a leader, which most do not have."""
_reach = partial(number, high=500, default=0.1, unit="m")


def _slot_type(header: str, *rule: str) -> Any:
    """Declare the unit of a slot of a military; 0 means none (MD-08)."""
    return reference(header, "Units", *rule, default="", zero_means_none=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Nation:
    """One row of the Nations tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Nations", key="name", one="nation", about="The nations of the game and what they have become."
    )

    name: str = text(
        "Name",
        "NAT-01",
        "The nation's name, unique; a coalition is entered under its leader or in its own row.",
        required=True,
        reserved=(GENERIC,),
    )
    stability: float = number(
        "Stability",
        "NAT-02",
        "Present stability of the state, 0 (anarchy) to 200. A ruling writes the new value here if the request "
        "says so.",
        high=200,
        default=100,
    )
    population: int = whole(
        "Population",
        "NAT-03",
        "People in the core lands that take part in the war.",
        low=1,
        high=8_000_000_000,
        required=True,
        unit="people",
    )
    ideology: str = listed(
        "Ideology",
        "NAT-04",
        "Main aim of the state; changes morale. It hardly moves the odds of a battle.",
        lenient=True,
        default="Statist",
    )
    religion: str = listed(
        "Religion",
        "NAT-05",
        "Official or most common religion; choose the closest if several fit. It hardly moves the odds of a battle.",
        lenient=True,
        default="Christianity",
    )
    ethnicity: str = listed(
        "Ethnicity",
        "NAT-06",
        "Language family of most inhabitants. It hardly moves the odds of a battle.",
        lenient=True,
        default="Caucasian",
    )
    leader: str = reference(
        "Leader",
        "Leaders",
        "NAT-07",
        "Head of state. Safe in battle unless also in command of the military.",
        default="",
    )
    federal_government: str = listed(
        "Federal Government", "NAT-08", "Who has the central power, by law.", default="Tribal", aliases=("Federal Gov",)
    )
    state_government: str = listed(
        "State Government",
        "NAT-09",
        "How officials below the central government get their posts. It counts for occupation and Stability only.",
        default="Nomadic",
        aliases=("State Gov",),
    )
    year_founded: int = dated(
        "Year Founded",
        "NAT-10",
        "When the present dynasty or government began; BC is negative. The age of the state gives the secular cycle.",
        aliases=("Founded Year",),
    )
    year_crisis: int = dated(
        "Year Crisis",
        "NAT-11",
        "When the nation's latest fight for its existence ended; BC is negative. The years since then give the "
        "generation.",
        aliases=("Crisis Year",),
    )
    capital: str = reference(
        "Capital",
        "Locations",
        "NAT-12",
        "Region in which the government has its seat; a nation that loses a battle there loses Innate Stability.",
        default="",
        aliases=("Capital Region",),
    )
    civilization_type: str = listed(
        "Civilization Type",
        "NAT-13",
        "Stage of development as a whole; the last of the list is the most advanced.",
        default="Hunter-Gatherer",
    )
    diet: str = listed(
        "Diet",
        "NAT-14",
        "Staple crop; it feeds the people and brings income. It counts for occupation and Stability only.",
        default="none",
    )
    arable_land: float = number(
        "Arable Land",
        "NAT-15",
        "Land that is farmed, 0 to 180,000,000 acres. It counts for occupation and Stability only.",
        high=180_000_000,
        default=7000,
        unit="acres",
    )
    age_of_civilization: int = whole(
        "Age of Civilization",
        "NAT-16",
        "Year in which its people first grew crops; BC is negative. It counts for occupation and Stability only.",
        low=-10_000,
        high=1980,
        default=-2000,
        unit="year",
    )
    domesticated_animals: str = listed(
        "Domesticated Animals",
        "NAT-17",
        "Most useful kind of tamed animal; the first of the list is the best."
        " It counts for occupation and Stability only.",
        default="none",
    )
    endemic_disease: str = listed(
        "Endemic Disease",
        "NAT-18",
        "Disease that the nation's troops carry; it threatens both sides, but ten times as much a side that is "
        "not used to it.",
        default="none",
    )
    medicine: str = listed(
        "Medicine",
        "NAT-19",
        "Medical knowledge; Vaccinated troops do not die of disease.",
        default="none",
        aliases=("Medical technology",),
    )
    writing: str = listed(
        "Writing",
        "NAT-20",
        "Means of communication, a measure of technology; the first of the list is the best."
        " It counts for occupation and Stability only.",
        default="none",
        aliases=("Writing technology",),
    )
    trade: str = listed(
        "Trade", "NAT-21", "State of foreign commerce. It counts for occupation and Stability only.", default="Minor"
    )
    revenue: str = listed(
        "Revenue",
        "NAT-22",
        "State of the treasury; a nation in Deficit should not attack. It counts for occupation and Stability only.",
        default="Balanced",
    )
    gdp: float = number(
        "GDP",
        "NAT-23",
        "National output in US dollars, 0 to 100,000,000,000,000.",
        high=100_000_000_000_000,
        default=30_000_000,
        unit="US dollars",
    )
    urban_population: float = number(
        "Urban Population",
        "NAT-24",
        "Share of the people who live in towns, 0 to 1. It counts for occupation and Stability only.",
        high=1,
        default=0.6,
        unit="share of Population",
    )
    power_consumption: float = number(
        "Power Consumption",
        "NAT-25",
        "Energy used in a year, of any kind, in kWh, 0 to 10,000,000,000,000."
        " It counts for occupation and Stability only.",
        high=10_000_000_000_000,
        default=75_000_000,
        unit="kWh a year",
    )
    steel_production: float = number(
        "Steel Production",
        "NAT-26",
        "Steel made in a year, 0 to 1,000,000,000 tons. It counts in proportion to the men of an army; check notes"
        " an amount that is too small.",
        high=1_000_000_000,
        default=0,
        unit="tons a year",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Military:
    """One row of the Militaries tab: an army, a navy or both (MD-01, MD-07)."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Militaries",
        key="name",
        one="military",
        unique=False,
        within="nation",
        about="Armies, fleets and amphibious forces.",
    )

    nation: tuple[str, ...] = references(
        "Nation", "Nations", "MIL-01", "Nations that may use this force, in order, with ; between them.", required=True
    )
    name: str = text("Name", "MIL-02", "What the force is called.", required=True, reserved=(GENERIC,))
    size: int = whole(
        "Size",
        "MIL-03",
        "All personnel, 1 to 15,000,000, or 0 once nobody is left. More men are harder to feed. In a season with "
        "losses = apply, a ruling subtracts its losses here.",
        low=1,
        high=SIZE_MOST,
        or_zero=True,
        required=True,
        unit="people",
        additions="recruits",
    )
    leader: str = reference("Leader", "Leaders", "MIL-04", "Commander in the field, who can be killed.", default="")
    infantry_type: str = _slot_type(
        "Infantry Type",
        "MIL-05",
        "Unit of the infantry slot; any unit may be used here. If all three types are blank, it is Soldier; 0 "
        "means none.",
    )
    infantry_proportion: float = _slot_share(
        "Infantry Proportion",
        "MIL-06",
        "Share of Size in the infantry slot, 0 to 1; 1 when all three types are blank.",
    )
    cavalry_type: str = _slot_type(
        "Cavalry Type",
        "MIL-07",
        "Unit of the cavalry slot; any unit may be used here, 0 means none.",
    )
    cavalry_proportion: float = _slot_share(
        "Cavalry Proportion",
        "MIL-08",
        "Share of Size in the cavalry slot, 0 to 1.",
    )
    artillery_type: str = _slot_type(
        "Artillery Type",
        "MIL-09",
        "Unit of the artillery slot; any unit may be used here, 0 means none. Without artillery a siege "
        "opens no breach.",
    )
    artillery_proportion: float = _slot_share(
        "Artillery Proportion",
        "MIL-10",
        "Share of Size in the artillery slot, 0 to 1.",
    )
    transport: str = reference(
        "Transport",
        "Units",
        "MIL-11",
        "Ship that carries the force on water; blank means unarmed Barges.",
        default="Barges",
        additions="new ships",
    )
    ship_number: int = whole(
        "Ship Number",
        "MIL-12",
        "Ships of the force, at most 500; if blank or 0, as many as are needed to carry everybody. In a season "
        "with losses = apply, a ruling subtracts the ships that were sunk from a number here.",
        high=500,
        default=0,
        unit="ships",
        additions="new ships",
    )
    mobile_defenses: str = listed(
        "Mobile Defenses",
        "MIL-13",
        "Defensive works that the force brings with it; the first of the list is the best. They protect no "
        "attacker but one on Position, and nobody on Water (R-121).",
        default="none",
        aliases=("Mobile defences",),
    )
    budget: float = number(
        "Budget",
        "MIL-14",
        "Money spent on this force in US dollars, 0 to 1,000,000,000,000. It counts in proportion to its men; check"
        " tells of an amount that is too small, or above the GDP.",
        high=1_000_000_000_000,
        default=1_000_000,
        unit="US dollars",
    )

    @property
    def label(self) -> str:
        """Return the name with the first of its nations, which is the force's in `Update.row`."""
        return row_label(self.name, self.nation[0]) if self.nation else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """One row of the Locations tab: a region of about 10,000 km² (R-11, QN-02)."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Locations",
        key="name",
        one="location",
        about="Regions to fight in, about 10,000 km² each.",
        in_view=("terrain", "fortifications"),
    )

    name: str = text("Name", "LOC-01", "The region's name, unique.", required=True, reserved=(GENERIC,))
    local_population: int = whole(
        "Local Population",
        "LOC-02",
        "Residents who feed an army, besides the country by its Climate; under source, blank or under "
        "10,000 takes the climate's number. On the Ocean the fleets decide.",
        high=200_000_000,
        default=0,
        unit="people",
    )
    climate: str = listed(
        "Climate",
        "LOC-03",
        "Kind of climate; Ocean marks the open sea. It decides how many men can be fed where Local Population is"
        " blank; otherwise it hardly moves the odds of a battle.",
        default="Temperate",
    )
    terrain: str = listed(
        "Terrain",
        "LOC-04",
        "Map of the battle; a request may name another. Every map of the maps folder may be used here.",
        default="Plain",
    )
    urbanization: str = listed(
        "Urbanization",
        "LOC-05",
        "How densely the region is built up; the first of the list is the densest.",
        default="none",
        aliases=("Urbanisation",),
    )
    attrition: str = listed(
        "Attrition",
        "LOC-06",
        "Danger of the location apart from the enemy; the first of the list is the mildest.",
        default="none",
    )
    fortifications: str = listed(
        "Fortifications",
        "LOC-07",
        "Permanent defensive works, for the defender only; the first of the list is the strongest.",
        default="none",
    )
    road_system: str = listed(
        "Road System",
        "LOC-08",
        "Roads, rails and waterways; the first of the list is the best.",
        default="none",
        aliases=("Road systems",),
    )
    owner: str = reference(
        "Owner",
        "Nations",
        "LOC-09",
        "Nation whose land it is. If blank, nobody's, and no ruling writes here. A peace that a year carries out"
        " changes it.",
        default="",
    )
    occupied_by: str = reference(
        "Occupied By",
        "Nations",
        "LOC-10",
        "Nation that holds it against its owner; blank: the owner does. A battle won there changes it.",
        default="",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Leader:
    """One row of the Leaders tab; skills are rated 0 to 10."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Leaders", key="name", one="leader", about="Heads of state and commanders with their skills."
    )

    name: str = text("Name", "LDR-01", "The leader's name, unique.", required=True, reserved=(GENERIC,))
    nation: tuple[str, ...] = references(
        "Nation", "Nations", "LDR-02", "Nations this leader serves, with ; between them.", required=True
    )
    birth_year: int | None = whole(
        "Birth Year",
        "LDR-03",
        "BC is negative. If blank, unreadable or after the war, the age is 30 years.",
        lenient=True,
        low=None,
        unit="year",
    )
    attack: float = _skill(
        "Attack",
        "LDR-04",
        "0 to 10. As commander: every man hits harder. As head of state: more land is occupied.",
    )
    defense: float = _skill("Defense", "LDR-05", "0 to 10. As commander: better protection.", aliases=("Defence",))
    siege: float = _skill(
        "Siege",
        "LDR-06",
        "0 to 10. As commander: guns breach faster, and above 5 a siege is likelier won (R-100).",
    )
    authority: float = _skill(
        "Authority",
        "LDR-07",
        "0 to 10. As commander: more men can be fed. As head of state: a more stable state.",
    )
    cunning: float = _skill(
        "Cunning",
        "LDR-08",
        "0 to 10. As commander: more men act together. As head of state: a richer state.",
    )
    zeal: float = _skill(
        "Zeal",
        "LDR-09",
        "0 to 10. As commander: higher morale at the start.",
    )
    martial: float = _skill(
        "Martial",
        "LDR-10",
        "0 to 10. As commander: better troops, and greater danger to the commander's own life.",
    )
    status: str = result(
        "Status",
        "LDR-11",
        "Blank while alive, otherwise where and when he was killed. A war that names him again waits, or warns, as"
        " the season says.",
        place=ColumnPlace.STATUS,
        default="",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One row of the Units tab: a kind of fighter or ship, for any slot (MD-02). The defaults are Soldier's (UD-01).

    The source keeps units in a file; here they are built in, and moderators add to them in the tab (QN-11, DB-14).
    A unit has three weapons, one of which is used per attack, chosen by distance (UD-02). Ranges are in metres (QN-01);
    Power is a list in the order of the ranges (UD-05, QN-03). Rebound is for units that reload and for siege engines
    (UD-06), Capacity for ships (UD-07).
    """

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Units",
        key="name",
        one="unit type",
        limits=NO_ARMS,
        about="Kinds of fighters and ships of this game; a row replaces the built-in unit of its name.",
        optional=True,
    )

    name: str = text("Name", "UNIT-01", "Unique; other tabs name it so.", required=True)
    speed: float = number(
        "Speed",
        "UNIT-02",
        "Speed on the battlefield in km/h, 1 to 500; R-123 says that of a mixed flank.",
        low=1,
        high=500,
        default=3,
        unit="km/h",
    )
    rebound: float = number(
        "Rebound", "UNIT-03", "Rounds of rest or reloading after an attack, 0 to 10.", high=10, default=0, unit="rounds"
    )
    shock: float = number(
        "Shock",
        "UNIT-04",
        "Readiness to charge, 0 to 1; it also makes hits harder. R-123 says that of a mixed flank.",
        high=1,
        default=0,
    )
    long_range: float = _reach(
        "Long Range",
        "UNIT-05",
        "Reach of the long weapon in metres, 0 to 500; for a unit without one, repeat its longest reach here.",
    )
    medium_range: float = _reach(
        "Medium Range",
        "UNIT-06",
        "Reach of the medium weapon in metres, 0 to 500.",
    )
    short_range: float = _reach(
        "Short Range",
        "UNIT-07",
        "Reach of the short weapon in metres, 0 to 500.",
    )
    power: tuple[float, float, float] = numbers(
        "Power",
        "UNIT-08",
        "Kills of a perfect hit at long; medium; short range, 0 to 10 each. 0 means no such weapon: "
        "nearer than its range nothing fires.",
        count=3,
        low=0,
        high=10,
        default=(0.5, 0.5, 0.5),
        unit="kills per hit",
    )
    psychology: float = number(
        "Psychology",
        "UNIT-09",
        "Men who are demoralised for each man killed, 1 to 20.",
        low=1,
        high=20,
        default=1,
        unit="men",
    )
    defense: float = number(
        "Defense",
        "UNIT-10",
        "Share of the enemy's hits stopped by shield, armour or hull, 0 to 1.",
        high=1,
        default=0,
        aliases=("Defence",),
    )
    tactical_training: float = number(
        "Tactical Training",
        "UNIT-11",
        "Discipline and skill, 0 to 10: 5 average, 8 veterans, 2 recruits. Few columns decide more.",
        high=10,
        default=5,
        aliases=("Training",),
    )
    logistics: str = listed(
        "Logistics", "UNIT-12", "How the men are supplied; the last of the list is the best.", default="Basic"
    )
    soldier_type: str = listed(
        "Soldier Type",
        "UNIT-13",
        "The unit's rank in its own society; the last of the list is the best.",
        default="Regular",
    )
    military_type: str = listed(
        "Military Type",
        "UNIT-14",
        "Why the men serve; a term of their Efficiency that moves the odds of a battle by a point or two.",
        lenient=True,
        default="Militia",
    )
    capacity: int = whole(
        "Capacity",
        "UNIT-15",
        "Largest crew of one ship, 0 to 10,000; 0 for units on land.",
        high=10_000,
        default=0,
        unit="people a ship",
    )
    dispersion: float = number(
        "Dispersion",
        "UNIT-16",
        "Distance between men or armour of ships, 1 to 20: hits are divided by it. "
        "1 is shoulder to shoulder or wood, 8 a skirmish line or an ironclad.",
        low=1,
        high=20,
        default=1,
    )


DATABASE = (Nation, Military, Location, Leader, Unit)
"""The tabs in the order of a new workbook."""
