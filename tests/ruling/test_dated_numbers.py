"""Numbers that count from a year, a turn or a season on: from their file to the ruling, its log and verify (SET-07)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scripts.support.workbooks import NOW, OPTIONS, SECRET, Rows, example, messages, read, workbook
from sheets_algo.config.loader import ConfigError, ConfigLoader
from sheets_algo.forms.rulesets import open_forms
from sheets_algo.replays.replay import replay, verify
from sheets_algo.ruling.passes.planner import PassContext, plan_pass
from sheets_algo.ruling.plan import Plan
from tests.helpers.dated_numbers import a_number_counts_from_a_turn_on, own

TAB = "Autoalgo Settings"
MERCY = "constants/ATK-04/mercy"


def ruled(library: ConfigLoader, year: int = 1066, *settings: tuple[str, Any]) -> tuple[Plan, list[dict[str, Any]]]:
    """Return the pass over one war and the settings that are stored with its inputs."""
    rows: Rows = example("1066")
    rows["War Requests"] = [rows["War Requests"][0] | {"Year": year}]
    rows["Flanks"] = []
    rows[TAB] = [{"Setting": name, "Value": value} for name, value in settings]
    forms = open_forms(library)
    prints = {form.ruleset_key: library.fingerprint(form.ruleset_key) for form in forms}
    plan = plan_pass(read(workbook(rows)), PassContext(forms=forms, fingerprints=prints, secret=SECRET), NOW)
    return plan, json.loads(plan.rulings[0].receipt.inputs)["settings"] if plan.rulings else []


@pytest.mark.parametrize(
    ("year", "found"),
    [
        (1065, []),
        (1066, [{"name": MERCY, "value": 0.2, "since": "year 1066"}]),
        (1200, [{"name": MERCY, "value": 0.3, "since": "year 1200"}]),
    ],
)
def test_set_07_a_dated_number_is_in_force_from_its_year_on(
    tmp_path: Path, year: int, found: list[dict[str, Any]]
) -> None:
    library = own(tmp_path, ("year 1066", {"mercy": 0.2}), ("year 1200", {MERCY: 0.3}))

    assert ruled(library, year)[1] == found


def test_a_season_setting_takes_precedence_over_a_date(tmp_path: Path) -> None:
    library = own(tmp_path, ("season 3", {"mercy": 0.2, "hours_most": 600}))

    assert ruled(library)[1] == ruled(library, 1066, ("Season", 2))[1] == []
    assert [one["name"] for one in ruled(library, 1066, ("Season", 3))[1]] == [MERCY, "strategy/hours_most"]
    found = ruled(library, 1066, ("season", 4), ("mercy", 0.5), ("hours_most", 500))[1]
    assert found == [{"name": "strategy/hours_most", "value": 500}]  # 0.5 is the tables' own


def test_log_and_verify_use_dated_numbers_without_the_file(tmp_path: Path) -> None:
    plan, _ = ruled(own(tmp_path, ("year 1000", {"mercy": 0.2})))
    receipt = plan.rulings[0].receipt
    library = ConfigLoader()
    form = open_forms(library)[0]

    verdict = verify(receipt, form, library.fingerprint("autoalgo"), SECRET, OPTIONS)
    assert (verdict.differences, verdict.remarks) == ((), ())
    lines: list[str] = []
    replay(receipt, form, lines.extend)
    assert f"{MERCY} is 0.2 from year 1000, not 0.5 as in the tables. [SET-06]" in lines


@pytest.mark.parametrize(
    ("since", "numbers", "says"),
    [
        ("year 1500", {"mercyy": 0.2}, '#/changes/0/numbers/mercyy: "mercyy" is not a setting. Did you mean "mercy"?'),
        ("year 1500", {"mercy": 2}, "#/changes/0/numbers/mercy: 2 is not allowed. Use a number from 0 to 1."),
        ("year 1500", {"mercy": [2]}, "#/changes/0/numbers/mercy: [2] is not allowed. Use a number or a text in"),
        ("turn 3", {"mercy": 0.2}, "#/changes/0/from: requests of this ruleset have no turn. Use season or year."),
        ("1500", {"mercy": 0.2}, '#/changes/0/from: "1500" is not written as it must be: ^(year|turn|season)'),
        ("year 1500", {}, "#/changes/0/numbers: {} is empty; a value is required here."),
        (
            "year 1500",
            {"awakening/from": 31},
            "#/changes/0: with these numbers the tables do not fit together: generations.json#/phases/0/to: 30 is not",
        ),
    ],
)
def test_a_bad_file_is_reported_with_its_place(tmp_path: Path, since: str, numbers: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        open_forms(own(tmp_path, (since, numbers)))

    assert str(caught.value).startswith(str(tmp_path / "dated" / "autoalgo.json"))
    assert says in str(caught.value)


def test_all_errors_of_a_dated_file_are_reported(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        open_forms(own(tmp_path, ("turn 3", {"mercyy": 0.2}), ("year 3", {"mercy": 9, "hours_most": 0.5})))

    assert len(str(caught.value).splitlines()) == 4


def test_dated_numbers_that_contradict_the_workbook_are_reported_at_the_request(tmp_path: Path) -> None:
    library = own(tmp_path, ("year 1000", {"austerity/to": 31, "awakening/from": 31}))

    [(_, status, message)] = messages(ruled(library, 1066, ("awakening/from", 30))[0])
    assert status == "Invalid"
    assert "the numbers that count from year 1000 do not fit the settings of the workbook: generations.json#" in message


def test_an_invalid_season_number_is_reported_at_its_cell(tmp_path: Path) -> None:
    [(_, status, message)] = messages(ruled(ConfigLoader(), 1066, ("season", "third"))[0])

    assert (status, "the season is a whole number from 1 to 9,999, named once" in message) == ("Invalid", True)


@pytest.mark.parametrize(("ruleset", "path"), [("rounds", "income"), ("plots", "loot")])
def test_games_with_turns_date_numbers_by_turn(tmp_path: Path, ruleset: str, path: str) -> None:
    a_number_counts_from_a_turn_on(tmp_path, ruleset, path)
