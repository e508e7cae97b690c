"""Real processes of the program in a season: killed in the middle of a request, or two at once with many faults."""

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

from scripts.support.live.people import edit
from scripts.support.live.runner import LOG_LINES, SECRET, Play, prepared
from scripts.support.live.schedules import Event, Schedule
from scripts.support.live.stage import REQUESTS, Stage, many_wars, small_season
from scripts.support.moderator import Moderator
from scripts.support.shared_sheets import key
from scripts.support.warm_start import WarmProcess
from sheets_algo.runtime.session import season_secret

KILLED = Schedule(("A", "A", "A"), (Event("killed", 1, "crash"),))
"""The schedule of the process that follows a killed one."""

WHENS = ("before", "late", "after")
"""Times when the server carries out the killed process's request: at once, after the others, or before the kill."""

WEATHER = (
    ("500", "after"),
    ("502", "before"),
    ("503", "late"),
    ("reset", "after"),
    ("half", "late"),
    ("reset", "before"),
)
PATIENCE_S = 600.0
PLENTY = "1000"
"""Requests a minute: with looks every two seconds, the default budget would be the limit."""


def kill_run(at: int, when: str) -> list[str]:
    """Kill a `sheets-algo run` during its request number `at`; return the violations."""
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
        play.play_turns()
        if when == "late":
            stage.server.release(hold)
            until_answered(stage, caught)
        play.witness.count_logs(Path(folder) / "killed" / stage.book.id)
        return play.finish()


def until_answered(stage: Stage, number: int) -> None:
    """Wait until a held request is carried out, whether or not its sender still waits."""
    while next(entry for entry in stage.server.log(number - 1) if entry["n"] == number)["status"] is None:
        time.sleep(0.02)


@contextmanager
def program(stage: Stage, folder: Path, *words: str, url: str = "") -> Iterator[WarmProcess | subprocess.Popen[bytes]]:
    """Run the program in a folder of its own, with the server at a URL; kill it at the end if it still runs."""
    folder.mkdir()
    (folder / "key.json").write_text(json.dumps(key()))
    more = {
        "SHEETS_ALGO_API_URL": url or stage.server.url,
        "SHEETS_ALGO_CREDENTIALS": "key.json",
        "SHEETS_ALGO_FOLDER": str(folder),
        "SHEETS_ALGO_LOG_LINES": str(LOG_LINES),
        "SHEETS_ALGO_REQUESTS": PLENTY,
        season_secret.VARIABLE: SECRET,
    }
    said = folder / "said.txt"
    process = Moderator(folder, folder).starts(words, more, said, said)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a season of two watchers.

    Args:
        violations: The violations in sentences.
        seconds: The time until every request was Done.
    """

    violations: Sequence[str]
    seconds: float


def two_watchers(wars: int, seed: int, patience_s: float = PATIENCE_S) -> Outcome:
    """Run two `sheets-algo watch` processes with many faults, and tick this many wars one after the other."""
    rng = random.Random(seed)
    with Stage.set(many_wars(wars)) as stage, TemporaryDirectory() as folder, prepared():
        play = Play(stage, Schedule(()), Path(folder))
        for number, (kind, when) in enumerate(WEATHER):
            stage.server.fault(kind, when=when, probability=0.05, seed=seed * 10 + number, match="/v4/")
        watch = ("watch", stage.book.id, "--interval", "2")
        folders = [Path(folder) / name for name in ("one", "two")]
        start = time.monotonic()
        with program(stage, folders[0], *watch) as one, program(stage, folders[1], *watch) as two:
            for number in rng.sample(range(1, wars + 1), wars):
                edit(REQUESTS, f"War {number}", "Ready", True)(stage)
                time.sleep(rng.random() * 0.3)
            both = (one, two)
            logs = [at / stage.book.id / "logs" for at in folders]
            while time.monotonic() - start < patience_s + wars:
                if len(ruled(play)) >= wars and sum(len([*at.glob("*.txt")]) for at in logs) >= wars:
                    break  # who ends a watcher between its commit and its logs finds them after its next start
                if all(process.poll() is not None for process in both):
                    break
                time.sleep(0.2)
            seconds = time.monotonic() - start
            for process, at in zip(both, folders, strict=True):
                process.terminate()
                if process.wait(PATIENCE_S):
                    play.witness.report(f"a watcher ended badly: {(at / 'said.txt').read_text()}")
        for at in folders:
            play.witness.count_logs(at / stage.book.id)
        if (done := len(ruled(play))) < wars:
            play.witness.report(f"only {done} of {wars} requests were ruled in {seconds:.0f} seconds")
        return Outcome(play.finish(), seconds)


def ruled(play: Play) -> list[str]:
    """Return the requests that have a receipt."""
    return [row["Request"] for row in play.witness.receipts() if row["Kind"] == "Ruling"]
