"""Ships that a fleet cannot crew any more are sunk or taken (R-122)."""

from __future__ import annotations

import pytest

from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.records import Location
from engine.autoalgo.resolve import Autoalgo
from engine.rng import Rng
from scripts.support.pinned_tables import history_tables, tables_with
from scripts.support.small_battles import fleet, terrain, war
from tests.helpers.machine_code import kernel

STRAIT = Location(name="Strait", climate="Ocean", attrition="At Sea")
BATTLE = war(fleet("A", 60), fleet("B", 40), ground=terrain("Water"), location=STRAIT)


def test_r_122_a_fleet_that_loses_its_men_loses_its_ships() -> None:
    """No ship sank in five of five battles in which 3,155 of 3,600 men died."""
    ends = Battlefield.of(BATTLE, history_tables(), 3).fight(0, 40, kernel()).ends
    men = (ends.killed + ends.wounded + ends.captured + ends.missing + ends.died + ends.left)[0]
    lost, sunk = 1.0 - ends.left / men, ends.sunk / (60, 40)
    assert (sunk <= lost + 1e-9).all(), "no more than the share of the men"
    assert (sunk > lost - 0.1).all(), "three flanks round up"
    assert lost[range(40), 1 - ends.winner].mean() > 0.2


@pytest.mark.parametrize("seed", range(3))
def test_r_122_the_ruling_reports_lost_ships_and_subtracts_them(seed: int) -> None:
    outcome = Autoalgo(history_tables()).resolve(BATTLE, Rng(seed))
    of_side = {
        side: sum(event.amount or 0 for event in outcome.events if lost(event.kind, event.side, side)) for side in SIDES
    }
    afloat = {update.row[-2]: update.after for update in outcome.losses if update.field == "Ship Number"}
    assert sum(of_side.values()) > 0
    for name, side, ships in (("A", "Attacker", 60), ("B", "Defender", 40)):
        assert f"ships sunk {of_side[side]:,.0f}" in outcome.receipt.wiki()
        assert afloat.get(name, ships) == ships - of_side[side]


def lost(kind: str, of: str, side: str) -> bool:
    return kind in ("ships lost", "ships sunk") and of == side


SIDES = ("Attacker", "Defender")


def test_r_122_the_source_sinks_ships_only_with_their_last_men() -> None:
    outcome = Autoalgo(tables_with({"constants/R-122/applies": 0})).resolve(BATTLE, Rng(0))
    assert "ships lost" not in {event.kind for event in outcome.events}
