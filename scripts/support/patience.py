"""Waiting for other processes: long enough for the busiest machine, so that only what hangs is given up."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 600.0


def wait_until(holds: Callable[[], object], says: Callable[[], object] = lambda: "it takes too long") -> None:
    """Ask again and again until something holds; `says` tells what is there instead."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, says()
        time.sleep(0.05)
