"""No place on a map decides a battle of equal armies (MAP-08, R-86, R-88)."""

from __future__ import annotations

import pytest

from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.inputs import FlankOrder
from engine.autoalgo.records import Unit
from engine.terrain import TerrainMap
from scripts.support.pinned_tables import shipped_tables
from scripts.support.small_battles import army, terrain, war
from sheets_algo.config.maps import MapFolder
from tests.helpers.real_terrain import MAPS
from tests.history.rows import arena

TABLES = shipped_tables()
BATTLES = 2000
MOST = 0.1
SENSIBLE = ((3_334, 3_333, 3_333), (2_000,) * 5, (1_500, 7_000, 1_500))
Row = tuple[float, float, int, str]
"""X, Y, men and maneuver of a flank."""

BEHIND_CLIFFS = (
    *((170.5, 215.3, 2_170, "Position"), (167.5, 215.3, 1_359, "Position"), (167, 213.3, 1_553, "Feigned Retreat")),
    *((161.5, 210.4, 741, "Feigned Retreat"), (157.9, 219.6, 1_460, "Feigned Retreat")),
    *((157.8, 219.7, 986, "Feigned Retreat"), (157, 214.3, 744, "Feigned Retreat")),
    (156.1, 224.3, 987, "Feigned Retreat"),
)
FAR_HEIGHTS = ((198.6, 380.9, 3_529, "Position"), (183.1, 357.7, 6_471, "Position"))


def flanks(rows: tuple[Row, ...], mounted: float) -> tuple[FlankOrder, ...]:
    """Return flanks of rows, each with the same share of horse."""
    return tuple(
        FlankOrder(x=x, y=y, infantry=men - round(men * mounted), cavalry=round(men * mounted), maneuver=maneuver)
        for x, y, men, maneuver in rows
    )


def odds(rows: tuple[Row, ...], types: tuple[Unit | None, ...], mounted: float, ground: TerrainMap) -> float:
    """Return the odds of a defender in these flanks, the mean against sensible layouts of as many men."""
    kernel = arena().kernel
    if not kernel.is_compiled:
        pytest.skip("without machine code so many battles take minutes")
    won = []
    for men in SENSIBLE:
        line = tuple((200 + 10 * (place - (len(men) - 1) / 2), 182, of, "Normal") for place, of in enumerate(men))
        sides = [
            army(name, 10_000, types=types, shares=(1 - mounted, mounted, 0.0), flanks=flanks(of, mounted))
            for name, of in (("A", line), ("B", rows))
        ]
        ends = Battlefield.of(war(sides[0], sides[1], ground=ground), TABLES, seed=7).fight(0, BATTLES, kernel).ends
        won.append(float((ends.winner == 1).mean()))
    return sum(won) / len(won)


@pytest.mark.parametrize(
    ("rows", "foot", "horse", "mounted"),
    [
        (BEHIND_CLIFFS, "Huscarl", "Norman Knight", 0.3),
        (BEHIND_CLIFFS, "Huscarl", None, 0.0),
        (BEHIND_CLIFFS, "Longbowman", None, 0.0),
        (FAR_HEIGHTS, "Huscarl", None, 0.0),
        (FAR_HEIGHTS, "Longbowman", None, 0.0),
        (FAR_HEIGHTS, "Huscarl", "Norman Knight", 0.3),
    ],
)
def test_a_place_in_hillcountry_wins_the_defender_little(
    rows: tuple[Row, ...], foot: str, horse: str | None, mounted: float
) -> None:
    """A search found these: behind a row of cliffs .94 instead of .58 on the plain, on the far heights .80 for .58."""
    types = (TABLES.units[foot], TABLES.units[horse] if horse else None, None)
    hills = MapFolder(MAPS, TABLES.terrain).load("Hillcountry")

    assert odds(rows, types, mounted, hills) - odds(rows, types, mounted, terrain("Plain")) < MOST
