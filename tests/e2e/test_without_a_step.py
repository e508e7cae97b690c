"""The program without a step: its folder and its line are deleted, and wars are ruled all the same."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sheets_algo.steps import STEPS

HOME = Path(__file__).parents[2]
NAMES = [step.__module__.split(".")[-2] for step in STEPS]
START = "import sys; sys.path.insert(0, '.'); from sheets_algo.__main__ import start; start()"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a copy of the program."""
    folder = tmp_path_factory.mktemp("program")
    for name in ("sheets_algo", "engine", "config", "maps"):
        shutil.copytree(HOME / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HOME / "pyproject.toml", folder)
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_a_step_can_be_deleted_and_wars_are_still_ruled(program: Path, name: str) -> None:
    listed, step = program / "sheets_algo/steps/__init__.py", STEPS[NAMES.index(name)].__name__
    folder, lines = program / "sheets_algo/steps" / name, listed.read_text(encoding="utf-8")
    without = re.sub(rf"from .* import {step}\n", "", lines).replace(f"{step}, ", "").replace(f", {step}", "")
    assert without.count("\n") == lines.count("\n") - 1
    folder.rename(program / name)
    listed.write_text(without, encoding="utf-8")
    try:
        typed(program, "init", f"{name}.xlsx")
        assert typed(program, "check", f"{name}.xlsx").endswith("No problems.\n")
        assert "5 requests ruled" in typed(program, "run", f"{name}.xlsx")
        assert "5 of 5 receipts equal" in typed(program, "verify", f"{name}.xlsx")
    finally:
        listed.write_text(lines, encoding="utf-8")
        (program / name).rename(folder)


def typed(program: Path, *words: str) -> str:
    """Type a command in the folder of a program, and return what it says."""
    told = os.environ | {"SHEETS_ALGO_PICTURES": "false", "SHEETS_ALGO_HOW_LUCKY": "false", "PYTHONPATH": str(program)}
    done = subprocess.run([sys.executable, "-c", START, *words], cwd=program, env=told, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
