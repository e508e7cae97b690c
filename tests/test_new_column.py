"""A column of a request tab is added in a copy of the checkout, in exactly the files that CONTRIBUTING.md names."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from scripts.support.bad_input_cases import edit
from scripts.support.moderator import row_of
from tests.helpers.installs import CHECKOUT, source_files

FORMS = "sheets_algo/forms"
COLUMN = '    umpire: str = text("Umpire", "{}", "Who decides what the rules leave open.", decides=False)\n'
TEST = '''"""Umpires of wars."""

from scripts.support.smallest_war import war_rows
from scripts.support.workbooks import column, run, workbook


def test_war_99_the_message_of_a_war_names_its_umpire() -> None:
    book = workbook(war_rows(Umpire="Judith"))
    run(book)

    assert "Umpire: Judith." in str(column(book, "War Requests", "Message")[0])
'''
GAMES = [runpy.run_path(str(file)) for file in sorted((CHECKOUT / "tests/games").glob("*/new_column.py"))]
"""How games get the same column."""
LOOK_AT_COLUMNS = (
    "tests/test_umpires.py",
    "tests/test_rulebook.py",
    "tests/forms/test_autoalgo_columns.py",
    "tests/forms/test_former_columns.py",
    "tests/ruling/test_disputes.py",
    "tests/workbook/xlsx/test_new.py",
)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the checkout, with the Python of this one."""
    folder = tmp_path / "copy"
    for name in source_files():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CHECKOUT / name, folder / name)
    (folder / ".venv").symlink_to(CHECKOUT / ".venv")
    return folder


def add_column(copy: Path) -> None:
    """Add a column Umpire to requests, also to those of some games; their Message names the umpire."""

    def insert(name: str, before: str, text: str) -> None:
        content = (copy / name).read_text("utf-8")
        assert content.count(before) == 1, name
        (copy / name).write_text(content.replace(before, text + before), "utf-8")

    insert(f"{FORMS}/autoalgo/columns.py", '    winner: str = result("Winner", "WAR-11"', COLUMN.format("WAR-99"))
    said = '        {}if umpire := as_text(row.value("umpire")):\n'
    said += '            remarks = [*remarks, f"Umpire: {{umpire}}."]\n'
    last = "        return FormResult(war, tuple(remarks), warnings, {FlankRow.tab.name: parts}, dead)\n"
    insert(f"{FORMS}/autoalgo/form.py", last, said.format(""))
    (copy / "tests" / "test_umpires.py").write_text(TEST, "utf-8")
    for game in GAMES:
        for name, before, text in game["inserts"](COLUMN, said):
            insert(name, before, text)
        (copy / game["TEST_FILE"]).write_text(game["TEST"], "utf-8")


@pytest.mark.slow
@pytest.mark.first(0)
def test_a_new_column_needs_exactly_the_files_that_contributing_names(copy: Path, tmp_path: Path) -> None:
    before = digests(copy)
    add_column(copy)
    types(copy, "scripts/docs")
    changed = {name for name, digest in digests(copy).items() if before.get(name) != digest}

    contributing = (copy / "CONTRIBUTING.md").read_text("utf-8")
    (row,) = re.findall(r"^\| a column of a request tab \| (.*?) If it decides .*\|$", contributing, re.M)
    named = {
        place.replace("<ruleset>", ruleset)
        for place in re.findall(r"`([\w./<>]+)`", row)
        for ruleset in ("autoalgo", *(game["RULESET"] for game in GAMES))
    } - {"scripts/docs"}
    assert [place for place in named if not any(name.startswith(place) for name in changed)] == []
    assert [name for name in changed if not name.startswith(tuple(named))] == []

    options = ("-m", "pytest", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", "-k", "not office")
    assert " passed" in types(copy, *options, *LOOK_AT_COLUMNS, *(game["TEST_FILE"] for game in GAMES))
    types(copy, "-m", "sheets_algo", "init", str(tmp_path / "season.xlsx"))
    edit(tmp_path / "season.xlsx", "War Requests", "Umpire", 2, "Judith")
    types(copy, "-m", "sheets_algo", "run", str(tmp_path / "season.xlsx"))
    assert "Umpire: Judith." in row_of(tmp_path / "season.xlsx", "War Requests", "Request", "W-0001")["Message"]


def digests(folder: Path) -> dict[str, str]:
    """Return the digest of each file that git does not ignore, by its path."""
    ignored = {".venv", "__pycache__", "schema"}
    files = [path for path in folder.rglob("*") if path.is_file() and not ignored & {*path.relative_to(folder).parts}]
    return {str(file.relative_to(folder)): sha256(file.read_bytes()).hexdigest() for file in files}


def types(copy: Path, *words: str) -> str:
    """Run Python with the copy's code, and return what it prints."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
