"""The command `season`: standings of the nations, the season's data as CSV files, and its site."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import asdict, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine.receipt import on_one_line, without_markup
from sheets_algo.commands.opening import chosen_settings, new_session
from sheets_algo.commands.output import ProgressBar
from sheets_algo.commands.report import Report, problem_data
from sheets_algo.commands.verification import SHOWN_OTHERWISE
from sheets_algo.config.maps import BadMap
from sheets_algo.database.problems import count, problem_lines, year_text
from sheets_algo.forms.capabilities import SecretForm
from sheets_algo.replays.shown_results import shown_otherwise
from sheets_algo.ruling.plan import Progress
from sheets_algo.ruling.receipts.chain import losses
from sheets_algo.ruling.receipts.receipt_rows import LogRow
from sheets_algo.runtime.after_commit.artifacts import picture_folder, stem
from sheets_algo.runtime.after_commit.settle import make_files
from sheets_algo.runtime.session.record import noted_heads
from sheets_algo.runtime.session.session import OpenWorkbook, Session, opened
from sheets_algo.runtime.session.world import open_world, world_rows
from sheets_algo.season.records import text_table, wikitable
from sheets_algo.season.season import Season
from sheets_algo.workbook.atomic_file import write_in_folder
from sheets_algo.workbook.csv_files import write_frame
from sheets_algo.workbook.errors import WorkbookUnavailable

if TYPE_CHECKING:
    from sheets_algo.site.build import SiteOptions

TABLES = ("rulings", "standings", "overrides", "nations", "changes", "flanks", "forecasts", "log")
"""Attributes of `Season` that become files."""


def season(
    *,
    csv: Path | None,
    is_exact: bool,
    wiki: bool,
    year: int | None,
    site: Path | None,
    replays: bool,
    verifies: bool,
    with_workbook: bool,
    makes_files: bool,
    verbose: bool,
    **options: Any,
) -> Report:
    """Report the standings of a season, and write its data as CSV files and its site."""
    if is_exact and csv is None:
        raise click.UsageError("--exact needs --csv DIR.")
    if site is None and (replays or verifies or with_workbook):
        option = "replays" if replays else "verify" if verifies else "with-workbook"
        raise click.UsageError(f"--{option} needs --site DIR.")
    session = new_session(**options)
    choices = None
    if site is not None:
        from sheets_algo.site.build import site_options

        choices = site_options(
            chosen_settings(**options), site, replays=replays, verifies=verifies, with_workbook=with_workbook
        )
    with ProgressBar() as bar:
        book = opened(session, whole=(LogRow,))
        report = season_report(session, book, csv, choices, is_exact=is_exact, wiki=wiki, progress=bar.update)
        if makes_files:
            made = make_files(session, book, book.receipts.rulings, bar.update)
            paths = [str(path) for paths in made.by_receipt.values() for path in paths]
            asides = (*report.asides, *made.failures, *(f"file     {path}" for path in paths))
            report = replace(report, data=report.data | {"made": paths}, asides=asides)
    return report if year is None else _with_map(report, session, book, year)


def _with_map(report: Report, session: Session, book: OpenWorkbook, year: int) -> Report:
    """Draw the map of the game at the end of a year; report the file before the standings.

    Raises:
        BadMap: There is no map of the game.
        WorkbookUnavailable: The file cannot be written.
    """
    world = open_world(session, world_rows(book))
    if world is None:
        raise BadMap("No place is on the map of the game: type its pixel into Map X and Map Y of Locations.")
    from sheets_algo.site.season_index import season_title

    title = season_title(session, book.receipts.rulings)
    file = picture_folder(session) / f"{stem(session.workbook.name)} world {year}.png"
    png = world.picture(title, year_text(year), Season(book).holders(year))
    try:
        write_in_folder(file, png)
    except OSError as error:
        raise WorkbookUnavailable(f"{file} cannot be written ({error.strerror}).") from error
    lines = [f"map      {file}", *report.lines]
    return replace(report, data=report.data | {"map": str(file)}, lines=lines)


def season_report(
    session: Session,
    book: OpenWorkbook,
    csv: Path | None,
    site: SiteOptions | None,
    *,
    is_exact: bool,
    wiki: bool,
    progress: Progress,
) -> Report:
    """Report the standings of all nations, and write the files.

    Args:
        csv: The folder for the files; None for none.
        site: The choices for the site; None for none.
        is_exact: True to write texts unchanged, including those that a spreadsheet would calculate.

    Raises:
        WorkbookUnavailable: A file cannot be written.
    """
    records = Season(book)
    lines: list[str] = []
    for ruleset, rows in groupby(records.standings, lambda row: row.ruleset):
        heading = f"=== {ruleset} ===" if wiki else ruleset
        lines += [*([""] if lines else []), heading, *(wikitable if wiki else text_table)(list(rows))]
    names = ("standings", "overrides")
    data: dict[str, Any] = {name: [asdict(row) for row in getattr(records, name)] for name in names}
    lines = lines or ["No war between two nations has been ruled yet."]
    wars = [f"{war.name}: {'; '.join(filter(None, (war.standing, war.source)))}" for war in records.long_wars]
    if wars:
        lines += ["", "=== Wars of several battles ===" if wiki else "Wars of several battles"]
        lines += [f"* {without_markup(text)}" if wiki else text for text in wars]
    data["long_wars"] = wars
    secret = {form.key for form in book.forms if isinstance(form, SecretForm)}
    lines += _override_lines(records, secret if wiki else set(), wiki=wiki)
    files = _write_tables(records, csv, is_exact=is_exact) if csv else []
    asides = [f"table    {file}" for file in files]
    if files and secret:
        asides.append(
            f"The tables have what players of {', '.join(sorted(secret))} may not know; --site leaves it out."
        )
    if site:
        from sheets_algo.site.build import write_site

        made = write_site(session, book, site, progress)
        data["site"] = asdict(made)
        changed = f"{len(made.written):,} written, {len(made.removed):,} removed"
        asides.append(f"site     {site.folder / 'index.html'} ({count(made.files, 'file')}, {changed})")
    receipts = book.receipts
    lost = losses(receipts, noted_heads(session, receipts.record_key, asks=True))
    differences = tuple(shown_otherwise(book.snapshot, book.forms, receipts))
    data |= {"head": str(receipts.head), "lost": str(lost), "sheet": [problem_data(problem) for problem in differences]}
    asides += [str(lost.problem)] if lost else []
    asides += (
        [SHOWN_OTHERWISE.format(count(len(differences), "place")), *problem_lines(differences)] if differences else []
    )
    return Report(data | {"files": list(map(str, files))}, lines, 1 if lost else 0, asides)


def _override_lines(records: Season, left_out: Collection[str], *, wiki: bool) -> Iterator[str]:
    """Yield the moderators' decisions of the season, by author; a wiki has none about games with secrets (RL-OP-50)."""
    decided = (row for row in records.overrides if row.ruleset not in left_out)
    rows = sorted(decided, key=lambda row: row.by.casefold())
    for number, (author, decisions) in enumerate(groupby(rows, lambda row: row.by)):
        heading = "Moderators' decisions"
        yield from ("", f"=== {heading} ===" if wiki else heading) if not number else ()
        for row in decisions:
            undone = " (undone)" if row.is_undone else ""
            line = f"{author}: {row.request}, {row.kind}, {row.what} = {row.value}{undone}. Reason: {row.reason}"
            yield f"* {without_markup(line)}" if wiki else on_one_line(line)


def _write_tables(records: Season, folder: Path, *, is_exact: bool) -> list[Path]:
    files = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in TABLES:
            file = folder / f"{name}.csv"
            write_frame(file, getattr(records, name).to_frame(), is_exact=is_exact)
            files.append(file)
    except OSError as error:
        raise WorkbookUnavailable(f"{error.filename or folder} cannot be written ({error.strerror}).") from error
    return files
