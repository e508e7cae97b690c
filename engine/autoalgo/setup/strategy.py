"""The flanks before the battle (STRAT): places and strengths, and the check of the strategy.

The strategy is rows of a workbook: deleting the rows resets it, and the state after the battle is written beside the
orders (STRAT-08, STRAT-09). Copied and deleted rows change the totals (STRAT-05), which the messages report.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from engine.autoalgo.inputs import FlankOrder, WarInputs
from engine.autoalgo.setup.army import (
    COLUMNS,
    apportion,
    armies_of,
    belligerent,
    has_land,
    has_land_types,
    is_on_water,
    led_by,
    men_in_slots,
    share_sum,
    shares_fit,
    ships_present,
    slot_counts,
    typed_counts,
)
from engine.autoalgo.setup.places import ambush_of, cover_from, start_place, zone_of
from engine.autoalgo.setup.strategy_rules import (
    FlankPlan,
    Limit,
    StrategyMessage,
    StrategyProblem,
    StrategyRules,
    Total,
    judge,
)
from engine.autoalgo.setup.tables import Tables

TOTAL_KINDS = ("Inf", "Cav", "Art")
"""Names of the land slots in the messages, in the order of the slots."""
SHIPS = "Navy"
"""Name of the ships in the messages."""
SLOTS = ("infantry", "cavalry", "artillery")
"""Names of the land slots."""


def strategy_message(war: WarInputs, side: int, tables: Tables) -> StrategyMessage:
    """Check the strategy of a side's leader (STRAT-06, STRAT-07, STRAT-12, R-111); for another army use `led_by`.

    The result has all problems and warnings of its flanks.
    """
    own, enemies = army_table(war, side, tables), flank_table(war, 1 - side, tables)
    allied = len(flank_table(war, side, tables)) - len(own)
    message = judge(
        replace(strategy_rules(war, side, tables), allied=allied),
        own,
        len(army_table(war, 1 - side, tables)),
        lambda x, y: is_on_water(war.terrain, x, y, tables),
        cover_from(war.terrain, enemies, tables),
    )
    return replace(
        message,
        problems=(*message.problems, *_wrong_shares(belligerent(war, side).flanks, tables)),
        warnings=(*message.warnings, *_among_enemies(own, enemies)),
    )


def _wrong_shares(orders: Sequence[FlankOrder], tables: Tables) -> Iterator[StrategyProblem]:
    """Yield the problem of each column whose shares do not make the whole, or are mixed with numbers (R-124, R-58)."""
    for name, kind in zip(COLUMNS, (*TOTAL_KINDS, SHIPS), strict=True):
        cells = [getattr(order, name) for order in orders]
        if not shares_fit(cells, kind == SHIPS and tables.constants.r_122.applies > 0):
            is_mixed = any(isinstance(cell, int) and cell for cell in cells)
            allowed = "shares without numbers beside them" if is_mixed else "shares that sum to 100 %"
            yield StrategyProblem("R-124", kind, "", share_sum(cells), allowed)


def _among_enemies(own: Sequence[FlankPlan], enemies: Sequence[FlankPlan]) -> Iterator[str]:
    """Yield a warning for the first flank within a pixel of an enemy at the start (R-111)."""
    for flank in own:
        for enemy in enemies:
            east, north = flank.x - enemy.x, flank.y - enemy.y
            if flank.men and enemy.men and east * east + north * north <= 1:
                yield f"Flank {flank.label} starts where the enemy's flank {enemy.label} does. [R-111]"
                return


def strategy_rules(war: WarInputs, side: int, tables: Tables) -> StrategyRules:
    """Return the limits on the strategy of a side; `Size` counts only if all other totals are right (R-61)."""
    army = belligerent(war, side)
    rules, men = tables.strategy, men_in_slots(army)
    last, tolerance = rules.map_pixels - 1, rules.size_tolerance_men
    slots = tuple(zip(army.units, TOTAL_KINDS, SLOTS, slot_counts(army), strict=False))
    totals = [
        Total("STRAT-07", kind, column, expected, tolerance)
        for unit, kind, column, expected in slots
        if unit is not None
    ]
    totals.append(Total("STRAT-07", SHIPS, "ships", ships_present(war, side, tables), rules.ship_tolerance))
    limits = [Limit("MAP-01", "X", "x", f"pixels from 0 to {last}", high=last), zone_of(war, side, tables)]
    for unit, _, column, _ in slots:
        if unit is None:
            missing = f"0 or blank, for the military has no type in its {column} slot"
            limits.append(Limit("STRAT-03", column.capitalize(), column, missing, high=0))
    if not has_land_types(army):
        limits.append(Limit("STRAT-12", "X", "x", "a place on Water, for the flank has ships alone", on_water=True))
    shared = ", as with one row of Flanks for all armies, whose Infantry is 100 %" if army.allies else ""
    return StrategyRules(
        men=men,
        crew=0 if has_land_types(army) else army.military.size,
        flanks_most=rules.flanks_most,
        flanks_allowed=f"at most {rules.flanks_most} flanks a side{shared}",
        more_hit_harder=not tables.constants.r_85.flanks,
        totals=tuple(totals),
        size=Total("STRAT-06", "Size", "men", men, tolerance),
        limits=tuple(limits),
        ambush=ambush_of(tables),
    )


def flank_table(war: WarInputs, side: int, tables: Tables) -> tuple[FlankPlan, ...]:
    """Return the flanks of one side, those of its leader's army first (R-130); each army has at least one."""
    return tuple(
        replace(plan, army=place) if place else plan
        for place in range(len(armies_of(war, side)))
        for plan in army_table(led_by(war, side, place), side, tables)
    )


