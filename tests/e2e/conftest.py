"""What the end-to-end tests start from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.support.moderator import COMMAND, Moderator
from scripts.support.sheets_server import LocalSheets
from tests.e2e.online import Online
from tests.helpers import machine_code


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty home; the commands of a test process share its cache, and machine code of battles once there is any."""
    home = tmp_path_factory.mktemp("home")
    machine_code.link_kernel(home / "cache")
    return home


@pytest.fixture(scope="session")
def swift_home(home: Path) -> Path:
    """The same, with machine code."""
    machine_code.caches()
    return home


@pytest.fixture
def moderator(tmp_path: Path, home: Path) -> Moderator:
    assert COMMAND.exists(), "the package is not installed here; scripts/setup-venv does it"
    return Moderator(tmp_path, home)


@pytest.fixture
def online(moderator: Moderator) -> Iterator[Online]:
    with LocalSheets() as server:
        yield Online(moderator, server)
