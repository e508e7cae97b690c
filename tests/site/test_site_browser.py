"""A site in a real browser: what a phone and a screen show, barriers, hostile names, requests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.browser import AXE, BARRIERS, browser
from tests.helpers.sites import hostile_scores, season_of

pytestmark = pytest.mark.browser
PAGES = (
    *("index.html", "wars/index.html", "wars/w-0001.html", "logs/w-0001.html", "nations/index.html"),
    *("nations/england.html", "rules/autoalgo.html", "rules/autoalgo/units.html"),
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    season_of(folder, hostile_scores()).site(folder / "site")
    return folder / "site"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as found:
        yield found


@pytest.mark.parametrize(("width", "theme"), [(1200, "light"), (360, "dark")])
def test_pages_have_no_barriers_and_nothing_scrolls_sideways(chromium: Any, site: Path, width: int, theme: str) -> None:
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


def test_one_comes_from_the_first_page_to_a_replay_that_plays(chromium: Any, site: Path) -> None:
    context = chromium.new_context()
    tab = context.new_page()
    tab.goto((site / "index.html").as_uri())
    tab.click("text=Stamford Bridge")
    assert tab.locator(".sides .won").count() == 1
    assert tab.evaluate("document.querySelector('.places').naturalWidth") > 300
    tab.click("text=Replay, hour by hour")
    tab.locator("body[data-ready]").wait_for()
    tab.click("#on")
    assert tab.locator("#hour").inner_text().startswith("Hour 1 of ")
    context.close()


def test_hostile_names_execute_nothing_and_overflow_nothing(chromium: Any, hostile: Path) -> None:
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
