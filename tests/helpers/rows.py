"""Tests of many small cases: one item of pytest for all of them, and a failure that names its case."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest


def each(names: str | tuple[str, ...], rows: Iterable[Any], ids: Iterable[object] = ()) -> Callable[..., Any]:
    """Run a test for every row, as `pytest.mark.parametrize` does, but in one item that shares its fixtures.

    It is for cases of milliseconds that leave nothing behind. Every row runs; the failure of a row has it as a note.
    """
    named = tuple(names.split(",")) if isinstance(names, str) else names
    rows = [*rows]
    table = [row if len(named) > 1 else (row,) for row in rows]
    labels = [*ids] or [*rows]
    if not rows:
        raise ValueError("a table without rows tests nothing")

    def of_rows(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def run(**fixtures: Any) -> None:
            failures = list[BaseException]()
            for row, label in zip(table, labels, strict=True):
                try:
                    test(**fixtures, **dict(zip(named, row, strict=True)))
                except (Exception, pytest.fail.Exception) as failure:
                    failure.add_note(f"{', '.join(named)}: {label!r:.300}")
                    failures.append(failure)
            if len(failures) == 1:
                raise failures[0]
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(table)} rows failed", failures)

        signature = inspect.signature(test)
        others = [parameter for name, parameter in signature.parameters.items() if name not in named]
        run.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return run

    return of_rows
