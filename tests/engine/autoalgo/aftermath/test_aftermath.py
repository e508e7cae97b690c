"""Losses, occupation and stability computed from the end state of a battle."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.autoalgo.aftermath.battle_end import blank_ends, has_given_up, note_end
from engine.autoalgo.aftermath.casualties import note_casualties
from engine.autoalgo.aftermath.consequences import SideResult, blank_consequences, occupier_after, stability_after
from engine.autoalgo.aftermath.inputs import aftermath_inputs, occupying_type
from engine.autoalgo.aftermath.occupation import Occupier
from engine.autoalgo.aftermath.result import Aftermath, Losses, aftermath_of, men_lost
from engine.autoalgo.battle.events import ATTACK, note
from engine.autoalgo.battle.frames import note_frame
from engine.autoalgo.battle.state import INACTIVE, RETREATING, ROUTED, WINNER
from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.fight.kernel import Kernel
from engine.autoalgo.fight.recorded import RecordedBattle
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.records import Leader
from engine.autoalgo.resolve import variables_of
from engine.autoalgo.setup.variables import SideVariables
from engine.rng import Rng
from scripts.support.pinned_tables import tables
from scripts.support.small_battles import ARCHER, GALLEY, SOLDIER, Field, army, field_of, fleet, terrain, war

Variables = tuple[SideVariables, SideVariables]


def won(fought: WarInputs, winner: int = 0) -> tuple[Field, Variables]:
    """Return the battle of a war as if one side had just won it."""
    field = field_of(fought)
    field.battle.tally[WINNER] = winner
    field.battle.status[field.battle.side != winner] = ROUTED
    return field, variables_of(fought, tables())


def after(fought: WarInputs, field: Field, variables: Variables, seed: int = 1) -> Aftermath:
    """Return the aftermath of that battle."""
    inputs, ends = aftermath_inputs(fought, field.battle, field.tunables, variables, tables()), blank_ends(1)
    note_end(field.battle, field.tunables.end_rules, ends, 0)
    shares = inputs.attacker.wounded_share, inputs.defender.wounded_share
    note_casualties(field.battle, *shares, inputs.constants.r_125, ends, 0)
    none = blank_consequences(1)
    return aftermath_of(fought, field.battle, variables, tables(), Rng(seed), False, inputs, ends, none)


def occupier_of(fought: WarInputs, field: Field, variables: Variables) -> Occupier:
    """Return the attacker as an occupier."""
    inputs, ends = aftermath_inputs(fought, field.battle, field.tunables, variables, tables()), blank_ends(1)
    note_end(field.battle, field.tunables.end_rules, ends, 0)
    end = int(ends.left[0, 0]), float(ends.morale[0, 0]), float(ends.capacity[0, 0])
    return occupier_after(inputs.attacker.conquest, *end, inputs.constants)


def stability_of(
    fought: WarInputs,
    field: Field,
    variables: Variables,
    casualties: int,
    *,
    lost: bool = False,
    occupation: float = 1.0,
    killed: bool = False,
) -> float:
    """Return the attacker's Stability after the war, with the same dice each time."""
    inputs = aftermath_inputs(fought, field.battle, field.tunables, variables, tables())
    result = SideResult(int(lost), *[inputs.attacker.men] * 3, casualties, casualties, int(killed), 0, occupation)
    return stability_after(inputs.attacker.home, result, 0.5, inputs.constants)


def test_r_70_the_morale_of_all_the_winner_s_flanks_counts_even_routed_ones() -> None:
    """Three flanks of 3,000 men and 60,000 points: one fresh, one worn, one routed with 3,000 points left."""
    fought = war()
    field, variables = won(fought)
    field.battle.morale[:3] = 60_000.0, 30_000.0, 3_000.0
    field.battle.status[2] = ROUTED
    occupier = occupier_of(fought, field, variables)
    assert occupier.morale == 93_000.0
    assert occupier.morale_full == 180_000.0


def test_occ_05_all_surviving_men_need_food() -> None:
    """L of ATT-04 in the occupation: all the winner's men, on the Capacity the battle left (R-33)."""
    fought = war()
    field, variables = won(fought)
    field.battle.men[:3] = 3_000, 1_500, 500
    field.battle.capacity[0] = 4_000 / float(field.tunables.country.local_population[0])
    occupier = occupier_of(fought, field, variables)
    assert occupier.men == 5_000.0
    assert occupier.overload == pytest.approx(1.25)


