"""What a war request may be: every mistake names its cell, all of them at once."""

import json

import pytest

from scripts.support.pinned_tables import SHIPPED
from scripts.support.workbooks import (
    NOW,
    SECRET,
    check,
    column,
    example,
    forms,
    messages,
    problems,
    read,
    run,
    workbook,
)
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.database.problems import Severity
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


def found(rows):
    """Errors and warnings as (cell, rule)."""
    return problems(ruled(rows))


def noted(rows):
    """What `check` says, but of the armies that have no war here because the other wars are left out."""
    return [str(problem) for problem in check(read(workbook(rows)), forms()[:1]) if problem.id != "MIL-02"]


def says(rows):
    made = ruled(rows)
    return messages(made)[0][2]


def row_of(rows, tab, name):
    return next(row for row in rows[tab] if row["Name"] == name)


def test_a_valid_request_has_no_problems():
    assert found(one_war()) == []


@pytest.mark.parametrize("typed", ["January", "january", "Jan", "1", 1])
def test_war_17_a_month_may_be_a_name_or_a_number(typed):
    (ruling,) = ruled(one_war(Month=typed)).rulings
    assert json.loads(ruling.receipt.inputs)["month"] == "January"


def test_war_17_a_blank_month_is_omitted_and_a_wrong_one_refused():
    (ruling,) = ruled(one_war()).rulings
    assert "month" not in ruling.receipt.inputs
    assert found(one_war(Month="Wintermonth")) == [("'War Requests'!K2", "WAR-17")]


def test_db_07_unit_names_ignore_case():
    rows = one_war()
    (plain,) = ruled(rows).rulings
    row_of(rows, "Militaries", "Harold's Host")["Cavalry Type"] = " HUSCARL"
    (typed,) = ruled(rows).rulings
    assert typed.receipt.inputs == plain.receipt.inputs


def test_a_unit_of_the_tab_overrides_the_catalogue():
    fast = one_war()
    fast["Units"] = [{"Name": "Huscarl", "Speed": 5, "Power": "9; 9; 9"}]
    assert ruled(fast).rulings[0].receipt.wiki != ruled(one_war()).rulings[0].receipt.wiki


def trainings(inputs, side="attacker"):
    """Return the training of each unit of a side of frozen inputs."""
    return [unit["tactical_training"] for unit in json.loads(inputs)[side]["units"] if unit]


def test_mil_15_a_force_s_training_replaces_its_units():
    rows = one_war()
    row_of(rows, "Militaries", "Harold's Host")["Tactical Training"] = "9"
    (receipt,) = (ruling.receipt for ruling in ruled(rows).rulings)
    inputs = json.loads(receipt.inputs)
    trained, untrained = (trainings(receipt.inputs, side) for side in ("attacker", "defender"))

    assert inputs["attacker"]["nation"]["name"] == "England"
    assert set(trained) == {9.0}
    assert 9.0 not in untrained
    assert "tactical_training" not in inputs["attacker"]["military"]


def test_mil_15_a_blank_training_does_not_change_the_inputs():
    """A season's luck is drawn from the inputs, so adding the column to a workbook does not change it."""
    rows = one_war()
    (plain,) = ruled(rows).rulings
    for row in rows["Militaries"]:
        row["Tactical Training"] = None
    (blank,) = ruled(rows).rulings

    assert blank.receipt.inputs == plain.receipt.inputs


@pytest.mark.parametrize(("share", "is_told"), [(0.2, False), (0.21, True), (1.0, True)])
def test_mil_16_more_than_a_fifth_of_gunners_gives_a_warning(share: float, is_told: bool) -> None:
    """The type of MIL-09."""
    rows = example("1066")
    [host] = [row for row in rows["Militaries"] if row["Name"] == "Harold's Host"]
    host |= {"Infantry Proportion": 1 - share, "Artillery Type": "Trebuchet", "Artillery Proportion": share}
    assert ("few armies of history had a fifth. Nothing, if that is meant. [MIL-16]" in says(rows)) is is_told


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


