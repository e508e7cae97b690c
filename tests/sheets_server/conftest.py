"""A server of its own for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.sheets_server.server import LocalSheets


@pytest.fixture
def server() -> Iterator[LocalSheets]:
    with LocalSheets() as running:
        yield running
