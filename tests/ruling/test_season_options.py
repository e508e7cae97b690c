"""The options that the Season row names (RCP-13), and what every receipt of a war has (RCPT-01, RCPT-04)."""

from __future__ import annotations

import re

import pytest

from engine.receipt import USUAL, SeasonOptions
from engine.settings import Setting
from scripts.support.pinned_tables import tables as pinned_tables
from scripts.support.workbooks import NOW, SECRET, example, forms, pass_context, read, run, workbook
from sheets_algo.forms.databases import open_database
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.season_receipts import season_receipt


@pytest.mark.parametrize(
    ("options", "inputs"),
    [
        (USUAL, '{"losses":"apply","dead_leaders":"refuse","rules_name":"history"}'),
        (SeasonOptions(losses="tell"), '{"losses":"tell","dead_leaders":"refuse","rules_name":"history"}'),
        (SeasonOptions(dead_leaders="warn"), '{"losses":"apply","dead_leaders":"warn","rules_name":"history"}'),
        (SeasonOptions(rules_name="source"), '{"losses":"apply","dead_leaders":"refuse","rules_name":"source"}'),
    ],
)
def test_rcp_13_the_season_row_names_its_options(options: SeasonOptions, inputs: str) -> None:
    assert season_receipt(1, SECRET, NOW, options).inputs == inputs
    assert read_receipts(read(workbook({}, inputs=inputs))).options == options


def test_rcpt_04_receipts_begin_with_an_account_and_count_in_hours() -> None:
    book = workbook(example("1066"))
    receipts = [ruling.receipt for ruling in run(book).rulings]
    known = read_receipts(read(book))
    (form,) = (form for form in forms() if form.key == "autoalgo")
    for receipt in receipts:
        assert re.match(r"== .* ==\n'''.*\.'''\n(?:[A-Z].*\.\n){3}\* '''Motive and location:", receipt.wiki)
        fingerprint = pass_context().fingerprints["autoalgo"]
        assert verify(known.by_seq[receipt.seq], form, fingerprint, SECRET, known.options).is_equal
        told = SeasonOptions(losses="tell")
        assert not verify(known.by_seq[receipt.seq], form, fingerprint, SECRET, told).is_equal
    length = [re.findall("Battle:''' (.*)", receipt.wiki)[0] for receipt in receipts]
    hours = [str(receipt.figures.values["Duration"]) for receipt in receipts]
    assert [re.split(r"; | \(", text)[0] for text in length] == hours
    for receipt, hour in zip(receipts, hours, strict=True):
        assert re.fullmatch(r"[\d,]+ hours?", hour)
        assert f" ({hour})" in receipt.figures.message


def test_r_98_the_name_of_the_rules_is_a_setting_of_each_war_with_its_units() -> None:
    """A row of the settings tab replaces a number of the rules, also by that which our tables have."""
    rows = example("1066")
    ours = pinned_tables().raw["weights"]["major"]
    rows = {**rows, "Autoalgo Settings": [{"Setting": "weights/moderate", "Value": ours}]}
    options = SeasonOptions(rules_name="source")
    form = next(form for form in forms() if form.key == "autoalgo").in_season(options)
    database = open_database(read(workbook(rows)), [form])
    inputs = form.read(next(iter(database.table(form.request))), database).inputs

    *differing, rules, typed = inputs.settings
    assert {setting.name.rpartition("/")[0] for setting in differing} == {"constants/R-110"}, "pinned otherwise"
    assert (rules, typed) == (
        Setting(name="strategy/rules", value="source"),
        Setting(name="weights/moderate", value=ours),
    )
    assert [unit.psychology for unit in inputs.attacker.units if unit][:2] == [1.5, 4]
    assert form.settings.numbers(inputs.settings)["constants"]["UNIT-16"]["applies"] == 0


def test_r_98_a_season_with_an_unknown_rule_set_lists_the_known_ones() -> None:
    made = run(workbook(example("1066"), inputs='{"rules_name":"mine"}'))

    assert '"mine" is not allowed for rules_name, use history or source' in str(made.findings.held)
    assert not made.rulings
