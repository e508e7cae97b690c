"""The package as people install it: built, installed into an environment of its own, used far from the checkout."""

from __future__ import annotations

import os
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from scripts.support.browser import pyodide
from scripts.support.moderator import BOOK, without_progress, write
from scripts.support.smallest_war import war_rows
from sheets_algo.commands.verification import SECRET_PROVES
from tests.helpers.installs import made_wheel, run, without_program


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    return made_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """`bin` of a fresh environment with the wheel; the packages it needs are those of this one."""
    folder = tmp_path_factory.mktemp("venv")
    python = without_program(folder / "venv")
    run(python, "-m", "pip", "install", "--quiet", "--no-index", "--no-compile", wheel)
    return python.parent


def test_the_wheel_contains_numbers_and_maps_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as package:
        names = package.namelist()
    assert sum(name.startswith("sheets_algo/data/maps/") for name in names) >= 12
    assert "sheets_algo/data/config/examples/1066.json" in names
    assert {f"sheets_algo/pages/{name}" for name in ("replay.html", "replay.js", "replay.css", "page.css")} <= set(
        names
    )
    assert {f"sheets_algo/pages/verify/{name}" for name in ("verify.js", "worker.js")} <= set(names)
    assert {name.split("/")[0].split("-")[0] for name in names} == {"engine", "sheets_algo"}
    assert not [name for name in names if "test" in name]
    assert [name for name in names if name.endswith(".data/data/share/man/man1/sheets-algo.1")]


@pytest.mark.slow
def test_a_season_runs_without_the_checkout(installed, moderator):
    def types(*words: str) -> str:
        environment = replace(moderator, config=None).environment({"PATH": os.environ["PATH"]})
        done = subprocess.run(
            [installed / "sheets-algo", *words], cwd=moderator.folder, env=environment, capture_output=True, text=True
        )
        errors = without_progress(done.stderr).removesuffix(f"{SECRET_PROVES}\n")
        assert (done.returncode, errors) == (0, ""), done.stderr
        return done.stdout

    where = subprocess.run(
        [installed / "python", "-c", "import sheets_algo; print(sheets_algo.__file__)"],
        cwd=moderator.folder, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert str(installed.parent) in where

    types("init", "season.xlsx")
    assert types("run", "season.xlsx").splitlines()[-1] == "5 requests ruled; season.xlsx is written."
    assert types("verify", "season.xlsx").splitlines()[-1] == "5 of 5 receipts equal."
    assert types("replay", "season.xlsx", "W-0003", "--html", "page.html") == "page     page.html\n"


@pytest.mark.browser
def test_the_verification_page_is_written_without_the_checkout(installed, moderator):
    write(moderator.book, war_rows())
    environment = replace(moderator, config=None).environment({"PATH": os.environ["PATH"]})
    command = [installed / "sheets-algo", "verify", BOOK, "--site", "public", "--pyodide", pyodide()]
    done = subprocess.run(command, cwd=moderator.folder, env=environment, capture_output=True, text=True)
    assert (done.returncode, without_progress(done.stderr)) == (0, "")
    with zipfile.ZipFile(moderator.folder / "public/verify/program.zip") as program:
        names = set(program.namelist())
    assert {"engine/plain_numpy.py", "sheets_algo/cli.py", "config/tables/autoalgo/units.json", "maps/Sea.png"} <= names
    assert {name.split("/")[0] for name in names} == {
        *("engine", "sheets_algo", "config", "maps", "py_ecc"),
        "rulesets.dist-info",
    }
    assert "MIT License" in (moderator.folder / "public/verify/licences.txt").read_text("utf-8")
