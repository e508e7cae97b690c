"""What players see of a ruling at Discord: the result, three sentences, the rest hidden; whom it mentions; tags."""

from __future__ import annotations

import copy
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from localdiscord.server import FORUM, LocalDiscord

from scripts.support.posting import Outbox, post
from scripts.support.season_records import age, records
from scripts.support.workbooks import example, workbook
from sheets_algo.commands.post import work_off
from sheets_algo.config.post_settings import ChannelSettings, read_channels
from sheets_algo.posting.channel import NotSent
from sheets_algo.posting.discord import DiscordChannel
from sheets_algo.posting.discord_bot import DiscordBotChannel
from sheets_algo.workbook.findings import State
from tests.helpers.games import facts_by_game

ANNA, BRUNO, CARLA = "100000000000000001", "100000000000000002", "100000000000000003"
STRANGER = "999999999999999999"


@pytest.fixture
def discord() -> Iterator[LocalDiscord]:
    with LocalDiscord() as server:
        assert isinstance(server, LocalDiscord)
        yield server


def settings(folder: Path, secret: str, **more: Any) -> ChannelSettings:
    (folder / "secret").write_text(secret, "utf-8")
    return ChannelSettings(name="wars", to="discord", secret_file=folder / "secret", **more)


def season(folder: Path, channel: ChannelSettings, *requests: str, **players: object) -> Outbox:
    """Rule some wars of 1066 under players of their nations; a name with _ stands for one with a space."""
    rows = example("1066")
    rows["War Requests"] = [row for row in rows["War Requests"] if row["Request"] in requests]
    for row in rows["Nations"]:
        row["Player"] = players.get(row["Name"])
    heads = {"Nations": dict.fromkeys(head for row in rows["Nations"] for head in row)}
    return Outbox(folder, (channel,), begun=workbook(rows, heads))


def test_a_post_begins_with_the_result_and_hides_the_rest_behind_a_spoiler(discord, tmp_path):
    season(tmp_path, settings(tmp_path, discord.webhook), "W-0003").poster().work()

    (message,) = discord.messages
    (embed,) = message.data["embeds"]
    assert re.fullmatch(r"Channel interception, 1066\\: (England|Normandy) (takes|holds) .*\.", embed["title"])
    told, _, hidden = embed["description"].partition("\n\n")
    assert len(told.splitlines()) == 3
    assert hidden.startswith("||")
    assert hidden.endswith("||")
    assert "**Battle:** " in hidden
    assert not any(sentence in hidden for sentence in told.splitlines())
    assert message.data.get("content") is None
    assert message.alts["map.png"].startswith("Map of Channel interception, 1066. ")


@pytest.mark.parametrize(
    ("story", "result"),
    [("jousts", " wins, "), *((game, words) for game, words in facts_by_game("RESULT").items() if words)],
)
def test_a_ruling_of_any_game_begins_with_its_result(discord, tmp_path, story, result):
    """Not how the attacker's location is rated: of a war by score, three lines of that stood here."""
    Outbox(tmp_path, (settings(tmp_path, discord.webhook),), story=story).poster().work()

    embeds = [message.data["embeds"][0] for message in discord.messages]
    told = [embed for embed in embeds if result in embed["title"]]
    assert told, [embed["title"] for embed in embeds]
    assert all(embed["description"].startswith(("||", "The attacker has ")) for embed in told)


def test_with_a_site_the_rest_is_behind_a_link(discord, tmp_path):
    channel = settings(tmp_path, discord.webhook, site="https://wars.example.org/s3")
    season(tmp_path, channel, "W-0003").poster().work()

    assert discord.messages[0].data["embeds"][0]["description"].splitlines()[3:] == [
        "", "[The whole receipt](https://wars.example.org/s3/wars/w-0003.html)"
    ]  # fmt: skip


def test_the_draw_of_a_leader_is_not_posted_but_a_war_is(discord, tmp_path):
    rows = example("1066")
    rows["War Requests"] = [row for row in rows["War Requests"] if row["Request"] == "W-0003"]
    rows["Leader Requests"] = [
        {"Request": "L-1", "Leader": "Ralf", "Nation": "England", "Year": 1066, "Age": 30, "Ready": True}
        | {"Strongest Trait": "Defense"}
    ]
    outbox = Outbox(tmp_path, (settings(tmp_path, discord.webhook),), begun=workbook(rows))
    outbox.poster().work()

    assert "Ralf" in str(outbox.book.rows("Receipts"))
    assert [request for (request,) in outbox.posts("request")] == ["W-0003"]


