"""The page of a combat in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scripts.support.browser import browser
from scripts.support.rulings import rulings_of
from sheets_algo.pages.replay_page import replay_page
from sheets_algo.ruling.plan import Ruling

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [390, 1280])
def test_a_hex_combat_shows_its_board_and_collapses_dice(tmp_path: Path, width: int) -> None:
    ruling = rulings_of("hexcombat", tab="Combat Requests")[0]
    dice = [event.text for event in ruling.outcome.events if "rolled" in event.text]
    page = tmp_path / "combat.html"
    page.write_text(replay_page(ruling), encoding="utf-8")
    with browser() as chromium:
        tab = chromium.new_context(viewport={"width": width, "height": 844}).new_page()
        tab.goto(page.as_uri())
        check(tab, ruling, dice, width)


def check(tab: Any, ruling: Ruling, dice: list[str], width: int) -> None:
    """Check what a page shows before and after a person opens the fold."""
    board = tab.locator("img.places").bounding_box()
    assert board["y"] < 844 / 4
    assert board["width"] > width / 2
    assert tab.locator("button").count() == 0
    assert len(dice) > 20
    assert not any(tab.get_by_text(text).is_visible() for text in dice[:3])

    fold = tab.locator("summary")
    assert str(len(ruling.outcome.events)) in fold.inner_text()
    assert fold.bounding_box()["height"] >= 44
    fold.press("Enter")
    assert all(tab.get_by_text(text).is_visible() for text in dice[:3])
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