@pytest.mark.parametrize(
    ("header", "unit", "year", "warned"),
    [
        ("Transport", "Longship", 700, ""),
        ("Transport", "Longship", 699, "Longship is of 800 to 1150, and the war is in 699. Nothing, if that is meant."),
        (
            "Cavalry Type",
            "Horse Archer",
            -700,
            "Horse Archer is of 500 BC to 1600, and the war is in 700 BC. Nothing, if that is meant.",
        ),
        ("Transport", "Longship", 1900, ""),
        ("Transport", "Barges", -3000, ""),
    ],
)
def test_mil_16_a_unit_a_century_too_early_gives_a_warning(header: str, unit: str, year: int, warned: str) -> None:
    """An old one is none, nor one that has a row of its own."""
    rows = one_war(Year=year)
    for nation in rows["Nations"]:
        nation |= {"Year Founded": -3500, "Year Crisis": -3500}
    host = row_of(rows, "Militaries", "Harold's Host")
    host |= {"Infantry Type": "Soldier", "Cavalry Type": "Soldier", header: unit}

    told = [line for line in says(rows).splitlines() if "Harold's Host" in line and "MIL-16" in line]
    assert [line.partition("warning: ")[2] for line in told] == [f"{warned} [MIL-16]"] * bool(warned)
    assert all(f"(Harold's Host, {header})" in line for line in told)
    rows["Units"] = [{"Name": unit, "Capacity": 40}]
    assert f"warning: {unit} is of" not in says(rows)


@pytest.mark.parametrize(
    ("word", "age", "number"),
    [
        ("Professional", None, 8),
        (" tribal  LEVY", None, 2),
        ("Tribal levy", "Zulu kingdom", 6),
        ("Recruits", "Napoleonic", 2),
    ],
)
def test_mil_15_a_word_of_training_stands_for_its_number_by_the_age(word, age, number):
    """A moderator who knew a legion from a levy had to translate both into numbers."""
    rows = one_war()
    row_of(rows, "Militaries", "Harold's Host")["Tactical Training"] = word
    row_of(rows, "Nations", "England")["Age"] = age
    typed = ruled(rows).rulings[0].receipt.inputs
    row_of(rows, "Militaries", "Harold's Host")["Tactical Training"] = number
    assert typed == ruled(rows).rulings[0].receipt.inputs
    assert set(trainings(typed)) == {number}


def test_mil_02_two_forces_of_a_nation_with_one_name_are_refused():
    rows = one_war()
    rows["Militaries"].append(dict(row_of(rows, "Militaries", "Harold's Host")))
    assert ("'War Requests'!E2", "MIL-02") in found(rows)


def test_nat_01_a_duplicate_nation_is_refused():
    rows = one_war()
    rows["Nations"].append(dict(row_of(rows, "Nations", "England")))
    assert found(rows) == [("Nations!A8", "NAT-01")]
    assert '"England" is also in row 2' in says(rows)


def test_ldr_03_a_leader_born_after_the_war_leads_with_a_warning() -> None:
    for born, warned in ((1066, 0), (1067, 1)):
        rows = example("1066")
        rows["Leaders"][0]["Birth Year"] = born

        found = [problem for problem in run(workbook(rows)).problems if problem.id == "LDR-03"]

        says = f"{rows['Leaders'][0]['Name']} is born in 1067, after the war of 1066, so an age is assumed"
        assert [(problem.severity, problem.says) for problem in found] == [(Severity.WARNING, says)] * warned


@pytest.mark.parametrize(
    ("nations", "is_told"),
    [("England", ""), ("Byzantium; England", " Of Byzantium and England, England alone wins or loses Stability.")],
)
def test_mil_01_message_names_the_nation_that_bears_stability(nations: str, is_told: str) -> None:
    rows = one_war()
    row_of(rows, "Militaries", "Harold's Host")["Nation"] = nations
    (line,) = [line for line in says(rows).splitlines() if line.startswith("Attacker: ")]
    assert line.partition(".")[2] == is_told


