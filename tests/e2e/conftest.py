"""What the end-to-end tests start from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.support.moderator import COMMAND, Moderator
from scripts.support.sheets_server import LocalSheets
from tests.e2e.online import Online


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty home; the cache in it is shared by the commands of one test process."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def moderator(tmp_path: Path, home: Path) -> Moderator:
    assert COMMAND.exists(), "the package is not installed here; scripts/setup-venv does it"
    return Moderator(tmp_path, home)


@pytest.fixture
def online(moderator: Moderator) -> Iterator[Online]:
    with LocalSheets() as server:
        yield Online(moderator, server)
