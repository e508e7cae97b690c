"""The flanks before battle (STRAT): who stands where with how many, and whether the orders add up.

A workbook holds the strategy, so resetting it is deleting its rows, and the state after the battle stands beside the
orders (STRAT-08, STRAT-09). Copied and deleted rows change the total (STRAT-05), which is what the messages are for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.autoalgo.inputs import Belligerent, WarInputs
from engine.autoalgo.tables import Tables
from engine.terrain import TerrainMap

SHIPS_MOST = 500
"""Bound of the column Ship Number (MIL-12), which also bounds what is derived (MD-05)."""
COUNTED = ("Inf", "Cav", "Art")


@dataclass(frozen=True, slots=True)
class FlankPlan:
    """One flank as it will stand before the battle.

    Args:
        label: Its name.
        x: Pixels from the left edge, a pixel's centre is a whole number.
        y: Pixels from the top edge.
        counts: Men in the infantry, cavalry and artillery slot.
        crew: Men in a military without land types, who are the ships' crews (STRAT-04); else 0.
        ships: Ships.
        maneuver: STRAT-11.
    """

    label: str
    x: float
    y: float
    counts: tuple[int, int, int]
    crew: int
    ships: int
    maneuver: str

    @property
    def men(self) -> int:
        """STRAT-04: the flank's size; a flank of size 0 is Inactive (STRAT-05)."""
        return self.counts[0] + self.counts[1] + self.counts[2] + self.crew


@dataclass(frozen=True, slots=True)
class StrategyProblem:
    """Why a strategy cannot run.

    Args:
        id: The rule.
        kind: `Size`, `Inf`, `Cav`, `Art`, `Navy` for totals; the column's header for one flank's cell; `Flanks`.
        excess: `too many` or `too few` for totals, else blank.
        found: What the flanks have: a total, a coordinate, a count.
        allowed: What they may have, as a number for totals, else in words.
        flank: Number of the flank on its side, counted from 0; None for the whole side.
    """

    id: str
    kind: str
    excess: str
    found: float
    allowed: str
    flank: int | None = None


@dataclass(frozen=True, slots=True)
class StrategyMessage:
    """What a side's strategy is worth.

    Args:
        text: `Good (7000/7000)`, or `Invalid Cav (2400/2450)` and its like, joined by semicolons.
        flanks: How many there are (R-34).
        problems: An invalid strategy cannot run (STRAT-07); empty when it can.
        warnings: Sentences; the battle runs all the same (R-34).
    """

    text: str
    flanks: int
    problems: tuple[StrategyProblem, ...]
    warnings: tuple[str, ...]


def strategy_message(war: WarInputs, side: int, tables: Tables) -> StrategyMessage:
    """STRAT-06, STRAT-07, STRAT-12, R-34: everything there is to say about one side's strategy."""
    own = belligerent(war, side)
    plans = flank_table(war, side, tables)
    totals = _problems_of_totals(own, plans, tables)
    cells = (*_problems_of_cells(own, plans, tables), *_problems_of_ships(own, plans, war.terrain, tables))
    men, most = sum(plan.men for plan in plans), men_in_slots(own)
    # A cell that cannot stand has its own problem; the totals may be right all the same.
    text = "; ".join(f"Invalid {it.kind} ({it.found:.0f}/{it.allowed})" for it in totals) or f"Good ({men}/{most})"
    return StrategyMessage(text, len(plans), (*totals, *cells), _warnings(war, side, plans, tables))


