"""A Google spreadsheet completed over HTTP: what a moderator finds, what stays, and that nothing doubles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from engine.ruleset import no_op
from scripts.support.sheets_server import LocalSheets
from scripts.support.workbooks import NOW, SECRET, check, forms, library
from sheets_algo.forms.rulesets import form_entries
from sheets_algo.ruling.receipts.season_receipts import season_receipt
from sheets_algo.runtime.run import run_pass
from sheets_algo.runtime.run.run_pass import run_pass as run
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.session import Session
from sheets_algo.steps import HEADERS_TO_READ, tabs_to_read
from sheets_algo.template import season_start
from sheets_algo.workbook.addresses import letters
from sheets_algo.workbook.errors import RefusedChange, UnknownOutcome, WorkbookUnavailable
from sheets_algo.workbook.google.http.access import find
from sheets_algo.workbook.google.http.api import Api
from sheets_algo.workbook.google.http.budget import RequestBudget
from sheets_algo.workbook.google.init import complete as init
from sheets_algo.workbook.google.init.complete import complete
from sheets_algo.workbook.google.spreadsheet import GoogleWorkbook
from sheets_algo.workbook.template_spec import FormulaSpec, TabSpec, Template
from tests.helpers.example_budget import spread
from tests.helpers.tabs import key
from tests.helpers.templates import of_rulesets, slight, whole

RULES = (
    "sheets(properties,protectedRanges,conditionalFormats,columnGroups,developerMetadata(metadataKey,metadataValue))"
)
CELLS = "sheets(data)"
USUAL = ("autoalgo", "rounds")
WHEN = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def server() -> Iterator[LocalSheets]:
    with LocalSheets() as running:
        yield running


class Game:
    """One spreadsheet that a person made and shared."""

    def __init__(self, server: LocalSheets, folder: Path, tabs: Mapping[str, Any] | None = None) -> None:
        self.server = server
        self.id = server.make("Game of 1066", tabs)
        access = find(server.key_file(folder))
        self.api = Api(self.id, access, RequestBudget(10_000), url=server.url, patience=5)

    def complete(self, season_template: Template | None = None, **more: Any) -> tuple[str, ...]:
        return complete(self.api, season_template or slight(), clock=lambda: WHEN, **more)

    def titles(self) -> list[str]:
        return list(self.server.tabs(self.id))

    def sheet(self, title: str, fields: str = RULES) -> dict[str, Any]:
        sheets = self.server.show(self.id, fields=fields)["sheets"]
        return next(sheet for sheet in sheets if sheet["properties"]["title"] == title)

    def cell(self, at: str) -> dict[str, Any]:
        """One cell with everything on it."""
        fields = "sheets.data.rowData.values(userEnteredValue,note,dataValidation,userEnteredFormat)"
        shown = self.server.show(self.id, ranges=[at], include_grid_data=True, fields=fields)
        block = next(iter(shown["sheets"][0]["data"]), {})
        return next((cell for row in block.get("rowData", ()) for cell in row.get("values", ())), {})

    def at(self, tab: str, header: str, row: int) -> str:
        """The address of a cell by its header."""
        heads = self.server.tab(self.id, tab)[0]
        return f"'{tab}'!{letters(heads.index(header) + 1)}{row}"

    def writes(self) -> int:
        return self.server.count("write")

    def everything(self) -> dict[str, Any]:
        """All rules, and the first rows of every tab with all that is on their cells."""
        rules = self.server.show(self.id, fields=f"developerMetadata,{RULES}")
        ranges = [f"'{title}'!1:5" for title in self.titles()]
        cells = self.server.show(self.id, ranges=ranges, include_grid_data=True, fields=CELLS)
        return {"rules": rules, "cells": cells["sheets"]}


@pytest.fixture
def game(server: LocalSheets, tmp_path: Path) -> Game:
    server.clear_faults()
    server.reset_counters()
    return Game(server, tmp_path)


@pytest.fixture(scope="module")
def made(server: LocalSheets, tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A completed one, for tests that only look."""
    completed = Game(server, tmp_path_factory.mktemp("made"))
    completed.complete(whole())
    return completed


def usual() -> Template:
    """Of the main ruleset beside the slightest one."""
    return of_rulesets(*USUAL)


def names(season_template: Template) -> list[str]:
    return [tab.name for tab in season_template.tabs]


def tab(name: str, season_template: Template | None = None) -> TabSpec:
    return next(spec for spec in (season_template or whole()).tabs if spec.name == name)


