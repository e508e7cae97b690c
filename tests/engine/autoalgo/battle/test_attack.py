"""Attacks (ATK).

10,000 men with Limitation 0.64 are a battalion of 80; with the rest of the round numbers of
`scripts.support.small_battles` (Power 0.5, Efficiency 0.5, dice 2.5) they kill 50 and shake 50.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.autoalgo.battle.attack import attack
from engine.autoalgo.battle.blow import UnitBlow, battalion
from engine.autoalgo.battle.decision import decide
from engine.autoalgo.battle.draw_ids import ATTACK_ORDER, CHARGE, KILLED_WHOLE
from engine.autoalgo.battle.events import (
    ATTACK,
    BLOW,
    BLOWS,
    CAPTURED,
    HIGHER_GROUND,
    RETREATS,
    ROUTED,
    SUNK,
    Happening,
    blank_events,
)
from engine.autoalgo.battle.state import INACTIVE, MANEUVERS, READY, RETREATING, SIEGE_BEGUN
from engine.autoalgo.battle.state import ROUTED as ROUTED_STATUS
from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.inputs import FlankOrder
from engine.autoalgo.setup.source import RULES, under_rules
from engine.settings import Raw, Setting
from scripts.support.pinned_tables import SHIPPED, raw_tables, tables_with
from scripts.support.small_battles import (
    ARCHER,
    FEATURES,
    GALLEY,
    SOLDIER,
    Field,
    army,
    duel,
    field_of,
    fleet,
    ground_of_codes,
    line,
    terrain,
    unit,
    war,
    with_numbers,
)

BOOK = raw_tables(config=SHIPPED)


def melee(size: int = 10_000, enemies: int = 10_000, **more: object) -> Field:
    """Return a field of one flank against one, in reach of each other; only flank 0 attacks."""
    return disarm_defender(duel(army("A", size), army("B", enemies), apart_m=0.0, **more))


def disarm_defender(field: Field) -> Field:
    field.tunables.units.power[1] = 0.0
    return field


def run_attacks(field: Field, hour: int = 1) -> list[Happening]:
    """Decide and attack, and return the events."""
    decide(field.battle, field.orders, field.tunables, field.draws, hour)
    attack(field.battle, field.orders, field.tunables, field.draws, field.events, hour)
    return field.drain()


def many_against_one(attackers: int = 3) -> Field:
    """Return a field of several flanks of 10,000 against one of 10,000, all in reach."""
    own = army("A", 10_000 * attackers, flanks=line(*["Normal"] * attackers, y=200))
    field = field_of(war(own, army("B", 10_000, flanks=line("Normal", y=200))))
    for flank in range(attackers + 1):
        field.put(flank, 50_000.0, 50_000.0)
    return disarm_defender(field)


def test_atk_04_atk_05_atk_06_killed_and_shaken_men_cost_20_morale_each() -> None:
    field = melee()

    (event,) = run_attacks(field)

    assert (event.kind, event.flank, event.target, event.amount, event.shaken) == (ATTACK, 0, 1, 50.0, 50.0)
    assert (field.battle.men[1], field.battle.killed[1], field.battle.morale[1]) == (9_950, 50, 200_000.0 - 2_000.0)
    assert (field.battle.men[0], field.battle.morale[0]) == (10_000, 200_000.0)


@pytest.mark.parametrize("maneuver", ["Hit and run", "Feigned Retreat", "Normal"])
@pytest.mark.parametrize(("speed", "is_hit"), [(2.9, False), (3.0, True), (20.0, True)])
def test_r_89_a_maneuver_out_of_reach_escapes_slower_enemies(maneuver: str, speed: float, is_hit: bool) -> None:
    """Only a flank of equal speed strikes after it; under Normal nobody goes away, so he is hit."""
    field = disarm_defender(duel(army("A", types=(unit(speed=speed), None, None)), army("B"), apart_m=50.0))
    field.battle.maneuver[1] = MANEUVERS.index(maneuver)
    field.battle.run_rounds[1] = 2
    with_numbers(field, "r_89", rounds=2)

    attackers = [event.flank for event in field.hour() if event.kind == ATTACK]

    assert attackers == ([0] if is_hit or maneuver == "Normal" else [])


def test_r_69_walls_protect_a_defender_on_position() -> None:
    """10,000 men kill 50 in the open; walls of 0.8 stop four of five hits, for those who neither leave nor flee."""
    assert [killed_behind_walls(0.8, maneuver) for maneuver in ("Normal", "Position")] == [50, 10]
    assert killed_behind_walls(0.8, "Position", flees=True) == 5, "Mercy, as in the open"
    assert killed_behind_walls(0.0, "Position") == 50


def killed_behind_walls(walls: float, maneuver: str, *, flees: bool = False) -> int:
    field = melee()
    field.tunables = field.tunables._replace(country=field.tunables.country._replace(walls=walls))
    field.battle.maneuver[1] = MANEUVERS.index(maneuver)
    if flees:
        field.battle.status[1] = RETREATING
    run_attacks(field)
    return int(field.battle.killed[1])


@pytest.mark.parametrize(
    ("rules", "stands", "flees"),
    [(BOOK, 70, 35), (under_rules(BOOK, [Setting(name=RULES, value="source")]), 50, 5)],
    ids=["history", "source"],
)
def test_r_119_half_of_the_men_hit_in_flight_fall(rules: Raw, stands: int, flees: int) -> None:
    """The middle of the printed die, 0 to 5, kills 50 of 10,000 men, and a tenth of them if they flee."""
    numbers = rules["constants"]["ATK-04"]

    for status, killed in ((READY, stands), (RETREATING, flees)):
        field = melee()
        with_numbers(field, "atk_04", luck_most=numbers["luck_most"], mercy=numbers["mercy"])
        field.battle.status[1] = status
        run_attacks(field)
        assert field.battle.killed[1] == killed


@pytest.mark.parametrize(("siege_begun", "killed"), [(0, 50), (1, 10)])
def test_r_69_besiegers_on_position_have_works(siege_begun: int, killed: int) -> None:
    field = duel(army("A", 10_000), army("B", 10_000), apart_m=0.0)
    field.tunables.units.power[0] = 0.0
    field.tunables = field.tunables._replace(country=field.tunables.country._replace(walls=0.8))
    field.battle.maneuver[0] = MANEUVERS.index("Position")
    field.battle.tally[SIEGE_BEGUN] = siege_begun
    run_attacks(field)

    assert field.battle.killed[0] == killed


@pytest.mark.parametrize(
    ("own", "enemys", "range_m", "killed"),
    [(0.2, 0.6, 0.1, 40), (0.6, 0.6, 0.1, 50), (0.9, 0.6, 0.1, 50), (0.0, 1.0, 6.0, 25), (0.0, 1.0, 6.1, 50)],
)
def test_r_79_better_armour_stops_hits_at_close_quarters(
    own: float, enemys: float, range_m: float, killed: int
) -> None:
    """Half of the difference between both units' Defense, for weapons of up to 6 m."""
    field = melee()
    field.tunables.units.armour[0], field.tunables.units.armour[1] = own, enemys
    field.tunables.units.range_m[0] = range_m
    field.update_traits()
    field.draws[KILLED_WHOLE] = 0.5
    run_attacks(field)

    assert field.battle.killed[1] == killed


