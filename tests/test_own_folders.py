"""Tests leave the account's own folders alone: what a person has compiled changes no test, and no test changes it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.support.moderator import Moderator
from sheets_algo.forecasts.machine_code import cache_folder

ROOT = Path(__file__).resolve().parents[1]
SEEKER = "tests/live/test_luck.py::test_fc_06_a_ruling_is_committed_with_its_luck"
"""A test of what looks for machine code."""
UNREAD = 10**18
"""Time of the last reading, long ago, in nanoseconds."""


def state(folder: Path) -> dict[str, tuple[int, int]]:
    """Return size and time of the last change of each file and folder."""
    found = {str(path): path.stat() for path in (folder, *sorted(folder.rglob("*")))}
    return {path: (is_now.st_size, is_now.st_mtime_ns) for path, is_now in found.items()}


def test_no_test_uses_the_account_s_machine_code(tmp_path: Path) -> None:
    """A run of its own, in an account that has machine code."""
    kernel = tmp_path / "sheets-algo" / "kernel"
    (kernel / "0123456789abcdef").mkdir(parents=True)
    (kernel / "0123456789abcdef" / "0123456789abcdef.object").write_bytes(b"what a person has compiled")
    before = state(kernel)
    os.utime(kernel, ns=(UNREAD, kernel.stat().st_mtime_ns))

    words = [sys.executable, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", SEEKER]
    done = subprocess.run(
        words, cwd=ROOT, env=os.environ | {"XDG_CACHE_HOME": str(tmp_path)}, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout
    assert kernel.stat().st_atime_ns == UNREAD
    assert state(kernel) == before


def test_no_program_started_by_a_test_finds_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    moderator = Moderator(tmp_path_factory.mktemp("folder"), tmp_path_factory.mktemp("home"))
    found = cache_folder(), Path(moderator.environment({})["XDG_CACHE_HOME"])

    assert all(folder.is_relative_to(tmp_path_factory.getbasetemp()) for folder in found)
