"""The scripts of pages: modules that run in tests as they are, and as one script in a page."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from scripts.support.browser import node
from sheets_algo.pages.html import script_of

TESTS = Path(__file__).with_name("js")


def test_the_tests_of_the_modules_pass() -> None:
    done = subprocess.run([node(), "--test", *sorted(map(str, TESTS.glob("*.mjs")))], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "# pass 0" not in done.stdout


@pytest.mark.parametrize("module", ["replay.js", "board/lone.js", "board/live.js"])
def test_the_modules_of_a_page_form_one_script_without_duplicate_names(module: str, tmp_path: Path) -> None:
    script = tmp_path / "page.js"
    script.write_text(script_of(module), encoding="utf-8")
    assert "import {" not in script_of(module)
    assert "\nexport " not in script_of(module)
    done = subprocess.run([node(), "--check", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
