"""A battle from its first hour to its end (FLK-05, FLK-06, R-12, R-13, R-28 to R-30)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.autoalgo.battle.events import ATTACK, DECIDED, KINDS, RETREATS, Events, Happening, happenings
from engine.autoalgo.battle.hour import judge
from engine.autoalgo.battle.state import INACTIVE, READY, RETREATING, ROUTED, Battle, Orders
from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.inputs import FlankOrder, WarInputs
from engine.rng import Rng
from scripts.support.pinned_tables import shipped_tables, tables
from scripts.support.small_battles import (
    Field,
    army,
    deploy_war,
    duel,
    fight,
    fight_war,
    line,
    unit,
    war,
)
from tests.helpers import machine_code

STANDOFF = war(army("A", flanks=line("Position", y=182)), army("B", flanks=line("Position", y=218)))
WEAK_DEFENDER = war(army("A", 20_000), army("B", 3_000))


def fight_hours(inputs: WarInputs, seed: int, hours: int) -> Battle:
    """Return a battle after its first hours."""
    battle, tunables = deploy_war(inputs, seed)
    rules = tunables.end_rules._replace(hours_most=hours)
    fight(battle, tunables._replace(end_rules=rules), Rng(seed))
    return battle


LAST_MAN = FlankOrder(x=200, y=230, infantry=1, maneuver="Position")


def test_r_13_one_man_on_position_does_not_win_a_battle() -> None:
    """Whom an attacker on Position left behind the line had won .85 to 1.00 of the battles, 1,200 hours later."""
    lines = [FlankOrder(x=x, y=218, infantry=3_333) for x in (190, 200, 210)]
    attacker = army("A", 10_000, flanks=line(*["Position"] * 3, y=182))
    found = []
    for flanks in (lines, [*lines, LAST_MAN]):
        inputs = war(attacker, army("B", 9_999 + len(flanks) - 3, flanks=flanks))
        ends = Battlefield.of(inputs, shipped_tables(), 7).fight(0, 1_000, machine_code.kernel()).ends
        found.append(float((ends.winner == 1).mean()))
        assert ends.hours.max() < 1_200

    assert found[1] == pytest.approx(found[0], abs=0.05)


def test_r_13_before_the_first_blow_nobody_leaves_the_field() -> None:
    battle, tunables = deploy_war(STANDOFF, 3, shipped_tables())
    fight(battle, tunables, Rng(3))

    assert (battle.hours, battle.winner, battle.first_contact_hour) == (1_200, 1, 0)


def run_judge(field: Field) -> int:
    judge(field.battle, field.tunables.end_rules, field.events)
    return field.battle.winner


def test_flk_05_a_moving_flank_does_not_attack_in_the_same_hour() -> None:
    """R-12: the flanks meet in the first hour and attack in the second."""
    field = duel(apart_m=1_000.0)

    first, second = field.hour(), field.hour()

    assert [event.kind for event in first] == []
    assert sorted((event.kind, event.flank) for event in second) == [(ATTACK, 0), (ATTACK, 1)]


def test_flk_05_attrition_comes_after_the_attacks() -> None:
    field = duel(apart_m=0.0)
    field.battle.capacity[:] = 0.001

    kinds = [KINDS[event.kind].name for event in field.hour()]

    assert kinds == ["attack", "attack", "natural attrition", "natural attrition"]


def test_flk_06_a_side_wins_when_every_flank_of_the_other_is_routed() -> None:
    battle, _, _ = fight_war(WEAK_DEFENDER)

    assert battle.winner == 0
    assert set(battle.status[battle.side == 1].tolist()) <= {ROUTED, INACTIVE}
    assert READY in battle.status[battle.side == 0].tolist()


def test_r_13_after_1200_hours_the_defender_wins() -> None:
    battle, _, rows = fight_war(STANDOFF)

    assert (battle.hours, battle.winner, battle.first_contact_hour, battle.decided_hour) == (1_200, 1, 0, 0)
    assert rows == []


def test_r_28_panic_is_a_fortune_of_the_attacking_side() -> None:
    strategy = replace(tables().strategy, fortune_panic=2.0)
    inputs = war()

    battles = [deploy_war(inputs, seed, replace(tables(), strategy=strategy))[0] for seed in range(300)]
    panics = np.array([battle.fortune_panic for battle in battles])
    assert (panics.min(), panics.max()) == pytest.approx((0.25, 4.0), rel=0.05), "two doublings"


def test_r_28_a_width_of_0_switches_fortune_off() -> None:
    strategy = replace(tables().strategy, fortune_side=0.0, fortune_flank=0.0, fortune_panic=0.0)
    inputs = war()

    battle, _ = deploy_war(inputs, 1, replace(tables(), strategy=strategy))

    assert battle.fortune_side.tolist() == [1.0, 1.0]
    assert battle.fortune_panic.tolist() == [1.0, 1.0]
    assert battle.fortune_flank.tolist() == [1.0] * 6


def test_r_29_a_retreating_side_has_not_lost_yet() -> None:
    field = duel()
    field.battle.status[1] = RETREATING

    assert run_judge(field) == -1
    field.battle.status[1] = ROUTED
    assert run_judge(field) == 0


def test_r_29_a_table_entry_ends_the_battle_at_the_retreat() -> None:
    field = duel()
    field.tunables = field.tunables._replace(end_rules=field.tunables.end_rules._replace(ends_at_retreat=1))
    field.battle.status[1] = RETREATING

    assert run_judge(field) == 0


def test_r_29_the_last_flank_s_retreat_is_the_decision() -> None:
    """The hour of the decision and the losses up to it are recorded."""
    lost = {}

    def collect(battle: Battle, rows: list[Happening]) -> None:
        lost[battle.hours] = (battle.killed.copy(), (battle.died + battle.diseased).copy(), battle.captured.copy())

    battle, _, rows = fight_war(WEAK_DEFENDER, 4, collect)
    decisions = [(event.hour, event.side) for event in rows if event.kind == DECIDED]
    retreats = [event for event in rows if event.kind == RETREATS and event.side == 1]

    assert decisions == [(battle.decided_hour, 1)]
    assert battle.first_contact_hour < battle.decided_hour < battle.hours
    assert any(event.hour == battle.decided_hour for event in retreats)
    assert battle.lost_before.tolist() == sum(lost[battle.decided_hour]).tolist()


@pytest.mark.parametrize(
    ("morale", "men", "winner"),
    [
        ((0.08, 0.05), (10, 9_000), 0),
        ((0.05, 0.08), (9_000, 10), 1),
        ((0.05, 0.05), (5_000, 4_000), 0),
        ((0.05, 0.05), (4_000, 5_000), 1),
        ((0.0, 0.0), (4_000, 4_000), 1),
    ],
)
def test_r_30_if_both_sides_break_morale_then_men_then_the_defender_decide(
    morale: tuple[float, float], men: tuple[int, int], winner: int
) -> None:
    field = duel()
    field.battle.status[:] = ROUTED
    field.battle.morale[:] = field.battle.morale_start * morale
    field.battle.men[:] = men

    assert run_judge(field) == winner


def test_a_side_without_men_has_lost_before_the_first_hour() -> None:
    nobody = army("B", 1, types=(unit(), None, None), shares=(0.3, 0.0, 0.0))

    battle, _, rows = fight_war(war(army("A"), nobody))

    assert (battle.winner, battle.hours) == (0, 0)
    assert [(KINDS[event.kind].name, event.side) for event in rows] == [("battle decided", 1)]


def test_log_03_the_listener_gets_every_hour_in_order() -> None:
    heard: list[set[int]] = []
    battle, tunables = deploy_war(war())

    def collect(events: Events, orders: Orders) -> None:
        assert battle.hours == len(heard)
        heard.append({event.hour for event in happenings(events)})

    fight(battle, tunables, Rng(1), collect)

    assert len(heard) == battle.hours + 1
    assert all(hours <= {hour} for hour, hours in enumerate(heard))
    assert next(hour for hour, hours in enumerate(heard) if hours) == battle.first_contact_hour == 3


def test_move_04_default_armies_meet_in_the_third_hour() -> None:
    """9 km apart at 3 km/h each; R-12 keeps them from leaping past each other."""
    assert {fight_hours(war(), seed, 4).first_contact_hour for seed in range(20)} == {3}


def test_strat_01_99_flanks_a_side_fight_to_the_end() -> None:
    battle, _, _ = fight_war(
        war(
            army("A", 99_000, flanks=line(*["Normal"] * 99, y=182, apart=1)),
            army("B", 99_000, flanks=line(*["Normal"] * 99, y=218, apart=1)),
        )
    )

    assert battle.winner in (0, 1)
    assert battle.side.shape == (198,)


@pytest.mark.parametrize(("attackers", "defenders"), [(1, 1), (15_000_000, 15_000_000), (1, 15_000_000), (99, 100)])
def test_mil_03_armies_of_any_size_end_with_all_men_accounted_for(attackers: int, defenders: int) -> None:
    battle, _, _ = fight_war(war(army("A", attackers, ships=500), army("B", defenders)))

    gone = battle.killed + battle.died + battle.diseased + battle.captured
    assert battle.winner in (0, 1)
    assert int((battle.men + gone).sum()) == attackers + defenders


def test_r_25_another_seed_is_another_battle() -> None:
    assert len({fight_hours(war(), seed, 12).men.tobytes() for seed in range(20)}) == 20
