"""Factor of the country and the works around a defender (R-86)."""

from __future__ import annotations

import numpy as np

from engine.autoalgo.battle.state import DEFENDER, Battle, Real
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.setup.army import armies_of, army_places
from engine.autoalgo.setup.tables import Tables
from engine.rule import rule
from engine.terrain import TerrainMap


@rule("R-86", "ground", stand="stand", country="country", works="works", share="a point", most="")
def on_standing(stand: float, country: float, works: float, share: float, most: float) -> float:
    """Return the factor on hits on a defender's flank.

    Args:
        stand: Bonus of Position at a fortified location; 0 elsewhere, and for a flank on the move.
        country: Bonus of the country between the armies.
        works: Defense of the Mobile Defenses; 0 for a flank on the move.
        share: Bonus of a full Defense.
        most: Maximum of the sum.
    """
    return 1.0 / (1.0 + min(stand + country + works * share, most))


def ground_factors(war: WarInputs, battle: Battle, tables: Tables) -> Real:
    """Return the factor on hits on each flank on Position, and in motion, 1 for attackers; shape (n, 2)."""
    factors = np.ones((battle.side.shape[0], 2))
    for flank, side in enumerate(battle.side.tolist()):
        if side == DEFENDER:
            factors[flank] = [on_standing(*ground_of(war, battle, flank, how, tables)) for how in (True, False)]
    return factors


def ground_of(
    war: WarInputs, battle: Battle, flank: int, stands: bool, tables: Tables
) -> tuple[float, float, float, float, float]:
    """Return the arguments of `on_standing` for a flank of the defender at its start, on Position or not."""
    numbers = tables.constants.r_86
    country = country_of(war.terrain, tables)
    if not stands:
        return 0.0, country * numbers.moving, 0.0, numbers.works, numbers.most
    side, place = army_places(war)[battle.army[flank]]
    works = tables.field_works(armies_of(war, side)[place].military)
    return numbers.stand * tables.is_fortified(war.location), country, works, numbers.works, numbers.most


def country_of(terrain: TerrainMap, tables: Tables) -> float:
    """Return the bonus of the country: the mean of the features' `hold` around the middle of the map (R-86)."""
    reach, middle = tables.constants.r_86.pixels, terrain.codes.shape[0] // 2
    square = slice(max(middle - reach, 0), middle + reach)
    area = terrain.codes[square, square].tobytes()
    return sum(area.count(code) * kind.hold for code, kind in enumerate(tables.terrain_roles.legend)) / len(area)
