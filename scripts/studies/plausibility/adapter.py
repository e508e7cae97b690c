"""Translation of a row of history to rows of a workbook, as a moderator would type them; the same for every row.

Its numbers are in `adapter.json`, those of the engine in the tables. The workbook is kept in memory, and the ruleset's
own form reads it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.autoalgo.records import Leader, Location
from engine.autoalgo.setup.army import SHIPS_MOST, apportion
from engine.autoalgo.setup.tables import Tables
from engine.columns import columns, tab_of
from plausibility.archetypes import SLOTS, catalogue, likest
from plausibility.cases import ARMS, AVERAGE, Army, Case
from sheets_algo.forms.autoalgo.columns import FlankRow, MilitaryRow, NationRow, UnitRow, WarRequest
from sheets_algo.workbook.memory import MemoryWorkbook

ADAPTER = Path(__file__).with_name("adapter.json")
RECORDS = (WarRequest, FlankRow, NationRow, MilitaryRow, Location, Leader, UnitRow)
PIXELS_MOST = 399.0

Numbers = Mapping[str, Any]
Cells = dict[str, Any]
Rows = dict[type, list[Cells]]
Typed = Callable[[Case, Numbers, Tables], Rows]
"""Function that types the rows of a case."""


def adapter_numbers() -> Numbers:
    """Return the numbers of the project's adapter."""
    numbers: Numbers = json.loads(ADAPTER.read_text(encoding="utf-8"))
    return numbers


def workbook_of(cases: Sequence[Case], numbers: Numbers, tables: Tables, typed: Typed | None = None) -> MemoryWorkbook:
    """Return a workbook with a request for each case, with the case's id; `typed` replaces `rows_of`."""
    rows: Rows = {record: [] for record in RECORDS}
    for case in cases:
        for record, case_rows in (typed or rows_of)(case, numbers, tables).items():
            rows[record] += case_rows
    return MemoryWorkbook({tab_of(record).name: _grid(record, rows[record]) for record in RECORDS})


def rows_of(case: Case, numbers: Numbers, tables: Tables) -> Rows:
    """Return the rows of one case, by tab."""
    rows: Rows = {record: [] for record in RECORDS}
    ground = ground_of(case, numbers)
    names = [
        f"{army.name} ({case.id} {side})" for army, side in zip(case.armies, ("attacker", "defender"), strict=True)
    ]
    rows[WarRequest].append(
        {
            "Request": case.id,
            "War": case.name,
            "Year": case.year,
            "Attacker": names[0],
            "Defender": names[1],
            "Location": f"Field of {case.id}",
            "Terrain Map": ground.map,
            "Commit Stability": False,
            "Ready": True,
            **_columns(numbers["war"]),
        }
    )
    rows[Location].append(location_of(case, ground, numbers, tables))
    for side, name in enumerate(names):
        units = [unit_of(case, side, arm, numbers, tables) for arm in range(len(ARMS) + 1)]
        rows[UnitRow] += [unit for unit in units if unit]
        rows[NationRow].append(nation_of(case, side, name, numbers))
        rows[Leader].append(leader_of(case, side, name, numbers))
        rows[MilitaryRow].append(military_of(case, side, name, units, numbers))
        rows[FlankRow] += flanks_of(case, side, ground, numbers, tables)
    return rows


@dataclass(frozen=True, slots=True)
class Ground:
    """Place of a battle: a map, the point between the armies in pixels, and their distance."""

    map: str
    x: float
    y: float
    gap_km: float


def ground_of(case: Case, numbers: Numbers) -> Ground:
    """Return the ground of a case, the rarer feature first."""
    grounds = numbers["grounds"]
    if case.kind != "land":
        found = grounds[case.kind].get(case.terrain, grounds[case.kind]["otherwise"])
    elif case.river_crossing:
        found = grounds["river_crossing"]
    elif case.wooded:
        found = grounds["wooded"]
    else:
        found = grounds["land"].get(case.terrain, {"map": case.terrain, "at": [200, 200]})
    x, y = found["at"]
    return Ground(found["map"], x, y, found.get("gap_km", numbers["lines"]["gap_km"]))


def location_of(case: Case, ground: Ground, numbers: Numbers, tables: Tables) -> Cells:
    """Return the location's row."""
    roads = numbers["location"]["Road System"]
    best = tables.scores.best("Civilization Type", (army.civilization for army in case.armies))
    return {
        "Name": f"Field of {case.id}",
        "Climate": case.climate,
        "Terrain": ground.map,
        "Urbanization": case.urbanization,
        "Attrition": case.attrition,
        "Fortifications": case.fortifications,
        "Road System": roads.get(best, roads["otherwise"]),
    }


