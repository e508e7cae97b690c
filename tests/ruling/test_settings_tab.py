"""The settings tabs: a moderator's own numbers, from their cells to the ruling, its seed, its log and its receipt."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scripts.support.workbooks import (
    OPTIONS,
    SECRET,
    Rows,
    column,
    example,
    forms,
    grids,
    messages,
    pass_context,
    read,
    run,
    workbook,
)
from sheets_algo.replays.replay import CannotReplay, replay, verify
from sheets_algo.ruling.plan import Plan
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import StoredReceipt, fingerprint_of
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.values import PerCent

TAB = "Autoalgo Settings"
HOME = Path(__file__).parents[2]


def one_war(*settings: tuple[Any, Any]) -> Rows:
    """Stamford Bridge alone, with settings as (Setting, Value)."""
    rows = example("1066")
    rows["War Requests"] = rows["War Requests"][:1]
    rows["Flanks"] = []
    rows[TAB] = [{"Setting": name, "Value": value} for name, value in settings]
    return rows


def ruled(*settings: tuple[Any, Any]) -> StoredReceipt:
    [ruling] = run(workbook(one_war(*settings))).rulings
    return ruling.receipt


def frozen(receipt: StoredReceipt) -> Any:
    return json.loads(receipt.inputs)["settings"]


def test_set_04_settings_are_frozen_by_full_name_and_as_numbers() -> None:
    receipt = ruled(("fortune/side", "10 %"), ("ends_when", " Retreating"), ("Jungle/constant", "0,019"))

    assert frozen(receipt) == [
        {"name": "attrition/values/Jungle/constant", "value": 0.019},
        {"name": "strategy/ends_when", "value": "retreating"},
        {"name": "strategy/fortune/side", "value": 0.1},
    ]


def test_set_04_equal_settings_give_an_equal_seed_in_any_spelling() -> None:
    first = ruled(("fortune/side", 0.1), ("hours_most", 900))
    second = ruled(("Hours_Most", "900.0"), ("STRATEGY / fortune / side", "0.10"))

    assert (first.seed, first.inputs, first.wiki) == (second.seed, second.inputs, second.wiki)


def test_set_04_other_settings_give_another_seed() -> None:
    assert len({ruled(*settings).seed for settings in ([], [("hours_most", 900)], [("hours_most", 901)])}) == 3


@pytest.mark.parametrize("settings", [[], [("fortune/side", 0.5)], [("ends_when", "routed"), ("hours_most", "1,200")]])
def test_set_04_the_tables_own_number_and_an_empty_tab_change_nothing(settings: list[tuple[Any, Any]]) -> None:
    rows = one_war()
    del rows[TAB]
    [without] = run(workbook(rows)).rulings
    receipt = ruled(*settings)

    assert frozen(receipt) == []
    assert (receipt.seed, receipt.inputs, receipt.wiki) == (
        without.receipt.seed,
        without.receipt.inputs,
        without.receipt.wiki,
    )


def test_set_03_settings_apply_to_a_war() -> None:
    """A battle of one hour: the attack is abandoned when it ends (R-13)."""
    [ruling] = run(workbook(one_war(("hours_most", 1)))).rulings

    assert [event.text for event in ruling.outcome.events if event.id == "R-13"] == [
        "the attack is abandoned after 1 hour; Norway wins"
    ]


def test_set_03_the_form_s_own_numbers_can_be_set_too() -> None:
    """Tolerances of a strategy, the generic entries, units of the catalogue and colours of the maps."""
    rows = one_war(("size_tolerance_men", 0))
    rows["Flanks"] = [{"Request": "W-0001", "Side": "Attacker", "Infantry": 6_995}]
    [(_, status, message)] = messages(run(workbook(rows)))
    assert (status, message.count("Invalid Inf")) == ("Invalid", 1)

    rows = one_war(("defaults/nation/Stability", 12), ("Levy Spearman/Speed", 3))
    rows["War Requests"][0]["Defender"] = rows["War Requests"][0]["Defender Military"] = "default"
    [ruling] = run(workbook(rows)).rulings
    inputs = json.loads(ruling.receipt.inputs)
    assert inputs["defender"]["nation"]["stability"] == 12

    plain = json.loads(ruled().inputs)["terrain"]
    drained = json.loads(ruled(*((f"terrain/Water/rgb/{part}", 1) for part in range(3))).inputs)["terrain"]
    assert plain["name"] == drained["name"]
    assert plain["digest"] != drained["digest"]


def test_set_03_a_units_row_takes_precedence_over_a_setting() -> None:
    rows = one_war(("units/Huscarl/Speed", 9))
    assert _speed(rows, "Huscarl") == 9

    rows["Units"] = [{"Name": "Huscarl", "Speed": 7}]
    assert _speed(rows, "Huscarl") == 7


def _speed(rows: Rows, unit: str) -> float:
    [ruling] = run(workbook(rows)).rulings
    sides = [json.loads(ruling.receipt.inputs)[side]["units"] for side in ("attacker", "defender")]
    [speed] = {entry["speed"] for units in sides for entry in units if entry and entry["name"] == unit}
    return float(speed)


def test_set_04_verify_and_replay_use_the_settings_of_the_ruling() -> None:
    """Whatever the tab says by then."""
    book = workbook(one_war(("fortune/side", 0), ("fortune/flank", 0)))
    run(book)
    receipt = read_receipts(read(book)).ruling_of("W-0001")
    form = forms()[0]
    assert receipt is not None

    verdict = verify(receipt, form, pass_context().fingerprints[form.ruleset_key], SECRET, OPTIONS)
    assert (verdict.differences, verdict.remarks) == ((), ())
    lines: list[str] = []
    replay(receipt, form, lines.extend)
    assert "strategy/fortune/side is 0 in this workbook, not 0.5 as in the tables. [SET-06]" in lines


@pytest.mark.parametrize(("ruleset", "table"), [("1066", "constants"), ("jousts", "jousts")])
def test_set_04_a_receipt_with_an_unknown_setting_cannot_be_replayed(ruleset: str, table: str) -> None:
    book = workbook(example(ruleset))
    receipt = run(book).rulings[0].receipt
    form = next(form for form in forms() if form.key == receipt.ruleset)
    inputs = json.loads(receipt.inputs) | {"settings": [{"name": f"{table}/ATK-99/x", "value": 1}]}
    text = json.dumps(inputs)
    changed = replace(receipt, inputs=text, inputs_fingerprint=fingerprint_of(text))

    with pytest.raises(CannotReplay, match='the tables have no "ATK-99" there'):
        replay(changed, form)


def test_set_06_the_log_tab_begins_with_the_settings() -> None:
    book = workbook(one_war(("fortune/side", 0.1)))
    run(book)

    assert column(book, "Log", "Event")[:2] == ["setting", "battle begins"]
    assert column(book, "Log", "Text")[0] == "strategy/fortune/side is 0.1 in this workbook, not 0.5 as in the tables"
    assert column(book, "Log", "Rule")[0] == "SET-06"


def test_set_05_settings_that_fit_only_together_are_applied_together() -> None:
    assert len(frozen(ruled(("generations/awakening/from", 31), ("generations/austerity/to", 31)))) == 2


def test_num_02_an_unambiguous_text_is_that_number() -> None:
    """`0,050` has one reading, and a share is one whether its cell says 0.5 or 50 %."""
    settings = ("fortune/side", "0,050"), ("routed_below", PerCent(0.2))

    assert sorted(row["value"] for row in frozen(ruled(*settings))) == [0.05, 0.2]
    [refused] = run(workbook(one_war(("weights/major", PerCent(0.3))))).problems
    assert "30 % could mean 0.3 or 30." in str(refused)


def test_a_bad_setting_blocks_only_its_own_ruleset() -> None:
    rows = one_war(("fortune/sid", 1)) | example("jousts")
    made = run(workbook(rows))

    assert {ruling.form.key for ruling in made.rulings} == {"jousts"}
    assert _statuses(made)["W-0001"] == "Invalid"


def _statuses(made: Plan) -> dict[str, str]:
    return {request: status for request, status, _ in messages(made)}


def test_the_headers_of_the_tab_may_be_anywhere_but_must_exist() -> None:
    headed = {TAB: ["Why", "Value", "Setting"]}
    rows = one_war(("hours_most", 900))
    rows[TAB][0]["Why"] = "Too long a season"
    [ruling] = run(workbook(rows, headed)).rulings
    assert frozen(ruling.receipt) == [{"name": "strategy/hours_most", "value": 900}]

    made = run(workbook(one_war(("hours_most", 900)), {TAB: ["Setting", "Values"]}))
    assert _statuses(made)["W-0001"] == "Invalid"
    said = 'says "Values". Did you mean "Value"? Rename the header, or add a column "Value". [SET-02]'
    assert said in messages(made)[0][2]


def test_a_completely_emptied_tab_has_no_settings() -> None:
    grid = grids(one_war())
    for empty in ([], [[]], [[None, "  "], []]):
        [ruling] = run(MemoryWorkbook(grid | {TAB: empty})).rulings
        assert frozen(ruling.receipt) == []

    made = run(MemoryWorkbook(grid | {TAB: [["fortune/side", 0.1]]}))
    assert "no header row found. Put the headers (Setting, Value ...) into row 1. [DB-03]" in messages(made)[0][2]
