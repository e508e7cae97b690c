"""Men of an army by slot, and its ships, before their division over flanks (MD-01 to MD-08); pixels of features.

Here, too, are the typed counts of its flanks: blank, men or ships, or shares of the army's (STRAT-02, R-58, R-124).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.autoalgo.inputs import Belligerent, Count, FlankOrder, WarInputs
from engine.autoalgo.setup.tables import Tables
from engine.share import UNITS, WHOLE, Share
from engine.terrain import TerrainMap

SHIPS_MOST = 500
"""Upper bound of the column Ship Number (MIL-12) and of the derived number of ships (MD-05)."""


def belligerent(war: WarInputs, side: int) -> Belligerent:
    """Return a side of the war, 0 the attacker, 1 the defender."""
    return war.attacker if side == 0 else war.defender


def armies_of(war: WarInputs, side: int) -> tuple[Belligerent, ...]:
    """Return the armies of a side, its leader's first (R-130)."""
    leader = belligerent(war, side)
    return (leader, *leader.allies)


def army_places(war: WarInputs) -> tuple[tuple[int, int], ...]:
    """Return side and position of every army, in the order of a battle's arrays: both leaders' first (R-130)."""
    allied = [(side, place) for side in (0, 1) for place in range(1, len(armies_of(war, side)))]
    return ((0, 0), (1, 0), *allied)


def nation_numbers(war: WarInputs) -> tuple[int, ...]:
    """Return the number of each army's nation, in the order of `army_places`.

    The leaders' nations have the numbers of their sides; every other nation of a side has a number from 2 on.
    """
    numbers: dict[tuple[int, str], int] = {}
    for side, place in army_places(war):
        numbers.setdefault((side, armies_of(war, side)[place].member), len(numbers))
    return tuple(numbers[side, armies_of(war, side)[place].member] for side, place in army_places(war))


def led_by(war: WarInputs, side: int, place: int) -> WarInputs:
    """Return the war with another army of a side as its leader (R-130)."""
    if place == 0:
        return war
    armies = armies_of(war, side)
    others = tuple(replace(army, allies=()) for number, army in enumerate(armies) if number != place)
    leader = replace(armies[place], allies=others)
    return replace(war, attacker=leader) if side == 0 else replace(war, defender=leader)


def shares_of_armies(war: WarInputs, side: int, *, of_gunners: bool = False) -> tuple[float, ...]:
    """Return the share of each army in the men, or gunners, of its side; 1 for the leader's without any (R-130)."""
    men = [slot_counts(army)[2] if of_gunners else men_in_slots(army) for army in armies_of(war, side)]
    return tuple(own / sum(men) for own in men) if sum(men) else (1.0, *[0.0] * (len(men) - 1))


def has_land_types(army: Belligerent) -> bool:
    """Return True if any slot has men; otherwise the military fights as its ships' crews (MD-08, R-59)."""
    return any(unit is not None and share > 0 for unit, share in _slots(army))


def men_in_slots(army: Belligerent) -> int:
    """Return the number of men in battle, Y of STRAT-06: those in slots (MD-04, R-63), without land types the crews."""
    return sum(slot_counts(army)) if has_land_types(army) else army.military.size


def slot_counts(army: Belligerent) -> list[int]:
    """Return the men of the three land slots: Size times proportion, rounded by largest remainder (MD-02)."""
    shares = [share if unit is not None else 0.0 for unit, share in _slots(army)]
    total = math.floor(army.military.size * math.fsum(shares) + 0.5)
    return apportion(min(total, army.military.size), shares)


