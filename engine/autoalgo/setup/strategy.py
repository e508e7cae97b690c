"""The flanks before the battle (STRAT): place and strength of each, and the check of the strategy.

The strategy is rows of a workbook: deleting the rows resets it, and the state after the battle is written beside the
orders (STRAT-08, STRAT-09). Copied and deleted rows change the totals (STRAT-05); the messages report that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from engine.autoalgo.battle.state import AMBUSH
from engine.autoalgo.inputs import Belligerent, FlankOrder, WarInputs
from engine.autoalgo.setup.strategy_rules import (
    Ambush,
    FlankPlan,
    Limit,
    Place,
    StrategyMessage,
    StrategyRules,
    Total,
    judge,
)
from engine.autoalgo.setup.table_parts import Strategy
from engine.autoalgo.setup.tables import Tables
from engine.terrain import TerrainMap

SHIPS_MOST = 500
"""Upper bound of the column Ship Number (MIL-12) and of the derived number of ships (MD-05)."""
TOTAL_KINDS = ("Inf", "Cav", "Art")
"""Names of the land slots in the messages, in the order of the slots."""
SLOTS = ("infantry", "cavalry", "artillery")
"""Names of the land slots."""


def strategy_message(war: WarInputs, side: int, tables: Tables) -> StrategyMessage:
    """Check one side's strategy and return all its problems and warnings (STRAT-06, STRAT-07, STRAT-12, R-111)."""
    own, enemies = (flank_table(war, number, tables) for number in (side, 1 - side))
    message = judge(
        strategy_rules(war, side, tables),
        own,
        len(enemies),
        lambda x, y: is_on_water(war.terrain, x, y, tables),
        cover_from(war.terrain, enemies, tables),
    )
    return replace(message, warnings=(*message.warnings, *_among_enemies(own, enemies)))


def _among_enemies(own: Sequence[FlankPlan], enemies: Sequence[FlankPlan]) -> Iterator[str]:
    """Yield a warning for the first flank that starts within a pixel of an enemy (R-111)."""
    for flank in own:
        for enemy in enemies:
            east, north = flank.x - enemy.x, flank.y - enemy.y
            if flank.men and enemy.men and east * east + north * north <= 1:
                yield f"Flank {flank.label} starts where the enemy's flank {enemy.label} does. [R-111]"
                return


def strategy_rules(war: WarInputs, side: int, tables: Tables) -> StrategyRules:
    """Return what the strategy of a side must satisfy; `Size` counts only if all other totals are right (R-61)."""
    army = belligerent(war, side)
    rules, men = tables.strategy, men_in_slots(army)
    last, tolerance = rules.map_pixels - 1, rules.size_tolerance_men
    slots = tuple(zip(army.units, TOTAL_KINDS, SLOTS, slot_counts(army), strict=False))
    totals = [
        Total("STRAT-07", kind, column, expected, tolerance)
        for unit, kind, column, expected in slots
        if unit is not None
    ]
    totals.append(Total("STRAT-07", "Navy", "ships", ships_present(war, side, tables), rules.ship_tolerance))
    small = tables.constants.atk_03.small_flank_men
    limits = [Limit("MAP-01", "X", "x", f"pixels from 0 to {last}", high=last), zone_of(war, side, tables)]
    for unit, _, column, _ in slots:
        if unit is None:
            missing = f"0 or blank, for the military has no type in its {column} slot"
            limits.append(Limit("STRAT-03", column.capitalize(), column, missing, high=0))
    if not has_land_types(army):
        limits.append(Limit("STRAT-12", "X", "x", "a place on Water, for the flank has ships alone", on_water=True))
    return StrategyRules(
        men=men,
        crew=0 if has_land_types(army) else army.military.size,
        flanks_most=rules.flanks_most,
        flanks_allowed=f"at most {rules.flanks_most} flanks a side",
        more_hit_harder=not tables.constants.r_85.flanks,
        totals=tuple(totals),
        size=Total("STRAT-06", "Size", "men", men, tolerance),
        limits=tuple(limits),
        small=small,
        small_text=f"{small:.0f}",
        ambush=ambush_of(tables),
    )


