"""Posts to a webhook over real HTTP: what a message looks like, what it never does, and what each failure becomes."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from localdiscord.server import LocalDiscord

from scripts.support.posting import Outbox, post
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.channel import NotSent, PostRefused, Unanswered
from sheets_algo.posting.discord import DiscordChannel
from sheets_algo.workbook.findings import State

HOSTILE = "@everyone <@&1> **bold** [x](https://evil.example) `code` ||spoiler|| # \u202eעברית :skull: <t:1:R>"


@pytest.fixture
def discord() -> Iterator[LocalDiscord]:
    with LocalDiscord(silence_s=1.5) as server:
        assert isinstance(server, LocalDiscord)
        yield server


@pytest.fixture
def channel(discord: LocalDiscord, tmp_path: Path) -> DiscordChannel:
    return DiscordChannel(settings(discord, tmp_path), timeout_s=1)


def settings(discord: LocalDiscord, folder: Path) -> ChannelSettings:
    file = folder / "webhook.txt"
    file.write_text(discord.webhook + "\n", "utf-8")
    file.chmod(0o600)
    return ChannelSettings(name="war room", to="discord", secret_file=file)


def test_a_receipt_is_an_embed_with_its_map_and_the_colour_of_the_winner(discord, channel):
    id = channel.send(post(picture=b"\x89PNG", colour=(170, 0, 16)))

    (message,) = discord.messages
    (embed,) = message.data["embeds"]
    assert (message.id, message.files) == (id, {"map.png": b"\x89PNG"})
    assert embed == {
        "title": "Hastings, 1066",
        "description": "**Result**\n- **Item 0:** 0\n- **Item 1:** 1\n- **Item 2:** 2",
        "footer": {"text": "Receipt 8 · W-0007"},
        "timestamp": "2026-03-01T12:00:00Z",
        "color": 0xAA0010,
    }


def test_a_hostile_name_pings_nobody_and_marks_nothing_up(discord, channel):
    channel.send(post(HOSTILE, text=lambda number: HOSTILE))
    channel.correct(post(kind="Undo", undoes=post(HOSTILE, text=lambda number: HOSTILE)), discord.messages[0].id)

    (message,) = discord.messages
    assert (message.pings, message.data["allowed_mentions"]) == ([], {"parse": []})
    texts = [message.data["embeds"][0][name] for name in ("title", "description")]
    for text in texts:
        assert "@everyone" not in text
        assert "https://" not in text
        assert "\u202e" not in text
        assert r"\*\*bold\*\* \[x\](" in text
        assert r"\|\|spoiler\|\|" in text


@pytest.mark.parametrize("sign", ["x", "𓀀", "*", "\\", "é"])
@pytest.mark.parametrize("items", [3, 60, 400])
def test_text_beyond_discord_s_limits_is_cut_and_attached_in_full(discord, channel, sign, items):
    channel.send(post(sign * 2_000, items=items, text=lambda number: sign * 150))

    (message,) = discord.messages
    assert message.data["embeds"][0]["title"].endswith("…")
    assert message.files["receipt.txt"].decode().count(sign) >= 2_000 + 150 * items


def test_an_undo_strikes_the_message_through_and_names_its_receipt(discord, channel):
    id = channel.send(post(picture=b"\x89PNG"))

    assert channel.correct(post(number=9, kind="Undo", undoes=post()), id) == id

    (message,) = discord.messages
    assert message.edits == 1
    assert message.files == {"map.png": b"\x89PNG"}
    assert message.data["embeds"][0]["title"] == "~~Hastings, 1066~~"
    assert message.data["embeds"][0]["description"].splitlines() == [
        "**Undone** by receipt 9.",
        "**~~Result~~**",
        *(f"- ~~**Item {number}:** {number}~~" for number in range(3)),
    ]


def test_an_undo_of_a_deleted_or_unknown_message_is_posted(discord, channel):
    assert channel.correct(post(kind="Undo", undoes=post()), "77") == "77"
    assert discord.messages == []

    assert channel.correct(post(kind="Undo", blocks=(), undoes=post()), "") == discord.messages[0].id
    assert discord.messages[0].data["embeds"][0]["description"] == r"The ruling of W\-0007 is undone."


def test_a_message_goes_into_the_configured_thread(discord, tmp_path):
    file = settings(discord, tmp_path).secret_file
    inside = DiscordChannel(ChannelSettings(name="t", to="discord", secret_file=file, thread="42"))
    inside.correct(post(kind="Undo", undoes=post()), inside.send(post()))

    (message,) = discord.messages
    assert (message.thread, message.edits) == ("42", 1)


@pytest.mark.parametrize("kind", ["reset", "half", "silence", "500", "503", "page"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_lost_answer_leaves_a_new_message_unsure_and_repeats_an_edit(discord, channel, kind, when):
    id = channel.send(post())
    discord.fail(kind, when, times=2)

    with pytest.raises(Unanswered):
        channel.send(post())
    with pytest.raises(NotSent):
        channel.correct(post(kind="Undo", undoes=post()), id)


def test_a_pause_requested_by_discord_is_kept(discord, channel):
    for kind, says, seconds in (("429", "", 0.2), ("429-global", " for all posts", 0.2), ("429-page", "", 1.0)):
        discord.fail(kind)
        with pytest.raises(NotSent, match=f"asks to wait {seconds:.0f} seconds?{says}") as raised:
            channel.send(post())
        assert raised.value.after_s == seconds
    assert discord.messages == []


def test_a_deleted_webhook_and_other_refusals_are_reported(discord, channel):
    discord.fail("400")
    with pytest.raises(PostRefused, match=r"status 400: Invalid Form Body; embeds: made up"):
        channel.send(post())

    discord.is_deleted = True
    with pytest.raises(PostRefused, match=r"knows no such webhook \(status 404\): put the address of one into .*txt"):
        channel.send(post())


def test_without_a_connection_nothing_was_sent(discord, channel, tmp_path):
    channel.settings.secret_file.write_text("http://127.0.0.1:9/api/webhooks/1/token", "utf-8")
    with pytest.raises(NotSent, match="There is no connection to Discord"):
        channel.send(post())


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "There is no secret of war room in the file"),
        ("https://evil.example/api/webhooks/1/hush-hush", "is no address of a Discord webhook"),
        ("https://discord.com/channels/1/2/hush-hush", "is no address of a Discord webhook"),
    ],
)
def test_a_file_without_a_webhook_address_is_reported_without_its_content(channel, content, says):
    channel.settings.secret_file.write_text(content, "utf-8")
    with pytest.raises(NotSent, match=says) as raised:
        channel.send(post())
    assert "hush" not in "".join(traceback.format_exception(raised.value))


def test_doctor_posts_nothing_and_warns_of_a_file_that_others_can_read(discord, channel):
    assert [finding.state for finding in channel.examine()] == [State.OK]
    channel.settings.secret_file.chmod(0o644)
    assert [finding.state for finding in channel.examine()] == [State.WARN, State.OK]
    discord.is_deleted = True
    assert [finding.state for finding in channel.examine()] == [State.WARN, State.WARN]
    assert {asked.method for asked in discord.asked} == {"GET"}


@pytest.mark.parametrize("kind", [*LocalDiscord.kinds, "deleted", "away"])
def test_the_webhook_address_appears_in_no_error_log_or_row(discord, tmp_path, kind, caplog):
    caplog.set_level(logging.DEBUG)
    outbox = Outbox(tmp_path / "season", (settings(discord, tmp_path),))
    token = discord.token
    discord.is_deleted = kind == "deleted"
    if kind == "away":
        outbox.channels[0].secret_file.write_text(f"http://127.0.0.1:9/api/webhooks/1/{token}", "utf-8")
    elif kind != "deleted":
        discord.fail(kind, times=9)
    said: list[str] = []
    poster = outbox.poster()
    poster.log = lambda sentence, is_trouble: said.append(sentence)

    poster.work()

    assert said
    written = [str(outbox.book.rows(tab)) for tab in outbox.book.tabs]
    files = [file.read_bytes().decode(errors="replace") for file in outbox.folder.rglob("*") if file.is_file()]
    logged = [record.getMessage() for record in caplog.records]
    assert [text for text in (*said, *written, *files, *logged) if token in text] == []


def test_a_deleted_webhook_stops_the_channel_until_a_person_resumes_it(discord, tmp_path):
    outbox = Outbox(tmp_path / "season", (settings(discord, tmp_path),))
    discord.is_deleted = True
    outbox.poster().work()
    outbox.poster().work()
    states = [state for (state,) in outbox.posts("state")]
    assert states == ["Failed", *["Waiting"] * (len(states) - 1)]
    assert len(discord.asked) == 1

    discord.is_deleted = False
    outbox.act(0, "Send again")
    outbox.poster().work()
    assert {state for (state,) in outbox.posts("state")} == {"Posted"}
    assert [(message.id,) for message in discord.messages] == outbox.posts("reference")


class Killed(BaseException):
    """The process ends here."""
