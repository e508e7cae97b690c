"""Watchers of a Google spreadsheet that post to Discord: each post once, and no ruling waits for Discord."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from localdiscord.server import LocalDiscord

from tests.e2e.moderator import only, season
from tests.e2e.online import URL, Online, watching


@pytest.fixture
def discord() -> Iterator[LocalDiscord]:
    with LocalDiscord(silence_s=20) as server:
        assert isinstance(server, LocalDiscord)
        yield server


@pytest.fixture
def posting(online: Online, discord: LocalDiscord) -> Online:
    file = online.moderator.folder / "webhook.txt"
    file.write_text(discord.webhook, "utf-8")
    file.chmod(0o600)
    channel = '[[post]]\nname = "war room"\nto = "discord"\nsecret_file = "webhook.txt"\n'
    (online.moderator.folder / "sheets-algo.toml").write_text(channel, "utf-8")
    return online


def test_two_watchers_post_each_receipt_once_and_a_tick_becomes_a_post(posting, discord):
    id = posting.make(only(season()))
    with (
        posting.watches(URL.format(id)) as first,
        watching(posting.moderator, [URL.format(id)], posting.environment) as second,
    ):
        first.hears("Watched every 2 seconds.")
        for request in ("W-0004", "W-0001", "W-0002"):
            posting.tick(id, request)
        second.until(lambda: len(discord.messages) == 3)
        first.until(lambda: posting.column(id, "State", "Posts") == ["Posted"] * 3)

    footers = [message.data["embeds"][0]["footer"]["text"] for message in discord.messages]
    assert [text.partition(" ·")[0] for text in footers] == ["Receipt 2", "Receipt 3", "Receipt 4"]
    assert posting.column(id, "Reference", "Posts") == [message.id for message in discord.messages]


def test_discord_in_silence_delays_no_ruling_and_its_secret_stands_nowhere(posting, discord):
    id = posting.make(only(season()))
    discord.fail("silence", times=9)
    with posting.watches(URL.format(id), "--verbose") as watcher:
        watcher.hears("Watched every 2 seconds.")
        posting.tick(id, "W-0004")
        watcher.until(lambda: len(discord.asked) == 1)
        posting.tick(id, "W-0001")
        watcher.hears("W-0001")
        assert posting.rulings(id) == ["W-0004", "W-0001"]
        assert posting.column(id, "State", "Posts") == ["Sending", "Waiting"]

    folder = posting.moderator.folder
    kept = [file.read_bytes() for file in folder.rglob("*") if file.is_file() and file.name != "webhook.txt"]
    assert [content for content in kept if discord.token.encode() in content] == []