def flank_table(war: WarInputs, side: int, tables: Tables) -> tuple[FlankPlan, ...]:
    """Return the flanks of one side with defaults filled in, at least one (STRAT-01 to STRAT-05, DB-15).

    If all four counts are blank on all flanks, men and ships are split evenly (STRAT-02). Otherwise a blank is 0, but
    ships that are blank on all flanks are still split evenly, since their number is usually derived (R-58). The ships
    of MD-06 may be ordered like any others (R-91).
    """
    army = belligerent(war, side)
    orders = army.flanks
    number = len(orders) or len(tables.strategy.default_flanks)
    by_type = [split_evenly(count, number) for count in slot_counts(army)]
    ships = split_evenly(ships_present(war, side, tables), number)
    has_counts = any(
        count is not None for order in orders for count in (order.infantry, order.cavalry, order.artillery)
    )
    if has_counts:
        by_type = [
            [order.infantry or 0 for order in orders],
            [order.cavalry or 0 for order in orders],
            [order.artillery or 0 for order in orders],
        ]
    if any(order.ships is not None for order in orders):
        ships = [order.ships or 0 for order in orders]
        if not has_counts:
            by_type = [[0] * number for _ in TOTAL_KINDS]
    crews = [0] * number if has_land_types(army) else apportion(army.military.size, ships)
    default = "Position" if stays_in_works(war, side, tables) else "Normal"
    plans = []
    for flank in range(number):
        label, maneuver = (orders[flank].label, orders[flank].maneuver) if orders else ("", default)
        stands = side == 1 and maneuver == "Position"
        x, y = _start_place(war, side, flank, stands, tables)
        counts = (by_type[0][flank], by_type[1][flank], by_type[2][flank])
        name = str(flank + 1) if orders else tables.strategy.default_flanks[flank]
        plans.append(FlankPlan(label or name, x, y, counts, crews[flank], ships[flank], maneuver))
    return tuple(plans)


def stays_in_works(war: WarInputs, side: int, tables: Tables) -> bool:
    """Return True if the default flanks of a side are on Position: a defender's who has works (R-86)."""
    if side == 0 or tables.constants.r_86.works == 0.0 or not has_land(war.terrain, tables):
        return False
    defenses = war.defender.military.mobile_defenses
    return tables.is_fortified(war.location) or tables.scores.single("Defense", "Mobile Defenses", defenses) > 0.0


def can_be_besieged(war: WarInputs, tables: Tables) -> bool:
    """Return True if the location has fortifications, and land on which they stand (SIEGE-01, R-100)."""
    return tables.is_fortified(war.location) and has_land(war.terrain, tables)


def place_list(tables: Tables) -> tuple[str, ...]:
    """Return the scale of the map and the default places of the flanks, in sentences (MAP-06, STRAT-01)."""
    rules = tables.strategy
    sides = [
        ", ".join(f"{label} at {x:g}, {y:g}" for label, (x, y) in zip(rules.default_flanks, places, strict=True))
        for places in (rules.attackers, rules.defenders)
    ]
    return (
        f"The map is {rules.map_pixels} x {rules.map_pixels} pixels; X counts from the west, Y from the north. "
        f"25 pixels are {25 * rules.km_per_pixel:g} km.",
        f"Without rows in Flanks the attacker stands with {sides[0]}.",
        f"Likewise the defender with {sides[1]}.",
        "The page docs/strategy.md of sheets-algo shows this in pictures, says what each maneuver does, and has rows "
        "to copy for a siege, a pillage, an ambush, a battle at sea and two lines.",
    )


def belligerent(war: WarInputs, side: int) -> Belligerent:
    """Return a side of the war, 0 the attacker, 1 the defender."""
    return war.attacker if side == 0 else war.defender


def has_land_types(army: Belligerent) -> bool:
    """Return True if any slot has men; otherwise the military fights as its ships' crews (MD-08, R-59)."""
    return any(unit is not None and share > 0 for unit, share in _slots(army))


def men_in_slots(army: Belligerent) -> int:
    """Return the men who take part, Y of STRAT-06: those in slots (MD-04, R-63), without land types the crews."""
    return sum(slot_counts(army)) if has_land_types(army) else army.military.size


def slot_counts(army: Belligerent) -> list[int]:
    """Return the men of the three land slots: Size times proportion, rounded by largest remainder (MD-02)."""
    shares = [share if unit is not None else 0.0 for unit, share in _slots(army)]
    total = math.floor(army.military.size * math.fsum(shares) + 0.5)
    return apportion(min(total, army.military.size), shares)


