"""`--help` answers at once, because nothing heavy is imported for it."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

from sheets_algo.cli import main

HEAVY = {
    "numpy",
    "openpyxl",
    "PIL",
    "jsonschema",
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


def test_the_commands_are_those_of_the_documentation():
    assert COMMANDS == [
        "check", "doctor", "explain", "forecast", "init", "replay", "report", "run", "schema", "undo", "verify",
        "watch",
    ]  # fmt: skip


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_imports_nothing_heavy(command):
    words = [sys.executable, "-X", "importtime", "-m", "sheets_algo", *([command] if command else []), "--help"]

    said = subprocess.run(words, capture_output=True, text=True, check=True)

    imported = {line.rpartition("|")[2].strip().split(".")[0] for line in said.stderr.splitlines()}
    assert "click" in imported
    assert imported & HEAVY == set()
    assert said.stdout.startswith("Usage: ")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_says_what_it_does(command):
    for parameter in main.commands[command].params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name


def test_help_says_what_the_exit_codes_mean(moderator):
    said = moderator.types("run", "--help")

    assert "Exit codes: 0 done, 1 problems in rows, 2 usage" in " ".join(said.out.split())


def test_version_is_the_package_s(moderator):
    from importlib.metadata import version

    assert moderator.types("--version").out.rstrip().endswith(version("sheets-algo"))
