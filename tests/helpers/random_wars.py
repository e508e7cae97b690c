"""Hypothesis strategies for wars that any workbook could hold: `from tests.helpers.random_wars import wars`.

All results pass the checks of requests; numbers come from the whole ranges of their columns, more often those that a
moderator would type.
"""

from __future__ import annotations

import functools
import math
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from engine.autoalgo.inputs import Belligerent, FlankOrder, WarInputs
from engine.autoalgo.records import LATEST_YEAR, NONE_ON_PURPOSE, Leader, Location, Military, Nation, Unit
from engine.autoalgo.setup.strategy import strategy_message
from engine.columns import Field, Kind, column, columns
from engine.terrain import TerrainMap
from scripts.support.pinned_tables import shipped_tables, tables

ATTACKER_NATION, DEFENDER_NATION = "Attackers", "Defenders"


def seeds() -> SearchStrategy[int]:
    """Return seeds of a ruling (R-25)."""
    return st.integers(0, 2**64 - 1)


ROWS = {ATTACKER_NATION: (150.0, 198.0), DEFENDER_NATION: (202.0, 250.0)}
"""Least and greatest Y of the flanks of a side (R-116)."""
ANYWHERE = (150.0, 250.0)


@st.composite
def nations(draw: st.DrawFn, name: str = ATTACKER_NATION, year: int = 1066) -> Nation:
    """Draw a nation that was founded, and had its crisis, before `year`."""
    columns_drawn = _columns(draw, Nation, "name", "leader", "capital", "year_founded", "year_crisis")
    return Nation(
        name=name,
        year_founded=draw(st.integers(max(-3500, year - 400), year)),
        year_crisis=draw(st.integers(max(-3500, year - 150), year)),
        **columns_drawn,
    )


@st.composite
def units(draw: st.DrawFn, name: str = "Warrior", capacity_least: int = 0) -> Unit:
    """Draw a unit of the catalogue or a made-up one, as a ship with room for at least `capacity_least`."""
    if draw(st.booleans()):
        fitting = [unit for unit in tables().units.values() if unit.capacity >= capacity_least]
        return draw(st.sampled_from(fitting))
    capacity = draw(st.integers(capacity_least, 10_000))
    return Unit(name=name, capacity=capacity, **_columns(draw, Unit, "name", "capacity"))


@st.composite
def leaders(draw: st.DrawFn, nation: str = ATTACKER_NATION) -> Leader:
    """Draw a leader of that nation."""
    name = draw(st.sampled_from(("Harald", "Maud", "Tzimiskes", "伯")))
    birth = draw(st.none() | st.integers(-3500, LATEST_YEAR))
    return Leader(
        name=name,
        nation=(nation,),
        birth_year=birth,
        **_columns(draw, Leader, "name", "nation", "birth_year", "status"),
    )


@st.composite
def militaries(
    draw: st.DrawFn, nation: str = ATTACKER_NATION, size_most: int = 40_000, naval: bool = False
) -> tuple[Military, tuple[Unit | None, Unit | None, Unit | None, Unit | None]]:
    """Draw a military and its unit types, the last its transport; a naval one has no land types (MD-08)."""
    ship = draw(units("Transport", capacity_least=1))
    size = draw(st.integers(1, size_most) | st.integers(300, min(size_most, 12_000)))
    slots = draw(st.sampled_from(("", "i", "ic", "ia", "ica", "c", "a", "ca"))) if not naval else ""
    infantry = draw(units("infantry")) if "i" in slots else None
    cavalry = draw(units("cavalry")) if "c" in slots else None
    artillery = draw(units("artillery")) if "a" in slots else None
    if not naval and not slots:  # MD-03: all three blank
        infantry, shares = tables().units[tables().basic_unit], (1.0, 0.0, 0.0)
    else:
        shares = draw(_proportions((infantry is not None, cavalry is not None, artillery is not None)))
    land = (infantry, cavalry, artillery)
    ships = draw(st.just(0) | st.integers(1, 60))
    names = [NONE_ON_PURPOSE if unit is None else unit.name for unit in land]
    military = Military(
        nation=(nation,),
        name=f"Army of {nation}",
        size=size,
        infantry_type=names[0],
        infantry_proportion=shares[0],
        cavalry_type=names[1],
        cavalry_proportion=shares[1],
        artillery_type=names[2],
        artillery_proportion=shares[2],
        transport=ship.name,
        ship_number=ships or min(math.ceil(size / ship.capacity), 500),  # MD-05
        mobile_defenses=draw(st.sampled_from(tables().lists["Mobile Defenses"].values)),
        budget=draw(st.sampled_from((0.0, 1_000_000.0, 50_000_000.0)) | st.floats(0, 1e12)),
    )
    return military, (*land, ship)


