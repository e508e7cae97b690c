"""Two runs at once, and runs that are stopped: the workbook is the old one or the new one, and no war counts twice."""

from __future__ import annotations

import signal
import time
from collections import Counter
from itertools import product

import pytest

from scripts.support.moderator import BOOK, only, season, shown, write
from scripts.support.patience import PATIENCE_S
from tests.helpers.example_budget import spread

WARS = 8


def many_wars() -> dict[str, list[dict[str, object]]]:
    """Manzikert so many times over, each on the stability that the one before left."""
    rows = only(season(), "W-0004")
    war = rows["War Requests"][3]
    rows["War Requests"] = [war | {"Request": f"W-{number:04}"} for number in range(1, WARS + 1)]
    rows.pop("Flanks")
    return rows


@pytest.fixture
def busy(moderator):
    write(moderator.book, many_wars())
    return moderator


def test_two_simultaneous_runs_rule_each_war_once(busy):
    """One of them is told to wait (exit 4) or finds its work done; whatever happens, nothing is ruled twice."""
    both = [busy.begins("run", "--json", BOOK) for _ in range(2)]
    for run in both:
        run.communicate(timeout=PATIENCE_S)
    codes = {run.returncode for run in both}

    assert codes <= {0, 4}
    assert 0 in codes
    ruled = Counter(row["Request"] for row in shown(busy.book, "Receipts") if row["Kind"] == "Ruling")
    assert sorted(ruled) == [f"W-{number:04}" for number in range(1, WARS + 1)]
    assert set(ruled.values()) == {1}
    assert len(list((busy.folder / "logs").iterdir())) == WARS
    assert busy.types("verify", BOOK).out.splitlines()[-1] == f"{WARS} of {WARS} receipts equal."


@pytest.mark.slow
@pytest.mark.parametrize(("later", "name"), spread(product([0.0, 0.3, 0.6], ["SIGINT", "SIGTERM"]), 2))
def test_a_stopped_run_leaves_the_file_whole(busy, later, name):
    """Ctrl+C while battles are fought or written: nothing half done, and the next run goes on."""
    before = busy.book.read_bytes()
    run = busy.begins("run", BOOK)
    while not (busy.folder / "logs").exists() and run.poll() is None:
        time.sleep(0.01)
    time.sleep(later)
    run.send_signal(getattr(signal, name))
    _, err = run.communicate(timeout=PATIENCE_S)

    assert "Traceback" not in err
    if busy.book.read_bytes() != before:
        assert len(shown(busy.book, "Receipts")) == WARS + 1
    again = busy.types("run", BOOK)
    assert again.code == 0, again.err
    assert len(shown(busy.book, "Receipts")) == WARS + 1
    assert len({log.stem.split()[3] for log in (busy.folder / "logs").iterdir()}) == WARS
    if name == "SIGINT":  # the other leaves no time to clean up; a later run does, when it writes
        assert [file.name for file in busy.folder.iterdir() if file.name.endswith((".tmp", ".lock"))] == []
