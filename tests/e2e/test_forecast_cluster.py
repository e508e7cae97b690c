"""The command `forecast` with a Dask cluster: real processes, and what becomes of it when they go."""

from __future__ import annotations

import json
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.dask_cluster import WITHOUT_THE_PROGRAM, DaskCluster, dask_cluster
from tests.e2e.moderator import Moderator, season, write
from tests.helpers import machine_code

PLAIN = {"SHEETS_ALGO_FAST": "0"}
"""Python takes long enough for things to happen meanwhile, and needs no compiler."""
OTHER_RULES = "import sheets_algo.forecasts.serialise as parcels; parcels.RULES = 'of last year'; "


@pytest.fixture(scope="module")
def caches() -> str:
    return machine_code.caches()


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory, caches: str) -> Iterator[DaskCluster]:
    """A cluster of two workers, to be left as it is."""
    with dask_cluster(tmp_path_factory.mktemp("two") / "dask", caches) as cluster:
        cluster.starts(workers=2)
        yield cluster


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


def test_workers_give_the_numbers_of_this_machine(wars: Moderator, two: DaskCluster, caches: str) -> None:
    """In machine code there, in Python here; with one chunk at a time and with as many as there are workers."""
    here = wars.types(*forecast("W-0002", "--runs", "200"), **PLAIN)
    there = [
        wars.types(*forecast("W-0002", "--runs", "200", *words, "--cluster", two.address), XDG_CACHE_HOME=caches)
        for words in ((), ("--threads", "1"))
    ]

    assert [said.data for said in there] == [here.data, here.data]


def test_many_battles_are_fought_by_machine_code_on_every_worker(wars: Moderator, two: DaskCluster) -> None:
    said = wars.types(*forecast("W-0002", "--runs", "5000", "--cluster", two.address))

    assert said.data["forecasts"][0]["runs"] == 5_000
    assert said.code == 0
    assert "Python fights" not in said.err


def test_what_is_compared_is_fought_there_too(wars: Moderator, two: DaskCluster) -> None:
    words = forecast("W-0003", "--runs", "20", "--set", "Nations!Normandy!Stability=10")

    assert wars.types(*words, "--cluster", two.address, **PLAIN).data == wars.types(*words, **PLAIN).data


def test_no_scheduler_there_is_said_in_a_sentence(wars: Moderator) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        said = wars.types("forecast", "season.xlsx", "W-0002", "--cluster", address)

    assert (said.code, said.out) == (3, "")
    assert said.err == (
        f"sheets-algo: No Dask scheduler answers at {address}. Check that it runs and that this machine can reach it,"
        " or leave --cluster out.\n"
    )


def test_what_listens_but_is_no_dask_is_not_waited_for(wars: Moderator) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        said = wars.types("forecast", "season.xlsx", "W-0002", "--cluster", f"127.0.0.1:{mute.getsockname()[1]}")

    assert said.code == 3
    assert said.err.startswith("sheets-algo: No Dask scheduler answers at 127.0.0.1:")


@pytest.mark.parametrize("address", ["", "here", "http://127.0.0.1:1"])
def test_what_is_no_address_is_said_in_a_sentence(wars: Moderator, address: str) -> None:
    said = wars.types("forecast", "season.xlsx", "W-0002", "--cluster", address)

    assert said.code == 2
    assert said.err == (
        f'sheets-algo: --cluster "{address}" is no address of a scheduler. Type it as tcp://host:8786.\n'
    )


def test_a_cluster_without_workers_is_told_what_it_needs(wars: Moderator, cluster: DaskCluster) -> None:
    cluster.starts()

    said = wars.types("forecast", "season.xlsx", "W-0002", "--cluster", cluster.address)

    assert said.code == 3
    assert said.err == (
        f"sheets-algo: The cluster at {cluster.address} has no worker. Start one: dask worker {cluster.address}\n"
    )


@pytest.mark.parametrize("prelude", [WITHOUT_THE_PROGRAM, OTHER_RULES])
def test_a_worker_without_this_program_is_named_and_lives_on(
    wars: Moderator, cluster: DaskCluster, prelude: str
) -> None:
    cluster.starts()
    cluster.gains_a_worker(prelude)

    said = wars.types("forecast", "season.xlsx", "W-0002", "--cluster", cluster.address)

    assert said.code == 3
    assert said.err.startswith(
        f"sheets-algo: The cluster at {cluster.address} has no sheets-algo of this version on tcp://127.0.0.1:"
    )
    assert said.err.endswith("; install it there and start it anew.\n")
    assert said.err.count("tcp://") == 2
    assert cluster.workers[0].poll() is None


def test_when_a_worker_dies_the_others_fight_its_battles(wars: Moderator, cluster: DaskCluster, caches: str) -> None:
    cluster.starts(workers=2)
    words = forecast("W-0002", "--runs", "600")

    begun = wars.begins(*words, "--cluster", cluster.address, **PLAIN)
    cluster.fights_for(begun)
    cluster.workers[0].kill()
    out, err = begun.communicate(timeout=120)

    assert (begun.returncode, err) == (0, "")
    assert json.loads(out) == wars.types(*words, XDG_CACHE_HOME=caches).data


@pytest.mark.parametrize(
    ("who", "says"),
    [
        ("scheduler", "does not answer any more; check that its scheduler still runs."),
        ("worker", "has no worker any more."),
    ],
)
def test_when_the_cluster_dies_what_is_known_is_told(
    wars: Moderator, cluster: DaskCluster, who: str, says: str
) -> None:
    cluster.starts(workers=1)
    address = cluster.address

    begun = wars.begins(*forecast("W-0002", "--runs", "1000000", "--cluster", address), **PLAIN)
    cluster.fights_for(begun)
    (cluster.scheduler if who == "scheduler" else cluster.workers[0]).kill()
    out, err = begun.communicate(timeout=120)

    assert begun.returncode == 3
    assert err == f"sheets-algo: The cluster at {address} {says}\n"
    (found,) = json.loads(out)["forecasts"]
    assert found["ended"] == "lost"
    assert 0 < found["runs"] < 1_000_000


def test_ctrl_c_prints_what_the_cluster_has_found_so_far(wars: Moderator, two: DaskCluster) -> None:
    begun = wars.begins(*forecast("W-0002", "--runs", "1000000", "--cluster", two.address), **PLAIN)
    two.fights_for(begun)
    begun.send_signal(signal.SIGINT)
    out, err = begun.communicate(timeout=120)

    assert (begun.returncode, err) == (130, "")
    (found,) = json.loads(out)["forecasts"]
    assert (found["ended"], found["runs"] > 0) == ("stopped", True)


def test_without_dask_it_says_what_to_install(wars: Moderator, tmp_path: Path) -> None:
    missing = tmp_path / "none" / "distributed" / "__init__.py"
    missing.parent.mkdir(parents=True)
    missing.write_text("raise ModuleNotFoundError(\"No module named 'distributed'\", name='distributed')\n")

    said = wars.types("forecast", "season.xlsx", "W-0002", "--cluster", "a:1", PYTHONPATH=str(tmp_path / "none"))

    assert said.code == 2
    assert said.err == "sheets-algo: --cluster needs Dask; install the extra: pip install 'sheets-algo[cluster]'.\n"