@pytest.mark.parametrize("long", ["a" * 5_000, "\\" * 5_000, "|" * 5_000, "𝕏" * 4_000])
def test_a_post_of_any_length_fits_and_leaves_no_spoiler_open(discord, tmp_path, long):
    channel = DiscordChannel(settings(tmp_path, discord.webhook))
    for sentences in (("A wins.",), (long,), (long, long)):
        channel.send(post(long, text=lambda number: long, headline=long, sentences=sentences))
    for message in discord.messages:
        assert message.data["embeds"][0]["description"].replace("\\|", "").count("||") % 2 == 0
        assert message.files["receipt.txt"]


@pytest.mark.parametrize(
    ("england", "pinged"),
    [
        (ANNA, [ANNA]),
        (f"<@{ANNA}>; {BRUNO}", [ANNA, BRUNO]),
        (f"Anna, {BRUNO}, {BRUNO}", [BRUNO]),
        ("@everyone", []),
        ("<@&5>; @here", []),
        (STRANGER, []),
        (1.0000000000000001e17, []),
        (None, []),
    ],
)
def test_nat_28_a_result_mentions_only_the_players_of_its_nations(discord, tmp_path, england, pinged):
    season(tmp_path, settings(tmp_path, discord.webhook), "W-0003", England=england, Norway=CARLA).poster().work()

    (message,) = discord.messages
    assert sorted(message.pings) == sorted(pinged)
    allowed = message.data["allowed_mentions"]
    assert allowed["parse"] == []
    assert sorted(allowed.get("users", ())) == sorted({*pinged, *([STRANGER] if england == STRANGER else [])})


def test_nat_28_a_struck_through_post_mentions_nobody_again(discord, tmp_path):
    outbox = season(tmp_path, settings(tmp_path, discord.webhook), "W-0003", England=ANNA)
    outbox.poster().work()
    outbox.undo("W-0003")
    outbox.poster().work()

    (message,) = discord.messages
    assert (message.edits, message.pings) == (1, [ANNA])


def test_nat_28_an_announced_war_mentions_its_players(discord, tmp_path):
    channel = settings(tmp_path, discord.webhook, odds=True)
    rows = example("1066")
    rows["War Requests"] = [row | {"Action": "Forecast"} for row in rows["War Requests"] if row["Request"] == "W-0003"]
    for row in rows["Nations"]:
        row["Player"] = {"England": ANNA, "Norway": CARLA}.get(row["Name"])
    heads = {"Nations": dict.fromkeys(head for row in rows["Nations"] for head in row)}
    outbox = Outbox(tmp_path, (channel,), begun=workbook(rows, heads))
    outbox.poster().work()

    (message,) = discord.messages
    assert message.data["embeds"][0]["title"].startswith("War announced")
    assert message.pings == [ANNA]


def forum(discord: LocalDiscord, *tags: str) -> None:
    discord.channels["8"].tags = {tag: f"70{number}" for number, tag in enumerate(tags)}
    discord.channels["8"].requires_tag = True
    discord.webhook_channel = "8"


def bot(folder: Path, discord: LocalDiscord, **more: Any) -> DiscordBotChannel:
    return DiscordBotChannel(settings(folder, discord.bot_token, channel="8", threads=True, **more), api=discord.api)


def test_a_thread_of_a_forum_gets_its_tags_by_name_and_a_webhook_by_id(discord, tmp_path):
    forum(discord, "War", "Peace")
    bot(tmp_path, discord, tags=("war",)).send(post())
    DiscordChannel(settings(tmp_path, discord.webhook, threads=True, tags=("701",))).send(post("Peace"))

    assert [thread.tags for thread in discord.threads] == [{"War": "700"}, {"Peace": "701"}]
    assert discord.channels["8"].type == FORUM


