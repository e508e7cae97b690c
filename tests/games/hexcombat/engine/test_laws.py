"""The invariants of the rules (section 7), for any combat."""

import dataclasses
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.hexcombat.combat.account import Account
from engine.hexcombat.combat.fate import ExpectedFate
from engine.hexcombat.combat.losses import Aim, flattened, hit
from engine.hexcombat.combat.losses import expected as expected_losses
from engine.hexcombat.combat.odds import CombatOdds
from engine.hexcombat.combat.procedures import fight
from engine.hexcombat.setup.dice import DiceInOrder, WrongDie
from engine.hexcombat.setup.fighter import DEFENDER, fighter
from engine.hexcombat.setup.inputs import CombatInputs
from engine.hexcombat.setup.numbers import minus
from engine.rng import Rng
from engine.ruleset import Outcome
from tests.games.hexcombat.engine.battles import (
    ART,
    HEXCOMBAT,
    INF,
    SEEDS,
    SUB,
    TABLES,
    TANK,
    TYPES,
    attacker,
    combat,
    combats,
    defender,
    expected,
    rolled,
)  # fmt: skip
from tests.helpers.example_budget import LAW

FACTS = TABLES.facts
DIFFERENCES = st.integers(-30, 60)


def ruled(inputs: CombatInputs, seed: int) -> Outcome | str:
    """The ruling, or which typed die is out of range."""
    try:
        return HEXCOMBAT.resolve(inputs, Rng(seed))
    except WrongDie as error:
        return str(error)


def everybody(found):
    return found.units.values()


@LAW
@given(inputs=combats(), seed=SEEDS)
def test_strength_never_rises_and_losses_stay_within_it(inputs, seed):
    """Invariant 1."""
    for combatant in everybody(rolled(inputs, seed=seed)):
        start = combatant.piece.unit.strength
        assert 0 <= combatant.strength <= start or combatant.status == "Destroyed"
        assert combatant.kills_taken <= start
        assert 0 <= combatant.lasting <= combatant.suppressed <= combatant.strength
        assert combatant.suppression_taken <= combatant.strength


@LAW
@given(inputs=combats())
def test_a_forecast_neither_rolls_nor_writes(inputs):
    """Invariant 2: no event is a die, and the same inputs say the same again."""
    account = Account()
    found = fight(inputs, TABLES.having(inputs.settings), ExpectedFate(account), account)

    assert not [event for event in account.events if event.kind == "die"]
    assert HEXCOMBAT.forecast(inputs) == HEXCOMBAT.forecast(inputs)
    assert found.attacker.piece is inputs.attacker


@LAW
@given(
    attack=st.integers(1, 60), defence=st.integers(0, 60), shots=st.integers(0, 30), kill=st.sampled_from([13, 15, 19])
)
def test_expected_kills_rise_with_attack_and_fall_with_defence(attack, defence, shots, kill):
    """Invariant 3."""
    enemy = fighter(defender(INF, strength=30), DEFENDER, FACTS)

    def kills(own: int, other: int) -> int:
        return expected_losses(Aim(shots, flattened(own - other), 11, kill), enemy).killed

    assert kills(attack + 1, defence) >= kills(attack, defence) >= kills(attack, defence + 1)


@LAW
@given(difference=DIFFERENCES)
def test_flattening_is_monotonic_and_keeps_differences_up_to_4(difference):
    """Invariant 4."""
    assert flattened(difference) <= flattened(difference + 1)
    assert difference > 4 or flattened(difference) == difference


@LAW
@given(difference=DIFFERENCES, kill=st.integers(1, 40))
def test_a_natural_20_kills_and_a_natural_1_misses(difference, kill):
    """Invariant 5."""
    aim = Aim(1, difference, 11, kill)

    assert (hit(1, aim), hit(20, aim)) == ((0, 0), (1, 1))


@LAW
@given(inputs=combats(("Attack",)), seed=SEEDS, useless=st.sampled_from([{"ammo": 0}, {"suppressed": 10}]))
def test_a_unit_unable_to_fire_causes_no_losses(inputs, seed, useless):
    """Invariant 6."""
    unit = dataclasses.replace(inputs.defender.unit, **{"strength": 10, **useless})
    helpless = dataclasses.replace(
        inputs, defender=dataclasses.replace(inputs.defender, unit=unit), fire_support=(), air_defence=(),
        interceptors=(), counter_battery=(),
    )  # fmt: skip

    found = rolled(helpless, seed=seed)

    assert not found.defender.has_fired
    assert found.attacker.kills_taken == 0
    assert found.defender.ammo == found.defender.start_ammo or "Level Bomber" in found.attacker.kinds


