"""Arguments, options and output that commands share. Heavy modules are imported only when needed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine.errors import ExpectedError
from sheets_algo.forecasts.progress import QUIET
from sheets_algo.workbook.redact import one_line

if TYPE_CHECKING:
    from sheets_algo.workbook.store import WorkbookAddress
import os
from typing import TYPE_CHECKING

from sheets_algo.forecasts.progress import is_quiet
from sheets_algo.workbook.redact import json_text, printable

if TYPE_CHECKING:
    from sheets_algo.commands.report import Report


def workbook(context: click.Context, parameter: click.Parameter, value: str) -> WorkbookAddress:
    """Convert an argument to the address of a workbook."""
    from sheets_algo.plugins import BadPlugin
    from sheets_algo.workbook.errors import WorkbookError
    from sheets_algo.workbook.stores import find

    try:
        return find(value)
    except WorkbookError as error:
        raise click.BadParameter(one_line(str(error))) from error
    except BadPlugin as error:
        print_error(error)
        sys.exit(error.exit_code)


def workbook_if_given(context: click.Context, parameter: click.Parameter, value: str | None) -> WorkbookAddress | None:
    """Convert an argument that may be missing to the address of a workbook."""
    return None if value is None else workbook(context, parameter, value)


def request_ids(*, is_ruled: bool) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Return the completion of an argument by the ids of a file's requests; a spreadsheet would take seconds."""

    def complete(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
        from sheets_algo.commands.completion import request_ids
        from sheets_algo.workbook.stores import is_file_name

        address = context.params.get("workbook")
        if address is None or not is_file_name(address.key):
            return []
        try:
            ids = request_ids(address, is_ruled=is_ruled)
        except ExpectedError:
            return []
        return [id for id in ids if id.casefold().startswith(begun.casefold())]

    return complete


workbook_argument = click.argument("workbook", callback=workbook, metavar="WORKBOOK")
workbook_argument_or_none = click.argument("workbook", callback=workbook_if_given, metavar="[WORKBOOK]", required=False)


class SettingOption(click.Option):
    """Option that goes before the setting of its name, with the meaning of that setting as its help."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return names and help; settings are imported only here."""
        from sheets_algo.config.settings import DECLARATIONS

        self.help = DECLARATIONS[str(self.name)].help
        return super().get_help_record(ctx)


def google_options() -> list[Callable[[Any], Any]]:
    """Return the options of Google spreadsheets."""
    return [
        click.option("--credentials", cls=SettingOption, type=file_path()),
        click.option("--folder", cls=SettingOption),
    ]


def table_options() -> list[Callable[[Any], Any]]:
    """Return the options that select tables and maps."""
    return [
        click.option("--config", cls=SettingOption, type=folder_path()),
        click.option("--maps", cls=SettingOption, type=folder_path()),
    ]


def quiet_option() -> Callable[[Any], Any]:
    """Return the option that suppresses reports of success."""

    def keep(context: click.Context, parameter: click.Parameter, is_quiet: bool) -> None:
        context.meta[QUIET] = is_quiet

    about = "Print nothing if all is well."
    return click.option("--quiet", "-q", is_flag=True, expose_value=False, callback=keep, help=about)


def with_options(options: Sequence[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    """Return a decorator that adds options in the order of the help."""

    def decorated(function: Any) -> Any:
        for option in reversed(options):
            function = option(function)
        return function

    return decorated


def file_path() -> click.Path:
    """Return the type of an option that names a file."""
    return click.Path(dir_okay=False, path_type=Path)


class NewFile(click.Path):
    """Output file, which may overwrite only files with one of its endings, so that no workbook is lost."""

    def __init__(self, *endings: str) -> None:
        super().__init__(dir_okay=False, path_type=Path)
        self.endings = endings

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Path:
        """Return the path, with an ending that may be overwritten."""
        path = Path(str(super().convert(value, parameter, context)))
        if path.suffix.casefold() not in self.endings:
            endings = " or ".join(self.endings)
            self.fail(f'"{path}" does not end in {endings}; name a file that may be overwritten.', parameter, context)
        return path


class NumberType(click.FloatRange):
    """Number in a range; NaN is refused."""

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> float:
        """Return the number."""
        number = float(super().convert(value, parameter, context))
        if number != number:
            self.fail(f"{value!r} is not a number.", parameter, context)
        return number


def folder_path() -> click.Path:
    """Return the type of an option that names a folder that exists."""
    return click.Path(exists=True, file_okay=False, path_type=Path)


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