def ship_number(army: Belligerent) -> int:
    """Return the number of ships; if not given, as many as carry all men, at most 500 (MD-05, QN-09)."""
    if army.military.ship_number:
        return army.military.ship_number
    transport = army.units[3]
    if transport is None or transport.capacity == 0:
        return 0
    return min(-(-army.military.size // transport.capacity), SHIPS_MOST)


def ships_present(war: WarInputs, side: int, tables: Tables) -> int:
    """Return the ships of a side in a war; those that nobody typed are left behind where there is no Water (R-112).

    Crews cannot do without theirs.
    """
    army = belligerent(war, side)
    is_typed = army.military.ship_number > 0 or any(order.ships for order in army.flanks)
    is_at_sea = has_water(war.terrain, tables) or war.location.climate == tables.climate.ocean
    return ship_number(army) if is_typed or is_at_sea or not has_land_types(army) else 0


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


def is_on_water(terrain: TerrainMap, x: float, y: float, tables: Tables) -> bool:
    """Return True if the pixel nearest to a place is Water."""
    last = terrain.codes.shape[0] - 1
    column, row = min(max(math.floor(x + 0.5), 0), last), min(max(math.floor(y + 0.5), 0), last)
    return tables.terrain[int(terrain.codes[row, column])].is_water


def has_water(terrain: TerrainMap, tables: Tables) -> bool:
    """Return True if any pixel of the map is Water."""
    return bool(_is_water(terrain, tables).any())


def has_land(terrain: TerrainMap, tables: Tables) -> bool:
    """Return True if any pixel of the map is not Water."""
    return not bool(_is_water(terrain, tables).all())


def _is_water(terrain: TerrainMap, tables: Tables) -> NDArray[np.bool_]:
    return _is_one_of(terrain, tuple(code for code, feature in enumerate(tables.terrain) if feature.is_water))


@lru_cache(maxsize=16)
def _is_one_of(terrain: TerrainMap, codes: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return which pixels have one of some features; a war asks some thirty times."""
    return np.isin(terrain.codes, codes)


def _slots(army: Belligerent) -> tuple[tuple[object | None, float], ...]:
    military = army.military
    shares = (military.infantry_proportion, military.cavalry_proportion, military.artillery_proportion)
    return tuple(zip(army.units[:3], shares, strict=True))


def zone_of(war: WarInputs, side: int, tables: Tables) -> Limit:
    """Return the limit of Y where the flanks of a side may start (R-116)."""
    (low, high), last = rows_of(war, side, tables), tables.strategy.map_pixels - 1
    if (low, high) == (0, last):
        return Limit("MAP-01", "Y", "y", f"pixels from 0 to {last}", high=last)
    name = "northern" if low == 0 else "southern"
    allowed = f"pixels from {low:g} to {high:g}, the {name} half where the army starts"
    return Limit("R-116", "Y", "y", allowed, low, high, free=AMBUSH)


def _either(names: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def ambush_of(tables: Tables) -> Ambush | None:
    """Return where flanks in ambush may start; None where they start anywhere (R-118)."""
    apart = tables.constants.r_118.pixels
    if not apart:
        return None
    features = _either(tables.terrain_roles.hiding)
    distance = f"{apart:g} pixels ({apart * tables.strategy.km_per_pixel:g} km) from every enemy flank"
    place = f"X {{x}}, Y {{y}}, the nearest place on {features} at least {distance}"
    return Ambush(AMBUSH, apart, place, f"another maneuver, for nothing on this map hides an ambush: no {features}")


def cover_from(terrain: TerrainMap, enemies: Sequence[FlankPlan], tables: Tables) -> Callable[[Place], Place | None]:
    """Return what names the place nearest to another that hides an ambush from enemies with men (R-118).

    It is that place itself if it does, and None where nothing on the map does.
    """
    hides = _is_one_of(terrain, tables.terrain_roles.cover)
    apart, last = tables.constants.r_118.pixels, hides.shape[0] - 1
    places = {(enemy.x, enemy.y) for enemy in enemies if enemy.men}

    def is_near(place: Place, enemy: Place) -> bool:
        east, north = place[0] - enemy[0], place[1] - enemy[1]
        return east * east + north * north < apart * apart

    @cache
    def free() -> NDArray[np.bool_]:
        hidden = hides.copy()
        for enemy in places:
            columns, rows = (
                range(max(math.ceil(at - apart), 0), min(math.floor(at + apart), last) + 1) for at in enemy
            )
            for column, row in product(columns, rows):
                if is_near((column, row), enemy):
                    hidden[row, column] = False
        return hidden

    def nearest(place: Place) -> Place | None:
        x, y = (min(max(value, 0), last) for value in place)
        is_apart = not any(is_near(place, enemy) for enemy in places)
        if (x, y) == place and is_apart and hides[math.floor(y + 0.5), math.floor(x + 0.5)]:
            return place
        return _nearest(free(), x, y, math.inf) if free().any() else None

    return nearest


def rows_of(war: WarInputs, side: int, tables: Tables) -> tuple[float, float]:
    """Return the least and the greatest Y where a side may start: its half, or all for a fleet without Water there."""
    low, high = half_of(default_line(war, side, tables), tables.strategy)
    half = slice(math.ceil(low), math.floor(high) + 1)
    is_free = not has_land_types(belligerent(war, side)) and not _is_water(war.terrain, tables)[half].any()
    return (0.0, tables.strategy.map_pixels - 1.0) if is_free else (low, high)


def half_of(line: int, rules: Strategy) -> tuple[float, float]:
    """Return the least and the greatest Y of the half of the map around a default line; all without R-116."""
    last = float(rules.map_pixels - 1)
    (_, own), (_, enemy) = (default_middle(number, rules) for number in (line, 1 - line))
    if not rules.from_middle:
        return 0.0, last
    middle = (own + enemy) / 2
    return (0.0, middle - rules.from_middle) if own < enemy else (middle + rules.from_middle, last)


def default_line(war: WarInputs, side: int, tables: Tables) -> int:
    """Return whose line a side is in, 0 the attacker's in the north, 1 the defender's (R-111).

    It is the line nearest to its typed places, else the one farther from the enemy's; its own if both sides would be
    in one.
    """
    own, enemy = (line_of(belligerent(war, number).flanks, tables.strategy) for number in (side, 1 - side))
    if own == enemy:
        return side
    if own is not None:
        return own
    return side if enemy is None else 1 - enemy


def line_of(orders: Sequence[FlankOrder], rules: Strategy) -> int | None:
    """Return the default line nearest to typed places, 0 the attacker's, 1 the defender's; None without places.

    Where an ambush lies tells nothing of its army (R-118).
    """
    typed = [order.y for order in orders if order.y is not None and order.maneuver != AMBUSH]
    if not typed:
        return None
    lines = [_middle([y for _, y in places]) for places in (rules.attackers, rules.defenders)]
    north, south = (abs(_middle(typed) - line) for line in lines)
    return 0 if north <= south else 1


def _middle(numbers: Sequence[float]) -> float:
    """Return the median of some numbers, the higher of two."""
    return sorted(numbers)[len(numbers) // 2]


def _start_place(war: WarInputs, side: int, flank: int, stands: bool, tables: Tables) -> tuple[float, float]:
    """Return a flank's place at the start, in pixels.

    Without an ordered place ships' crews start on Water (R-60), and a defender's men who stand on heights if some are
    near (R-84). An army may start on Water: its transport carries it (MD-07).
    """
    army, terrain = belligerent(war, side), war.terrain
    order = army.flanks[flank] if army.flanks else FlankOrder()
    x, y = _default_place(flank, order.offset, default_line(war, side, tables), tables.strategy)
    if order.x is not None or order.y is not None:
        return x if order.x is None else order.x, y if order.y is None else order.y
    if has_land_types(army):
        heights = tuple(sorted(tables.terrain_roles.siege))
        return _nearest(_is_one_of(terrain, heights), x, y, tables.constants.r_84.pixels) if stands else (x, y)
    if is_on_water(terrain, x, y, tables):
        return x, y
    low, high = rows_of(war, side, tables)
    first = math.ceil(low)
    column, row = _nearest(_is_water(terrain, tables)[first : math.floor(high) + 1], x, y - first, math.inf)
    return column, row + first


def _default_place(flank: int, offset: tuple[float, float] | None, line: int, rules: Strategy) -> tuple[float, float]:
    """Return the place of a flank in one of the default lines: its own, or that in a formation around its middle."""
    places = (rules.attackers, rules.defenders)[line]
    if offset is None:
        return places[flank] if flank < len(places) else (rules.new_attacker, rules.new_defender)[line]
    (x, y), (_, enemy_y) = default_middle(line, rules), default_middle(1 - line, rules)
    ahead = offset[1] * (1 if y <= enemy_y else -1)
    return x + offset[0], min(max(y + ahead, 0.0), rules.map_pixels - 1.0)


def default_middle(line: int, rules: Strategy) -> tuple[float, float]:
    """Return the middle of the default places of a line, 0 the attacker's, 1 the defender's (STRAT-01)."""
    places = (rules.attackers, rules.defenders)[line]
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)


def _nearest(pixels: NDArray[np.bool_], x: float, y: float, most: float) -> tuple[float, float]:
    """Return the nearest of some pixels to a place, the first of equally near ones; the place if none is so near."""
    reach = min(most, sum(pixels.shape))
    top, left = (max(math.floor(start - reach), 0) for start in (y, x))
    rows, columns = np.nonzero(pixels[top : math.ceil(y + reach) + 1, left : math.ceil(x + reach) + 1])
    if rows.size == 0:
        return x, y
    rows, columns = rows + top, columns + left
    squared = (columns - x) * (columns - x) + (rows - y) * (rows - y)
    nearest = int(np.argmin(squared))
    return (float(columns[nearest]), float(rows[nearest])) if squared[nearest] <= most * most else (x, y)
