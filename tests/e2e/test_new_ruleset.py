"""The page about a new ruleset is followed: its files go into a copy of the program, and its commands are run."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import openpyxl
import pytest

from tests.e2e.moderator import Moderator, Said, row_of

HOME = Path(__file__).parents[2]
PAGE = (HOME / "docs" / "new-ruleset.md").read_text(encoding="utf-8")
BOOK = "duels.xlsx"
SECRET = {"SHEETS_ALGO_SECRET": "a season of duels that only tests know"}
COPIED = ("engine", "sheets_algo", "config", "scripts", "tests/test_architecture.py", "tests/test_rulebook.py")


def block(section: str) -> str:
    """Return the content of the first block of a section."""
    found = re.search(r"^```\w*\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


SECTIONS = {section.splitlines()[0]: section for section in re.split(r"^## \d+\. ", PAGE, flags=re.MULTILINE)[1:]}
FILES: Mapping[str, str] = {name: block(section) for name, section in SECTIONS.items() if "/" in name}
RULES = [name for name in FILES if name.startswith(("config/rulebook", "config/tables", "engine", "sheets_algo"))]


def run(program: Path, *words: str) -> str:
    """Run Python in the copy, and return what it printed."""
    done = subprocess.run(
        [program / ".venv" / "bin" / "python", *words], cwd=program, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the program with the page's files, its line and the schema."""
    copy = tmp_path_factory.mktemp("program")
    for name in COPIED:
        (copy / name).parent.mkdir(exist_ok=True)
        (shutil.copytree if (HOME / name).is_dir() else shutil.copy)(HOME / name, copy / name)
    for name, place in (("maps", HOME / "maps"), ("pyproject.toml", HOME / "pyproject.toml"), (".venv", sys.prefix)):
        (copy / name).symlink_to(place)
    for name, content in FILES.items():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text(content, encoding="utf-8")
    for folder in ("engine/duel", "sheets_algo/forms/duel"):
        (copy / folder / "__init__.py").write_text('"""Duels."""\n', encoding="utf-8")
    registry = copy / "sheets_algo" / "forms" / "registry.py"
    (line,) = re.findall(r"^    FormEntry.*\n", block(SECTIONS["One line in the registry"]), re.MULTILINE)
    before, end, after = registry.read_text(encoding="utf-8").partition(')\n"""All forms')
    registry.write_text(before + line + end + after, encoding="utf-8")
    assert "duel.schema.json" in run(copy, "scripts/docs", "--schemas")
    return copy


@pytest.fixture(scope="module")
def moderator(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Moderator:
    return Moderator(tmp_path_factory.mktemp("game"), tmp_path_factory.mktemp("home"), config=None)


def types(program: Path, moderator: Moderator, *words: str) -> Said:
    """Run the copy's `sheets-algo`."""
    done = subprocess.run(
        [program / ".venv" / "bin" / "python", "-m", "sheets_algo", *words],
        cwd=moderator.folder,
        env=moderator.environment({"PYTHONPATH": str(program), **SECRET}),
        capture_output=True,
        text=True,
        check=False,
    )
    return Said(done.returncode, done.stdout, done.stderr)


def test_the_page_counts_its_lines() -> None:
    lines = sum(len(FILES[name].splitlines()) for name in RULES)
    code = sum(bool(line.strip()) for name in RULES for line in FILES[name].splitlines())

    assert f"{lines} lines in {len(RULES)} files, {code} without the blank ones" in " ".join(PAGE.split())


def test_the_page_s_code_keeps_the_style(program: Path) -> None:
    written = [name for name in FILES if name.endswith(".py")]

    run(program, "-m", "ruff", "check", "--no-cache", *written)
    run(program, "-m", "ruff", "format", "--no-cache", "--check", *written)


def test_the_page_s_test_and_the_architecture_hold(program: Path) -> None:
    run(program, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "duel or architecture or column", "tests")


def test_the_page_s_commands_do_what_it_shows(program: Path, moderator: Moderator) -> None:
    book = moderator.folder / BOOK
    steps = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block(SECTIONS["It runs"]), re.MULTILINE)
    assert [line.split()[1] for line, _ in steps] == ["init", "check", "run", "verify", "undo", "forecast"]
    wins, states = [], []

    for line, expected in steps:
        name, *words = shlex.split(line)
        assert name == "sheets-algo"
        said = types(program, moderator, *words)
        assert said.code == 0, said.out + said.err
        assert re.fullmatch(".*".join(map(re.escape, expected.split("..."))), said.out, re.DOTALL), said.out
        wins.append(row_of(book, "Duellists", "Duellist", "Tancred")["Wins"])
        row = row_of(book, "Duel Requests", "Request", "D-0001")
        states.append((row["Status"], row["Winner"]))

    assert wins == [2, 2, 3, 3, 2, 2]
    assert states[1:4] == [(None, None), ("Done", "Tancred"), ("Done", "Tancred")]
    assert states[4] == ("Undone", None)
    receipt = row_of(book, "Receipts", "Request", "D-0001")
    assert receipt["Receipt"] == (
        "== Tancred challenges Baldwin ==\n* '''Result:''' Tancred wins; Tancred rolled 16: 23 against 14"
    )


def test_the_odds_of_the_page_are_those_of_the_die(program: Path, moderator: Moderator) -> None:
    assert types(program, moderator, "init", "--ruleset", "duel", "odds.xlsx").code == 0

    (forecast,) = types(program, moderator, "forecast", "odds.xlsx", "D-0002", "--runs", "4000", "--json").data[
        "forecasts"
    ]

    assert abs(forecast["odds"]["attacker"]["share"] - 7 / 20) < 0.03  # four standard deviations
    assert forecast["odds"]["attacker"]["share"] + forecast["odds"]["defender"]["share"] == 1


def test_a_mistake_in_a_duel_is_shown_with_its_cell(program: Path, moderator: Moderator) -> None:
    rows = {
        "Duel Requests": [{"Request": "D-0001", "Challenger": "Tancred", "Challenged": "Tancred", "Ready": True}],
        "Duellists": [{"Duellist": "Tancred", "Skill": 7}],
    }
    book = openpyxl.Workbook()
    for tab, (row,) in rows.items():
        sheet = book.create_sheet(tab)
        sheet.append([*row])
        sheet.append([*row.values()])
    book.save(moderator.folder / "wrong.xlsx")

    assert types(program, moderator, "init", "--ruleset", "duel", "wrong.xlsx").code == 0
    said = types(program, moderator, "check", "wrong.xlsx")

    assert (said.code, said.out.splitlines()) == (
        1,
        [
            "'Duel Requests'!C2 (D-0001, Challenged): nobody fights alone. Name two leaders. [DU-01]",
            "1 error, 0 warnings.",
        ],
    )
