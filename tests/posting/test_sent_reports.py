"""After a turn of a game with secrets a bot sends each player his report, to him alone (TRN-09)."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from localdiscord.server import LocalDiscord, Message

from engine.players import discord_ids
from scripts.support.workbooks import example, workbook
from sheets_algo.replays.turn_report import turn_report
from sheets_algo.runtime.session.session import opened
from tests.posting.test_announced import Season, season

LIVIA, AIME, GERDA = "100000000000000001", "100000000000000002", "100000000000000003"
PLAYERS = {"York": f"Livia; <@{LIVIA}>", "Lancaster": AIME, "Tudor": "Gerda"}
NOBODY = "199999999999999999"


@pytest.fixture
def discord() -> Iterator[LocalDiscord]:
    with LocalDiscord(silence_s=1.5) as server:
        assert isinstance(server, LocalDiscord)
        yield server


def plots(discord: LocalDiscord, folder: Path, players: dict[str, Any] = PLAYERS, **more: Any) -> Season:
    """Return a game whose turn 12 is over for two of three houses, with a bot."""
    rows = example("plots")
    rows.pop("Rank Requests")
    for row in rows["Houses"]:
        row["Player"] = players[row["House"]]
    return season(discord, folder, workbook(rows), discord.bot_token, **{"channel": "7"} | more)


def end(made: Season) -> None:
    """Let the third house end its turn too."""
    rows = made.book.rows("Plot Requests")
    made.book.type_in("Plot Requests", len(rows), rows[0].index("Action") + 1, "Rule")
    for _ in range(2):
        made.rule()


def direct(discord: LocalDiscord) -> dict[str, list[Message]]:
    """Return the messages that players got, by their ids."""
    found: dict[str, list[Message]] = {}
    for message in discord.messages:
        if message.channel.startswith("4"):
            found.setdefault(message.channel[1:], []).append(message)
    return found


def reports(made: Season) -> list[tuple[Any, ...]]:
    return [row for row in made.posts("request", "odds", "state") if row[1].startswith("report")]


def test_trn_09_each_player_with_an_id_gets_his_report(discord, tmp_path):
    made = plots(discord, tmp_path)
    made.work()
    assert reports(made) == []
    end(made)
    for _ in range(3):
        made.rule()
        made.work()

    seen = opened(made.session())
    last = seen.receipts.head.seq
    assert reports(made) == [
        ("plots 12 York", f"report {last} {LIVIA}", "Posted"),
        ("plots 12 Lancaster", f"report {last} {AIME}", "Posted"),
    ]
    assert {player: len(messages) for player, messages in direct(discord).items()} == {LIVIA: 1, AIME: 1}
    for player, name, other in ((LIVIA, "York", "Lancaster"), (AIME, "Lancaster", "York")):
        (message,) = direct(discord)[player]
        (embed,) = message.data["embeds"]
        report = turn_report(seen.snapshot, seen.forms, seen.receipts, name, 12)
        whole = message.files.get("receipt.txt", b"").decode() + embed["description"].replace("\\", "")
        for block in report.blocks:
            for line in block.lines:
                assert line.text.replace("//", "/\u200b/").replace("@", "@\u200b") in whole or line.text in whole, line
        others = turn_report(seen.snapshot, seen.forms, seen.receipts, other, 12)
        known = "\n".join(line.text for block in report.blocks for line in block.lines)
        secret = [line.text for block in others.blocks for line in block.lines if line.text not in known]
        assert secret
        assert not [text for text in secret if len(text) > 2 and text in whole]
        assert embed["title"] == f"{name}, turn 12"
        assert message.pings == []
    assert not [message for message in discord.messages if message.channel == "7"]


def test_trn_09_a_player_who_refuses_messages_delays_nothing(discord, tmp_path):
    discord.silent.add(LIVIA)
    made = plots(discord, tmp_path, {"York": LIVIA, "Lancaster": NOBODY, "Tudor": GERDA})
    end(made)
    for _ in range(2):
        made.work()

    assert [state for _, _, state in reports(made)] == ["Failed", "Failed", "Posted"]
    assert [*direct(discord)] == [GERDA]
    places = [place for place, (odds,) in enumerate(made.posts("odds")) if odds.startswith("report")]
    assert "takes no direct messages" in made.message(places[0])
    assert "Invalid Recipient" in made.message(places[1])


def test_trn_09_a_report_for_a_house_with_a_new_player_is_not_sent(discord, tmp_path):
    made = plots(discord, tmp_path)
    end(made)
    heads = made.book.rows("Houses")[0]
    made.book.type_in("Houses", 2, heads.index("Player") + 1, GERDA)
    made.work()

    assert [state for _, _, state in reports(made)] == ["Failed", "Posted"]
    assert [*direct(discord)] == [AIME]


@pytest.mark.parametrize("fault", [{"when": "after"}, {"when": "before"}])
def test_trn_09_a_lost_answer_sends_no_report_twice(discord, tmp_path, fault):
    made = plots(discord, tmp_path)
    end(made)
    discord.fail("reset", match="/messages", **fault)
    for _ in range(3):
        made.work()
        discord.forget_nonces()
        made.clock.move(700)

    assert {player: len(messages) for player, messages in direct(discord).items()} == {LIVIA: 1, AIME: 1}
    assert {state for _, _, state in reports(made)} == {"Posted"}


def test_trn_09_a_repeated_turn_is_reported_again_but_not_a_backup(discord, tmp_path):
    made = plots(discord, tmp_path)
    end(made)
    backup = copy.deepcopy(made.book)
    made.work()
    backup.posts, made.book = made.book.posts, backup
    made.work()
    assert {player: len(messages) for player, messages in direct(discord).items()} == {LIVIA: 1, AIME: 1}

    last = made.book.rows("Plot Requests")[-1][0]
    made.undo(str(last))
    made.rule()
    made.book.type_in("Plot Requests", len(made.book.rows("Plot Requests")), 1, "P-0099")
    for _ in range(2):
        made.rule()
    made.work()
    assert {player: len(messages) for player, messages in direct(discord).items()} == {LIVIA: 2, AIME: 2}


@pytest.mark.parametrize("more", [{"channel": ""}, {"rulesets": ("rounds",)}])
def test_trn_09_webhooks_and_bots_of_other_games_send_no_reports(discord, tmp_path, more):
    made = plots(discord, tmp_path, **more)
    end(made)

    assert reports(made) == []


def test_trn_09_an_edited_row_sends_no_report(discord, tmp_path):
    made = plots(discord, tmp_path)
    end(made)
    request = made.book.rows("Posts")[0].index("Request") + 1
    for row, typed in ((2, "plots 12 Lancaster"), (3, "plots twelve Lancaster")):
        made.book.type_in("Posts", row, request, typed)
    made.work()

    assert [state for _, _, state in reports(made)] == ["Failed", "Failed"]
    assert direct(discord) == {}


def test_trn_09_ids_of_discord_are_distinguished_from_names():
    assert discord_ids(["Livia", f"<@!{LIVIA}>", LIVIA, "12", f"x{AIME}", f"{AIME}9" * 2]) == [LIVIA]
