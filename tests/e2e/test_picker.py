"""The page on which places are clicked on the map of the game: as a file, and of the server of the boards (MAP-09)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import openpyxl
import pytest

from scripts.support.browser import AXE, BARRIERS, browser
from scripts.support.moderator import BOOK, Moderator, only, row_of, season, shown, write
from tests.e2e.online import Online
from tests.helpers.live_board import served

LONDON, STRAIT = "Southeast England", "English Channel"
NOWHERE = "</script><b>Nowhere"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as found:
        yield found


@pytest.fixture
def mapless(moderator: Moderator) -> Moderator:
    """A season of which two places have no pixel, and a third has none that could be."""
    rows = season()
    for number, row in enumerate(rows["Locations"]):
        row |= {"Map X": 100 * number + 50, "Map Y": 60}
        if row["Name"] in (LONDON, STRAIT):
            row |= {"Map X": None, "Map Y": None}
        if row["Name"] == "Manzikert":
            row |= {"Name": NOWHERE, "Map X": "east", "Map Y": 9}
    write(moderator.book, rows)
    return moderator


def click(tab: Any, x: int, y: int) -> None:
    """Click a pixel of the drawing."""
    box, wide = tab.locator("#drawing").bounding_box(), tab.evaluate("document.getElementById('drawing').naturalWidth")
    scale = box["width"] / wide
    tab.locator("#drawing").click(position={"x": (x + 0.5) * scale, "y": (y + 0.5) * scale})


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_gives_the_columns_of_clicked_places(mapless: Moderator, chromium: Any, width: int) -> None:
    assert mapless.types("board", BOOK, "--places", "places.html").out == "page     places.html\n"
    with chromium.new_context(viewport={"width": width, "height": 844}) as context:
        tab = context.new_page()
        tab.goto((mapless.folder / "places.html").as_uri())
        tab.wait_for_selector("body[data-ready]")
        rows = shown(mapless.book, "Locations")
        first = [row["Name"] for row in rows].index(LONDON)
        assert tab.locator("#place").evaluate("select => select.value") == f"– {LONDON}"
        for _ in range(4):
            tab.click("#nearer")
        click(tab, 308, 378)
        typed = [line.split("\t") for line in tab.input_value("#text").split("\n")]
        assert len(typed) == len(rows)
        x, y = map(int, typed[first])
        assert abs(x - 308) <= 1
        assert abs(y - 378) <= 1
        chosen = tab.locator("#place").evaluate("select => select.value")
        assert chosen == f"✕ {NOWHERE}", "what is no pixel follows too"
        assert typed[[row["Name"] for row in rows].index(NOWHERE)] == ["east", "9"], "typed cells stay"
        tab.click("#clear")
        assert tab.input_value("#text").split("\n")[[row["Name"] for row in rows].index(NOWHERE)] == "\t"
        tab.click("#undo")
        tab.click("#undo")
        assert tab.input_value("#text").split("\n")[first] == "\t"
        assert tab.is_disabled("#undo")
        tab.evaluate(AXE.read_text(encoding="utf-8"))
        assert tab.evaluate(BARRIERS) == []


@pytest.mark.browser
def test_the_served_page_types_pixels_and_overwrites_no_edit(
    swift_home: Any, mapless: Moderator, chromium: Any
) -> None:
    with served(mapless, BOOK) as board, chromium.new_context() as context:
        tab = context.new_page()
        tab.goto(board.address)
        tab.wait_for_selector("body[data-ready]")
        tab.click("summary:has-text('Ground and map')")
        tab.click("a[href='/map']")
        tab.wait_for_selector("body[data-ready]")
        before = shown(mapless.book, "Locations")
        click(tab, 308, 378)
        tab.click("#write")
        tab.locator("#said").filter(has_text="Saved: 1 place").wait_for()
        after = shown(mapless.book, "Locations")
        assert [row for row, old in zip(after, before, strict=True) if row != old] == [
            row_of(mapless.book, "Locations", "Name", LONDON)
        ]
        typed = row_of(mapless.book, "Locations", "Name", LONDON)
        assert abs(typed["Map X"] - 308) <= 1
        assert abs(typed["Map Y"] - 378) <= 1

        tab.select_option("#place", index=[row["Name"] for row in before].index(STRAIT))
        book = openpyxl.load_workbook(mapless.book)
        heads = {cell.value: cell.column for cell in book["Locations"][1]}
        book["Locations"].cell([row["Name"] for row in before].index(STRAIT) + 2, heads["Map X"], 700)
        book.save(mapless.book)
        click(tab, 300, 480)
        tab.click("#write")
        tab.locator("#said.bad").filter(has_text=f"somebody changed the pixel of {STRAIT} meanwhile").wait_for()
        assert row_of(mapless.book, "Locations", "Name", STRAIT)["Map X"] == 700


def test_the_map_page_is_empty_and_its_data_need_the_key(swift_home: Any, mapless: Moderator) -> None:
    with served(mapless, BOOK) as board:
        page = board.asks("GET", "/map", x_board_key=None, sec_fetch_site="none")
        assert page.status == 200
        assert not any(text in page.text for text in (BOOK, LONDON, board.token))
        assert board.asks("GET", "/places").status == 401
        assert board.asks("POST", "/places", {"before": {}, "after": {}}).status == 401
        board.opens()
        assert board.asks("POST", "/places", {"before": {}, "after": {LONDON: [1, -1]}}).status == 400
        gone = board.asks("POST", "/places", {"before": {"Avalon": ["", ""]}, "after": {"Avalon": [1, 1]}})
        assert (gone.status, gone.data["text"]) == (
            409,
            "Locations: Avalon is gone; nothing is saved. Load the page again.",
        )


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        ({"Locations": []}, "There is no place yet: fill in a row of Locations."),
        (
            {"Locations": [{"Name": "York"}]},
            "Locations has no columns Map X and Map Y: type both headers into free cells of its row 1.",
        ),
    ],
)
def test_a_workbook_without_places_is_reported(moderator: Moderator, spoil: dict[str, Any], sentence: str) -> None:
    write(moderator.book, season() | spoil, {"Locations": ("Name", "Terrain")})
    said = moderator.types("board", BOOK, "--places", "places.html")
    assert (said.code, said.err.strip()) == (1, f"sheets-algo: {sentence}")
    assert not (moderator.folder / "places.html").exists()


def test_the_page_of_places_belongs_to_no_war(moderator: Moderator) -> None:
    said = moderator.types("board", BOOK, "W-0001", "--places", "places.html")
    assert said.code == 2
    assert "--places writes a page of the map of the game: leave out REQUEST" in " ".join(said.err.split())


def test_a_pixel_is_typed_into_a_spreadsheet_and_overwrites_nobody(online: Online) -> None:
    rows = only(season(), "W-0002")
    rows["Locations"] = [row | {"Map X": None, "Map Y": None} for row in rows["Locations"]]
    id = online.make(rows)
    with served(online.moderator, id, **online.environment) as board:
        board.opens()
        pixel = {"before": {LONDON: ["", ""]}, "after": {LONDON: [308, 378]}}
        assert board.asks("POST", "/places", pixel).data["text"].startswith("Saved: 1 place")
        assert [online.column(id, head, "Locations")[0] for head in ("Map X", "Map Y")] == [308, 378]
        again = board.asks("POST", "/places", pixel)
        assert (again.status, f"somebody changed the pixel of {LONDON} meanwhile" in again.data["text"]) == (409, True)