def flank_table(war: WarInputs, side: int, tables: Tables) -> tuple[FlankPlan, ...]:
    """STRAT-01 to STRAT-05, DB-15: the flanks of one side, defaults filled in; never empty.

    All four counts blank on every flank mean an even split (STRAT-02); otherwise a blank is 0, but ships that are
    blank on every flank are split evenly for themselves, since their number is usually a derived one (R-58). The
    ships of MD-06 may be typed like any others (R-91).
    """
    own = belligerent(war, side)
    orders = own.flanks
    number = len(orders) or len(tables.strategy.default_flanks)
    by_type = [split_evenly(count, number) for count in slot_counts(own)]
    ships = split_evenly(ship_number(own), number)
    if any(count is not None for it in orders for count in (it.infantry, it.cavalry, it.artillery)):
        by_type = [
            [it.infantry or 0 for it in orders],
            [it.cavalry or 0 for it in orders],
            [it.artillery or 0 for it in orders],
        ]
    if any(it.ships is not None for it in orders):
        ships = [it.ships or 0 for it in orders]
        if all(count is None for it in orders for count in (it.infantry, it.cavalry, it.artillery)):
            by_type = [[0] * number for _ in COUNTED]
    crews = [0] * number if has_land_types(own) else apportion(own.military.size, ships)
    plans = []
    for flank in range(number):
        label, maneuver = (orders[flank].label, orders[flank].maneuver) if orders else ("", "Normal")
        x, y = _place(own, war.terrain, side, flank, tables)
        counts = (by_type[0][flank], by_type[1][flank], by_type[2][flank])
        default = str(flank + 1) if orders else tables.strategy.default_flanks[flank]
        plans.append(FlankPlan(label or default, x, y, counts, crews[flank], ships[flank], maneuver))
    return tuple(plans)


def belligerent(war: WarInputs, side: int) -> Belligerent:
    """0 the attacker, 1 the defender."""
    return war.attacker if side == 0 else war.defender


def has_land_types(own: Belligerent) -> bool:
    """Whether any slot holds men; a military whose slots are all empty fights as its ships' crews (MD-08, R-59)."""
    return any(unit is not None and share > 0 for unit, share in _slots(own))


def men_in_slots(own: Belligerent) -> int:
    """The men who take part, Y of STRAT-06: those of the slots (MD-04, R-63), without land types the crews."""
    return sum(slot_counts(own)) if has_land_types(own) else own.military.size


def slot_counts(own: Belligerent) -> list[int]:
    """MD-02: men of each slot, Size times proportion, in whole men by largest remainder; shape (3,)."""
    shares = [share if unit is not None else 0.0 for unit, share in _slots(own)]
    total = math.floor(own.military.size * math.fsum(shares) + 0.5)
    return apportion(min(total, own.military.size), shares)