@pytest.mark.parametrize(
    ("tags", "says"),
    [
        (("Wra",), 'The forum has no tag "Wra"; it has War, Peace. Correct tags in the settings.'),
        ((), "a tag is required to create a forum post"),
    ],
)
def test_a_forum_that_requires_a_tag_waits_for_the_settings(discord, tmp_path, tags, says):
    forum(discord, "War", "Peace")
    channel = bot(tmp_path, discord, tags=tags)

    with pytest.raises(NotSent) as raised:
        channel.send(post())
    assert says.casefold() in str(raised.value).casefold()
    (finding,) = [finding for finding in channel.examine() if "mode" not in finding.text]
    assert finding.state is State.WARN
    assert "War, Peace" in finding.text
    assert discord.threads == []


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"tags": ["War"]}, "threads of forums have tags"),
        ({"tags": ["War"], "threads": True}, "a webhook cannot look up the names of tags"),
        ({"tags": ["1"] * 6, "threads": True}, "at most 5 tags"),
    ],
)
def test_unusable_tags_are_refused_in_the_settings(tmp_path, more, says):
    with pytest.raises(ValueError, match=says):
        read_channels([{"name": "a", "to": "discord", "secret_env": "A"} | more], tmp_path)


def standing(discord: LocalDiscord) -> list[Any]:
    return [message for message in discord.messages if message.data["embeds"][0]["title"] == "Where things stand"]


def bots(outbox: Outbox, discord: LocalDiscord) -> Any:
    poster = outbox.poster()
    for channel in poster.channels.values():
        if isinstance(channel, DiscordBotChannel):
            object.__setattr__(channel, "api", discord.api)
    return poster


@pytest.mark.parametrize("kind", ["webhook", "bot", "webhook of a forum", "bot in a forum"])
def test_pst_16_one_standing_message_is_edited_in_place(discord, tmp_path, kind):
    is_bot, is_forum = "bot" in kind, "forum" in kind
    discord.webhook_channel = "8" if is_forum else "7"
    more = {"channel": discord.webhook_channel} if is_bot else {}
    secret = discord.bot_token if is_bot else discord.webhook
    channel = settings(tmp_path, secret, standing=True, odds=True, threads=is_forum, **more)
    rows = example("1066")
    wars = [row for row in rows["War Requests"] if row["Request"] in ("W-0001", "W-0003")]
    rows["War Requests"] = [wars[0] | {"Action": "Forecast"}, wars[1]]
    outbox = Outbox(tmp_path, (channel,), begun=workbook(rows))
    bots(outbox, discord).work()

    (message,) = standing(discord)
    told = message.data["embeds"][0]["description"]
    assert "**Wars to come**" in told
    assert "attacker wins" in told
    assert "- **Channel interception, 1066:** " in told
    first = message.edits

    heads = outbox.book.rows("War Requests")[0]
    outbox.book.type_in("War Requests", 2, heads.index("Action") + 1, None)
    outbox.rule()
    for _ in range(3):
        bots(outbox, discord).work()  # each as on a new computer: a message that is right is not edited
    told = message.data["embeds"][0]["description"]
    assert "Wars to come" not in told
    assert told.count("1066") == told.count("Stamford Bridge, 1066") + 1 == 2
    assert (len(standing(discord)), message.edits) == (1, first + 1)

    outbox.undo("W-0001")
    bots(outbox, discord).work()
    assert "Stamford Bridge" not in message.data["embeds"][0]["description"]
    assert "won" in message.data["embeds"][0]["description"]
    assert len(standing(discord)) == 1


def test_pst_16_a_deleted_message_is_sent_again_and_a_deleted_row_finds_it(discord, tmp_path):
    outbox = season(tmp_path, settings(tmp_path, discord.webhook, standing=True), "W-0003")
    outbox.poster().work()
    (message,) = standing(discord)
    row = next(index for index, (odds,) in enumerate(outbox.posts("odds")) if odds.startswith("standing"))
    for column in range(1, len(outbox.book.rows("Posts")[0]) + 1):
        outbox.book.type_in("Posts", row + 2, column, None)
    outbox.poster().work()
    assert standing(discord) == [message]
    assert outbox.posts("state") == [("Posted",)] * 2

    discord.messages.remove(message)
    outbox.undo("W-0003")
    outbox.poster().work()
    assert len(standing(discord)) == 1


