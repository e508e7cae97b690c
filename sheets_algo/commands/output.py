"""Files that a command writes, and its progress bar."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from sheets_algo.forecasts.progress import BarContext, is_bar_shown, is_quiet
from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.redact import one_line

FIRST_LINE_S, EVERY_S = 10.0, 5.0
"""Seconds from which long work reports its progress where there is no terminal, and from one line to the next."""


@contextmanager
def writing(what: str, path: Path) -> Iterator[None]:
    """Turn errors of the file system into WorkbookUnavailable."""
    try:
        yield
    except OSError as error:
        raise WorkbookUnavailable(f"The {what} cannot be written to {path} ({error.strerror}).") from error


def _request_text(request: str | None) -> str:
    return one_line(request or "")


class ProgressBar(BarContext):
    """Progress of long work: a bar on a terminal, a line every few seconds elsewhere."""

    def __init__(self) -> None:
        self._label = ""
        self._done = 0
        self._next_line = time.monotonic() + FIRST_LINE_S
        self._stream = sys.stderr

    def update(self, label: str, request: str, total: int) -> None:
        """Count one more piece of work, of `total` under this label."""
        if not is_bar_shown():
            self._tell(label, request, total)
            return
        if label != self._label:
            self.__exit__()
            self._label = label
            self._bar = click.progressbar(length=total, label=label, file=self._stream, item_show_func=_request_text)
        self._bar.update(1, request)

    def _tell(self, label: str, request: str, total: int) -> None:
        """Print how far the work is, if the last line is some seconds old."""
        self._done = self._done + 1 if label == self._label else 1
        self._label = label
        if not is_quiet() and time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + EVERY_S
            click.echo(f"{label}: {self._done:,} of {total:,}, {_request_text(request)}", err=True)