def test_a_blank_spreadsheet_gets_every_tab_in_one_write(game: Game) -> None:
    made = game.complete(slight())

    assert [tab.name for tab in made] == game.titles() == names(slight())
    assert game.writes() == 1


def test_every_value_is_in_its_place(made: Game) -> None:
    for spec in whole().tabs:
        held = [list(spec.top_row)] if spec.has_header else []
        held += [[None if isinstance(cell.value, FormulaSpec) else cell.value for cell in row] for row in spec.rows]
        found = made.server.tab(made.id, spec.name)
        for row, cells in enumerate(held):
            for column, value in enumerate(cells):
                if value not in (None, ""):
                    assert found[row][column] == value, f"{spec.name} {letters(column + 1)}{row + 1}"


def test_two_hundred_numbered_rows_are_ready(made: Game) -> None:
    ids = [row[0] for row in made.server.tab(made.id, "War Requests")[1:]]

    assert len(ids) == len(set(ids)) == 205
    assert ids[-1] == "W-0205"


def test_headers_are_frozen_and_have_notes(made: Game) -> None:
    grid = made.sheet("War Requests")["properties"]["gridProperties"]

    assert (grid["frozenRowCount"], grid["frozenColumnCount"]) == (1, 2)
    assert "Request" in made.cell("'War Requests'!A1")["userEnteredValue"]["stringValue"]
    assert "-3500 to 2100" in made.cell(made.at("War Requests", "Year", 1))["note"]


def test_rarely_used_columns_are_in_closed_groups(made: Game) -> None:
    places = tab("Locations").groups
    groups = made.sheet("Locations")["columnGroups"]

    spans = [(group["range"]["startIndex"] + 1, group["range"]["endIndex"] + 1) for group in groups]
    assert spans == [(place.start, place.stop) for place in places]
    assert all((group["depth"], group["collapsed"]) == (1, True) for group in groups)
    fields = "sheets.data.columnMetadata.hiddenByUser"
    shown = made.server.show(made.id, ranges=["Locations!1:1"], include_grid_data=True, fields=fields)
    hidden = [column.get("hiddenByUser", False) for column in shown["sheets"][0]["data"][0]["columnMetadata"]]
    assert hidden == [column.is_grouped for column in tab("Locations").columns]


def test_drop_downs_and_check_marks_are_created(made: Game) -> None:
    def rule(tab: str, header: str, row: int = 2) -> tuple[str, list[str]]:
        found = made.cell(made.at(tab, header, row))["dataValidation"]
        assert not found.get("strict", False)
        values = [value["userEnteredValue"] for value in found["condition"].get("values", ())]
        return found["condition"]["type"], values

    assert rule("War Requests", "Ready") == ("BOOLEAN", [])
    assert rule("War Requests", "Ready", 1000) == ("BOOLEAN", [])
    assert rule("War Requests", "Action") == (
        "ONE_OF_LIST",
        ["Rule", "Forecast", "Rule again", "Preview", "Switch sides", "Refit"],
    )
    assert rule("War Requests", "Year") == ("NUMBER_BETWEEN", ["-3500", "2100"])
    kind, values = rule("War Requests", "Attacker")
    assert (kind, values[0].replace("'", "")) == ("ONE_OF_RANGE", "=Nations!$A$2:$A")
    kind, values = rule("War Requests", "Attacker Military", 7)
    assert kind == "ONE_OF_RANGE"
    assert "Choices" in values[0]
    assert values[0].endswith("$7")
    assert "dataValidation" not in made.cell(made.at("War Requests", "Status", 2))


def test_the_program_s_columns_and_tabs_are_protected_with_a_warning(made: Game) -> None:
    of_wars = made.sheet("War Requests")["protectedRanges"]

    assert all(protection["warningOnly"] for protection in of_wars)
    described = [protection["description"] for protection in of_wars]
    programs = [column.header for column in tab("War Requests").columns if column.is_programs]
    assert described == [f"sheets-algo: War Requests, {header}" for header in programs]
    assert {"Status", "Message", "Winner"} <= set(programs)
    for name in ("Receipts", "Log", "Battle Map"):
        assert [protection["description"] for protection in made.sheet(name)["protectedRanges"]] == [
            f"sheets-algo: {name}"
        ]
    assert "protectedRanges" not in made.sheet("Guide")


def test_statuses_are_coloured(made: Game) -> None:
    rules = made.sheet("War Requests")["conditionalFormats"]
    words = {rule["booleanRule"]["condition"]["values"][0]["userEnteredValue"] for rule in rules}

    assert words == {"Waiting", "Invalid", "Done", "Changed", "Lapsed", "Undone", "Failed"}
    column = tab("War Requests").top_row.index("Status")
    assert {rule["ranges"][0]["startColumnIndex"] for rule in rules} == {column}


