"""What a program that runs for a season says on stderr: a line a happening, for people or as JSON objects.

Python's logging carries it, so that what libraries warn of comes out in the same form.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, TextIO

from sheets_algo.discretion import discreet, json_text, one_line, printable

LOGGER = logging.getLogger("sheets_algo")


class Journal:
    """What is told of one workbook, or with a blank name of the program itself.

    Args:
        workbook: Its name, as people know it.
        key: Tells it from others of that name.
    """

    def __init__(self, workbook: str = "", key: str = "") -> None:
        self._workbook = workbook
        self._about = {"key": key} if key else {}

    def tell(self, event: str, message: str, level: int = logging.INFO, **facts: Any) -> None:
        """One happening.

        Args:
            event: What kind, in a word or two for programs: `ruled`, `trouble` ...
            message: One sentence for people.
            level: Of logging.
            facts: Request, seq, seconds ... for programs; a `traceback` is for people too.
        """
        extra = {"workbook": self._workbook, "event": event, "facts": self._about | facts}
        LOGGER.log(level, "%s", message, extra=extra)


@contextmanager
def kept(stream: TextIO, *, as_json: bool = False, verbose: bool = False) -> Iterator[None]:
    """Write every journal, and the warnings of libraries, to a stream for a while."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines() if as_json else Lines())
    root = logging.getLogger()
    before = root.level, LOGGER.level
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    LOGGER.setLevel(logging.DEBUG if verbose else logging.INFO)
    logging.captureWarnings(True)
    try:
        yield
    finally:
        logging.captureWarnings(False)
        root.removeHandler(handler)
        root.setLevel(before[0])
        LOGGER.setLevel(before[1])
        handler.flush()


class Lines(logging.Formatter):
    """Time, workbook, sentence; a traceback stands in the lines below."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, or more with a traceback."""
        workbook, said = one_line(getattr(record, "workbook", "")), one_line(record.getMessage())
        is_named = not workbook or said.startswith(f"{workbook}: ")
        line = f"{time_of(record)} {said if is_named else f'{workbook}: {said}'}"
        trace = trace_of(record)
        return discreet(f"{line}\n{printable(trace)}" if trace else line)


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, workbook, event, message, and the facts of the event."""

    def format(self, record: logging.LogRecord) -> str:
        """One line whatever is said."""
        said = {
            "time": time_of(record),
            "level": record.levelname.lower(),
            "workbook": getattr(record, "workbook", ""),
            "event": getattr(record, "event", "library"),
            "message": discreet(one_line(record.getMessage())),
            **getattr(record, "facts", {}),
        }
        if trace := trace_of(record):
            said["traceback"] = discreet(trace)
        return json_text(said)


def trace_of(record: logging.LogRecord) -> str:
    """The traceback that belongs to a happening, or nothing."""
    told = str(getattr(record, "facts", {}).get("traceback", ""))
    return told or ("".join(traceback.format_exception(*record.exc_info)) if record.exc_info else "")


def time_of(record: logging.LogRecord) -> str:
    """UTC, ISO 8601, to the second."""
    return datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
