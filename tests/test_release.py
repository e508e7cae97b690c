"""What `scripts/release` refuses, in a repository of its own; a whole release is made by hand."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HOME = Path(__file__).parents[1]
UNRELEASED = "# Changelog\n\n## 0.3.0 (unreleased)\n\n- A line.\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A checkout with version 0.2.0, released, and a changelog of the next one."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(HOME / "scripts" / "release", tmp_path / "scripts")
    (tmp_path / "sheets_algo").mkdir()
    (tmp_path / "sheets_algo" / "__init__.py").write_text('__version__ = "0.2.0"\n', "utf-8")
    (tmp_path / "CHANGELOG.md").write_text(UNRELEASED, "utf-8")
    (tmp_path / ".gitignore").write_text(".venv\ndist\n", "utf-8")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "config", "user.name", "Anna")
    git(tmp_path, "config", "user.email", "anna@example.org")
    commit(tmp_path)
    git(tmp_path, "tag", "v0.2.0")
    return tmp_path


def git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def commit(folder: Path) -> None:
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "a change")


def release(folder: Path, version: str) -> tuple[int, str]:
    """Return exit code and the sentence."""
    done = subprocess.run([sys.executable, folder / "scripts/release", version], capture_output=True, text=True)
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("version", "why"),
    [
        ("0.3", '"0.3" is not a version: type three numbers, such as 0.2.0.'),
        ("0.2.0", "0.2.0 is released already: the tag v0.2.0 is there."),
        ("0.1.9", "0.1.9 is older than the last release, 0.2.0."),
        ("0.10.0", 'CHANGELOG.md has no heading "## 0.10.0 (unreleased)".'),
        ("0.3.0", "There is no .venv yet; scripts/setup-venv makes it."),
    ],
)
def test_an_invalid_version_changes_nothing(repository, version, why):
    assert release(repository, version) == (1, f"{why} Nothing was changed.\n")
    assert git(repository, "status", "--porcelain") == ""


def test_uncommitted_changes_block_a_release(repository):
    (repository / "notes.txt").write_text("A thought.\n", "utf-8")
    assert release(repository, "0.3.0") == (
        1,
        "notes.txt is not committed: commit it, or take it back. Nothing was changed.\n",
    )


def test_a_failed_build_leaves_version_and_changelog_unchanged(repository):
    """The Python of this .venv builds nothing, since there is no pyproject.toml."""
    (repository / ".venv").symlink_to(sys.prefix)
    code, says = release(repository, "0.3.0")

    assert code == 1
    assert says.endswith("There is no release; version and changelog are as before.\n")
    assert git(repository, "status", "--porcelain") == ""
    assert git(repository, "tag", "--list") == "v0.2.0\n"
    assert not (repository / "dist").exists()
