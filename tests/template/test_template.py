"""The new workbook as it is described: what a moderator finds in it, and that its examples are ruled as they stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.columns import columns, tab_of
from engine.config_value import TableError
from scripts.support.workbooks import (
    NOW,
    SECRET,
    check,
    column,
    example,
    forms,
    library,
    messages,
    pass_context,
    problems,
    read,
    run,
)
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import by_ruleset, open_database
from sheets_algo.forms.rulesets import open_forms
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.season_receipts import season_receipt
from sheets_algo.template import examples_of, missing, template
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.template_spec import BATTLE_MAP, AreaSpec, ColumnSpec, FormulaSpec, TabSpec, Template
from sheets_algo.workbook.values import Value
from tests.helpers.tabs import key, keys
from tests.helpers.templates import SEASON_START, whole


def tab(name: str, made: Template | None = None) -> TabSpec:
    return next(spec for spec in (made or whole()).tabs if spec.name == name)


def head(tab_name: str, header: str) -> ColumnSpec:
    return next(spec for spec in tab(tab_name).columns if spec.header == header)


def grid(spec: TabSpec) -> list[list[Value]]:
    """What the tab holds; a formula is not calculated."""
    values: list[list[Value]] = [list(spec.top_row)] if spec.has_header else []
    for row in spec.rows:
        values.append([None if isinstance(cell.value, FormulaSpec) else cell.value for cell in row])
    return values


def as_workbook(made: Template) -> MemoryWorkbook:
    return MemoryWorkbook({tab.name: grid(tab) for tab in made.tabs})


def values_at(area: AreaSpec) -> list[Value]:
    """The cells of one column of the template."""
    (top, left), (bottom, _) = area.first, area.last
    rows = grid(tab(area.tab.name))
    return [rows[row - 1][left - 1] if row <= len(rows) else None for row in range(top, bottom + 1)]


@pytest.mark.parametrize("group", by_ruleset(forms()), ids=lambda group: group[0].key)
def test_every_example_request_is_valid_and_ruled_in_one_pass(group: Sequence[Form[Any]]) -> None:
    made = template(group, examples_of(group, library()), season=SEASON_START)

    ruled = run(as_workbook(made))

    asked = {row["Request"]: row["Action"] for form in group for row in made_requests(made, form)}
    assert {id: status for id, status, _ in messages(ruled) if id in asked} == {
        id: "Done" if action == "Rule" else "Waiting" for id, action in asked.items()
    }
    assert len(asked) >= 4


def made_requests(made: Template, form: Form[Any]) -> list[dict[str, Value]]:
    """The requests that somebody filled in."""
    tab_of_requests = tab(tab_of(form.request).name, made)
    rows = (dict(zip(tab_of_requests.top_row, cells, strict=True)) for cells in grid(tab_of_requests)[1:])
    return [row for row in rows if row["Action"]]


def test_an_empty_workbook_has_no_problem_and_no_work() -> None:
    book = as_workbook(template(forms(), {}, empty=True, season=SEASON_START))

    assert check(read(book), forms()) == ()
    assert not run(book).writes.changes


def test_req_01_two_hundred_blank_rows_have_unused_ids() -> None:
    with_examples = column(as_workbook(whole()), "War Requests", "Request")
    without = column(
        as_workbook(template(forms(), examples_of(forms(), library()), empty=True)), "War Requests", "Request"
    )

    assert with_examples == [f"W-{number:04}" for number in range(1, 206)]
    assert without == [f"W-{number:04}" for number in range(1, 201)]


def test_req_01_an_example_with_an_odd_id_keeps_it() -> None:
    war = example("1066")["War Requests"][0] | {"Request": "w-0003"}

    ids = column(as_workbook(template(forms()[:1], {"War Requests": [war]})), "War Requests", "Request")

    assert ids[:4] == ["w-0003", "W-0001", "W-0002", "W-0004"]
    assert len(ids) == 201


def test_a_header_s_note_gives_range_default_and_author() -> None:
    cases = [
        (
            "War Requests",
            "Year",
            "-3500 to 2100, under source to 2020; years BC are negative. After 1914",
        ),
        ("Nations", "Population", "Enter a whole number from 1 to 8,000,000,000. Required."),
        ("Nations", "GDP", "Blank means 30,000,000."),
        ("Nations", "Age of Civilization", "Enter a year from -10000 to 1980. Blank means -2000."),
        ("Leaders", "Defense", "0 to 10. As commander: better protection.\nBlank means 0."),
        ("Units", "Power", "Blank means 0.5; 0.5; 0.5."),
        ("War Requests", "Commit Stability", "Blank means yes."),
        ("War Requests", "Attacker Military", "May be blank."),
        ("War Requests", "Status", "The program writes this column"),
    ]
    missing = [(tab_name, header, says) for tab_name, header, says in cases if says not in head(tab_name, header).note]
    assert missing == []


def test_every_note_of_a_header_names_its_rule() -> None:
    declared = [record for form in forms() for record in form.records()]
    for record in declared:
        for _, field in columns(record):
            assert head(tab_of(record).name, field.header).note.endswith(f"\n[{field.id}]"), field.header


def test_strat_11_the_note_on_maneuver_explains_each_value() -> None:
    note, maneuvers = head("Flanks", "Maneuver").note, forms()[0].vocabulary.lists["Maneuver"]

    assert "- Hit and run: Two rounds of attack, then three rounds straight away, and again." in note
    assert [line for line in note.splitlines() if line.startswith("- ")] == [
        f"- {name}: {maneuvers.meanings[name]}" for name in maneuvers.values
    ]


def test_rcpt_03_notes_explain_results_and_terrain() -> None:
    assert "from 0.35 Partial occupation: some districts obey, most resist" in head("War Requests", "Occupation").note
    assert "from 170 Golden age: the state can hardly be shaken" in head("Nations", "Stability").note
    assert "Water #005AFF" in head("Locations", "Terrain").note

    guide = tab("Guide").rows
    swatches = {row[1].value: row[0].style.fill for row in guide if len(row) == 2 and row[0].style and not row[0].value}
    assert swatches["Forest #008000"] == "008000"
    assert "from 1.6 Complete domination: the enemy can no longer contest the region" in [
        cell.value for row in guide for cell in row
    ]


def in_view(tab_name: str) -> list[str]:
    return [column.header for column in tab(tab_name).columns if not column.is_grouped]


def test_a_new_workbook_shows_the_columns_of_a_first_evening() -> None:
    assert in_view("War Requests") == [
        "Request", "War", "Year", "Attacker", "Defender", "Location", "Motive", "Ready", "Status", "Message", "Winner",
    ]  # fmt: skip
    assert in_view("Nations") == ["Name", "Stability", "Population", "Year Founded", "Year Crisis", "Player", "Age"]
    assert in_view("Militaries") == ["Nation", "Name", "Size", "Leader", "Tactical Training"]
    assert in_view("Locations") == ["Name", "Terrain", "Fortifications"]
    assert tab("Locations").groups == (range(2, 4), range(5, 7), range(8, 13))
    assert tab("Flanks").groups == tab("Joust Requests").groups == ()


def test_no_required_column_is_out_of_view() -> None:
    for record in {record for form in forms() for record in form.records()}:
        names = [name for name, _ in columns(record)]
        assert set(tab_of(record).in_view) <= set(names), record  # a name that is no column would show nothing
        required = {field.header for _, field in columns(record) if field.required}
        assert required <= {*in_view(tab_of(record).name)}, record


def test_people_and_program_have_different_formats() -> None:
    """The program's columns are tinted and say so when selected; no cell of people's is."""
    for form in forms():
        for record in form.records():
            for _, field in columns(record):
                made = head(tab_of(record).name, field.header)
                hints = [validation.hint for validation in made.checks if validation.hint]
                assert (bool(made.style.fill), bool(hints)) == (field.place.is_programs,) * 2, field.header
    for name in ("Receipts", "Log"):
        assert all(made.style.fill for made in tab(name).columns)


def test_numbers_have_suitable_formats() -> None:
    """Years without thousands separators; a seed of 20 digits as text, for no spreadsheet keeps it as a number."""
    cases = {
        ("War Requests", "Year"): "0",
        ("Nations", "Year Founded"): "0",
        ("Nations", "Population"): "#,##0_)",
        ("Nations", "GDP"): '"$"#,##0_)',
        ("Nations", "Urban Population"): "0.00",
        ("Militaries", "Infantry Proportion"): "0.00",
        ("Round Players", "Gold ¤"): "General",
        ("War Requests", "War"): "@",
        ("War Requests", "Seed"): "@",
        ("Units", "Power"): "@",
    }
    assert {(tab_name, header): head(tab_name, header).style.format for tab_name, header in cases} == cases


def test_strat_10_states_have_their_colours() -> None:
    flank = {tint.word: tint.ink for tint in head("Flanks", "End Status").tints}
    request = {tint.word: tint.fill for tint in head("War Requests", "Status").tints}

    assert list(flank) == ["Idle", "Ready", "Retreating", "Routed", "Inactive"]
    assert flank["Inactive"] == "000000"
    assert all(_strongest(flank[word]) == channel for word, channel in (("Idle", 2), ("Ready", 1), ("Routed", 0)))
    assert list(request) == ["Waiting", "Invalid", "Done", "Changed", "Lapsed", "Undone", "Failed"]
    assert [_strongest(request[word]) for word in ("Done", "Invalid")] == [1, 0]
    assert head("Leaders", "Status").tints == ()


def _strongest(colour: str) -> int:
    channels = [int(colour[place : place + 2], 16) for place in (0, 2, 4)]
    return channels.index(max(channels))


def test_a_drop_down_offers_exactly_its_list() -> None:
    """Round Requests and Plot Requests both have an Order, with other values."""
    offered = {}
    for tab_name in ("Round Requests", "Plot Requests"):
        (only,) = head(tab_name, "Order").checks
        assert isinstance(only.source, AreaSpec)
        offered[tab_name] = values_at(only.source)

    assert offered["Plot Requests"] == ["Steal", "End turn", "End all turns"]
    assert offered["Round Requests"] == [
        "Set tax", "Raid", "Take the crown", "Give gold", "End round", "Close the game"
    ]  # fmt: skip


@pytest.mark.parametrize("form", [group[0] for group in by_ruleset(forms())], ids=lambda form: form.key)
def test_set_01_settings_are_offered_by_exact_name(form: Form[Any]) -> None:
    assert form.settings is not None
    settings_tab = tab_of(form.settings.record).name
    (only,) = head(settings_tab, "Setting").checks
    assert isinstance(only.source, AreaSpec)
    offered = values_at(only.source)
    assert 1 < len(offered) <= 500  # Google's limit

    book = MemoryWorkbook({settings_tab: [["Setting", "Value"], *([name, "?"] for name in offered)]})
    found = form.settings.read(open_database(read(book), [form])).problems
    assert {problem.column for problem in found} == {"Value"}  # each name is a setting, and "?" is no value
    assert len(found) == len(offered)


def test_the_guide_begins_with_an_example_of_a_request_and_its_answer() -> None:
    made = template(open_forms(ConfigLoader())[:1], {})
    title, request, answer = ([cell.value for cell in row] for row in tab("Guide", made).rows[:3])

    assert title == ["A map game, ruled from this workbook"]
    assert request == [
        "You: a row of War Requests", "War │ Year │ Attacker │ Defender │ Location │ Motive │ Ready"
    ]  # fmt: skip
    assert answer == ["The program", "Status │ Message │ Winner"]


def test_map_04_the_drop_down_of_maps_has_every_picture_of_the_folder() -> None:
    (only,) = head("Locations", "Terrain").checks
    assert isinstance(only.source, AreaSpec)

    assert sorted(map(str, values_at(only.source))) == sorted(
        picture.stem for picture in library().maps_folder.glob("*.png")
    )


def test_nat_29_the_drop_down_has_every_age_and_the_note_their_number() -> None:
    made = template(open_forms(ConfigLoader())[:1], {})
    age = next(column for column in tab("Nations", made).columns if column.header == "Age")
    (only,) = age.checks
    assert isinstance(only.source, AreaSpec)

    (top, left), (bottom, _) = only.source.first, only.source.last
    ages = [row[left - 1] for row in grid(tab(only.source.tab.name, made))[top - 1 : bottom]]
    assert len(ages) == len(set(ages)) >= 40
    assert {"Classical Greece", "High medieval Europe", "Pike and shot", "Napoleonic", "Colonial Africa 1880"} <= {
        *ages
    }
    assert f"{len(ages)} values, in the drop-down list." in age.note


def test_mil_03_the_check_of_sizes_allows_the_0_of_a_ruling() -> None:
    (only,) = head("Militaries", "Size").checks
    assert (only.low, only.high) == (0, 15_000_000)


def test_db_06_names_are_offered_from_their_tab() -> None:
    (nations,) = head("War Requests", "Attacker").checks
    (units,) = head("Militaries", "Transport").checks
    (or_none,) = head("Militaries", "Infantry Type").checks
    assert isinstance(nations.source, AreaSpec)
    assert isinstance(units.source, AreaSpec)
    assert isinstance(or_none.source, AreaSpec)

    assert nations.source.address == "Nations!$A$2:$A$301"
    assert values_at(nations.source)[:2] == ["England", "Normandy"]
    assert values_at(or_none.source) == [0, *values_at(units.source)]
    assert tab(units.source.tab.name).is_hidden


def test_each_row_has_its_own_list_of_the_nation_s_militaries() -> None:
    checks = head("War Requests", "Attacker Military").checks
    areas = [validation.source for validation in checks if isinstance(validation.source, AreaSpec)]

    assert [validation.rows for validation in checks] == [(row, row) for row in range(2, 207)]
    assert {(area.first[0], area.last[0]) for area in areas} == {(row, row) for row in range(2, 207)}
    formula = tab("Choices").rows[3][areas[3].first[1] - 1].value
    assert isinstance(formula, FormulaSpec)
    assert "'War Requests'!$D$5" in formula.text
    assert formula.width == 1 + areas[3].last[1] - areas[3].first[1]


def test_an_error_does_not_cut_examples_short() -> None:
    nations = example("1066")["Nations"]
    nations[2]["Stabillity"] = nations[2].pop("Stability")

    with pytest.raises(
        TableError, match=r'^examples#/Nations/2: "Stabillity" is not a column of Nations. Did you mean "Stability"\?$'
    ):
        template(forms(), {"Nations": nations})
    with pytest.raises(
        TableError, match=r'^examples: "Natoins" is not a tab of these rulesets. Did you mean "Nations"\?$'
    ):
        template(forms(), {"Natoins": nations})


def test_only_examples_of_the_chosen_rulesets_are_taken() -> None:
    for group in by_ruleset(forms()):
        taken = examples_of(group, library())
        assert taken.keys() <= {tab_of(record).name for form in group for record in form.records()}
        assert tab_of(group[0].request).name in taken


def test_a_workbook_without_any_tab_is_completed_and_can_be_used() -> None:
    book = MemoryWorkbook({"Notes of mine": [["keep me"]]})
    made = template(forms(), {}, empty=True, season=SEASON_START)
    book.commit(snapshot := book.read(made.needed), missing(made, snapshot, SEASON_START))

    assert not missing(made, book.read(made.needed), SEASON_START)
    assert problems(run(book)) == []
    assert column(book, "Receipts", "Kind") == ["Season"]
    assert book.read(keys("Notes of mine")).sheets[key("notes of mine")].rows == {1: ("keep me",)}


def test_existing_content_of_a_workbook_is_never_changed() -> None:
    """A tab with other columns stays as it is; a blank one gets its headers; a season that has begun goes on."""
    ruled = as_workbook(whole())
    run(ruled)
    receipts = [list(cells) for cells in ruled.read(keys("Receipts")).sheets[key("receipts")].rows.values()]
    book = MemoryWorkbook({"nations": [["Name", "Mine"], ["Wales", 1]], "Leaders": [], "Receipts": receipts})
    season = season_receipt(7, SECRET, NOW)
    made = template(forms()[:1], {}, season=season)

    changes = missing(made, book.read(made.needed), season)

    assert {new.tab.name for new in changes.tabs}.isdisjoint({"Nations", "Leaders", "Receipts"})
    assert {cell.tab.name for cell in changes.cells} == {"Leaders"}
    assert [cell.value for cell in changes.cells] == list(tab("Leaders").top_row)
    assert (changes.rows, changes.guard) == ((), None)


def test_a_blank_receipts_tab_gets_its_headers_and_the_season() -> None:
    book = MemoryWorkbook({"Receipts": []})
    made = template(forms()[:1], {}, season=SEASON_START)
    book.commit(snapshot := book.read(made.needed), changes := missing(made, snapshot, SEASON_START))

    assert changes.guard == 1
    begun = read_receipts(book.read(keys("Receipts")))
    assert begun.season == pass_context().secret.digest


def test_only_a_ruleset_with_maps_has_a_tab_for_the_picture() -> None:
    assert BATTLE_MAP in whole().needed
    without_maps = template(forms()[1:], {})
    assert BATTLE_MAP not in without_maps.needed


def test_addresses_of_areas_are_quoted_for_formulas() -> None:
    assert AreaSpec(key("War Requests"), (2, 1), (206, 28)).address == "'War Requests'!$A$2:$AB$206"
    assert AreaSpec(key("Harold's"), (1, 1), (1, 1)).address == "'Harold''s'!$A$1:$A$1"


def test_five_lines_of_a_message_fit_its_cell() -> None:
    """In the height that both kinds of workbooks set; a line is a third higher than its letters."""
    column = head("War Requests", "Message")

    assert column.style.wraps
    assert tab("War Requests").row_height >= 5 * column.style.size * 4 / 3
    assert tab("War Requests").sized_rows >= 200
    assert column.width >= 100


@pytest.mark.parametrize(
    ("tab_name", "header", "largest"),
    [
        ("Nations", "Power Consumption", "10,000,000,000,000"),
        ("Militaries", "Size", "15,000,000"),
        ("Locations", "Local Population", "200,000,000"),
        ("Flanks", "Infantry", "10,000,000"),
    ],
)
def test_a_column_fits_its_largest_number(tab_name: str, header: str, largest: str) -> None:
    empty = template(forms(), examples_of(forms(), library()), empty=True)

    for made in (whole(), empty):
        column = next(spec for spec in tab(tab_name, made).columns if spec.header == header)
        assert column.width >= len(largest) + 2
