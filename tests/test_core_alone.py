"""The core without the other games: a copy of the checkout that lacks them imports all its tests and passes some."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from scripts.support.core_tree import CHECKOUT, clean, games, make

SAMPLE = ("tests/database", "tests/ruling/test_undo_and_verify.py", "tests/test_architecture.py")


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the checkout without the games."""
    folder = tmp_path_factory.mktemp("core") / "sheets-algo"
    make(folder)
    return folder


def test_nothing_of_a_game_lies_outside_its_folders(core: Path) -> None:
    """Removing a game touches what is called like it and its line in pyproject.toml; the rest is as it was."""
    kept = {file.relative_to(core) for file in core.rglob("*.py") if ".venv" not in file.parts}
    changed = [name for name in kept if (core / name).read_bytes() != (CHECKOUT / name).read_bytes()]

    assert len(games()) >= 4, "so that there are games to leave out"
    assert not {"realm", "ciais", "hexcombat", "scorecard"} & {part for name in kept for part in name.parts}
    assert changed == []


def test_all_modules_of_tests_are_imported_and_a_sample_passes(core: Path) -> None:
    collected = pytest_in(core, "--collect-only", "--quiet")
    assert collected.returncode == 0, collected.stdout[-5000:]
    ran = pytest_in(core, "--quiet", *SAMPLE)
    assert ran.returncode == 0, ran.stdout[-5000:]


def pytest_in(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a copy of the checkout."""
    command = [folder / ".venv" / "bin" / "python", "-m", "pytest", "-p", "no:randomly", "-p", "no:cacheprovider"]
    return subprocess.run([*command, *words], cwd=folder, env=clean(), capture_output=True, text=True, check=False)
