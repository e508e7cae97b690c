"""Whole receipts computed again by a pocket calculator, from what `explain --json` prints (VAR-05)."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from engine.autoalgo.inputs import Belligerent, Relief, WarInputs
from engine.autoalgo.records import Leader
from engine.autoalgo.resolve import Autoalgo
from engine.receipt import ReceiptText
from engine.rng import Rng
from engine.ruleset import Outcome
from scripts.support.moderator import BOOK, Moderator, season, shown, write
from scripts.support.pinned_tables import history_tables, tables
from scripts.support.small_battles import FEATURES, GALLEY, army, fleet, ground_of_codes, line, terrain, war
from scripts.support.strategy_page import recipes
from scripts.support.strategy_page import ruled as ruled_recipe
from sheets_algo.commands.report import explained_data
from tests.helpers.example_budget import BUDGET, LAW
from tests.helpers.pocket_calculator import Mismatch, PocketCalculator, numbers
from tests.helpers.random_wars import seeds, wars
from tests.helpers.school_rules import disagreement

AUTOALGO, AS_BEGUN = Autoalgo(tables()), Autoalgo(history_tables())
SIDES = ("Attacker: ", "Defender: ")
WORDS = ("Motive and location", "National leader")
"""Lines of a receipt that no number makes."""


def lines_of(wiki: str) -> dict[str, dict[str, str]]:
    """The numbers of a receipt in wiki markup, by side and of its result."""
    found: dict[str, dict[str, str]] = {}
    for row in wiki.splitlines():
        if heading := re.fullmatch(r"=== (?:.+, )?(attacker|defender|Result) ===", row):
            block = found.setdefault(heading[1].capitalize(), {})
        elif (item := re.fullmatch(r"\* '''(.+?):''' (.+)", row)) and item[1] not in WORDS:
            block[item[1]] = made_of_numbers(item[1], item[2])
    return found


def made_of_numbers(label: str, text: str) -> str:
    """What of a line numbers make: without the reasons of Stability, and without what a leader was before (LDR-11)."""
    if label == "Stability":
        return text.partition(": ")[0]
    name, led_although, _ = text.partition(", led although ")
    return f"{name}, alive" if led_although and not name.endswith(", killed") else name


def text_of(receipt: ReceiptText) -> dict[str, dict[str, str]]:
    return lines_of(receipt.wiki())


def explained(outcome: Outcome) -> dict[str, Any]:
    """The output of `explain --json` for a ruling."""
    data = explained_data("W-0001", outcome.explained, outcome.events, outcome.why)
    return json.loads(json.dumps(data))  # type: ignore[no-any-return]


def calculated(data: dict[str, Any], wanted: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """The lines of a receipt that a pocket calculator computes; a receipt without naval fighting has no ships."""
    is_naval = any("ships sunk" in its_lines.get("Losses", "") for its_lines in wanted.values())
    found = PocketCalculator(data).receipt()
    return {
        block: {label: text if is_naval else text.partition(", ships sunk")[0] for label, text in found[block].items()}
        for block in wanted
    }


def assert_traceable(outcome: Outcome) -> None:
    wanted = text_of(outcome.receipt)
    for block, label in (("Result", "Seed"), ("Attacker", "Ambush"), ("Defender", "Ambush")):
        wanted[block].pop(label, None)  # which a person typed
    assert list(wanted) == ["Attacker", "Defender", "Result"]
    assert calculated(explained(outcome), wanted) == wanted


def error_of(outcome: Outcome) -> str:
    """Return the error that shows that a receipt is not traceable; blank if it is."""
    try:
        assert_traceable(outcome)
    except (AssertionError, Mismatch) as error:
        return repr(error)
    return ""


def test_var_05_receipts_of_a_season_are_computed_from_explain_json_alone(moderator: Moderator) -> None:
    """Fields, a battle at sea and a siege, with kings and captains."""
    write(moderator.book, season())
    assert moderator.types("run", BOOK).code == 0
    receipts = [row for row in shown(moderator.book, "Receipts") if row["Kind"] == "Ruling"]
    assert len(receipts) == 5
    for row in receipts:
        data = moderator.types("explain", "--json", BOOK, row["Request"]).data
        wanted = lines_of(row["Receipt"])
        assert calculated(data, wanted) == wanted, row["Request"]
        lines = moderator.types("explain", BOOK, row["Request"]).out.splitlines()
        printed = [line.partition(": ")[2] if line.startswith(SIDES) else line.strip() for line in lines]
        assert len([line for line in printed if " = " in line]) > 100
        assert [error for line in printed if (error := disagreement(line))] == [], row["Request"]
        assert [line for line in printed if re.search(r"\byear \d+,", line)] == []


@pytest.mark.parametrize(
    "line",
    [
        'Effectiveness 9.504 = 1 + Shock "0.1" 1.1 × Soldier Type "Regular" 4.8 × Attack "8" 1.8 [VAR-EFV]',
        "fall 10 = infantry 72.14 + cavalry 25.02 × Mercy 0.1 − draw 0.6, rounded up [R-26]",
        "weight 5 = men 2, at least 1 + half 3 [R-110]",
        "want 0.5 = unfed 1 ÷ (1 + days of food 2 [R-100]",
        "dead 4 = men 7 ÷ 2 [ATT-05]",
    ],
)
def test_var_05_a_line_that_reads_as_another_number_is_noticed(line: str) -> None:
    assert disagreement(line)


def test_var_05_receipts_of_every_strategy_are_traceable() -> None:
    """A siege, a pillage, an ambush, a battle at sea, two lines."""
    errors = {recipe.name: error_of(ruled_recipe(recipe).rulings[0].outcome) for recipe in recipes() if recipe.rows}
    assert errors
    assert {name: error for name, error in errors.items() if error} == {}


KING = Leader(name="King", nation=("B",), birth_year=1560, attack=8, martial=9)


def for_the_capital() -> WarInputs:
    """B's king leads its army before its capital."""
    inputs = war(army("A"), army("B", 3_000))
    nation = replace(inputs.defender.nation, capital=inputs.location.name)
    return replace(inputs, defender=replace(inputs.defender, nation=nation, military_leader=KING, national_leader=KING))


