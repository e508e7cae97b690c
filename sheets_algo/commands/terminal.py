"""Output of a command: its report, or the sentence of an expected error."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from engine.errors import ExpectedError
from sheets_algo.forecasts.progress import is_quiet
from sheets_algo.workbook.redact import json_text, one_line, printable

if TYPE_CHECKING:
    from sheets_algo.commands.report import Report


def print_report(command: Callable[[], Report], as_json: bool) -> None:
    """Print a report and exit with its code; an expected error is one line on stderr without a traceback."""
    try:
        report = command()
    except KeyboardInterrupt:
        from sheets_algo.commands.report import STOPPED

        click.echo("sheets-algo: stopped.", err=True)
        sys.exit(STOPPED)
    except ExpectedError as error:
        code = error.exit_code
        if as_json:
            click.echo(json_text({"error": str(error), "exit_code": code}))
        print_error(error)
        sys.exit(code)
    try:
        if as_json:
            click.echo(json_text(report.data | {"exit_code": report.code}, indent=1))
        elif report.code or not is_quiet():
            for line in report.lines:
                click.echo(printable(line).replace("\n", " "))
    except BrokenPipeError:
        raise
    except OSError as error:
        message = f"The output cannot be written ({error.strerror}); make room and look again."
        click.echo(f"sheets-algo: {message}", err=True)
        sys.stderr.flush()
        os._exit(3)  # otherwise Python tries to write the rest and prints an error of its own
    for note in report.asides if report.code or not is_quiet() else ():
        click.echo(printable(note), err=True)
    sys.exit(report.code)


def print_error(error: Exception) -> None:
    """Print an error on stderr: one line for a workbook, one line per problem for files and rows."""
    from sheets_algo.workbook.errors import WorkbookError

    message = one_line(str(error)) if isinstance(error, WorkbookError) else printable(str(error))
    click.echo(f"sheets-algo: {message}", err=True)