@LAW
@given(inputs=combats(), seed=SEEDS)
def test_each_fire_costs_one_shot(inputs, seed):
    """Invariant 7: so do a barrage, an overrun and sabotage; evading, fleeing and a failed overrun cost none."""
    found = rolled(inputs, seed=seed)
    spent = [event.flank for event in found.account.events if event.kind in ("fire", "barrage", "overrun")]
    tried = any(event.id == "HX-SAB-5" and event.kind == "chance" for event in found.account.events)

    for combatant in everybody(found):
        if combatant is not found.enemy:  # bombs take ammo too
            shots = spent.count(combatant.name) + (tried and combatant is found.attacker)
            assert combatant.ammo == max(0, combatant.start_ammo - shots)


def test_invariant_8_the_first_fire_reduces_the_second():
    """HX-RES: ATTACKER FIRST, DEFENDER FIRST, SIMULTANEOUS, all ten shots of the first being kills."""
    kills, miss = [20] * 10, [1] * 10
    first = combat(attacker(TANK, leaders=("First Strike",)), defender(INF))
    both = combat(attacker(TANK), defender(INF))
    last = combat(attacker(TANK), defender(INF), kind="Surprise contact")

    assert rolled(first, 3, 1, *kills, *kills).attacker.kills_taken == 0
    assert rolled(both, 3, 1, *kills, *kills).attacker.kills_taken == 10
    assert rolled(both, 3, 1, *kills, *miss).attacker.kills_taken == 0
    assert rolled(last, *kills, *kills).defender.kills_taken == 0


@LAW
@given(inputs=combats(("Surprise contact",)), seed=SEEDS)
def test_rugged_combat_starts_with_the_defender_without_initiative(inputs, seed):
    """Invariant 9."""
    found = rolled(inputs, seed=seed)
    assert found.sequence in ("", "DEFENDER FIRST") or (found.attacker.kinds & {"Fortification"} and inputs.range > 1)
    lines = {event.id for event in found.account.events if event.flank == "" and event.kind == "line"}
    assert not lines & {"HX-INI-7", "HX-INI-10", "HX-TER"}


@LAW
@given(own=st.sampled_from(TYPES), enemy=st.sampled_from(TYPES), moved=st.booleans())
def test_plain_units_fight_with_their_own_numbers_and_those_of_their_classes(own, enemy, moved):
    """Invariant 10."""
    found = expected(combat(attacker(own), defender(enemy), attacker_moved=moved))
    if found.is_close_combat:
        return

    of_classes = {"C1", "C4", "C5", "D1", "D9", "D10", "D11", "E2", "E9", "E10", "A1", "B1"}
    lines = {event.id for event in found.account.events if event.kind == "line"}
    assert {id.removeprefix("HX-ODD-") for id in lines if id.startswith("HX-ODD-")} <= of_classes


@LAW
@given(inputs=combats(("Attack",)), seed=SEEDS)
def test_winning_the_initiative_helps_one_side_by_4_defence_and_up_to_4_attack(inputs, seed):
    """Invariants 11 and 12."""
    found = rolled(inputs, seed=seed)
    if not found.sequence:
        return  # it evaded, was sabotaged ...
    before = [variable.value for variable in found.account.explained if variable.note.startswith("Exchange")][:4]
    shown = next(line.text for _, lines in found.account.blocks for line in lines if line.label == "Attack / defence")
    after = [int(part.split()[-1]) for part in shown.replace(",", " /").split(" / ") if part.split()[-1].isdigit()]

    changes = [later - earlier for earlier, later in zip(before, after, strict=True)]

    ours, theirs = changes[:2], changes[2:]
    assert ours == [0, 0] or theirs == [0, 0]
    for attack, defence in (ours, theirs):
        assert (attack, defence) == (0, 0) or (1 <= attack <= 4 and defence == 4)
    groups = {"Land", "Air", "Naval"}
    if found.attacker.kinds & groups != found.defender.kinds & groups:
        assert changes == [0, 0, 0, 0]