def besieged(relief: int) -> WarInputs:
    """12,000 men before a castle, and on the second day a relief."""
    place = replace(tables().defaults.location, fortifications="Castle")
    own, other = army("A", 12_000, flanks=line("Normal", y=182)), army("B", 3_000, flanks=line("Position", y=218))
    return replace(war(own, other, location=place), relief=Relief(men=relief, day=2))


HILL = np.full((400, 400), FEATURES["Plain"], np.uint8)
HILL[:200] = FEATURES["High ground"]
SMALL = {
    "capital and king": for_the_capital(),
    "few men": war(army("A", 70), army("B", 90)),
    "ships that sink": war(
        fleet("A", 40, ship=replace(GALLEY, power=(9.0, 9.0, 9.0))), fleet("B", 4), ground=terrain("Water")
    ),
    "pillage and disease": war(
        army("A", 60_000, flanks=line(*["Pillaging"] * 4, y=199, apart=1), disease="Smallpox"),
        army("B", 9_000, flanks=line("Normal", y=201)),
    ),
    "nobody attacks": war(*(army(name, flanks=line("Position", y=y)) for name, y in (("A", 100), ("B", 300)))),
    "a castle": besieged(0),
    "a relieved castle": besieged(12_000),
    "a forest": war(ground=terrain("Forest")),
    "up a hill": war(ground=ground_of_codes(HILL)),
}


def test_var_05_receipts_of_small_wars_are_traceable() -> None:
    rules = {"plain": AUTOALGO, "as begun": AS_BEGUN}
    cases = product(rules, SMALL, range(round(4 * BUDGET)))
    errors = {case: error_of(rules[case[0]].resolve(SMALL[case[1]], Rng(case[2]))) for case in cases}
    assert errors
    assert {case: error for case, error in errors.items() if error} == {}


