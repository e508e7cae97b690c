"""The core without the other games: a copy of the checkout that lacks them imports all its tests and passes some."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from scripts.support.core_tree import CHECKOUT, clean, games, make

pytestmark = pytest.mark.skipif(not games(), reason="this is the core without its games")
SAMPLE = ("tests/database", "tests/ruling/test_undo_and_verify.py", "tests/test_architecture.py")


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the checkout without the games."""
    folder = tmp_path_factory.mktemp("core") / "sheets-algo"
    make(folder)
    return folder


def test_no_core_file_is_changed_by_or_names_a_game(core: Path) -> None:
    """Adding or removing a game touches what is called like it and its line in pyproject.toml."""
    files = [file.relative_to(core) for file in core.rglob("*.py") if ".venv" not in file.parts]
    named = re.compile(rf"""["'./](?:{"|".join(games())})\b""")

    assert len(games()) >= 4, "so that there are games to leave out"
    assert not {*games()} & {part for file in files for part in file.parts}
    assert [file for file in files if (core / file).read_bytes() != (CHECKOUT / file).read_bytes()] == []
    assert [file for file in files if named.search((core / file).read_text(encoding="utf-8"))] == []


def test_all_test_modules_import_and_a_sample_passes(core: Path) -> None:
    collected = pytest_in(core, "--collect-only", "--quiet")
    assert collected.returncode == 0, collected.stdout[-5000:]
    ran = pytest_in(core, "--quiet", *SAMPLE)
    assert ran.returncode == 0, ran.stdout[-5000:]


def pytest_in(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a copy of the checkout."""
    command = [folder / ".venv" / "bin" / "python", "-m", "pytest", "-p", "no:randomly", "-p", "no:cacheprovider"]
    return subprocess.run([*command, *words], cwd=folder, env=clean(), capture_output=True, text=True, check=False)
