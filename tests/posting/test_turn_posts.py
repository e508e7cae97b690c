"""The deadline of a turn is announced once and reminded of once (TRN-08)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from localdiscord.server import LocalDiscord

from scripts.support.workbooks import column, example, workbook
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.posting.test_announced import Season, season, titles
from tests.ruling.test_lapsed_orders import game

HOURS = 3_600
DEADLINE = "2026-03-03 20:00"
"""Fifty-six hours after the clock of the tests begins."""
UNTIL, REMINDER = "until 2026-03-03T20:00:00Z", "reminder 2026-03-03T20:00:00Z"


@pytest.fixture
def discord() -> Iterator[LocalDiscord]:
    with LocalDiscord(silence_s=1.5) as server:
        assert isinstance(server, LocalDiscord)
        yield server


def rounds(deadline: str = DEADLINE) -> MemoryWorkbook:
    orders = (
        {"Player": "Chen", "Order": "Set tax", "Tax %": 9},
        {"Player": "Bola", "Order": "Set tax", "Tax %": "much"},
    )
    return workbook(game(*orders) | {"Turns": [{"Turn": 3, "Deadline": deadline}]})


def made(discord: LocalDiscord, folder: Path, book: MemoryWorkbook, **more: Any) -> Season:
    return season(discord, folder, book, discord.bot_token, **{"channel": "7", "odds": True} | more)


def shown_titles(discord: LocalDiscord) -> list[str]:
    return [title.replace("\\", "") for title in titles(discord)]


def later(season: Season, hours: float) -> None:
    season.clock.move(hours * HOURS)
    season.rule()
    season.work()


def of_turns(season: Season) -> list[tuple[Any, ...]]:
    return [(odds, state) for odds, state in season.posts("odds", "state") if odds]


def test_trn_08_a_deadline_is_announced_once_and_a_day_ahead_with_missing_players(discord, tmp_path):
    season = made(discord, tmp_path, rounds())
    for _ in range(3):
        later(season, 1)

    assert of_turns(season) == [(UNTIL, "Posted")]
    assert shown_titles(discord)[1:] == ["Round 3 takes orders, until 2026-03-03 20:00 UTC"]
    assert column(season.book, "Turns", "Announced") == ["2026-03-03T20:00:00Z"]

    for _ in range(3):
        later(season, 10)

    assert of_turns(season) == [(UNTIL, "Posted"), (REMINDER, "Posted")]
    assert shown_titles(discord)[2:] == ["Round 3 ends in less than a day, until 2026-03-03 20:00 UTC"]
    assert "Anna, Dmitri, Eve" in str(discord.messages[2].data)
    assert column(season.book, "Turns", "Announced") == ["2026-03-03T20:00:00Z, reminded"]

    later(season, 48)

    assert of_turns(season) == [(UNTIL, "Posted"), (REMINDER, "Posted")]
    assert column(season.book, "Turns", "Status")[0].startswith("Ended at ")


def test_trn_08_a_moved_deadline_is_announced_again(discord, tmp_path):
    season = made(discord, tmp_path, rounds())
    later(season, 1)
    season.book.type_in("Turns", 2, 3, "2026-03-04 20:00")
    for _ in range(2):
        later(season, 1)

    assert [odds for odds, _ in of_turns(season)] == [UNTIL, "until 2026-03-04T20:00:00Z"]
    for _ in range(3):
        later(season, 24)
    assert [odds for odds, _ in of_turns(season)][2:] == ["reminder 2026-03-04T20:00:00Z"]


def test_trn_08_a_near_deadline_is_announced_without_a_reminder(discord, tmp_path):
    season = made(discord, tmp_path, rounds("2026-03-01 20:00"))
    for _ in range(3):
        later(season, 2)

    assert of_turns(season) == [("until 2026-03-01T20:00:00Z", "Posted")]


@pytest.mark.parametrize("more", [{"odds": False}, {"rulesets": ("jousts",)}])
def test_trn_08_channels_without_announcements_or_of_other_games_get_none(discord, tmp_path, more):
    season = made(discord, tmp_path, rounds(), **more)
    later(season, 40)

    assert of_turns(season) == []
    assert column(season.book, "Turns", "Announced") == [None]


def test_trn_08_the_reminder_of_a_game_with_secrets_omits_who_has_ordered(discord, tmp_path):
    rows = example("plots")
    rows.pop("Rank Requests")
    rows["Plot Requests"] = [{"Request": "P-1", "House": "York", "Order": "End turn", "Ready": False}]
    season = made(discord, tmp_path, workbook(rows | {"Turns": [{"Turn": 12, "Deadline": DEADLINE}]}))
    for _ in range(3):
        later(season, 17)

    assert of_turns(season) == [(UNTIL, "Posted"), (REMINDER, "Posted")]
    assert column(season.book, "Turns", "Missing")[0]
    assert not any(name in str(message.data) for message in discord.messages for name in ("York", "Lancaster", "Tudor"))


def test_trn_08_an_edited_row_names_no_deadline(discord, tmp_path):
    season = made(discord, tmp_path, rounds())
    season.book.type_in("Posts", 3, season.book.rows("Posts")[0].index("Odds") + 1, "until further notice")
    season.work()

    assert ("until further notice", "Failed") in of_turns(season)
    assert "The row names no deadline of a turn." in season.message(1)