def test_atk_01_attacks_of_all_ready_types_are_added() -> None:
    """The flank acts as sqrt(6,400) = 80 men; soldiers 0.75·80·0.5, archers 0.25·80·0.2; each ·0.5·2.5."""
    field = disarm_defender(
        duel(army("A", 10_000, types=(SOLDIER, None, ARCHER), shares=(0.75, 0.0, 0.25)), apart_m=0.0)
    )
    field.draws[KILLED_WHOLE] = 0.99

    (event,) = run_attacks(field)

    expected = (0.75 * 80 * 0.5 + 0.25 * 80 * 0.2) * 0.5 * 2.5
    assert event.amount == int(expected)
    assert event.shaken == pytest.approx(expected)


def test_atk_01_a_type_without_a_weapon_for_the_distance_adds_nothing() -> None:
    """100 m off only the archers reach: 0.25·80·0.3·0.5·2.5 (their long weapon), though the soldiers stand by."""
    field = disarm_defender(
        duel(army("A", 10_000, types=(SOLDIER, None, ARCHER), shares=(0.75, 0.0, 0.25)), army("B", 10_000))
    )
    field.put(1, field.battle.x_m[0], field.battle.y_m[0] + 200.0)
    field.draws[CHARGE] = 0.99

    (event,) = run_attacks(field)

    assert event.shaken == pytest.approx(0.25 * 80 * 0.3 * 0.5 * 2.5)


