"""A server of its own for each test, and a session whose made-up token it takes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import requests

from scripts.support.sheets_server import MADE_UP, LocalSheets


@pytest.fixture
def server() -> Iterator[LocalSheets]:
    with LocalSheets() as running:
        yield running


@pytest.fixture
def web() -> Iterator[requests.Session]:
    with requests.Session() as session:
        session.headers.update(MADE_UP)
        yield session