def nation_of(case: Case, side: int, name: str, numbers: Numbers) -> Cells:
    """Return the row of a side's nation."""
    nations, civilization = numbers["nations"], case.armies[side].civilization
    years = {header: case.year + offset for header, offset in nations["years"].items()}
    return {
        "Name": name,
        "Civilization Type": civilization,
        **years,
        **nations["otherwise"],
        **nations.get(civilization, {}),
    }


def leader_of(case: Case, side: int, name: str, numbers: Numbers) -> Cells:
    """Return the row of a side's commander."""
    leaders, army = numbers["leaders"], case.armies[side]
    sign = 1 if side == 0 else -1
    skills = {}
    for skill, per_point in leaders["a_point"].items():
        steps = sum(
            step * leaders[f"a_step_of_{name}"].get(skill, 0.0)
            for name, step in (
                ("leadership", case.leadership),
                ("intelligence", case.intelligence),
                ("morale", case.morale),
            )
        )
        skills[skill] = _rating(leaders["middle"] + per_point * (army.skill - AVERAGE) + sign * steps / 2)
    return {"Name": f"Commander of {name}", "Nation": name, **skills}


def unit_of(case: Case, side: int, arm: int, numbers: Numbers, tables: Tables) -> Cells | None:
    """Return the row of a side's unit type, the ship last: the catalogue's, with the training of the case."""
    army = case.armies[side]
    kind = (*army.types, army.ship_type)[arm]
    if not kind:
        return None
    unit = tables.units[known_as(kind, SLOTS[arm], case.year, tables, army.civilization)]
    cells: Cells = {column.header: getattr(unit, attribute) for attribute, column in columns(UnitRow)}
    sign = 1 if side == 0 else -1
    factor = numbers["technology"]["power"] ** (sign * case.technology)
    training = numbers["training"]
    return {
        **cells,
        "Name": _unit_name(case, side, kind),
        "Power": "; ".join(_typed(min(power * factor, 10.0)) for power in unit.power),
        "Tactical Training": training_of(army, numbers),
        "Logistics": _logistics_rank(unit.logistics, sign * case.logistics * numbers["logistics"]["ranks"], tables),
        "Soldier Type": army.soldier_type or soldier_type_of(army.training, training) or unit.soldier_type,
    }


def training_of(army: Army, numbers: Numbers) -> float:
    """Return the Tactical Training of an army of a case."""
    training = numbers["training"]
    return _rating(training["middle"] + training["a_point"] * (army.training - AVERAGE))


def soldier_type_of(value: float, training: Numbers) -> str:
    """Return the Soldier Type for a training; blank where it implies none."""
    return next((str(word) for word, least in training["soldier_types"].items() if value >= least), "")


def known_as(kind: str, slot: str, year: int, tables: Tables, civilization: str = "") -> str:
    """Return the unit of the catalogue that stands for an archetype of a row."""
    name = tables.unit_aliases.get(kind, kind)
    return name if name in tables.units else likest(kind, slot, year, catalogue(tables.raw["units"]), civilization)


def military_of(case: Case, side: int, name: str, units: Sequence[Cells | None], numbers: Numbers) -> Cells:
    """Return the row of a side's force."""
    army = case.armies[side]
    per_man = numbers["military"]["budget_a_man"]
    cells: Cells = {
        "Nation": name,
        "Name": f"Army of {name}",
        "Size": army.size,
        "Leader": f"Commander of {name}",
        "Mobile Defenses": case.mobile_defences if side == 1 else "none",
        "Budget": army.size * per_man.get(army.civilization, per_man["otherwise"]),
    }
    for arm, unit, share in zip(ARMS, units[: len(ARMS)], army.shares, strict=True):
        cells[f"{arm.capitalize()} Type"] = unit["Name"] if unit else "0"
        cells[f"{arm.capitalize()} Proportion"] = share if unit else 0
    if ship := units[len(ARMS)]:
        cells |= {"Transport": ship["Name"], "Ship Number": ships_of(case)[side]}
    return cells


def ships_of(case: Case) -> tuple[int, int]:
    """Return the ships of both sides, scaled down where one has more than a military may have (MIL-12)."""
    most = max(army.ships for army in case.armies)
    factor = SHIPS_MOST / most if most > SHIPS_MOST else 1.0
    return round(case.attacker.ships * factor), round(case.defender.ships * factor)