def test_a_second_run_writes_nothing(game: Game) -> None:
    game.complete()
    before = game.everything()

    assert game.complete() == ()
    assert game.writes() == 1
    assert game.everything() == before


def test_a_dry_run_lists_its_changes_without_writing(game: Game) -> None:
    assert [tab.name for tab in game.complete(dry=True)] == names(slight())
    assert game.titles() == ["Sheet1"]
    assert game.writes() == 0


def test_only_deleted_parts_are_restored(game: Game) -> None:
    game.complete()
    before = game.everything()
    requests = game.sheet("Round Requests")
    status = next(
        protection for protection in requests["protectedRanges"] if protection["description"].endswith("Status")
    )
    ready = tab("Round Requests").top_row.index("Ready")
    column = {"sheetId": requests["properties"]["sheetId"], "startColumnIndex": ready, "endColumnIndex": ready + 1}
    game.server.user(
        game.id,
        [
            {"deleteProtectedRange": {"protectedRangeId": status["protectedRangeId"]}},
            {"setDataValidation": {"range": {**column, "startRowIndex": 1}}},
            {"deleteConditionalFormatRule": {"sheetId": column["sheetId"], "index": 0}},
            {"updateCells": {"range": {**column, "endRowIndex": 1}, "fields": "note"}},
        ],
    )
    game.server.reset_counters()

    assert game.complete() == (key("Round Requests"),)
    assert game.writes() == 1
    after = game.everything()
    assert unordered(after) == unordered(before)
    [sent] = [
        entry for entry in game.server.log() if entry["method"] == "POST" and entry["path"].endswith(":batchUpdate")
    ][-1:]
    assert sent["status"] == 200


def unordered(part: Any) -> Any:
    """The same, however rules are sorted."""
    if isinstance(part, dict):
        return {key: unordered(value) for key, value in part.items()}
    if isinstance(part, list) and part and isinstance(part[0], dict) and not part[0].keys() & {"values", "rowData"}:
        return sorted((unordered(value) for value in part), key=str)
    return [unordered(value) for value in part] if isinstance(part, list) else part


def test_people_s_content_stays_and_the_rest_is_added(server: LocalSheets, tmp_path: Path) -> None:
    """Their Nations has a title above the headers, an own column, other capitals, and an own drop-down and note."""
    server.clear_faults()
    grid = [["Our nations"], ["My remark", "name", "STABILITY"], ["Strong", "England", 70], ["", "=Norway", 80]]
    game = Game(server, tmp_path, {" nations": grid, "Ideas": [["nothing yet"]]})
    nations = server.tabs(game.id)[" nations"]
    own = {"condition": {"type": "NUMBER_GREATER", "values": [{"userEnteredValue": "5"}]}}
    place = {"sheetId": nations, "startRowIndex": 60, "endRowIndex": 61, "startColumnIndex": 2, "endColumnIndex": 3}
    note = {"start": {"sheetId": nations, "rowIndex": 1, "columnIndex": 1}, "fields": "note"}
    server.user(
        game.id,
        [
            {"setDataValidation": {"range": place, "rule": own}},
            {"updateCells": {**note, "rows": [{"values": [{"note": "Mine"}]}]}},
        ],
    )
    values = server.tab(game.id, " nations")

    game.complete(usual())

    assert server.tab(game.id, " nations") == values
    assert server.tab(game.id, "Ideas") == [["nothing yet"]]
    assert game.titles()[:2] == [" nations", "Ideas"]
    assert "Nations" not in game.titles()
    assert "columnGroups" not in game.sheet(" nations")
    assert "columnGroups" in game.sheet("Militaries")
    assert game.cell("' nations'!B2")["note"] == "Mine"
    assert "0 to 200" in game.cell("' nations'!C2")["note"]
    assert game.cell("' nations'!C61")["dataValidation"]["condition"]["type"] == "NUMBER_GREATER"
    assert "dataValidation" not in game.cell("' nations'!C3")
    assert "dataValidation" not in game.cell("' nations'!A3")
    attackers = game.cell(game.at("War Requests", "Attacker", 2))["dataValidation"]["condition"]
    assert attackers["values"][0]["userEnteredValue"] == "=' nations'!$B$3:$B"
    assert game.complete(usual()) == ()


