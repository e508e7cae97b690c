"""Tests of the outlook: the probable course of each war that is not ruled, in a line (FC-30)."""

from __future__ import annotations

import math
import re

from scripts.support.smallest_war import war_rows
from scripts.support.workbooks import example, forms, read, rehearse, run, workbook
from sheets_algo.forecasts.outlook import LATER, WARS_MOST, Outlook
from sheets_algo.forecasts.sampling import STEP
from sheets_algo.ruling.forecast.forecast_rows import odds_bar
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.decided import with_overrides


def told(book: MemoryWorkbook, seconds: float = math.inf) -> list[str]:
    outlook = Outlook(STEP, seconds)
    return [*outlook.lines(rehearse(read(book), forms(), foresight=outlook).findings.answers)]


ARMIES = "Attacker: Good (9000/9000), 3 flanks. Defender: Good (9000/9000), 3 flanks."


def test_fc_30_the_outlook_of_a_war_has_odds_error_and_losses() -> None:
    (line,) = told(workbook(war_rows()))
    odds = r"attacker wins \d+ %, defender wins \d+ % [█▒░]{20} \(± \d+ points, 100 battles\)"
    losses = r"Attacker loses [\d,]+ to [\d,]+, defender [\d,]+ to [\d,]+ in 9 of 10 battles"
    assert re.fullmatch(rf"W-1 \(Quarrel\): Forecast: {odds}\. {losses}\. Most likely .*\. {re.escape(ARMIES)}", line)


def test_fc_30_the_outlook_does_not_depend_on_the_luck_of_the_ruling() -> None:
    """A person who types a seed learns the odds, and not who will win."""
    seeds = {run(workbook(war_rows(Seed=seed))).rulings[0].receipt.winner: seed for seed in range(1, 9)}
    attacker, defender = (told(workbook(war_rows(Seed=seeds[winner]))) for winner in ("Attacker", "Defender"))
    assert attacker == defender


def test_fc_30_ruled_and_invalid_wars_have_no_outlook() -> None:
    ruled = workbook(war_rows())
    run(ruled)
    assert told(ruled) == told(workbook(war_rows(Motive="Greed"))) == []


def test_fc_30_ovr_10_the_odds_are_those_of_the_decided_cells() -> None:
    """And a result that is decided is not counted, as it says."""
    rows = war_rows()
    name = rows["Militaries"][0]["Name"]
    decided = [("W-1", "Input", f"Militaries!{name}!Size", 900), ("W-1", "Result", "Winner", "Attacker")]
    (line,) = told(with_overrides(rows, *decided))
    assert "(900/900)" in line
    rows["Militaries"][0]["Size"] = 900
    (typed,) = told(workbook(rows))
    assert line == (
        f"{typed} As decided in Overrides: Militaries!{name}!Size = 900."
        " Decided in Overrides, and not counted in the odds: Winner = Attacker."
    )


def test_fc_30_a_war_with_an_impossible_decision_has_no_outlook() -> None:
    assert told(with_overrides(war_rows(), ("W-1", "Input", "Militaries!Nobody!Size", 900))) == []


def test_fc_30_exact_odds_are_used_and_orders_are_skipped() -> None:
    assert told(workbook(example("jousts"))) == [
        f"J-000{number}: {knight} wins {chance} %."
        for number, (knight, chance) in enumerate(
            (("Tancred", "86.0"), ("Bohemond", "100.0"), ("Baldwin", "65.0"), ("Raymond", "47.5")), start=1
        )
    ]
    assert told(workbook(example("plots"))) == []


def test_fc_30_outlooks_are_limited_to_twenty_wars() -> None:
    assert told(workbook(war_rows()), 0) == [f"W-1 (Quarrel): {LATER}. {ARMIES}"]
    rows = war_rows()
    [war] = rows["War Requests"]
    many = {**rows, "War Requests": [{**war, "Request": f"W-{number}"} for number in range(WARS_MOST + 5)]}
    assert len(told(workbook(many, inputs='{"losses":"tell"}'), 0)) == WARS_MOST


def test_a_bar_is_filled_to_the_certain_part_of_the_odds() -> None:
    cases = {
        (100, 0): "█" * 20,
        (100, 3.7): "█" * 19 + "▒",
        (0, 3.7): "▒" + "░" * 19,
        (50, 10): "█" * 8 + "▒" * 4 + "░" * 8,
        (50, 0): "█" * 10 + "░" * 10,
        (52, 1): "█" * 10 + "▒" + "░" * 9,
        (50, 100): "▒" * 20,
    }
    assert {(percent, error): odds_bar(percent, error) for percent, error in cases} == cases