@st.composite
def locations(draw: st.DrawFn, climate: str | None = None) -> Location:
    """Draw a location, of that climate if one is given."""
    location = Location(
        name="Battlefield", terrain="Synthetic", **_columns(draw, Location, "name", "terrain", "owner", "occupied_by")
    )
    return location if climate is None else replace(location, climate=climate)


@st.composite
def grounds(draw: st.DrawFn, naval: bool = False) -> TerrainMap:
    """Draw a map of four by four blocks of features; all water for fleets."""
    legend = tables().terrain
    water = next(index for index, feature in enumerate(legend) if feature.is_water)
    if naval:
        codes = np.full((4, 4), water)
    else:
        dry = [index for index in range(len(legend)) if index != water]
        weighted = st.sampled_from([*dry, 0, 0, 0] + [water] * draw(st.integers(0, 1)))
        codes = np.array(draw(st.lists(weighted, min_size=16, max_size=16))).reshape(4, 4)
    side = tables().strategy.map_pixels // 4
    pixels = np.kron(codes, np.ones((side, side), np.uint8)).astype(np.uint8)
    return TerrainMap("Synthetic", pixels, sha256(pixels.tobytes()).hexdigest())


@st.composite
def belligerents(
    draw: st.DrawFn,
    nation: str = ATTACKER_NATION,
    year: int = 1066,
    size_most: int = 40_000,
    naval: bool = False,
    is_anywhere: bool = False,
) -> Belligerent:
    """Draw one side; sometimes one person in both posts, sometimes flanks of its own."""
    military, unit_types = draw(militaries(nation, size_most, naval))
    commander = draw(st.none() | leaders(nation))
    head = draw(st.none() | st.just(commander) | leaders(nation))
    return Belligerent(
        nation=draw(nations(nation, year)),
        military=military,
        units=unit_types,
        military_leader=commander,
        national_leader=head,
        flanks=draw(st.just(()) | flank_orders(military, ANYWHERE if is_anywhere else ROWS[nation])),
    )


@st.composite
def flank_orders(draw: st.DrawFn, military: Military, rows: tuple[float, float] = ANYWHERE) -> tuple[FlankOrder, ...]:
    """Draw a valid strategy (STRAT-06, STRAT-07): one to five flanks that hold the whole military."""
    count = draw(st.integers(1, 5))
    shares = (military.infantry_proportion, military.cavalry_proportion, military.artillery_proportion)
    totals = _whole_parts(military.size, shares)
    split = [draw(_split(total, count)) for total in (*totals, military.ship_number)]
    afloat = not any(totals)
    return tuple(
        FlankOrder(
            label=draw(st.sampled_from(("", "van", "rear"))),
            x=draw(st.none() | st.floats(150, 250)),
            y=draw(st.none() | st.floats(*rows)),
            infantry=0 if afloat else split[0][flank],
            cavalry=0 if afloat else split[1][flank],
            artillery=0 if afloat else split[2][flank],
            ships=split[3][flank],
            maneuver=draw(st.sampled_from(tables().lists["Maneuver"].values)),
        )
        for flank in range(count)
    )