def test_a_tab_with_few_rows_keeps_them(server: LocalSheets, tmp_path: Path) -> None:
    """A person took away all rows but five; drop-downs stand in four of them."""
    server.clear_faults()
    game = Game(server, tmp_path, {"Round Requests": [tab("Round Requests").top_row]})
    rows = {"sheetId": server.tabs(game.id)["Round Requests"], "dimension": "ROWS", "startIndex": 5, "endIndex": 1000}
    server.user(game.id, [{"deleteDimension": {"range": rows}}])
    game.complete()

    assert game.sheet("Round Requests")["properties"]["gridProperties"]["rowCount"] == 5
    kinds = [game.cell(game.at("Round Requests", "Player", row)).get("dataValidation") for row in (1, 2, 5)]
    assert [bool(kind) for kind in kinds] == [False, True, True]
    assert game.complete() == ()


def test_a_renamed_tab_is_recognised_by_its_mark(game: Game) -> None:
    game.complete()
    id = game.server.tabs(game.id)["Round Players"]
    rename = {"properties": {"sheetId": id, "title": "Kings"}, "fields": "title"}
    game.server.user(game.id, [{"updateSheetProperties": rename}])

    assert game.complete() == ()
    assert "Round Players" not in game.titles()


def test_another_ruleset_may_be_added_later(game: Game) -> None:
    """Its drop-downs find their values to the right of those that the first one's look at."""
    leaders, all = of_rulesets("autoalgo-leader"), of_rulesets("autoalgo-leader", *USUAL)
    game.complete(leaders)
    first, before = game.titles(), game.everything()["cells"]

    game.complete(all)

    after = game.everything()["cells"]
    assert game.titles() == [*first, *(name for name in names(all) if name not in first)]
    heads = game.server.tab(game.id, "Choices", "FORMULA")[0]
    assert sorted(filter(None, heads)) == sorted(filter(None, tab("Choices", all).top_row))
    old, new = (sheets[first.index("Choices")]["data"][0]["rowData"] for sheets in (before, after))
    for row, longer in zip(old, new, strict=True):
        assert row["values"] == longer["values"][: len(row["values"])]
    assert game.complete(all) == game.complete(leaders) == ()


def test_a_season_begins_once(game: Game) -> None:
    game.complete()
    other = replace(slight(), season=season_start(season_receipt(1, season_secret.make(), NOW)))

    assert game.complete(other) == ()
    assert [row[:3] for row in game.server.tab(game.id, "Receipts")[1:]] == [[1, 1, "Season"]]
    assert [record["metadataId"] for record in game.everything()["rules"]["developerMetadata"]] == [1_066_000_001]


def test_bare_receipt_headers_get_the_season_with_values_in_their_columns(server: LocalSheets, tmp_path: Path) -> None:
    server.clear_faults()
    heads = ["Time", *(head for head in tab("Receipts").top_row if head != "Time")]
    game = Game(server, tmp_path, {"Receipts": [heads]})
    game.complete()

    rows = server.tab(game.id, "Receipts")
    assert rows[0] == heads
    assert rows[1][:4] == [NOW, 1, 1, "Season"]


def test_two_simultaneous_inits_make_one_workbook(game: Game, tmp_path: Path) -> None:
    """The other begins after this one has looked; its tabs stand there when this one's write arrives."""
    other = Api(game.id, find(game.server.key_file(tmp_path)), RequestBudget(10_000), url=game.server.url)
    number = game.server.hold(match=":batchUpdate", when="before")
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(game.complete)
        assert game.server.caught(number) is not None
        complete(other, replace(slight(), season=season_start(season_receipt(1, season_secret.make(), NOW))))
        game.server.release(number)
        first.result(30)

    assert game.titles() == names(slight())
    assert len(game.server.tab(game.id, "Receipts")) == 2
    assert game.complete() == ()


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_write_without_an_answer_is_checked_before_a_repetition(game: Game, when: str) -> None:
    game.server.fault("503", match=":batchUpdate", when=when, times=1)
    made = game.complete()

    assert len(made) == len(slight().tabs)
    assert game.titles() == names(slight())
    assert len(game.server.tab(game.id, "Receipts")) == 2
    assert game.writes() == (2 if when == "before" else 1)


@pytest.mark.parametrize("further", [1, 2, 4])
def test_a_late_write_duplicates_nothing(game: Game, further: int) -> None:
    """It was answered with an error, and is carried out when others have been."""
    game.server.fault("503", match=":batchUpdate", when="late", after_requests=further, times=1)
    game.complete()
    game.complete()

    assert game.titles() == names(slight())
    assert len(game.server.tab(game.id, "Receipts")) == 2
    for spec in slight().tabs:
        sheet = game.sheet(spec.name)
        columns = [column for column in spec.columns if column.is_programs]
        assert len(sheet.get("protectedRanges", ())) == (1 if spec.is_programs else len(columns))
        assert len(sheet.get("conditionalFormats", ())) == sum(len(column.tints) for column in spec.columns)
        assert len(sheet["developerMetadata"]) == 1


