"""The text of the receipt (RCPT-01 … RCPT-04)."""

from __future__ import annotations

import html
from dataclasses import replace

import numpy as np

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
ACCOUNT = ("Normandy takes Southeast England.", "The armies met in hour 3.", "* is where it turned.")


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
    fight=27,
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
    return receipt.receipt(war, aftermath, STRATEGY, 4711, account=ACCOUNT).wiki()


def test_rcpt_01_a_whole_receipt_matches_its_text() -> None:
    assert wiki() == (
        "== Hastings, 1066 ==\n"
        "'''Normandy takes Southeast England.'''\n"
        "The armies met in hour 3.\n"
        "&#42; is where it turned.\n"
        "* '''Motive and location:''' Conquest, Southeast England\n"
        "=== Normandy, attacker ===\n"
        "* '''Stability:''' 140 → 118.4 (Steady)\n"
        "* '''Losses:''' killed 600, died 200, captured 0\n"
        "* '''Military and national leader:''' William of Normandy, alive\n"
        "=== England, defender ===\n"
        "* '''Stability:''' 110 → 37.2 (Collapse)\n"
        "* '''Losses:''' killed 2,900, died 120, captured 214\n"
        "* '''Military and national leader:''' Harold Godwinson, killed\n"
        "=== Result ===\n"
        "* '''Occupation:''' Occupation (0.74)\n"
        "* '''Battle:''' 27 hours (2 days 3 hours, 12 hours a day)"
    )


def test_rcpt_01_sunk_ships_are_listed_only_after_naval_fighting() -> None:
    assert "ships" not in wiki()
    naval = wiki(aftermath=replace(AFTERMATH, is_naval=True))
    assert "captured 0, ships sunk 0\n" in naval
    assert "captured 214, ships sunk 3\n" in naval


def test_rcpt_02_names_keep_unicode_and_markup_on_one_line() -> None:
    war = replace(HASTINGS, name="'''[[Битва]]''' 戦\n of {{flag|Seljuks}}")
    title = html.unescape(wiki(war).splitlines()[0])
    assert title == "== '''[[Битва]]''' 戦 of {{flag|Seljuks}}, 1066 =="


def test_rcpt_02_a_receipt_has_no_inputs_or_intermediate_variables() -> None:
    """Size, attrition, maneuvers, variables and the derived seed are not printed."""
    text = wiki()
    for secret in ("7,500", "7,000", "Mountains", "Host", "4711", "Efficiency", "Innate", "4.5"):
        assert secret not in text


def test_stab_05_a_receipt_reports_missing_consequences() -> None:
    text = wiki(replace(HASTINGS, commit_stability=False))
    assert text.endswith("\n* Stability and leaders stay as they were in the tables.")


def test_rcpt_01_a_receipt_gives_hours_and_days() -> None:
    cases = [(27, "27 hours (2 days 3 hours, 12 hours a day)"), (11, "11 hours"), (1, "1 hour")]
    assert [
        (hours, text)
        for hours, text in cases
        if not wiki(aftermath=replace(AFTERMATH, hours=hours, fight=hours)).endswith(f"* '''Battle:''' {text}")
    ] == []


def test_rcpt_01_duration_counts_the_fight_beside_march_and_pursuit() -> None:
    """An afternoon read as 43 hours, 3 days 7 hours."""
    afternoon = replace(AFTERMATH, hours=43, march=2, fight=5)
    assert wiki(aftermath=afternoon).endswith("* '''Battle:''' 5 hours; march 2 hours; pursuit 36 hours")


def test_date_01_years_before_christ_are_written_as_bc() -> None:
    cases = [(1066, "1066"), (-401, "401 BC"), (0, "0"), (-1, "1 BC")]
    assert [(year, names.year_text(year)) for year, _ in cases] == cases


def test_rcpt_01_a_day_of_battle_has_12_hours() -> None:
    cases = [
        (0, "0 hours"),
        (1, "1 hour"),
        (11, "11 hours"),
        (12, "1 day"),
        (13, "1 day 1 hour"),
        (27, "2 days 3 hours"),
        (1_200, "100 days"),
    ]
    assert [(hours, names.days_text(hours, 12)) for hours, _ in cases] == cases
