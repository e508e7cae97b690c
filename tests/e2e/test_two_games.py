"""A season of two games with three channels and a backup that comes back in the middle: what players saw, in order.

Each game has a channel of Discord: 1066 a text channel with a message that says where things stand, Gaul a forum whose
threads need a tag. A wiki gets both. All is done by the installed command, on files.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest
from localdiscord.server import LocalDiscord
from localwiki.server import LocalWiki

from scripts.support.browser import browser
from scripts.support.moderator import Moderator, only, season, shown, write
from scripts.support.season_records import age
from tests.helpers.discord_look import page_of

ANNA, BRUNO = "100000000000000001", "100000000000000002"
SETTINGS = """
[[post]]
name = "1066"
to = "discord"
secret_file = "first.txt"
workbooks = ["season.xlsx"]
standing = true

[[post]]
name = "gaul"
to = "discord"
secret_file = "second.txt"
workbooks = ["gaul.xlsx"]
threads = true
tags = ["70"]

[[post]]
name = "wiki"
to = "mediawiki"
address = "{api}"
user = "{user}"
secret_file = "wiki.txt"
page = "Talk:Wars"
"""

QUOTES = "'''"
pytestmark = pytest.mark.extra


class Seen:
    """What players have seen in three places, each event once."""

    def __init__(self, first: LocalDiscord, second: LocalDiscord, wiki: LocalWiki) -> None:
        self.servers, self.wiki = {"1066": first, "gaul": second}, wiki
        self._known: set[str] = set()

    def news(self) -> list[str]:
        """Return what is new since the last call: new messages, edited ones, and sections of the wiki."""
        found = []
        for name, server in self.servers.items():
            for message in server.messages:
                title = message.data["embeds"][0]["title"].replace("\\", "")
                title = re.sub(r": (.+?) (?:takes|holds) [^~]*", r": \1", title)
                if title == "Where things stand":
                    results = len(re.findall("holds|takes", message.data["embeds"][0]["description"]))
                    title += f" ({results} result{'s' if results > 1 else ''})"
                thread = server.channels[message.channel].name
                pings = "".join(f" @{ {ANNA: 'Anna', BRUNO: 'Bruno'}[id] }" for id in message.pings)
                found.append(f"{name}/{thread}: {title}{pings}")
        text = self.wiki.pages["Talk:Wars"].text if "Talk:Wars" in self.wiki.pages else ""
        found += [f"wiki: {line.strip('= ')}" for line in text.splitlines() if line.startswith("== ")]
        found += [f"wiki: {line.split(QUOTES)[1]}" for line in text.splitlines() if line.startswith(": ")]
        new = [event for event in found if event not in self._known]
        self._known.update(found)
        twice = {event for event in found if found.count(event) > 1}
        assert twice == set(), twice
        return new


@pytest.fixture
def places(moderator: Moderator) -> Iterator[Seen]:
    with LocalDiscord() as first, LocalDiscord() as second, LocalWiki() as wiki:
        assert isinstance(first, LocalDiscord)
        assert isinstance(second, LocalDiscord)
        assert isinstance(wiki, LocalWiki)
        second.webhook_channel = "8"
        second.channels["8"].tags, second.channels["8"].requires_tag = {"War": "70"}, True
        for name, secret in {"first": first.webhook, "second": second.webhook, "wiki": wiki.password}.items():
            (moderator.folder / f"{name}.txt").write_text(secret, "utf-8")
            (moderator.folder / f"{name}.txt").chmod(0o600)
        settings = SETTINGS.format(api=wiki.api, user=wiki.user)
        (moderator.folder / "sheets-algo.toml").write_text(settings, "utf-8")
        rows = only(season(), "W-0001")
        for row in rows["Nations"]:
            row["Player"] = {"England": ANNA, "Normandy": BRUNO}.get(row["Name"])
        write(moderator.book, rows, {"Nations": dict.fromkeys(head for row in rows["Nations"] for head in row)})
        write(moderator.folder / "gaul.xlsx", only(season(), "W-0004"))
        yield Seen(first, second, wiki)


def tick(book: Path, request: str) -> None:
    opened = openpyxl.load_workbook(book)
    sheet = opened["War Requests"]
    heads = [cell.value for cell in sheet[1]]
    row = next(row for row in sheet.iter_rows(min_row=2) if row[heads.index("Request")].value == request)
    row[heads.index("Ready")].value = True
    opened.save(book)


def back_up(moderator: Moderator) -> None:
    shutil.copytree(moderator.folder / ".sheets-algo", moderator.folder / "backup" / ".sheets-algo")
    shutil.copy(moderator.book, moderator.folder / "backup" / moderator.book.name)


def bring_back(moderator: Moderator) -> None:
    """Bring back the workbook and its folder, as they were an hour ago."""
    shutil.rmtree(moderator.folder / ".sheets-algo")
    shutil.copytree(moderator.folder / "backup" / ".sheets-algo", moderator.folder / ".sheets-algo")
    shutil.copy(moderator.folder / "backup" / moderator.book.name, moderator.book)
    age(moderator.folder)


def act(book: Path, seq: int, channel: str, action: str) -> None:
    opened = openpyxl.load_workbook(book)
    sheet = opened["Posts"]
    heads = [cell.value for cell in sheet[1]]
    row = next(
        row
        for row in sheet.iter_rows(min_row=2)
        if (row[heads.index("Seq")].value, row[heads.index("Channel")].value) == (seq, channel)
    )
    assert row[heads.index("State")].value == "Unsure"
    row[heads.index("Action")].value = action
    opened.save(book)


def test_a_season_of_two_games_three_channels_and_a_backup_is_consistent(moderator, places, tmp_path):
    gaul = moderator.folder / "gaul.xlsx"
    assert moderator.types("run", moderator.book).code == 0
    assert moderator.types("run", gaul).code == 0
    assert places.news() == [
        "1066/wars: Stamford Bridge, 1066: England @Anna",
        "1066/wars: Where things stand (1 result)",
        "gaul/Manzikert, 1071: Manzikert, 1071: Seljuk Sultanate",
        "wiki: Stamford Bridge, 1066",
        "wiki: Manzikert, 1071",
    ]

    back_up(moderator)
    tick(moderator.book, "W-0003")
    assert moderator.types("run", moderator.book).code == 0
    assert places.news() == [
        "1066/wars: Where things stand (2 results)",
        "1066/wars: Channel interception, 1066: Normandy @Anna @Bruno",
        "wiki: Channel interception, 1066",
    ]

    bring_back(moderator)  # to when the second war was not ruled, which is ruled again as it was
    tick(moderator.book, "W-0003")
    ruled_again = moderator.types("run", moderator.book)
    assert ruled_again.code == 1
    assert "Receipt 3 (W-0003), 1066: needs you: see its Message in Posts" in ruled_again.out
    assert places.news() == []  # what a mark finds is not written again, and a webhook asks a person

    message = places.servers["1066"].messages[-1]
    act(moderator.book, 3, "1066", f"Posted {message.id}")
    assert moderator.types("undo", gaul, "W-0004").code == 0
    assert moderator.types("run", gaul).code == 1  # its notes came back too
    act(gaul, 3, "gaul", "Send again")
    for book in (moderator.book, gaul):
        assert moderator.types("run", book).code == 0
    assert places.news() == [
        "gaul/Manzikert, 1071: ~~Manzikert, 1071: Seljuk Sultanate~~",
        "wiki: The ruling of W-0004 (Manzikert, 1071) is undone.",
    ]
    for book in (moderator.book, gaul):
        assert {row["State"] for row in shown(book, "Posts")} == {"Posted"}
    assert len(places.servers["1066"].messages) == 3
    look_at(places, tmp_path)


def look_at(places: Seen, folder: Path) -> None:
    """Look at the messages as on a phone, and keep the pictures: what is hidden is hidden, and nothing overflows."""
    with browser() as chromium:
        for name, server in places.servers.items():
            channels = {id: f"#{channel.name}" for id, channel in server.channels.items()}
            page_file = folder / f"{name}.html"
            page_file.write_text(page_of(server.messages, channels, {ANNA: "Anna", BRUNO: "Bruno"}), "utf-8")
            page = chromium.new_page(viewport={"width": 390, "height": 844})
            page.goto(page_file.as_uri())
            page.screenshot(path=folder / f"{name}.png", full_page=True)
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            assert page.locator("img:not([alt^='Map of '])").count() == 0
            for spoiler in page.locator(".spoiler").all():
                assert spoiler.evaluate("it => getComputedStyle(it).color") == "rgba(0, 0, 0, 0)"
            for embed in page.locator(".embed:has(.spoiler)").all():
                told = embed.locator(".spoiler").bounding_box()["y"] - embed.bounding_box()["y"]
                assert told < 422  # what is not hidden takes less than half a phone's screen
            page.close()
        page = chromium.new_page()
        page.goto((folder / "1066.html").as_uri())
        first = page.locator(".message").first
        notified = " ".join(first.locator(".content").inner_text().split())
        assert re.fullmatch(r"Stamford Bridge, 1066: England (takes|holds) .* @Anna", notified)
        assert first.locator(".title").inner_text() == notified.removesuffix(" @Anna")
        assert "Battle" in first.locator(".spoiler").text_content()