@LAW
@given(inputs=combats(("Attack",)), seed=SEEDS)
def test_explain_and_log_end_with_the_numbers_that_fire(inputs, seed):
    """The lead in initiative added 4 to attack and defence on the receipt, and nowhere before (HX-INI-17/18)."""
    found = rolled(inputs, seed=seed)
    if not found.sequence:
        return
    events = [event.text for event in found.account.events]
    place = next(place for place, text in enumerate(events) if text.startswith("Attack / defence: "))
    explained = {number.name: number for number in found.account.explained if number.note.startswith("Exchange")}
    texts = []
    for unit in (found.attacker, found.defender):
        values = []
        for name in (f"Attack, {unit.name}", f"Defence, {unit.name}"):
            number = explained[name]
            values.append(minus(number.value))
            assert sum(number.numbers) == number.value
            last = next((text for text in events[place::-1] if number.numbers and text.startswith(f"{name}: ")), "")
            assert not number.numbers or last.endswith(f"makes {values[-1]}") or f": {values[-1]} (" in last
        texts.append(f"{unit.name} {' / '.join(values)}")
    assert events[place] == f"Attack / defence: {', '.join(texts)}"


@pytest.mark.parametrize("own", TYPES, ids=lambda own: own.name)
def test_invariant_13_hx_sub_1_hx_sub_2_few_units_attack_submarines(own):
    found = expected(combat(attacker(own), defender(SUB)))
    with_asw = expected(combat(attacker(own, attributes=("ASW",)), defender(SUB)))

    hunts = own.unit_class in ("Tactical Bomber", "Destroyer")
    assert found.says("may attack submarines") == hunts
    assert with_asw.says("may attack submarines") != hunts


def test_invariant_13_hx_sub_3_land_units_attack_a_submarine_in_port():
    from_port = defender(SUB, on=dataclasses.replace(defender(SUB).ground, terrain=TABLES.facts.terrains["Port"]))

    assert expected(combat(attacker(INF), from_port)).says("may attack submarines")
    assert not expected(combat(attacker(ART), from_port)).says("may attack submarines")


@LAW
@given(inputs=combats(), seed=SEEDS)
def test_every_chance_is_0_to_100_and_decided_by_a_die(inputs, seed):
    """Invariant 14."""
    events = rolled(inputs, seed=seed).account.events
    for die, chance in itertools.pairwise(events):
        if chance.kind == "chance":
            assert 0 <= chance.amount <= 100
            if 0 < chance.amount < 100:
                assert die.kind == "die"
                assert chance.text.endswith("yes" if die.amount <= chance.amount else "no")


@LAW
@given(inputs=combats(), seed=SEEDS)
def test_only_kills_give_experience(inputs, seed):
    """Invariant 15: at most 15 for each kill made and exactly 2 for each point lost."""
    found = rolled(inputs, seed=seed)
    made = sum(combatant.kills_taken for combatant in everybody(found))
    for combatant in everybody(found):
        gain = combatant.experience - combatant.piece.unit.experience
        assert gain >= 2 * combatant.kills_taken or found.ending == "overrun"
        assert gain <= 2 * combatant.kills_taken + 15 * (made - combatant.kills_taken)


@LAW
@given(inputs=combats(), seed=SEEDS)
def test_number_0_of_a_seed_is_its_ruling(inputs, seed):
    ruled = HEXCOMBAT.resolve(inputs, Rng(seed))

    found = HEXCOMBAT.replicates(inputs, seed, 0, 3)

    assert found.winner is None
    assert found.numbers["Attacker killed"].values[0] == ruled.figures["Attacker kills"]


@LAW
@given(inputs=combats(), seed=SEEDS)
def test_each_changed_cell_is_written_once(inputs, seed):
    updates = HEXCOMBAT.resolve(inputs, Rng(seed)).updates

    assert len({(update.tab, update.row, update.field) for update in updates}) == len(updates)
    assert all(update.before != update.after for update in updates)


def test_typed_dice_do_not_change_drawn_ones():
    typed, drawn = DiceInOrder((4,), Rng(7)), DiceInOrder((), Rng(7))
    typed.roll(1, 20, 0)

    assert typed.roll(1, 20, 0, 0, 1) == drawn.roll(1, 20, 0, 0, 1)


def test_turned_odds_are_the_enemy_s():
    assert CombatOdds(1, 2, 3, 4).turned == CombatOdds(3, 4, 1, 2)
