"""The Map Game Database: one record class per tab, each field with its column, range and default (autoalgo inputs 1).

The order of the fields is the order of the columns in a new workbook. Fields name their list of allowed values; the
lists and their numbers, which the source leaves open (QN-06), are in the tables. A value that is not listed, like an
Ideology "Economic", is refused (QN-05). A blank cell means the default (DB-01), or is a problem if the column is
required (DB-02).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.columns import (
    ColumnPlace,
    TabDeclaration,
    choice,
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Nation:
    """One row of the Nations tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Nations", key="name", one="nation", about="The nations of the game and what they have become."
    )

    name: str = text(
        "Name",
        id="NAT-01",
        required=True,
        reserved=(GENERIC,),
        note="The nation's name, unique; a coalition is entered under its leader or in its own row.",
    )
    stability: float = number(
        "Stability",
        id="NAT-02",
        low=0,
        high=200,
        default=100,
        note=(
            "Present stability of the state, 0 (anarchy) to 200. A ruling writes the new value here if the request "
            "says so."
        ),
    )
    population: int = whole(
        "Population",
        id="NAT-03",
        low=1,
        high=8_000_000_000,
        required=True,
        unit="people",
        note="People in the core lands that take part in the war.",
    )
    ideology: str = choice(
        "Ideology",
        "Ideology",
        id="NAT-04",
        lenient=True,
        default="Statist",
        note="Main aim of the state; changes morale. It hardly moves the odds of a battle.",
    )
    religion: str = choice(
        "Religion",
        "Religion",
        id="NAT-05",
        lenient=True,
        default="Christianity",
        note=(
            "Official or most common religion; choose the closest if several fit. It hardly moves the odds of a battle."
        ),
    )
    ethnicity: str = choice(
        "Ethnicity",
        "Ethnicity",
        id="NAT-06",
        lenient=True,
        default="Caucasian",
        note="Language family of most inhabitants. It hardly moves the odds of a battle.",
    )
    leader: str = reference(
        "Leader",
        "Leaders",
        id="NAT-07",
        default="",
        note="Head of state. Safe in battle unless also in command of the military.",
    )
    federal_government: str = choice(
        "Federal Government",
        "Federal Government",
        id="NAT-08",
        default="Tribal",
        aliases=("Federal Gov",),
        note="Who has the central power, by law.",
    )
    state_government: str = choice(
        "State Government",
        "State Government",
        id="NAT-09",
        default="Nomadic",
        aliases=("State Gov",),
        note="How officials below the central government get their posts. It counts for occupation and Stability only.",
    )
    year_founded: int = whole(
        "Year Founded",
        id="NAT-10",
        low=EARLIEST_YEAR,
        high=LATEST_YEAR,
        required=True,
        aliases=("Founded Year",),
        unit="year",
        note=(
            "When the present dynasty or government began; BC is negative. The age of the state gives the secular "
            "cycle."
        ),
    )
    year_crisis: int = whole(
        "Year Crisis",
        id="NAT-11",
        low=EARLIEST_YEAR,
        high=LATEST_YEAR,
        required=True,
        aliases=("Crisis Year",),
        unit="year",
        note=(
            "When the nation's latest fight for its existence ended; BC is negative. The years since then give the "
            "generation."
        ),
    )
    capital: str = reference(
        "Capital",
        "Locations",
        id="NAT-12",
        default="",
        aliases=("Capital Region",),
        note="Region in which the government has its seat; a nation that loses a battle there loses Innate Stability.",
    )
    civilization_type: str = choice(
        "Civilization Type",
        "Civilization Type",
        id="NAT-13",
        default="Hunter-Gatherer",
        note="Stage of development as a whole; the last of the list is the most advanced.",
    )
    diet: str = choice(
        "Diet",
        "Diet",
        id="NAT-14",
        default="none",
        note="Staple crop; it feeds the people and brings income. It counts for occupation and Stability only.",
    )
    arable_land: float = number(
        "Arable Land",
        id="NAT-15",
        low=0,
        high=180_000_000,
        default=7000,
        unit="acres",
        note="Land that is farmed, 0 to 180,000,000 acres. It counts for occupation and Stability only.",
    )
    age_of_civilization: int = whole(
        "Age of Civilization",
        id="NAT-16",
        low=-10_000,
        high=1980,
        default=-2000,
        unit="year",
        note="Year in which its people first grew crops; BC is negative. It counts for occupation and Stability only.",
    )
    domesticated_animals: str = choice(
        "Domesticated Animals",
        "Domesticated Animals",
        id="NAT-17",
        default="none",
        note=(
            "Most useful kind of tamed animal; the first of the list is the best."
            " It counts for occupation and Stability only."
        ),
    )
    endemic_disease: str = choice(
        "Endemic Disease",
        "Endemic Disease",
        id="NAT-18",
        default="none",
        note=(
            "Disease that the nation's troops carry; it threatens both sides, but ten times as much a side that is "
            "not used to it."
        ),
    )
    medicine: str = choice(
        "Medicine",
        "Medicine",
        id="NAT-19",
        default="none",
        aliases=("Medical technology",),
        note="Medical knowledge; Vaccinated troops do not die of disease.",
    )
    writing: str = choice(
        "Writing",
        "Writing",
        id="NAT-20",
        default="none",
        aliases=("Writing technology",),
        note=(
            "Means of communication, a measure of technology; the first of the list is the best."
            " It counts for occupation and Stability only."
        ),
    )
    trade: str = choice(
        "Trade",
        "Trade",
        id="NAT-21",
        default="Minor",
        note="State of foreign commerce. It counts for occupation and Stability only.",
    )
    revenue: str = choice(
        "Revenue",
        "Revenue",
        id="NAT-22",
        default="Balanced",
        note=(
            "State of the treasury; a nation in Deficit should not attack. It counts for occupation and Stability only."
        ),
    )
    gdp: float = number(
        "GDP",
        id="NAT-23",
        low=0,
        high=100_000_000_000_000,
        default=30_000_000,
        unit="US dollars",
        note="National output in US dollars, 0 to 100,000,000,000,000.",
    )
    urban_population: float = number(
        "Urban Population",
        id="NAT-24",
        low=0,
        high=1,
        default=0.6,
        unit="share of Population",
        note="Share of the people who live in towns, 0 to 1. It counts for occupation and Stability only.",
    )
    power_consumption: float = number(
        "Power Consumption",
        id="NAT-25",
        low=0,
        high=10_000_000_000_000,
        default=75_000_000,
        unit="kWh a year",
        note=(
            "Energy used in a year, of any kind, in kWh, 0 to 10,000,000,000,000."
            " It counts for occupation and Stability only."
        ),
    )
    steel_production: float = number(
        "Steel Production",
        id="NAT-26",
        low=0,
        high=1_000_000_000,
        default=0,
        unit="tons a year",
        note=(
            "Steel made in a year, 0 to 1,000,000,000 tons. It counts in proportion to the men of an army; check notes"
            " an amount that is too small."
        ),
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
        "Nation",
        "Nations",
        id="MIL-01",
        required=True,
        note="Nations that may use this force, in order, with ; between them.",
    )
    name: str = text("Name", id="MIL-02", required=True, reserved=(GENERIC,), note="What the force is called.")
    size: int = whole(
        "Size",
        id="MIL-03",
        low=1,
        high=SIZE_MOST,
        or_zero=True,
        required=True,
        unit="people",
        additions="recruits",
        note=(
            "All personnel, 1 to 15,000,000, or 0 once nobody is left. More men are harder to feed. In a season with "
            "losses = apply, a ruling subtracts its losses here."
        ),
    )
    leader: str = reference(
        "Leader", "Leaders", id="MIL-04", default="", note="Commander in the field, who can be killed."
    )
    infantry_type: str = reference(
        "Infantry Type",
        "Units",
        id="MIL-05",
        default="",
        zero_means_none=True,
        note=(
            "Unit of the infantry slot; any unit may be used here. If all three types are blank, it is Soldier; 0 "
            "means none."
        ),
    )
    infantry_proportion: float = number(
        "Infantry Proportion",
        id="MIL-06",
        low=0,
        high=1,
        default=0,
        unit="share of Size",
        note="Share of Size in the infantry slot, 0 to 1; 1 when all three types are blank.",
    )
    cavalry_type: str = reference(
        "Cavalry Type",
        "Units",
        id="MIL-07",
        default="",
        zero_means_none=True,
        note="Unit of the cavalry slot; any unit may be used here, 0 means none.",
    )
    cavalry_proportion: float = number(
        "Cavalry Proportion",
        id="MIL-08",
        low=0,
        high=1,
        default=0,
        unit="share of Size",
        note="Share of Size in the cavalry slot, 0 to 1.",
    )
    artillery_type: str = reference(
        "Artillery Type",
        "Units",
        id="MIL-09",
        default="",
        zero_means_none=True,
        note=(
            "Unit of the artillery slot; any unit may be used here, 0 means none. Without artillery a siege "
            "opens no breach."
        ),
    )
    artillery_proportion: float = number(
        "Artillery Proportion",
        id="MIL-10",
        low=0,
        high=1,
        default=0,
        unit="share of Size",
        note="Share of Size in the artillery slot, 0 to 1.",
    )
    transport: str = reference(
        "Transport",
        "Units",
        id="MIL-11",
        default="Barges",
        additions="new ships",
        note="Ship that carries the force on water; blank means unarmed Barges.",
    )
    ship_number: int = whole(
        "Ship Number",
        id="MIL-12",
        low=0,
        high=500,
        default=0,
        unit="ships",
        additions="new ships",
        note=(
            "Ships of the force, at most 500; if blank or 0, as many as are needed to carry everybody. In a season "
            "with losses = apply, a ruling subtracts the ships that were sunk from a number here."
        ),
    )
    mobile_defenses: str = choice(
        "Mobile Defenses",
        "Mobile Defenses",
        id="MIL-13",
        default="none",
        aliases=("Mobile defences",),
        note=(
            "Defensive works that the force brings with it; the first of the list is the best. They protect no "
            "attacker but one on Position, and nobody on Water (R-121)."
        ),
    )
    budget: float = number(
        "Budget",
        id="MIL-14",
        low=0,
        high=1_000_000_000_000,
        default=1_000_000,
        unit="US dollars",
        note=(
            "Money spent on this force in US dollars, 0 to 1,000,000,000,000. It counts in proportion to its men; check"
            " tells of an amount that is too small, or above the GDP."
        ),
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

    name: str = text("Name", id="LOC-01", required=True, reserved=(GENERIC,), note="The region's name, unique.")
    local_population: int = whole(
        "Local Population",
        id="LOC-02",
        low=0,
        high=200_000_000,
        default=0,
        unit="people",
        note="Residents who feed an army, besides the country by its Climate; under source, blank or under "
        "10,000 takes the climate's number. On the Ocean the fleets decide.",
    )
    climate: str = choice(
        "Climate",
        "Climate",
        id="LOC-03",
        default="Temperate",
        note=(
            "Kind of climate; Ocean marks the open sea. It decides how many men can be fed where Local Population is"
            " blank; otherwise it hardly moves the odds of a battle."
        ),
    )
    terrain: str = choice(
        "Terrain",
        "Terrain",
        id="LOC-04",
        default="Plain",
        note="Map of the battle; a request may name another. Every map of the maps folder may be used here.",
    )
    urbanization: str = choice(
        "Urbanization",
        "Urbanization",
        id="LOC-05",
        default="none",
        aliases=("Urbanisation",),
        note="How densely the region is built up; the first of the list is the densest.",
    )
    attrition: str = choice(
        "Attrition",
        "Attrition",
        id="LOC-06",
        default="none",
        note="Danger of the location apart from the enemy; the first of the list is the mildest.",
    )
    fortifications: str = choice(
        "Fortifications",
        "Fortifications",
        id="LOC-07",
        default="none",
        note="Permanent defensive works, for the defender only; the first of the list is the strongest.",
    )
    road_system: str = choice(
        "Road System",
        "Road System",
        id="LOC-08",
        default="none",
        aliases=("Road systems",),
        note="Roads, rails and waterways; the first of the list is the best.",
    )
    owner: str = reference(
        "Owner",
        "Nations",
        id="LOC-09",
        default="",
        note="Nation whose land it is. If blank, nobody's, and no ruling writes here. A peace that a year carries out"
        " changes it.",
    )
    occupied_by: str = reference(
        "Occupied By",
        "Nations",
        id="LOC-10",
        default="",
        note="Nation that holds it against its owner; blank: the owner does. A battle won there changes it.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Leader:
    """One row of the Leaders tab; skills are rated 0 to 10."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Leaders", key="name", one="leader", about="Heads of state and commanders with their skills."
    )

    name: str = text("Name", id="LDR-01", required=True, reserved=(GENERIC,), note="The leader's name, unique.")
    nation: tuple[str, ...] = references(
        "Nation", "Nations", id="LDR-02", required=True, note="Nations this leader serves, with ; between them."
    )
    birth_year: int | None = whole(
        "Birth Year",
        id="LDR-03",
        lenient=True,
        low=None,
        default=None,
        unit="year",
        note="BC is negative. If blank, unreadable or after the war, the age is 30 years.",
    )
    attack: float = number(
        "Attack",
        id="LDR-04",
        low=0,
        high=10,
        default=0,
        note="0 to 10. As commander: every man hits harder. As head of state: more land is occupied.",
    )
    defense: float = number(
        "Defense",
        id="LDR-05",
        low=0,
        high=10,
        default=0,
        aliases=("Defence",),
        note="0 to 10. As commander: better protection.",
    )
    siege: float = number(
        "Siege",
        id="LDR-06",
        low=0,
        high=10,
        default=0,
        note="0 to 10. As commander: guns breach faster, and above 5 a siege is likelier won (R-100).",
    )
    authority: float = number(
        "Authority",
        id="LDR-07",
        low=0,
        high=10,
        default=0,
        note="0 to 10. As commander: more men can be fed. As head of state: a more stable state.",
    )
    cunning: float = number(
        "Cunning",
        id="LDR-08",
        low=0,
        high=10,
        default=0,
        note="0 to 10. As commander: more men act together. As head of state: a richer state.",
    )
    zeal: float = number(
        "Zeal", id="LDR-09", low=0, high=10, default=0, note="0 to 10. As commander: higher morale at the start."
    )
    martial: float = number(
        "Martial",
        id="LDR-10",
        low=0,
        high=10,
        default=0,
        note="0 to 10. As commander: better troops, and greater danger to the commander's own life.",
    )
    status: str = result(
        "Status",
        id="LDR-11",
        place=ColumnPlace.STATUS,
        default="",
        note="Blank while alive, otherwise where and when he was killed. A war that names him again waits, or warns, as"
        " the season says.",
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

    name: str = text("Name", id="UNIT-01", required=True, note="Unique; other tabs name it so.")
    speed: float = number(
        "Speed",
        id="UNIT-02",
        low=1,
        high=500,
        default=3,
        unit="km/h",
        note="Speed on the battlefield in km/h, 1 to 500; a flank has the speed of its slowest type.",
    )
    rebound: float = number(
        "Rebound",
        id="UNIT-03",
        low=0,
        high=10,
        default=0,
        unit="rounds",
        note="Rounds of rest or reloading after an attack, 0 to 10.",
    )
    shock: float = number(
        "Shock",
        id="UNIT-04",
        low=0,
        high=1,
        default=0,
        note="Readiness to charge, 0 to 1; it also makes hits harder. A flank has the lowest Shock of its types.",
    )
    long_range: float = number(
        "Long Range",
        id="UNIT-05",
        low=0,
        high=500,
        default=0.1,
        unit="m",
        note="Reach of the long weapon in metres, 0 to 500; for a unit without one, repeat its longest reach here.",
    )
    medium_range: float = number(
        "Medium Range",
        id="UNIT-06",
        low=0,
        high=500,
        default=0.1,
        unit="m",
        note="Reach of the medium weapon in metres, 0 to 500.",
    )
    short_range: float = number(
        "Short Range",
        id="UNIT-07",
        low=0,
        high=500,
        default=0.1,
        unit="m",
        note="Reach of the short weapon in metres, 0 to 500.",
    )
    power: tuple[float, float, float] = numbers(
        "Power",
        id="UNIT-08",
        count=3,
        low=0,
        high=10,
        default=(0.5, 0.5, 0.5),
        unit="kills per hit",
        note="Kills of a perfect hit at long; medium; short range, 0 to 10 each. 0 means no such weapon: "
        "nearer than its range nothing fires.",
    )
    psychology: float = number(
        "Psychology",
        id="UNIT-09",
        low=1,
        high=20,
        default=1,
        unit="men",
        note="Men who are demoralised for each man killed, 1 to 20.",
    )
    defense: float = number(
        "Defense",
        id="UNIT-10",
        low=0,
        high=1,
        default=0,
        aliases=("Defence",),
        note="Share of the enemy's hits stopped by shield, armour or hull, 0 to 1.",
    )
    tactical_training: float = number(
        "Tactical Training",
        id="UNIT-11",
        low=0,
        high=10,
        default=5,
        aliases=("Training",),
        note="Discipline and skill, 0 to 10: 5 average, 8 veterans, 2 recruits. Few columns decide more.",
    )
    logistics: str = choice(
        "Logistics",
        "Logistics",
        id="UNIT-12",
        default="Basic",
        note="How the men are supplied; the last of the list is the best.",
    )
    soldier_type: str = choice(
        "Soldier Type",
        "Soldier Type",
        id="UNIT-13",
        default="Regular",
        note="The unit's rank in its own society; the last of the list is the best.",
    )
    military_type: str = choice(
        "Military Type",
        "Military Type",
        id="UNIT-14",
        lenient=True,
        default="Militia",
        note="Why the men serve; a term of their Efficiency that moves the odds of a battle by a point or two.",
    )
    capacity: int = whole(
        "Capacity",
        id="UNIT-15",
        low=0,
        high=10_000,
        default=0,
        unit="people a ship",
        note="Largest crew of one ship, 0 to 10,000; 0 for units on land.",
    )
    dispersion: float = number(
        "Dispersion",
        id="UNIT-16",
        low=1,
        high=20,
        default=1,
        note="Distance between men or armour of ships, 1 to 20: hits are divided by it. "
        "1 is shoulder to shoulder or wood, 8 a skirmish line or an ironclad.",
    )


DATABASE = (Nation, Military, Location, Leader, Unit)
"""The tabs in the order of a new workbook."""
