"""Machine code that an account keeps: the last few versions, and no more."""

import io
import json
import os
import shutil
import sys
from threading import Timer
from types import SimpleNamespace

import pytest

from engine.ruleset import NOT_COMPILED, MachineCode, Ruleset
from scripts.support.patience import PATIENCE_S, wait_until
from sheets_algo.forecasts import compile_job, compiled, process_code
from sheets_algo.forecasts.machine_code import KEPT_MOST, MANY, remove_old_code
from sheets_algo.forecasts.process_code import code_of
from sheets_algo.runtime.watch.event_log import log_to


class Asked(Ruleset[None]):
    """A ruleset that asks for machine code of a function, and keeps the answers."""

    def __init__(self) -> None:
        self.answers: list[object] = []

    def resolve(self, inputs, rng, log=None):
        raise NotImplementedError

    def compile(self, inputs, compiler, code):
        self.answers.append(compiler(Asked.__init__, {}))
        return self.answers[-1]


@pytest.mark.parametrize("battles", [0, MANY - 1])
def test_few_battles_do_not_search_for_missing_code(battles, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    ruleset = Asked()

    code_of(SimpleNamespace(key=str(tmp_path), ruleset=ruleset), None, battles)

    assert ruleset.answers == []
    assert capsys.readouterr().err == ""


def test_a_watcher_gets_machine_readable_lines(monkeypatch, capsys):
    monkeypatch.setattr(process_code, "_said", set())
    lines = io.StringIO()
    with log_to(lines, as_json=True):
        process_code._say(process_code.ASIDE)

    said = json.loads(lines.getvalue())
    assert (said["event"], said["level"], said["message"]) == ("compile", "info", process_code.ASIDE)
    assert capsys.readouterr().err == ""


@pytest.fixture
def compiler(tmp_path, monkeypatch):
    """Return a function that lets a process of a few lines of shell take the place of the one that compiles."""
    pytest.importorskip("numba")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(process_code, "_said", set())
    program = tmp_path / "python"
    monkeypatch.setattr(compile_job.sys, "executable", str(program))

    def is_now(script: str) -> None:
        program.write_text(f"#!/bin/sh\ncat > /dev/null\n{script}\n")
        program.chmod(0o755)

    return is_now


@pytest.mark.skipif(sys.platform == "win32", reason="the compiler is a program of the shell")
@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("exit 0", "it could not be kept in {}, which"),
        ("exit 1", "numba cannot compile"),
        ("kill -9 $$", "was stopped; the next"),
    ],
)
def test_unstorable_machine_code_is_reported(script, says, compiler, tmp_path):
    """There is no machine code after the other process has ended, whether or not it made some."""
    compiler(script)

    process_code.compile_aside(SimpleNamespace(ruleset=Asked()), None, MANY, MachineCode(), PATIENCE_S)

    assert says.format(tmp_path / "sheets-algo" / "kernel") in " ".join(process_code._said)


@pytest.mark.skipif(sys.platform == "win32", reason="the compiler is a program of the shell")
@pytest.mark.parametrize(("wait_s", "is_over"), [(PATIENCE_S, True), (0.0, False)])
def test_many_rulings_wait_for_machine_code(wait_s, is_over, compiler, tmp_path):
    """Without a wait, Python begins while the other process compiles."""
    compiler(f"while ! [ -e {tmp_path}/done ]; do sleep 0.05; done")
    if is_over:
        Timer(0.5, (tmp_path / "done").touch).start()

    process_code.compile_aside(SimpleNamespace(ruleset=Asked()), None, MANY, MachineCode(), wait_s)

    assert (len(process_code._said) == 2) == is_over, "what came of it is said too"
    assert (process_code.AWAITED in process_code._said) == is_over
    (tmp_path / "done").touch()
    wait_until(lambda: len(process_code._said) == 2)


def test_a_compiler_that_dies_at_once_says_so_by_its_exit_code(monkeypatch):
    """Else the ruling that began it would fail."""
    monkeypatch.setattr(compile_job.sys, "executable", shutil.which("false"))

    assert compile_job.begin(b"more than a pipe holds" * 100_000).wait() == 1


def test_a_cache_without_space_prevents_compilation(tmp_path, monkeypatch):
    """It would be compiled again and again, and never used."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(process_code, "_said", set())

    process_code.compile_aside(SimpleNamespace(ruleset=None), None, MANY, MachineCode())

    assert "with a megabyte of room" in " ".join(process_code._said)


def test_the_first_odds_are_of_sixty_battles_and_the_next_of_four_times_as_many(monkeypatch, capsys):
    now = 0.0
    monkeypatch.setattr(compiled.time, "monotonic", lambda: now)
    early = compiled.EarlyOdds("W-1")
    for battles in range(1, 300):
        early.print([battles // 2, battles - battles // 2, 0])
    late = compiled.EarlyOdds("W-2")
    now = 2.5
    for battles in range(7, 20):
        late.print([battles, 0, 0])

    assert capsys.readouterr().err.splitlines() == [
        "W-1 so far: attacker wins 50 %, defender wins 50 % (± 12 points, 60 battles)",
        "W-1 so far: attacker wins 50 %, defender wins 50 % (± 6 points, 240 battles)",
        "W-2 so far: attacker wins 100 %, defender wins 0 % (± 35 points, 7 battles)",
    ]


def test_stored_code_is_used_for_few_battles(tmp_path, monkeypatch):
    pytest.importorskip("numba")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "sheets-algo" / "kernel" / "0123").mkdir(parents=True)
    (tmp_path / "sheets-algo" / "kernel" / "0123" / "4567.object").touch()
    ruleset = Asked()

    code_of(SimpleNamespace(key=str(tmp_path), ruleset=ruleset), None)

    assert ruleset.answers == [NOT_COMPILED]


def test_machine_code_of_older_versions_is_deleted(tmp_path):
    for age in range(KEPT_MOST + 3):
        folder = tmp_path / f"of {age} days ago"
        folder.mkdir()
        (folder / "kernel.object").write_bytes(b"machine code")
        os.utime(folder, (1_000_000 - age, 1_000_000 - age))
    (tmp_path / "a file of somebody's").touch()

    remove_old_code(tmp_path)

    assert {entry.name for entry in tmp_path.iterdir()} == {
        "a file of somebody's",
        *(f"of {age} days ago" for age in range(KEPT_MOST)),
    }


def test_an_empty_store_of_code_deletes_nothing(tmp_path):
    remove_old_code(tmp_path / "none")

    assert not list(tmp_path.iterdir())
