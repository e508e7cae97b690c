"""The page about a new ruleset is followed: its package is built and installed, and its commands are run.

It is installed into a fresh environment, in which a path leads to the program and the libraries of this one.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from scripts.support.browser import pyodide
from scripts.support.moderator import Moderator, Said, row_of

HOME = Path(__file__).parents[2]
PAGE = "".join(
    (HOME / "docs" / f"{page}.md").read_text(encoding="utf-8") for page in ("new-ruleset", "complete-ruleset")
)
BOOK = "duels.xlsx"
SECRET = {"SHEETS_ALGO_SECRET": "a season of duels that only tests know"}
INSTALLS = ("install", "--quiet", "--no-index", "--no-build-isolation", "--disable-pip-version-check")


def block(section: str) -> str:
    """Return the content of the first block of a section."""
    found = re.search(r"^```\w*\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


SECTIONS = {section.splitlines()[0]: section for section in re.split(r"^## \d+\. ", PAGE, flags=re.MULTILINE)[1:]}
FILES: Mapping[str, str] = {name: block(section) for name, section in SECTIONS.items() if "." in name}
COUNTED = [name for name in FILES if not re.search(r"tests/|/cases/|/examples/", name)]


@dataclass(frozen=True)
class Workplace:
    """The folder of the package, and an environment in which it is installed."""

    project: Path
    environment: Path

    @property
    def python(self) -> Path:
        return self.environment / "bin" / "python"

    def runs(self, *words: str) -> str:
        """Run Python in the folder of the package, and return what it printed."""
        done = subprocess.run([self.python, *words], cwd=self.project, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def types(self, moderator: Moderator, *words: str) -> Said:
        """Run the environment's `sheets-algo`."""
        done = subprocess.run(
            [self.python, "-m", "sheets_algo", *words],
            cwd=moderator.folder,
            env=moderator.environment(SECRET),
            capture_output=True,
            text=True,
            check=False,
        )
        return Said(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Workplace:
    """Return a fresh environment in which the page's package is installed by pip."""
    project, environment = tmp_path_factory.mktemp("work") / "duel-rules", tmp_path_factory.mktemp("environment")
    for name, content in FILES.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(content, encoding="utf-8")
    (project / "duel_rules" / "__init__.py").write_text('"""Duels."""\n', encoding="utf-8")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    (site,) = environment.glob("lib/python*/site-packages")
    (site / "program.pth").write_text(f"{HOME}\n{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    made = Workplace(project, environment)
    made.runs("-m", "pip", *INSTALLS, str(project))
    assert (site / "duel_rules" / "ruleset.json").exists()
    return made


@pytest.fixture
def moderator(tmp_path_factory: pytest.TempPathFactory) -> Moderator:
    return Moderator(tmp_path_factory.mktemp("game"), tmp_path_factory.mktemp("home"), config=None)


def test_the_line_counts_of_the_page_are_right() -> None:
    lines = sum(len(FILES[name].splitlines()) for name in COUNTED)
    code = sum(bool(line.strip()) for name in COUNTED for line in FILES[name].splitlines())

    assert f"{lines} lines in {len(COUNTED)} files, {code} without the blank ones" in " ".join(PAGE.split())


def test_the_page_s_code_passes_the_style_checks(work: Workplace) -> None:
    settings = ("--no-cache", "--config", str(HOME / "pyproject.toml"))

    work.runs("-m", "ruff", "check", *settings, ".")
    work.runs("-m", "ruff", "format", "--check", *settings, ".")


def test_the_page_s_tests_pass(work: Workplace) -> None:
    assert "2 passed" in work.runs("-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", "tests")


def test_the_page_s_commands_print_the_quoted_output(work: Workplace, moderator: Moderator) -> None:
    book = moderator.folder / BOOK
    steps = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block(SECTIONS["It runs"]), re.MULTILINE)
    assert steps.pop(0)[0] == "pip install ./duel-rules"  # as the environment was made
    assert steps.pop(0)[0] == "sheets-algo check --rules"
    assert [line.split()[1] for line, _ in steps] == ["init", "check", "run", "verify", "undo", "forecast"]
    wins, states = [], []

    for line, expected in steps:
        name, *words = shlex.split(line)
        assert name == "sheets-algo"
        said = work.types(moderator, *words)
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


IN_BROWSER = """
import sys

sys.path[:0] = [{program!r}, {libraries!r}]
from engine import plain_numpy

plain_numpy.install()
from sheets_algo.commands.in_browser import verify_file

print(verify_file("duels.xlsx", "", "", lambda *_: None, lambda is_equal: None)[1])
"""


@pytest.mark.browser
def test_the_verification_page_includes_the_package(work: Workplace, moderator: Moderator) -> None:
    """With Pyodide's libraries alone: msgspec, and no packages of an environment."""
    for words in (["init", "--ruleset", "duel", "duels.xlsx"], ["run", "duels.xlsx"]):
        assert work.types(moderator, *words).code == 0
    program, libraries = moderator.folder / "program", moderator.folder / "libraries"

    said = work.types(moderator, "verify", "duels.xlsx", "--site", "public", "--pyodide", str(pyodide()))
    assert said.code == 0, said.err
    shutil.unpack_archive(moderator.folder / "public" / "verify" / "program.zip", program)
    libraries.mkdir()
    (libraries / "msgspec").symlink_to(Path(sysconfig.get_path("purelib")) / "msgspec")
    code = IN_BROWSER.format(program=str(program), libraries=str(libraries))
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], cwd=moderator.folder, capture_output=True, text=True
    )

    assert (done.returncode, done.stdout) == (0, "equal\n"), done.stderr


def test_its_cases_are_checked_with_those_of_the_program(work: Workplace, moderator: Moderator) -> None:
    numbers = moderator.folder / "numbers" / "tables" / "duel" / "duel.json"
    numbers.parent.mkdir(parents=True)
    numbers.write_text('{"DU-02": {"faces": 20, "guard": 11}}', encoding="utf-8")
    ours = len([*(HOME / "config" / "rulebook" / "cases").glob("*.yaml")])

    said = work.types(moderator, "check", "--rules")
    own = work.types(moderator, "check", "--rules", "--config", "numbers")

    assert (said.code, own.code) == (0, 0), said.err + own.err
    assert f" cases in {ours + 1} files, none wrong." in said.out
    assert said.out == own.out  # a package's cases are computed with its own numbers
