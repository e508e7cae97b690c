"""What stands in a workbook and beside it: tabs, headers, rows, the season's digest and secret, the file's locks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from engine.fields import tab_of
from sheets_algo import season
from sheets_algo.desk import check, unsettled
from sheets_algo.doctor.findings import Finding, fail, ok, unguarded, warn
from sheets_algo.forecasts.tab import ForecastRow
from sheets_algo.ledger import season_trouble
from sheets_algo.places import NoRequestTab, Opened, opened
from sheets_algo.receipts import LogRow, ReceiptRow
from sheets_algo.reports import count
from sheets_algo.sites import Site
from sheets_algo.tables import Table
from sheets_algo.workbook.base import WorkbookError
from sheets_algo.workbook.xlsx import commit
from sheets_algo.workbook.xlsx.locks import RunLock, refuse_if_open


def examined(site: Site, is_there: bool) -> Iterator[Finding]:
    """What a pass would find.

    Args:
        site: The workbook.
        is_there: Whether it can be reached; if not, only what lies beside it is looked at.
    """
    if site.path is not None:
        yield from _file(site.path)
    seen: Opened | None = None
    if is_there:
        try:
            seen = opened(site.place)
        except NoRequestTab as error:
            yield fail("tabs", str(error))
        except WorkbookError as error:
            yield fail("workbook", str(error))
    if seen is not None:
        yield from _tabs(seen)
        yield from _rows(seen)
        if site.google:
            from sheets_algo.doctor import google

            receipts = seen.receipts.receipts
            yield from google.receipts(site.google, receipts.next_seq - 1, receipts.season)
    yield from _folder(site.place.folder)
    yield from _season(site, seen)


def _file(path: Path) -> Iterator[Finding]:
    """Whether the file could be replaced now."""
    try:
        file = commit.resolved(path)
    except WorkbookError:
        return  # what opening it says is better
    try:
        with commit.in_one_sentence(path.name, "written"):
            if not os.access(file, os.W_OK):
                yield fail("file", f"{path.name} is read-only: allow writing to it.")
                return
            with RunLock(file, lambda: datetime.now(UTC)):
                remarks = refuse_if_open((path.absolute(), file))
    except WorkbookError as error:
        yield warn("file", str(error))
        return
    yield ok("file", " ".join((f"{path.name} can be read and written, and nobody has it open.", *remarks)))


def _tabs(seen: Opened) -> Iterator[Finding]:
    """Tabs with their headers, one by one only where something is wrong."""
    records = list(dict.fromkeys(record for form in seen.forms for record in form.records()))
    problems = [
        problem
        for record in (*records, ReceiptRow, LogRow, ForecastRow)
        for problem in Table(record, seen.snapshot.sheet(tab_of(record).name)).header_problems
    ]
    for problem in dict.fromkeys(problems):
        yield fail("tabs", str(problem)) if problem.is_error else warn("tabs", str(problem))
    present = [tab_of(record).name for record in records if seen.snapshot.sheet(tab_of(record).name)]
    absent = [tab_of(record).name for record in records if tab_of(record).name not in present]
    also = f" Not there, and not needed: {', '.join(absent)}." if absent and not problems else ""
    if not problems:
        yield ok("tabs", f"{', '.join(present)}: every needed header is there.{also}")


def _rows(seen: Opened) -> Iterator[Finding]:
    problems = check(seen.snapshot, seen.forms)
    errors = sum(it.is_error for it in problems)
    for problem in unsettled(seen.snapshot, seen.forms):
        yield warn("writes", str(problem))
    if problems:
        said = f"{count(errors, 'error')} and {count(len(problems) - errors, 'warning')} in rows: check shows them."
        yield warn("rows", said)
    else:
        yield ok("rows", "no problems.")


def _folder(folder: Path) -> Iterator[Finding]:
    """Where logs, pictures and the secret go."""
    nearest = next((it for it in (folder, *folder.absolute().parents) if it.exists()), folder)
    if os.access(nearest, os.W_OK | os.X_OK):
        made = "" if folder.exists() else " (it is made when it is needed)"
        yield ok("folder", f"logs, pictures and the secret go into {folder.absolute()}{made}.")
    else:
        yield fail(
            "folder", f"{nearest} cannot be written to, and logs go there: allow it, or choose another --folder."
        )


def _season(site: Site, seen: Opened | None) -> Iterator[Finding]:
    """The secret, and the digest by which the workbook is committed to it."""
    if seen is None:
        yield warn("not seen", "the season's digest and secret: first the rest has to be mended.")
        return
    receipts = seen.receipts.receipts
    digest = receipts.season
    if gone := season_trouble(receipts, None):
        yield fail("commitment", gone)
    elif digest:
        yield ok("commitment", f"the season's digest stands in Receipts: {digest[:12]}...")
    else:
        yield warn("commitment", "no digest of a secret stands in Receipts yet: init writes it, or the first ruling.")
    try:
        secret = season.find(site.place.folder, digest)
    except WorkbookError as error:
        yield fail("secret", str(error))
        return
    if secret is None:
        yield ok("secret", "none is needed yet: it is made by init, or by the first ruling.")
    elif digest and (trouble := season_trouble(receipts, secret)):
        yield fail("secret", trouble)
    else:
        yield from _kept(site.place.folder, digest)


def _kept(folder: Path, digest: str) -> Iterator[Finding]:
    """A secret that fits: who can read it?"""
    if os.environ.get(season.VARIABLE, "").strip():
        yield ok("secret", f"it is in {season.VARIABLE}{' and fits the digest' if digest else ''}.")
        return
    file = season.file_of(folder, digest)
    if said := unguarded(file, "who could foresee battles"):
        yield warn("secret", said)
    else:
        yield ok("secret", f"{file} fits the digest, and only you can read it.")
