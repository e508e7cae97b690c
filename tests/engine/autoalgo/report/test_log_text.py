"""The course of the battle in a line: first contact, decision, losses before and after it (R-29)."""

import re

import pytest

from engine.autoalgo.resolve import Autoalgo
from engine.rng import Rng
from engine.ruleset import Event, Outcome
from scripts.support.golden_cases import golden_cases, ruled
from scripts.support.pinned_tables import shipped_tables
from tests.engine.autoalgo.battle.test_siege_of_history import siege_war

CASES = list(golden_cases("autoalgo"))


def single_event(outcome: Outcome, kind: str) -> Event:
    (event,) = (event for event in outcome.events if event.kind == kind)
    return event


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_r_29_the_log_names_the_hours_of_first_contact_and_decision(case):
    outcome = ruled(case)
    hours = re.findall(r"in hour (\d+)", single_event(outcome, "course of the battle").text)
    attacks = [event.hour for event in outcome.events if event.kind in ("attack", "storm", "sally")]
    found = [min(attacks), single_event(outcome, "battle decided").hour] if attacks else []
    assert [int(hour) for hour in hours] == found


def test_r_29_the_log_reports_a_siege_without_attacks():
    outcome = Autoalgo(shipped_tables()).resolve(siege_war(guns=0.0), Rng(4))

    assert [event.kind for event in outcome.events].count("starved out") == 3
    assert single_event(outcome, "course of the battle").text == "the two sides never came to blows"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_r_29_losses_around_the_decision_add_up_to_the_receipt(case):
    outcome = ruled(case)
    course = single_event(outcome, "course of the battle").text
    parts = re.findall(r"lost ([\d,]+) before and ([\d,]+) after", course)
    assert bool(parts) == ("never came to blows" not in course)
    for header, found in zip(("Attacker Losses", "Defender Losses"), parts, strict=bool(parts)):
        total = int(str(outcome.figures[header]).split()[0].replace(",", ""))
        assert sum(int(men.replace(",", "")) for men in found) == total
