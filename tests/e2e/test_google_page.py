"""The way that docs/google.md shows a moderator, walked with the installed program; and the live demo."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import live_demo
import pytest

from tests.e2e.online import URL

HOME = Path(__file__).parents[2]
PAGE = (HOME / "docs" / "google.md").read_text(encoding="utf-8")
BY_PAGE = {"SHEETS_ALGO_CREDENTIALS": "", "SHEETS_ALGO_FOLDER": ""}
"""Credentials and folder come from the settings file that the page shows."""


def without_toys(said: str) -> str:
    """Return what a command says without the tabs of the rulesets that only tests have."""
    return re.sub(r"(?: or (?:Joust|Round|Plot|Rank) Requests)+", "", said)


def pattern(shown: str) -> str:
    """What a console shows, in which `...` stands for anything."""
    return ".*".join(map(re.escape, shown.split("...")))


def test_the_commands_of_the_page_lead_to_the_first_receipt(online):
    online = online.newcomer
    folder, server = online.moderator.folder, online.server
    id = server.make("My game")
    server.key_file(folder).rename(folder / "key.json")
    (settings,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.M | re.S)
    (folder / "sheets-algo.toml").write_text(re.sub(r"https://[^\"]+", URL.format(id), settings), encoding="utf-8")
    steps = re.findall(r"^```console\n\$ sheets-algo (.*?)\n(.*?)^```$", PAGE, re.M | re.S)
    assert [words for words, _ in steps] == ["doctor URL", "init URL", "watch"]

    for words, shown in steps[:2]:
        said = online.types(*shlex.split(words.replace("URL", URL.format(id))), **BY_PAGE)
        assert said.code == (3 if "FAIL" in shown else 0)
        assert re.fullmatch(pattern(shown), without_toys(said.out), re.S), said.out

    expected = pattern(steps[2][1].replace("every 15 seconds", "every 2 seconds"))
    with online.watches(**BY_PAGE) as watcher:
        watcher.until(lambda: re.fullmatch(expected, watcher.out.read_text(), re.S) is not None)
        watcher.until(lambda: online.column(id, "Status")[:5] == ["Done"] * 5)
        assert watcher.stops() == 0
    assert len(list((folder / id / "logs").iterdir())) == 5
    assert len(list((folder / id / ".sheets-algo" / "secrets").iterdir())) == 1


@pytest.mark.first(1)
def test_the_live_demo_runs_to_the_end(tmp_path, capfd):
    assert live_demo.play(tmp_path / "live") == 0

    told = capfd.readouterr().out
    for step in (
        "Watched every 2 seconds.",
        "== Hastings, 1066 ==",
        "is refused:",
        "Stopped.",
        "2 of 2 receipts equal.",
    ):
        assert step in told
    assert {path.suffix for path in (tmp_path / "live").rglob("*.*") if path.is_file()} >= {".png", ".txt", ".xlsx"}


def test_a_failing_step_of_the_live_demo_is_a_sentence(tmp_path, capfd, monkeypatch):
    monkeypatch.setattr(live_demo, "PATIENCE_S", 0.0)

    assert live_demo.play(tmp_path / "live") == 1

    told = capfd.readouterr().err
    assert told.startswith("\nscripts/demo: The server did not start; see ")
    assert told.endswith(" after 0 seconds.\n")
