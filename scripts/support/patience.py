"""Waiting for other processes: long enough for the busiest machine, so that only what hangs is given up."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 600.0


def wait_until(holds: Callable[[], object], says: Callable[[], object] = lambda: "it takes too long") -> None:
    """Ask again and again until something holds, less often the longer it takes; `says` tells what is there instead."""
    start = time.monotonic()
    while not holds():
        waited = time.monotonic() - start
        assert waited < PATIENCE_S, says()
        time.sleep(max(0.05, waited / 20))
