"""Times that people type: deadlines, and the times of a Form's responses, in UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta

from sheets_algo.database.cell_text import as_text, is_blank
from sheets_algo.database.problems import Problem, quoted
from sheets_algo.database.tables import Row
from sheets_algo.workbook.values import FIRST_DAY, Value

TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d")
"""Refusal of a day without an hour: its beginning and its end are both plausible deadlines."""


def utc_text(moment: datetime) -> str:
    """Return a time in UTC, ISO 8601, to the second."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def read_time(value: Value) -> datetime | None:
    """Return the time of a cell, in UTC; None if it has no time.

    Spreadsheets keep a time that they recognise as a date, or as a number of days; text is read as ISO 8601, with a
    space or a T. A time without a zone is UTC.
    """
    try:
        if isinstance(value, datetime):
            moment = value
        elif isinstance(value, float) and value > 1:
            days = timedelta(seconds=round(value * 86_400))
            moment = datetime.combine(FIRST_DAY, time()) + days
        else:
            typed = re.sub(r"\s*(utc|gmt)$", "Z", as_text(value).strip(), flags=re.IGNORECASE)
            if not TIME.match(typed):
                return None
            moment = datetime.fromisoformat(typed)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def read_deadline(row: Row, id: str) -> datetime | Problem | None:
    """Return the time in the column `deadline` of a row, None if it is blank, or what is wrong with it.

    Args:
        id: Id of the rule of the column.
    """
    value = row.value("deadline")
    moment = None if is_blank(value) else read_time(value)
    if moment is not None or is_blank(value):
        return moment
    says = f"{quoted(as_text(value))} is not a time with a day and an hour"
    return row.problem("deadline", id, says, allowed="Enter it in UTC: 2026-11-28 20:00; for midnight 23:59")