def test_flr_04_flanks_on_one_spot_or_behind_the_enemy_give_warnings():
    """The attacker of Stamford Bridge comes from below: Y 230 is before the defender, Y 20 behind all of them."""
    rows = one_war()
    flank = {"Request": "W-0001", "Side": "Attacker", "X": 200, "Y": 230}
    rows["Flanks"] = [flank, flank | {"X": 200.0}, flank | {"X": 190}, flank | {"Y": 20}]
    defender = {"Request": "W-0001", "Side": "Defender", "X": 200, "Y": 190}
    rows["Flanks"] += [defender, defender | {"Y": 180}]

    assert found(rows) == [("Flanks!D3", "FLR-04"), ("Flanks!D5", "FLR-04")]
    assert "stands on the same spot as the flank in row 2. Nothing, if that is meant." in says(rows)
    assert "stands behind the whole enemy. Nothing, if that is meant." in says(rows)


def test_md_09_a_transport_without_capacity_is_refused():
    """Whether or not the number of ships was typed; the cell is that of the right nation's force."""
    rows = one_war()
    rows["Militaries"].insert(0, dict(row_of(rows, "Militaries", "Harold's Host"), Nation="Byzantium"))
    rows["Militaries"][1]["Transport"] = "Huscarl"
    assert found(rows) == [("Militaries!K3", "MD-09")]
    rows["Militaries"][1]["Ship Number"] = 3
    assert found(rows) == [("Militaries!K3", "MD-09")]
    assert '"Huscarl" is not a ship, because its Capacity is 0. Name a unit with a Capacity of at least 1.' in says(
        rows
    )


def test_var_eff_att_02_check_notes_cells_without_effect():
    rows = one_war()
    assert noted(rows) == []
    row_of(rows, "Nations", "England")["Steel Production"] = 20
    row_of(rows, "Militaries", "Harold's Host")["Budget"] = 5_000
    row_of(rows, "Locations", "York and the Derwent")["Local Population"] = 900
    row_of(rows, "Locations", "English Channel")["Local Population"] = 50_000

    assert noted(rows) == [
        "Locations!B5 (English Channel, Local Population): note: it changes nothing: on the Ocean the fleets decide."
        " [ATT-03]",
        "Nations!Z2 (England, Steel Production): note: too little to be noticed in battle: it counts for Harold's Host"
        " from about 210 on. [VAR-EFF]",
        "Militaries!N2 (Harold's Host, Budget): note: too little to be noticed in battle: it counts for Harold's Host"
        " from about 70,000 on. [VAR-EFF]",
    ]
    assert found(rows) == []


def test_mil_14_a_budget_above_the_gdp_gives_a_warning():
    rows = one_war()
    army, nation = row_of(rows, "Militaries", "Harold's Host"), row_of(rows, "Nations", "England")
    army["Budget"], nation["GDP"] = 2_000_000, 2_000_000
    assert noted(rows) == []
    army["Budget"] = 10**12
    assert noted(rows) == [
        "Militaries!N2 (Harold's Host, Budget): warning: 1,000,000,000,000 US dollars, but the GDP of England"
        " is 2,000,000. Check Budget, and GDP of the nation. [MIL-14]"
    ]
    nation["GDP"] = None
    assert noted(rows) == []
    for one in rows["Militaries"]:
        one["Budget"] = None
    nation["GDP"] = 1
    assert noted(rows) == [], "the default"


def test_db_10_default_is_allowed_for_everything():
    generic = {"Attacker": "default", "Attacker Military": "default", "Defender": "Default", "Defender Military": None}
    made = ruled(one_war(Location="DEFAULT", **generic))
    assert messages(made)[0][1] == "Done"
    assert made.rulings[0].receipt.changes == ()


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
    assert "Locations: the tab is missing. Add it with its headers, or run init" in says(rows)
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
