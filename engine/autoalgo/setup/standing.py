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
        stand: What standing on Position adds in any country; 0 for a flank that does not stand.
        country: What the country around the flank adds.
        works: Defense of the Mobile Defenses; 0 for a flank that does not stand.
        share: What a full Defense adds.
        most: Most that they add together.
    """
    return 1.0 / (1.0 + min(stand + country + works * share, most))


def ground_factors(war: WarInputs, battle: Battle, tables: Tables) -> Real:
    """Return the factor on hits on each flank while it stands, and while it does not, 1 for attackers; shape (n, 2)."""
    factors = np.ones((battle.side.shape[0], 2))
    for flank, side in enumerate(battle.side.tolist()):
        if side == DEFENDER:
            factors[flank] = [on_standing(*ground_of(war, battle, flank, how, tables)) for how in (True, False)]
    return factors


def ground_of(
    war: WarInputs, battle: Battle, flank: int, stands: bool, tables: Tables
) -> tuple[float, float, float, float, float]:
    """Return the arguments of `on_standing` for a flank of the defender that stands or not, where it starts."""
    numbers = tables.constants.r_86
    metres = tables.strategy.km_per_pixel * 1000.0
    country = country_of(war.terrain, battle.start_x_m[flank] / metres, battle.start_y_m[flank] / metres, tables)
    if not stands:
        return 0.0, country * numbers.moving, 0.0, numbers.works, numbers.most
    side, place = army_places(war)[battle.army[flank]]
    works = tables.field_works(armies_of(war, side)[place].military)
    return numbers.stand, country, works, numbers.works, numbers.most


def country_of(terrain: TerrainMap, x: float, y: float, tables: Tables) -> float:
    """Return what the country within some pixels of a place adds: the mean of its features' `hold` (R-86)."""
    reach, last = tables.constants.r_86.pixels, terrain.codes.shape[0] - 1
    column, row = min(int(x), last), min(int(y), last)
    area = terrain.codes[max(row - reach, 0) : row + reach + 1, max(column - reach, 0) : column + reach + 1].tobytes()
    return sum(area.count(code) * kind.hold for code, kind in enumerate(tables.terrain_roles.legend)) / len(area)