@pytest.mark.parametrize("is_bot", [True, False])
@pytest.mark.parametrize("is_in_backup", [True, False])
def test_pst_16_one_message_continues_after_a_restore_on_a_new_computer(discord, tmp_path, is_bot, is_in_backup):
    """The guard of a spreadsheet notes that the message is there, and not its id."""
    more = {"channel": "7"} if is_bot else {}
    channel = settings(tmp_path, discord.bot_token if is_bot else discord.webhook, standing=True, **more)
    outbox = season(tmp_path, channel, "W-0003")
    backup = copy.deepcopy(outbox.book)
    bots(outbox, discord).work(lambda: bool(discord.messages))
    if is_in_backup:
        discord.fail("503", match="POST") if is_bot else discord.fail("429", match="POST")
        bots(outbox, discord).work()
        backup = copy.deepcopy(outbox.book)
        outbox.clock.move(60)
    bots(outbox, discord).work()
    (message,) = standing(discord)
    backup.posts, outbox.book, outbox.folder = outbox.book.posts, backup, tmp_path / "another computer"
    discord.forget_nonces()

    for _ in range(3):
        bots(outbox, discord).work()
        outbox.clock.move(400)
    (row,) = (index for index, (odds,) in enumerate(outbox.posts("odds")) if odds.startswith("standing"))
    if not is_bot:
        assert outbox.posts("state")[row] == ("Unsure",)
        assert "look there" in outbox.message(row)
        outbox.act(row, f"Posted {message.id}")
    outbox.undo("W-0003")
    bots(outbox, discord).work()

    assert standing(discord) == [message]
    assert outbox.posts("state", "reference")[row] == ("Posted", message.id)
    assert "No war is ruled yet" in message.data["embeds"][0]["description"]


def test_pst_16_a_backup_with_a_waiting_message_does_not_repeat_it(discord, tmp_path):
    """Its row is gone and the folder is back: the record says that it waits, and may miss that it was posted."""
    outbox = season(tmp_path, settings(tmp_path, discord.webhook, standing=True), "W-0003")
    outbox.book.noted_posts = lambda: None  # type: ignore[method-assign, assignment, return-value] # a file has no guard
    outbox.poster().work(lambda: bool(discord.messages))
    discord.fail("429", match="POST")
    outbox.poster().work()
    outbox.poster().work()
    (record,) = records(tmp_path)
    kept, (row,) = record.read_bytes(), outbox.posts("state")[1:]
    assert (row, len(standing(discord))) == (("Waiting",), 0)
    outbox.clock.move(60)
    outbox.poster().work()
    (message,) = standing(discord)

    record.write_bytes(kept)
    age(tmp_path)
    for column in range(1, len(outbox.book.rows("Posts")[0]) + 1):
        outbox.book.type_in("Posts", 3, column, None)
    for _ in range(3):
        outbox.poster().work()
        outbox.clock.move(400)

    assert standing(discord) == [message]
    assert outbox.posts("state") == [("Posted",), ("Unsure",)]
    assert "it is not known whether this was posted: look there" in outbox.message(1)


@pytest.mark.parametrize("was_posted", [True, False])
def test_pst_16_another_computer_posts_a_message_only_if_there_was_none(discord, tmp_path, was_posted):
    """The file was moved without the folder beside it, and the tab was deleted in between."""
    channel = settings(tmp_path, discord.webhook, standing=True)
    outbox = season(tmp_path, channel, "W-0003")
    outbox.book.noted_posts = lambda: None  # type: ignore[method-assign, assignment, return-value] # a file has no guard
    if was_posted:
        outbox.poster().work()
        for column in range(1, len(outbox.book.rows("Posts")[0]) + 1):
            outbox.book.type_in("Posts", 3, column, None)
    else:
        outbox.book.delete_tab("Posts")
    outbox.clock.move(400)
    outbox.folder = tmp_path / "another computer"
    for _ in range(3):
        outbox.poster().work()

    assert len(standing(discord)) == 1
    assert outbox.posts("odds", "state")[-1][1] == ("Unsure" if was_posted else "Posted")


def test_pst_16_nothing_is_edited_while_a_receipt_is_changed(discord, tmp_path):
    outbox = season(tmp_path, settings(tmp_path, discord.webhook, standing=True), "W-0003")
    outbox.poster().work()
    (message,) = standing(discord)
    before = message.data["embeds"], message.edits
    column = outbox.book.rows("Receipts")[0].index("Receipt") + 1
    outbox.book.type_in("Receipts", 3, column, "== Norway wins everything ==")

    step = outbox.poster().work()

    assert "is not as it was written" in step.held
    assert (message.data["embeds"], message.edits) == before


