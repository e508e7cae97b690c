"""Files that a command writes, and its progress bar."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from sheets_algo.forecasts.progress import BarContext, is_bar_shown, is_quiet
from sheets_algo.ruling.plan import LOG
from sheets_algo.workbook.atomic_file import atomic_write
from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.redact import one_line

FIRST_LINE_S, EVERY_S = 10.0, 5.0
"""Interval in seconds between lines of progress without a terminal, and before the first one."""


@contextmanager
def writing(what: str, path: Path) -> Iterator[None]:
    """Turn errors of the file system into WorkbookUnavailable."""
    try:
        yield
    except OSError as error:
        raise WorkbookUnavailable(f"The {what} cannot be written to {path} ({error.strerror}).") from error


def write_file(what: str, path: Path, content: str | bytes) -> None:
    """Write a whole file, or nothing of it.

    Raises:
        WorkbookUnavailable: It cannot be written.
    """
    with writing(what, path), atomic_write(path) as new:
        new.write_bytes(content if isinstance(content, bytes) else content.encode())


def _item_text(item: str | None) -> str:
    return one_line(item or "")


class ProgressBar(BarContext):
    """Progress of long work: a bar on a terminal, a line every few seconds elsewhere.

    Args:
        shows_log: True to print the lines of logs while the battles run (LOG-01).
    """

    def __init__(self, *, shows_log: bool = False) -> None:
        self._shows_log = shows_log
        self._items: dict[str, set[str]] = {}
        self._totals: dict[str, int] = {}
        self._label = ""
        self._next_line = time.monotonic() + FIRST_LINE_S
        self._stream = sys.stderr

    def update(self, label: str, item: str, total: int | None) -> None:
        """Count an item of the work under a label; repeated work on it counts once.

        Args:
            total: The expected number of items, which may change between passes and may be exceeded; None if it is
                unknown.
        """
        if label == LOG:
            if self._shows_log:
                self.__exit__()
                click.echo("\n".join(map(one_line, item.split("\n"))), err=True)
            return
        items = self._items.setdefault(label, set())
        items.add(item)
        self._totals[label] = max(self._totals.get(label, 0), total or 0, len(items))
        if is_bar_shown():
            self._draw(label, item)
        elif not is_quiet() and time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + EVERY_S
            of_total = "" if total is None else f" of {self._totals[label]:,}"
            click.echo(f"{label}: {len(items):,}{of_total}, {_item_text(item)}", err=True)

    def _draw(self, label: str, item: str) -> None:
        """Move the bar of a label; a bar of another one is finished."""
        if label != self._label:
            self.__exit__()
            self._label = label
            self._bar = click.progressbar(length=1, label=label, file=self._stream, item_show_func=_item_text)
        self._bar.length = self._totals[label]
        self._bar.update(len(self._items[label]) - self._bar.pos, item)
