"""`post`, `run` while it posts and `restore`, killed by `kill -9` at each request (PST-10, RCP-19, RCP-38)."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from localdiscord.server import LocalDiscord

from scripts.support.moderator import SECRET, Moderator
from scripts.support.sheets_server import LocalSheets
from tests.e2e.online import Online
from tests.e2e.test_copies import Begun, begin, fresh

pytestmark = [
    pytest.mark.first(1),
    pytest.mark.skipif(sys.platform == "win32", reason="processes are killed as POSIX has it"),
]

ENV = {"SHEETS_ALGO_SECRET": SECRET}
LONG_AGO = "2026-01-01T00:00:00Z"


@pytest.fixture(scope="module")
def discord() -> Iterator[LocalDiscord]:
    with LocalDiscord(silence_s=60) as server:
        assert isinstance(server, LocalDiscord)
        yield server


@pytest.fixture(scope="module")
def kept(discord, tmp_path_factory, home):
    """A season of one war that is ruled and posted."""
    folder = tmp_path_factory.mktemp("game")
    with LocalSheets() as server:
        begun = begin(Online(Moderator(folder, home), server), discord, is_file=False)
        kept = tmp_path_factory.mktemp("kept") / "folder"
        shutil.copytree(folder, kept)
        yield begun, kept


@pytest.fixture(scope="module")
def waiting(kept, tmp_path_factory):
    """The same season with another war that is ruled, and whose post waits."""
    begun = fresh(kept)
    begun.tick(begun.id, 3)
    assert begun.types("run", begun.typed, "--no-post", **ENV).code == 0
    begun = replace(begun, files=begun.online.server.files())
    return begun, shutil.copytree(begun.moderator.folder, tmp_path_factory.mktemp("waiting") / "folder")


def killed(begun: Begun, where: str, at: int, when: str, *words: str) -> str:
    """Type a command in a process that is killed while request `at` waits for its answer.

    Returns:
        `read` or `write`, or nothing if it sends fewer.
    """
    server, discord, folder = begun.online.server, begun.discord, begun.moderator.folder
    discord.asked.clear()
    hold = 0
    if where == "Google":
        hold = server.hold(at=at, when=when, match="/v4/")
    else:
        discord.fail_at("silence", at, when)
    process = begun.moderator.starts(words, begun.online.environment | ENV, folder / "out.txt", folder / "err.txt")

    def caught() -> int | None:
        if where == "Google":
            return server.caught(hold, 0.05)
        time.sleep(0.01)
        return at if len(discord.asked) >= at else None

    while (number := caught()) is None and process.poll() is None:
        continue
    process.kill()
    process.wait()
    if where == "Google":
        server.release(hold)
    discord.faults.clear()
    if number is None or where != "Google":
        return "write" if number else ""
    return next(entry["kind"] for entry in server.log(after=number - 1) if entry["n"] == number)


def points(begun: Begun, where: str, prepare: Callable[[], None], *words: str) -> Iterator[str]:
    """Kill a command at each of its requests, each time in the same state: before and after a write, once at a read."""
    for at in itertools.count(1):
        for when in ("before", "after"):
            prepare()
            kind = killed(begun, where, at, when, *words)
            if not kind:
                return
            yield f"{words[0]} killed {when} request {at} to {where} was carried out"
            if kind == "read":
                break


def posts_once(begun: Begun, point: str, seqs: set[int]) -> Counter[str]:
    """Let the next process post five minutes later; return the states of the rows."""
    claimed = set()
    for row, cells in enumerate(begun.tab("Posts", begun.id), start=2):
        if cells["State"] == "Sending":
            claimed.add(cells["Seq"])
            begun.online.set(begun.id, "Posts", row, "Time", LONG_AGO)
    again = [begun.types("run", begun.typed, **ENV) for _ in range(2)][-1]
    assert again.code in (0, 1), (point, again)
    footers = [message.data["embeds"][0]["footer"]["text"] for message in begun.discord.messages]
    sent = Counter(int(re.findall(r"Receipt (\d+)", text)[0]) for text in footers)
    rows = {row["Seq"]: row for row in begun.tab("Posts", begun.id)}
    assert {*rows} == seqs, point
    for seq, row in rows.items():
        assert sent[seq] <= 1, (point, row)
        assert row["State"] in ("Posted", "Unsure"), (point, row)
        assert row["State"] == "Unsure" or sent[seq] == 1, (point, row)
        assert row["State"] == "Posted" or (seq in claimed and "look there" in row["Message"]), (point, row)
    return Counter(row["State"] for row in rows.values())


@pytest.mark.parametrize(("command", "where"), [("post", "Google"), ("post", "Discord"), ("run", "Discord")])
def test_killed_while_posting_each_receipt_is_posted_once_or_asked_about(kept, waiting, discord, command, where):
    begun = kept[0]

    def prepare() -> None:
        fresh(waiting if command == "post" else kept)
        del discord.messages[1:]
        if command == "run":
            begun.tick(begun.id, 3)

    states: Counter[str] = Counter()
    number = 0
    for point in points(begun, where, prepare, command, begun.typed):
        states += posts_once(begun, point, {2, 3})
        number += 1

    assert number >= (2 if where == "Discord" else 8)
    assert states["Posted"] + states["Unsure"] == 2 * number


def test_killed_while_accepting_a_loss_there_is_one_receipt_of_it(kept, discord):
    begun = kept[0]

    def prepare() -> None:
        fresh(kept)
        del discord.messages[1:]
        rows = {"sheetId": begun.online.server.tabs(begun.id)["Receipts"], "dimension": "ROWS"}
        begun.online.server.user(begun.id, [{"deleteDimension": {"range": rows | {"startIndex": 2, "endIndex": 3}}}])

    for point in points(begun, "Google", prepare, "restore", begun.typed, "--accept"):
        held = begun.types("run", begun.typed, **ENV)
        accepted = begun.types("restore", begun.typed, "--accept", **ENV)
        assert (held.code, accepted.code) in ((3, 0), (0, 0), (1, 0)), (point, held, accepted)
        assert begun.types("post", begun.typed, **ENV).code == 0, point
        kinds = [row["Kind"] for row in begun.tab("Receipts", begun.id)]
        assert kinds.count("Restore") == 1, (point, kinds)
        assert len(discord.messages) == 1, point


def test_killed_while_accepting_a_copy_nothing_of_before_is_posted(waiting, discord):
    copies: list[Begun] = []

    def prepare() -> None:
        begun = fresh(waiting)  # a post that waits is copied too
        del discord.messages[1:]
        copies.append(Begun(begun.online, discord, begun.online.server.copy(begun.id)))

    def all_points() -> Iterator[str]:
        for at in itertools.count(1):
            for when in ("before", "after"):
                prepare()
                kind = killed(copies[-1], "Google", at, when, "restore", copies[-1].typed, "--fork")
                if not kind:
                    return
                yield f"killed {when} request {at}"
                if kind == "read":
                    break

    for point in all_points():
        copy = copies[-1]
        between = copy.types("run", copy.typed, **ENV)
        assert between.code in (0, 3), (point, between)
        assert copy.types("restore", copy.typed, "--fork", **ENV).code == 0, point
        assert len(discord.messages) == 1, point
        kinds = [row["Kind"] for row in copy.tab("Receipts", copy.id)]
        assert kinds.count("Fork") == 1, (point, kinds)
        copy.tick(copy.id, 4)
        assert copy.types("run", copy.typed, **ENV).code == 0, point
        assert len(discord.messages) == 2, point
        assert [json.dumps(row["Seq"]) for row in copy.tab("Posts", copy.id)] == ["5"], point
