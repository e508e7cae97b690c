"""The Season row decides whether receipts end with an account (RCP-13, RCPT-04)."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engine.receipt import PLAIN, Block, Line, ReceiptText, SeasonOptions
from engine.settings import Setting
from sheets_algo.forms.base import open_database
from sheets_algo.ruling.passes.receipt_log import ReceiptLog, season_receipt
from sheets_algo.ruling.receipts.changes import Changes
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.ruling.replays.replay import verify
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.pinned_tables import tables as pinned_tables
from tests.helpers.workbooks import NOW, SECRET, example, forms, grids, pass_context, read, run, workbook
from tests.ruling.test_markup import BOTH, begun

WITH_ACCOUNT = '{"short_account":true}'
WITHOUT = (None, '{"escape_markup":true}', '{"short_account":false}')
"""Inputs of season rows without the option; the first two are those of version 0.1."""


@pytest.mark.parametrize(
    ("options", "inputs"),
    [
        (PLAIN, ""),
        (SeasonOptions(escape_markup=True), '{"escape_markup":true}'),
        (SeasonOptions(short_account=True), WITH_ACCOUNT),
        (SeasonOptions(escape_markup=True, short_account=True), BOTH),
        (SeasonOptions(losses="apply"), '{"losses":"apply"}'),
        (SeasonOptions(losses="tell"), '{"losses":"tell"}'),
        (SeasonOptions(turns_wait=True), '{"turns_wait":true}'),
        (SeasonOptions(dead_leaders="refuse"), '{"dead_leaders":"refuse"}'),
        (SeasonOptions(dead_leaders="warn"), '{"dead_leaders":"warn"}'),
        (SeasonOptions(in_hours=True), '{"in_hours":true}'),
        (SeasonOptions(rules_name="source"), '{"rules_name":"source"}'),
    ],
)
def test_rcp_13_the_season_s_row_names_the_options_that_are_on(options: SeasonOptions, inputs: str) -> None:
    assert season_receipt(1, SECRET, NOW, options).inputs == inputs
    assert ReceiptLog(read(begun({}, inputs)), Changes()).receipts.options == options


def wars(inputs: str | None) -> tuple[MemoryWorkbook, list[StoredReceipt]]:
    """The wars of 1066, ruled in a season with these Inputs in its row."""
    book = begun(example("1066"), inputs)
    return book, [ruling.receipt for ruling in run(book).rulings]


@pytest.mark.parametrize("inputs", [WITH_ACCOUNT, BOTH])
def test_rcpt_04_receipts_of_a_season_that_wants_it_end_with_an_account(inputs: str) -> None:
    book, receipts = wars(inputs)
    known = ReceiptLog(read(book), Changes()).receipts
    (form,) = (form for form in forms() if form.key == "autoalgo")
    for receipt in receipts:
        assert receipt.wiki.count("=== Account ===\n* ") == 1
        fingerprint = pass_context().fingerprints["autoalgo"]
        assert verify(known.by_seq[receipt.seq], form, fingerprint, SECRET, known.options).is_equal
        assert not verify(known.by_seq[receipt.seq], form, fingerprint, SECRET).is_equal


def test_rcpt_01_seasons_that_are_begun_go_on_counting_in_days() -> None:
    """Their receipts stay equal; in others receipt, account, column and message count in hours alone."""
    (form,) = (form for form in forms() if form.key == "autoalgo")
    fingerprint = pass_context().fingerprints["autoalgo"]
    lengths = []
    for inputs in (WITH_ACCOUNT, '{"short_account":true,"in_hours":true}'):
        book, receipts = wars(inputs)
        known = ReceiptLog(read(book), Changes()).receipts
        for receipt in receipts:
            assert verify(known.by_seq[receipt.seq], form, fingerprint, SECRET, known.options).is_equal
        length = [re.findall("Battle:''' (.*?)(?:, decided.*)?\n", receipt.wiki)[0] for receipt in receipts]
        lengths.append((length, [str(receipt.figures.values["Duration"]) for receipt in receipts]))
    (in_days, days), (in_hours, hours) = lengths
    assert in_days == days
    assert [text.partition(" (")[0] for text in in_hours] == hours
    assert any("day" in text for text in days)
    assert not any("day" in text for text in hours)
    for text, day in zip(in_hours, days, strict=True):
        assert ("day" not in day) or text.endswith(f"({day}; a day of battle has 12 hours)")
    for receipt, hour in zip(receipts, hours, strict=True):
        assert f" after {hour}; " in receipt.figures.message


@pytest.mark.parametrize("inputs", WITHOUT)
def test_rcpt_04_receipts_of_other_seasons_end_with_their_items(inputs: str | None) -> None:
    _, receipts = wars(inputs)
    _, with_account = wars(WITH_ACCOUNT)
    items = [receipt.wiki.partition("\n=== Account ===")[0] for receipt in with_account]
    assert [receipt.wiki for receipt in receipts] == items


def test_rcpt_04_a_season_that_a_ruling_begins_has_no_account() -> None:
    """Its row names no options, as in version 0.1."""
    rulings = run(MemoryWorkbook(grids(example("1066")))).rulings
    assert rulings
    assert not any("Account" in ruling.receipt.wiki for ruling in rulings)


def test_r_98_the_name_of_the_rules_is_a_setting_of_each_war_with_the_units_of_the_source() -> None:
    """A row of the settings tab replaces a number of the rules, also by that which our tables have."""
    rows = example("1066")
    ours = pinned_tables().raw["weights"]["major"]
    rows = {**rows, "Autoalgo Settings": [{"Setting": "weights/moderate", "Value": ours}]}
    options = SeasonOptions(rules_name="source")
    form = next(form for form in forms() if form.key == "autoalgo").in_season(options)
    database = open_database(read(workbook(rows)), [form])
    inputs = form.read(next(iter(database.table(form.request))), database).inputs

    assert inputs.settings == (
        Setting(name="strategy/rules", value="source"),
        Setting(name="weights/moderate", value=ours),
    )
    assert [unit.psychology for unit in inputs.attacker.units if unit][:2] == [1.5, 4]
    assert form.settings.numbers(inputs.settings)["constants"]["UNIT-16"]["applies"] == 0


@pytest.mark.parametrize("rules", ["history", "source"])
def test_r_98_every_receipt_says_the_rules_if_its_ruleset_has_several(rules: str) -> None:
    receipt = ReceiptText("War", (Block("Result", (Line("Winner", "Rome"),)),), rules=rules)

    assert receipt.wiki(PLAIN).endswith(f"\n* '''Rules:''' {rules}")
    assert receipt.text().endswith(f"\n  Rules: {rules}")
    assert "Rules" not in replace(receipt, rules="").wiki(PLAIN)


def test_r_98_a_season_by_rules_of_an_unknown_name_says_which_there_are() -> None:
    made = run(begun(example("1066"), '{"rules_name":"mine"}'))

    assert '"mine" is not allowed for rules_name, use history or source' in str(made.found.held)
    assert not made.rulings
