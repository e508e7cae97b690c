"""Stop signals of a watcher: the first ends it gently, the second at once. Imports only fast modules."""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def stopped_by_signals() -> threading.Event:
    """Return an event that the first Ctrl+C or SIGTERM sets; a second signal ends the process."""
    stop = threading.Event()

    def handle(number: int, frame: FrameType | None) -> None:
        if stop.is_set():  # a second Ctrl+C means now
            os._exit(128 + number)
        stop.set()

    for number in SIGNALS:
        signal.signal(number, handle)
    return stop
