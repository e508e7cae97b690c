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
    check,
    column,
    example,
    forms,
    grids,
    messages,
    pass_context,
    problems,
    read,
    run,
    workbook,
)
from sheets_algo.database.problems import Severity
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


def refused(*settings: tuple[Any, Any]) -> list[str]:
    """What is said of a war that settings keep from being ruled."""
    made = run(workbook(one_war(*settings)))
    [(_, status, message)] = messages(made)
    assert status == "Invalid"
    assert not made.rulings
    return message.splitlines()


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


def test_a_bad_setting_is_a_problem_at_its_cell() -> None:
    for name, value, says in [
        (
            "fortune/sid",
            0.1,
            '!A2 (fortune/sid, Setting): "fortune/sid" is not a setting. Did you mean "fortune/side"? Write the file',
        ),
        ("rout_below", 0.1, 'Did you mean "routed_below"? Write the file'),
        (
            "xyzzy",
            1,
            "is not a setting. Write the file and the names in the tables, for example"
            " army_sizes/words/small/pre-urban.",
        ),
        (
            "least",
            1,
            '"least" could mean constants/VAR-SIEGE/least, constants/DATE-05/least, constants/STAB-01/least.'
            " Add the part of the name that comes before it. [SET-01]",
        ),
        ("strategy/default_flanks/0", "van", '"strategy/default_flanks/0" is not a setting.'),
        ("fortune/side", 5, "!B2 (fortune/side, Value): 5 is not allowed. Use a number from 0 to 4. [SET-02]"),
        ("fortune/side", "much", '"much" is not a number. Enter a number; the tables have 0.5. [SET-02]'),
        ("fortune/side", True, '"TRUE" is not a number.'),
        ("fortune/side", float("inf"), '"inf" is not a number.'),
        ("fortune/side", None, "required, but empty."),
        ("weights/major", "1,234", '"1,234" could mean 1.234 or 1234. Type 1.2340 or 1234. [SET-02]'),
        (
            "weights/major",
            "30 %",
            "30 % could mean 0.3 or 30. Type it without the per cent sign; the tables have 3. [NUM-03]",
        ),
        ("weights/major", PerCent(0.3), "30 % could mean 0.3 or 30."),
        ("hours_most", 1.5, "1.5 is not allowed. Use a whole number. [SET-02]"),
        ("ends_when", "rout", '"rout" is not allowed. Did you mean "routed"? Use routed or retreating. [SET-02]'),
        ("ends_when", 3, '"3" is not allowed. Use routed or retreating. [SET-02]'),
        (
            "Jungle/constant",
            0.9,
            "!B2 (Jungle/constant, Value): attrition/values/Desert/constant: 0.022 is below 0.9, the number of the next"
            " milder value. [SET-05]",
        ),
        (
            "generations/awakening/from",
            31,
            "generations/phases/austerity/to: 30 is not where the next phase begins, 31. [SET-05]",
        ),
        ("defaults/nation/Stability", 300, "300 is not allowed. Use a number from 0 to 200. [SET-02]"),
    ]:
        [line] = refused((name, value))
        assert says in line
        assert line.startswith(f"'{TAB}'!")


def test_all_bad_cells_of_the_tab_are_reported_together() -> None:
    rows = one_war(
        ("fortune/side", 0.2),
        ("fortune/sied", 0.2),
        ("fortune/flank", 7),
        ("strategy/fortune/side", 0.3),
        (None, 4),
        ("hours_most", "soon"),
        ("Jungle/constant", 0.9),
    )
    found = [
        (f"'{TAB}'!A3", "SET-01"),
        (f"'{TAB}'!B4", "SET-02"),
        (f"'{TAB}'!A5", "SET-01"),
        (f"'{TAB}'!A6", "SET-01"),
        (f"'{TAB}'!B7", "SET-02"),
    ]
    book = workbook(rows)

    assert problems(run(book)) == found
    checked = [problem for problem in check(read(book), forms()[:1]) if problem.severity is not Severity.NOTE]
    assert {(str(problem.cell), problem.id) for problem in checked} == set(found)


@pytest.mark.parametrize(
    "wrong", [("fortune/sied", 1), ("fortune/flank", 7), ("hours_most", "soon"), ("Jungle/constant", 0.9)]
)
def test_set_02_a_wrong_row_leaves_the_others_in_force(wrong: tuple[str, Any]) -> None:
    """The strategy fits the typed tolerance but not that of the tables, so only the wrong row is told."""
    rows = one_war(("size_tolerance_men", 100), wrong)
    rows["Flanks"] = [{"Request": "W-0001", "Side": "Attacker", "Infantry": 4_500, "Cavalry": 2_400}]
    [(_, status, message)] = messages(run(workbook(rows)))

    assert status == "Invalid"
    assert "Invalid Inf" not in message
    [told] = message.splitlines()
    assert told.startswith(f"'{TAB}'!")


def test_a_number_set_twice_is_reported_at_the_second_row() -> None:
    [line] = refused(("fortune/side", 0.2), ("strategy/fortune/side", 0.2))

    assert line == (
        f"'{TAB}'!A3 (strategy/fortune/side, Setting): strategy/fortune/side is set in row 2 already."
        " Keep one of them. [SET-01]"
    )


def test_set_05_settings_that_fit_only_together_are_applied_together() -> None:
    assert len(frozen(ruled(("generations/awakening/from", 31), ("generations/austerity/to", 31)))) == 2


def test_set_05_only_the_setting_at_fault_is_reported() -> None:
    lines = refused(("fortune/side", 0.2), ("Jungle/constant", 0.9), ("Desert/siege", 0.05), ("unraveling/Disease", 2))

    assert [line.split(" ")[1].split("!")[1] for line in lines] == ["B3", "B4", "B5"]
    assert all(line.endswith("[SET-05]") for line in lines)


def test_num_02_an_unambiguous_text_is_that_number() -> None:
    """`0,050` has one reading, and a share is one whether its cell says 0.5 or 50 %."""
    settings = ("fortune/side", "0,050"), ("routed_below", PerCent(0.2))

    assert sorted(row["value"] for row in frozen(ruled(*settings))) == [0.05, 0.2]


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
