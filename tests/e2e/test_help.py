"""`--help` answers at once, because nothing heavy is imported for it."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import subprocess
import sys

import click

from scripts.support.moderator import BOOK, Said, season, write
from sheets_algo.cli import main

HEAVY = {
    "numpy",
    "openpyxl",
    "PIL",
    "msgspec",
    "pandas",
    "matplotlib",
    "numba",
    "gspread",
    "google",
    "requests",
    "defusedxml",
    "platformdirs",
    "prometheus_client",
}
COMMANDS = sorted(main.commands)


def test_help_lists_the_documented_commands():
    assert COMMANDS == [
        "board", "check", "doctor", "explain", "forecast", "init", "post", "replay", "report", "restore", "run",
        "schema", "season", "undo", "verify", "watch",
    ]  # fmt: skip


HELPS = """
import contextlib, sys
from sheets_algo.__main__ import start
for words in ([], *([command] for command in sys.argv[1:])):
    sys.argv[1:] = [*words, "--help"]
    with contextlib.suppress(SystemExit):
        start()
print(*sorted({module.partition(".")[0] for module in sys.modules}), file=sys.stderr)
"""


def test_help_imports_nothing_heavy():
    said = subprocess.run([sys.executable, "-c", HELPS, *COMMANDS], capture_output=True, text=True, check=True)

    assert "click" in said.stderr.split()
    assert {*said.stderr.split()} & HEAVY == set()
    assert re.findall(r"^Usage: sheets-algo (\S+)", said.stdout, re.MULTILINE) == ["[OPTIONS]", *COMMANDS]


def test_every_option_is_explained():
    options = (
        (command, option)
        for command in COMMANDS
        for option in main.commands[command].params
        if isinstance(option, click.Option)
    )
    records = {(command, option.name): option.get_help_record(click.Context(main)) for command, option in options}

    assert [option for option, record in records.items() if not (record and record[1])] == []


def test_help_explains_the_exit_codes(moderator):
    said = moderator.types("run", "--help")

    assert "Exit codes: 0 done, 1 problems in rows, 2 usage" in " ".join(said.out.split())


def test_version_prints_the_package_s_version(moderator):
    from importlib.metadata import version

    assert moderator.types("--version").out.rstrip().endswith(version("sheets-algo"))


def test_the_shell_completes_the_ids_of_requests(moderator):
    """Those that are filled in, or those that are ruled; a spreadsheet on the web is not asked at each Tab."""
    rows = season()
    for row in rows["War Requests"]:
        row["Ready"] = row["Request"] == "W-0004"
    write(moderator.book, rows)
    moderator.types("run", BOOK)

    def completed(typed: str) -> tuple[str, str]:
        words = f"sheets-algo {typed}"
        asked = {"_SHEETS_ALGO_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        said = moderator.types(**asked)
        return " ".join(said.out.split()), said.err

    offered = {
        "explain season.xlsx W-": "plain,W-0001 plain,W-0002 plain,W-0003 plain,W-0004 plain,W-0005",
        "forecast season.xlsx W-0001 w-0002": "plain,W-0002",
        "undo season.xlsx W": "plain,W-0004",
        "verify season.xlsx W-0001": "",
        "replay nowhere.xlsx W": "",
        "explain https://docs.google.com/spreadsheets/d/1234567890 W": "",
    }
    assert {typed: completed(typed) for typed in offered} == {typed: (ids, "") for typed, ids in offered.items()}


def test_quiet_prints_only_problems(moderator):
    write(moderator.folder / BOOK, season())
    assert moderator.types("run", BOOK, "--quiet") == Said(0, "", "")
    assert moderator.types("check", BOOK, "-q") == Said(0, "", "")
    assert moderator.types("run", BOOK, "--quiet", "--json").data["requests"]
    spoilt = season()
    spoilt["War Requests"][0]["Motive"] = "Anarchy of cats"
    write(moderator.folder / "spoilt.xlsx", spoilt)
    said = moderator.types("check", "spoilt.xlsx", "--quiet")
    assert said.code == 1
    assert "Anarchy of cats" in said.out
    assert moderator.types("check", "missing.xlsx", "--quiet").err


def test_a_terminal_gets_no_colours_either():
    leader, follower = pty.openpty()
    words = [sys.executable, "-m", "sheets_algo"]
    for more in (["--help"], ["check", "missing.xlsx"], ["nonsense"]):
        subprocess.Popen([*words, *more], stdout=follower, stderr=follower, stdin=follower).wait()
    os.close(follower)
    said = b""
    with contextlib.suppress(OSError):  # the end of a terminal
        while part := os.read(leader, 65_536):
            said += part
    os.close(leader)
    assert b"Usage" in said
    assert b"\x1b[" not in said
