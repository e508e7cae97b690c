"""Horse that comes round an enemy whom foot holds decides no battle alone (R-88)."""

from __future__ import annotations

import pytest

from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.inputs import Belligerent, FlankOrder
from scripts.support.pinned_tables import shipped_tables
from scripts.support.small_battles import army, war
from tests.history.rows import arena

TABLES = shipped_tables()
BATTLES = 2000
LEAST, MOST = 0.44, 0.62
SENSIBLE = ((3_334, 3_333, 3_333), (2_000,) * 5, (1_500, 7_000, 1_500))
MIXES = {
    "huscarls": ("Huscarl", "Norman Knight"),
    "legions": ("Legionary", "Gallic and German horse"),
    "pikes": ("Swiss pike and halberd", "Norman Knight"),
}


def side(name: str, mix: str, flanks: tuple[FlankOrder, ...]) -> Belligerent:
    """Return 7,000 foot and 3,000 horse."""
    foot, horse = (TABLES.units[unit] for unit in MIXES[mix])
    return army(name, 10_000, types=(foot, horse, None), shares=(0.7, 0.3, 0.0), flanks=flanks)


def sensible(men: tuple[int, ...], y: int) -> tuple[FlankOrder, ...]:
    """Return a line on Normal with the same share of horse in each flank."""
    first = 200 - 5 * (len(men) - 1)
    return tuple(
        FlankOrder(x=first + 10 * place, y=y, infantry=of - round(0.3 * of), cavalry=round(0.3 * of))
        for place, of in enumerate(men)
    )


def hammer(y: int, horse: str) -> tuple[FlankOrder, ...]:
    """Return three flanks of foot on Position with horse on both wings."""
    foot = tuple(
        FlankOrder(x=x, y=y, infantry=men, maneuver="Position") for x, men in ((190, 2_333), (200, 2_334), (210, 2_333))
    )
    return (*foot, *(FlankOrder(x=x, y=y, cavalry=1_500, maneuver=horse) for x in (175, 225)))


@pytest.mark.parametrize("horse", ["Normal", "Feigned Retreat"])
@pytest.mark.parametrize("mix", MIXES)
def test_foot_that_stands_with_horse_on_its_wings_is_one_layout_among_others(mix: str, horse: str) -> None:
    """Means of sensible lines, as attacker and as defender."""
    kernel = arena().kernel
    if not kernel.is_compiled:
        pytest.skip("without machine code so many battles take minutes")
    won = []
    for men in SENSIBLE:
        for winner in (0, 1):
            layouts = [hammer(182, horse), sensible(men, 218)]
            if winner == 1:
                layouts = [sensible(men, 182), hammer(218, horse)]
            attacker, defender = (side(name, mix, flanks) for name, flanks in zip("AB", layouts, strict=True))
            ends = Battlefield.of(war(attacker, defender), TABLES, seed=7).fight(0, BATTLES, kernel).ends
            won.append(float((ends.winner == winner).mean()))

    assert LEAST < sum(won) / len(won) < MOST