@lru_cache(maxsize=16)
def army_table(war: WarInputs, side: int, tables: Tables) -> tuple[FlankPlan, ...]:
    """Return the flanks of the army that leads a side, with defaults filled in (STRAT-01 to STRAT-05, DB-15).

    Blank men are split evenly (STRAT-02), ships as men (R-58); shares are of the army's men and ships (R-124). Ships of
    MD-06 may be ordered like any others (R-91). A ruling asks for the flanks of a war some twenty times.
    """
    army = belligerent(war, side)
    orders = army.flanks
    number = len(orders) or len(tables.strategy.default_flanks)
    totals = [*slot_counts(army), ships_present(war, side, tables)]
    by_men = tables.constants.r_122.applies > 0
    *by_type, ships = typed_counts(orders or [FlankOrder()] * number, totals, by_men)
    crews = [0] * number if has_land_types(army) else apportion(army.military.size, ships)
    default = default_maneuver(war, side, tables)
    plans = []
    for flank in range(number):
        label, maneuver = (orders[flank].label, orders[flank].maneuver) if orders else ("", default)
        x, y = start_place(war, side, flank, tables)
        counts = (by_type[0][flank], by_type[1][flank], by_type[2][flank])
        name = str(flank + 1) if orders else tables.strategy.default_flanks[flank]
        plans.append(FlankPlan(label or name, x, y, counts, crews[flank], ships[flank], maneuver))
    return tuple(plans)


def default_maneuver(war: WarInputs, side: int, tables: Tables) -> str:
    """Return the maneuver of flanks without a typed one (R-86)."""
    return "Position" if stays_in_works(war, side, tables) else "Normal"


def stays_in_works(war: WarInputs, side: int, tables: Tables) -> bool:
    """Return True if the default flanks of a side are on Position: those of a defender with works (R-86)."""
    if side == 0 or tables.constants.r_86.works == 0.0 or not has_land(war.terrain, tables):
        return False
    return tables.is_fortified(war.location) or tables.field_works(war.defender.military) > 0.0


def can_be_besieged(war: WarInputs, tables: Tables) -> bool:
    """Return True if the location has fortifications, and land for them (SIEGE-01, R-100)."""
    return tables.is_fortified(war.location) and has_land(war.terrain, tables)
