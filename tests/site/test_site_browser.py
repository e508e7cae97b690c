"""A site in a real browser: what a phone and a screen show, barriers, hostile names, requests."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from scripts.support.browser import AXE, BARRIERS, browser
from scripts.support.workbooks import example
from sheets_algo.config.loader import ConfigLoader
from tests.helpers.sites import hostile_jousts, season_of

pytestmark = pytest.mark.browser
PAGES = (
    *("index.html", "wars/index.html", "wars/w-0001.html", "logs/w-0001.html", "nations/index.html"),
    *("nations/england.html", "rules/autoalgo.html", "rules/autoalgo/units.html"),
    *("rules/autoalgo/rulebook/STAB.html", "rules/autoalgo/rulebook/R.html"),
    *("wars/j-0001.html", "wars/k-0001.html"),
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    season_of(folder, hostile_jousts()).site(folder / "site")
    return folder / "site"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as found:
        yield found


@pytest.mark.parametrize(("width", "theme"), [(1200, "light"), (360, "dark")])
def test_pages_are_accessible_without_sideways_scrolling(chromium: Any, site: Path, width: int, theme: str) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 800}, color_scheme=theme)
    tab = context.new_page()
    heard: list[str] = []
    tab.on("request", lambda request: heard.append(request.url))
    tab.on("console", lambda message: heard.append(message.text))
    tab.on("pageerror", lambda error: heard.append(str(error)))
    for page in PAGES:
        heard.clear()
        tab.goto((site / page).as_uri())
        own = [(site / name).as_uri() for name in (page, "style.css", "maps/w-0001.png")]
        assert set(own[:2]) <= set(heard) <= set(own), page
        assert tab.evaluate("getComputedStyle(document.querySelector('.top a')).textDecorationLine") == "none"
        assert tab.evaluate("document.documentElement.scrollWidth") <= width, page
        tab.evaluate(AXE.read_text(encoding="utf-8"))
        assert tab.evaluate(BARRIERS) == [], page
    context.close()


def test_paired_bars_have_one_scale_and_numbers_below_0_go_to_the_left(chromium: Any, tmp_path: Path) -> None:
    rows = example("plots")
    for house, rank in zip(rows["Houses"], (10, 5, -3), strict=True):
        house["Rank"] = rank
    season_of(tmp_path, rows).site(tmp_path / "site")
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    tab = context.new_page()
    tab.goto((tmp_path / "site/wars/k-0001.html").as_uri())
    places = """(name) => [...[...document.querySelectorAll(".bars tr")].find((row) => row.innerText.startsWith(name))
        .querySelectorAll("rect")].map((bar) => bar.getBoundingClientRect()).map((box) => [box.left, box.width])"""
    york, lancaster, tudor = (tab.evaluate(places, name) for name in ("York", "Lancaster", "Tudor"))

    assert york[0][1] / york[1][1] == pytest.approx(10 / 12, rel=0.02)
    assert lancaster[0][1] / york[0][1] == pytest.approx(5 / 10, rel=0.02)
    assert tudor[0][1] / tudor[1][1] == pytest.approx(3 / 2, rel=0.05)
    assert tudor[0][1] / york[0][1] == pytest.approx(3 / 10, rel=0.05)
    assert sum(tudor[0]) == pytest.approx(york[0][0], abs=1)
    assert max(map(sum, (*york, *lancaster, *tudor))) <= 390
    context.close()


def test_a_link_leads_from_the_first_page_to_a_playing_replay(chromium: Any, site: Path) -> None:
    context = chromium.new_context()
    tab = context.new_page()
    tab.goto((site / "index.html").as_uri())
    tab.click("text=Stamford Bridge")
    assert tab.locator(".sides .won").count() == 1
    opening = Image.open(BytesIO(tab.locator(".opening svg").screenshot()))
    assert opening.width > 300
    assert abs(opening.width - opening.height) <= 1
    assert len(opening.convert("RGB").getcolors(1 << 24)) > 20  # ground, flanks and their labels
    tab.click("text=Replay")
    tab.locator("body[data-ready]").wait_for()
    tab.click("#on")
    assert tab.locator("#hour").inner_text() == "Hour 1"
    context.close()


def test_a_phone_shows_every_column_and_the_whole_digest(chromium: Any, site: Path, hostile: Path) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    tab = context.new_page()
    labels: list[str] = []
    for page in ("wars/index.html", "nations/index.html"):
        tab.goto((site / page).as_uri())
        cells = tab.locator(".cards td:not(:empty)")
        boxes = [cell.bounding_box() for cell in cells.all()]
        assert all(box["width"] > 40 and box["x"] + box["width"] <= 390 for box in boxes)
        labels += [cell.get_attribute("data-label") for cell in cells.all()]
    assert len(labels) > 20
    assert {"Attacker", "Men lost", "Stability", "Won"} <= set(labels)
    shown = cells.first.evaluate("cell => getComputedStyle(cell, '::before').content")
    assert shown == f'"{cells.first.get_attribute("data-label")}"'
    tab.goto((hostile / "index.html").as_uri())
    tab.click("#head summary")
    assert tab.locator("code.digest").bounding_box()["width"] > 100
    context.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_lines_of_the_chart_are_labelled_and_the_time_has_years(chromium: Any, site: Path, width: int) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 844})
    tab = context.new_page()
    tab.goto((site / "index.html").as_uri())
    tab.click("text=Stability over the years")
    names, years = (tab.locator(f".stability .{part} text") for part in ("ends", "times"))
    assert "England" in names.all_text_contents()
    assert "1066" in years.all_text_contents()
    frame = tab.locator("figure").first.bounding_box()
    for labels in (names, years):
        boxes = sorted((label.bounding_box() for label in labels.all()), key=lambda box: (box["y"], box["x"]))
        assert all(box["x"] + box["width"] <= frame["x"] + frame["width"] for box in boxes)
        for one, other in pairwise(boxes):
            assert one["y"] + one["height"] <= other["y"] + 3 or one["x"] + one["width"] <= other["x"]
    context.close()


def test_hostile_names_execute_nothing_and_fit(chromium: Any, hostile: Path) -> None:
    """Even where the policy that forbids scripts is not understood."""
    context = chromium.new_context(viewport={"width": 360, "height": 780}, bypass_csp=True)
    tab = context.new_page()
    heard: list[str] = []
    tab.on("console", lambda message: heard.append(message.text))
    tab.on("pageerror", lambda error: heard.append(str(error)))
    tab.on("dialog", lambda dialog: heard.append("dialog"))
    folders = ("", "wars", "nations", "logs")
    pages = [page for folder in folders for page in sorted((hostile / folder).glob("*.html"))]
    assert len(pages) > 20
    for page in pages:
        tab.goto(page.as_uri())
        assert tab.title() != "run"
        assert tab.evaluate("document.scripts.length + document.images.length") == 0, page
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360, page
        assert tab.evaluate("document.querySelector('h1').clientHeight") <= 150, page
    assert heard == []
    context.close()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the five wars of the example, whose places are on the map of the game."""
    folder = tmp_path_factory.mktemp("world")
    rows = {tab: [*lines] for tab, lines in ConfigLoader().example("1066").items()}
    rows["Militaries"] = [row | {"Transport": "Galley"} if row.get("Transport") else row for row in rows["Militaries"]]
    season_of(folder, rows).site(folder / "site")
    return folder / "site"


