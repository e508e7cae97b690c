"""Several watchers in one process: one thread each, status files, and an end within two seconds of a signal.

The heartbeat file is rewritten while the program runs, for process supervisors and people.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sheets_algo.runtime.watch.event_log import EventLog, iso_time
from sheets_algo.runtime.watch.watcher import Watcher
from sheets_algo.workbook.atomic_file import atomic_write
from sheets_algo.workbook.redact import json_text

BEAT_S = 10.0
"""Seconds between two writes of the status files."""

LEAST_S = 1.0
"""Minimum seconds between writes after polls, which are frequent with many watchers."""

LEAST_REST = 3.0
"""Minimum wait after a poll, in multiples of its processor time: of several workbooks none takes more than a quarter
of a processor. One that is watched alone takes what it needs."""

GRACE_S = 1.5
"""Seconds that a running pass has after a signal. Interrupting it is safe, since every write is atomic."""

StatusWriter = Callable[[Sequence[Watcher]], None]
"""Rewrites a file with the status of the watchers; raises an error if it cannot."""


class Supervisor:
    """Runner of watchers until they are stopped.

    Args:
        watchers: One watcher per workbook, all with the same stop event.
        status: The functions that write status files, called after each poll and every few seconds.
    """

    def __init__(self, watchers: Sequence[Watcher], stop: threading.Event, status: Sequence[StatusWriter] = ()) -> None:
        self._first, self.watchers = tuple(watchers), [*watchers]
        self._stop = stop
        self._writers = status
        self._failing: set[StatusWriter] = set()
        self._lock = threading.Lock()
        self._written_at = float("-inf")
        self._threads: list[threading.Thread] = []

    def add(self, watcher: Watcher) -> None:
        """Begin to watch another workbook."""
        self.watchers.append(watcher)
        self._start(watcher)

    def drop(self, watcher: Watcher) -> None:
        """Stop watching a workbook; a running pass ends normally."""
        watcher.is_dropped = True
        self.watchers.remove(watcher)

    def _start(self, watcher: Watcher) -> None:
        watcher.on_look = self._write_status_if_old
        if len(self.watchers) > 1:
            for each in self.watchers:
                each.least_rest = LEAST_REST
        self._threads.append(threading.Thread(target=watcher.watch, daemon=True))
        self._threads[-1].start()

    def run(self) -> None:
        """Run the watchers until stopped; end the process if one of them does not finish in time."""
        for watcher in self._first:
            self._start(watcher)
        self.write_status()
        while not self._stop.wait(BEAT_S):
            self.write_status()
        deadline = time.monotonic() + GRACE_S
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        has_unfinished = any(thread.is_alive() for thread in self._threads)
        EventLog().log(
            "stopped", "Stopped; a pass in hand was left, which does no harm." if has_unfinished else "Stopped."
        )
        self.write_status()
        if has_unfinished:
            logging.shutdown()
            sys.stdout.flush()
            os._exit(0)

    def write_status(self) -> None:
        """Rewrite the status files; log a file that cannot be written once."""
        with self._lock:
            self._written_at = time.monotonic()
            for writer in self._writers:
                try:
                    writer(self.watchers)
                    self._failing.discard(writer)
                except Exception as error:  # a missing status file must not stop the rulings
                    if writer not in self._failing:
                        self._failing.add(writer)
                        why = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else error
                        EventLog().log("sign", f"A sign of life cannot be written ({why}).", logging.WARNING)

    def _write_status_if_old(self) -> None:
        if time.monotonic() - self._written_at >= LEAST_S:
            self.write_status()


def write_heartbeat(file: Path, watchers: Sequence[Watcher], now: float) -> None:
    """Rewrite the heartbeat file, whole or not at all.

    Args:
        now: The current time in Unix seconds.

    Raises:
        OSError: The file cannot be written.
    """
    data = {"time": iso_time(now), "pid": os.getpid(), "workbooks": [_workbook_data(watcher) for watcher in watchers]}
    with atomic_write(file) as new:
        new.write_text(json_text(data, indent=1) + "\n", encoding="utf-8")


def _workbook_data(watcher: Watcher) -> dict[str, Any]:
    tally = watcher.tally
    return {
        "workbook": watcher.ref.session.workbook.name,
        "key": watcher.ref.key,
        "state": tally.state,
        "trouble": tally.trouble,
        "interval": watcher.interval,
        "last_pass": iso_time(tally.last_pass),
        "last_success": iso_time(tally.last_success),
        "rulings": tally.rulings,
        "refused": tally.refused,
    }
