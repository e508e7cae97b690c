"""The strategy board in a real browser: mouse, touch, keyboard, editor, rows, links, barriers, requests (STRAT)."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageStat

from scripts.support.browser import AXE, BARRIERS, browser
from scripts.support.rulings import HOSTILE, named
from scripts.support.workbooks import Rows, example, forms, read, workbook
from sheets_algo.pages.board_page import board_page
from sheets_algo.ruling.receipts.lookup import row_of

pytestmark = pytest.mark.browser

SMALL = """() => [...document.querySelectorAll("button, select, input:not([type=radio]), summary, .pills label")]
    .filter(found => found.checkVisibility()).map(found => [found.outerHTML, found.getBoundingClientRect()])
    .filter(([, box]) => box.width < 44 || box.height < 44).map(([name]) => name)"""
"""Script that returns the controls that are too small for a finger."""

PAGE_MOST = 120_000
"""Most bytes of a page with its map."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as found:
        yield found


class Board:
    """A board in the browser, with all that it asked for, said or failed at."""

    def __init__(self, tab: Any) -> None:
        self.tab = tab
        self.heard: list[str] = []
        tab.on("request", lambda request: self.heard.append(f"request {request.url[:80]}"))
        tab.on("console", lambda message: self.heard.append(f"console {message.text}"))
        tab.on("pageerror", lambda error: self.heard.append(f"error {error}"))
        tab.on("dialog", lambda dialog: self.heard.append("dialog"))

    def opens(self, address: str) -> Board:
        self.tab.goto("about:blank")
        self.heard.clear()
        self.tab.goto(address)
        self.tab.wait_for_selector("body[data-ready]")
        self.tab.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        return self

    @property
    def unexpected(self) -> list[str]:
        """Return all that the page did besides being opened."""
        return [heard for heard in self.heard if not heard.startswith("request file:")]

    def text(self, selector: str) -> str:
        return str(self.tab.locator(selector).inner_text())

    def message(self, side: int = 0) -> str:
        self.settles()
        return self.text(f"#message{side}")

    def settles(self) -> None:
        """Wait until the next picture is drawn."""
        self.tab.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    @property
    def brightness(self) -> float:
        """Return the mean brightness of the map as it is drawn."""
        with Image.open(io.BytesIO(self.tab.locator("#map").screenshot())) as image:
            return float(ImageStat.Stat(image.convert("L")).mean[0])

    def rows(self) -> list[list[str]]:
        """Return the rows that the board gives for Flanks."""
        self.tab.click("#copy")
        self.settles()
        return [line.split("\t") for line in self.tab.input_value("#text").split("\n")]

    def places(self) -> list[tuple[float, float]]:
        return [(float(row[3]), float(row[4])) for row in self.rows()]

    def choose(self, *numbers: int) -> None:
        for place, number in enumerate(numbers):
            self.tab.locator("#flanks button").nth(number - 1).click(modifiers=["Shift"] if place else [])
        self.settles()

    def on_screen(self, number: int) -> tuple[float, float]:
        """Return where a flank of the attacker is drawn: the view shows all flanks, as it was fitted."""
        places = [(190, 182), (200, 182), (210, 182), (190, 218), (200, 218), (210, 218)]
        box = self.tab.locator("#map").bounding_box()
        wide = (218 - 182) * 1.4 + 6
        x, y = places[number - 1]
        return (
            box["x"] + (x - 200) * box["width"] / wide + box["width"] / 2,
            box["y"] + (y - 200) * box["width"] / wide + box["width"] / 2,
        )

    @property
    def pixel(self) -> float:
        """Return how many pixels of the screen a pixel of the map is."""
        return float(self.tab.locator("#map").bounding_box()["width"]) / ((218 - 182) * 1.4 + 6)


@pytest.fixture(scope="module")
def board(chromium: Any) -> Iterator[Board]:
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, has_touch=True)
    yield Board(context.new_page())
    context.close()


