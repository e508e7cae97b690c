"""One whole receipt for each procedure of the hex rules, each read line by line against the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.ruleset import Outcome
from scripts.support.golden_cases import current_receipt, golden_cases, kept_receipt, ruled
from scripts.support.workbooks import example, forms, read, workbook
from sheets_algo.database.records import Database

CASES = golden_cases("hexcombat")
FOLDERS = {case.name: case for case in CASES}


def played(case: str) -> Outcome:
    return ruled(FOLDERS[case])


def lines(case: str) -> list[str]:
    """Of the receipt, without the stars."""
    return [line.removeprefix("* ").replace("'''", "") for line in played(case).receipt.wiki().splitlines()]


def test_every_procedure_keeps_its_golden_receipt() -> None:
    assert [case.name for case in CASES] == [
        "barrage-on-a-hidden-unit",
        "barrage-on-a-port",
        "bombers-in-the-rain",
        "close-combat",
        "counter-battery",
        "critical-hit",
        "ground-to-air",
        "interception-and-air-defence",
        "level-bomber",
        "new-turn",
        "overrun",
        "retreat",
        "rugged-defence",
        "sabotage",
        "ship-caught-in-port",
        "ship-flees-from-port",
        "ships-at-range",
        "submarine-and-destroyer",
        "submarine-evades",
        "surprise-contact",
        "tanks-and-fire-support",
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_whole_receipt_matches_its_text(case: Path) -> None:
    """A difference is a change of the rules: name its rule in the commit that runs `scripts/golden --update`."""
    assert current_receipt(case) == kept_receipt(case)


@pytest.mark.parametrize(
    ("case", "numbers"),
    [
        ("tanks-and-fire-support", "2nd Armoured 13 / 15, 716th Rifles 3 / 8"),  # HX-EX-01
        ("close-combat", "8th Foot 7 / 5, 21st Rifles 11 / 18"),  # HX-EX-02, and 4 for Tenacious Defense
        ("bombers-in-the-rain", "4th Stukas 10 / 11, 9th Panzers 0 / 9"),  # HX-EX-07
        ("counter-battery", "155th Battery 10 / 3, 30th Rifles 0 / 9"),  # HX-EX-03
        ("interception-and-air-defence", "3rd Stukas 11 / 10, 7th AA Column 15 / 10"),  # HX-EX-06, and 2 bars
    ],
)
def test_worked_examples_have_their_attack_and_defence(case: str, numbers: str) -> None:
    assert f"Attack / defence: {numbers}" in lines(case)


@pytest.mark.parametrize(
    ("case", "chance"),
    [
        ("close-combat", "Rugged defence: 50 %"),  # 5 × 100 × 4 × 5 / (50 × 4), twice the weight
        ("submarine-evades", "Evading of U-47: 35 %"),  # HX-EX-20 with 3 bars against 2
        ("sabotage", "Sabotage: 39 %"),  # 10 + 4 + 2 × 2 + 3 × 7
        ("critical-hit", "Critical hit on SS Provider: 44 %"),  # (14 × 4 × 10 × 2 − 4 × 1 × 10 × 2) / 30 + 10
        ("level-bomber", "Blowing up the city: 4 %"),  # HX-EX-23 without a leader
    ],
)
def test_chances_match_hand_calculations(case: str, chance: str) -> None:
    assert any(line.startswith(chance) for line in lines(case))


@pytest.mark.parametrize(
    ("case", "fates"),
    [
        ("critical-hit", {("SS Provider", "Status", "Sunk")}),
        ("overrun", {("Stragglers", "Status", "Destroyed")}),
        ("retreat", {("Stragglers", "Displaced", "Retreated")}),
        ("sabotage", {("Bridge Guard", "Sabotaged", True)}),
        ("ship-caught-in-port", {("Torpedo Flotilla", "Status", "Sunk")}),
        ("ship-flees-from-port", {("Torpedo Flotilla", "Displaced", "Fled")}),
        ("submarine-evades", {("U-47", "Displaced", "Evaded")}),
        ("surprise-contact", set()),
    ],
)
def test_a_unit_s_fate_is_written(case: str, fates: set[tuple[str, str, object]]) -> None:
    found = {(update.row, update.field, update.after) for update in played(case).updates}

    assert {change for change in found if change[1] in ("Status", "Displaced", "Sabotaged")} == fates


def test_hx_bom_and_hx_str_losses_are_written() -> None:
    """HX-EX-21 in snow: effect 16, fuel 60 × 16 %; HX-EX-22: 24 prestige at least."""
    bombed = {(update.row, update.field): update.after for update in played("barrage-on-a-hidden-unit").updates}
    raided = {(update.row, update.field): update.after for update in played("barrage-on-a-port").updates}

    assert (bombed["9th Panzers", "Fuel"], bombed["9th Panzers", "Suppressed"]) == (51, 5)
    assert raided["Axis", "Prestige"] == 350 - 24


def test_every_die_is_in_the_log_in_drawing_order() -> None:
    """HX-DEF-24: rugged defence, then the Defender's shots; nobody is left to fire back."""
    dice = [event.amount for event in played("rugged-defence").events if event.kind == "die"]

    assert dice == [50, 20, 1, 11, 7, 14, 12, 2, 19, 8, 10]


def test_invariant_16_a_combat_ruled_again_is_equal() -> None:
    assert played("tanks-and-fire-support") == played("tanks-and-fire-support")


def forecast_of(request: str) -> str:
    """What Message says of a request of the example."""
    rows = example("hexcombat")
    form = next(form for form in forms() if form.key == "hexcombat")
    book = Database(read(workbook(rows)), form.records(), form.vocabulary)
    [row] = book.find(form.request, request)
    return form.forecast(form.read(row, book).inputs)


def test_the_page_shows_the_example_s_forecast() -> None:
    page = (Path(__file__).parents[4] / "docs" / "games" / "hexcombat.md").read_text(encoding="utf-8")
    said = "By formula: 44th Rifles: 5 killed; 5th Armoured: 1 killed; SIMULTANEOUS"

    assert f"\n{said}\n" in page
    assert forecast_of("H-0013") == said
