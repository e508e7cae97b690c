"""Records of seasons beside a workbook, as tests delete them or put old ones back."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sheets_algo.runtime.session.record import FOLDER

AGE = timedelta(hours=1)


def records(folder: Path) -> list[Path]:
    """Return the records in the folder of a workbook."""
    return sorted((folder / FOLDER).glob("record-*.jsonl"))


def forget(folder: Path) -> None:
    """Delete the records, of which there must be some."""
    files = records(folder)
    assert files
    for file in files:
        file.unlink()


def renew(folder: Path) -> None:
    """Let the records be of now, as if they had never been copied with their folder."""
    for file in records(folder):
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        file.write_text("".join(f"{json.dumps(line | {'time': now})}\n" for line in lines), "utf-8")


def age(folder: Path) -> None:
    """Let the records be an hour old, as if they had come back now: nobody can set when a file was changed."""
    for file in records(folder):
        lines = file.read_text("utf-8").splitlines()
        file.write_text("".join(f"{_aged(line)}\n" for line in lines), "utf-8")


def _aged(line: str) -> str:
    try:
        entry = json.loads(line)
    except ValueError:  # it was cut off
        return line
    return json.dumps(entry | {"time": (datetime.fromisoformat(entry["time"]) - AGE).isoformat()})