def ship_number(army: Belligerent) -> int:
    """Return the number of ships; if not given, enough for all men, at most 500 (MD-05, QN-09)."""
    if army.military.ship_number:
        return army.military.ship_number
    transport = army.units[3]
    if transport is None or transport.capacity == 0:
        return 0
    return min(-(-army.military.size // transport.capacity), SHIPS_MOST)


def ships_present(war: WarInputs, side: int, tables: Tables) -> int:
    """Return a side's ships in a war; hired ones stay behind where there is no Water (R-112).

    The ships of crews always take part.
    """
    army = belligerent(war, side)
    has_use = has_water(war.terrain, tables) or war.location.climate == tables.climate.ocean
    return ship_number(army) if has_own_ships(army) or has_use or not has_land_types(army) else 0


def has_own_ships(army: Belligerent) -> bool:
    """Return True if an army's ships were typed; otherwise it hires as many as it needs (MD-05)."""
    typed = (army.military.ship_number, *(order.ships for order in army.flanks))
    return any(isinstance(ships, int) and ships > 0 for ships in typed)


def is_at_sea(war: WarInputs, tables: Tables) -> bool:
    """Return True for a war without land: in the climate of the ocean, or on a map of Water only."""
    return war.location.climate == tables.climate.ocean or not has_land(war.terrain, tables)


def has_boats(war: WarInputs, side: int, tables: Tables) -> bool:
    """Return True if a side hires boats to cross Water near land, which do not fight (R-122)."""
    own = belligerent(war, side)
    is_hired = own.military.ship_number == 0 and has_land_types(own)
    return is_hired and not is_at_sea(war, tables) and tables.constants.r_122.applies > 0


def split_evenly(total: int, parts: int) -> list[int]:
    """Split a total into whole parts as equal as possible; the first parts get the remainder (STRAT-02, R-38)."""
    return [total // parts + (1 if part < total % parts else 0) for part in range(parts)]


def apportion(total: int, weights: Sequence[float]) -> list[int]:
    """Split a total into whole numbers in proportion to the weights; all 0 if no weight is above 0 (R-38).

    Rounds by largest remainder; of equal remainders the earlier one is rounded up first.
    """
    full = math.fsum(weights)
    if full <= 0:
        return [0] * len(weights)
    exact = [total * weight / full for weight in weights]
    shares = [math.floor(share) for share in exact]
    by_remainder = sorted(range(len(weights)), key=lambda part: shares[part] - exact[part])
    for part in by_remainder[: total - sum(shares)]:
        shares[part] += 1
    return shares


def _slots(army: Belligerent) -> tuple[tuple[object | None, float], ...]:
    military = army.military
    shares = (military.infantry_proportion, military.cavalry_proportion, military.artillery_proportion)
    return tuple(zip(army.units[:3], shares, strict=True))


def is_on_water(terrain: TerrainMap, x: float, y: float, tables: Tables) -> bool:
    """Return True if the pixel nearest to a place is Water."""
    last = terrain.codes.shape[0] - 1
    column, row = min(max(math.floor(x + 0.5), 0), last), min(max(math.floor(y + 0.5), 0), last)
    return tables.terrain[int(terrain.codes[row, column])].is_water


@lru_cache(maxsize=16)
def has_water(terrain: TerrainMap, tables: Tables) -> bool:
    """Return True if any pixel of the map is Water."""
    return bool(water_of(terrain, tables).any())


@lru_cache(maxsize=16)
def has_land(terrain: TerrainMap, tables: Tables) -> bool:
    """Return True if any pixel of the map is not Water."""
    return not bool(water_of(terrain, tables).all())


def water_of(terrain: TerrainMap, tables: Tables) -> NDArray[np.bool_]:
    """Return the mask of the map's pixels of Water."""
    return pixels_of(terrain, tuple(code for code, feature in enumerate(tables.terrain) if feature.is_water))


@lru_cache(maxsize=16)
def pixels_of(terrain: TerrainMap, codes: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return the mask of the pixels with one of some features, cached because a war asks some thirty times."""
    return np.isin(terrain.codes, codes)


def nearest_pixel(pixels: NDArray[np.bool_], x: float, y: float) -> tuple[float, float]:
    """Return the nearest of some pixels to a place, the first of equally near ones; the place if there are none."""
    rows, columns = np.nonzero(pixels)
    if rows.size == 0:
        return x, y
    squared = (columns - x) * (columns - x) + (rows - y) * (rows - y)
    nearest = int(np.argmin(squared))
    return float(columns[nearest]), float(rows[nearest])


COLUMNS = ("infantry", "cavalry", "artillery", "ships")
"""Attributes of the counts of an order, in the order of `TYPES`."""
ROUNDED = UNITS
"""Units by which rounded shares may fall short of the whole: 33 % three times is a third each (R-124)."""
EXCESS = 100
"""Units that rounding in a spreadsheet may add: one in 10,000 of a per cent."""


def typed_counts(orders: Sequence[FlankOrder], totals: Sequence[int], ships_by_men: bool) -> list[list[int]]:
    """Return the men of each slot, and the ships, of each flank, shape (types, flanks).

    A column that is blank on every flank is divided evenly, men unless the side has numbers.

    Args:
        orders: The flanks of the side, at least one.
        totals: The men of each slot of the army, and its ships.
        ships_by_men: True if blank ships are divided as the men are, as many as the typed ones leave (R-58).
    """
    *typed, ships = [[getattr(order, name) for order in orders] for name in COLUMNS]
    has_numbers = any(isinstance(cell, int) for cells in (*typed, ships) for cell in cells)
    men = [
        [0] * len(cells) if has_numbers and _is_blank(cells) else column_counts(cells, total)
        for cells, total in zip(typed, totals, strict=False)
    ]
    weights = [sum(flank) for flank in zip(*men, strict=True)] if ships_by_men else []
    return [*men, column_counts(ships, totals[-1], weights)]


def column_counts(cells: Sequence[Count], total: int, weights: Sequence[int] = ()) -> list[int]:
    """Return the numbers meant by the cells of one column: shares by largest remainder (R-124), then blanks.

    Shares that sum to the whole use exactly the total; equal shares count like blank cells.

    Args:
        cells: One cell of each flank of a side.
        total: The men of that slot of the army, or its ships.
        weights: By which blank cells divide what the others leave; if none is above 0, a column of blanks is divided
            evenly, and a blank among others is 0.
    """
    units = [cell.units if isinstance(cell, Share) else 0 for cell in cells]
    shared = total if is_whole(units) else int(total * sum(units) / WHOLE + 0.5)
    parts = apportion(shared, units)
    counts = [part if isinstance(cell, Share) else cell or 0 for cell, part in zip(cells, parts, strict=True)]
    weights = weights if any(weights) else [1 if _is_blank(cells) else 0] * len(cells)
    blanks = [weight if cell is None else 0 for cell, weight in zip(cells, weights, strict=True)]
    rest = apportion(max(total - sum(counts), 0), blanks)
    return [count + more for count, more in zip(counts, rest, strict=True)]


def is_whole(units: Sequence[int]) -> bool:
    """Return True if shares sum to the whole, apart from rounding."""
    return WHOLE - ROUNDED <= sum(units) <= WHOLE + EXCESS


def share_sum(cells: Sequence[Count]) -> float:
    """Return the sum of the shares of a column in per cent."""
    return sum(cell.units for cell in cells if isinstance(cell, Share)) / UNITS


def shares_fit(cells: Sequence[Count], fills_blanks: bool = False) -> bool:
    """Return True if a column has no shares, or shares that make the whole, without numbers beside them (R-124).

    Args:
        cells: One cell of each flank of a side.
        fills_blanks: True for a column of which blank cells take what the others leave (R-58).
    """
    shares = [cell.units for cell in cells if isinstance(cell, Share)]
    has_numbers = any(isinstance(cell, int) and cell for cell in cells)
    is_filled = fills_blanks and None in cells and sum(shares) <= WHOLE
    return not shares or ((is_whole(shares) or is_filled) and not has_numbers)


def _is_blank(cells: Sequence[Any]) -> bool:
    return all(cell is None for cell in cells)
