"""How far a long command is, where no terminal shows a bar."""

from __future__ import annotations

import math
import os
import re
import sys
from contextlib import redirect_stderr
from dataclasses import replace
from io import StringIO

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from scripts.support.moderator import write
from sheets_algo.cli import main
from sheets_algo.commands.output import ProgressBar
from sheets_algo.config.settings import settings
from sheets_algo.forecasts.progress import QUIET
from sheets_algo.runtime.locate import open_workbooks
from sheets_algo.runtime.run.run_pass import run_until_done
from sheets_algo.workbook.stores import find
from tests.helpers.machine_code import caches
from tests.helpers.sites import jousts


@pytest.fixture
def context() -> click.Context:
    return click.Context(click.Command("run"))


@pytest.fixture
def every_line(monkeypatch) -> None:
    """Each update is printed."""
    monkeypatch.setattr("sheets_algo.commands.output.FIRST_LINE_S", 0.0)
    monkeypatch.setattr("sheets_algo.commands.output.EVERY_S", 0.0)


def test_each_line_names_finished_and_total_work(context, every_line, capsys):
    with context, ProgressBar() as bar:
        bar.update("Ruling", "W-0001", 2)
        bar.update("Ruling", "W-0002", 2)
        bar.update("Pages", "W-0001\nHastings.html", None)

    assert capsys.readouterr().err == (
        "Ruling: 1 of 2, W-0001\nRuling: 2 of 2, W-0002\nPages: 1, W-0001 Hastings.html\n"
    )


@given(
    passes=st.lists(st.tuples(st.lists(st.integers(1, 9), max_size=6), st.integers(1, 9)), min_size=1, max_size=5),
    is_interrupted=st.booleans(),
)
def test_a_count_never_exceeds_its_total_despite_new_plans(passes, is_interrupted):
    """Each pass works on some requests, expects a number of them and may draw pictures in between."""
    context, bar = click.Context(click.Command("run")), ProgressBar()
    bar._next_line = -math.inf
    done: set[int] = set()
    with context, pytest.MonkeyPatch.context() as patch, redirect_stderr(StringIO()) as stream:
        patch.setattr("sheets_algo.commands.output.EVERY_S", -math.inf)
        for requests, expected in passes:
            for request in requests:
                bar.update("Ruling", f"W-{request}", expected)
                done.add(request)
                if is_interrupted:
                    bar.update("Drawing", f"W-{request}", 1)
    lines = re.findall(r"^Ruling: (\d+) of (\d+), ", stream.getvalue(), re.M)

    assert len(lines) == sum(len(requests) for requests, _ in passes)
    assert all(int(count) <= int(total) for count, total in lines)
    assert int(lines[-1][0]) == len(done) if lines else not done


def test_a_run_in_several_passes_counts_each_order_once(every_line, tmp_path):
    """Passes as small as one of Google's may be, over 12 jousts and with a page of each."""
    rows = jousts(14)
    for row in rows["Joust Requests"][12:]:
        row["Challenged"] = "Nobody"
    file = write(tmp_path / "season.xlsx", rows)
    chosen = settings(tmp_path, {"replays": "true", "how_lucky": "false", "pictures": "false"}, {})
    (session,) = (ref.session for ref in open_workbooks([find(str(file))], chosen))
    with click.Context(click.Command("run")), redirect_stderr(StringIO()) as stream, ProgressBar() as bar:
        done = run_until_done(replace(session, most=2_000), dry=False, forced=False, progress=bar.update)

    lines = re.findall(r"^Ruling: (\d+) of (\d+), (.*)$", stream.getvalue(), re.M)
    rulings = len(done.plan.rulings)
    assert rulings > 9
    assert {int(total) for _, total, _ in lines} == {14}  # two jousts are refused
    assert lines[-1][0] == str(rulings)
    assert len({request for _, _, request in lines}) == rulings
    pages = re.findall(r"^Pages: (\d+), ", stream.getvalue(), re.M)
    assert int(pages[-1]) == len(done.pages)


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal")
def test_a_bar_of_a_terminal_continues_at_its_place(monkeypatch):
    """Work under another label comes in between."""
    master, slave = os.openpty()
    with os.fdopen(slave, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        with click.Context(click.Command("run")), ProgressBar() as bar:
            for label, item, total in (("Ruling", "a", 4), ("Drawing", "a", 1), ("Ruling", "b", 3), ("Ruling", "b", 3)):
                bar.update(label, item, total)
    shown = "".join(iter(lambda: read_terminal(master), ""))
    os.close(master)

    assert re.findall(r"(Ruling|Drawing) .*?(\d+)%", shown)[-1] == ("Ruling", "50")


def read_terminal(master: int) -> str:
    """Return what a terminal shows that was not read yet; blank at its end, which is an error on Linux."""
    try:
        return os.read(master, 4096).decode()
    except OSError:
        return ""


def test_quick_work_and_quiet_commands_print_nothing(context, monkeypatch, capsys):
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
    [((), "check", "Looking ahead: 5, W-0005"), (("run",), "verify", "Verifying: 5 of 5")],
)
def test_commands_that_fight_battles_report_their_progress(before, command, told, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", caches())
    file = tmp_path / "season.xlsx"
    for earlier in ("init", *before):
        assert CliRunner().invoke(main, [earlier, str(file)]).exit_code == 0
    monkeypatch.setattr("sheets_algo.commands.output.FIRST_LINE_S", 0.0)
    monkeypatch.setattr("sheets_algo.commands.output.EVERY_S", 0.0)

    done = CliRunner().invoke(main, [command, str(file)])

    assert done.exit_code == 0
    assert told in done.stderr
