"""Traits by the types of a flank, computed once before the battle (FLK-01, FLK-02, R-14, R-66, R-85, R-123)."""

from __future__ import annotations

import math
from collections import Counter

from engine.autoalgo.battle.decision import NO_WEAPON, SHORT, weapon_at
from engine.autoalgo.battle.flank import average, defense, density, maximum_range_m, of_types, strength
from engine.autoalgo.battle.state import SHIP, Battle, Real, Traits, Units, blank
from engine.autoalgo.constants import R14, Constants


def traits_of(battle: Battle, units: Units, constants: Constants, ground: Real) -> Traits:
    """Return the traits of all flanks before the first hour; `ground` is that of R-86."""
    flanks = battle.side.shape[0]
    traits = blank(Traits, (flanks, 2), depth_m=flanks, armour=flanks, of_side=flanks, weight=flanks)
    traits = traits._replace(ground=ground)
    counted, in_side, in_army = constants.r_85.flanks, Counter[int](), Counter[int]()
    for flank in range(flanks):
        in_side[battle.side[flank]] += battle.men_start[flank]
        in_army[battle.army[flank]] += battle.men_start[flank]
    for flank in range(flanks):
        traits.depth_m[flank] = math.sqrt(battle.men_start[flank])
        traits.armour[flank] = average(battle, units.armour, flank)
        of_all = max(in_side[battle.side[flank]], 1)
        traits.of_side[flank] = battle.men_start[flank] / of_all
        traits.weight[flank] = traits.of_side[flank] * counted if counted else in_army[battle.army[flank]] / of_all
        for on_water in range(2):
            range_m = best_range_m(battle, units, flank, on_water)
            numbers = constants.r_123
            traits.speed_kmh[flank, on_water] = of_types(battle, units, units.speed_kmh, numbers, flank, on_water)
            traits.shock[flank, on_water] = of_types(battle, units, units.shock, numbers, flank, on_water)
            traits.reach_m[flank, on_water] = maximum_range_m(battle, units, flank, on_water, constants.r_87.share)
            traits.range_m[flank, on_water] = range_m
            traits.defense[flank, on_water] = defense(battle, units, numbers, flank, on_water)
            traits.density[flank, on_water] = density(battle, units, flank, on_water)
            traits.margin_m[flank, on_water] = margin_inside_m(battle, units, constants.r_14, flank, on_water, range_m)
    return traits


def best_range_m(battle: Battle, units: Units, flank: int, on_water: int) -> float:
    """Return the range at which men times Power is greatest, the larger of two equal ones (R-14)."""
    army = battle.army[flank]
    best_m = 0.0
    highest = 0.0
    for kind in range(SHIP + 1):
        if strength(battle, units, flank, kind, on_water) <= 0.0:
            continue
        for weapon in range(SHORT + 1):
            if units.power[army, kind, weapon] <= 0.0:
                continue
            range_m = units.range_m[army, kind, weapon]
            power = firepower(battle, units, flank, on_water, range_m)
            if power > highest or (power == highest and range_m > best_m):
                highest = power
                best_m = range_m
    return best_m


def margin_inside_m(battle: Battle, units: Units, numbers: R14, flank: int, on_water: int, best_m: float) -> float:
    """Return the metres that a flank goes inside its best range (R-14).

    At most half of the way to the next shorter range of its types, where other weapons would be used; 0 inside the
    shortest range.
    """
    army = battle.army[flank]
    shorter_m = 0.0
    for kind in range(SHIP + 1):
        if strength(battle, units, flank, kind, on_water) > 0.0:
            for weapon in range(SHORT + 1):
                range_m = units.range_m[army, kind, weapon]
                if range_m < best_m:
                    shorter_m = max(shorter_m, range_m)
    return min(numbers.margin_m, (best_m - shorter_m) / 2.0) if shorter_m > 0.0 else numbers.margin_m


def firepower(battle: Battle, units: Units, flank: int, on_water: int, effective_m: float) -> float:
    """Return the sum of men times Power over all types present, at an effective distance."""
    army = battle.army[flank]
    total = 0.0
    for kind in range(SHIP + 1):
        men = strength(battle, units, flank, kind, on_water)
        if men > 0.0:
            weapon = weapon_at(units, army, kind, effective_m)
            if weapon != NO_WEAPON:
                total += men * units.power[army, kind, weapon]
    return total