def test_pst_16_a_busy_discord_delays_an_edit_and_is_not_queried(discord, tmp_path):
    outbox = season(tmp_path, settings(tmp_path, discord.webhook, standing=True), "W-0003")
    outbox.poster().work()
    (message,) = standing(discord)
    outbox.undo("W-0003")
    discord.retry_after = 3 * 3_600.0
    discord.fail("429", match="PATCH", times=9)
    poster = outbox.poster()
    poster.work()
    assert poster.pauses.left_s == 3 * 3_600.0
    asked = len(discord.asked)
    poster.work()
    assert len(discord.asked) == asked
    discord.faults.clear()
    outbox.clock.move(3 * 3_600 + 1)
    poster.work()
    assert "No war is ruled yet" in message.data["embeds"][0]["description"]


def test_pst_16_a_message_that_needs_a_person_is_reported_as_such(discord, tmp_path):
    outbox = season(tmp_path, settings(tmp_path, discord.webhook, standing=True), "W-0003")
    outbox.poster().work()
    row = next(row for row, (odds,) in enumerate(outbox.posts("odds")) if odds.startswith("standing"))
    outbox.book.type_in("Posts", row + 2, outbox.book.rows("Posts")[0].index("State") + 1, "Unsure")
    shutil.rmtree(tmp_path / ".sheets-algo")  # which notes that it arrived
    outbox.book.posts = ""

    report = work_off(outbox.session(), forced=False)

    assert report.lines == ["Where things stand, wars: needs you: see its Message in Posts"]


@pytest.mark.parametrize("is_standing", [True, False])
def test_pst_07_later_posters_leave_a_busy_channel_alone(discord, tmp_path, is_standing):
    outbox = season(tmp_path, settings(tmp_path, discord.webhook, standing=is_standing), "W-0003")
    if is_standing:
        outbox.poster().work()
        outbox.undo("W-0003")
    discord.retry_after = 3 * 3_600.0
    discord.fail("429", times=99)
    outbox.poster().work()
    asked = len(discord.asked)
    assert ("2026-03-01T15:00:00Z",) in outbox.posts("time")

    outbox.folder = tmp_path / "another computer"
    others, outbox.channels = outbox.channels, ()
    stranger = outbox.poster()
    stranger.work()
    assert stranger.pauses.left_s is None  # it has no such channel
    outbox.channels = others
    later = outbox.poster()
    said = []
    later.log = lambda sentence, is_trouble: said.append(sentence)
    outbox.clock.move(3 * 3_600 - 60)
    later.work()
    assert said == ["wars is left alone until 2026-03-01T15:00:00Z, as it asked."]
    assert (len(discord.asked), later.pauses.asked_left_s) == (asked, 60)

    discord.faults.clear()
    outbox.clock.move(60)
    later.work()
    assert len(discord.asked) > asked
    assert {state for (state,) in outbox.posts("state")} == {"Posted"}
    assert [outbox.message(row) for row, _ in enumerate(outbox.posts("seq"))].count("") == len(outbox.posts("seq"))


@pytest.mark.parametrize("time", ["2031-01-01T00:00:00Z", "2026-03-01T15:00:00", "", "soon", "9999-99-99T99:99:99Z"])
def test_pst_07_an_implausible_pause_delays_nothing(discord, tmp_path, time):
    outbox = season(tmp_path, settings(tmp_path, discord.webhook), "W-0003")
    heads = outbox.book.rows("Posts")[0]
    outbox.book.type_in("Posts", 2, heads.index("Time") + 1, time)
    outbox.book.type_in("Posts", 2, heads.index("Message") + 1, "Discord asks to wait.")
    outbox.poster().work()
    assert len(discord.messages) == 1


def test_pst_16_a_refused_message_delays_no_receipt(discord, tmp_path):
    rows = example("1066")
    wars = [row for row in rows["War Requests"] if row["Request"] in ("W-0001", "W-0003")]
    rows["War Requests"] = [wars[0], wars[1] | {"Ready": False}]
    outbox = Outbox(tmp_path, (settings(tmp_path, discord.webhook, standing=True),), begun=workbook(rows))
    outbox.poster().work(lambda: bool(discord.messages))  # the receipt alone
    discord.fail("400", times=9)
    outbox.poster().work()
    assert outbox.posts("odds", "state")[-1] == (outbox.posts("odds")[-1][0], "Failed")
    discord.faults.clear()

    outbox.book.type_in("War Requests", 3, outbox.book.rows("War Requests")[0].index("Ready") + 1, True)
    outbox.rule()
    outbox.poster().work()

    assert len(discord.messages) == 2
    assert outbox.posts("seq", "state").count((0, "Failed")) == 1