def test_atk_01_r_28_the_dice_of_the_four_types_are_the_purposes_7_to_10() -> None:
    """Named numbers are never renumbered, or every battle ruled so far would come out differently (R-25)."""
    own = army("A", 10_000, types=(SOLDIER, SOLDIER, SOLDIER), shares=(0.25, 0.25, 0.5), ship=GALLEY, ships=10)
    field = disarm_defender(duel(own, army("B", 10_000, ships=1), ground=terrain("Water"), apart_m=0.0))
    field.draws[:] = 0.0
    field.tunables.units.aboard[0] = 1.0
    field.draws[7:11, 0] = 0.1, 0.2, 0.3, 0.4

    (event,) = run_attacks(field)

    # 10,000 men are 80, 1,500 berths sqrt(960); Power 0.5 and 0.9, Efficiency 0.5, dice·5.
    blows = 80 * 0.5 * (0.25 * 0.1 + 0.25 * 0.2 + 0.5 * 0.3) + 960**0.5 * 0.9 * 0.4
    assert event.shaken == pytest.approx(blows * 0.5 * 5)


def test_atk_02_efficiency_and_limitation_are_clamped_after_terrain() -> None:
    field = melee(ground=terrain("High ground"))
    field.tunables.units.efficiency[0] = field.tunables.units.limitation[0] = 0.9

    (event,) = run_attacks(field)

    assert event.shaken == pytest.approx(100 * 0.5 * 1.0 * 2.5)


@pytest.mark.parametrize(
    ("own", "enemy", "factor"),
    [
        ("High ground", "Plain", 1.3**1.5),
        ("Plain", "High ground", 1.0),
        ("Forest", "High ground", 0.75**0.5 * 0.85),
        ("High ground", "Forest", 1.3**1.5),
    ],
)
def test_atk_02_only_the_attacker_s_ground_counts(own: str, enemy: str, factor: float) -> None:
    codes = np.full((400, 400), FEATURES[enemy], np.uint8)
    codes[:200] = FEATURES[own]
    field = melee(ground=ground_of_codes(codes))
    field.put(0, 50_000.0, 49_980.0)
    field.put(1, 50_000.0, 50_020.0)

    assert run_attacks(field)[-1].shaken == pytest.approx(50.0 * factor)


def blow_of_type(field: Field, kind: int) -> UnitBlow:
    """Return what made the blow of a type in the first attack of flank 0."""
    field = replace(field, events=blank_events(field.battle.side.shape[0], with_terms=True))
    attacks = [happening for happening in run_attacks(field) if happening.kind == ATTACK and happening.flank == 0]
    place = BLOWS + kind * BLOW
    return UnitBlow(*attacks[0].terms[place : place + BLOW])


@pytest.mark.parametrize(
    ("men", "share", "expected"), [(99, 1.0, 8.0), (10, 1.0, 6.4), (1, 1.0, 0.64), (99, 0.25, 4.0)]
)
def test_atk_03_r_32_flanks_under_100_men_lose_the_root(men: int, share: float, expected: float) -> None:
    """At most sqrt(100·share·0.64) = 8·sqrt(share) where types hit by their root; in the source the men times 0.64."""
    for bound, battalion_of in ((100.0, expected), (10_000.0, men * share * 0.64)):
        field = with_numbers(melee(men), "r_123", applies=0)
        field.battle.share[0, 0] = share
        with_numbers(field, "r_32", men=bound)
        blow = blow_of_type(field, 0)

        assert battalion(blow.men, blow.limitation, blow.small_flank) == pytest.approx(battalion_of)


