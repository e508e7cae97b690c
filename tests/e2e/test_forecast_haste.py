"""The command `forecast` with machine code and without."""

from __future__ import annotations

import json
import signal
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from scripts.support.moderator import Moderator, only, season, shown, write
from scripts.support.patience import PATIENCE_S, wait_until
from sheets_algo.forecasts.compiler.machine import ENDING
from tests.helpers import machine_code

pytest.importorskip("numba", reason="numba is not installed")


@pytest.fixture
def caches() -> str:
    return machine_code.caches()


def test_machine_code_and_python_give_the_same_odds(moderator: Moderator, caches: str) -> None:
    """So many battles are worth compiling; what is compiled then serves few battles too."""
    write(moderator.book, season())
    many = moderator.types("forecast", "season.xlsx", "W-0002", "--runs", "5000", "--json", XDG_CACHE_HOME=caches)
    assert many.data["forecasts"][0]["runs"] == 5_000
    assert "Python fights" not in many.err

    swift, plain = (
        moderator.types(
            *("forecast", "season.xlsx", "W-0002", "--runs", "200", "--json"),
            XDG_CACHE_HOME=caches,
            SHEETS_ALGO_FAST=fast,
        )
        for fast in ("1", "0")
    )

    assert swift.code == 0
    assert "Python fights" not in swift.err
    assert swift.data == plain.data


def test_without_numba_python_fights_and_reports_it(moderator: Moderator, tmp_path: Path) -> None:
    for name in ("numba", "llvmlite"):
        missing = tmp_path / "none" / name / "__init__.py"
        missing.parent.mkdir(parents=True)
        missing.write_text(f"raise ModuleNotFoundError('No module named {name}', name='{name}')\n", encoding="utf-8")
    write(moderator.book, season())

    begun = moderator.begins("forecast", "season.xlsx", "W-0002", PYTHONPATH=str(tmp_path / "none"))
    assert begun.stderr is not None
    said = begun.stderr.readline()
    begun.send_signal(signal.SIGINT)
    begun.communicate(timeout=PATIENCE_S)

    assert said == (
        "Python fights the battles, about a hundred times slower than machine code: "
        "numba, which makes it, is not installed; it has no packages for some systems and versions of Python.\n"
    )
    assert begun.returncode == 130


def test_a_short_forecast_spends_no_time_on_compiling(moderator: Moderator, tmp_path: Path) -> None:
    """On a machine without machine code; it says that a longer one would be faster."""
    write(moderator.book, season())
    caches = tmp_path / "caches"

    said = moderator.types("forecast", "season.xlsx", "W-0002", "--seconds", "1", "--json", XDG_CACHE_HOME=str(caches))

    assert said.data["forecasts"][0]["runs"] > 0
    assert said.err == (
        "Python fights the battles, about a hundred times slower than machine code: compiling takes longer than so"
        " short a forecast; a longer one does it, once for this machine.\n"
    )
    assert not list(caches.rglob("*.object")), "nothing is compiled"


@pytest.mark.first(0)
def test_a_new_machine_compiles_in_the_background_and_switches_to_machine_code(
    moderator: Moderator, tmp_path: Path
) -> None:
    """Python fights from the first second; when machine code is ready, the same forecast and the next ones use it."""
    write(moderator.book, season())
    words = ("forecast", "season.xlsx", "W-0002", "--json", "--runs")
    with machine_code.empty_caches(tmp_path / "caches") as caches:
        begun = moderator.begins(*words, "1000000", XDG_CACHE_HOME=caches)
        assert begun.stderr is not None
        said = [begun.stderr.readline()]
        (compiler,) = psutil.Process(begun.pid).children()
        time.sleep(1)
        begun.send_signal(signal.SIGSTOP)  # a second of Python's battles is enough, and the compiler gets the processor
        wait_until(lambda: compiler.status() == psutil.STATUS_ZOMBIE)
        begun.send_signal(signal.SIGCONT)
        odds = []
        while " so far: " in (line := begun.stderr.readline()):
            odds.append(line)
        said.append(line)
        begun.send_signal(signal.SIGINT)
        out, _ = begun.communicate(timeout=PATIENCE_S)

    assert odds[0].startswith("W-0002 so far: attacker wins ")
    assert said == [
        "Compiling the battles for this machine, once, in the background; until it is done, Python fights them.\n",
        "Machine code fights the battles from now on.\n",
    ]
    assert begun.returncode == 130
    (first,) = json.loads(out)["forecasts"]
    assert first["ended"] == "stopped"
    assert 0 < first["runs"] < 1_000_000
    assert 0 < first["error"] < 0.5
    again = moderator.types(*words, str(first["runs"]), XDG_CACHE_HOME=caches)
    assert again.err == ""
    assert again.data["forecasts"][0]["odds"] == first["odds"]


def test_a_run_writes_its_receipts_before_compiling_and_pages(moderator: Moderator, tmp_path: Path) -> None:
    """The page of the first war waits for neither: Python fights its battles while another process compiles."""
    write(moderator.book, only(season(), "W-0001", "W-0002"))
    more = {"XDG_CACHE_HOME": str(tmp_path / "caches"), "SHEETS_ALGO_REPLAYS": "true"}
    more |= {"SHEETS_ALGO_HOW_LUCKY": "true"}  # else a page has no chances
    begun = moderator.begins("run", "season.xlsx", **more)
    assert begun.stderr is not None
    said = begun.stderr.readline()
    begun.send_signal(signal.SIGSTOP)
    children = psutil.Process(begun.pid).children()
    ruled = {row["Request"]: row["Status"] for row in shown(moderator.book, "War Requests") if row["Ready"]}
    pages = list((moderator.folder / "replays").glob("*.html"))
    begun.send_signal(signal.SIGCONT)
    for child in children:
        child.kill()
    out, _ = begun.communicate(timeout=300)

    assert said == (
        "Compiling the battles for this machine, once, in the background; until it is done, Python fights them.\n"
    )
    assert len(children) == 1
    assert ruled == {"W-0001": "Done", "W-0002": "Done"}
    assert pages == []
    assert begun.returncode == 0
    assert out.count("\npage ") == 2


def test_compiling_continues_after_the_forecast(moderator: Moderator, tmp_path: Path) -> None:
    """The process that compiles hears no Ctrl+C, and works on when there is nobody who waits for it."""
    write(moderator.book, season())
    begun = moderator.begins("forecast", "season.xlsx", "W-0002", "--runs", "1000000", XDG_CACHE_HOME=str(tmp_path))
    assert begun.stderr is not None
    assert "in the background" in begun.stderr.readline()
    (compiler,) = psutil.Process(begun.pid).children()

    begun.send_signal(signal.SIGINT)
    begun.communicate(timeout=PATIENCE_S)
    try:
        worked = compiler.cpu_times().user
        wait_until(lambda: compiler.cpu_times().user > worked + 0.5)
    except psutil.NoSuchProcess:  # on a busy machine it may have finished by now
        assert any(tmp_path.rglob(f"*{ENDING}"))
        return
    finally:
        with suppress(psutil.NoSuchProcess):
            compiler.kill()