def flanks_of(case: Case, side: int, ground: Ground, numbers: Numbers, tables: Tables) -> list[Cells]:
    """Return the rows of a side's flanks with men, places and orders."""
    lines, army = numbers["lines"], case.armies[side]
    plan, km_per_pixel = lines["flanks"], tables.strategy.km_per_pixel
    front = lines["front_km"]
    width = min(max(army.front_km or front["unknown"], front["least"]), front["most"])
    surprise = case.surprise + numbers["surprise"]["a_step_of_intelligence"] * case.intelligence
    apart_km = tables.strategy.from_middle * km_per_pixel
    distance = max((ground.gap_km - abs(surprise) * numbers["surprise"]["closer_km"]) / 2, apart_km)
    sign = -1 if side == 0 else 1
    column_km = max(-surprise if side == 0 else surprise, 0.0) * numbers["surprise"]["column_km"]
    ships = apportion(ships_of(case)[side], [1.0] * len(plan)) if army.ship_type else [0] * len(plan)
    rows = []
    for number, (flank, men, flank_ships) in enumerate(zip(plan, men_of(army, lines), ships, strict=True)):
        back = distance + flank["back_km"] + number * column_km
        cells: Cells = {
            "Request": case.id,
            "Side": ("Attacker", "Defender")[side],
            "Flank": flank["label"],
            "X": _pixel(ground.x + flank["across"] * width / km_per_pixel),
            "Y": _pixel(ground.y + sign * back / km_per_pixel),
            "Maneuver": flank.get("maneuver") or maneuver_of(case, side, men, numbers),
        }
        if any(army.types):
            cells |= dict(zip(("Infantry", "Cavalry", "Artillery"), men, strict=True))
        if army.ship_type:
            cells["Ships"] = flank_ships
        rows.append(cells)
    return rows


def men_of(army: Army, lines: Numbers) -> list[list[int]]:
    """Return the men by arm of each flank, by the rules of `lines` in `adapter.json`."""
    plan = [ARMS.index(flank["arm"]) for flank in lines["flanks"]]
    totals = apportion(army.size, army.shares)
    large = [arm for arm in set(plan) if totals[arm] >= plan.count(arm) * lines["least_men"]]
    largest = max(large or range(len(ARMS)), key=lambda arm: totals[arm])
    held_by = [arm if arm in large else largest for arm in plan]
    men = [[0] * len(ARMS) for _ in plan]
    for arm, total in enumerate(totals):
        places = [place for place, holder in enumerate(held_by) if holder == (arm if arm in large else largest)]
        for place, share in zip(places, apportion(total, [1.0] * len(places)), strict=True):
            men[place][arm] = share
    return men


def maneuver_of(case: Case, side: int, men: Sequence[int], numbers: Numbers) -> str:
    """Return the order of a flank; for riders that of their side's tactics."""
    orders = numbers["maneuvers"]
    side_name = ("attacker", "defender")[side]
    if men[1] > men[0] + men[2]:
        for tactic, maneuver in orders["tactics"].items():
            if f"{side_name} {tactic}" in case.tactics:
                return str(maneuver)
    if case.kind == "siege":
        return str(orders["siege"][side_name])
    return str(orders["attacker"] if side == 0 else orders["defender"][case.posture])


def _unit_name(case: Case, side: int, kind: str) -> str:
    return f"{kind} ({case.id} {('attacker', 'defender')[side]})"


def _logistics_rank(logistics: str, steps: float, tables: Tables) -> str:
    ranks = tables.scores.ranks["Logistics"]
    target = min(max(ranks[logistics] + round(steps), 0), len(ranks) - 1)
    return next(word for word, rank in ranks.items() if rank == target)


def _rating(value: float) -> float:
    return min(max(value, 0.0), 10.0)


def _pixel(value: float) -> float:
    return min(max(value, 0.0), PIXELS_MOST)


def _columns(numbers: Numbers) -> Cells:
    return {header: value for header, value in numbers.items() if header != "about"}


def _grid(record: type, rows: Sequence[Cells]) -> list[list[Any]]:
    headers = [column.header for _, column in columns(record)]
    return [headers, *([row.get(header) for header in headers] for row in rows)]


def _typed(number: float) -> str:
    """Return a number of six digits as text that means one number only, unlike 1.714 (NUM-02)."""
    return f"{float(f'{number:.6g}'):.7f}"
