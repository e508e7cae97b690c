"""Links to combats on the site of a season."""

from __future__ import annotations

import html
import re
from pathlib import Path

from scripts.support.workbooks import example
from tests.helpers.sites import season_of


def test_a_link_to_a_combat_opens_its_result(tmp_path: Path) -> None:
    season_of(tmp_path / "season", example("hexcombat")).site(tmp_path / "site")
    first, war = (described((tmp_path / "site" / page).read_text()) for page in ("index.html", "wars/h-0001.html"))

    assert war.startswith("716th Rifles: ")
    assert re.match(r"\d+ rulings\. Last: Sappers at the bridge\. \w", first)


def described(text: str) -> str:
    """Return the sentence that chats show with a link to a page."""
    (found,) = re.findall(r'<meta property="og:description" content="([^"]*)">', text)
    return html.unescape(found)