@pytest.fixture(scope="module")
def page_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Return the address of the board of the first war of an example; `edit` changes the rows before."""
    folder = tmp_path_factory.mktemp("boards")

    def made(
        edit: Callable[[Rows], object] = lambda rows: None, sides: tuple[str, ...] = ("Attacker", "Defender")
    ) -> str:
        rows = example("1066")
        rows["War Requests"], rows["Flanks"] = rows["War Requests"][1:2], []
        edit(rows)
        form, database, row = row_of(read(workbook(rows)), forms(), "W-0002")
        found = form.board(row, database)
        assert found is not None
        text = board_page(found.data(sides))
        assert len(text.encode()) <= PAGE_MOST
        file = folder / f"board {len(list(folder.iterdir()))}.html"
        file.write_text(text, encoding="utf-8")
        return file.as_uri()

    return made


def test_a_flank_is_dragged_with_the_mouse_and_the_drag_is_undone_at_once(
    board: Board, page_of: Callable[..., str]
) -> None:
    board.opens(page_of())
    x, y = board.on_screen(2)
    board.tab.mouse.move(x, y)
    board.tab.mouse.down()
    for step in (0.3, 0.6, 1.0):
        board.tab.mouse.move(x + 5 * step * board.pixel, y - 7 * step * board.pixel)
    board.tab.mouse.up()
    assert board.places()[1] == pytest.approx((205, 175), abs=0.2)
    board.tab.keyboard.press("Escape")
    board.tab.locator("#map").focus()
    board.tab.keyboard.press("Control+z")
    assert board.places()[1] == (200, 182)
    board.tab.locator("#map").focus()
    board.tab.keyboard.press("Control+y")
    assert board.places()[1] == pytest.approx((205, 175), abs=0.2)
    assert board.unexpected == []


def test_several_flanks_are_chosen_by_a_box_and_moved_by_keys(board: Board, page_of: Callable[..., str]) -> None:
    board.opens(page_of())
    (left, top), (right, _) = board.on_screen(1), board.on_screen(2)
    board.tab.mouse.move(left - 20, top - 30)
    board.tab.mouse.down()
    board.tab.mouse.move(right + 20, top + 30)
    board.tab.mouse.up()
    board.settles()
    assert board.text("#chosen") == "2 flanks\n5,000 men"
    board.tab.keyboard.press("ArrowUp")
    board.tab.keyboard.press("Shift+ArrowLeft")
    assert board.places() == [(180, 181), (190, 181), (210, 182)]


def test_a_finger_moves_a_flank(board: Board, page_of: Callable[..., str]) -> None:
    board.opens(page_of())
    x, y = board.on_screen(2)
    touch = board.tab.context.new_cdp_session(board.tab)
    for kind, at in (("touchStart", 0), ("touchMove", 3), ("touchMove", 6), ("touchEnd", None)):
        points = [] if at is None else [{"x": x, "y": y - at * board.pixel}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert board.places()[1] == pytest.approx((200, 176), abs=0.3)


def test_two_fingers_at_a_constant_distance_move_the_map(board: Board, page_of: Callable[..., str]) -> None:
    board.opens(page_of())
    x, y = board.on_screen(2)
    touch = board.tab.context.new_cdp_session(board.tab)
    for kind, at in (("touchStart", 0), ("touchMove", 20), ("touchMove", 40), ("touchEnd", None)):
        left = [] if at is None else [{"x": x - 60 + at, "y": y + 50 + at, "id": 1}]
        right = [] if at is None else [{"x": x + 60 + at, "y": y + 50 + at, "id": 2}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": left + right})
    board.settles()
    board.tab.mouse.click(x + 40, y + 40)
    board.settles()
    assert board.tab.input_value("input[name=x]") == "200", "the flank has moved with the map"
    assert board.places() == [(190, 182), (200, 182), (210, 182)]


def test_totals_are_red_where_there_are_too_many_and_orange_where_there_are_too_few(
    board: Board, page_of: Callable[..., str]
) -> None:
    board.opens(page_of())
    assert (board.message(), board.tab.get_attribute("#message0", "class")) == ("All 7,500 men are placed", "good")
    board.choose(1)
    board.tab.locator("#map").focus()
    board.tab.keyboard.press("Control+c")
    board.tab.keyboard.press("Control+v")
    assert board.message().startswith("Infantry 5,000 of 3,750; ")
    assert board.tab.get_attribute("#message0", "class") == "many"
    board.tab.keyboard.press("Delete")
    assert board.message() == "All 7,500 men are placed"
    board.choose(1)
    board.tab.locator("#map").focus()
    board.tab.keyboard.press("Delete")
    assert board.message().startswith("Infantry 2,500 of 3,750; ")
    assert board.tab.get_attribute("#message0", "class") == "few"
    board.tab.click("#even")
    assert board.message() == "All 7,500 men are placed"


def test_a_flank_is_edited_in_fields(board: Board, page_of: Callable[..., str]) -> None:
    board.opens(page_of())
    board.tab.click("#add")
    board.settles()
    board.choose(4)
    board.tab.fill("input[name=x]", "450")
    board.tab.check("input[value='Hit and run']")
    board.settles()
    assert "Two rounds of attack" in board.text("#maneuver-text")
    board.tab.press("input[name=x]", "Enter")
    board.settles()
    assert board.places()[3] == (450, 170), "which the program refuses"
    board.tab.fill("input[name=x]", "12.5")
    board.tab.fill("input[name=infantry]", "-3")
    board.settles()  # the place is taken and drawn meanwhile
    board.tab.press("input[name=infantry]", "Enter")
    board.settles()
    assert board.text("#said") == 'infantry: "-3" is not a whole number from 0.'
    board.tab.fill("input[name=infantry]", "7")
    board.tab.click("#done")
    assert board.rows()[3] == ["W-0002", "Attacker", "", "12.5", "170", "0.19 %", "0 %", "0 %", "", "Hit and run"]


COUNTS = slice(5, 9)
"""The counts of a row."""


def test_r_124_a_board_gives_blank_counts_for_an_even_division_and_else_shares(
    board: Board, page_of: Callable[..., str]
) -> None:
    board.opens(page_of())
    board.choose(2)
    board.tab.locator("#map").focus()
    for _ in range(2):
        board.tab.keyboard.press("ArrowUp")
    assert board.places() == [(190, 182), (200, 180), (210, 182)]
    assert [row[COUNTS] for row in board.rows()] == [["", "", "", ""]] * 3

    board.tab.fill("input[name=infantry]", "40 %")
    board.tab.press("input[name=infantry]", "Enter")
    board.settles()
    assert board.tab.input_value("input[name=infantry]") == "1500"
    assert [row[5] for row in board.rows()] == ["1250", "1500", "1250"], "more than the army has: no shares"
    board.choose(1, 3)
    board.tab.click("#even")
    assert [row[COUNTS] for row in board.rows()] == [[share, "", "", ""] for share in ("30 %", "40 %", "30 %")]
    board.tab.click("#all")
    board.tab.click("#even")
    assert [row[COUNTS] for row in board.rows()] == [["", "", "", ""]] * 3


@pytest.mark.parametrize(
    "cells",
    [
        [("50 %", None), ("20 %", None), ("30 %", None)],
        [(1_900, 750, 500), (1_850, 750, 500), (0, 750, 500)],
        [(None, None), (None, None), (None, None)],
    ],
)
def test_r_124_typed_counts_stay_until_their_meaning_changes(
    board: Board, page_of: Callable[..., str], cells: list[tuple[Any, ...]]
) -> None:
    heads = ("Infantry", "Cavalry", "Artillery")
    typed = [{"Request": "W-0002", "Side": "Attacker"} | dict(zip(heads, row, strict=False)) for row in cells]
    wanted = [["" if cell is None else str(cell) for cell in row[:2]] for row in cells]
    board.opens(page_of(lambda rows: rows["Flanks"].extend(typed)))
    board.choose(3)
    board.tab.locator("#map").focus()
    board.tab.keyboard.press("ArrowLeft")
    rows = board.rows()
    assert board.message() == "All 7,500 men are placed"
    assert [row[5:7] for row in rows] == wanted

    board.tab.click("#link")
    board.settles()
    board.opens(board.tab.evaluate("location.href"))
    assert board.rows() == rows


def test_twelve_flanks_in_two_lines_with_reserves_take_four_actions_a_side(
    board: Board, page_of: Callable[..., str]
) -> None:
    board.opens(page_of())
    for side in (0, 1):
        board.tab.click(f"#side{side}")
        board.tab.fill("#number", "12")
        board.tab.select_option("#formation", "two lines and a reserve")
        board.tab.click("#make button")
        board.settles()
        places = board.places()
        assert len(places) == 12
        assert len({y for _, y in places}) == 3
        assert re.fullmatch(r"All 7,\d00 men are placed", board.message(side))


def test_rows_and_links_restore_the_board(board: Board, page_of: Callable[..., str]) -> None:
    address = page_of()
    board.opens(address)
    board.tab.fill("#number", "7")
    board.tab.select_option("#formation", "crescent")
    board.tab.click("#make button")
    rows = board.rows()
    board.tab.click("#link")
    board.settles()
    link = board.tab.evaluate("location.href")
    board.tab.click("#reset")
    assert len(board.rows()) == 3
    board.tab.fill("#text", "\n".join("\t".join(row) for row in rows))
    board.tab.click("#paste [type=submit]")
    assert board.rows() == rows
    board.opens(link)
    assert board.rows() == rows


def test_rows_copied_from_a_sheet_are_pasted_by_keys_anywhere(board: Board, page_of: Callable[..., str]) -> None:
    board.opens(page_of())
    board.tab.fill("#text", "W-0002\tAttacker\tone\t150\t160\t9\t0\t0\t0\tNormal")
    board.tab.locator("#text").press("Control+a")
    board.tab.locator("#text").press("Control+x")
    board.tab.locator("#map").focus()
    board.tab.keyboard.press("Control+v")
    assert board.rows() == [["W-0002", "Attacker", "one", "150", "160", "9", "0", "0", "0", "Normal"]]


@pytest.mark.parametrize("hash", ["#s=", "#s=%3Cscript%3E", "#s=AAAA", "#s=" + "A" * 70_000])
def test_an_invalid_link_is_reported_and_changes_nothing(board: Board, page_of: Callable[..., str], hash: str) -> None:
    board.opens(page_of() + hash)
    assert board.text("#said") == "The link is not that of a strategy, or was cut off; ask for it again."
    assert len(board.rows()) == 3
    assert board.unexpected == []


@pytest.mark.parametrize("name", HOSTILE)
def test_names_execute_nothing(board: Board, page_of: Callable[..., str], name: str) -> None:
    board.opens(page_of(named(HOSTILE[name])))
    assert board.tab.title() != "run"
    assert board.unexpected == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900)])
def test_the_board_is_accessible_with_map_and_tools_on_one_screen(
    chromium: Any, page_of: Callable[..., str], scheme: str, width: int, height: int
) -> None:
    context = chromium.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, bypass_csp=True)
    board = Board(context.new_page()).opens(page_of())
    assert board.tab.evaluate("document.documentElement.scrollWidth") == width
    board.tab.evaluate("scrollTo(0, 0)")
    for selector in ("#side0", "#link", "#map", "#nearer", "#message0", "#add"):
        box = board.tab.locator(selector).bounding_box()
        assert box["y"] >= 0, selector
        assert box["y"] + box["height"] <= height, selector
        assert box["x"] + box["width"] <= width, selector
    board.choose(1)
    board.tab.add_script_tag(path=str(AXE))
    assert board.tab.evaluate(BARRIERS) == []
    assert board.tab.evaluate(SMALL) == []
    context.close()


def test_a_phone_shows_few_controls_until_a_visible_flank_is_chosen(chromium: Any, page_of: Callable[..., str]) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    board = Board(context.new_page())
    board.tab.goto(page_of())
    board.tab.wait_for_selector("body[data-ready]")
    controls = board.tab.locator("button:visible, input:visible, select:visible, summary:visible")
    assert controls.count() <= 14
    assert controls.and_(board.tab.locator(":disabled")).count() == 0
    board.tab.click("#side1")
    board.choose(2)
    board.tab.evaluate("Promise.all(document.getElementById('sheet').getAnimations().map(slide => slide.finished))")
    assert board.tab.locator(".men label:visible").all_inner_texts() == ["Infantry\nLevy Spearman", "Cavalry\nHuscarl"]
    assert not board.tab.locator(".several").first.is_visible()
    sheet, canvas = (board.tab.locator(part).bounding_box() for part in ("#sheet", "#map"))
    board.tab.touchscreen.tap(canvas["x"] + canvas["width"] / 2, (canvas["y"] + sheet["y"]) / 2)
    board.settles()
    assert board.text("#chosen").startswith("2 centre"), "the flank stands in the middle of what the sheet leaves free"
    board.tab.click("#done")
    board.tab.wait_for_selector("#sheet", state="hidden")
    context.close()


@pytest.mark.parametrize("closes", ["#done", "back"])
def test_the_back_button_closes_a_phone_s_sheet_before_it_leaves_the_page(
    chromium: Any, page_of: Callable[..., str], closes: str
) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    board = Board(context.new_page())
    board.tab.goto("about:blank")
    page = page_of()
    board.tab.goto(page)
    board.tab.wait_for_selector("body[data-ready]")
    for flank in (1, 2):
        board.choose(flank)
        board.settles()
        board.tab.click(closes) if closes == "#done" else board.tab.go_back()
        board.tab.wait_for_selector("#sheet", state="hidden")
        assert board.tab.url == page
    board.tab.go_back()
    assert board.tab.url == "about:blank"
    context.close()


@pytest.mark.parametrize(("place", "shown"), [("W-0001", True), ("W-0002", False)])
def test_ships_appear_only_if_there_are_any(board: Board, place: str, shown: bool, tmp_path: Path) -> None:
    form, database, row = row_of(read(workbook(example("1066"))), forms(), place)
    found = form.board(row, database)
    assert found is not None
    (tmp_path / "board.html").write_text(board_page(found.data()), encoding="utf-8")
    board.opens((tmp_path / "board.html").as_uri())
    board.choose(1)
    assert board.tab.is_visible("#row-ships") == shown


@pytest.mark.parametrize("wide", [1280, 375])
def test_buttons_of_flanks_show_all_men_and_ships(board: Board, wide: int, tmp_path: Path) -> None:
    form, database, row = row_of(read(workbook(example("1066"))), forms(), "W-0003")
    content = form.board(row, database)
    assert content is not None
    (tmp_path / "board.html").write_text(board_page(content.data(("Attacker",))), encoding="utf-8")
    usual = board.tab.viewport_size
    board.tab.set_viewport_size({"width": wide, "height": 800})
    board.opens((tmp_path / "board.html").as_uri())
    for count in (3, 12):
        while board.tab.locator("#flanks li").count() < count:
            board.tab.click("#add")
            board.tab.keyboard.press("Escape")
        texts = board.tab.locator(".chips .men").all_text_contents()
        assert sum("ships" in text for text in texts) == 3
        cut = "texts => texts.filter(text => text.scrollWidth > text.clientWidth).map(text => text.textContent)"
        assert board.tab.locator(".chips .men").evaluate_all(cut) == []
    board.tab.set_viewport_size(usual)


def test_the_page_of_one_side_contains_nothing_of_the_other(page_of: Callable[..., str]) -> None:
    own = Path(page_of(sides=("Attacker",)).removeprefix("file://").replace("%20", " ")).read_text(encoding="utf-8")
    both = Path(page_of().removeprefix("file://").replace("%20", " ")).read_text(encoding="utf-8")
    for secret in ("Harold's Host", "Huscarl", "218"):
        assert secret in both
        assert secret not in own


def test_the_map_darkens_places_without_cover_for_an_ambush(board: Board, page_of: Callable[..., str]) -> None:
    """As long as such a flank is chosen (R-118)."""
    board.opens(page_of())
    board.choose(2)
    before = board.brightness
    board.tab.check("input[value='Ambush']")
    board.settles()
    assert board.brightness < before
    assert board.unexpected == []


def test_r_130_the_chosen_army_is_drawn_above_another_of_its_side(board: Board, page_of: Callable[..., str]) -> None:
    """Both begin on the same places, so that one would hide the other."""

    def join(rows: Rows) -> None:
        armies = "William's Army; Field Army"
        rows["War Requests"][0] |= {"Attacker": "Normandy + Byzantium", "Attacker Military": armies}

    board.opens(page_of(join))
    colours = []
    for army in range(2):
        board.tab.locator("#sides button").nth(army).click()
        board.settles()
        x, y = board.on_screen(1)
        clip = {"x": x - 9, "y": y - 2, "width": 4, "height": 4}
        with Image.open(io.BytesIO(board.tab.screenshot(clip=clip))) as image:
            colours.append(ImageStat.Stat(image.convert("RGB")).mean)
    assert max(abs(one - other) for one, other in zip(*colours, strict=True)) > 40
    assert board.unexpected == []