@pytest.mark.parametrize("men", [10_000, 60])
def test_r_123_a_unit_split_over_two_columns_hits_as_in_one(men: int) -> None:
    """Without the rule halves hit by √½ + √½."""
    hits = []
    for applies, shares in ((1, (1.0, 0.0, 0.0)), (1, (0.5, 0.5, 0.0)), (0, (0.5, 0.5, 0.0))):
        own = army("A", men, types=(SOLDIER, SOLDIER if shares[1] else None, None), shares=shares)
        field = with_numbers(disarm_defender(duel(own, army("B", 10_000), apart_m=0.0)), "r_123", applies=applies)
        hits.append(run_attacks(field)[-1].shaken)

    assert hits[1:] == pytest.approx([hits[0], hits[0] * 2**0.5])


def test_atk_04_the_power_is_that_of_the_weapon_used() -> None:
    field = melee()
    field.tunables.units.power[0, 0] = 0.1, 0.2, 0.8

    assert run_attacks(field)[0].shaken == pytest.approx(80.0)


def test_unit_16_dispersion_is_averaged_over_the_men() -> None:
    """3 of 4 men stand 5 apart, one shoulder to shoulder: 0.75 / 5 + 0.25 = 0.4."""
    enemy = army("B", 10_000, types=(SOLDIER, None, ARCHER), shares=(0.75, 0.0, 0.25))
    field = disarm_defender(duel(army("A", 10_000), enemy, apart_m=0.0))
    field.tunables.units.dispersion[1] = 5.0, 9.0, 1.0, 9.0
    field.update_traits()

    assert run_attacks(field)[0].shaken == pytest.approx(50.0 * 0.4)


def test_unit_16_on_water_hits_are_divided_by_the_ships_dispersion() -> None:
    """That of the ships that shoot counts for nothing."""
    ships = {"ship": GALLEY, "ships": 3}
    field = disarm_defender(
        duel(army("A", 10_000, **ships), army("B", 10_000, **ships), ground=terrain("Water"), apart_m=0.0)
    )
    before = run_attacks(field)[0].shaken
    field.tunables.units.dispersion[:, 3] = 4.0
    field.update_traits()

    assert run_attacks(field, hour=2)[0].shaken == pytest.approx(before / 4, rel=0.01)


def test_r_28_panic_affects_only_the_demoralised() -> None:
    field = melee()
    (usual,) = run_attacks(field)
    again = melee()
    again.battle.fortune_panic[0] = 3.0

    (event,) = run_attacks(again)

    assert (event.amount, event.shaken) == (usual.amount, pytest.approx(3.0 * usual.shaken))


def test_atk_05_every_further_flank_on_the_same_target_shakes_a_tenth_more() -> None:
    events = [event for event in run_attacks(many_against_one(3)) if event.kind == ATTACK]

    assert [event.amount for event in events] == [50.0] * 3
    assert [event.shaken for event in events] == pytest.approx([60.0] * 3)


def test_r_16_morale_stops_at_0() -> None:
    field = melee()
    field.battle.morale[1] = 10.0

    run_attacks(field)

    assert field.battle.morale[1] == 0.0


def test_atk_07_a_broken_flank_is_out_and_later_attackers_forfeit() -> None:
    field = many_against_one(3)
    field.battle.morale[3] = 0.1 * field.battle.morale_start[3] + 1_500.0
    field.draws[ATTACK_ORDER] = 0.3, 0.1, 0.2, 0.9

    events = run_attacks(field)

    assert [(event.kind, event.flank, event.target) for event in events] == [(ATTACK, 1, 3), (ROUTED, 3, 1)]
    assert field.battle.status[3] == ROUTED_STATUS
    assert field.battle.men[3] == 9_950


def test_atk_07_a_flank_that_starts_to_retreat_stops_attacking() -> None:
    """Invariant 4."""
    field = duel(army("A", 10_000), army("B", 10_000), apart_m=0.0)
    field.battle.morale[1] = 0.3 * field.battle.morale_start[1] + 100.0
    field.draws[ATTACK_ORDER] = 0.1, 0.9

    events = run_attacks(field)

    assert [(event.kind, event.flank) for event in events] == [(ATTACK, 0), (RETREATS, 1)]


def test_r_12_attacks_follow_the_drawn_order_one_by_one() -> None:
    field = duel(army("A", 10_000), army("B", 10_000), apart_m=0.0)
    field.draws[ATTACK_ORDER] = 0.9, 0.1

    events = run_attacks(field)

    assert [event.flank for event in events] == [1, 0]
    assert events[1].shaken == pytest.approx((9_950 * 0.64) ** 0.5 * 0.5 * 0.5 * 2.5)


