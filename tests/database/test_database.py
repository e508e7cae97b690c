"""The conventions of the database tabs (DB, MD): what a blank means, what may stand beside, what stops a war."""

from __future__ import annotations

from typing import Any

import pytest

from engine.autoalgo.records import Leader, Location, Nation, Unit
from engine.columns import Field, Kind, columns, tab_of
from scripts.support.smallest_war import YEAR, ruling, war, war_form, war_rows
from scripts.support.workbooks import Rows, check, column, forms, messages, problems, read, run, workbook
from sheets_algo.forms.autoalgo.columns import FlankRow, MilitaryRow, WarRequest
from tests.helpers.tabs import key

SPEAR = {"Name": "Spear", "Power": "0.5; 0.5; 0.5"}
RECORDS = (Nation, MilitaryRow, Location, Leader, Unit, WarRequest, FlankRow)


def peopled() -> Rows:
    """The quarrel with a leader, a unit of its own and a flank, so that every tab has a row that is used."""
    rows = war_rows({"Side": "Attacker"}, Seed=1)
    rows["Leaders"] = [{"Name": "Ada", "Nation": "Left"}]
    rows["Units"] = [dict(SPEAR)]
    rows["Nations"][0]["Leader"] = "Ada"
    rows["Militaries"][0] |= {"Leader": "Ada", "Infantry Type": "Spear", "Infantry Proportion": 1}
    return rows


def frozen(rows: Rows) -> str:
    """The inputs as a pass freezes them, from which seed and battle follow."""
    form = war_form()
    return form.serialize(war(rows))


def as_typed(field: Field) -> Any:
    """A default as a person would write it."""
    if field.kind is Kind.NUMBERS:
        return "; ".join(f"{number:g}" for number in field.default)
    return {True: "yes", False: "no"}[field.default] if field.kind is Kind.YES_NO else field.default


OPTIONAL = [
    (tab_of(record).name, field)
    for record in RECORDS
    for _, field in columns(record)
    if not field.required and not field.place.is_programs and field.default not in (None, "", ())
]


def test_db_01_a_blank_cell_equals_its_written_default() -> None:
    """Invariant 25, column by column: the frozen inputs are the same text, so the whole ruling is the same."""
    for tab, field in OPTIONAL:
        blank = peopled()
        blank[tab][0].pop(field.header, None)
        if (tab, field.header) == ("Militaries", "Infantry Proportion"):
            blank[tab][0].pop("Infantry Type")  # MD-03: with all three blank the whole force is Soldiers
        written = {name: [dict(row) for row in rows] for name, rows in blank.items()}
        written[tab][0][field.header] = as_typed(field)

        assert frozen(written) == frozen(blank), field


@pytest.mark.parametrize(
    ("tab", "cells"),
    [
        ("Militaries", {"Infantry Type": "Soldier", "Infantry Proportion": 1}),  # MD-03
        ("Militaries", {"Ship Number": 180}),  # MD-05: 9,000 men in Barges of 50
        ("Locations", {"Local Population": 1_300_000}),  # ATT-02, LOC-02: Temperate
        ("Leaders", {"Birth Year": YEAR - 30}),  # LEAD-08, LDR-03
        ("War Requests", {"Attacker Military": "Host of Left", "Terrain Map": "Plain"}),  # DB-10, DB-15
        ("Flanks", {"X": 190, "Y": 182, "Infantry": 9_000, "Ships": 180}),  # STRAT-01, STRAT-02
    ],
)
def test_db_01_derived_defaults_fight_the_same_war(tab: str, cells: dict[str, Any]) -> None:
    blank = war_rows({"Side": "Attacker", "Flank": "one"}, Seed=1)
    blank["Leaders"] = [{"Name": "Ada", "Nation": "Left"}]
    blank["Nations"][0]["Leader"] = blank["Militaries"][0]["Leader"] = "Ada"
    written = {name: [dict(row) for row in rows] for name, rows in blank.items()}
    written[tab][0] |= cells

    assert ruling(written).receipt.wiki == ruling(blank).receipt.wiki


@pytest.mark.parametrize(("tab", "header"), [("Nations", "Population"), ("Militaries", "Size"), ("Militaries", "Name")])
def test_db_02_a_blank_required_cell_prevents_a_ruling(tab: str, header: str) -> None:
    rows = war_rows()
    rows[tab][0][header] = None
    made = run(workbook(rows))

    assert made.rulings == ()
    assert messages(made)[0][1] == "Invalid"


