"""The board inside Google Sheets: its script on real requests to the local server, its page in a browser (RCP-50)."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from scripts.support.browser import AXE, BARRIERS, browser, node
from scripts.support.moderator import only, season
from tests.e2e.online import Online
from tests.helpers.spellings import ONE_NAME, TWO_NAMES

WAR = "W-0002"
SERVICES = Path(__file__).parents[1] / "helpers" / "apps_script.mjs"
NAMES = ("label", "x", "y", "infantry", "cavalry", "artillery", "ships", "maneuver")


@dataclass(frozen=True, slots=True)
class AppsScript:
    """The script of a spreadsheet, in a process of its own."""

    process: subprocess.Popen[str]

    def says(self, name: str, *given: Any) -> dict[str, Any]:
        """Call a function; its value or its error, and what it showed."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps({"name": name, "given": given}) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def calls(self, name: str, *given: Any) -> Any:
        """Call a function of the bridge; what it answers."""
        answer = self.says(name, *given)
        assert "error" not in answer, answer
        return json.loads(answer["value"])


@contextmanager
def script(online: Online, id: str, folder: Path) -> Iterator[AppsScript]:
    key = online.server.key_file(online.moderator.folder)
    words = [node(), str(SERVICES), str(folder / "Code.gs"), online.server.url, id, str(key)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield AppsScript(process)
        process.kill()


def rows_of(board: Mapping[str, Any], side: int, *changes: Mapping[str, Any]) -> list[list[Any]]:
    """The rows of a side's default flanks, the first ones with other values."""
    own = board["sides"][side]
    flanks = [dict(flank) for flank in own["default"]]
    for flank, change in zip(flanks, changes, strict=False):
        flank |= change
    return [[board["request"]["id"], own["name"], *(flank[name] for name in NAMES)] for flank in flanks]


@pytest.fixture
def made(online: Online) -> Iterator[tuple[Online, str, AppsScript]]:
    id = online.make(only(season(), "W-0001", WAR))
    said = online.types("board", id, "--sheets", "out")
    assert said.code == 0, said.err
    assert (said.code, [line.split()[-1] for line in said.out.splitlines()[:2]]) == (
        0,
        ["out/Code.gs", "out/Board.html"],
    )
    with script(online, id, online.moderator.folder / "out") as found:
        yield online, id, found


def flanks(online: Online, id: str) -> list[list[Any]]:
    return [row for row in online.server.tab(id, "Flanks", "FORMULA") if any(cell != "" for cell in row)]


def test_saving_on_the_board_changes_exactly_the_ruled_rows(made):
    online, id, sheets = made
    assert {request["id"]: request["war"] for request in sheets.calls("listBoards")}[WAR]
    board = sheets.calls("readBoard", WAR)
    before = {name: online.server.tab(id, name, "FORMULA") for name in online.server.tabs(id) if name != "Flanks"}
    others = [row for row in flanks(online, id) if row[:2] != [WAR, "Attacker"]]
    rows = rows_of(board, 0, {"label": "=1+1", "x": 180.5}, {"label": "'tis", "y": 190}, {"label": "3/4"})

    answer = sheets.calls("writeBoard", WAR, "Attacker", rows, board["versions"]["Attacker"])

    assert answer["text"] == f"Saved: 3 flanks of the attacker of {WAR}."
    heads = online.server.tab(id, "Flanks")[0]
    found = [row for row in flanks(online, id) if row[:2] == [WAR, "Attacker"]]
    shown = [[row[heads.index(header)] for header in board["columns"]] for row in found]
    assert shown == rows, "typed as texts and numbers, not as a formula or a date"
    assert [row for row in flanks(online, id) if row[:2] != [WAR, "Attacker"]] == others
    assert {name: online.server.tab(id, name, "FORMULA") for name in before} == before
    assert [row[2] for row in answer["board"]["rows"]["Attacker"]] == ["=1+1", "'tis", "3/4"]

    fewer = sheets.calls("writeBoard", WAR, "Attacker", rows[:2], answer["board"]["versions"]["Attacker"])
    assert fewer["text"] == f"Saved: 2 flanks of the attacker of {WAR}."
    assert len([row for row in flanks(online, id) if row[:2] == [WAR, "Attacker"]]) == 2
    assert sheets.calls("writeBoard", WAR, "Attacker", rows, fewer["board"]["versions"]["Attacker"])

    said = online.types("run", id, "--json").data
    assert {request["request"]: request["status"] for request in said["requests"]}[WAR] == "Done", said
    receipt = online.column(id, "Request", "Receipts").index(WAR)
    placed = json.loads(online.column(id, "Inputs", "Receipts")[receipt])["attacker"]["flanks"]
    assert [(flank["label"], flank["x"]) for flank in placed][:2] == [("=1+1", 180.5), ("'tis", rows[1][3])]


def test_r_124_shares_and_the_name_of_a_strategy_stay_as_typed(made):
    online, id, sheets = made
    heads = online.server.tab(id, "Flanks")[0]
    place = len(online.server.tab(id, "Flanks")) + 1
    letters = {header: chr(ord("A") + heads.index(header)) for header in ("Infantry", "Strategy")}
    for number, share in enumerate((0.4, 0.35, 0.25)):
        online.server.type(id, f"Flanks!A{place + number}", [[WAR, "Attacker", f"line {number}"]])
        online.server.type(id, f"Flanks!{letters['Infantry']}{place + number}", [[share]])
        online.server.type(id, f"Flanks!{letters['Strategy']}{place + number}", [["wings"]])
    column = heads.index("Infantry")
    format = {
        "range": {
            "sheetId": online.server.tabs(id)["Flanks"],
            "startRowIndex": place - 1,
            "endRowIndex": place + 2,
            "startColumnIndex": column,
            "endColumnIndex": column + 1,
        },
        "cell": {"userEnteredFormat": {"numberFormat": {"type": "PERCENT", "pattern": "0%"}}},
        "fields": "userEnteredFormat.numberFormat",
    }
    online.server.user(id, [{"repeatCell": format}])

    board = sheets.calls("readBoard", WAR)
    rows = [row[: len(board["columns"])] for row in board["rows"]["Attacker"]]
    assert [row[5] for row in rows] == ["40 %", "35 %", "25 %"]
    moved = [
        [*row[:3], 180 + 10 * number, 182, cell, "", "", "", "Normal"]
        for number, (row, cell) in enumerate(zip(rows, ("40 %", "40 %", 7), strict=True))
    ]
    sheets.calls("writeBoard", WAR, "Attacker", moved, board["versions"]["Attacker"])

    saved = [row for row in flanks(online, id) if row[:2] == [WAR, "Attacker"]]
    assert [row[column] for row in saved] == [0.4, 0.4, "7"], "a number of men beside per cents is a text"
    assert {row[heads.index("Strategy")] for row in saved} == {"wings"}
    again = sheets.calls("readBoard", WAR)
    assert [row[5] for row in again["rows"]["Attacker"]] == ["40 %", "40 %", "7"]


def test_db_07_names_are_compared_as_in_the_program(made):
    _, _, sheets = made

    assert [pair for pair in ONE_NAME if not sheets.says("isSame", *pair)["value"]] == []
    assert [pair for pair in TWO_NAMES if sheets.says("isSame", *pair)["value"]] == []


def test_rows_with_another_spelling_of_the_request_are_shown_and_replaced(made):
    """A dash that a phone put in the place of a hyphen; Save doubled the force."""
    online, id, sheets = made
    board = sheets.calls("readBoard", WAR)
    saved = sheets.calls("writeBoard", WAR, "Attacker", rows_of(board, 0, {"x": 180}), board["versions"]["Attacker"])
    for place, row in enumerate(online.server.tab(id, "Flanks"), start=1):
        if row[:2] == [WAR, "Attacker"]:
            online.server.type(id, f"Flanks!A{place}", [["W–0002"]])

    seen = sheets.calls("readBoard", WAR)
    assert [row[1:] for row in seen["rows"]["Attacker"]] == [row[1:] for row in saved["board"]["rows"]["Attacker"]]
    sheets.calls("writeBoard", WAR, "Attacker", rows_of(board, 0), seen["versions"]["Attacker"])

    assert [row[:2] for row in flanks(online, id) if row[0] == "W–0002"] == []


def test_flr_01_rows_with_the_war_s_name_are_shown_and_keep_it(made):
    online, id, sheets = made
    board = sheets.calls("readBoard", WAR)
    saved = sheets.calls("writeBoard", WAR, "Attacker", rows_of(board, 0, {"x": 180}), board["versions"]["Attacker"])
    for place, row in enumerate(online.server.tab(id, "Flanks"), start=1):
        if row[:2] == [WAR, "Attacker"]:
            online.server.type(id, f"Flanks!A{place}", [["hastings"]])

    seen = sheets.calls("readBoard", WAR)
    assert [row[1:] for row in seen["rows"]["Attacker"]] == [row[1:] for row in saved["board"]["rows"]["Attacker"]]
    sheets.calls("writeBoard", WAR, "Attacker", rows_of(board, 0, {"x": 190}), seen["versions"]["Attacker"])

    found = [row for row in flanks(online, id) if row[1] == "Attacker"]
    assert [row[0] for row in found] == ["hastings"] * 3
    assert found[0][3] == 190


def test_edited_rows_and_ruled_requests_are_refused_without_writes(made):
    online, id, sheets = made
    board = sheets.calls("readBoard", WAR)
    rows = rows_of(board, 0, {"x": 222})
    first = sheets.calls("writeBoard", WAR, "Attacker", rows, board["versions"]["Attacker"])
    seen = flanks(online, id)

    late = sheets.calls("writeBoard", WAR, "Attacker", rows_of(board, 0), board["versions"]["Attacker"])

    assert late == {
        "refused": "Somebody changed the attacker's rows of Flanks meanwhile; nothing is saved.",
        "is_edited": True,
    }
    assert flanks(online, id) == seen
    online.types("run", id)
    ruled = sheets.calls("writeBoard", WAR, "Attacker", rows_of(board, 0), first["board"]["versions"]["Attacker"])
    assert ruled == {"refused": f"{WAR} is ruled, so its flanks stay as they were; nothing is saved.", "is_ruled": True}
    assert sheets.calls("readBoard", WAR)["request"]["is_ruled"] is True
    assert sheets.says("readBoard", "W-0999")["error"].startswith(
        "W-0999 has no board here: it is ruled, or check says"
    )


def test_run_updates_the_tab_if_configured_and_leaves_ruled_wars_out(made):
    online, id, sheets = made

    def named() -> list[str]:
        return [request["id"] for request in sheets.calls("listBoards")]

    assert WAR in named()
    written = online.server.count("write")
    online.types("board", id, "--sheets", "out")
    assert online.server.count("write") == written, "equal boards are not written again"
    online.types("run", id)
    assert WAR in named(), "without the setting, run leaves the tab alone"
    said = online.types("run", id, "--verbose", SHEETS_ALGO_BOARDS="true")
    assert (said.code, WAR in named()) == (0, False)
    hidden = {
        sheet["properties"]["title"]: sheet["properties"].get("hidden") for sheet in online.server.show(id)["sheets"]
    }
    assert hidden["Boards"] is True


def test_watch_updates_the_tab(online):
    id = online.make(only(season(), "W-0001"))
    online.tick(id, "W-0001", ready=False)
    with online.watches(id, SHEETS_ALGO_BOARDS="true") as watching:
        watching.until(lambda: "Boards" in online.server.tabs(id))
        before = online.server.tab(id, "Boards")
        heads = online.server.tab(id, "War Requests")[0]
        online.server.type(id, f"'War Requests'!{chr(ord('A') + heads.index('Year'))}2", [[1072]])
        watching.until(lambda: online.server.tab(id, "Boards") != before)
        assert json.loads(online.server.tab(id, "Boards")[1][3])["request"]["year"] == 1072


def test_watch_names_the_renamed_tab_to_the_board(online):
    """It watched the tab Boards alone once that was current, and saw nothing else for ten minutes."""
    id = online.make(only(season(), "W-0001"))
    online.tick(id, "W-0001", ready=False)
    with online.watches(id, SHEETS_ALGO_BOARDS="true") as watching:
        watching.until(lambda: "Boards" in online.server.tabs(id))
        settled = online.server.count("read") + 8
        watching.until(lambda: online.server.count("read") >= settled)
        title = {"sheetId": online.server.tabs(id)["Flanks"], "title": "Wings"}
        online.server.user(id, [{"updateSheetProperties": {"properties": title, "fields": "title"}}])
        watching.until(lambda: json.loads(online.server.tab(id, "Boards")[1][3])["tabs"]["rows"] == "Wings")


def test_a_file_has_no_board_in_sheets(moderator):
    said = moderator.types("board", "season.xlsx", "--sheets", "out")
    assert said.code == 2
    assert "--sheets is for a spreadsheet of Google's" in said.err


def test_the_menu_opens_the_page_where_a_war_is_placed_and_saved(made):
    online, id, sheets = made
    assert sheets.says("onOpen")["menu"] == [["sheets-algo", "Board", "showBoard"]]
    assert sheets.says("showBoard")["shown"] == [["Board", "Strategy board"]]
    path = online.moderator.folder / "out" / "Board.html"
    html = path.read_text()
    assert len(html) <= 120_000
    assert not re.search(r"`[^`\n]*//[^`\n]*`", html), "Google's page is known to cut a template text at two slashes"
    with browser() as chromium:
        page = chromium.new_page(viewport={"width": 1400, "height": 900})
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.expose_function("calls", lambda name, given: sheets.says(name, *given))
        page.add_init_script(GOOGLE)
        page.goto(path.as_uri())
        page.locator("body[data-ready]").wait_for()
        page.locator("#request").select_option(WAR)
        page.locator("#title", has_text="1").wait_for()
        page.locator("summary", has_text="Draw up anew").click()
        page.locator("#number").fill("6")
        page.locator("#formation").select_option("two lines")
        page.locator("#make button").click()
        page.locator("#save-rows").click()
        page.locator("#said", has_text=f"Saved: 6 flanks of the attacker of {WAR}.").wait_for()
        saved = [row for row in flanks(online, id) if row[:2] == [WAR, "Attacker"]]
        assert len(saved) == 6

        place = online.server.tab(id, "Flanks").index(
            next(row for row in online.server.tab(id, "Flanks") if row[:2] == [WAR, "Attacker"])
        )
        online.server.type(id, f"Flanks!D{place + 1}", [[123]])  # somebody else, meanwhile
        page.locator("#number").fill("4")
        page.locator("#make button").click()
        page.locator("#save-rows").click()
        page.locator("#said", has_text="Somebody changed the attacker's rows").wait_for()
        page.locator("#take-theirs").click()
        page.locator("#flanks li").nth(5).wait_for()
        assert "123" in page.locator("#flanks li").first.inner_text()
        page.evaluate(AXE.read_text())
        assert page.evaluate(BARRIERS) == []
        assert errors == []


GOOGLE = """globalThis.google = { script: { host: { close() {} }, run: {
    withSuccessHandler(done) { return { withFailureHandler: fail => new Proxy({}, {
        get: (_, name) => (...given) => calls(name, given).then(
            ({ value, error }) => (error ? fail(new Error(error)) : done(value))) }) }; } } } };"""
"""What Google gives to a page in a dialog."""


def test_db_04_the_script_reads_the_program_s_tab_beside_people_s_own_boards(online):
    wood = [["Wood", "Price"], ["Oak", 3]]
    id = online.make(only(season(), WAR))
    online.server.user(id, [{"addSheet": {"properties": {"title": "Boards"}}}])
    online.server.type(id, "Boards!A1:B2", wood)

    assert online.types("board", id, "--sheets", "out").code == 0

    assert online.server.tab(id, "Boards") == wood
    assert WAR in online.column(id, "Request", "Boards (algo)")
    with script(online, id, online.moderator.folder / "out") as found:
        assert WAR in {board["id"] for board in found.calls("listBoards")}
