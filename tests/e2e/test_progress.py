"""How far a long command is, where no terminal shows a bar."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from sheets_algo.cli import main
from sheets_algo.commands.output import ProgressBar
from sheets_algo.forecasts.progress import QUIET
from tests.helpers.machine_code import caches


@pytest.fixture
def context() -> click.Context:
    return click.Context(click.Command("run"))


def test_each_line_tells_what_is_done_and_how_much(context, monkeypatch, capsys):
    monkeypatch.setattr("sheets_algo.commands.output.FIRST_LINE_S", 0.0)
    monkeypatch.setattr("sheets_algo.commands.output.EVERY_S", 0.0)
    with context, ProgressBar() as bar:
        bar.update("Ruling", "W-0001", 2)
        bar.update("Ruling", "W-0002", 2)
        bar.update("Pages", "W-0001\nHastings.html", 2)

    assert capsys.readouterr().err == (
        "Ruling: 1 of 2, W-0001\nRuling: 2 of 2, W-0002\nPages: 1 of 2, W-0001 Hastings.html\n"
    )


def test_work_that_is_quick_and_a_command_that_is_quiet_tell_nothing(context, monkeypatch, capsys):
    monkeypatch.setattr("sheets_algo.commands.output.FIRST_LINE_S", 3_600.0)
    with context, ProgressBar() as bar:
        bar.update("Ruling", "W-0001", 1)
    monkeypatch.setattr("sheets_algo.commands.output.FIRST_LINE_S", 0.0)
    context.meta[QUIET] = True
    with context, ProgressBar() as bar:
        bar.update("Ruling", "W-0001", 1)

    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("before", "command", "told"),
    [((), "check", "Looking ahead: 5 of 5"), (("run",), "verify", "Verifying: 5 of 5")],
)
def test_commands_that_fight_battles_tell_how_far_they_are(before, command, told, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", caches())
    file = tmp_path / "season.xlsx"
    for earlier in ("init", *before):
        assert CliRunner().invoke(main, [earlier, str(file)]).exit_code == 0
    monkeypatch.setattr("sheets_algo.commands.output.FIRST_LINE_S", 0.0)
    monkeypatch.setattr("sheets_algo.commands.output.EVERY_S", 0.0)

    done = CliRunner().invoke(main, [command, str(file)])

    assert done.exit_code == 0
    assert told in done.stderr