def test_db_04_other_columns_are_accepted_and_unchanged() -> None:
    """Between the declared ones and to their right, with whatever in them."""
    plain = war_rows(Seed=1)
    heads = ["Motto", *(field.header for _, field in columns(Nation)), "Played by"]
    theirs = {"Motto": "#DIV/0?", "Played by": "=SUM(A1)"}
    rows = war_rows(Seed=1)
    rows["Nations"] = [row | theirs for row in rows["Nations"]]
    book = workbook(rows, {"Nations": heads})
    made = run(book)

    assert made.problems == ()
    assert made.rulings[0].receipt.wiki == ruling(plain).receipt.wiki
    assert [column(book, "Nations", head) for head in theirs] == [["#DIV/0?"] * 2, ["=SUM(A1)"] * 2]


@pytest.mark.parametrize("mark", ["; ", ";", " / ", "|", "\n"])
def test_db_05_any_mark_but_a_comma_separates_nations(mark: str) -> None:
    rows = war_rows(Attacker_Military="Allies")
    rows["Nations"].append(rows["Nations"][0] | {"Name": "Far"})
    rows["Militaries"].append({"Nation": f"Far{mark}Left", "Name": "Allies", "Size": 500})

    assert war(rows).attacker.military.nation == ("Far", "Left"), "in the order typed"


@pytest.mark.parametrize(("typed", "nations"), [("Far/Off", ("Far/Off",)), ("Left; Far/Off", ("Left", "Far/Off"))])
def test_db_05_a_name_with_a_slash_stays_whole(typed: str, nations: tuple[str, ...]) -> None:
    """Its army is found too, and not that of a nation whose name is a part of it."""
    rows = war_rows(Attacker="Far/Off")
    rows["Nations"] += [rows["Nations"][0] | {"Name": name} for name in ("Far", "Far/Off")]
    rows["Militaries"] += [
        {"Nation": "Far", "Name": "Others", "Size": 400},
        {"Nation": typed, "Name": "Host", "Size": 500},
    ]

    attacker = war(rows).attacker

    assert (attacker.nation.name, attacker.military.name, attacker.military.nation) == ("Far/Off", "Host", nations)


@pytest.mark.parametrize(
    ("typed", "nations"),
    [
        ("Korea, Republic of", ("Korea, Republic of",)),
        ("Left; korea,  republic of", ("Left", "Korea, Republic of")),
        ("Left / Korea, Republic of", ("Left", "Korea, Republic of")),
        ("Korea, Republic of\nHere; There", ("Korea, Republic of", "Here; There")),
        ("Here; There", ("Here; There",)),
        ("Left\nHere; There", ("Left", "Here; There")),
    ],
)
def test_db_05_a_name_with_any_punctuation_stays_whole(typed: str, nations: tuple[str, ...]) -> None:
    """Its army and its leader are found, by the nation of the request too."""
    rows = war_rows(Attacker=next(name for name in nations if name not in ("Left", "Right")))
    rows["Nations"] += [rows["Nations"][0] | {"Name": name} for name in ("Korea, Republic of", "Here; There")]
    rows["Nations"][-1] |= {"Leader": "Ada"}
    rows["Nations"][-2] |= {"Leader": "Ada"}
    rows["Militaries"].append({"Nation": typed, "Name": "Host", "Size": 500, "Leader": "Ada"})
    rows["Leaders"] = [{"Name": "Ada", "Nation": typed}]

    attacker = war(rows).attacker

    assert attacker.military.nation == nations
    assert attacker.military_leader is not None
    assert attacker.military_leader.nation == nations


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("Left, Right", 'a comma cannot separate names. Did you mean "Left; Right"?'),
        ("Left, Korea, Republic of", "a comma cannot separate names. Separate the names with a semicolon."),
        ("Korea, Republc of", 'nation not found: "Korea, Republc of". Did you mean "Korea, Republic of"?'),
        ("Left\nRight, Korea, Republic of", "a comma cannot separate names. Separate"),
    ],
)
def test_db_05_a_comma_between_names_is_refused(typed: str, says: str) -> None:
    rows = war_rows()
    rows["Nations"].append(rows["Nations"][0] | {"Name": "Korea, Republic of"})
    rows["Leaders"] = [{"Name": "Ada", "Nation": typed}]
    rows["Nations"][0]["Leader"] = "Ada"

    assert says in messages(run(workbook(rows)))[0][2]


@pytest.mark.parametrize(
    ("typed", "named"), [("Qu\u00e9bec", "QUE\u0301BEC"), ("Côte d’Ivoire", "Côte d'Ivoire"), ("–Far", "-far")]
)
def test_db_07_names_match_across_keyboards(typed: str, named: str) -> None:
    rows = war_rows(Attacker=named, Attacker_Military="Host")
    rows["Nations"].append(rows["Nations"][0] | {"Name": typed})
    rows["Militaries"].append({"Nation": named, "Name": "Host", "Size": 500})

    assert war(rows).attacker.nation.name == typed


