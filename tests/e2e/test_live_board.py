"""The live board: what the server on this computer lets in, what it answers, and what Save writes (STRAT)."""

from __future__ import annotations

import html
import json
import signal
import socket
from collections.abc import Iterator
from typing import Any

import openpyxl
import pytest

from scripts.support.browser import AXE, BARRIERS, browser
from scripts.support.moderator import BOOK, only, row_of, season, shown, write
from scripts.support.patience import PATIENCE_S
from tests.helpers.live_board import Served, rows_of, served

WAR = "W-0002"


@pytest.fixture
def book(moderator):
    return write(moderator.folder / BOOK, only(season(), "W-0001", WAR))


@pytest.fixture
def board(swift_home, moderator, book) -> Iterator[Served]:
    with served(moderator, BOOK, WAR) as found:
        assert found.opens().status == 200
        yield found


def draft_of(board: Served, **changes: Any) -> dict[str, Any]:
    data = board.board(WAR)
    return {"request": WAR, "sides": {"Attacker": rows_of(data, 0, **changes), "Defender": rows_of(data, 1)}}


# --- Who is let in


def test_only_the_first_browser_is_answered_and_only_under_its_host_name(moderator, book):
    with served(moderator, BOOK) as board:
        assert board.asks("GET", "/requests").status == 401
        assert board.asks("POST", "/open", x_board_token="guess").status == 401
        assert board.asks("POST", "/open", x_board_token=board.token, sec_fetch_site="cross-site").status == 403
        assert board.asks("POST", "/open", x_board_token=board.token, host="evil.example").status == 421
        first = board.opens()
        assert (first.status, "set-cookie" in first.headers) == (200, False)
        assert board.opens().status == 401, "the address opens a board once"
        page = board.asks("GET", "/", x_board_key=None, sec_fetch_site="none")
        assert page.status == 200
        assert not any(secret in page.text for secret in (BOOK, board.key, board.token, "Hastings"))
        assert "connect-src 'self'" in html.unescape(page.text)
        assert "default-src 'none'" in html.unescape(page.text)
        port = board.host.partition(":")[2]
        others = (f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{int(port) - 1}", f"[::1]:{port}", f"127.1:{port}")
        for name in ("evil.example", *others):
            assert board.asks("GET", "/requests", host=name).status == 421, name
        assert board.asks("GET", "/requests", host=None).status in (400, 421)
        assert board.asks("GET", "/requests", host=f"localhost:{port}").status == 200
        for other in (None, "", board.key[:-1], board.token, "\u00e9"):
            assert board.asks("GET", "/requests", x_board_key=other).status == 401, other
        for answer in (page, board.asks("GET", "/requests"), board.asks("GET", "/requests", host="evil.example")):
            assert answer.headers["x-frame-options"] == "DENY"
            assert answer.headers["cross-origin-resource-policy"] == "same-origin"
            assert answer.headers["cache-control"] == "no-store"
            assert "access-control-allow-origin" not in answer.headers


def test_changes_are_accepted_only_from_the_board_s_own_page(board, book):
    data = board.board(WAR)
    rows, version = rows_of(data, 0, x=180), data["versions"]["Attacker"]
    save = {"request": WAR, "side": "Attacker", "rows": rows, "version": version}
    before = book.read_bytes()
    own = f"http://{board.host}"
    for more in (
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {"sec_fetch_site": "none"},
        {"sec_fetch_site": None},
        {"sec_fetch_site": None, "origin": "http://evil.example"},
        {"sec_fetch_site": None, "origin": "null"},
        {"sec_fetch_site": "same-origin", "origin": "http://evil.example"},
        {"sec_fetch_site": None, "origin": own.replace("http", "https")},
        {"x_board_key": None},
    ):
        assert board.asks("POST", "/rows", save, **more).status in (401, 403), more
    assert board.asks("POST", "/rows", save, content_type="text/plain").status == 400
    for method in ("GET", "HEAD", "PUT", "DELETE", "OPTIONS"):
        assert board.asks(method, "/rows", origin=own).status == 405
    assert book.read_bytes() == before
    assert board.asks("POST", "/rows", save, sec_fetch_site=None, origin=own).status == 200
    assert book.read_bytes() != before


BAD_QUESTIONS: list[tuple[Any, str]] = [
    (b"[" * 100_000, "not a question"),
    (b'{"request": "W-0002", "sides": {"Attacker": [[1e999]]}}', "not a question"),
    (b'{"request": "W-0002", "sides": {"Attacker": [[NaN]]}}', "not a question"),
    (b'{"request": "W-0002", "sides": {"Attacker": [[{"formula": 1}]]}}', "not a question"),
    ({"request": WAR, "sides": {}, "more": 1}, "not a question"),
    ({"request": WAR, "sides": {"Attacker": [["x" * 2000] * 10]}}, "not a question"),
    ({"request": WAR, "sides": {"Attacker": [[None] * 10] * 501}}, "not a question"),
    (b" " * 1_000_001, "at most 1,000,000 bytes"),
    ({"request": WAR, "sides": {"Neighbour": []}}, 'no side "Neighbour"'),
    ({"request": WAR, "sides": {"Attacker": [[WAR, "Attacker"]]}}, "A row has 10 cells"),
    ({"request": "W-0009", "sides": {}}, 'No request "W-0009" found'),
]


def test_a_malformed_question_gets_a_sentence(board):
    for question, says in BAD_QUESTIONS:
        answer = board.asks("POST", "/check", question)
        assert answer.status in (400, 409), question
        assert says in answer.data["text"], question


# --- What it answers


def test_each_validator_message_is_at_its_flank(board, moderator, book):
    draft = draft_of(board, x=1000, infantry=10**6, maneuver="Dance")
    found = board.asks("POST", "/check", draft).data["problems"]
    assert {one["column"] for one in found if (one["side"], one["flank"]) == ("Attacker", 0)} == {"X", "Maneuver"}
    draft = draft_of(board, infantry=10**6)
    (problem,) = (one for one in board.asks("POST", "/check", draft).data["problems"] if one["is_error"])
    assert (problem["side"], problem["flank"]) == ("Attacker", 0)

    saved = board.saves(WAR, "Attacker", draft["sides"]["Attacker"], board.board(WAR)["versions"]["Attacker"])
    assert saved.status == 200, saved
    said = moderator.types("check", BOOK)
    assert problem["text"] in said.out, "the file with these rows has the same message, at the same address"


def test_odds_appear_after_100_battles_with_their_error_beside_saved_ones(board):
    lines = board.asks("POST", "/odds", draft_of(board)).lines
    few, told = [line for line in lines if line["runs"] < 100], [line for line in lines if line["runs"] >= 100]
    assert few == [{"runs": line["runs"], "least": 100} for line in few] != [], "not known yet"
    assert [line["runs"] for line in lines] == sorted({line["runs"] for line in lines}), "they grow"
    assert told[0]["error"] > told[-1]["error"]
    assert told[-1]["error"] <= 0.01
    same = told[-1]
    assert same["attacker"] + same["defender"] + same["undecided"] == pytest.approx(1)
    assert same["error"] > 0
    assert (same["change"]["change"], same["change"]["runs"]) == (0, same["runs"])
    other = board.asks("POST", "/odds", draft_of(board, maneuver="Position")).lines[-1]
    assert other["change"]["change"] != 0
    saved = draft_of(board, maneuver="Position")["sides"]["Attacker"]
    assert board.saves(WAR, "Attacker", saved, board.board(WAR)["versions"]["Attacker"]).status == 200
    after = board.asks("POST", "/odds", draft_of(board, maneuver="Position")).lines[-1]
    assert after["change"]["change"] == 0
    assert after["attacker"] == pytest.approx(other["attacker"], abs=after["error"] + other["error"]), "another seed"
    refused = board.asks("POST", "/odds", draft_of(board, x=1000))
    assert refused.status == 409
    assert "1000" in refused.data["text"]


def test_places_are_compared_under_the_same_luck_and_forbidden_ones_are_marked(board):
    here = draft_of(board)["sides"]["Attacker"][0]
    candidates = [{"x": here[3], "y": here[4]}, {"x": 1000, "y": 5}, {"x": 190, "y": 30}, {"maneuver": "Position"}]
    question = draft_of(board) | {"side": "Attacker", "flank": 0, "candidates": candidates}
    told = board.asks("POST", "/compare", question).lines
    last = {line["candidate"]: line for line in told}
    assert last[1] == {"candidate": 1, "is_allowed": False}
    assert (last[0]["change"], last[0]["runs"]) == (0, 3200), "where it stands it does as well as it does"
    assert last[3]["change"] < -last[3]["error"], "an attacker who stands still does worse"
    assert [line["runs"] for line in told if line["candidate"] == 2] == [25, 50, 100, 200, 400, 800, 1600, 3200]
    for spoilt in ({"flank": 99}, {"side": "Neighbour"}, {"candidates": [{"request": "W-0001"}]}):
        (line,) = board.asks("POST", "/compare", question | spoilt).lines
        assert "text" in line


# --- What Save writes


def test_ctrl_c_ends_the_board_quietly_during_a_comparison(moderator, book):
    """`served` looks for what a cut answer would have printed."""
    with served(moderator, BOOK, SHEETS_ALGO_FAST="0") as board:
        board.opens()
        draft = draft_of(board)
        places = [{"x": 100 + number % 12, "y": 150 + number // 12} for number in range(144)]
        question = json.dumps({**draft, "side": "Attacker", "flank": 0, "candidates": places}).encode()
        head = (
            f"POST /compare HTTP/1.1\r\nHost: {board.host}\r\nX-Board-Key: {board.key}\r\n"
            "Sec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(question)}\r\n\r\n"
        )
        address, port = board.host.split(":")
        with socket.create_connection((address, int(port))) as client:
            client.sendall(head.encode() + question)
            assert client.recv(12) == b"HTTP/1.1 200"
            board.process.send_signal(signal.SIGINT)
            assert board.process.wait(timeout=PATIENCE_S) == 0


def test_save_writes_only_the_rows_of_that_side(moderator, book):
    changed = openpyxl.load_workbook(book)
    sheet = changed["Flanks"]
    places = {cell.value: cell.column for cell in sheet[1]}
    before = shown(book, "Flanks")
    sheet.cell(1, sheet.max_column + 2, "my notes")
    sheet.cell(2, sheet.max_column, "keep this")
    changed.save(book)
    with served(moderator, BOOK, WAR) as board:
        board.opens()
        data = board.board(WAR)
        rows = rows_of(data, 0, x=180, label="=1+1")[:2]
        saved = board.saves(WAR, "Attacker", rows, data["versions"]["Attacker"])
        assert saved.data["text"].startswith("Saved: 2 flanks")
    after = [row for row in shown(book, "Flanks") if row["Request"]]
    names = ("Request", "Side", "Flank", "X", "Y", "Infantry", "Cavalry", "Artillery", "Ships", "Maneuver")
    is_own = lambda row: (row["Request"], row["Side"]) == (WAR, "Attacker")  # noqa: E731
    assert [[row[name] for name in names] for row in after if is_own(row)] == rows
    others = [[row[name] for name in names] for row in after if not is_own(row)]
    assert others == [[row[name] for name in names] for row in before if not is_own(row)]
    assert others, "the example has flanks of others, which a save could have harmed"
    sheet = openpyxl.load_workbook(book)["Flanks"]
    assert [cell.value for cell in sheet[2]][-1] == "keep this"
    assert all(cell.data_type != "f" for row in sheet for cell in row), places


def test_two_tabs_and_a_later_edit_overwrite_nothing(board, book):
    mine = board.board(WAR)
    theirs = board.board(WAR)
    assert board.saves(WAR, "Attacker", rows_of(theirs, 0, x=170), theirs["versions"]["Attacker"]).status == 200
    refused = board.saves(WAR, "Attacker", rows_of(mine, 0, x=180), mine["versions"]["Attacker"])
    assert (refused.status, refused.data["is_edited"]) == (409, True)
    assert "meanwhile" in refused.data["text"]
    assert board.saves(WAR, "Defender", rows_of(mine, 1, y=230), mine["versions"]["Defender"]).status == 200
    now = board.board(WAR)
    assert (now["sides"][0]["flanks"][0]["x"], now["sides"][1]["flanks"][0]["y"]) == (170, 230)
    changed = openpyxl.load_workbook(book)  # a person types into the file
    cell = next(row for row in changed["Flanks"].iter_rows(min_row=2) if row[0].value == WAR)[2]
    cell.value = "vanguard"
    changed.save(book)
    assert board.saves(WAR, "Attacker", rows_of(now, 0, x=160), now["versions"]["Attacker"]).data["is_edited"] is True
    fresh = board.board(WAR)
    assert fresh["sides"][0]["flanks"][0]["label"] == "vanguard"
    assert board.saves(WAR, "Attacker", rows_of(fresh, 0, x=160), fresh["versions"]["Attacker"]).status == 200
    assert (
        board.saves(WAR, "Attacker", rows_of(fresh, 0, x=160), board.board(WAR)["versions"]["Attacker"])
        .data["text"]
        .startswith("Saved already")
    )


def test_req_11_saving_does_not_recreate_renamed_or_deleted_flanks(moderator):
    book = moderator.folder / BOOK
    assert moderator.types("init", BOOK).code == 0
    changed = openpyxl.load_workbook(book)
    changed["Flanks"].title = "Flanken 1066"
    changed.save(book)
    before = book.read_bytes()
    with served(moderator, BOOK, WAR) as board:
        board.opens()
        data = board.board(WAR)
        rows = [[WAR, "Attacker", "all", 100, 100, None, None, None, None, "Normal"]]
        refused = board.saves(WAR, "Attacker", rows, data["versions"]["Attacker"])
        assert refused.status == 409
        assert 'Nothing is saved: the tab "Flanken 1066" looks like Flanks' in refused.data["text"]
        assert book.read_bytes() == before
        del changed["Flanken 1066"]
        changed.save(book)
        refused = board.saves(WAR, "Attacker", rows, data["versions"]["Attacker"])
        assert refused.status == 409
        assert "Nothing is saved: the tab Flanks is gone. Bring it back, or accept" in refused.data["text"]


def test_a_request_ruled_meanwhile_keeps_its_flanks(board, moderator, book):
    data = board.board(WAR)
    assert moderator.types("run", BOOK).code == 0
    before = book.read_bytes()
    refused = board.saves(WAR, "Attacker", rows_of(data, 0, x=180), data["versions"]["Attacker"])
    assert refused.status == 409
    assert f"{WAR} is ruled by receipt" in refused.data["text"]
    assert book.read_bytes() == before
    assert board.board(WAR)["request"]["is_ruled"] is True
    assert board.asks("POST", "/odds", draft_of(board)).status == 409
    ticket = board.asks("GET", f"/ticket?request={WAR}").data["ticket"]
    opened = {"x_board_key": None, "sec_fetch_site": "none"}
    replay = board.asks("GET", f"/replay?request={WAR}&ticket={ticket}", **opened)
    assert replay.status == 200
    for address in (
        f"/replay?request={WAR}",
        f"/replay?request=W-0001&ticket={ticket}",
        f"/board?request={WAR}&ticket={ticket}",
    ):
        assert board.asks("GET", address, **opened).status == 401, address
    assert "<canvas" in replay.text
    assert board.asks("GET", "/replay?request=W-0099").status == 409


def test_a_strategy_of_the_server_is_saved_ruled_and_played(online):
    id = online.make(only(season(), WAR))
    with served(online.moderator, id, WAR, **online.environment) as board:
        board.opens()
        data = board.board(WAR)
        rows = rows_of(data, 0, x=180, y=181)
        assert board.saves(WAR, "Attacker", rows, data["versions"]["Attacker"]).status == 200
        heads, *cells = online.server.tab(id, "Flanks")
        saved = [row[: len(rows[0])] for row in cells if row[:2] == [WAR, "Attacker"]]
        assert [[str(cell) for cell in row] for row in saved] == [[str(cell) for cell in row] for row in rows], heads
        assert online.types("run", id).code == 0
        refused = board.saves(WAR, "Attacker", rows, board.board(WAR)["versions"]["Attacker"])
        assert (refused.status, "is ruled" in refused.data["text"]) == (409, True)
        assert board.board(WAR)["sides"][0]["after"]


# --- In a browser


def shows(tab: Any, selector: str, words: str) -> None:
    """Wait until an element has these words; the page's policy allows no script that looks for them."""
    tab.locator(selector).filter(has_text=words).wait_for()


def keep_key(tab: Any, board: Served) -> None:
    """Let a tab have the key, as one in which the first address was opened."""
    tab.add_init_script(f"sessionStorage.setItem('key', '{board.key}')")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as found:
        yield found


@pytest.mark.browser
def test_a_moderator_places_saves_and_sees_the_edits_of_others(board, book, chromium):
    with chromium.new_context(viewport={"width": 1440, "height": 900}) as context:
        tab = context.new_page()
        keep_key(tab, board)
        heard: list[str] = []
        tab.on("console", lambda message: heard.append(message.text))
        tab.on("pageerror", lambda error: heard.append(str(error)))
        tab.goto(f"http://{board.host}/")
        tab.wait_for_selector("body[data-ready]")
        assert tab.input_value("#request") == WAR
        shows(tab, "#share0", "%")
        shows(tab, "#checked", "The validator is content.")

        tab.locator("#flanks button").nth(0).click()
        tab.click("#rest-name")
        tab.fill("input[name=x]", "1000")
        tab.press("input[name=x]", "Enter")
        tab.wait_for_selector("#checked .wrong")
        assert "1000 is out of range" in tab.inner_text("#checked")
        assert "1000 is out of range" in tab.inner_text("header #odds"), "the sheet of a phone hides the list"
        assert tab.locator("#flanks button.wrong").all_inner_texts() == [
            tab.locator("#flanks button").nth(0).inner_text()
        ]
        tab.fill("input[name=x]", "180")
        tab.press("input[name=x]", "Enter")
        tab.wait_for_selector("#checked .good")
        assert not tab.locator("#flanks button.wrong").count()
        tab.click("#save-rows")
        shows(tab, "#said", "Saved")
        assert tab.is_disabled("#save-rows")
        flanks = [row for row in shown(book, "Flanks") if (row["Request"], row["Side"]) == (WAR, "Attacker")]
        assert flanks[0]["X"] == 180

        data = board.board(WAR)  # somebody else saves meanwhile
        assert board.saves(WAR, "Attacker", rows_of(data, 0, x=150), data["versions"]["Attacker"]).status == 200
        tab.fill("input[name=x]", "185")
        tab.press("input[name=x]", "Enter")
        tab.click("#save-rows")
        tab.wait_for_selector("#edited", state="visible")
        assert "meanwhile" in tab.inner_text("#said")
        tab.click("#keep-mine")
        tab.wait_for_selector("#edited", state="hidden")
        assert row_of(book, "Flanks", "Request", WAR)["X"] == 185

        tab.locator("#flanks button").nth(0).click()
        tab.click("#places")
        tab.wait_for_selector("#best button")
        tab.locator("#best button").nth(0).click()  # it is moved there, and the comparison ends
        tab.wait_for_selector("#best li", state="detached")
        shows(tab, "#save-rows", "Save 1 change")
        tab.locator("#save-rows:enabled").wait_for()  # there is something to save again
        assert [one for one in heard if "409 (Conflict)" not in one] == []


@pytest.mark.browser
def test_the_first_address_opens_one_tab_that_may_be_reloaded(moderator, book, chromium):
    with served(moderator, BOOK, WAR) as board, chromium.new_context() as context:
        tab = context.new_page()
        tab.goto(board.address)
        shows(tab, "#checked", "The validator is content.")
        assert tab.url == f"http://{board.host}/"
        tab.reload()
        shows(tab, "#checked", "The validator is content.")
        assert context.cookies() == []
        assert moderator.types("run", BOOK).code == 0
        tab.reload()
        tab.click("#play")
        tab.wait_for_selector("canvas")

        other = context.new_page()
        other.goto(board.address)
        shows(other, "#said", "This address opens no board, or has done so before")


@pytest.mark.browser
def test_r_124_saved_flanks_stay_valid_after_another_battle(moderator, board, book, chromium):
    """Harold's Host fights at Stamford Bridge first; twelve numbers of men were refused at Hastings."""
    with chromium.new_context(viewport={"width": 1440, "height": 900}) as context:
        tab = context.new_page()
        keep_key(tab, board)
        tab.goto(f"http://{board.host}/")
        tab.wait_for_selector("body[data-ready]")
        for side in ("#side0", "#side1"):
            tab.click(side)
            tab.locator("#flanks button").nth(1).click()
            tab.locator("#map").focus()
            tab.keyboard.press("ArrowLeft")
            tab.keyboard.press("ArrowLeft")
        tab.fill("input[name=infantry]", "20 %")
        tab.press("input[name=infantry]", "Enter")
        tab.locator("#flanks button").nth(0).click()
        tab.locator("#flanks button").nth(2).click(modifiers=["Shift"])
        tab.locator("summary", has_text="Draw up anew").click()
        tab.click("#even")
        shows(tab, "#checked", "The validator is content.")
        tab.click("#save-rows")
        shows(tab, "#said", "Saved")

    saved = [row for row in shown(book, "Flanks") if row["Request"] == WAR]
    counts = [[row[name] for name in ("Infantry", "Cavalry", "Artillery", "Ships")] for row in saved]
    assert counts == [[None] * 4] * 3 + [[share, None, None, None] for share in ("40 %", "20 %", "40 %")]
    assert [row["X"] for row in saved] == [190, 198, 210, 190, 198, 210]

    said = moderator.types("run", BOOK, "--json").data
    assert [one["status"] for one in said["requests"] if one["request"] in ("W-0001", WAR)] == ["Done"] * 2
    wars = [row for row in shown(book, "War Requests") if row["Request"] in ("W-0001", WAR)]
    assert wars[0]["Attacker Military"] == wars[1]["Defender Military"]
    army = row_of(book, "Militaries", "Name", wars[1]["Defender Military"])
    ends = [row for row in shown(book, "Flanks") if (row["Request"], row["Side"]) == (WAR, "Defender")]
    assert army["Size"] < 7_000
    assert all(row["End Status"] for row in ends)
    assert moderator.types("run", BOOK).code == 0
    assert [row["Status"] for row in shown(book, "War Requests") if row["Request"] in ("W-0001", WAR)] == ["Done"] * 2


@pytest.mark.browser
def test_the_live_page_is_accessible_in_light_and_dark(board, chromium):
    for scheme in ("light", "dark"):
        # The policy of the page would not let the script in that looks for barriers.
        with chromium.new_context(color_scheme=scheme, bypass_csp=True) as context:
            tab = context.new_page()
            keep_key(tab, board)
            tab.goto(f"http://{board.host}/")
            tab.wait_for_selector("body[data-ready]")
            tab.wait_for_selector("#checked li")
            tab.add_script_tag(path=str(AXE))
            assert tab.evaluate(BARRIERS) == []