def ship_number(own: Belligerent) -> int:
    """MD-05: ships of the military; where none are given, as many as carry it, rounded up, at most 500 (QN-09)."""
    if own.military.ship_number:
        return own.military.ship_number
    transport = own.units[3]
    if transport is None or transport.capacity == 0:
        return 0
    return min(-(-own.military.size // transport.capacity), SHIPS_MOST)


def split_evenly(total: int, parts: int) -> list[int]:
    """STRAT-02, R-38: floors and ceilings that add up; the first parts get what is over."""
    return [total // parts + (1 if part < total % parts else 0) for part in range(parts)]


def apportion(total: int, weights: Sequence[float]) -> list[int]:
    """Whole numbers in proportion to the weights that add up to the total (R-38); all 0 when no weight is above 0.

    Largest remainder; of equal remainders the earlier part gets the more.
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


def is_on_water(terrain: TerrainMap, x: float, y: float, tables: Tables) -> bool:
    """Whether the pixel nearest to a place is Water."""
    last = terrain.codes.shape[0] - 1
    column, row = min(max(math.floor(x + 0.5), 0), last), min(max(math.floor(y + 0.5), 0), last)
    return tables.terrain[int(terrain.codes[row, column])].is_water


def has_water(terrain: TerrainMap, tables: Tables) -> bool:
    """Whether any pixel of the map is Water."""
    return bool(_water(terrain, tables).any())


def _water(terrain: TerrainMap, tables: Tables) -> NDArray[np.bool_]:
    return np.isin(terrain.codes, [code for code, it in enumerate(tables.terrain) if it.is_water])


def _slots(own: Belligerent) -> tuple[tuple[object | None, float], ...]:
    it = own.military
    shares = (it.infantry_proportion, it.cavalry_proportion, it.artillery_proportion)
    return tuple(zip(own.units[:3], shares, strict=True))


def _place(own: Belligerent, terrain: TerrainMap, side: int, flank: int, tables: Tables) -> tuple[float, float]:
    """Where a flank begins, in pixels; crews whose place is left open begin on the Water nearest to it (R-60).

    An army may begin on Water: its transport carries it (MD-07).
    """
    places = tables.strategy.positions[side]
    x, y = places[flank] if flank < len(places) else tables.strategy.new_flank[side]
    if own.flanks and (own.flanks[flank].x is not None or own.flanks[flank].y is not None):
        ordered = own.flanks[flank]
        return x if ordered.x is None else ordered.x, y if ordered.y is None else ordered.y
    if has_land_types(own) or is_on_water(terrain, x, y, tables):
        return x, y
    rows, columns = np.nonzero(_water(terrain, tables))
    if rows.size == 0:
        return x, y
    nearest = int(np.argmin((columns - x) * (columns - x) + (rows - y) * (rows - y)))
    return float(columns[nearest]), float(rows[nearest])


def _problems_of_totals(own: Belligerent, plans: Sequence[FlankPlan], tables: Tables) -> tuple[StrategyProblem, ...]:
    """STRAT-06, STRAT-07; a total that is off although no type is has its own word, Size (R-61)."""
    problems = []
    tolerance = tables.strategy.size_tolerance_men
    for slot, (kind, most) in enumerate(zip(COUNTED, slot_counts(own), strict=True)):
        if own.units[slot] is not None:
            problems += _off("STRAT-07", kind, sum(plan.counts[slot] for plan in plans), most, tolerance)
    problems += _off(
        "STRAT-07", "Navy", sum(plan.ships for plan in plans), ship_number(own), tables.strategy.ship_tolerance
    )
    if not problems:
        problems += _off("STRAT-06", "Size", sum(plan.men for plan in plans), men_in_slots(own), tolerance)
    return tuple(problems)


def _off(id: str, kind: str, found: int, most: int, tolerance: int) -> list[StrategyProblem]:
    if abs(found - most) <= tolerance:
        return []
    return [StrategyProblem(id, kind, "too many" if found > most else "too few", found, str(most))]


def _problems_of_cells(own: Belligerent, plans: Sequence[FlankPlan], tables: Tables) -> tuple[StrategyProblem, ...]:
    problems = []
    most = tables.strategy.flanks_most
    if len(plans) > most:
        problems.append(StrategyProblem("STRAT-01", "Flanks", "", len(plans), f"at most {most} flanks a side", most))
    last = tables.strategy.map_pixels - 1
    for flank, plan in enumerate(plans):
        for header, place in (("X", plan.x), ("Y", plan.y)):
            if not 0 <= place <= last:
                problems.append(StrategyProblem("MAP-01", header, "", place, f"pixels from 0 to {last}", flank))
        for slot, header in enumerate(("Infantry", "Cavalry", "Artillery")):
            if own.units[slot] is None and plan.counts[slot] > 0:
                allowed = f"0 or blank, for the military has no type in its {header.lower()} slot"
                problems.append(StrategyProblem("STRAT-03", header, "", plan.counts[slot], allowed, flank))
    return tuple(problems)


def _problems_of_ships(
    own: Belligerent, plans: Sequence[FlankPlan], terrain: TerrainMap, tables: Tables
) -> tuple[StrategyProblem, ...]:
    """STRAT-12: a flank of ships alone must start on Water."""
    if has_land_types(own):
        return ()
    return tuple(
        StrategyProblem("STRAT-12", "X", "", plan.x, "a place on Water, for the flank has ships alone", flank)
        for flank, plan in enumerate(plans)
        if plan.ships > 0 and not is_on_water(terrain, plan.x, plan.y, tables)
    )


def _warnings(war: WarInputs, side: int, plans: Sequence[FlankPlan], tables: Tables) -> tuple[str, ...]:
    """R-34, and what will not fight."""
    warnings = []
    enemies = belligerent(war, 1 - side).flanks or tables.strategy.default_flanks
    if len(plans) != len(enemies):
        own = "1 flank" if len(plans) == 1 else f"{len(plans)} flanks"
        warnings.append(f"{own} against {len(enemies)}: the side with more hits harder with the same men. [R-34]")
    small = tables.constant("ATK-03", "small_flank_men")
    few = [f"{plan.label} ({plan.men})" for plan in plans if 0 < plan.men < small]
    if few:
        warnings.append(f"Flanks under {small:.0f} men, which hit less: {_listed(few)}. [R-34]")
    nobody = [f"{plan.label} ({plan.ships} ships)" if plan.ships else plan.label for plan in plans if plan.men == 0]
    if nobody:
        warnings.append(f"Flanks without men, which are Inactive: {_listed(nobody)}. [STRAT-05]")
    return tuple(warnings)


def _listed(names: Sequence[str], most: int = 5) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
