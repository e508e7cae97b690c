"""Files that a command writes, and its progress bar."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from sheets_algo.forecasts.progress import is_bar_shown
from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.redact import one_line


@contextmanager
def writing(what: str, path: Path) -> Iterator[None]:
    """Turn errors of the file system into WorkbookUnavailable."""
    try:
        yield
    except OSError as error:
        raise WorkbookUnavailable(f"The {what} cannot be written to {path} ({error.strerror}).") from error


def _shown(request: str | None) -> str:
    return one_line(request or "")


class ProgressBar:
    """Progress bar for long work, shown only on a terminal."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._label = ""
        self._stream = sys.stderr

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.render_finish()

    def update(self, label: str, request: str, total: int) -> None:
        """Count one more piece of work, of `total` under this label."""
        if not is_bar_shown():
            return
        if label != self._label:
            self.__exit__()
            self._label = label
            self._bar = click.progressbar(length=total, label=label, file=self._stream, item_show_func=_shown)
        self._bar.update(1, request)
