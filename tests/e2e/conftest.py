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
