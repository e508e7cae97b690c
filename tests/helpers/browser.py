"""A real browser for tests of pages: Debian's Chromium, without a window and without a network."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--no-first-run", "--disable-extensions",
)  # fmt: skip
REQUIRED = "SHEETS_ALGO_BROWSER"
"""Environment variable; `required` lets tests fail where there is no browser."""
AXE = Path(__file__).resolve().parents[1] / "data" / "axe" / "axe.min.js"
BARRIERS = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations
    .map(found => [found.id, ...found.nodes.map(node => node.html.slice(0, 120))])"""
"""Script that returns what axe found, once the page has read it."""


@contextmanager
def browser() -> Iterator[Any]:
    """Start a browser; skip the test where there is none, unless one is required."""
    missing = "" if CHROMIUM.exists() else f"{CHROMIUM} is missing (apt-get install chromium)"
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        missing = "the package playwright is missing"
    if missing:
        assert os.environ.get(REQUIRED) != "required", missing
        pytest.skip(missing)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
        try:
            yield chromium
        finally:
            chromium.close()