def test_prefilled_drop_downs_make_no_row() -> None:
    """They had five errors each; what is typed into one of them begins it."""
    rows = war_rows()
    rows["War Requests"] += [{"Motive": "Conquest", "Commit Stability": True, "Attacker Military": "default"}] * 400
    rows["Nations"] += [{"Trade": "Minor", "Revenue": "Balanced"}] * 400
    rows["Flanks"] = [{"Side": "Attacker", "Maneuver": "Normal"}] * 400

    assert check(read(workbook(rows)), forms()[:1]) == ()
    assert len(run(workbook(rows)).rulings) == 1

    rows["Nations"][-1] = {"Trade": "Minor", "Population": 7}
    rows["War Requests"][-1] = {"Motive": "Conquest", "Ready": True}
    rows["Flanks"][-1] = {"Side": "Attacker", "X": 3}
    begun = {str(problem.cell).partition("!")[0] for problem in check(read(workbook(rows)), forms()[:1])}
    assert begun == {"Nations", "'War Requests'", "Flanks"}


LEGEND = {
    "War": "how it is called",
    "Year": "when",
    "Attacker": "a name of Nations",
    "Location": "a place",
    "Seed": "leave it blank",
    "Ready": "tick it",
    "Status": "do not touch",
    "Message": "the program's",
}


@pytest.mark.parametrize("kind", ["headers", "capitals", "legend"])
def test_db_03_a_repeated_header_row_is_reported_once(kind: str) -> None:
    rows = war_rows()
    heads = [column.header for _, column in columns(WarRequest)]
    again = {head: head.upper() if kind == "capitals" else head for head in heads}
    rows["War Requests"].insert(0, LEGEND if kind == "legend" else again)
    rows["Nations"].append({column.header: column.header for _, column in columns(Nation)})
    book = workbook(rows, {"War Requests": heads})
    before = dict(read(book).sheets[key("war requests")].rows)[2]

    found = [str(problem) for problem in check(read(book), forms()[:1])]
    result = run(book)

    says = "looks like headers. Move it above the headers, or out of the tab. [DB-03]"
    assert found == [f"'War Requests'!2:2: warning: row 2 {says}", f"Nations!4:4: warning: row 4 {says}"]
    assert len(result.rulings) == 1
    assert [str(problem) for problem in result.problems] == found[:1]
    assert dict(read(book).sheets[key("war requests")].rows)[2] == before


@pytest.mark.parametrize(
    "row",
    [
        {"Request": "W-1", "Side": "Attacker", "X": "left", "Y": "top", "Infantry": "all"},
        {"Request": "W-1", "Side": "Attacker", "Flank": "Infantry", "Strategy": "Cavalry", "Infantry": "x"},
    ],
)
def test_a_flank_with_words_for_numbers_is_refused(row: dict[str, Any]) -> None:
    """Without it the war would be ruled on another strategy than the one typed."""
    rows = war_rows()
    rows["Flanks"] = [row]

    assert messages(run(workbook(rows)))[0][1] == "Invalid"


def test_check_reports_repeated_headers_among_flanks() -> None:
    rows = war_rows()
    rows["Flanks"] = [{"Request": "Request", "Side": "Side", "X": "X", "Y": "Y", "Infantry": "Infantry"}]

    says = [str(problem) for problem in check(read(workbook(rows)), forms()[:1])]
    assert says == [
        "Flanks!2:2: warning: row 2 looks like headers. Move it above the headers, or out of the tab. [DB-03]"
    ]


@pytest.mark.parametrize(
    "row",
    [
        {"Name": "Unknown", "Population": "unknown", "Year Founded": "unknown", "Year Crisis": "unknown"},
        {"Name": "Name", "Population": 7, "Year Founded": 1, "Year Crisis": 1},
    ],
)
def test_a_row_with_mistakes_is_not_taken_for_headers(row: dict[str, Any]) -> None:
    rows = war_rows()
    rows["Nations"].append(row)

    assert not [problem for problem in check(read(workbook(rows)), forms()[:1]) if "headers" in problem.says]


