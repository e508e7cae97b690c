"""Schedules for orders that players send, each drawn from a seed (TRN-12); `scripts/soak.py` plays more."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.support.order_schedules import STORES, play
from scripts.support.warm_start import run_script
from sheets_algo.ruling.receipts.receipt_rows import Sealed

SOAK = Path(__file__).parents[2] / "scripts" / "soak.py"


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("seed", [0, 1])
def test_trn_12_each_order_is_copied_once_whatever_goes_wrong(tmp_path, store, seed):
    played = play(store, seed, tmp_path)

    assert played.faults == []
    assert played.deeds["sealed"] == 3


def test_a_program_that_forgets_taken_orders_is_detected(tmp_path, monkeypatch):
    monkeypatch.setattr(Sealed, "keys", ())

    assert any(" stands in " in fault for fault in play("file", 0, tmp_path).faults)


def test_the_script_counts_its_schedules_and_refuses_an_unknown_store():
    done = run_script(SOAK, "orders", "--only", "file", "--schedules", "1", "--seed", "3")
    assert (done.returncode, done.stdout.partition(" (")[0]) == (0, "file: 1 schedules")
    done = run_script(SOAK, "orders", "--only", "paper")
    assert (done.returncode, done.stderr.strip().splitlines()[-1]) == (
        2,
        "soak.py: error: --only is paper; use file, sheets",
    )
