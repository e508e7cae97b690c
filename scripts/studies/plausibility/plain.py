"""Translation of a row of history to the few cells that a moderator types: names, numbers, a map, works, a maneuver.

Units are those of the catalogue as they stand, flanks are the default three, and every other column is left to its
default. So these rows show what the rules make of a war without the study's own numbers (`adapter.py`).
"""

from __future__ import annotations

from engine.autoalgo.records import Leader, Location
from engine.autoalgo.setup.tables import Tables
from plausibility.adapter import RECORDS, Cells, Numbers, Rows, known_as, leader_of, ships_of, training_of
from plausibility.archetypes import SLOTS
from plausibility.cases import ARMS, SIDES, Army, Case
from sheets_algo.forms.autoalgo.columns import FlankRow, MilitaryRow, NationRow, WarRequest

SKILLS = ("Attack", "Defense", "Siege", "Authority", "Cunning", "Zeal", "Martial")
STEP_PIXELS = 14
"""Pixels (3.5 km) between the flanks of an army for each step of its surprise: 1 a raid on a camp, 2 an attack on the
march, 3 an ambush in a defile."""
POPULATION = 5_000_000
"""Population of every nation; one of the columns that have no default."""
FOUNDED, CRISIS = -100, -45
"""Years of a nation's founding and crisis, counted from the war's, as of the generic nation (R-27)."""


def plain_rows(case: Case, numbers: Numbers, tables: Tables) -> Rows:
    """Return the rows of one case, by tab; `numbers` are not used."""
    rows: Rows = {record: [] for record in RECORDS}
    names = [f"{army.name} ({case.id} {side})" for army, side in zip(case.armies, SIDES, strict=True)]
    place = f"Field of {case.id}"
    rows[WarRequest].append(
        {
            "Request": case.id,
            "War": case.name,
            "Year": case.year,
            "Attacker": names[0],
            "Defender": names[1],
            "Location": place,
            "Relief": case.relief,
            "Ready": True,
        }
    )
    rows[Location].append(
        {
            "Name": place,
            "Climate": case.climate,
            "Terrain": case.terrain,
            "Urbanization": case.urbanization,
            "Attrition": case.attrition,
            "Fortifications": case.fortifications,
        }
    )
    for side, (name, army) in enumerate(zip(names, case.armies, strict=True)):
        rows[NationRow].append(
            {
                "Name": name,
                "Population": POPULATION,
                "Year Founded": case.year + FOUNDED,
                "Year Crisis": case.year + CRISIS,
                "Civilization Type": army.civilization,
            }
        )
        rows[Leader].append({"Name": f"Commander of {name}", "Nation": name, **dict.fromkeys(SKILLS, army.skill)})
        rows[MilitaryRow].append(_military(case, side, name, army, tables))
        order = {"Request": case.id, "Side": SIDES[side].capitalize(), "Maneuver": case.maneuvers[side] or "Normal"}
        if case.surprise * (side - 0.5) > 0:  # it is surprised
            rows[FlankRow] += [order | {"X": x, "Y": y} for x, y in column(side, abs(case.surprise), tables)]
        elif case.maneuvers[side]:
            rows[FlankRow] += [dict(order) for _ in tables.strategy.default_flanks]
    return rows


def rated_rows(case: Case, numbers: Numbers, tables: Tables) -> Rows:
    """Return the plain rows of a moderator who rates armies too: their training, and the whole range of skills."""
    rows = plain_rows(case, numbers, tables)
    for side, military in enumerate(rows[MilitaryRow]):
        military["Tactical Training"] = training_of(case.armies[side], numbers)
        rows[Leader][side] = leader_of(case, side, str(military["Nation"]), numbers)
    return rows


def column(side: int, steps: float, tables: Tables) -> list[tuple[float, float]]:
    """Return the places of a side that is found on the march: in a column behind the middle of its default places."""
    places, away = (tables.strategy.attackers, tables.strategy.defenders)[side], (-1, 1)[side]
    x, y = places[len(places) // 2]
    return [(x, y + away * steps * STEP_PIXELS * place) for place in range(len(places))]


def _military(case: Case, side: int, name: str, army: Army, tables: Tables) -> Cells:
    """Return the row of a side's force."""
    kinds = (*army.types, army.ship_type)
    units = [
        known_as(kind, slot, case.year, tables, army.civilization) if kind else ""
        for kind, slot in zip(kinds, SLOTS, strict=True)
    ]
    cells: Cells = {
        "Nation": name,
        "Name": f"Army of {name}",
        "Size": army.size,
        "Leader": f"Commander of {name}",
        "Mobile Defenses": case.mobile_defences if side == 1 else "none",
        "Tactical Training": army.training_word or None,
    }
    for arm, unit, share in zip(ARMS, units, army.shares, strict=False):
        cells[f"{arm.capitalize()} Type"] = unit or "0"
        cells[f"{arm.capitalize()} Proportion"] = share if unit else 0
    if units[-1]:
        cells |= {"Transport": units[-1], "Ship Number": ships_of(case)[side]}
    return cells
