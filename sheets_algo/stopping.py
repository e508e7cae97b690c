"""How a watcher is told to stop: gently by the first signal, at once by the second. Imports nothing that takes long."""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def stopped_by_signals() -> threading.Event:
    """An event that Ctrl+C and SIGTERM set from now on; another signal after that ends the process."""
    stop = threading.Event()

    def hear(number: int, frame: FrameType | None) -> None:
        if stop.is_set():  # a second Ctrl+C means now
            os._exit(128 + number)
        stop.set()

    for number in SIGNALS:
        signal.signal(number, hear)
    return stop
