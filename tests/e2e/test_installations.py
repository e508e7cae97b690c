"""The line that the program prints for an extra that is missing: typed as it stands, in each kind of installation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.helpers.example_budget import spread
from tests.helpers.installs import Installation, by_pipx, in_venv

POST = """
[[post]]
name = "phone"
to = "apprise"
secret_file = "phone.txt"
"""
WIKI = """
[[post]]
name = "wiki"
to = "mediawiki"
address = "http://127.0.0.1:9/w/api.php"
user = "Herald@post"
page = "Wars"
secret_file = "phone.txt"
"""
ODDS = "sheets-algo forecast season.xlsx W-0002 --runs 10 --plot odds.png"


def in_checkout(folder: Path) -> Installation:
    """As `scripts/setup-venv` installs it."""
    return in_venv(folder, "--editable")


INSTALLATIONS = [
    pytest.param(
        in_venv,
        POST,
        "sheets-algo doctor season.xlsx",
        "phone: Apprise is not installed here",
        "Apprise knows this kind of address",
        id="venv",
    ),
    pytest.param(by_pipx, "", ODDS, "Matplotlib is not installed here", "picture  odds.png", id="pipx"),
    pytest.param(
        in_checkout,
        WIKI,
        "sheets-algo doctor season.xlsx",
        "wiki: What talks to wikis is not installed here",
        "The answer of the wiki broke off",
        id="checkout",
    ),
]
"""Each with settings, what is typed, what is said before and after; the first one, in a sample, stands for all."""


@pytest.mark.slow
@pytest.mark.parametrize(("install", "settings", "typed", "lacks", "works"), spread(INSTALLATIONS, 3))
def test_the_printed_command_installs_the_missing_package(
    tmp_path: Path, install: Callable[[Path], Installation], settings: str, typed: str, lacks: str, works: str
) -> None:
    installed = install(tmp_path / "program")
    season = tmp_path / "season"
    made = installed.types("sheets-algo init season.xlsx", season)
    assert made.returncode == 0, made.stderr
    (season / "sheets-algo.toml").write_text(settings, encoding="utf-8")
    (season / "phone.txt").write_text("ntfy://ntfy.example.org/1066\n", encoding="utf-8")
    (season / "phone.txt").chmod(0o600)

    before = installed.types(typed, season)
    said = before.stdout + before.stderr
    assert lacks in said
    assert works not in said
    (line,) = (line.partition(" Type: ")[2] for line in said.splitlines() if lacks in line)
    followed = installed.types(line, season)
    assert followed.returncode == 0, followed.stdout + followed.stderr

    after = installed.types(typed, season)
    assert lacks not in after.stdout + after.stderr
    assert works in after.stdout + after.stderr
