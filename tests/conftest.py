"""Searches look at the same examples in every run, so a change is judged by what it does; a budget looks further."""

import gc
import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from scripts.support import toys
from tests.helpers import machine_code

toys.install()

# A busy machine is slow to make up a war; that says nothing about the war.
settings.register_profile(
    "same", derandomize=True, deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow]
)
if "SHEETS_ALGO_BUDGET" not in os.environ:
    settings.load_profile("same")
    # Hypothesis also tries the numbers in all modules that are loaded by then, which differ with the tests before;
    # reading them takes seconds, too.
    assert hasattr(providers, "_get_local_constants")
    providers._get_local_constants = lambda: providers._local_constants

# The secret of the seasons that tests begin, for sessions in this process; commands get an environment of their own.
os.environ["SHEETS_ALGO_SECRET"] = "a season secret that only tests know"


@pytest.fixture(scope="session", autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the account's machine code and settings out of all tests, and out of the programs that they start.

    They find the machine code that tests share, once there is any, since Python fights for seconds instead.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
            patch.setenv(name, str(tmp_path_factory.mktemp(name.lower())))
        machine_code.link_kernel(Path(os.environ["XDG_CACHE_HOME"]))
        yield


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty home; the commands of a test process share its cache, and machine code of battles once there is any."""
    home = tmp_path_factory.mktemp("home")
    machine_code.link_kernel(home / "cache")
    return home


def pytest_collectstart() -> None:
    """Search for no garbage while ten thousand tests are collected: there is none."""
    gc.disable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put each test with the mark `first` at the start of the part of all tests that its process begins with.

    Each process of xdist begins with a part of equal size, and takes over from others once it has done that. Tests that
    wait for minutes leave the processor to the other processes; at the end, they would keep all waiting.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    marks = [item.get_closest_marker("first") for item in items]
    others = iter([item for item, mark in zip(items, marks, strict=True) if mark is None])
    left, ordered = len(items), list[pytest.Item]()
    for worker in range(workers):
        size = left // (workers - worker)
        own = [item for item, mark in zip(items, marks, strict=True) if mark and mark.args[0] % workers == worker]
        ordered += [*own, *itertools.islice(others, max(0, size - len(own)))]
        left -= size
    items[:] = [*ordered, *others]


def pytest_collection_finish() -> None:
    """Leave all tests and imported modules out of later searches."""
    gc.freeze()
    gc.enable()
