"""What a war request may be: every mistake names its cell, all of them at once."""

import pytest

from scripts.support.pinned_tables import SHIPPED
from scripts.support.workbooks import (
    NOW,
    SECRET,
    column,
    example,
    messages,
    read,
    run,
    workbook,
)
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.forms.rulesets import open_forms
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import PassContext


def one_war(number=0, **cells):
    rows = example("1066")
    rows["War Requests"] = [rows["War Requests"][number] | cells]
    rows["Flanks"] = []
    return rows


def ruled(rows):
    return run(workbook(rows))


def says(rows):
    made = ruled(rows)
    return messages(made)[0][2]


def test_a_unit_of_the_tab_overrides_the_catalogue():
    fast = one_war()
    fast["Units"] = [{"Name": "Huscarl", "Speed": 5, "Power": "9; 9; 9"}]
    assert ruled(fast).rulings[0].receipt.wiki != ruled(one_war()).rulings[0].receipt.wiki


def test_mil_15_a_blank_training_does_not_change_the_inputs():
    """A season's luck is drawn from the inputs, so adding the column to a workbook does not change it."""
    rows = one_war()
    (plain,) = ruled(rows).rulings
    for row in rows["Militaries"]:
        row["Tactical Training"] = None
    (blank,) = ruled(rows).rulings

    assert blank.receipt.inputs == plain.receipt.inputs


@pytest.mark.parametrize(
    ("unit", "share", "is_told"),
    [("War elephant", 0.2, False), ("War elephant", 0.21, True), ("Chariot", 1.0, True), ("Norman Knight", 1.0, False)],
)
@pytest.mark.parametrize("slot", ["Infantry", "Cavalry"])
def test_mil_16_more_than_a_fifth_of_beasts_gives_a_warning(unit: str, share: float, is_told: bool, slot: str) -> None:
    rows = example("1066")
    [host] = [row for row in rows["Militaries"] if row["Name"] == "Harold's Host"]
    host |= {"Infantry Proportion": 0, "Cavalry Proportion": 0, "Artillery Type": "", "Artillery Proportion": 0}
    other = "Cavalry" if slot == "Infantry" else "Infantry"
    host |= {f"{slot} Type": unit, f"{slot} Proportion": share}
    host |= {f"{other} Type": "Huscarl", f"{other} Proportion": round(1 - share, 2)}
    library = ConfigLoader(SHIPPED)
    shipped = open_forms(library)
    prints = {form.ruleset_key: library.fingerprint(form.ruleset_key) for form in shipped}
    context = PassContext(forms=shipped, fingerprints=prints, secret=SECRET)
    told = messages(plan_pass(read(workbook(rows)), context, NOW))[0][2]
    assert ("ride beasts or chariots; few armies of history had a fifth" in told) is is_told
    if unit != "Norman Knight":
        assert f", {share:.0%} beasts." in told


def test_flanks_show_their_end_state():
    """STRAT-08, STRAT-10: where each flank ended and how it stands."""
    rows = one_war()
    rows["Flanks"] = [{"Request": "W-0001", "Side": side, "Maneuver": "Normal"} for side in ("Defender", "Attacker")]
    book = workbook(rows)
    run(book)
    assert all(status for status in column(book, "Flanks", "End Status"))
    assert all(isinstance(men, int) for men in column(book, "Flanks", "End Infantry"))
    assert not run(book).writes.changes


def test_missing_tabs_and_columns_are_reported():
    rows = one_war()
    del rows["Locations"]
    assert "Locations: the tab is missing. If it has another title, rename it; else run init" in says(rows)
    heads = {"Nations": ["Name", "Founded Year", "Year Crisis", "People"]}
    made = run(workbook(one_war(), heads))
    assert 'Nations!1:1: no column "Population" found. Add it. [NAT-03]' in messages(made)[0][2]


def test_moved_columns_are_found_by_alias_and_spacing():
    """DB-03, inputs 1.6: other spellings, any order, columns of the moderator's own between them."""
    rows = one_war()
    heads = ["notes", "Crisis Year", "founded  YEAR ", "population", " NAME", "Capital Region", "Arable land"]
    spelled = {"Crisis Year": "Year Crisis", "founded  YEAR ": "Year Founded", " NAME": "Name"}
    for row in rows["Nations"]:
        row |= {head: row.get(spelled.get(head, head.title()), 7000) for head in heads[1:5]}
    book = workbook(rows, {"Nations": heads})
    made = run(book)
    assert messages(made)[0][1] == "Done"
    stability = column(book, "Nations", "Stability")  # the column was missing: the ruling added it
    assert stability[0] == next(change.after for change in made.rulings[0].receipt.changes if change.row == "England")
