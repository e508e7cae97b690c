"""The command `watch` with a Dask cluster: real processes, and what becomes of a ruling when they go or fall silent."""

from __future__ import annotations

import signal
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
import requests

from scripts.support.cluster_schedules import host, play, silent_after
from scripts.support.dask_cluster import DaskCluster, dask_cluster
from scripts.support.moderator import Moderator, only, season
from scripts.support.patience import PATIENCE_S, wait_until
from scripts.support.relay import Relay
from scripts.support.shared_sheets import key, sheets
from scripts.support.sheets_server import LocalSheets
from sheets_algo.forecasts.cluster import connect
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.watch.cluster_pass import MINUTE_S, take_lease
from tests.e2e.online import Online, Watching

pytestmark = pytest.mark.extra

RULING = 2
"""The number of the write that rules, after a tick while all is at rest; the first one says Waiting."""


@pytest.fixture
def shared(moderator: Moderator) -> Online:
    """A moderator at the server that schedules use too."""
    return Online(moderator, sheets())


@contextmanager
def cluster_of(online: Online) -> Iterator[DaskCluster]:
    """A scheduler for workers that share the moderator's folder, settings and key; their secrets are in files."""
    folder = online.moderator.folder
    own = online.environment | {"SHEETS_ALGO_FOLDER": str(folder / "state"), season_secret.VARIABLE: ""}
    own |= silent_after(10)
    with dask_cluster(folder / "dask", str(folder / "caches"), online.moderator.environment(own)) as cluster:
        cluster.starts()
        yield cluster


@pytest.mark.first(1)
def test_a_tick_is_ruled_once_despite_lost_workers_and_schedulers(shared: Online) -> None:
    """A worker is killed, another falls silent, each with a ruling on its way that arrives late; the scheduler dies."""
    id = shared.make(only(season(), "W-0004"), "Season")
    with cluster_of(shared) as cluster, shared.watches(id, "--verbose", "--cluster", cluster.address) as watcher:
        cluster.gains_a_worker()
        comes_to_rest(watcher, cluster, "W-0004 (Manzikert, 1071): ")

        killed = held_ruling(shared, id, "W-0001", watcher, cluster)
        cluster.busy().kill()
        comes_to_rest(watcher, cluster, "W-0001 (Stamford Bridge, 1066): ")
        assert refusal_of_late(shared, killed) == 400

        cluster.gains_a_worker()
        held = held_ruling(shared, id, "W-0003", watcher, cluster)
        silent = cluster.busy()
        silent.send_signal(signal.SIGSTOP)
        comes_to_rest(watcher, cluster, "W-0003 (Channel interception, 1066): ")
        silent.send_signal(signal.SIGCONT)
        assert refusal_of_late(shared, held) == 400

        cluster.scheduler.kill()
        watcher.hears("does not answer any more")
        shared.tick(id, "W-0005")
        comes_to_rest(watcher, cluster, "W-0005 (Siege of Jerusalem, 1073): ")
        assert watcher.hears("Well again")
        assert watcher.stops() == 0

    assert shared.rulings(id) == ["W-0004", "W-0001", "W-0003", "W-0005"]
    ruled = {"W-0004": "Done", "W-0001": "Done", "W-0002": "", "W-0003": "Done", "W-0005": "Done"}
    assert dict(zip(shared.column(id, "Request"), shared.column(id, "Status"), strict=False)) == ruled
    folder = shared.moderator.folder
    logs = Counter(log.stem.rpartition(" ")[2] for log in (folder / "state" / id / "logs").glob("*.txt"))
    assert logs == Counter(shared.rulings(id))
    for said in [watcher.out, *(folder / "dask").glob("*.log")]:
        assert key()["private_key"][40:80] not in said.read_text(encoding="utf-8")


def comes_to_rest(watcher: Watching, cluster: DaskCluster, words: str) -> None:
    """Wait until a line has these words and a later look finds nothing to do; what ends meanwhile is started anew."""

    def is_at_rest() -> bool:
        cluster.restore()
        _, is_said, after = watcher.out.read_text(encoding="utf-8").partition(words)
        return bool(is_said) and "Nothing has changed since the last look." in after

    watcher.until(is_at_rest)