def test_atk_08_a_flank_about_to_lose_all_men_is_captured() -> None:
    field = melee(enemies=50)

    events = run_attacks(field)

    assert [(event.kind, event.flank, event.target, event.amount) for event in events] == [
        (ATTACK, 0, 1, 0.0),
        (CAPTURED, 1, 0, 50.0),
    ]
    assert (field.battle.men[1], field.battle.captured[1], field.battle.killed[1]) == (0, 50, 0)
    assert (field.battle.status[1], field.battle.ships[1]) == (INACTIVE, 0)


def test_atk_08_r_17_on_water_the_ships_are_sunk_and_the_crews_killed() -> None:
    field = duel(fleet("A", ships=60), fleet("B", ships=1), ground=terrain("Water"), apart_m=0.0)
    field.battle.men[1] = 10
    field.draws[ATTACK_ORDER] = 0.1, 0.9

    events = run_attacks(field)

    assert [(event.kind, event.flank, event.target, event.amount) for event in events] == [
        (ATTACK, 0, 1, 10.0),
        (SUNK, 1, 0, 1.0),
    ]
    assert (field.battle.ships[1], field.battle.sunk[1], field.battle.killed[1], field.battle.captured[1]) == (
        0,
        1,
        10,
        0,
    )


def test_atk_08_men_on_water_without_ships_are_captured() -> None:
    field = melee(enemies=50, ground=terrain("Water"))
    field.battle.ships[:] = 0

    run_attacks(field)

    assert (field.battle.captured[1], field.battle.killed[1]) == (50, 0)


def test_atk_09_higher_ground_is_an_event_of_its_own() -> None:
    codes = np.full((400, 400), FEATURES["Plain"], np.uint8)
    codes[:200] = FEATURES["High ground"]
    field = disarm_defender(duel(ground=ground_of_codes(codes)))
    field.put(0, 50_000.0, 49_980.0)
    field.put(1, 50_000.0, 50_020.0)

    events = run_attacks(field)

    assert [(event.kind, event.flank, event.target, event.distance_m) for event in events] == [
        (HIGHER_GROUND, 0, 1, 40.0),
        (ATTACK, 0, 1, 40.0),
    ]


def test_flk_04_the_ships_defense_joins_the_maximum_on_water() -> None:
    """R-37."""
    field = disarm_defender(
        duel(army("A", 10_000), army("B", 10_000, ship=GALLEY, ships=3), ground=terrain("Water"), apart_m=0.0)
    )
    field.tunables.units.open_defense[1] = 0.1, 0.0, 0.0, 0.5
    field.update_traits()

    assert run_attacks(field)[0].shaken == pytest.approx(25.0)


@pytest.mark.parametrize(
    ("ships", "left", "ground", "strike"),
    [
        (3, 10_000, "Water", 450),
        (3, 400, "Water", 400),
        (3, 10_000, "Plain", 10_000),
        (0, 10_000, "Water", 10_000),
    ],
)
def test_r_122_at_sea_only_men_aboard_strike(ships: int, left: int, ground: str, strike: int) -> None:
    """A galley carries 150; of ships that nobody counted there are enough."""
    field = duel(army("A", 10_000, ship=GALLEY, ships=ships), army("B", 10_000), ground=terrain(ground), apart_m=0.0)
    field.battle.men[0] = left

    blow = blow_of_type(field, 0)

    assert blow.men * blow.aboard == pytest.approx(strike)


def test_r_122_more_flanks_than_ships_add_no_fighters() -> None:
    flanks = tuple(FlankOrder(x=190 + 10 * place, y=182) for place in range(3))
    fought = war(army("A", 9_000, ship=GALLEY, ships=1, flanks=flanks), army("B"), ground=terrain("Water"))
    rules = [tables_with({"constants/R-122/applies": applies}) for applies in (1, 0)]

    found = [Battlefield.of(fought, numbers, 1).tunables.units.aboard.tolist() for numbers in rules]
    assert found == [[150 / 9_000, 1.0], [1.0, 1.0]]