WRONG = ("reset before", "reset after", "half after", "502 before", "close late")
WRITE = 3
"""The request that changes the spreadsheet; two reads go before it."""


@pytest.mark.parametrize(
    ("lost", "at"),
    [*((lost, WRITE) for lost in WRONG), *spread(((lost, at) for lost in WRONG for at in range(1, WRITE)), 3)],
)
def test_one_failing_request_leaves_the_spreadsheet_complete_once(game: Game, lost: str, at: int) -> None:
    kind, when = lost.split()
    game.server.fault(kind, when=when, match="v4/spreadsheets", at=at, times=1)
    game.complete()
    game.complete()

    assert game.titles() == names(slight())
    assert len(game.server.tab(game.id, "Receipts")) == 2
    status = game.sheet("Round Requests")["conditionalFormats"]
    assert len(status) == sum(len(column.tints) for column in tab("Round Requests").columns)


def test_the_next_attempt_completes_an_interrupted_one(
    server: LocalSheets, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is too long for one write goes out in several; after each of them the next run makes the same of it."""
    server.clear_faults()
    tabs = [
        replace(spec, columns=[replace(column, is_grouped=True) for column in spec.columns]) for spec in slight().tabs
    ]
    grouped = replace(slight(), tabs=tabs)
    at_once = Game(server, tmp_path)
    at_once.complete(grouped)
    wanted = unordered(at_once.everything())
    monkeypatch.setattr(init, "MOST", 80_000)
    server.reset_counters()
    in_parts = Game(server, tmp_path)
    in_parts.complete(grouped)
    assert in_parts.writes() >= 3
    assert unordered(in_parts.everything()) == wanted
    for last in range(2, in_parts.writes() + 1):
        broken = Game(server, tmp_path)
        server.fault("403", match=":batchUpdate", at=last, times=1)
        with pytest.raises(WorkbookUnavailable):
            broken.complete(grouped)
        broken.complete(grouped)

        assert unordered(broken.everything()) == wanted, f"broken off before write {last}"


def test_attempts_without_any_answer_are_reported(game: Game) -> None:
    game.server.fault("503", match=":batchUpdate", when="before", times=10)

    with pytest.raises(UnknownOutcome):
        game.complete()
    game.server.clear_faults()


def test_a_locked_tab_is_reported_in_google_s_words(server: LocalSheets, tmp_path: Path) -> None:
    server.clear_faults()
    game = Game(server, tmp_path, {"Round Players": [tab("Round Players").top_row]})
    id = server.tabs(game.id)["Round Players"]
    locked = {"range": {"sheetId": id}, "editors": {"users": ["person@example.com"]}}
    server.user(game.id, [{"addProtectedRange": {"protectedRange": locked}}])

    with pytest.raises(RefusedChange, match=r"^Google refuses to complete the spreadsheet: .*protected"):
        game.complete()
    assert game.titles() == ["Round Players"]


def test_the_example_wars_are_ruled_and_a_second_pass_is_idle(game: Game, tmp_path: Path) -> None:
    game.complete(usual())
    season_secret.keep(tmp_path, SECRET)
    place = Session(workbook=GoogleWorkbook(game.api), folder=tmp_path, library=library())

    snapshot = place.workbook.read(tabs_to_read(form_entries()), HEADERS_TO_READ)
    usual_forms = [form for form in forms() if form.key in USUAL]
    assert [problem for problem in check(snapshot, usual_forms) if problem.is_error] == []
    first = run_pass.run_until_done(place, dry=False, forced=False, progress=no_op)  # rulings, then a forecast
    second = run(place)

    assert len(first.plan.rulings) >= 6
    assert not second.is_written
    (picture,) = [path for path in first.pictures if "Siege of Jerusalem" in path.name]
    ((shown,),) = game.server.tab(game.id, "Battle Map")
    assert shown.startswith(f"The map of Siege of Jerusalem, 1073, before and after, is the file {picture.name} in ")
    kinds = [row[2] for row in game.server.tab(game.id, "Receipts")[1:]]
    assert kinds == ["Season", *["Ruling"] * len(first.plan.rulings)]
    assert game.complete(usual()) == ()
