"""A small file that is rewritten while the program lives: for supervisors, and for people who wonder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sheets_algo.discretion import json_text
from sheets_algo.watcher import Watcher
from sheets_algo.whole import whole


def beat(file: Path, watchers: Sequence[Watcher], now: float) -> None:
    """Rewrite the file, whole or not at all.

    Args:
        file: Where.
        watchers: Of whom it tells.
        now: Unix seconds.

    Raises:
        OSError: It cannot be written.
    """
    said = {"time": moment(now), "pid": os.getpid(), "workbooks": [_of(watcher) for watcher in watchers]}
    with whole(file) as new:
        new.write_text(json_text(said, indent=1) + "\n", encoding="utf-8")


def moment(seconds: float | None) -> str | None:
    """Unix seconds as UTC, ISO 8601."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _of(watcher: Watcher) -> dict[str, Any]:
    tally = watcher.tally
    return {
        "workbook": watcher.site.place.workbook.name,
        "key": watcher.site.key,
        "state": tally.state,
        "trouble": tally.trouble,
        "interval": watcher.interval,
        "last_pass": moment(tally.last_pass),
        "last_success": moment(tally.last_success),
        "rulings": tally.rulings,
        "refused": tally.refused,
    }
