"""Event log of a long-running program on stderr: one line per event, as text or as JSON objects.

Events go through Python's logging, so that warnings of libraries are written in the same form.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, TextIO

from sheets_algo.workbook.redact import json_text, one_line, printable, redact

LOGGER = logging.getLogger("sheets_algo")

OF_ROWS = frozenset({"ruled", "promised", "forecast", "refused", "changed", "failed", "tab", "hour"})
"""The events about rows of a workbook, whose content belongs to its players."""
FACTS_OF_ROWS = frozenset({"key", "request", "seq", "status", "battles"})
"""The facts of such events without content."""


class EventLog:
    """Log of the events of one workbook or, with a blank name, of the program itself.

    Args:
        workbook: The workbook's name, as people know it.
        key: The key that distinguishes the workbook from others of the same name.
    """

    def __init__(self, workbook: str = "", key: str = "") -> None:
        self._workbook = workbook
        self._about = {"key": key} if key else {}

    def log(self, event: str, message: str, level: int = logging.INFO, **facts: Any) -> None:
        """Log one event.

        Args:
            event: The kind of event, in a word or two for programs: `ruled`, `trouble` ...
            message: One sentence for people.
            facts: Data for programs (request, seq, seconds ...); a `traceback` is shown to people too.
        """
        extra = {"workbook": self._workbook, "event": event, "facts": self._about | facts}
        LOGGER.log(level, "%s", message, extra=extra)


@contextmanager
def log_to(stream: TextIO, *, as_json: bool = False, verbose: bool = False) -> Iterator[None]:
    """Write every event log, and the warnings of libraries, to a stream within the context."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines() if as_json else Lines())
    root = logging.getLogger()
    levels = root.level, LOGGER.level
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    LOGGER.setLevel(logging.DEBUG if verbose else logging.INFO)
    logging.captureWarnings(True)
    try:
        yield
    finally:
        logging.captureWarnings(False)
        root.removeHandler(handler)
        root.setLevel(levels[0])
        LOGGER.setLevel(levels[1])
        handler.flush()


class Lines(logging.Formatter):
    """Formatter for people: time, workbook and sentence; a traceback follows on the lines below."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line, or several with a traceback."""
        workbook, message = one_line(getattr(record, "workbook", "")), one_line(record.getMessage())
        has_name = not workbook or message.startswith(f"{workbook}: ")
        line = f"{iso_time(record.created)} {message if has_name else f'{workbook}: {message}'}"
        trace = trace_of(record)
        return redact(f"{line}\n{printable(trace)}" if trace else line)


class JsonLines(logging.Formatter):
    """Formatter for programs: one JSON object per line with time, level, workbook, event, message and facts.

    Events about rows have ids and numbers only: such logs are kept for long, and not only players read them.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line of JSON, whatever its message contains."""
        event, facts = getattr(record, "event", "library"), getattr(record, "facts", {})
        data = {"time": iso_time(record.created), "level": record.levelname.lower()}
        data |= {"workbook": getattr(record, "workbook", ""), "event": event}
        if event in OF_ROWS:
            return json_text(data | {name: value for name, value in facts.items() if name in FACTS_OF_ROWS})
        data |= {"message": redact(one_line(record.getMessage())), **facts}
        if trace := trace_of(record):
            data["traceback"] = redact(trace)
        return json_text(data)


def trace_of(record: logging.LogRecord) -> str:
    """Return the traceback of a record, or an empty string."""
    trace = str(getattr(record, "facts", {}).get("traceback", ""))
    return trace or ("".join(traceback.format_exception(*record.exc_info)) if record.exc_info else "")


def iso_time(seconds: float | None) -> str | None:
    """Return Unix seconds as UTC, ISO 8601, to the second."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