def with_names(side: Belligerent) -> Belligerent:
    """The side with a name of its own for each flank, so that a sentence names one flank."""
    return replace(side, flanks=tuple(replace(flank, label=f"f{place}") for place, flank in enumerate(side.flanks)))


@LAW
@given(inputs=wars(size_most=8_000), seed=seeds())
def test_var_05_receipts_of_any_war_are_traceable(inputs: WarInputs, seed: int) -> None:
    named = replace(inputs, attacker=with_names(inputs.attacker), defender=with_names(inputs.defender))
    assert_traceable(AUTOALGO.resolve(named, Rng(seed)))


@cache
def trial() -> tuple[dict[str, Any], dict[str, dict[str, str]]]:
    """The output for one war with leaders, hunger and disease, and its receipt."""
    outcome = AUTOALGO.resolve(SMALL["capital and king"], Rng(2))
    return explained(outcome), text_of(outcome.receipt)


def is_noticed(data: dict[str, Any]) -> bool:
    """True if a calculator finds that these numbers do not make the receipt."""
    wanted = trial()[1]
    try:
        return calculated(data, wanted) != wanted
    except Mismatch:
        return True


def test_var_05_a_changed_term_is_noticed() -> None:
    """A hundred and fifty of all numbers that a calculator enters, changed one at a time."""
    data = deepcopy(trial()[0])
    assert not is_noticed(data)
    places = [*numbers(data)]
    assert len(places) > 300
    for entry, name in places[:: max(1, len(places) // 150)]:
        kept = entry[name]
        entry[name] = kept * 1.1 + 0.1
        assert is_noticed(data), (entry, "changed from", kept)
        entry[name] = kept
    assert not is_noticed(data)


def test_var_05_an_omitted_term_is_noticed() -> None:
    data = deepcopy(trial()[0])
    random = Random(1)
    sums = [(event, place) for event in data["timeline"] for place in range(len(event["calculations"]))]
    for event, place in random.sample(sums, 60):
        kept = event["calculations"]
        event["calculations"] = [*kept[:place], *kept[place + 1 :]]
        assert is_noticed(data), f"{kept[place]['name']} is left out"
        event["calculations"] = kept
        keys = kept[place]["keys"]
        for key in [key for key in keys if key["key"] in ("×", "÷", "−", "+") and press_matters(key)]:
            kept[place]["keys"] = [other for other in keys if other is not key]
            assert is_noticed(data), f"{key} of {kept[place]['name']} is left out"
            kept[place]["keys"] = keys
    assert not is_noticed(data)


def press_matters(key: dict[str, Any]) -> bool:
    """False for a number that changes nothing: times 1, plus 0, or a draw within the same whole number."""
    return key.get("what") != "draw" and key.get("value") not in (0.0, 1.0)


def test_var_05_an_omitted_attack_is_noticed() -> None:
    data = deepcopy(trial()[0])
    kept = data["timeline"]
    attacks = [place for place, event in enumerate(kept) if event["kind"] in ("attack", "occupation round")]
    for place in attacks[::3]:
        data["timeline"] = [*kept[:place], *kept[place + 1 :]]
        assert is_noticed(data), kept[place]["text"]


def test_var_05_the_log_of_99_against_99_flanks_stays_readable() -> None:
    """Its story is a seventh of it or more, no line of terms is longer than 320 signs, and the Log tab has none."""
    ranks = [line(*["Normal"] * 99, y=y, apart=1) for y in (199, 201)]
    inputs = war(army("A", 50_000, flanks=ranks[0]), army("B", 50_000, flanks=ranks[1]))
    lines: list[str] = []
    outcome = AUTOALGO.resolve(inputs, Rng(1), lines.extend)
    terms = [row for row in lines if row.startswith("    ")]
    story = sum(len(row.encode()) for row in lines if not row.startswith("    "))
    assert sum(event.kind == "attack" for event in outcome.events) > 500
    assert sum(len(row.encode()) for row in terms) < 6 * story
    assert max(map(len, terms)) <= 320
    assert not any(" = " in event.text for event in outcome.events)
