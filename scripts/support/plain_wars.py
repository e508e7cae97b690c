"""Wars as a moderator types them: nations and armies of all sizes, units of one age, no leaders, most cells blank.

They are a function of a seed. `random_wars` has those that nobody would type.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from engine.autoalgo.inputs import Belligerent, WarInputs
from engine.autoalgo.setup.tables import Tables
from engine.terrain import TerrainMap

AGES: Sequence[tuple[int, str, str, str, str]] = (
    (-200, "Iron Age", "Legionary", "Companion cavalry", ""),
    (1066, "Medieval", "Huscarl", "Norman Knight", ""),
    (1340, "Medieval", "Longbowman", "French knight", "Trebuchet"),
    (1640, "Early Modern", "Pike and shot", "Cuirassier and harquebusier", "Early field gun"),
    (1790, "Early Modern", "Line infantry (flintlock)", "Sabre cavalry", "Smoothbore field gun"),
    (1870, "Industrial", "Breech-loader infantry", "Carbine cavalry", "Rifled field gun (breech-loader)"),
)
"""Year, civilization, foot, horse and guns."""
CAPITAL, FORTIFIED = 0.05, 0.2
"""Chances that a war is fought for the defender's capital, and at a fortified place."""


def plain_wars(count: int, tables: Tables, maps: Mapping[str, TerrainMap], seed: int = 1) -> Iterator[WarInputs]:
    """Yield wars, each between two nations of its own."""
    for number in range(count):
        dice = random.Random(f"{seed}/{number}")
        year, civilization, foot, horse, guns = dice.choice(AGES)
        location = replace(
            tables.defaults.location,
            name="Marches",
            local_population=round(10 ** dice.uniform(4, 6)),
            climate=dice.choice(("Temperate", "Temperate", "Continental", "Arid", "Tropical")),
            fortifications=dice.choice(("Palisade", "Castle", "Curtain Walls"))
            if dice.random() < FORTIFIED
            else "none",
        )
        men = 10 ** dice.uniform(3, 4.8)
        odds = dice.lognormvariate(0, 0.4)
        sides = []
        for side, size in enumerate((men * math.sqrt(odds), men / math.sqrt(odds))):
            own = _side("AB"[side], round(size), year, civilization, tables, dice)
            types = tuple(tables.units[name] if name else None for name in (foot, horse, guns))
            shares = (0.75, 0.2, 0.05) if guns else (0.8, 0.2, 0.0)
            military = replace(
                own.military,
                infantry_proportion=shares[0],
                cavalry_proportion=shares[1],
                artillery_proportion=shares[2],
            )
            sides.append(replace(own, military=military, units=(*types, own.units[3])))
        if dice.random() < CAPITAL:
            sides[1] = replace(sides[1], nation=replace(sides[1].nation, capital=location.name))
        yield WarInputs(
            name=f"War {number}",
            year=year,
            motive=dice.choice(tables.lists["Motive"].values),
            attacker=sides[0],
            defender=sides[1],
            location=location,
            terrain=maps[dice.choice(sorted(maps))],
        )


def _side(name: str, size: int, year: int, civilization: str, tables: Tables, dice: random.Random) -> Belligerent:
    """Return a nation and its army, without units and leaders."""

    def word(header: str) -> str:
        return dice.choice(tables.lists[header].values)

    nation = replace(
        tables.defaults.nation(year),
        name=name,
        stability=round(dice.uniform(30, 180), 1),
        population=round(10 ** dice.uniform(5.5, 7.5)),
        federal_government=word("Federal Government"),
        state_government=word("State Government"),
        revenue=word("Revenue"),
        trade=word("Trade"),
        civilization_type=civilization,
        year_founded=year - dice.randrange(10, 300),
        year_crisis=year - dice.randrange(5, 100),
    )
    nation = replace(nation, gdp=round(nation.population * 10 ** dice.uniform(2, 3.3)))
    military = replace(tables.defaults.military, name=f"Army of {name}", nation=(name,), size=size)
    return Belligerent(nation=nation, military=military, units=(None, None, None, tables.units[tables.basic_transport]))
