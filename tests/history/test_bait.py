"""A few men ahead or aside draw no army after them (R-29)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.inputs import FlankOrder
from scripts.support.pinned_tables import shipped_tables
from scripts.support.small_battles import army, war
from tests.history.rows import arena

TABLES = shipped_tables()
BATTLES = 8000
MEN = 10_000
MOST = 0.56
THREE = ((190, 182, 3_333, "Normal"), (200, 182, 3_334, "Normal"), (210, 182, 3_333, "Normal"))
LAYOUTS = {
    "nine single men ahead": (*((160 + 10 * place, 190, 1, "Normal") for place in range(9)), *THREE),
    "one man ahead of a feint": (
        (175, 173, 6_222, "Feigned Retreat"),
        (189, 198, 1, "Normal"),
        (235, 159, 3_777, "Feigned Retreat"),
    ),
    "seventeen groups of twenty aside": (
        *((181 + 2 * place, 190, 20, "Position") for place in range(17)),
        (217, 182, 4_830, "Normal"),
        (219, 182, 4_830, "Normal"),
    ),
    "ten groups of a hundred before a body on Position": (
        *((200, 166, 100, "Normal") for _ in range(10)),
        (204, 162, 9_000, "Position"),
    ),
    "ten single men aside": (
        *((133 + 15 * place, 190, 1, "Normal") for place in range(10)),
        (238, 177, 9_990, "Normal"),
    ),
}


def orders(rows: Iterable[tuple[int, int, int, str]], turned: bool = False) -> tuple[FlankOrder, ...]:
    return tuple(
        FlankOrder(x=400 - x if turned else x, y=400 - y if turned else y, infantry=men, maneuver=maneuver)
        for x, y, men, maneuver in rows
    )


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("unit", ["Huscarl", "Longbowman", "Breech-loader infantry"])
@pytest.mark.parametrize("stands", [False, True])
def test_bait_wins_no_battle_from_as_many_men_in_three_flanks(layout: str, unit: str, stands: bool) -> None:
    """Both attack in half of the battles, or the three flanks defend on Position."""
    if not arena().kernel.is_compiled:
        pytest.skip("without machine code so many battles take minutes")
    types = (TABLES.units[unit], None, None)
    three = [(x, y, men, "Position" if stands else maneuver) for x, y, men, maneuver in THREE]
    won = []
    for side in (0,) if stands else (0, 1):
        sides = (
            army("A", MEN, types=types, flanks=orders(three if side else LAYOUTS[layout])),
            army("B", MEN, types=types, flanks=orders(LAYOUTS[layout] if side else three, turned=True)),
        )
        ends = Battlefield.of(war(*sides), TABLES, seed=7).fight(0, BATTLES // 2, arena().kernel).ends
        won.append(float((ends.winner == side).mean()))

    assert sum(won) / len(won) < MOST
