"""The text of the receipt (RCPT-01 … RCPT-04)."""

from __future__ import annotations

import html
from dataclasses import replace

import numpy as np
import pytest

from engine.autoalgo import names
from engine.autoalgo.aftermath.occupation import OccupationState
from engine.autoalgo.aftermath.result import Aftermath, LeaderFate, Losses, Occupation, Stability
from engine.autoalgo.inputs import Belligerent, WarInputs
from engine.autoalgo.records import Location, Military, Nation
from engine.autoalgo.report import receipt
from engine.autoalgo.setup.table_parts import Band
from engine.terrain import TerrainMap
from scripts.support.pinned_tables import tables

STRATEGY = tables().strategy


ENGLAND = Nation(name="England", stability=110, population=2_000_000, year_founded=927, year_crisis=1016)
NORMANDY = Nation(name="Normandy", stability=140, population=700_000, year_founded=911, year_crisis=1047)


def side(nation: Nation) -> Belligerent:
    military = Military(nation=(nation.name,), name="Host", size=7_000)
    return Belligerent(nation=nation, military=military, units=(None, None, None, None))


HASTINGS = WarInputs(
    name="Hastings",
    year=1066,
    motive="Conquest",
    attacker=side(NORMANDY),
    defender=side(ENGLAND),
    location=Location(name="Southeast England", attrition="Mountains"),
    terrain=TerrainMap("Hill", np.zeros((400, 400), np.uint8), "0"),
)
AFTERMATH = Aftermath(
    winner=0,
    hours=27,
    is_abandoned=False,
    is_naval=False,
    losses=(
        Losses(men=7_500, left=6_700, killed=600, died=200, captured=0, ships=188, sunk=0),
        Losses(men=7_000, left=3_766, killed=2_900, died=120, captured=214, ships=140, sunk=3),
    ),
    fates=(
        (LeaderFate("William of Normandy", "Military and national leader", False, 0.9),),
        (LeaderFate("Harold Godwinson", "Military and national leader", True, 0.5),),
    ),
    occupation=Occupation(
        score=4.5,
        result=0.7404,
        band=Band(first=0.6, name="Occupation", meaning="the location is held"),
        history=(OccupationState(4.0, 0.1, 9.0, 0.0, 0.0),) * 8,
        type_name="cavalry",
        limitation=0.5,
    ),
    stability=(Stability(140, 118.4, "Steady"), Stability(110, 37.2, "Collapse")),
)


def wiki(war: WarInputs = HASTINGS, aftermath: Aftermath = AFTERMATH) -> str:
    return receipt.receipt(war, aftermath, STRATEGY, 4711).wiki()


def test_rcpt_01_whole_receipt() -> None:
    assert wiki() == (
        "== Hastings, 1066 ==\n"
        "* '''Motive:''' Conquest\n"
        "* '''Location:''' Southeast England\n"
        "=== Normandy, attacker ===\n"
        "* '''Stability:''' 140 → 118.4 (Steady)\n"
        "* '''Killed in action:''' 600\n"
        "* '''Died of attrition and disease:''' 200\n"
        "* '''Captured:''' 0\n"
        "* '''Military and national leader:''' William of Normandy, alive\n"
        "=== England, defender ===\n"
        "* '''Stability:''' 110 → 37.2 (Collapse)\n"
        "* '''Killed in action:''' 2,900\n"
        "* '''Died of attrition and disease:''' 120\n"
        "* '''Captured:''' 214\n"
        "* '''Military and national leader:''' Harold Godwinson, killed\n"
        "=== Result ===\n"
        "* '''Winner:''' Normandy\n"
        "* '''Occupation:''' Occupation (0.74)\n"
        "* '''Battle:''' 27 hours (2 days 3 hours; a day of battle has 12 hours)\n"
        "* '''Occupation rounds:''' 7\n"
        "* '''Rules:''' history"
    )


