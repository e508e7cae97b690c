"""Schedules of processes that are killed, silent or cut off, against seasons that are watched on a Dask cluster."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from scripts.support.dask_cluster import DaskCluster, dask_cluster
from scripts.support.live.people import edit
from scripts.support.live.processes import PATIENCE_S, PLENTY, program, ruled
from scripts.support.live.runner import LOG_LINES, SECRET, Play, prepared
from scripts.support.live.schedules import Event, Schedule
from scripts.support.live.stage import REQUESTS, Stage, many_wars
from scripts.support.moderator import Moderator
from scripts.support.relay import Relay
from scripts.support.shared_sheets import key, sheets
from scripts.support.warm_start import WarmProcess
from sheets_algo.runtime.session import season_secret

MOST_AT = 9
"""Most requests until one is held: those of a pass that rules are fewer."""
DEEDS = {
    "kill a worker": 4,
    "silence a worker": 2,
    "part a worker": 4,
    "part the watcher": 2,
    "kill the scheduler": 1,
    "kill the watcher": 1,
}
"""The deeds with their relative frequencies."""
LONGEST_S = 12
"""The longest silence or partition: twice what the scheduler of `host` waits for."""
POLL_S = 0.4
URL = "SHEETS_ALGO_API_URL"
ENDED = Schedule((), (Event("cluster", 1, "crash"),))
"""The schedule of processes that are killed, of which each may leave a log."""


def silent_after(seconds: float) -> dict[str, str]:
    """Return the environment of a cluster that gives up a worker after so many seconds of silence, at least five."""
    name = "DASK_DISTRIBUTED__SCHEDULER__"
    return {
        "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",  # else each worker looks at itself 100 times a second
        f"{name}WORKER_TTL": f"{seconds}s",
        f"{name}LOCKS__LEASE_TIMEOUT": f"{seconds * 0.8}s",
        f"{name}LOCKS__LEASE_VALIDATION_INTERVAL": "1s",
    }


@contextmanager
def host(folder: Path, workers: int = 3, silent_s: float = 5) -> Iterator[DaskCluster]:
    """A cluster whose workers know the local Sheets server, the season's secret and a folder that they share.

    Several schedules may be played on it at a time.
    """
    (folder / "key.json").write_text(json.dumps(key()), encoding="utf-8")
    own = {
        URL: sheets().url,
        "SHEETS_ALGO_CREDENTIALS": str(folder / "key.json"),
        "SHEETS_ALGO_FOLDER": str(folder / "state"),
        "SHEETS_ALGO_LOG_LINES": str(LOG_LINES),
        "SHEETS_ALGO_REQUESTS": PLENTY,
        season_secret.VARIABLE: SECRET,
        **silent_after(silent_s),
    }
    environment = Moderator(folder, folder).environment(own)
    with dask_cluster(folder / "dask", str(folder / "cache"), environment, URL) as cluster, prepared():
        cluster.starts(workers=workers)
        yield cluster


@dataclass(slots=True)
class Played:
    """Result of a schedule."""

    faults: list[str] = field(default_factory=list)  # The violations in sentences
    deeds: Counter[str] = field(default_factory=Counter)  # What was done, how often


def play(cluster: DaskCluster, folder: Path, seed: int) -> Played:
    """Tick some wars of a new season, and do something bad in the middle of passes; return what came of it.

    Args:
        folder: The folder of the cluster.
        seed: The seed of the schedule; what the processes do meanwhile is not repeated exactly.
    """
    rng, done = random.Random(seed), Played()
    wars = rng.randint(1, 3)
    with Stage.set(many_wars(wars)) as stage:
        season = folder / f"season-{seed}"
        season.mkdir()
        play = Play(stage, ENDED, season)
        with watched(cluster, stage, season, done) as watch:
            for number in rng.sample(range(1, wars + 1), wars):
                edit(REQUESTS, f"War {number}", "Ready", True)(stage)
                (deed,) = rng.choices([*DEEDS], [*DEEDS.values()])
                when = rng.choice(("before", "after"))
                hold = stage.server.hold(at=rng.randint(1, MOST_AT), match=f"/v4/.*{stage.book.id}", when=when)
                watch.wait(partial(stage.server.caught, hold, POLL_S))
                done.deeds[deed] += 1
                watch.do(deed, hold, rng)
            watch.wait(lambda: len(ruled(play)) >= wars)
        play.witness.count_logs(folder / "state" / stage.book.id)
        done.faults += play.finish()
    secret = key()["private_key"]
    logs = [*cluster.folder.glob("*.log"), *season.rglob("said.txt")]
    done.faults += [f"{log} holds a credential" for log in logs if secret[40:80] in log.read_text(errors="replace")]
    return done


@contextmanager
def watched(cluster: DaskCluster, stage: Stage, folder: Path, done: Played) -> Iterator[Watch]:
    """Watch a season on a cluster; in the end the watcher must stop when it is told to."""
    with ExitStack() as stack:
        watch = Watch(cluster, stage, folder, done, stack)
        watch.begin()
        yield watch
        watch.process.terminate()
        if watch.process.wait(PATIENCE_S):
            done.faults.append(f"the watcher ended badly: {watch.said()}")
        if "The program failed" in watch.said():
            done.faults.append(f"the program failed: {watch.said()}")


@dataclass(slots=True)
class Watch:
    """A watcher of a season on a cluster, which is started anew when it was killed."""

    cluster: DaskCluster
    stage: Stage
    folder: Path
    done: Played
    stack: ExitStack
    process: WarmProcess | subprocess.Popen[bytes] = field(init=False)
    begun: int = 0
    links: Sequence[Relay] = field(init=False)

    def __post_init__(self) -> None:
        self.links = self.cluster.relays()
        for relay in self.links:
            self.stack.callback(relay.close)

    def begin(self) -> None:
        """Start the watcher."""
        words = ("watch", self.stage.book.id, "--interval", "2", "--cluster", self.links[0].url)
        self.begun += 1
        folder = self.folder / f"watch-{self.begun}"
        self.process = self.stack.enter_context(program(self.stage, folder, *words, url=self.links[1].url))

    def said(self) -> str:
        """Return what it said last."""
        return (self.folder / f"watch-{self.begun}" / "said.txt").read_text(encoding="utf-8")[-2000:]

    def wait(self, holds: Callable[[], object]) -> None:
        """Wait until something holds, and start meanwhile what has ended."""
        end = time.monotonic() + PATIENCE_S
        while not holds():
            self.cluster.restore()
            time.sleep(POLL_S)
            if time.monotonic() > end or self.process.poll() is not None:
                self.done.faults.append(f"the watcher has ended, or waits in vain: {self.said()}")
                return

    def do(self, deed: str, hold: int, rng: random.Random) -> None:
        """Do something while a request is held, and release it."""
        worker = self.cluster.busy(self.stage.book.id)
        links = self.cluster.links.get(worker, ()) if deed == "part a worker" else self.links
        links = rng.choice((links[:1], links[1:], links))
        match deed:
            case "kill a worker":
                worker.kill()
            case "silence a worker":
                worker.send_signal(signal.SIGSTOP)
            case "kill the scheduler":
                self.cluster.scheduler.kill()
                self.cluster.scheduler.wait()
            case "kill the watcher":
                self.process.kill()
                self.process.wait()
                self.begin()
            case _:
                for relay in links:
                    relay.cut()
        self._pass(rng.uniform(0, 2))
        is_released = rng.random() < 0.5
        if is_released:
            self.stage.server.release(hold)
        if deed.startswith(("silence", "part")):
            self._pass(rng.uniform(0, LONGEST_S))
            if deed == "silence a worker":
                worker.send_signal(signal.SIGCONT)
            for relay in links:
                relay.mend()
        if not is_released:
            self.stage.server.release(hold)

    def _pass(self, seconds: float) -> None:
        """Let time pass."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.cluster.restore()
            time.sleep(POLL_S)
