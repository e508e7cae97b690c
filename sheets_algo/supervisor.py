"""Several watchers in one process: a thread each, signs of life, and an end within two seconds of a signal."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence

from sheets_algo.journals import Journal
from sheets_algo.watcher import Watcher

BEAT_S = 10.0
"""Between two signs of life."""

GRACE_S = 1.5
"""What a pass in hand is left after a signal. Leaving in its middle is safe: what is written is written whole."""

Sign = Callable[[Sequence[Watcher]], None]
"""Rewrites a file that tells of the watchers; raises if it cannot."""


class Supervisor:
    """Runs watchers until they are stopped.

    Args:
        watchers: One a workbook, all with the same stop event.
        stop: Ends them.
        signs: What to rewrite after each look and every few seconds.
    """

    def __init__(self, watchers: Sequence[Watcher], stop: threading.Event, signs: Sequence[Sign] = ()) -> None:
        self._watchers = watchers
        self._stop = stop
        self._signs = signs
        self._silent: set[Sign] = set()
        self._lock = threading.Lock()
        for watcher in watchers:
            watcher.looked = self.give_signs

    def run(self) -> None:
        """Watch until stopped; does not return while a watcher still works, but leaves the process."""
        threads = [threading.Thread(target=watcher.watch, daemon=True) for watcher in self._watchers]
        for thread in threads:
            thread.start()
        self.give_signs()
        while not self._stop.wait(BEAT_S):
            self.give_signs()
        end = time.monotonic() + GRACE_S
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))
        is_cut_off = any(thread.is_alive() for thread in threads)
        Journal().tell("stopped", "Stopped; a pass in hand was left, which does no harm." if is_cut_off else "Stopped.")
        self.give_signs()
        if is_cut_off:
            logging.shutdown()
            sys.stdout.flush()
            os._exit(0)

    def give_signs(self) -> None:
        """Rewrite the files; one that cannot be written is told of once."""
        with self._lock:
            for sign in self._signs:
                try:
                    sign(self._watchers)
                    self._silent.discard(sign)
                except Exception as error:  # nobody stops ruling for want of a sign
                    if sign not in self._silent:
                        self._silent.add(sign)
                        Journal().tell("sign", f"A sign of life cannot be written ({error}).", logging.WARNING)
