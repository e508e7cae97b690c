"""The command `forecast` with a Dask cluster: real processes, and what becomes of it when they go."""

from __future__ import annotations

import json
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.support.dask_cluster import WITHOUT_THE_PROGRAM, DaskCluster, dask_cluster
from scripts.support.moderator import Moderator, season, write
from scripts.support.patience import PATIENCE_S
from tests.helpers import machine_code

pytestmark = pytest.mark.extra

PLAIN = {"SHEETS_ALGO_FAST": "0"}
"""Python takes long enough for things to happen meanwhile, and needs no compiler."""
OTHER_RULES = "import sheets_algo.forecasts.serialise as parcels; parcels.RULES = 'of last year'; "


@pytest.fixture(scope="module")
def caches() -> str:
    return machine_code.caches()


@pytest.fixture
def cluster(tmp_path: Path, caches: str) -> Iterator[DaskCluster]:
    """A cluster that a test starts and spoils."""
    with dask_cluster(tmp_path / "dask", caches) as own:
        yield own


@pytest.fixture
def wars(moderator: Moderator) -> Moderator:
    write(moderator.book, season())
    return moderator


def forecast(request: str, *words: str) -> tuple[str, ...]:
    return ("forecast", "season.xlsx", request, *words, "--json")


def test_workers_compute_the_same_numbers_and_replace_each_other(
    wars: Moderator, cluster: DaskCluster, caches: str
) -> None:
    """In machine code there, in Python here; one chunk at a time and more; many battles, comparisons, and Ctrl+C.

    Then one of two workers dies, then the other; a third goes with the scheduler, and what is known is told.
    """
    cluster.starts(workers=2)
    there = ("--cluster", cluster.address)

    here = wars.types(*forecast("W-0002", "--runs", "200"), **PLAIN)
    for words in ((), ("--threads", "1")):
        said = wars.types(*forecast("W-0002", "--runs", "200", *words, *there), XDG_CACHE_HOME=caches)
        assert said.data == here.data

    many = wars.types(*forecast("W-0002", "--runs", "5000", *there))
    assert (many.code, many.data["forecasts"][0]["runs"]) == (0, 5_000)
    assert "Python fights" not in many.err

    compared = forecast("W-0003", "--runs", "20", "--set", "Nations!Normandy!Stability=10")
    assert wars.types(*compared, *there, **PLAIN).data == wars.types(*compared, **PLAIN).data

    begun = wars.begins(*forecast("W-0002", "--runs", "1000000", *there), **PLAIN)
    cluster.fights_for(begun)
    begun.send_signal(signal.SIGINT)
    out, err = begun.communicate(timeout=PATIENCE_S)
    assert (begun.returncode, err) == (130, "")
    (found,) = json.loads(out)["forecasts"]
    assert (found["ended"], found["runs"] > 0) == ("stopped", True)

    words = forecast("W-0002", "--runs", "600")

    begun = wars.begins(*words, *there, **PLAIN)
    cluster.fights_for(begun, chunks=3)  # two may be left of the forecast before
    cluster.workers[0].kill()
    out, err = begun.communicate(timeout=PATIENCE_S)

    assert (begun.returncode, err) == (0, "")
    assert json.loads(out) == wars.types(*words, XDG_CACHE_HOME=caches).data

    for dies, says in (
        (cluster.workers[1], "has no worker any more."),
        (cluster.scheduler, "does not answer any more; check that its scheduler still runs."),
    ):
        begun = wars.begins(*forecast("W-0002", "--runs", "1000000", *there), **PLAIN)
        cluster.fights_for(begun)
        dies.kill()
        out, err = begun.communicate(timeout=PATIENCE_S)

        assert begun.returncode == 3
        assert err == f"sheets-algo: The cluster at {there[1]} {says}\n"
        (found,) = json.loads(out)["forecasts"]
        assert found["ended"] == "lost"
        assert 0 < found["runs"] < 1_000_000
        if dies is not cluster.scheduler:
            cluster.gains_a_worker()


def test_a_missing_scheduler_is_reported_in_a_sentence(wars: Moderator) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        said = wars.types("forecast", "season.xlsx", "W-0002", "--cluster", address)

    assert (said.code, said.out) == (3, "")
    assert said.err == (
        f"sheets-algo: No Dask scheduler answers at {address}. Check that it runs and that this machine can reach it,"
        " or leave --cluster out.\n"
    )


def test_a_server_that_is_not_dask_is_not_waited_for(wars: Moderator) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        said = wars.types("forecast", "season.xlsx", "W-0002", "--cluster", f"127.0.0.1:{mute.getsockname()[1]}")

    assert said.code == 3
    assert said.err.startswith("sheets-algo: No Dask scheduler answers at 127.0.0.1:")


@pytest.mark.parametrize("address", ["", "here", "http://127.0.0.1:1"])
def test_an_invalid_address_is_reported_in_a_sentence(wars: Moderator, address: str) -> None:
    said = wars.types("forecast", "season.xlsx", "W-0002", "--cluster", address)

    assert said.code == 2
    assert said.err == (
        f'sheets-algo: --cluster "{address}" is not an address of a scheduler. Type it as tcp://host:8786.\n'
    )


def test_a_cluster_without_a_fit_worker_is_told_the_requirements(wars: Moderator, cluster: DaskCluster) -> None:
    """No worker, one without this program, one with other rules; none is harmed."""
    cluster.starts()
    words = ("forecast", "season.xlsx", "W-0002", "--cluster", cluster.address)

    said = wars.types(*words)
    assert said.code == 3
    assert said.err == (
        f"sheets-algo: The cluster at {cluster.address} has no worker. Start one: dask worker {cluster.address}\n"
    )

    for prelude in (WITHOUT_THE_PROGRAM, OTHER_RULES):
        worker = cluster.gains_a_worker(prelude)
        said = wars.types(*words)

        assert said.code == 3
        assert said.err.startswith(
            f"sheets-algo: The cluster at {cluster.address} has no sheets-algo of this version on tcp://127.0.0.1:"
        )
        assert said.err.endswith("; install it there and start it anew.\n")
        assert said.err.count("tcp://") == 2
        assert worker.poll() is None
        worker.kill()


def test_without_dask_the_installation_command_is_printed(wars: Moderator, tmp_path: Path) -> None:
    missing = tmp_path / "none" / "distributed" / "__init__.py"
    missing.parent.mkdir(parents=True)
    missing.write_text("raise ModuleNotFoundError(\"No module named 'distributed'\", name='distributed')\n")

    said = wars.types("forecast", "season.xlsx", "W-0002", "--cluster", "a:1", PYTHONPATH=str(tmp_path / "none"))

    assert said.code == 2
    command = f"{sys.executable} -m pip install 'distributed>=2025.1'"
    assert said.err == f"sheets-algo: --cluster: Dask is not installed here. Type: {command}\n"
