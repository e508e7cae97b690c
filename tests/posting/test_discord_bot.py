"""Posts of a bot over real HTTP: each message once in effect, a thread for each war, and what each failure becomes."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from faulty.server import Answer, Asked
from localdiscord.server import LocalDiscord

from scripts.support.posting import post
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.channel import NotSent, PostRefused, Unanswered
from sheets_algo.posting.discord import DiscordChannel
from sheets_algo.posting.discord_bot import DiscordBotChannel
from sheets_algo.workbook.findings import State


@pytest.fixture
def discord() -> Iterator[LocalDiscord]:
    with LocalDiscord(silence_s=1.5) as server:
        assert isinstance(server, LocalDiscord)
        yield server


def bot(discord: LocalDiscord, folder: Path, **more: Any) -> DiscordBotChannel:
    file = folder / "bot.txt"
    file.write_text(discord.bot_token + "\n", "utf-8")
    file.chmod(0o600)
    given: dict[str, Any] = {"channel": "7"} | more
    return DiscordBotChannel(ChannelSettings(name="herald", to="discord", secret_file=file, **given), 1, discord.api)


def webhook(discord: LocalDiscord, folder: Path) -> DiscordChannel:
    (folder / "webhook.txt").write_text(discord.webhook, "utf-8")
    return DiscordChannel(
        ChannelSettings(name="forum", to="discord", secret_file=folder / "webhook.txt", threads=True), 1
    )


def where(discord: LocalDiscord) -> list[tuple[str, str]]:
    """Return channel and title of each message of the bot or the webhook."""
    own = [message for message in discord.messages if message.author != "77"]
    return [(message.channel, message.data["embeds"][0]["title"]) for message in own]


FIRST = post("Hastings", number=8, mark="R-0008 aa", request="W-0007")
SECOND = post("Hastings again", number=9, mark="R-0009 aa", request="W-0007")


def test_a_message_is_found_by_its_mark_and_sent_once(discord, tmp_path):
    channel = bot(discord, tmp_path)
    id = channel.send(replace(FIRST, picture=b"\x89PNG"))
    discord.forget_nonces()
    for number in range(250):
        discord.say(f"message {number}")

    assert channel.send(FIRST) == id
    assert channel.send(SECOND) != id
    assert [message.files for message in discord.messages if message.author == "5"] == [{"map.png": b"\x89PNG"}, {}]
    assert discord.messages[0].data["embeds"][0]["footer"]["text"] == "R-0008 aa · W-0007"


def test_a_mark_posted_by_another_user_is_ignored(discord, tmp_path):
    id = bot(discord, tmp_path).send(FIRST)
    discord.messages[0].author = "66"
    discord.forget_nonces()
    assert bot(discord, tmp_path).send(FIRST) != id


@pytest.mark.parametrize("kind", ["reset", "half", "silence", "500", "503", "page"])
@pytest.mark.parametrize("when", ["before", "after", "late"])
def test_a_lost_answer_leads_to_no_second_message(discord, tmp_path, kind, when):
    channel = bot(discord, tmp_path)
    discord.fail(kind, when, match="POST")
    with pytest.raises((Unanswered, NotSent)):
        channel.send(FIRST)
    if when == "after":
        discord.forget_nonces()

    channel.send(FIRST)
    discord.carry_out_late()
    assert where(discord) == [("7", "Hastings")]


def test_an_undo_finds_and_strikes_the_message_without_its_id(discord, tmp_path):
    channel = bot(discord, tmp_path)
    channel.send(FIRST)
    undo = post(number=10, mark="R-0010 aa", kind="Undo", undoes=FIRST)

    channel.correct(undo, "")
    channel.correct(undo, "")

    (message,) = discord.messages
    assert (message.edits, message.data["embeds"][0]["title"]) == (2, "~~Hastings~~")
    assert channel.send(FIRST) == message.id  # struck through, it is still there


def test_the_posts_of_a_war_share_a_thread_of_its_first_message(discord, tmp_path):
    channel = bot(discord, tmp_path, threads=True)
    first = channel.send(FIRST)
    assert discord.threads == []
    discord.fail("reset", "after", match="/threads")
    with pytest.raises(Unanswered):
        channel.send(SECOND, first)
    second = channel.send(SECOND, first)

    (thread,) = discord.threads
    assert (thread.name, thread.parent, thread.id) == ("Hastings again", "7", first)
    assert where(discord) == [("7", "Hastings"), (first, "Hastings again")]
    channel.correct(post(kind="Undo", undoes=SECOND), second, first)
    channel.correct(post(kind="Undo", undoes=FIRST), first, first)
    assert [message.edits for message in discord.messages] == [1, 1]


def test_a_bot_begins_a_forum_thread_once_and_leaves_a_lost_answer_to_a_person(discord, tmp_path):
    channel = bot(discord, tmp_path, channel="8", threads=True)
    for when in ("before", "after"):
        discord.fail("reset", when, match="POST")
        with pytest.raises(Unanswered) as raised:
            channel.send(FIRST)
        assert not raised.value.is_repeatable
    first = channel.send(FIRST)

    (thread,) = discord.threads
    assert first == f"{thread.id}/{thread.id}"
    assert channel.send(SECOND, first).startswith(f"{thread.id}/")
    assert {place for place, _ in where(discord)} == {thread.id}
    thread.is_archived = True
    assert channel.send(FIRST) == first


@pytest.mark.parametrize("place", ["7", "8"])
def test_a_message_is_found_wherever_rows_place_it(discord, tmp_path, place):
    """PST-10: rows of Posts are sorted and backups come back, so the first post of a war may be another one now."""
    channel = bot(discord, tmp_path, channel=place, threads=True)
    first = channel.send(FIRST)
    third = replace(FIRST, mark="R-0010 aa", title="Hastings, the third")
    second, other = channel.send(SECOND, first), channel.send(third)
    discord.forget_nonces()
    before = where(discord)

    assert channel.send(SECOND) == second  # in a thread, though no earlier post is known
    assert channel.send(FIRST, other) == first  # first of all, though another one is known
    assert channel.send(SECOND, other) == second
    assert where(discord) == before
    channel.correct(post(kind="Undo", undoes=SECOND), "", other)
    assert [message.edits for message in discord.messages] == [0, 1, 0]


def test_a_message_in_transit_to_another_place_is_not_duplicated(discord, tmp_path):
    channel = bot(discord, tmp_path, threads=True)
    first, other = channel.send(FIRST), channel.send(replace(FIRST, mark="R-0010 aa"))
    discord.fail("reset", "late", match="POST /api/v10/channels/7/messages")
    with pytest.raises(Unanswered):
        channel.send(SECOND)
    channel.send(SECOND, other)
    discord.carry_out_late()
    assert len(discord.messages) == 3
    assert first


def test_a_message_is_found_among_hundreds_of_archived_threads(discord, tmp_path):
    channel = bot(discord, tmp_path, channel="8", threads=True)
    first = channel.send(FIRST)
    for number in range(220):
        discord.say("a thread of a person", discord.begin_thread(f"Thread {number}", "8", "77").id)
    for thread in discord.threads:
        thread.is_archived = True
    assert channel.send(FIRST) == first
    discord.asked.clear()
    channel.send(replace(SECOND, time="2026-03-01T14:00:00Z"))
    assert len([asked for asked in discord.asked if asked.path.endswith("/archived/public")]) == 1


def test_threads_older_than_a_receipt_are_not_searched(discord, tmp_path):
    """Each look is a request, and a forum has a thread for each war of the season."""
    channel = bot(discord, tmp_path, channel="8", threads=True)
    for number in range(12):
        channel.send(replace(FIRST, mark=f"R-{number:04} bb"))
    discord.asked.clear()
    channel.send(replace(SECOND, time="2026-03-01T14:00:00Z"))
    looks = [asked for asked in discord.asked if "/messages" in asked.path]
    first_looks = len(looks)
    channel.send(replace(SECOND, mark="R-0099 bb"))

    assert first_looks == 0
    assert len([asked for asked in discord.asked if "/messages" in asked.path]) == 13
    assert len(discord.threads) == 14


@pytest.mark.parametrize("threads", [b"7", b'["x"]', b'{"id": "7"}', b"null"])
def test_threads_with_unexpected_data_are_ignored(discord, tmp_path, threads):
    """What was not sent is not Unsure, whatever Discord answers."""
    whole = discord.answer

    def answer(asked: Asked) -> tuple[Answer, str]:
        found, how = whole(asked)
        return (Answer(200, b'{"threads": ' + threads + b"}") if "threads/" in asked.path else found), how

    discord.answer = answer
    channel = bot(discord, tmp_path, channel="8", threads=True)
    if threads.startswith(b"["):
        channel.send(FIRST)
        assert len(discord.threads) == 1
    else:
        with pytest.raises(NotSent, match="without the messages or threads"):
            channel.send(FIRST)
        assert discord.threads == []


def test_a_forum_webhook_begins_a_thread_for_a_war_and_again_after_its_deletion(discord, tmp_path):
    discord.webhook_channel = "8"
    channel = webhook(discord, tmp_path)
    first = channel.send(replace(FIRST, war="@everyone " + "𓀀" * 90))
    second = channel.send(SECOND, first)
    (thread,) = discord.threads
    assert thread.name.startswith("@everyone 𓀀")  # Discord notifies nobody by the name of a thread
    assert first == f"{thread.id}/{thread.id}"
    assert second.startswith(f"{thread.id}/")
    channel.correct(post(kind="Undo", undoes=SECOND), second, first)
    assert [message.edits for message in discord.messages] == [0, 1]

    del discord.channels[thread.id]
    assert channel.send(FIRST, first) not in (first, second)
    assert len(discord.threads) == 1


def test_a_webhook_begins_threads_in_forums_only(discord, tmp_path):
    with pytest.raises(PostRefused, match="make the webhook in a forum, or leave threads out"):
        webhook(discord, tmp_path).send(FIRST)
    discord.webhook_channel = "8"
    settings = replace(webhook(discord, tmp_path).settings, threads=False)
    with pytest.raises(PostRefused, match="the channel is a forum: write threads = true"):
        DiscordChannel(settings).send(FIRST)
    with pytest.raises(PostRefused, match="The channel is a forum: write threads = true"):
        bot(discord, tmp_path, channel="8").send(FIRST)


def test_each_refusal_is_a_sentence_without_the_token(discord, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    discord.fail("429-global")
    with pytest.raises(NotSent, match="asks to wait 0 seconds for all posts of this machine") as wait:
        bot(discord, tmp_path).send(FIRST)
    with pytest.raises(PostRefused, match=r"knows no such channel \(status 404\): correct 99 in the settings") as gone:
        bot(discord, tmp_path, channel="99").send(FIRST)
    channel = bot(discord, tmp_path)
    token, discord.bot_token = discord.bot_token, "another-token-than-before"
    with pytest.raises(PostRefused, match=r"does not know the bot \(status 401\): put its token into .*bot.txt") as out:
        channel.send(FIRST)
    channel.settings.secret_file.write_text("Bot with spaces", "utf-8")
    with pytest.raises(NotSent, match=r"is no token of a bot"):
        channel.send(FIRST)
    said = [str(raised.value) for raised in (wait, gone, out)] + [record.getMessage() for record in caplog.records]
    assert [text for text in said if token in text] == []


def test_doctor_posts_nothing_by_a_bot(discord, tmp_path):
    (finding,) = bot(discord, tmp_path).examine()
    assert (finding.state, finding.text) == (State.OK, "the bot Herald sees the channel wars; nothing was posted.")
    (finding,) = bot(discord, tmp_path, channel="8").examine()
    assert (finding.state, finding.text) == (State.WARN, "war-forum is a forum: write threads = true.")
    assert {asked.method for asked in discord.asked} == {"GET"}


def test_a_deleted_forum_thread_is_reported(discord, tmp_path):
    channel = bot(discord, tmp_path, channel="8", threads=True)
    first = channel.send(FIRST)
    del discord.channels[first.partition("/")[0]]
    with pytest.raises(PostRefused, match="knows no such channel"):
        channel.send(SECOND, first)
