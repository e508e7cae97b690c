"""A war whose numbers are easy to work out by hand, on tables pinned for it: tuning the real ones changes no test.

The year is 1000. A monarchy of a million people, a tenth of them in towns, with a GDP of 100,000,000 attacks an equal
one; a thousand spearmen a side, one location behind castle walls.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np

from engine.autoalgo.inputs import Belligerent, WarInputs
from engine.autoalgo.records import Leader, Location, Military, Nation, Unit
from engine.terrain import TerrainMap
from scripts.support.pinned_tables import tables_with

ORDERED, PAIRS = "ordered/lists", "pairs/pairs"
PINNED: dict[str, Any] = {
    "weights/major": 3,
    "weights/moderate": 2,
    "weights/minor": 1,
    f"{ORDERED}/Revenue/feeds/Innate Stability/values/Mild surplus": 0.94,
    f"{ORDERED}/Trade/feeds/Innate Stability/values/Minor": 0.88,
    f"{ORDERED}/Trade/feeds/Economy/values/Minor": 1.0,
    f"{ORDERED}/Domesticated Animals/feeds/Economy/values/Herd animals": 0.01,
    f"{ORDERED}/Mobile Defenses/feeds/Defense/values": {
        "none": 0,
        "Cavalry ditch": 0.05,
        "Wooden stakes": 0.1,
        "Earthenworks": 0.2,
        "Trenches": 0.3,
        "Gabions": 0.4,
    },
    f"{ORDERED}/Fortifications/feeds/Defense/values": {
        "none": 0,
        "Hillfort": 0.2,
        "Palisade": 0.3,
        "Motte and Bailey": 0.4,
        "Castle": 0.55,
        "Great Wall": 0.6,
        "Curtain Walls": 0.7,
        "Bastion Fort": 0.8,
        "Star Fort": 0.9,
        "Bunker": 1,
    },
    f"{ORDERED}/Fortifications/feeds/Capacity/values/none": 0.08,
    f"{ORDERED}/Fortifications/feeds/Capacity/values/Castle": 0.12,
    f"{ORDERED}/Fortifications/feeds/Occupation Base/values/Castle": 1.26,
    f"{ORDERED}/Road System/feeds/Capacity/values/Basic roads": 0.08,
    f"{ORDERED}/Road System/feeds/Occupation Base/values/Basic roads": 1.1,
    f"{ORDERED}/Urbanization/feeds/Limitation/values/Rural": 0.45,
    f"{ORDERED}/Soldier Type/feeds/Efficiency/values": {"Regular": 1, "Elite": 1.5, "Traditional": 2},
    f"{ORDERED}/Soldier Type/feeds/Effectiveness/values": {"Regular": 3, "Elite": 4, "Traditional": 5},
    f"{ORDERED}/Civilization Type/feeds/Occupation Base/values/Medieval": 1.8,
    f"{ORDERED}/Domesticated Animals/feeds/Occupation Base/values/Herd animals": 1.2,
    f"{ORDERED}/Writing/feeds/Occupation Base/values/Paper": 1.1,
    f"{ORDERED}/Medicine/feeds/Occupation Base/values/Classical Medicine": 1.0,
    "attrition/values/none": {"constant": 0.01, "siege": 0.01, "Efficiency": 0.6, "Capacity": 0.14, "Morale Bonus": 1},
    "secular_cycles/phases/1/Innate Stability": 0.99,
    "secular_cycles/phases/1/Disease": 1.35,
    "generations/phases/1/Innate Stability": 0.93,
    "generations/phases/1/Economy": 0.6,
    "generations/phases/1/Disease": 1.15,
    "diet/crops/Wheat": {"protein": 630, "yield": 0.5, "domestication": 1, "diversity": 25, "worth": 0.02},
    "max_military/share/pre-urban": {"totalitarian": 1, "others": 1},
    "max_military/share/pre-modern": {"totalitarian": 0.07, "others": 0.07},
    "max_military/share/modern": {"totalitarian": 0.2, "others": 0.1},
} | {
    f"{PAIRS}/{pair}": {variable: {"default": 0.2, "exceptions": {first: {second: number}}}}
    for pair, variable, first, second, number in (
        ("Federal Government–State Government", "Innate Stability", "Monarchy", "Feudal", 0.93),
        ("Federal Government–Civilization Type", "Innate Stability", "Monarchy", "Medieval", 0.96),
        ("State Government–Civilization Type", "Innate Stability", "Feudal", "Medieval", 0.97),
        ("State Government–Religion", "Innate Stability", "Feudal", "Christianity", 0.94),
        ("State Government–Ethnicity", "Innate Stability", "Feudal", "Caucasian", 0.93),
        ("Military Type–Soldier Type", "Efficiency", "Militia", "Regular", 0.4),
        ("Federal Government–Military Type", "Efficiency", "Monarchy", "Militia", 0.5),
        ("Urbanization–Logistics", "Capacity", "Rural", "Foraging", 0.11),
        ("Motive–Ideology", "Morale Bonus", "Conquest", "Dynastic", 1.08),
        ("Federal Government–Motive", "Morale Bonus", "Monarchy", "Conquest", 1.05),
        ("Federal Government–Ideology", "Morale Bonus", "Monarchy", "Dynastic", 1.1),
        ("Motive–Religion", "Morale Bonus", "Conquest", "Christianity", 1),
        ("Motive–Ethnicity", "Morale Bonus", "Conquest", "Caucasian", 1),
        ("Ideology–Religion", "Morale Bonus", "Dynastic", "Christianity", 1),
        ("Ideology–Ethnicity", "Morale Bonus", "Dynastic", "Caucasian", 1),
    )
}
for _pair, _first, _second, _numbers in (
    ("Federal Government–Religion", "Monarchy", "Christianity", {"Innate Stability": 0.94, "Morale Bonus": 1.04}),
    ("Federal Government–Ethnicity", "Monarchy", "Caucasian", {"Innate Stability": 0.93, "Morale Bonus": 1.02}),
    ("Military Type–Religion", "Militia", "Christianity", {"Efficiency": 0.5, "Limitation": 0.5}),
    ("Military Type–Ethnicity", "Militia", "Caucasian", {"Efficiency": 0.6, "Limitation": 0.5}),
    ("Climate–Religion", "Temperate", "Christianity", {"Limitation": 0.5, "Capacity": 0.1}),
    ("Climate–Ethnicity", "Temperate", "Caucasian", {"Limitation": 0.58, "Capacity": 0.12}),
):
    PINNED[f"{PAIRS}/{_pair}"] = {
        variable: {"default": 0.2, "exceptions": {_first: {_second: number}}} for variable, number in _numbers.items()
    }

TABLES = tables_with(PINNED)

SPEARMAN = Unit(
    name="Spearman",
    shock=0.3,
    power=(0, 1, 0.5),
    defense=0.4,
    tactical_training=6.4,
    logistics="Foraging",
    soldier_type="Regular",
    military_type="Militia",
)
CATAPULT = replace(SPEARMAN, name="Catapult", power=(3, 0, 0), logistics="Basic", tactical_training=2.0)
SHIP = replace(SPEARMAN, name="Ship", capacity=50, logistics="Uses roads", tactical_training=3.0)
NATION = Nation(
    name="Attackers",
    population=1_000_000,
    ideology="Dynastic",
    federal_government="Monarchy",
    state_government="Feudal",
    year_founded=900,
    year_crisis=960,
    civilization_type="Medieval",
    diet="Wheat",
    arable_land=1_000_000,
    age_of_civilization=-2700,
    domesticated_animals="Herd animals",
    medicine="Classical Medicine",
    writing="Paper",
    revenue="Mild surplus",
    gdp=100_000_000,
    urban_population=0.1,
    power_consumption=8_751_240,
    steel_production=4000,
)
MILITARY = Military(
    nation=("Attackers",),
    name="Host",
    size=1000,
    infantry_type="Spearman",
    infantry_proportion=1,
    transport="Ship",
    ship_number=20,
    mobile_defenses="Trenches",
    budget=300_000,
)
COMMANDER = Leader(
    name="Ada", nation=("Attackers",), attack=8, defense=9, siege=5, authority=7, cunning=5, zeal=6, martial=6
)
HEAD = Leader(name="Bo", nation=("Attackers",), attack=3, authority=2, cunning=4)
SIDE = Belligerent(nation=NATION, military=MILITARY, units=(SPEARMAN, None, None, SHIP))
_CODES = np.zeros((400, 400), np.uint8)
WAR = WarInputs(
    name="War",
    year=1000,
    motive="Conquest",
    attacker=SIDE,
    defender=replace(SIDE, nation=replace(NATION, name="Defenders")),
    location=Location(
        name="Valley",
        local_population=500_000,
        urbanization="Rural",
        fortifications="Castle",
        road_system="Basic roads",
    ),
    terrain=TerrainMap("Plain", _CODES, sha256(_CODES.tobytes()).hexdigest()),
)
"""The war without leaders."""
LED = replace(WAR, attacker=replace(SIDE, military_leader=COMMANDER, national_leader=HEAD))
"""The war in which the attacker has two leaders."""
