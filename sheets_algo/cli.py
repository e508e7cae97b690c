"""The command line: parse options, run a command, print its report. Heavy modules are imported only when needed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from engine.errors import ExpectedError
from sheets_algo.commands.options import (
    NewFile,
    NumberType,
    SettingOption,
    file_path,
    google_options,
    print_error,
    print_report,
    quiet_option,
    request_ids,
    table_options,
    with_options,
    workbook,
    workbook_argument,
    workbook_argument_or_none,
)

EPILOG = "Exit codes: 0 done, 1 problems in rows, 2 usage, 3 workbook unavailable, 4 open in another program."


def reported(module: str = "") -> Callable[[Callable[[], None]], Callable[..., None]]:
    """Return a decorator: the function calls the one of its name in a module of `commands/`, and prints its report."""

    def decorated(function: Callable[[], None]) -> Callable[..., None]:
        @wraps(function)
        def call(as_json: bool, **options: Any) -> None:
            commands = import_module(f"sheets_algo.commands.{module or function.__name__}")
            print_report(lambda: getattr(commands, function.__name__)(**options), as_json)

        return call

    return decorated


def workbook_command(
    module: str = "", *, writes: bool = False, needs_workbook: bool = True
) -> Callable[[Callable[[], None]], click.Command]:
    """Return a decorator for a command on one workbook, with the options that all such commands share."""
    options = [
        workbook_argument if needs_workbook else workbook_argument_or_none,
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
        quiet_option(),
        *([click.option("--dry-run", "dry", is_flag=True, help="Write nothing.")] if writes else []),
        *(
            [click.option("--force", is_flag=True, help="Write into protected tabs, signed files and final files too.")]
            if writes
            else []
        ),
        *table_options(),
        *google_options(),
        click.option(
            "--recalc", is_flag=True, help="Let LibreOffice calculate formulas that have no value (files only)."
        ),
        click.option("--verbose", "-v", is_flag=True, help="Print more: rules, backups, tracebacks of failures."),
    ]

    def decorated(function: Callable[[], None]) -> click.Command:
        return main.command(epilog=EPILOG)(with_options(options)(reported(module)(function)))

    return decorated


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, epilog=EPILOG)
@click.version_option(package_name="sheets-algo")
def main() -> None:
    """Rule the wars of a map game from its spreadsheet: read rows, write receipts, each exactly once."""
    if not os.access(".", os.X_OK):
        raise click.ClickException("this account may not enter the current folder; go to another one first.")


@main.command(epilog=EPILOG)
@workbook_argument
@click.option("--ruleset", "rulesets", multiple=True, help="Add the tabs of this ruleset, or of all; may be repeated.")
@click.option("--empty", is_flag=True, help="Leave out the example data.")
@click.option("--luck", cls=SettingOption, type=click.Choice(["secret", "beacon"]))
@click.option("--rules", cls=SettingOption, metavar="NAME")
@click.option("--overrides", is_flag=True, help="Add the tab Overrides, for moderators' decisions about rulings.")
@click.option("--rename", is_flag=True, help="Make tabs beside your own of the same names, under other titles.")
@click.option(
    "--yes/--no",
    "takes_columns",
    default=None,
    help="Take the columns that are proposed of tabs of your own, or propose none; else it is asked on a terminal.",
)
@click.option("--full", is_flag=True, help="Open the groups of columns that are seldom used.")
@click.option("--dry-run", "dry", is_flag=True, help="Write nothing; say what would be made.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@with_options([quiet_option(), *table_options(), *google_options()])
@reported()
def init() -> None:
    """Make a workbook, or add the tabs that an existing one lacks.

    The program cannot make a Google spreadsheet: make an empty one, share it with the service account, and init adds
    the tabs. --maps is also written into the settings of the folder, so that later commands know it.
    """


@workbook_command(needs_workbook=False)
@click.option(
    "--png",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Draw the map of each war that is not ruled into this folder, whatever is wrong with its flanks.",
)
@click.option(
    "--rules",
    is_flag=True,
    help="Compute the cases of the rulebook again, with those of your own tables folder, instead of a workbook.",
)
def check() -> None:
    """Show every problem of database and requests; write nothing.

    It rehearses run: ready rows in their order, with the probable outcomes of wars. It also checks rows that are not
    ready, and tries to write where run writes.
    """


@workbook_command(writes=True)
@click.option("--accept-rules", is_flag=True, help="Go on under this program's version of the rules, if it is another.")
@click.option("--accept-columns", is_flag=True, help="Go on without optional columns and tabs that are gone.")
@click.option("--wait", is_flag=True, help="Wait for the rounds of a beacon, and rule what they decide.")
@click.option("--no-post", is_flag=True, help="Post nothing; see the setting post_after_run.")
def run() -> None:
    """Rule every ready request, once.

    It writes receipts, results and the log into the workbook, and log files and maps beside it. Then it posts what
    waits in the tab Posts; after a minute the rest is left to the next run.
    """


@workbook_command()
@click.argument("requests", nargs=-1, shell_complete=request_ids(is_ruled=False))
@click.option("--runs", type=click.IntRange(1, 10_000_000), help="Fight exactly this number of battles.")
@click.option(
    "--error", type=NumberType(0.01, 50), metavar="POINTS", help="Fight until the error is this small; default: 1."
)
@click.option("--seconds", type=NumberType(0, 86_400), help="Fight at most this long for each request; default: 10.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Fight the battles of this seed.")
@click.option("--threads", type=click.IntRange(1, 256), help="Number of threads; default: one per processor.")
@click.option("--cluster", metavar="ADDRESS", help="Fight on a Dask cluster; needs the extra `cluster`.")
@click.option(
    "--set", "edits", multiple=True, metavar="CELL=VALUE", help="Change a cell: Tab!Row!Column=value; may be repeated."
)
@click.option("--sweep", default="", metavar="CELL=RANGE", help="Vary a number: Tab!Row!Column=from:to:points.")
@click.option("--sensitivity", "is_sensitivity", is_flag=True, help="Rank the inputs by how they change the odds.")
@click.option("--csv", type=NewFile(".csv"), help="Write every battle into this file.")
@click.option("--plot", type=NewFile(".png"), help="Draw the odds into this PNG file; needs the extra `plot`.")
def forecast() -> None:
    """Compute the odds of REQUESTS, or of all that are ready.

    It rules nothing and writes nothing. It fights battles until the error of the odds is one point, for at most ten
    seconds. For a request that is ruled, it shows how lucky the ruling was.
    """


@workbook_command()
@click.argument("request", shell_complete=request_ids(is_ruled=False))
def explain() -> None:
    """Show how each number of REQUEST is computed, term by term.

    For a war that is ruled, the section Timeline has the terms of every attack, and the section Why those of
    stability, occupation and losses.
    """


@workbook_command("turn_report")
@click.option("--for", "reader", default="", metavar="NAME", help="The player who reads it; default: everybody.")
@click.option("--turn", type=click.IntRange(1), help="The turn; default: the last one that is over.")
@click.option("--format", type=click.Choice(["text", "markdown", "html"]), help="Default: by the ending of --out.")
@click.option("--out", type=NewFile(".txt", ".md", ".html"), help="Write it into this file.")
def report() -> None:
    """Show what a player may know of a turn, and no more.

    Without --for it shows what everybody may know. It is for games whose players have secrets.
    """


@workbook_command()
@click.option("--csv", type=click.Path(file_okay=False, path_type=Path), help="Write its data as CSV into this folder.")
@click.option("--exact", "is_exact", is_flag=True, help="Leave texts in these files as they are, for programs.")
@click.option("--wiki", is_flag=True, help="Print a sortable table in wiki markup.")
@click.option(
    "--map",
    "year",
    type=click.IntRange(-9_999, 9_999),
    metavar="YEAR",
    help="Draw the map of the game at the end of this year.",
)
@click.option("--site", type=click.Path(file_okay=False, path_type=Path), help="Write its site into this folder.")
@click.option("--verify", "verifies", is_flag=True, help="Show on the site whether each receipt comes out again.")
@click.option("--replays", is_flag=True, help="The same, and a replay of each war.")
@click.option("--with-workbook", is_flag=True, help="Offer on the site a workbook without what is secret.")
@click.option("--files", "makes_files", is_flag=True, help="Make the log, picture and replay page of each ruling.")
def season() -> None:
    """Show what each nation of the season won and lost, and how lucky it was.

    Wins above expectation are the wins minus the chances that the forecasts of these wars gave. Rulings that were
    undone do not count. The site is a folder of pages for any web space; only what changed is written again.
    """


@workbook_command()
@click.argument("request", shell_complete=request_ids(is_ruled=True))
@click.option("--png", type=NewFile(".png"), help="Draw the map of the ruling into this PNG file instead.")
@click.option("--html", type=NewFile(".html"), help="Write a page into this file that shows the battle hour by hour.")
def replay() -> None:
    """Fight the war of REQUEST again and print its log."""


@workbook_command()
@click.argument("request", required=False, shell_complete=request_ids(is_ruled=False))
@click.option("--html", type=NewFile(".html"), help="Write the page of REQUEST into this file.")
@click.option("--png", type=NewFile(".png"), help="Draw the map with the flanks as they are planned into this file.")
@click.option(
    "--side", type=click.Choice(["attacker", "defender"]), help="Show this side only, and nothing of the other."
)
@click.option("--no-browser", "opens", is_flag=True, flag_value=False, default=True, help="Only print the address.")
@click.option(
    "--sheets",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the two files of the board inside Google Sheets into this folder.",
)
@click.option(
    "--places", type=NewFile(".html"), help="Write a page into this file on which places are clicked on the world map."
)
def board() -> None:
    """Place the flanks of wars on the map with the mouse, in the browser.

    It serves a page to this computer's browser alone until Ctrl+C: the problems of each cell, the odds, the
    best places of a flank, and Save, which writes the rows of one side into Flanks.

    With --html it writes a page of REQUEST that needs nothing, for players. It judges the strategy by the rules of
    check, and gives rows to paste into Flanks. For a war that is ruled it shows where each flank stood before and after
    the battle.

    With --sheets it writes two files to paste into the Apps Script of a spreadsheet, which then has a menu with the
    board, and puts what that needs to know into the tab Boards.

    With --places it writes a page that shows the map of the game: a click inside the area of a place is its pixel, and
    Copy gives the columns Map X and Map Y of Locations. The served board has the same page, with Save.
    """


@workbook_command()
@click.argument("requests", nargs=-1, shell_complete=request_ids(is_ruled=True))
@click.option("--html", type=NewFile(".html"), help="Write a page with the differences side by side into this file.")
@click.option(
    "--site",
    type=click.Path(file_okay=False, path_type=Path),
    help="Verify nothing; write a page into this folder on which players do it in their browsers.",
)
@click.option(
    "--pyodide",
    type=click.Path(path_type=Path),
    help="For --site: the folder of Pyodide and its library; default: the current one.",
)
@click.option("--head", default="", help="Compare with a head of the receipts that you noted earlier.")
def verify() -> None:
    """Compute receipts again and show every difference.

    It checks all receipts, or those of REQUESTS. Each is equal, different (exit code 1), or cannot be computed (exit
    code 2) because a map, table, tab or release that it was ruled with is not here. Receipts that are gone or were
    changed are named; the last line is the head, which covers all receipts.
    """


@workbook_command(writes=True)
@click.option("--accept", is_flag=True, help="Let the season go on without what is gone, by a receipt that says so.")
@click.option("--fork", is_flag=True, help="Make a copy of a workbook a game of its own, by a receipt that says so.")
def restore() -> None:
    """Show which receipts are gone or were changed, or accept that.

    Nothing is ruled while receipts are missing. Bring them back from an older version of the workbook; where that is
    not possible, or an older version was restored on purpose, --accept writes a receipt that lists what is given up.
    Nor is anything ruled or posted from a copy of a workbook until --fork makes it a game of its own.
    """


@workbook_command(writes=True)
@click.argument("request", shell_complete=request_ids(is_ruled=True))
def undo() -> None:
    """Reverse the ruling of REQUEST.

    It writes a receipt of the reversal and restores the database cells.
    """


@workbook_command(writes=True)
def post() -> None:
    """Post the receipts that wait in the tab Posts to the channels of the settings, oldest first.

    run and watch do so too. --dry-run shows what would be posted where.
    """


@main.command(epilog=EPILOG)
@click.argument("workbooks", nargs=-1, metavar="[WORKBOOK]...")
@click.option("--interval", cls=SettingOption, metavar="SECONDS")
@click.option("--log-json", is_flag=True, help="Print a JSON object instead of a sentence for each event.")
@click.option("--heartbeat", type=file_path(), help="File that is rewritten while the program runs.")
@click.option("--metrics", type=file_path(), help="File of counters in the format of Prometheus.")
@click.option("--port", type=click.IntRange(0, 65_535), help="Port of this computer for a page, /metrics and /healthz.")
@click.option("--cluster", metavar="ADDRESS", help="Let workers of a Dask cluster rule; needs the extra `cluster`.")
@with_options([*table_options(), *google_options()])
@click.option("--verbose", "-v", is_flag=True, help="Also report idle looks and requests that are sent again.")
@click.pass_context
def watch(context: click.Context, /, workbooks: tuple[str, ...], **options: Any) -> None:
    """Rule every request soon after it is ready, until stopped.

    It watches the workbooks that you name, or else those of the setting `workbooks`. Ctrl+C stops it. It reports each
    problem once and keeps trying.
    """
    from sheets_algo.runtime.watch.stopping import stopped_by_signals

    stop = stopped_by_signals()  # the imports below take a second
    from sheets_algo.commands import watch

    selected = tuple(workbook(context, context.command.params[0], address) for address in workbooks)
    try:
        watch.watch(workbooks=selected, stop=stop, **options)
    except ExpectedError as error:
        print_error(error)
        sys.exit(error.exit_code)


@workbook_command()
def doctor() -> None:
    """Check set-up and workbook, and say how to repair what is wrong.

    It checks credentials, access, tabs, limits, tables, clock and season secret, and changes nothing for good.
    """


@main.command(epilog=EPILOG)
@click.option("--ruleset", "rulesets", multiple=True, help="Show only this ruleset; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--markdown", is_flag=True, help="Print Markdown tables.")
@click.option(
    "--editor",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write the JSON Schemas of the tables below FOLDER, which is laid out like config/, and print no tabs: an"
    " editor then checks and explains your own tables while you type.",
)
@reported()
def schema() -> None:
    """Show every tab and column: kind, range, default, meaning, rule."""