@st.composite
def wars(draw: st.DrawFn, size_most: int = 40_000, naval: bool | None = None, is_anywhere: bool = False) -> WarInputs:
    """Draw a whole war; one in four between fleets on open water, unless `naval` is given.

    Each side starts in its half (R-116), unless `is_anywhere`. Flanks that nothing hides are in no ambush (R-118).
    """
    at_sea = draw(st.sampled_from((False, False, False, True))) if naval is None else naval
    year = draw(st.integers(-3100, LATEST_YEAR))
    war = WarInputs(
        name="A war",
        year=year,
        motive=draw(st.sampled_from(tables().lists["Motive"].values)),
        attacker=draw(belligerents(ATTACKER_NATION, year, size_most, at_sea, is_anywhere)),
        defender=draw(belligerents(DEFENDER_NATION, year, size_most, at_sea, is_anywhere)),
        location=draw(locations(tables().climate.ocean if at_sea else None)),
        terrain=draw(grounds(at_sea)),
        commit_stability=draw(st.booleans()),
    )
    while any(refused := [_refused_ambushes(war, side) for side in (0, 1)]):
        attacker, defender = (
            replace(
                own,
                flanks=tuple(
                    replace(flank, maneuver="Normal") if place in refused[side] else flank
                    for place, flank in enumerate(own.flanks)
                ),
            )
            for side, own in enumerate((war.attacker, war.defender))
        )
        war = replace(war, attacker=attacker, defender=defender)
    return war


def _refused_ambushes(war: WarInputs, side: int) -> set[int | None]:
    problems = strategy_message(war, side, shipped_tables()).problems
    return {problem.flank for problem in problems if problem.id == "R-118"}


def _columns(draw: st.DrawFn, record: type, *without: str) -> dict[str, Any]:
    return {name: draw(_strategy(record, name)) for name, _ in columns(record) if name not in without}


@functools.cache
def _strategy(record: type, name: str) -> SearchStrategy[Any]:
    """Return the strategy of a column, made once: Hypothesis examines each strategy that it has not drawn from."""
    return _value(column(record, name))


def _value(field: Field) -> SearchStrategy[Any]:
    """Return a strategy of any value the column allows, more often its default and the ends of its range."""
    match field.kind:
        case Kind.CHOICE:
            return st.sampled_from(tables().lists[field.choices].values)
        case Kind.WHOLE:
            assert field.low is not None
            assert field.high is not None
            low, high = int(field.low), int(field.high)
            usual = st.sampled_from([low, high] if field.required else [low, field.default, high])
            return usual | st.integers(low, high) | st.integers(low, min(high, low + 3_000_000))
        case Kind.NUMBERS:
            number = st.sampled_from((0.0, 0.5, 1.0)) | st.floats(field.low, field.high)
            return st.tuples(*[number] * field.count)
        case _:
            assert field.low is not None
            assert field.high is not None
            usual = st.sampled_from([float(field.low), float(field.default), float(field.high)])
            return usual | st.floats(field.low, field.high)


@st.composite
def _proportions(draw: st.DrawFn, present: tuple[bool, ...]) -> tuple[float, float, float]:
    """Draw hundredths that sum to 1 over the present types."""
    weights = [draw(st.integers(1, 20)) if is_present else 0 for is_present in present]
    if not any(weights):
        return 0.0, 0.0, 0.0
    first, second, third = (part / 100 for part in _whole_parts(100, [weight / sum(weights) for weight in weights]))
    return first, second, third


@st.composite
def _split(draw: st.DrawFn, total: int, count: int) -> list[int]:
    cuts = sorted(draw(st.lists(st.integers(0, total), min_size=count - 1, max_size=count - 1)))
    return [high - low for low, high in zip([0, *cuts], [*cuts, total], strict=True)]


def _whole_parts(total: int, shares: Any) -> list[int]:
    """Return whole numbers in the proportion of the shares, by largest remainder; all 0 when every share is."""
    if not any(shares):
        return [0 for _ in shares]
    exact = [total * share for share in shares]
    parts = [math.floor(part + 1e-9) for part in exact]
    missing = round(sum(exact)) - sum(parts)
    for index in sorted(range(len(parts)), key=lambda index: parts[index] - exact[index])[:missing]:
        parts[index] += 1
    return parts
