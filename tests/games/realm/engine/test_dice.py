from fractions import Fraction

import pytest

from engine.realm.setup.dice import RealmDice
from engine.realm.setup.purposes import PURPOSES
from engine.rng import Rng
from engine.ruleset import Event
from tests.games.realm.engine.courts import laid


def dice(fixed: str = "", seed: int = 1) -> tuple[RealmDice, list[Event]]:
    events: list[Event] = []
    return RealmDice(Rng(seed), laid(fixed), events), events


def test_rl_gen_01_faces_are_rounded_down_and_no_face_gives_0() -> None:
    realm_dice, events = dice()
    assert {realm_dice.roll(Fraction("3.9"), "RL-ESP-1", "kills") for _ in range(200)} == {1, 2, 3}
    assert realm_dice.roll(Fraction("0.9"), "RL-ESP-1", "kills") == 0
    assert realm_dice.roll(-4, "RL-ESP-1", "kills") == 0
    assert len(events) == 200  # what has no face is not rolled


def test_rl_gen_02_a_certain_chance_needs_no_roll() -> None:
    realm_dice, events = dice("RL-REC-01=100; RL-REC-01=7; RL-REC-01=8")
    assert not realm_dice.succeeds(Fraction(-3), "RL-REC-01", "a leader arrives")
    assert realm_dice.succeeds(Fraction(100), "RL-REC-01", "a leader arrives")
    assert not realm_dice.succeeds(Fraction("99.9"), "RL-REC-01", "a leader arrives")  # 100 is laid
    assert realm_dice.succeeds(Fraction("7.2"), "RL-REC-01", "a leader arrives")
    assert not realm_dice.succeeds(Fraction("7.2"), "RL-REC-01", "a leader arrives")
    assert [event.kind for event in events] == ["chance", "chance", "die", "die", "die"]


def test_rl_gen_02_a_second_die_decides_on_a_fraction() -> None:
    """32.5 of 100, not 32; over 20,000 rolls four standard errors are 1.3."""
    chance = Fraction(65, 2)
    rolled, events = dice(seed=7)
    hits = sum(rolled.succeeds(chance, "RL-REB-01", "rebels") for _ in range(20_000)) / 200

    assert abs(hits - 32.5) < 1.33
    halves = [event.amount for event in events if "the fraction 50 % of it" in event.text]
    assert 120 < len(halves) < 290  # a hundredth of the rolls
    assert 0.35 < sum(amount <= 500_000 for amount in halves if amount is not None) / len(halves) < 0.65


def test_rl_gen_02_a_moderator_s_number_is_compared_unchanged() -> None:
    for number, succeeds in ((32, True), (33, False)):
        laid, events = dice(f"RL-REB-01={number}")
        assert laid.succeeds(Fraction(65, 2), "RL-REB-01", "rebels") is succeeds
        assert len(events) == 1


def test_every_die_is_logged_with_its_rule() -> None:
    realm_dice, events = dice("RL-LOY-02 Piso=63")
    realm_dice.roll(100, "RL-LOY-02", "loyalty check", "Piso")
    assert [(event.id, event.amount, event.text) for event in events] == [
        ("RL-LOY-02", 63, "Piso, loyalty check: moderator's 63 of 100")
    ]


def test_rl_op_41_a_fixed_roll_replaces_the_next_matching_die() -> None:
    realm_dice, _ = dice("RL-LOY-02 Varro=97; RL-LOY-02=5; RL-HEA-01=900")
    assert realm_dice.roll(100, "RL-LOY-02", "loyalty check", "Piso") == 5
    assert realm_dice.roll(100, "RL-LOY-02", "loyalty check", "Varro") == 97
    assert realm_dice.roll(100, "RL-HEA-01", "heals", "Piso") == 100  # no die shows more than it has faces
    assert [str(fixed) for fixed in realm_dice.used] == ["RL-LOY-02=5", "RL-LOY-02 Varro=97", "RL-HEA-01=900"]


def test_rl_op_41_an_unused_fixed_roll_is_reported() -> None:
    realm_dice, _ = dice("RL-LOY-02 Varro=97")
    realm_dice.roll(100, "RL-LOY-02", "loyalty check", "Piso")
    assert [str(fixed) for fixed in realm_dice.unused] == ["RL-LOY-02 Varro=97"]


def test_rl_op_25_ranges_are_rolled_evenly() -> None:
    realm_dice, _ = dice()
    found = [realm_dice.between(Fraction(5), Fraction(20), "RL-LOY-03e", "absconds with") for _ in range(2000)]
    assert (min(found), max(found)) == (5, 20)
    assert len(set(found)) == 16


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_equal_seeds_give_equal_dice(seed: int) -> None:
    first, second = (dice(seed=seed)[0] for _ in range(2))
    assert [first.roll(100, id, "x") for id in PURPOSES] == [second.roll(100, id, "x") for id in PURPOSES]


def test_every_die_has_its_own_number() -> None:
    assert sorted(PURPOSES.values()) == list(range(len(PURPOSES)))
