"""The siege (SIEGE)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.autoalgo.battle.events import SIEGE, STARVED_OUT, happenings
from engine.autoalgo.battle.siege import besiege, starve_out
from engine.autoalgo.battle.state import INACTIVE, MANEUVERS, READY, RETREATING, ROUTED, SIEGE_BEGUN, Tunables
from engine.autoalgo.constants import R83
from engine.autoalgo.resolve import Autoalgo
from engine.autoalgo.setup.tables import Tables
from engine.rng import Rng
from tests.helpers.pinned_tables import history_tables, tables
from tests.helpers.small_battles import FEATURES, SOLDIER, Field, army, field_of, line, terrain, unit, war

ENGINE = unit(name="Engine", power=(10.0, 10.0, 10.0))
WALLED = replace(tables().defaults.location, fortifications="Castle")


def stronghold(feature: str = "High ground", fortifications: str = "Castle") -> Field:
    """Return a field of two flanks of the defender on Position."""
    field = field_of(
        war(
            army("A", 6_000, flanks=line("Normal", y=100)),
            army("B", 6_000, flanks=line("Position", "Position", y=200)),
            ground=terrain(feature),
            location=replace(WALLED, fortifications=fortifications),
        )
    )
    field.tunables = with_siege_rate(field.tunables, 0.3)
    field.battle.capacity[:] = 0.1
    return field


def with_siege_rate(tunables: Tunables, rate: float) -> Tunables:
    return tunables._replace(country=tunables.country._replace(siege_rate=rate))


def run_siege(field: Field, hour: int = 1) -> bool:
    besiege(field.battle, field.tunables, field.events, hour)
    return field.battle.siege_begun == hour


@pytest.mark.parametrize(
    ("feature", "begins"),
    [("High ground", True), ("Cliffs", True), ("Plain", False), ("Forest", False), ("Water", False)],
)
def test_siege_01_on_high_ground_or_cliffs(feature: str, begins: bool) -> None:
    assert run_siege(stronghold(feature)) == begins


def test_siege_01_only_behind_fortifications() -> None:
    """Invariant 13."""
    assert not run_siege(stronghold(fortifications="none"))
    assert run_siege(stronghold(fortifications="Hillfort"))


def test_siege_02_without_a_siege_the_capacity_stays() -> None:
    field = stronghold(fortifications="none")

    for hour in (1, 2, 3):
        assert not run_siege(field, hour)

    assert field.battle.capacity.tolist() == [0.1, 0.1]


def test_r_57_a_defender_without_a_flank_in_the_battle_is_not_besieged() -> None:
    field = stronghold()
    field.battle.status[field.battle.side == 1] = ROUTED

    assert not run_siege(field)


def test_siege_01_only_when_all_flanks_hold_their_position() -> None:
    field = stronghold()
    field.battle.maneuver[2] = MANEUVERS.index("Normal")

    assert not run_siege(field)


def test_siege_01_r_20_all_flanks_of_the_defender_not_of_the_attacker() -> None:
    codes = np.full((400, 400), FEATURES["High ground"], np.uint8)
    codes[:, 205:] = FEATURES["Plain"]
    field = stronghold()
    field.tunables = field.tunables._replace(ground=field.tunables.ground._replace(codes=codes))

    assert run_siege(field)
    field = stronghold()
    codes[:, 195:] = FEATURES["Plain"]
    field.tunables = field.tunables._replace(ground=field.tunables.ground._replace(codes=codes))
    assert not run_siege(field)


def test_r_57_a_retreating_flank_is_not_on_position_and_one_that_is_out_does_not_count() -> None:
    field = stronghold()
    field.battle.status[2] = RETREATING

    assert not run_siege(field)
    for status in (ROUTED, INACTIVE):
        field = stronghold()
        field.battle.maneuver[2] = MANEUVERS.index("Normal")
        field.battle.status[2] = status
        assert run_siege(field)


def test_siege_02_the_siege_lasts_for_the_rest_of_the_battle() -> None:
    field = stronghold()

    assert run_siege(field)
    field.battle.maneuver[:] = MANEUVERS.index("Normal")
    besiege(field.battle, field.tunables, field.events, 2)
    besiege(field.battle, field.tunables, field.events, 3)

    assert field.battle.capacity.tolist() == pytest.approx([0.1, 0.1 * 0.97 * 0.97 * 0.97])
    assert [(event.hour, event.kind, event.side) for event in field.drain()] == [(1, SIEGE, 1)]
    assert field.battle.siege_begun == 1


def test_r_33_the_siege_begins_before_anybody_moves() -> None:
    field = stronghold()

    happened = field.hour()

    assert happened[0].kind == SIEGE


def test_siege_begins_without_pressure_when_the_attacker_has_no_artillery() -> None:
    """R-04: the rate is zero then."""
    field = field_of(
        war(defender=army("B", flanks=line("Position", y=218)), ground=terrain("High ground"), location=WALLED)
    )
    before = field.battle.capacity[1]

    assert run_siege(field)
    assert field.battle.capacity[1] == before


def stronghold_under_r_83(share: float = 0.5) -> Field:
    """Return a stronghold whose siege needs as many besiegers as it has men."""
    field = stronghold()
    field.tunables = field.tunables._replace(constants=field.tunables.constants._replace(r_83=R83(share, 1.0)))
    return field


def starving(died: int, share: float = 0.5) -> Field:
    """Return a besieged field whose garrison of 6,000 has lost so many men to hunger, all of its left flank."""
    field = stronghold_under_r_83(share)
    run_siege(field)
    field.events.used[0] = 0
    field.battle.died[1] = died
    field.battle.men[1] -= died
    return field


def test_r_83_a_garrison_gives_up_once_half_of_it_has_starved() -> None:
    field = starving(3_000)
    before = field.battle.men.copy()
    field.battle.status[1] = ROUTED

    starve_out(field.battle, field.tunables, field.events, 9)

    (event,) = happenings(field.events)  # the routed flank is out of the battle, and nobody takes it
    assert (event.kind, event.hour, event.flank, event.amount) == (STARVED_OUT, 9, 2, before[2])
    assert field.battle.captured.tolist() == [0, 0, before[2]]
    assert field.battle.men.tolist() == [before[0], before[1], 0]
    assert (field.battle.status[2], field.battle.morale[2]) == (INACTIVE, 0.0)


@pytest.mark.parametrize(("died", "share"), [(2_999, 0.5), (6_000, 2.0), (0, 0.5)])
def test_r_83_it_holds_out_before(died: int, share: float) -> None:
    field = starving(min(died, 3_000), share)
    field.battle.died[1] = died

    starve_out(field.battle, field.tunables, field.events, 9)

    assert field.events.used[0] == 0
    assert field.battle.captured.tolist() == [0, 0, 0]


@pytest.mark.parametrize(("men", "status", "begins"), [(5_999, READY, 0), (6_000, READY, 1), (9_000, RETREATING, 0)])
def test_r_83_fewer_besiegers_than_garrison_begin_no_siege(men: int, status: int, begins: int) -> None:
    """Besiegers who flee do not count."""
    field = stronghold_under_r_83()
    field.battle.men[0], field.battle.status[0] = men, status

    assert run_siege(field) == bool(begins)
    assert (field.battle.capacity[1] < 0.1) == bool(begins)


def test_r_83_nobody_starves_or_gives_up_while_the_besiegers_are_too_few() -> None:
    field = starving(3_000)
    field.battle.men[0] = 2_999
    before = field.battle.capacity[1]

    run_siege(field, hour=9)
    starve_out(field.battle, field.tunables, field.events, 9)

    assert field.events.used[0] == 0
    assert field.battle.capacity[1] == before


def test_r_83_twenty_men_with_guns_take_no_fortress_with_a_hundred_thousand() -> None:
    guns = army("A", 20, types=(SOLDIER, None, ENGINE), shares=(0.9, 0.0, 0.1), flanks=line("Position", y=100))
    host = army("B", 100_000, flanks=line("Position", y=218))
    siege = war(guns, host, ground=terrain("High ground"), location=WALLED)

    outcome = Autoalgo(history_tables()).resolve(siege, Rng(1))

    assert outcome.winner == "Defender"


def test_r_83_hunger_without_a_siege_takes_no_fortress() -> None:
    field = starving(3_000)
    field.battle.tally[SIEGE_BEGUN] = 0

    starve_out(field.battle, field.tunables, field.events, 9)

    assert field.events.used[0] == 0


@pytest.mark.parametrize(
    ("numbers", "hours", "says"),
    [(tables(), 117, "leaves the map"), (history_tables(), 75, "for hunger: 289 men captured")],
)
def test_r_83_a_garrison_lays_down_its_arms_under_history_alone(numbers: Tables, hours: int, says: str) -> None:
    """By the neutral numbers of R-83 the garrison starves until its morale is gone."""
    besiegers = army("A", 8_500, types=(SOLDIER, None, ENGINE), shares=(0.9, 0.0, 0.1), flanks=line("Position", y=100))
    garrison = army("B", 600, flanks=line("Position", y=218))
    siege = war(besiegers, garrison, ground=terrain("High ground"), location=WALLED)

    outcome = Autoalgo(numbers).resolve(siege, Rng(1))

    assert f"A wins after {hours} hours" in outcome.summary
    assert says in " ".join(event.text for event in outcome.events if event.hour == hours)
