"""The command `board`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sheets_algo.commands.opening import new_session
from sheets_algo.commands.output import write_file, writing
from sheets_algo.commands.report import Report, problem_data
from sheets_algo.database.problems import Rejected, problem_lines
from sheets_algo.ruling.receipts.lookup import NotFound
from sheets_algo.runtime.session.session import Session, opened
from sheets_algo.workbook.redact import one_line


def board(
    *,
    request: str | None,
    html: Path | None,
    png: Path | None,
    side: str | None,
    opens: bool,
    sheets: Path | None,
    places: Path | None,
    verbose: bool,
    **options: Any,
) -> Report:
    """Serve the strategy boards of a workbook, write the page of one war, or draw its map before the battle."""
    if side is not None and html is None:
        raise click.UsageError("--side is for --html: only the page can hide a side.")
    if (sheets or places) and (request or html or png or (sheets and places)):
        option = "--sheets writes files for all wars" if sheets else "--places writes a page of the map of the game"
        raise click.UsageError(f"{option}: leave out REQUEST and the other options for files.")
    if sheets is not None:
        return _sheets_board(new_session(**options), sheets)
    if places is not None:
        return _places_page(new_session(**options), places)
    if request is None and (html or png):
        raise click.UsageError("Name the request of the board after the workbook, as in board season.xlsx W-0007.")
    session = new_session(**options)
    try:
        if html is png is None:
            from sheets_algo.board_server.serve import serve  # imports a web server

            serve(session, request or "", lambda line: click.echo(one_line(line)), opens=opens)
            return Report({"served": session.workbook.name}, ["The board is closed."])
        return _files(session, request or "", html, png, side)
    except Rejected as rejection:
        problems = [problem_data(problem) for problem in rejection.problems]
        return Report({"request": request, "problems": problems}, [*problem_lines(rejection.problems)], 1)


def _files(session: Session, request: str, html: Path | None, png: Path | None, side: str | None) -> Report:
    """Write the page of one war's board, or draw its map before the battle.

    Raises:
        Rejected: The war has errors that no board can show.
    """
    from sheets_algo.boards.board_rows import board_source
    from sheets_algo.pages.board_page import board_page

    book = opened(session, with_details=True)
    strategy_board = board_source(book.snapshot, book.forms, book.receipts, request).board
    made = {"request": request}
    if png is not None:
        if strategy_board.scene is None:
            raise NotFound(f"No flank of {request} is on the map.")
        from sheets_algo.runtime.after_commit.artifacts import draw_map

        write_file("picture", png, draw_map(strategy_board.scene))
        made["picture"] = str(png)
    if html is not None:
        write_file("page", html, board_page(strategy_board.data([side.capitalize()] if side else ())))
        made["page"] = str(html)
    return Report(made, [f"{name:<8} {path}" for name, path in made.items() if name != "request"])


def _places_page(session: Session, file: Path) -> Report:
    """Write the page on which the places of the map of the game are clicked (MAP-09)."""
    from sheets_algo.board_server.world_places import picker_data
    from sheets_algo.pages.board_page import picker_page

    write_file("page", file, picker_page(picker_data(session, opened(session))))
    return Report({"page": str(file)}, [f"page     {file}"])


def _sheets_board(session: Session, folder: Path) -> Report:
    """Write the files of the board inside Google Sheets, and the tab that it reads."""
    from sheets_algo.pages.board_page import sheets_files
    from sheets_algo.runtime.after_commit.boards_kept import keep_boards

    if not session.workbook.has_scripts:
        raise click.UsageError(
            "--sheets is for a spreadsheet of Google's; a file's boards are --html and the live one."
        )
    keep_boards(session)
    with writing("board", folder):
        folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / name for name in sheets_files()]
    for path, text in zip(paths, sheets_files().values(), strict=True):
        write_file("board", path, text)
    lines = [f"board    {path}" for path in paths]
    lines += [f"The tab Boards of {session.workbook.name} is up to date; with the setting boards = true it stays so."]
    lines += ["Paste both files into Extensions > Apps Script of the spreadsheet, save, and load it again."]
    return Report({"files": list(map(str, paths))}, lines)
