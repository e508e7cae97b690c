"""Guns decide no battle in a flank of their own, or from afar against who stands (R-81)."""

from __future__ import annotations

import pytest

from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.inputs import Belligerent, FlankOrder
from engine.autoalgo.records import Unit
from scripts.support.pinned_tables import shipped_tables
from scripts.support.small_battles import army, war
from tests.history.rows import arena

TABLES = shipped_tables()
UNITS = TABLES.units
BATTLES = 4000
MOST = 0.56
NORTH, SOUTH = 182, 218
TYPES = ("infantry", "cavalry", "artillery")


def side(
    name: str, arms: tuple[Unit | None, ...], men: tuple[int, int, int], maneuver: str, apart: bool
) -> Belligerent:
    """Return an army in three flanks, with its guns among them or in a fourth."""
    y = NORTH if name == "A" else SOUTH
    mixed = [TYPES[kind] for kind in range(3) if men[kind] and not (apart and kind == 2)]
    flanks = [
        FlankOrder(
            x=190 + 10 * place,
            y=y,
            maneuver=maneuver,
            **{of: men[TYPES.index(of)] // 3 + (place < men[TYPES.index(of)] % 3) for of in mixed},
        )
        for place in range(3)
    ]
    if apart:
        flanks.append(FlankOrder(x=200, y=y, artillery=men[2], maneuver=maneuver))
    shares = (men[0] / sum(men), men[1] / sum(men), men[2] / sum(men))
    return army(name, sum(men), types=arms, shares=shares, flanks=tuple(flanks))


def won(attacker: Belligerent, defender: Belligerent) -> float:
    """Return the attacker's odds."""
    if not arena().kernel.is_compiled:
        pytest.skip("without machine code so many battles take minutes")
    ends = Battlefield.of(war(attacker, defender), TABLES, seed=7).fight(0, BATTLES, arena().kernel).ends
    return float((ends.winner == 0).mean())


MIXED = {
    "legions": (("Legionary", "Gallic and German horse", "Ballista"), (8_000, 1_500, 500)),
    "longbows": (("Longbowman", "English knight", "Bombard"), (6_500, 2_500, 1_000)),
    "muskets": (("Line infantry (flintlock)", "Sabre cavalry", "Smoothbore field gun"), (7_000, 2_000, 1_000)),
}


@pytest.mark.parametrize("stands_apart", [False, True])
@pytest.mark.parametrize("name", MIXED)
def test_guns_apart_win_no_battle_from_as_many_men_who_stand(name: str, stands_apart: bool) -> None:
    arms, men = MIXED[name]
    types = tuple(UNITS[arm] for arm in arms)

    assert won(side("A", types, men, "Normal", True), side("B", types, men, "Position", stands_apart)) < MOST


@pytest.mark.parametrize("foe", ["Norman Knight", "Legionary"])
def test_one_ballista_crew_for_four_men_who_stand_wins_no_battle_from_afar(foe: str) -> None:
    riders = foe == "Norman Knight"
    types = (None, UNITS[foe], None) if riders else (UNITS[foe], None, None)
    stand = side("B", types, (0, 10_000, 0) if riders else (10_000, 0, 0), "Position", False)

    assert won(side("A", (None, None, UNITS["Ballista"]), (0, 0, 2_500), "Normal", False), stand) < 0.1
