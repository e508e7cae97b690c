"""Secrets of players and of channels, searched for in every byte that leaves and in every file that is written."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import unquote

import pytest
from faulty.server import FaultyServer
from localdiscord.server import LocalDiscord
from localwiki.server import LocalWiki

from scripts.support.moderator import only
from scripts.support.posting import Outbox
from scripts.support.workbooks import SECRET, example, workbook
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.forms.capabilities import SecretForm
from sheets_algo.posting.discord_bot import DiscordBotChannel
from sheets_algo.runtime.session.season_secret import VARIABLE
from sheets_algo.runtime.session.session import opened
from sheets_algo.steps.posts.post_row import PostRow

HEARS = (
    "import os, sys; open(sys.argv[1], 'ab').write(sys.stdin.buffer.read() + repr(sorted(os.environ.items())).encode())"
)
SEASON = SECRET.key.decode()


@pytest.fixture
def discord() -> Iterator[LocalDiscord]:
    with LocalDiscord() as server:
        assert isinstance(server, LocalDiscord)
        yield server


@pytest.fixture
def wiki() -> Iterator[LocalWiki]:
    with LocalWiki(password="the-password-of-a-wiki") as server:
        assert isinstance(server, LocalWiki)
        yield server


def sent(server: FaultyServer) -> list[tuple[str, str]]:
    """Return path and headers, and body, of each request, as text."""
    return [
        (
            unquote(f"{asked.path} {dict(asked.query)} {dict(asked.headers)}"),
            unquote(asked.body.decode(errors="replace")),
        )
        for asked in server.asked
    ]


@pytest.mark.parametrize("story", ["plots", "1066"])
def test_no_secret_leaks_into_files_or_messages(discord, wiki, tmp_path, monkeypatch, caplog, story):
    caplog.set_level(logging.DEBUG)
    secrets = {"webhook": discord.token, "bot": discord.bot_token, "wiki": wiki.password, "season": SEASON}
    monkeypatch.setenv(VARIABLE, SEASON)
    for name, text in (("WAR_ROOM", discord.webhook), ("HERALD", discord.bot_token), ("WIKI", wiki.password)):
        monkeypatch.setenv(name, text)
    heard = tmp_path / "heard"
    heard.touch()
    common = {"odds": True, "site": "https://wars.example.org"}
    channels = (
        ChannelSettings(name="webhook", to="discord", secret_env="WAR_ROOM", replay=True, **common),
        ChannelSettings(name="bot", to="discord", secret_env="HERALD", channel="7", threads=True, **common),
        ChannelSettings(
            name="wiki", to="mediawiki", secret_env="WIKI", address=wiki.api, user=wiki.user, page="Talk:Season",
            nation_page="{nation}", picture=True, **common,
        ),
        ChannelSettings(name="keep", to="command", command=(sys.executable, "-c", HEARS, str(heard)), **common),
    )  # fmt: skip
    rows = example(story) if story == "plots" else only(example(story), "W-0002")
    outbox = Outbox(tmp_path / "season", channels, begun=workbook(rows))
    poster = outbox.poster()
    said: list[str] = []
    poster.log = lambda sentence, is_trouble: said.append(sentence)
    poster.channels = {
        name: replace(channel, api=discord.api) if isinstance(channel, DiscordBotChannel) else channel
        for name, channel in poster.channels.items()
    }
    poster.work()

    seen = opened(outbox.session(), whole=(PostRow,))
    hidden = {form.key for form in seen.forms if isinstance(form, SecretForm)}
    assert bool(hidden) == (story != "1066")
    theirs = [
        text
        for receipt in seen.receipts.by_seq.values()
        if receipt.ruleset in hidden
        for text in (receipt.inputs, receipt.digest[:8], receipt.seed, *receipt.wiki.splitlines()[1:])
        if len(text) > 7
    ]
    left = [*sent(discord), *sent(wiki), ("command", heard.read_bytes().decode())]
    assert [text for text in theirs for where, body in left if text in where or text in body] == []
    assert (len(theirs) > 20) == bool(hidden)
    states = {state for (state,) in outbox.posts("state")}
    assert states == {"Posted"}

    for where, body in left:  # a channel knows its own secret alone, where its protocol has it
        assert [name for name, text in secrets.items() if text in body and name != "wiki"] == []
        assert [name for name, text in secrets.items() if text in where and name not in ("webhook", "bot")] == []
        assert discord.token not in where or where.startswith("/api/webhooks/1/")
        assert discord.bot_token not in where or f"'authorization': 'Bot {discord.bot_token}'" in where
        assert wiki.password not in body or "lgpassword=" in body
    tabs = [str(outbox.book.rows(tab)) for tab in outbox.book.tabs]
    files = [file.read_bytes().decode(errors="replace") for file in tmp_path.rglob("*") if file.is_file()]
    logged = [record.getMessage() for record in caplog.records]
    for written in (*said, *tabs, *files, *logged):
        assert [name for name, text in secrets.items() if text in written] == []
