"""A war from its announcement to its undo: odds, receipt, replay page, link and decisions, in one thread."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from localdiscord.server import LocalDiscord
from localwiki.server import LocalWiki

from scripts.support.posting import Outbox
from scripts.support.smallest_war import war_rows
from scripts.support.workbooks import example, workbook
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.discord_bot import DiscordBotChannel
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.decided import war, with_overrides

HOSTILE = "[[x]] @everyone {{y}} <!-- --> \u202eעברית **b** " + "z" * 1_900


@pytest.fixture
def discord() -> Iterator[LocalDiscord]:
    with LocalDiscord(silence_s=1.5) as server:
        assert isinstance(server, LocalDiscord)
        yield server


class Season(Outbox):
    """A season whose posters know the local Discord."""

    api = ""

    def work(self) -> None:
        poster = self.poster()
        for channel in poster.channels.values():
            if isinstance(channel, DiscordBotChannel):
                object.__setattr__(channel, "api", self.api)
        poster.work()

    def types(self, header: str, value: Any) -> None:
        """Let a person type into the first request."""
        self.book.type_in("War Requests", 2, self.book.rows("War Requests")[0].index(header) + 1, value)


def season(discord: LocalDiscord, folder: Path, book: MemoryWorkbook, secret: str, **more: Any) -> Season:
    (folder / "secret.txt").write_text(secret, "utf-8")
    channel = ChannelSettings(name="wars", to="discord", secret_file=folder / "secret.txt", **more)
    made = Season(folder / "season", (channel,), begun=book)
    made.api = discord.api
    return made


def announced(discord: LocalDiscord, folder: Path, war: str = "Quarrel", **more: Any) -> Season:
    given: dict[str, Any] = {"channel": "7", "threads": True, "odds": True} | more
    secret = discord.bot_token if given["channel"] else discord.webhook
    return season(discord, folder, workbook(war_rows(War=war, Action="Forecast")), secret, **given)


def titles(discord: LocalDiscord) -> list[str]:
    return [message.data["embeds"][0]["title"] for message in discord.messages]


def test_pst_13_ready_odds_announce_the_war_and_its_receipt_joins_the_thread(discord, tmp_path):
    made = announced(discord, tmp_path, replay=True, site="https://wars.example.org/s3")
    assert made.posts("seq", "request", "state") == [(0, "W-1", "Waiting")]
    made.work()
    made.rule()  # the odds are there
    made.types("Action", None)
    made.rule()
    made.work()
    made.undo("W-1")
    made.work()

    odds, receipt = discord.messages
    (thread,) = discord.threads
    assert (odds.channel, receipt.channel, thread.id, thread.name) == ("7", odds.id, odds.id, "Quarrel, 1000")
    assert titles(discord) == [
        r"War announced\: Quarrel",
        r"~~Quarrel, 1000\: Right holds Heath\: Left's attack is beaten off.~~",
    ]
    (embed,) = odds.data["embeds"]
    assert embed["description"].startswith("- **Forecast:** attacker wins ")
    assert r"± " in embed["description"]
    assert re.search(
        r"\*\*Attacker losses:\*\* [\d,]+ to [\d,]+ in 50 % of the battles, [\d,]+ to [\d,]+ in 90 %\n",
        embed["description"],
    )
    assert re.search(r"\*\*Stability:\*\* Attacker\\: .* %\. Defender\\: .* %", embed["description"])
    assert receipt.data["embeds"][0]["url"] == "https://wars.example.org/s3/wars/w-1.html"
    assert list(receipt.files) == ["map.png", "replay.html"]
    assert b"Quarrel" in receipt.files["replay.html"]
    assert made.posts("seq", "state", "reference") == [
        (0, "Posted", odds.id),
        (2, "Posted", f"{odds.id}/{receipt.id}"),
        (3, "Posted", f"{odds.id}/{receipt.id}"),
    ]


def test_odds_are_posted_where_configured_and_again_when_the_war_changes(discord, tmp_path):
    assert announced(discord, tmp_path, odds=False).posts("seq") == []
    assert announced(discord, tmp_path, motives=("Raid",)).posts("seq") == []
    made = announced(discord, tmp_path)
    made.work()
    made.types("Year", 1100)
    made.rule()
    made.work()
    assert titles(discord) == [r"War announced\: Quarrel", r"New odds\: Quarrel"]
    assert len({message.data["embeds"][0]["footer"]["text"] for message in discord.messages}) == 2


def test_edited_odds_are_refused(discord, tmp_path):
    made = announced(discord, tmp_path)
    made.book.type_in("Forecasts", 2, made.book.rows("Forecasts")[0].index("Error") + 1, "much")
    made.work()
    assert made.posts("state") == [("Failed",)]
    assert made.message() == "There are no such odds in Forecasts."


def test_a_receipt_waits_for_the_place_of_its_war_s_odds(discord, tmp_path):
    discord.webhook_channel = "8"
    made = announced(discord, tmp_path, channel="")
    discord.fail("reset", "after", match="POST")
    made.work()
    made.types("Action", None)
    made.rule()
    made.work()
    assert made.posts("state") == [("Unsure",), ("Waiting",)]
    assert made.message(1) == "It waits until somebody has said whether the post of odds of W-1 arrived."

    thread = discord.threads[0].id
    made.act(0, f"Posted https://discord.com/channels/9/{thread}/{thread}")
    made.work()
    assert made.posts("state") == [("Posted",), ("Posted",)]
    assert [message.channel for message in discord.messages] == [thread, thread]


def test_a_hostile_name_is_announced_as_typed_and_pings_nobody(discord, tmp_path):
    made = announced(discord, tmp_path, HOSTILE)
    made.work()
    made.types("Action", None)
    made.rule()
    made.work()
    odds, receipt = discord.messages
    (thread,) = discord.threads
    assert (odds.pings, receipt.pings) == ([], [])
    assert len(thread.name) == 100
    assert "\u202e" not in thread.name + odds.data["embeds"][0]["title"] + receipt.data["embeds"][0]["title"]
    assert "@everyone" not in odds.data["embeds"][0]["title"]


def test_odds_and_receipt_share_the_wiki_page_of_their_war(tmp_path):
    with LocalWiki() as wiki:
        assert isinstance(wiki, LocalWiki)
        (tmp_path / "bot.txt").write_text(wiki.password, "utf-8")
        channel = ChannelSettings(
            name="wiki", to="mediawiki", secret_file=tmp_path / "bot.txt", address=wiki.api, user=wiki.user,
            page="Wars/{request}", odds=True, site="https://wars.example.org",
        )  # fmt: skip
        book = workbook(war_rows(War="[[x]] {{y}} ~~~~ <nowiki>", Action="Forecast"))
        made = Season(tmp_path / "season", (channel,), begun=book)
        made.work()
        made.types("Action", None)
        made.rule()
        made.work()
        (page,) = wiki.pages.values()
        assert page.text.count("<!-- sheets-algo ") == 2
        assert page.text.count("== War announced: ") == 1
        assert page.text.endswith("\n* [https://wars.example.org/wars/w-1.html The war on the season's site]")
        assert made.posts("state") == [("Posted",), ("Posted",)]


def test_a_moderator_s_decision_is_posted_with_reason_and_author(discord, tmp_path):
    decision = ["W-0002", "Result", "England Stability", 66, "The peace of Wallingford was kinder", "Anna"]
    book = with_overrides(war("W-0002"), decision)
    season(discord, tmp_path, book, discord.webhook).work()
    (message,) = discord.messages
    assert "The peace of Wallingford was kinder" in message.data["embeds"][0]["description"]
    assert "Anna" in message.data["embeds"][0]["description"]


def battles(discord: LocalDiscord, folder: Path, **more: Any) -> Season:
    """Return a season with two battles of one war, the first of which is announced, and with a war of its own."""
    rows = example("1066")
    chosen = {"W-0001": "Year of [kings] @everyone", "W-0003": "Year of [kings] @everyone", "W-0004": None}
    rows["War Requests"] = [
        row | {"Part of": chosen[row["Request"]], "Action": "Forecast" if row["Request"] == "W-0003" else None}
        for row in rows["War Requests"]
        if row["Request"] in chosen
    ]
    return season(discord, folder, workbook(rows), discord.bot_token, **{"threads": True, "odds": True} | more)


@pytest.mark.parametrize("channel", ["7", "8"])
def test_req_19_battles_of_one_war_share_a_thread_with_the_score(discord, tmp_path, channel):
    """In a text channel and in a forum: a war of its own has a thread of its own, as before."""
    made = battles(discord, tmp_path, channel=channel)
    made.rule()
    made.work()
    heads = made.book.rows("War Requests")[0]
    made.book.type_in("War Requests", 3, heads.index("Action") + 1, None)
    made.book.type_in("War Requests", 3, heads.index("Ends War") + 1, True)
    made.rule()
    made.work()

    told = {message.data["embeds"][0]["footer"]["text"].rpartition(" · ")[2]: message for message in discord.messages}
    first, last, other = (told[request] for request in ("W-0001", "W-0003", "W-0004"))
    thread = next(thread for thread in discord.threads if "kings" in thread.name)
    assert thread.name == "Year of [kings] @everyone"
    of_war = [message for message in discord.messages if message.data["embeds"][0]["footer"]["text"][-6:] != "W-0004"]
    assert len(of_war) == 3
    assert {message.channel for message in of_war[1:]} == {thread.id}
    assert of_war[0].channel == thread.id or of_war[0].id == thread.id
    assert other.channel != thread.id
    texts = [message.data["embeds"][0]["description"].replace("\\", "") for message in (first, last, other)]
    assert re.search(r"Year of \[kings\] @\u200beveryone: England \d : \d Norway, [\d,]+ men lost\.", texts[0])
    assert re.search(r"[\d,]+ men lost; sides not known: add the war to Wars; over\.", texts[1])
    assert "kings" not in texts[2]


def test_req_19_a_battle_joins_the_thread_of_lost_rows(discord, tmp_path):
    """Old rows may be deleted, or typed over with a battle of another war."""
    discord.webhook_channel = "8"
    rows = example("1066")
    rows["War Requests"] = rows["War Requests"][:4]
    for row, name in zip(rows["War Requests"], ["Kings", "Other", "Kings", "Kings"], strict=True):
        row |= {"Part of": name, "Ready": row["Request"] in ("W-0001", "W-0002")}
    made = season(discord, tmp_path, workbook(rows), discord.webhook, threads=True)
    made.work()
    heads = made.book.rows("War Requests")[0]
    for header in heads:
        made.book.type_in("War Requests", 2, heads.index(header) + 1, None)
    made.book.type_in("War Requests", 3, heads.index("Year") + 1, 1067)
    made.book.type_in("War Requests", 3, heads.index("Part of") + 1, "Kings")
    for number in (4, 5):
        made.book.type_in("War Requests", number, heads.index("Ready") + 1, True)
    made.rule()
    made.work()

    kings, other = (thread.id for thread in discord.threads)
    assert [thread.name for thread in discord.threads] == ["Kings", "Other"]
    assert [message.channel for message in discord.messages] == [kings, other, kings, kings]


def test_req_19_the_standing_post_names_open_wars_of_several_battles(discord, tmp_path):
    made = battles(discord, tmp_path, channel="7", standing=True)
    made.rule()
    made.work()

    (message,) = [message for message in discord.messages if message.data["embeds"][0]["title"].startswith("Where")]
    text = message.data["embeds"][0]["description"].replace("\\", "")
    assert "**Wars of several battles**\n- **Year of [kings] @\u200beveryone:** England " in text
    heads = made.book.rows("War Requests")[0]
    made.book.type_in("War Requests", 2, heads.index("Ends War") + 1, True)
    made.work()
    assert "Wars of several battles" not in message.data["embeds"][0]["description"]