def test_occ_06_only_the_loser_s_disease_strikes_the_occupier() -> None:
    ours = war(army("A", disease="Plague"), army("B"))
    theirs = war(army("A"), army("B", disease="Plague"))
    both = war(army("A", disease="Plague"), army("B", disease="Plague"))
    chances = []
    for fought in (ours, theirs, both):
        field, variables = won(fought)
        chances.append(occupier_of(fought, field, variables).outbreak_chance)
    assert chances[0] == 0.0
    assert chances[2] == pytest.approx(chances[1] / 10), "familiar from home"


def test_r_76_on_land_only_types_that_took_the_field_occupy() -> None:
    """OCC-02: archers without a man in the field hold nothing, and ships hold no land."""
    both = army("A", types=(SOLDIER, ARCHER, None), shares=(1.0, 0.0, 0.0), ship=GALLEY, ships=60)
    fought = war(both, army("B"))
    field, variables = won(fought)
    values = [replace(variables[0].efficiency[0], value=value) for value in (0.3, 0.6, 0.0, 0.9)]
    better = replace(variables[0], efficiency=(values[0], values[1], values[2], values[3]))
    assert occupying_type(fought, 0, field.battle, better, tables()) == 0
    field.battle.share[0] = 0.5, 0.5, 0.0
    assert occupying_type(fought, 0, field.battle, better, tables()) == 1


def test_r_72_leaders_bonuses_count_as_at_the_start_of_the_battle() -> None:
    """The Attack of a head of state killed in the battle still multiplies the occupation score (LEAD-B1)."""
    leader = Leader(name="Both", nation=("A",), attack=5)
    plain = war()
    led = replace(plain, attacker=replace(plain.attacker, national_leader=leader))
    scores = []
    for fought in (plain, led):
        field, variables = won(fought)
        scores.append(after(fought, field, variables).occupation.score)
    assert scores[1] == pytest.approx(6 * scores[0]), "(0.5 + 0.1)·10, whatever became of him"


def test_r_24_casualties_are_the_killed_and_captured_without_attrition() -> None:
    fought = war()
    field, variables = won(fought)
    field.battle.killed[:3] = 100, 20, 3
    field.battle.died[:3] = 7, 0, 0
    field.battle.diseased[:3] = 0, 50, 0
    field.battle.captured[:3] = 0, 0, 1_000
    losses = after(fought, field, variables).losses[0]
    assert (losses.killed, losses.died, losses.captured) == (123, 57, 1_000)
    assert losses.casualties == 1_123
    assert losses.lost == 1_180


def test_r_73_occupation_divides_the_loser_s_stability_only() -> None:
    """STAB-04: with casualties equal to the maximum military the loser's hardship is the winner's times the result."""
    fought = war()
    field, variables = won(fought)
    casualties = round(variables[0].maximum_military.value)
    calm = stability_of(fought, field, variables, 0)
    as_winner = calm - stability_of(fought, field, variables, casualties)
    as_loser = calm - stability_of(fought, field, variables, casualties, lost=True, occupation=0.5)
    assert as_winner > 1
    assert as_loser == pytest.approx(0.5 * as_winner)


@pytest.mark.parametrize(
    ("government", "share"), [("Monarchy", 0.7), ("Republic", 0.7), ("Dictatorship", 0.55), ("Proletariat", 0.55)]
)
def test_stab_03_lead_11_a_dead_autocrat_costs_more_stability(government: str, share: float) -> None:
    """Without casualties: old·Innate·share + the same dice."""
    both = Leader(name="Both", nation=("A",))
    plain = war()
    nation = replace(plain.attacker.nation, stability=200.0, federal_government=government)
    fought = replace(plain, attacker=replace(plain.attacker, nation=nation, military_leader=both, national_leader=both))
    field, variables = won(fought)
    alive, dead = (stability_of(fought, field, variables, 0, killed=killed) for killed in (False, True))
    innate = variables[0].innate_stability.value
    assert alive - dead == pytest.approx(200 * innate * (1 - share), abs=0.11)


def test_db_11_a_side_has_up_to_two_leaders_or_one_person_in_both_posts() -> None:
    """LEAD-09: roles as the receipt names them."""
    general, queen = Leader(name="General", nation=("A",)), Leader(name="Queen", nation=("A",))
    plain = war()
    roles = []
    for commander, head in ((None, None), (general, None), (None, queen), (general, queen), (queen, queen)):
        fought = replace(plain, attacker=replace(plain.attacker, military_leader=commander, national_leader=head))
        field, variables = won(fought)
        fates = after(fought, field, variables).fates[0]
        roles.append([(fate.leader, fate.role) for fate in fates])
    assert roles == [
        [],
        [("General", "Military leader")],
        [("Queen", "National leader")],
        [("General", "Military leader"), ("Queen", "National leader")],
        [("Queen", "Military and national leader")],
    ]