def test_rcpt_01_ships_sunk_only_after_naval_fighting() -> None:
    assert "Ships" not in wiki()
    naval = wiki(aftermath=replace(AFTERMATH, is_naval=True))
    assert "* '''Ships sunk:''' 0\n" in naval
    assert "* '''Ships sunk:''' 3\n" in naval


def test_rcpt_02_names_keep_unicode_and_markup_but_stay_on_their_line() -> None:
    war = replace(HASTINGS, name="'''[[Битва]]''' 戦\n of {{flag|Seljuks}}")
    title = html.unescape(wiki(war).splitlines()[0])
    assert title == "== '''[[Битва]]''' 戦 of {{flag|Seljuks}}, 1066 =="


def test_rcpt_02_no_inputs_and_no_intermediate_variables() -> None:
    """Size, attrition, maneuvers, variables and the derived seed are not printed."""
    text = wiki()
    for secret in ("7,500", "7,000", "Mountains", "Host", "4711", "Efficiency", "Innate", "4.5"):
        assert secret not in text


def test_a_seed_that_was_given_is_named() -> None:
    assert "\n* '''Seed:''' 4711, given\n" in wiki(replace(HASTINGS, seed_given=True))


def test_stab_05_a_receipt_without_consequences_says_so() -> None:
    text = wiki(replace(HASTINGS, commit_stability=False))
    assert "\n* Stability and leaders stay as they were in the tables.\n" in text


@pytest.mark.parametrize(
    ("hours", "decided", "text"),
    [
        (27, 16, "27 hours (2 days 3 hours; a day of battle has 12 hours), decided after 16 hours"),
        (27, 0, "27 hours (2 days 3 hours; a day of battle has 12 hours)"),
        (27, 27, "27 hours (2 days 3 hours; a day of battle has 12 hours)"),
        (12, 12, "12 hours (1 day; a day of battle has 12 hours)"),
        (11, 5, "11 hours, decided after 5 hours"),
        (1, 0, "1 hour"),
    ],
)
def test_rcpt_01_a_receipt_counts_in_hours_and_says_once_what_a_day_is(hours: int, decided: int, text: str) -> None:
    """R-29: the hour of the decision follows where it is not the last hour."""
    aftermath = replace(AFTERMATH, hours=hours, decided=decided)
    printed = receipt.receipt(HASTINGS, aftermath, STRATEGY, 4711).wiki()
    assert f"* '''Battle:''' {text}\n" in printed


def test_r_13_an_abandoned_attack_is_called_so() -> None:
    aftermath = replace(AFTERMATH, winner=1, hours=1_200, decided=30, is_abandoned=True)
    assert "* '''Battle:''' 1,200 hours (100 days; a day of battle has 12 hours), attack abandoned\n" in wiki(
        aftermath=aftermath
    )
    line = receipt.summary(HASTINGS, aftermath)
    assert line == "England wins after 1,200 hours (attack abandoned); Occupation (0.74)"


@pytest.mark.parametrize(("year", "text"), [(1066, "1066"), (-401, "401 BC"), (0, "0"), (-1, "1 BC")])
def test_date_01_years_before_christ(year: int, text: str) -> None:
    assert names.year_text(year) == text


@pytest.mark.parametrize(
    ("hours", "text"),
    [
        (0, "0 hours"),
        (1, "1 hour"),
        (11, "11 hours"),
        (12, "1 day"),
        (13, "1 day 1 hour"),
        (27, "2 days 3 hours"),
        (1_200, "100 days"),
    ],
)
def test_rcpt_01_a_day_of_battle_has_12_hours(hours: int, text: str) -> None:
    assert names.days_text(hours, 12) == text


def test_the_request_row_s_losses() -> None:
    attacker, defender = AFTERMATH.losses
    assert attacker.text() == "800 of 7,500 (killed 600, died 200, captured 0)"
    assert defender.text() == "3,234 of 7,000 (killed 2,900, died 120, captured 214; 3 ships sunk)"


def test_the_request_s_message() -> None:
    assert receipt.summary(HASTINGS, AFTERMATH) == "Normandy wins after 27 hours; Occupation (0.74)"
