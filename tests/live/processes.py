"""Real processes of the program in a season: killed in the middle of a request, or two at once in bad weather."""

from __future__ import annotations

import json
import random
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from sheets_algo import season
from tests.e2e.moderator import COMMAND, Moderator
from tests.live.people import edit
from tests.live.runner import LOG_LINES, SECRET, Play, prepared
from tests.live.schedules import Event, Schedule
from tests.live.stage import REQUESTS, Stage, many_wars, small_season
from tests.sheets_server.shared import key

KILLED = Schedule(("A", "A", "A"), (Event("killed", 1, "crash"),))
"""Who comes after a process that was killed."""

WHENS = ("before", "late", "after")
"""The request waits at the server: it is carried out at once, when others have finished, or had been already."""

WEATHER = (
    ("500", "after"),
    ("502", "before"),
    ("503", "late"),
    ("reset", "after"),
    ("half", "late"),
    ("reset", "before"),
)
PATIENCE_S = 60.0
PLENTY = "1000"
"""Requests a minute: with looks every two seconds the usual budget would be what is waited for."""


def killed(at: int, when: str) -> list[str]:
    """Kill a `sheets-algo run` while its request number `at` is on its way; what is violated in the end."""
    with Stage.set(small_season()) as stage, TemporaryDirectory() as folder, prepared():
        play = Play(stage, KILLED, Path(folder))
        hold = stage.server.hold(at=at, when="after" if when == "after" else "before", match="/v4/")
        with program(stage, Path(folder) / "killed", "run", stage.book.id) as process:
            while (caught := stage.server.caught(hold, 1)) is None and process.poll() is None:
                continue
            process.kill()
            process.wait()
        if caught is None:
            stage.server.release(hold)
            return [f"there was no request {at}: {(Path(folder) / 'killed' / 'said.txt').read_text()}"]
        if when != "late":
            stage.server.release(hold)
        play.turns()
        if when == "late":
            stage.server.release(hold)
            until_answered(stage, caught)
        play.witness.logs(Path(folder) / "killed" / stage.book.id)
        return play.ends()


def until_answered(stage: Stage, number: int) -> None:
    """Wait until a request that was held is carried out, whether or not anybody still hears of it."""
    while next(it for it in stage.server.log(number - 1) if it["n"] == number)["status"] is None:
        time.sleep(0.02)


@contextmanager
def program(stage: Stage, folder: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of the program with a folder of its own; killed at the end if it still lives."""
    folder.mkdir()
    (folder / "key.json").write_text(json.dumps(key()))
    environment = Moderator(folder, folder).environment(
        {
            "SHEETS_ALGO_API_URL": stage.server.url,
            "SHEETS_ALGO_CREDENTIALS": "key.json",
            "SHEETS_ALGO_FOLDER": str(folder),
            "SHEETS_ALGO_LOG_LINES": str(LOG_LINES),
            "SHEETS_ALGO_READS": PLENTY,
            "SHEETS_ALGO_WRITES": PLENTY,
            season.VARIABLE: SECRET,
        }
    )
    with (folder / "said.txt").open("wb") as said:
        process = subprocess.Popen([COMMAND, *words], cwd=folder, env=environment, stdout=said, stderr=said)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a season of two watchers went.

    Args:
        violations: In sentences.
        seconds: How long it took until every request was Done.
    """

    violations: Sequence[str]
    seconds: float


def two_watchers(wars: int, seed: int, patience_s: float = PATIENCE_S) -> Outcome:
    """Two `sheets-algo watch` processes, people who tick so many wars one after the other, and bad weather."""
    luck = random.Random(seed)
    with Stage.set(many_wars(wars)) as stage, TemporaryDirectory() as folder, prepared():
        play = Play(stage, Schedule(()), Path(folder))
        for number, (kind, when) in enumerate(WEATHER):
            stage.server.fault(kind, when=when, probability=0.05, seed=seed * 10 + number, match="/v4/")
        watch = ("watch", stage.book.id, "--interval", "2")
        folders = [Path(folder) / name for name in ("one", "two")]
        began = time.monotonic()
        with program(stage, folders[0], *watch) as one, program(stage, folders[1], *watch) as two:
            for number in luck.sample(range(1, wars + 1), wars):
                edit(REQUESTS, f"War {number}", "Ready", True)(stage)
                time.sleep(luck.random() * 0.3)
            both = (one, two)
            while len(ruled(play)) < wars and time.monotonic() - began < patience_s + wars:
                if all(it.poll() is not None for it in both):
                    break
                time.sleep(0.2)
            took = time.monotonic() - began
            for process, at in zip(both, folders, strict=True):
                process.terminate()
                if process.wait(PATIENCE_S):
                    play.witness.saw(f"a watcher ended badly: {(at / 'said.txt').read_text()}")
        for at in folders:
            play.witness.logs(at / stage.book.id)
        if (done := len(ruled(play))) < wars:
            play.witness.saw(f"only {done} of {wars} requests were ruled in {took:.0f} seconds")
        return Outcome(play.ends(), took)


def ruled(play: Play) -> list[str]:
    """The requests that have a receipt by now."""
    return [row["Request"] for row in play.witness.receipts() if row["Kind"] == "Ruling"]