def test_md_11_a_national_leader_at_home_survives_any_defeat() -> None:
    general, queen = Leader(name="General", nation=("A",), martial=10), Leader(name="Queen", nation=("A",))
    plain = war()
    fought = replace(plain, attacker=replace(plain.attacker, military_leader=general, national_leader=queen))
    field, variables = won(fought, winner=1)
    field.battle.captured[:3] = field.battle.men[:3]
    field.battle.men[:3] = 0
    field.battle.status[:3] = INACTIVE
    for seed in range(50):
        commander, head = after(fought, field, variables, seed).fates[0]
        assert not head.is_killed
        assert commander.chance < 0.2


@pytest.mark.parametrize(("left", "killed"), [(3_000, (0, 0)), (1_500, (51, 107)), (0, (162, 196))])
def test_lead_10_r_08_leaders_survive_with_the_frequency_of_their_chance(left: int, killed: tuple[int, int]) -> None:
    """Martial 0, Training 5, 30 years: (0…10 + 2.5 + 3)/100 besides the share of his men who are left.

    Of 200 he is killed in none, in 79 and in 179 by expectation, four deviations either way.
    """
    plain = war()
    fought = replace(plain, attacker=replace(plain.attacker, military_leader=Leader(name="General", nation=("A",))))
    field, variables = won(fought, winner=1)
    field.battle.men[:3] = left
    fates = [after(fought, field, variables, seed).fates[0][0] for seed in range(200)]

    share = left / 3_000
    assert all(min(share + 0.055, 1.0) <= fate.chance <= min(share + 0.155, 1.0) for fate in fates)
    assert killed[0] <= sum(fate.is_killed for fate in fates) <= killed[1]


def test_r_13_only_an_attacker_still_in_the_field_gives_up() -> None:
    field, _ = won(war(), winner=1)
    field.battle.status[:] = ROUTED
    assert not has_given_up(field.battle, field.tunables.end_rules)
    field.battle.status[0] = 1
    assert has_given_up(field.battle, field.tunables.end_rules)
    field.battle.status[0] = RETREATING
    assert has_given_up(field.battle, field.tunables.end_rules)
    ended = field.tunables.end_rules._replace(ends_at_retreat=1)
    assert not has_given_up(field.battle, ended)


@pytest.mark.parametrize(("attacker_on", "target_on", "is_naval"), [(1, 1, True), (1, 0, False), (0, 1, False)])
def test_r_77_only_attacks_from_water_on_water_are_naval(attacker_on: int, target_on: int, is_naval: bool) -> None:
    """RCPT-01: shooting at boats from a river bank makes no naval battle."""
    fought = war(fleet("A"), fleet("B"), ground=terrain("Water"))
    field, _ = won(fought)
    codes = field.tunables.ground.codes.copy()
    ground = field.tunables.ground._replace(codes=codes)
    for flank, on_water in ((0, attacker_on), (3, target_on)):
        if not on_water:
            x, y = (int(at[flank] / ground.metres) for at in (field.battle.x_m, field.battle.y_m))
            codes[y, x] = 0
    stage = Battlefield.of(fought, tables(), 1).recording()
    stage = stage._replace(tunables=stage.tunables._replace(ground=ground))

    def attack(*_: object) -> None:
        note_frame(stage.frames, stage.battle, stage.orders)
        note(stage.events, 0, ATTACK, 0, 0, 3, 0.0, 0.0, 0.0)
        stage.battle.tally[WINNER] = 0

    battle = RecordedBattle(stage, Kernel(attack))
    assert [(hour, len(events)) for hour, events in battle.hours()] == [(0, 1)]
    assert battle.is_naval is is_naval


@pytest.mark.parametrize("lost", [0, 7, 1_234, 12_345_678])
def test_the_number_of_losses_is_read_back_from_their_text(lost):
    losses = Losses(men=20_000_000, left=20_000_000 - lost, killed=lost, died=0, captured=0, ships=3, sunk=1)

    assert men_lost(losses.text()) == lost
    assert men_lost("none") is None