def held_ruling(online: Online, id: str, request: str, watcher: Watching, cluster: DaskCluster) -> tuple[int, int]:
    """Tick a request, and keep its ruling on the way to the spreadsheet; the numbers of the hold and of the write."""
    before = online.rulings(id)
    hold = online.server.hold(at=RULING, match=f"{id}:batchUpdate", when="before")
    online.tick(id, request)
    caught: list[int | None] = []

    def is_caught() -> bool:
        cluster.restore()
        caught.append(online.server.caught(hold, 0.2))
        return caught[-1] is not None

    watcher.until(is_caught)
    assert online.rulings(id) == before
    assert caught[-1] is not None
    return hold, caught[-1]


def refusal_of_late(online: Online, held: tuple[int, int]) -> int:
    """Let a write arrive that was on the way for long; the status of its answer."""
    hold, number = held
    online.server.release(hold)

    def status() -> int | None:
        (entry,) = (entry for entry in online.server.log(after=number - 1) if entry["n"] == number)
        return entry["status"]

    wait_until(lambda: status() is not None)
    return status() or 0


def test_a_worker_without_the_secret_rules_nothing_and_another_one_does(shared: Online) -> None:
    id = shared.make(only(season(), "W-0004"), "Season")
    folder = shared.moderator.folder
    with cluster_of(shared) as cluster, shared.watches(id, "--cluster", cluster.address) as watcher:
        cluster.gains_a_worker(environment={"SHEETS_ALGO_FOLDER": str(folder / "elsewhere")})
        said = watcher.hears("The season secret of this workbook (SHA-256 ")
        assert str(folder / "elsewhere" / id) in said
        cluster.gains_a_worker("", "--resources", f"{id}=1")
        watcher.hears("Receipt 2.")
    assert shared.rulings(id) == ["W-0004"]


@pytest.mark.first(1)
def test_workers_share_the_account_s_requests_in_a_minute(shared: Online) -> None:
    with cluster_of(shared) as dask:
        for _ in range(2):
            dask.gains_a_worker()
        cluster = connect(dask.address)
        wait_until(lambda: len(cluster.workers()) == 2)
        began = time.monotonic()
        for number in range(4):
            cluster.call(take_lease, "account", 3, "read", worker=[*cluster.workers()][number % 2])
        cluster.close()

    assert time.monotonic() - began >= MINUTE_S


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("ID", "--cluster", "here"), '--cluster "here" is not an address of a scheduler. Type it as tcp://host:8786.'),
        (("season.xlsx", "--cluster", "127.0.0.1:1"), "--cluster: season.xlsx is a file of this computer; name"),
        (
            ("ID", "--cluster", "127.0.0.1:1", "--maps", "."),
            "--maps: write it into the sheets-algo.toml of the workers.",
        ),
    ],
)
def test_unsupported_options_of_a_cluster_are_refused_in_a_sentence(
    shared: Online, words: tuple[str, ...], says: str
) -> None:
    id = shared.make(only(season(), "W-0004"))
    said = shared.types("watch", *(id if word == "ID" else word for word in words))

    assert said.code == 2
    assert says in said.err


def test_a_missing_scheduler_is_waited_for(shared: Online) -> None:
    with shared.watches(shared.make(only(season(), "W-0004")), "--cluster", "tcp://127.0.0.1:1") as watcher:
        watcher.hears("No Dask scheduler answers at tcp://127.0.0.1:1.")
        assert watcher.stops() == 0


@pytest.mark.first(1)
def test_schedules_of_kills_silence_and_partitions_break_no_rule(tmp_path: Path) -> None:
    """Two of those that `scripts/soak.py cluster` plays, at the same time."""
    with host(tmp_path, workers=2, silent_s=10) as cluster, ThreadPoolExecutor(2) as pool:
        played = [*pool.map(partial(play, cluster, tmp_path), (2, 44))]

    assert [fault for each in played for fault in each.faults] == []
    deeds = sum((each.deeds for each in played), Counter[str]())
    assert deeds == {"kill a worker": 1, "silence a worker": 1, "part a worker": 1}


def test_data_held_by_a_cut_relay_arrive_after_the_repair() -> None:
    with LocalSheets() as server:
        relay = Relay(server.url)
        assert requests.get(f"{relay.url}/_control/counters", timeout=PATIENCE_S).ok
        relay.cut()
        with pytest.raises(requests.ReadTimeout):
            requests.get(f"{relay.url}/_control/counters", timeout=(PATIENCE_S, 0.2))
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(requests.get, f"{relay.url}/_control/counters", timeout=PATIENCE_S)
            relay.mend()
            assert answer.result().ok
        relay.close()
