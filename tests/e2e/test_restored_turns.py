"""A workbook that is put back from a backup: no deadline ends a turn twice, and nothing is posted twice (TRN-03)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from localdiscord.server import LocalDiscord

from scripts.support.moderator import Moderator, Rows, shown, write
from scripts.support.season_records import forget
from scripts.support.workbooks import example

ROUNDS, TURNS, POSTS = "Round Requests", "Turns", "Posts"


@pytest.fixture
def discord() -> Iterator[LocalDiscord]:
    with LocalDiscord(silence_s=20) as server:
        assert isinstance(server, LocalDiscord)
        yield server


def with_channel(moderator: Moderator, discord: LocalDiscord) -> None:
    (moderator.folder / "hook.txt").write_text(discord.webhook, "utf-8")
    (moderator.folder / "hook.txt").chmod(0o600)
    channel = '[[post]]\nname = "news"\nto = "discord"\nsecret_file = "hook.txt"\nodds = true\n'
    (moderator.folder / "sheets-algo.toml").write_text(channel, "utf-8")


def season(deadline: datetime) -> Rows:
    """Return a game whose third round ends at a deadline, with an order that fits and one with a mistake."""
    rows: Rows = example("rounds")
    for player in rows["Round Players"]:
        player["Taxed in round"] = None
    orders: tuple[dict[str, Any], ...] = ({"Player": "Anna", "Tax %": 15}, {"Player": "Chen", "Tax %": "much"})
    rows[ROUNDS] = [
        {"Request": f"R-{number}", "Ready": True, "Order": "Set tax"} | order for number, order in enumerate(orders, 1)
    ]
    rows[TURNS] = [{"Turn": 3, "Deadline": f"{deadline:%Y-%m-%dT%H:%M:%SZ}"}]
    return rows


def hours_from_now(hours: float) -> datetime:
    return datetime.now(UTC).replace(microsecond=0) + timedelta(hours=hours)


def move(moderator: Moderator, file: Path, deadline: datetime) -> None:
    """Type another deadline into a file."""
    book = openpyxl.load_workbook(file)
    heads = [cell.value for cell in book[TURNS][1]]
    book[TURNS].cell(2, heads.index("Deadline") + 1).value = f"{deadline:%Y-%m-%dT%H:%M:%SZ}"
    book.save(file)


def titles(discord: LocalDiscord) -> list[str]:
    return [
        message.data["embeds"][0]["title"].replace("\\", "").partition(", until")[0] for message in discord.messages
    ]


def column(moderator: Moderator, tab: str, header: str) -> list[Any]:
    return [row[header] for row in shown(moderator.book, tab)]


ORDER, OPENS, END = "Anna: Set tax", "Round 3 takes orders", "Everybody: End round"
OPEN = 'Open: 1 order fits, 1 to mend (R-2: "much" is not a number)'
VOID = "Its deadline was over when the turn began: type a later one, or a request that ends the turn"


@pytest.mark.parametrize("is_announced", [True, False])
@pytest.mark.parametrize("is_over", [True, False])
def test_trn_03_a_file_that_is_put_back_ends_no_turn_by_its_old_deadline(moderator, discord, is_announced, is_over):
    """The backup is of before the announcement or of after it; its deadline is over by now, or is still to come."""
    with_channel(moderator, discord)
    write(moderator.book, season(hours_from_now(2)))
    backup = moderator.folder / "backup.xlsx"
    shutil.copy(moderator.book, backup)
    assert moderator.types("run", moderator.book).code == 1
    if is_announced:
        shutil.copy(moderator.book, backup)
    over = hours_from_now(-0.01)
    move(moderator, moderator.book, over)
    if is_over:
        move(moderator, backup, over)
    assert moderator.types("run", moderator.book).code == 0
    assert titles(discord) == [ORDER, OPENS, END]
    assert column(moderator, TURNS, "Status")[0].endswith("by receipt 3")

    shutil.copy(backup, moderator.book)
    for _ in range(2):
        held = moderator.types("run", moderator.book)
        assert (held.code, "nothing is ruled until that is settled" in held.out) == (3, True), held
    assert titles(discord) == [ORDER, OPENS, END]
    assert moderator.types("restore", moderator.book, "--accept").code == 0
    for _ in range(2):
        moderator.types("run", moderator.book)

    assert column(moderator, ROUNDS, "Order") == ["Set tax", "Set tax"]
    assert column(moderator, TURNS, "Status") == [VOID if is_over else OPEN]
    anew = [] if is_announced else [ORDER]  # its receipt is lost, so that it is ruled anew
    assert titles(discord) == [ORDER, OPENS, END, *anew]
    assert set(column(moderator, POSTS, "State")) == {"Posted"}

    move(moderator, moderator.book, hours_from_now(0))  # by a later deadline it ends, once
    for _ in range(2):
        moderator.types("run", moderator.book)
    assert column(moderator, ROUNDS, "Order") == ["Set tax", "Set tax", "End round"]
    assert titles(discord) == [ORDER, OPENS, END, *anew, END]


def test_trn_03_an_older_spreadsheet_ends_no_turn_again_on_another_computer(online, discord):
    """That computer knows of receipts and posts only what the guard of the spreadsheet says."""
    with_channel(online.moderator, discord)
    id = online.make(season(hours_from_now(2)))
    assert online.types("run", id).code == 1
    place = f"{TURNS}!{chr(ord('A') + online.server.tab(id, TURNS)[0].index('Deadline'))}2"
    online.server.type(id, place, [[f"{hours_from_now(-0.01):%Y-%m-%dT%H:%M:%SZ}"]])
    older = {tab: online.server.tab(id, tab) for tab in (ROUNDS, TURNS, POSTS, "Round Players")}
    assert online.types("run", id).code == 0
    assert titles(discord) == [ORDER, OPENS, END]

    for tab, rows in older.items():
        width = max(map(len, rows))
        blank = [[""] * width] * (len(online.server.tab(id, tab)) - len(rows))
        online.server.type(id, f"'{tab}'!A1", [[*row, *[""] * (width - len(row))] for row in rows] + blank)
    last = {"sheetId": online.server.tabs(id)["Receipts"], "dimension": "ROWS", "startIndex": 3, "endIndex": 4}
    online.server.user(id, [{"deleteDimension": {"range": last}}])
    forget(online.moderator.folder / "state" / id)
    for _ in range(2):
        held = online.types("run", id)
        assert (held.code, "receipt 3 is gone" in held.out) == (3, True), held
    assert online.types("restore", id, "--accept").code == 0
    for _ in range(2):
        online.types("run", id)

    assert online.column(id, "Order", ROUNDS) == ["Set tax", "Set tax"]
    assert online.column(id, "Status", TURNS) == [VOID]
    assert titles(discord) == [ORDER, OPENS, END]
