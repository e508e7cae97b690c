"""Heartbeat file, rewritten while the program runs, for process supervisors and people."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sheets_algo.runtime.watch.event_log import iso_time
from sheets_algo.runtime.watch.watcher import Watcher
from sheets_algo.workbook.atomic_file import atomic_write
from sheets_algo.workbook.redact import json_text


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
