"""A real browser for tests of pages: Debian's Chromium, without a window and without a network."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scripts.support.patience import PATIENCE_S
from scripts.support.required import need
from sheets_algo.site.verify_site import LIBRARY
from sheets_algo.site.verify_site import PYODIDE as FETCHED

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--no-first-run", "--disable-extensions",
)  # fmt: skip
REQUIRED = "SHEETS_ALGO_BROWSER"
"""Environment variable; `required` lets tests fail where there is no browser."""
AXE = Path(__file__).resolve().parents[2] / "tests" / "data" / "axe" / "axe.min.js"
BARRIERS = """async () => (await axe.run(document, {
    resultTypes: ["violations"], rules: {"target-size": {enabled: true}}})).violations
    .map(found => [found.id, ...found.nodes.map(node => node.html.slice(0, 120))])"""
"""Script that returns what axe found, once the page has read it."""


PYODIDE = Path(__file__).resolve().parents[2] / ".venv" / FETCHED.file
"""The file that `scripts/test` fetches with npm; that of msgspec lies beside it."""


def pyodide() -> Path:
    """Return the file of Pyodide; skip the test where it is missing, unless a browser is required."""
    for path in (PYODIDE, PYODIDE.with_name(LIBRARY.file)):
        _need("" if path.exists() else f"{path} is missing (scripts/test fetches it with npm or pip)")
    return PYODIDE


def node() -> str:
    """Return the program that runs scripts without a browser; skip the test where there is none, as above."""
    found = shutil.which("node")
    _need("" if found else "node is missing (apt-get install nodejs)")
    return str(found)


def _need(missing: str) -> None:
    need(missing, REQUIRED)


def _patient(make: Callable[..., Any]) -> Callable[..., Any]:
    """Let each wait in what a browser makes last as long as the busiest machine needs."""

    def patient(**options: Any) -> Any:
        made = make(**options)
        made.set_default_timeout(PATIENCE_S * 1000)
        return made

    return patient


@contextmanager
def browser() -> Iterator[Any]:
    """Start a browser; skip the test where there is none, unless one is required."""
    missing = "" if CHROMIUM.exists() else f"{CHROMIUM} is missing (apt-get install chromium)"
    try:
        from playwright.sync_api import expect, sync_playwright
    except ModuleNotFoundError:
        missing = "the package playwright is missing"
    _need(missing)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
        expect.set_options(timeout=PATIENCE_S * 1000)
        chromium.new_context, chromium.new_page = map(_patient, (chromium.new_context, chromium.new_page))
        try:
            yield chromium
        finally:
            chromium.close()