def test_the_first_page_of_five_wars_is_short_on_a_phone(chromium: Any, world: Path) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    tab = context.new_page()
    tab.goto((world / "index.html").as_uri())

    assert tab.locator(".list .go").count() == 5
    assert tab.evaluate("document.documentElement.scrollHeight") <= 1_800
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    tab.evaluate(AXE.read_text(encoding="utf-8"))
    assert tab.evaluate(BARRIERS) == []
    context.close()


def test_map_09_a_slider_shows_the_map_of_each_year_and_back_leaves_the_page(chromium: Any, world: Path) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    tab = context.new_page()
    heard: list[str] = []
    tab.on("console", lambda message: heard.append(message.text))
    tab.goto((world / "wars/index.html").as_uri())
    tab.goto((world / "index.html").as_uri())
    year = tab.locator(".years figure:visible .year")
    labels = tab.locator(".years figure").evaluate_all("figures => figures.map(figure => figure.dataset.year)")
    assert labels[:2] == ["Before 1066", "1066"]
    assert year.inner_text() == labels[-1]
    for label in reversed(labels[1:-1]):
        tab.click(".years .before")
        assert year.inner_text() == label
    assert "occupies" in tab.locator(".years figure:visible figcaption").inner_text()
    picture = tab.locator(".years figure:not([hidden]) img").first  # the page allows no waiting for a script's text
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 1200
    tab.locator(".years input").press("Home")
    assert year.inner_text() == "Before 1066"
    tab.go_back()

    assert tab.url.endswith("wars/index.html")
    assert heard == []
    context.close()
