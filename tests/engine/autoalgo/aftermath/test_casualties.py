"""Casualties by what became of the men (R-125), and the danger of their commander (R-126)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.autoalgo.aftermath.casualties import fates_of, wounded_share
from engine.autoalgo.aftermath.consequences import shared_danger
from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.records import Leader
from engine.autoalgo.resolve import Autoalgo
from engine.casualties import Casualties
from engine.decisions import RulingDecisions
from engine.rng import Rng
from engine.ruleset import Outcome
from scripts.support.pinned_tables import history_tables, shipped_tables, tables
from scripts.support.plain_wars import plain_wars
from scripts.support.small_battles import war
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.config.maps import MapFolder
from tests.helpers.machine_code import kernel

CONSTANTS = history_tables().constants
NUMBERS = CONSTANTS.r_125
AUTOALGO = Autoalgo(history_tables())
shares = st.floats(0, 1)


def ruled(inputs: WarInputs, seed: int = 2) -> Outcome:
    return AUTOALGO.resolve(inputs, Rng(seed))


def lost_of(outcome: Outcome, side: str) -> int:
    return int(str(outcome.figures[f"{side} Losses"]).partition(" of ")[0].replace(",", ""))


def total(army: Casualties) -> int:
    return army.killed + army.wounded + army.captured + army.missing + army.died


@given(hit=st.integers(0, 10**7), flight=shares, is_loser=st.booleans(), taken=st.booleans(), share=shares)
def test_r_125_each_casualty_has_exactly_one_fate(
    hit: int, flight: float, is_loser: bool, taken: bool, share: float
) -> None:
    fates = fates_of(hit, int(hit * flight), is_loser, taken, share, NUMBERS)
    assert sum(fates) == hit
    assert min(fates) >= 0
    if not is_loser:
        assert fates.captured == fates.missing == 0


def test_r_125_fates_of_the_beaten_match_a_hand_calculation() -> None:
    """1.2 wounded for each man killed in contact: .545 of 800, .6 of whom stay; .545 of 200 are stopped in flight."""
    share = wounded_share(0.0, -216, NUMBERS)
    assert share == pytest.approx(1.2 / 2.2)
    assert fates_of(1_000, 200, True, False, share, NUMBERS) == (455, 174, 297, 74)
    assert fates_of(1_000, 200, False, False, share, NUMBERS) == (455, 545, 0, 0)
    assert fates_of(1_000, 0, True, True, share, NUMBERS) == (455, 0, 436, 109)


@pytest.mark.parametrize(("year", "wounded"), [(-500, 2.0), (1700, 2.0), (1782.5, 3.25), (1865, 4.5), (1914, 4.5)])
def test_r_125_firearms_wound_a_larger_share_in_later_ages(year: int, wounded: float) -> None:
    assert wounded_share(1.0, year, NUMBERS) == pytest.approx(wounded / (1 + wounded))


@given(fire=shares, more=shares, year=st.integers(-3500, 2020), later=st.integers(0, 500))
def test_r_125_more_fire_and_later_years_never_raise_the_killed(
    fire: float, more: float, year: int, later: int
) -> None:
    low, high = sorted((fire, more))
    assert wounded_share(low, year, NUMBERS) <= wounded_share(high, year, NUMBERS)
    assert wounded_share(fire, year, NUMBERS) <= wounded_share(fire, year + later, NUMBERS)


@pytest.mark.parametrize("seed", range(4))
def test_r_125_a_receipt_freezes_the_casualties_of_each_army(seed: int) -> None:
    outcome = ruled(war(), seed)
    assert [of.army for of in outcome.casualties] == ["Army of A (A)", "Army of B (B)"]
    for side, of in zip(("Attacker", "Defender"), outcome.casualties, strict=True):
        assert total(of) == lost_of(outcome, side)
        assert of.wounded > of.returned > of.wounded / 2
        update = next(update for update in outcome.losses if update.row == of.army)
        assert update.after == 9_000 - of.absent


def test_r_125_the_year_returns_the_wounded_if_the_war_leaves_them() -> None:
    at_once, later = ruled(war()), ruled(replace(war(), wounded_return=False))
    assert [of.returned for of in later.casualties] == [0, 0]
    assert [replace(of, returned=0) for of in at_once.casualties] == list(later.casualties)
    assert [update.after for update in later.losses] == [9_000 - total(of) for of in later.casualties]
    assert at_once.receipt == later.receipt


def test_r_125_a_moderator_decides_the_wounded_and_the_missing() -> None:
    decided = {"Attacker Wounded": 11, "Attacker Missing": 7}
    outcome = AUTOALGO.decided(war(), Rng(2), RulingDecisions(results=decided))
    free = ruled(war()).casualties[0]
    assert outcome.casualties[0] == replace(free, wounded=11, missing=7, returned=8)


def test_r_125_the_source_counts_every_hit_as_killed() -> None:
    outcome = Autoalgo(tables()).resolve(war(), Rng(2))
    assert {(of.wounded, of.missing, of.returned) for of in outcome.casualties} == {(0, 0, 0)}
    assert "wounded" not in outcome.receipt.wiki()


def test_r_126_a_commander_s_danger_matches_a_hand_calculation() -> None:
    """Points 5 - .5 · 10 + 5 / 2 + 40 / 10 = 6.5 of 20: .675 of the share of a tenth who were killed."""
    of = CONSTANTS.lead_10, CONSTANTS.r_126
    assert shared_danger(5, 0.5, 5, 40, 1_000, 10_000, *of) == pytest.approx(1 - 0.0675)
    assert shared_danger(5, 0.5, 5, 40, 0, 10_000, *of) == 1.0
    assert shared_danger(0, 1.0, 0, 0, 10_000, 10_000, *of) == 0.0
    assert shared_danger(5, 0.5, 5, 40, 0, 0, *of) == 1.0


@given(martial=shares, other=shares, killed=st.integers(0, 1_000))
def test_r_126_boldness_never_lowers_a_commander_s_danger(martial: float, other: float, killed: int) -> None:
    of = CONSTANTS.lead_10, CONSTANTS.r_126
    meek, bold = sorted((martial, other))
    chances = [shared_danger(5, skill, 5, 40, killed, 1_000, *of) for skill in (meek, bold)]
    assert chances == sorted(chances, reverse=True)


def test_r_126_few_commanders_die_in_plain_wars() -> None:
    """Sources have 3 commanders in a hundred killed after 1600 and some 15 before 1500; it was a third of all."""
    captain = Leader(name="Captain", nation=("A",), martial=5)
    tables = shipped_tables()
    killed, men = [], []
    folder = MapFolder(ConfigLoader().maps_folder, tables.terrain)
    maps = {name: folder.load(name) for name in folder.names if name != "Sea"}
    for seed, inputs in enumerate(plain_wars(60, tables, maps, 5)):
        led = replace(inputs, attacker=replace(inputs.attacker, military_leader=captain))
        results = Battlefield.of(led, tables, seed).fight(0, 20, kernel())
        killed += list(results.consequences.is_killed[:, 0])
        men += list(results.ends.left[:, 0] < led.attacker.military.size)
    assert sum(men) > len(men) / 2
    assert 0.01 < sum(killed) / len(killed) < 0.12