def test_db_08_errors_prevent_a_run_and_are_reported_together() -> None:
    """Tab and cell, row, column, what was found, what is allowed, the rule: of every mistake."""
    rows = war_rows(Year="soon")
    rows["Nations"][1]["Urban Population"] = 7
    rows["Locations"][0]["Climate"] = "Damp"
    book = workbook(rows)
    made = run(book)

    assert made.rulings == ()
    assert column(book, "War Requests", "Status") == ["Invalid"]
    assert column(book, "Receipts", "Kind") == ["Season"]
    assert str(column(book, "War Requests", "Message")[0]).splitlines() == [
        "'War Requests'!C2 (W-1, Year): \"soon\" is not a number. Enter a year from -3500 to 2100. [WAR-02]",
        'Locations!C2 (Heath, Climate): "Damp" is not allowed. '
        "Use Ocean, Temperate, Tropical, Continental, Arid or Arctic. [LOC-03]",
        "Nations!X3 (Right, Urban Population): 7 is out of range. Enter a number from 0 to 1. [NAT-24]",
    ]


def test_db_09_no_value_is_silently_replaced() -> None:
    """Out of range is not cut to the range, and a word that is not listed is not taken for the default."""
    rows = war_rows()
    rows["Nations"][0] |= {"Stability": 201, "Trade": "Usual"}

    assert problems(run(workbook(rows))) == [("Nations!B2", "NAT-02"), ("Nations!U2", "NAT-21")]


def test_db_14_moderators_may_update_nations_and_add_units() -> None:
    """A unit that a player asked for is a row with all its values; a nation typed anew counts from the next war on."""
    rows = war_rows()
    rows["Units"] = [
        {
            "Name": "Guard",
            "Speed": 6,
            "Rebound": 1,
            "Shock": 0.3,
            "Long Range": 30,
            "Medium Range": 4,
            "Short Range": 2,
            "Power": "0.3, 1, 0.9",
            "Psychology": 4,
            "Defense": 0.5,
            "Tactical Training": 9,
            "Logistics": "Foraging",
            "Soldier Type": "Elite",
            "Military Type": "Professional",
            "Capacity": 0,
        }
    ]
    rows["Militaries"][0] |= {"Infantry Type": "Guard", "Infantry Proportion": 1}
    book = workbook(rows)
    (first,) = run(book).rulings

    guard = war(rows).attacker.units[0]
    assert guard is not None
    assert (guard.speed, guard.power, guard.logistics) == (6, (0.3, 1, 0.9), "Foraging")
    assert any("Guard" in term.found for variable in first.outcome.explained for term in variable.terms)

    rows["War Requests"].append(rows["War Requests"][0] | {"Request": "W-2"})
    rows["Nations"][0] |= {"Population": 2_000_000, "Civilization Type": "Medieval"}
    second = run(workbook(rows)).rulings[1]
    maximum = next(variable for variable in second.outcome.explained if variable.name == "Attacker: Maximum military")
    assert maximum.value == pytest.approx(2_000_000 * 0.07)


def test_md_01_the_smallest_military_is_a_nation_a_name_and_a_size() -> None:
    """MD-03, MD-06: its men are Soldiers, and Barges would carry them."""
    attacker = war(war_rows()).attacker

    assert [unit.name if unit else None for unit in attacker.units] == ["Soldier", None, None, "Barges"]
    assert (attacker.military.size, attacker.military.infantry_proportion) == (9_000, 1)
    assert ruling(war_rows()).receipt.winner in ("Attacker", "Defender")


def test_md_06_men_on_water_survive_on_barges() -> None:
    """Two armies without a transport of their own meet at sea; the Barges carry them and cannot shoot."""
    made = ruling(war_rows(Terrain_Map="Sea"))
    barges = war(war_rows()).attacker.units[3]

    assert barges is not None
    assert (barges.name, barges.power, barges.capacity) == ("Barges", (0, 0, 0), 50)
    assert any(event.kind == "attack" for event in made.outcome.events)


@pytest.mark.parametrize("zero", [0, "0", 0.0])
def test_md_08_qn_10_zero_in_all_type_cells_is_a_fleet_and_its_crews(zero: Any) -> None:
    """The ships alone fight; Size is who sails them."""
    rows = war_rows(Terrain_Map="Sea")
    for row in rows["Militaries"]:
        row |= {f"{slot} Type": zero for slot in ("Infantry", "Cavalry", "Artillery")}
        row |= {"Transport": "Galley", "Ship Number": 60}
    inputs = war(rows)
    made = ruling(rows)

    assert inputs.attacker.units[:3] == (None, None, None)
    assert [mark.size for mark in made.outcome.scenes[0].before] == [3_000] * 6
    assert ", ships sunk " in made.receipt.wiki


def test_md_08_blank_type_cells_make_the_crew_soldiers() -> None:
    """QN-04: blank is not 0."""
    rows = war_rows()
    rows["Militaries"][0] |= {"Transport": "Galley", "Ship Number": 60}

    assert [unit.name if unit else None for unit in war(rows).attacker.units] == ["Soldier", None, None, "Galley"]
