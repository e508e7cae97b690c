"""Checks of a workbook and its surroundings: tabs, headers, rows, the season's digest and secret, file locks."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.columns import tab_of
from sheets_algo.database.headers import key_of
from sheets_algo.database.problems import PROBLEMS_COUNTED, Problem, Severity, count, counted, problem_lines
from sheets_algo.database.tables import Table
from sheets_algo.forecasts.outlook import Outlook
from sheets_algo.forms.databases import missing_request_tabs
from sheets_algo.ruling.forecast.forecast_rows import ForecastRow
from sheets_algo.ruling.luck.beacon import LATEST, UNCHECKED, Chain, beacon_name, can_check_signatures
from sheets_algo.ruling.passes.evidence import unsettled
from sheets_algo.ruling.promises.promises import LEAD_S
from sheets_algo.ruling.receipts.chain import hold, losses, season_trouble
from sheets_algo.ruling.receipts.receipt_rows import LogRow, ReceiptRow
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.runtime.locate import WorkbookRef
from sheets_algo.runtime.run.changing_cells import changing_cells
from sheets_algo.runtime.run.rehearse import rehearse, write_problem
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.foreign_tabs import foreign_lines
from sheets_algo.runtime.session.record import noted_heads
from sheets_algo.runtime.session.session import NoRequestTab, OpenWorkbook, Session, opened
from sheets_algo.steps.posts.post_row import PostRow
from sheets_algo.workbook.errors import WorkbookError
from sheets_algo.workbook.findings import Finding, State, fail, ok, permission_problem, warn


def examine(ref: WorkbookRef) -> Iterator[Finding]:
    """Yield the findings about a workbook; if it cannot be reached, only those about the files beside it."""
    workbook = ref.session.workbook
    is_there = True
    for finding in workbook.examine():
        yield finding
        is_there &= finding.about != "access" or finding.state is not State.FAIL
    book: OpenWorkbook | None = None
    if is_there:
        try:
            book = opened(ref.session, with_details=True)
        except NoRequestTab as error:
            yield fail("tabs", str(error))
        except WorkbookError as error:
            yield fail("workbook", str(error))
    of_folder: Problem | None = None
    if book is None:
        of_folder = write_problem(ref.session)
    else:
        problems = rehearse(ref.session, book, Outlook()).all_problems
        of_folder = next((problem for problem in problems if problem.id == "RCP-36"), None)
        yield from _tabs(book)
        yield from _rows(book, [problem for problem in problems if problem is not of_folder])
        receipts = book.receipts
        yield from workbook.examine_season(receipts.season)
        chain = _receipts(ref.session, receipts)
        yield chain
        if receipts.luck.is_beacon:
            yield _beacon(ref.session, receipts.luck.chain)
        if chain.state is State.FAIL and not receipts.by_seq:  # the season's digest is lost too
            book = None
    yield _folder(ref.session, of_folder)
    yield from _season(ref, book)


def _receipts(session: Session, receipts: Receipts) -> Finding:
    """Compare the receipts with their chain, and with the heads that are noted elsewhere (RCP-19)."""
    try:
        loss = losses(receipts, noted_heads(session, receipts.record_key, asks=True))
    except WorkbookError as error:
        return warn("receipts", f"they could not be compared with the heads that the store has noted: {error}")
    if loss:
        return fail("receipts", f"{loss}; nothing is ruled. {loss.ways_on}.")
    if receipts.renamed or receipts.original:
        return fail("receipts", str(hold(receipts)))
    return ok(
        "receipts", f"they are those that were written, up to {receipts.head}." if receipts.by_seq else "none yet."
    )


def _beacon(session: Session, chain: Chain) -> Finding:
    """Ask a host for the latest round, as a pass does, and compare it with this computer's clock (LUCK-05)."""
    if not can_check_signatures():
        return fail("beacon", f"{UNCHECKED}.")
    rounds = session.fetch_rounds(chain, frozenset({LATEST}), session.clock().timestamp())
    if not rounds.latest:
        return fail("beacon", f"{rounds.trouble}: requests wait until one does. Check the network and beacons.")
    failing = f" These hosts fail, and each look asks them first: {'; '.join(rounds.failed)}."
    failed = failing if rounds.failed else ""
    expected = chain.round_from(session.clock().timestamp()) - 1
    if abs(behind := (expected - rounds.latest.round) * chain.period) > LEAD_S:  # promises name rounds this far ahead
        side = "behind this computer's clock" if behind > 0 else "ahead of this computer's clock"
        difference = f"its latest round is {rounds.latest.round}, {abs(behind)} seconds {side}"
        return warn("beacon", f"{difference}: set the clock right, or choose other beacons.{failed}")
    says = f"{beacon_name(chain)} answers; its latest round is {rounds.latest.round}.{failed}"
    return warn("beacon", says) if failed else ok("beacon", says)


def _tabs(book: OpenWorkbook) -> Iterator[Finding]:
    """Check the tabs and their headers; list only tabs with problems."""
    records = list(dict.fromkeys(record for form in book.forms for record in form.records()))
    problems = [
        problem
        for record in (*records, ReceiptRow, LogRow, ForecastRow, PostRow)
        for problem in Table.of(book.snapshot, record).header_problems
    ]
    problems += missing_request_tabs(book.snapshot, *book.receipts.had)
    for problem in dict.fromkeys(problems):
        yield fail("tabs", str(problem)) if problem.is_error else warn("tabs", str(problem))
    present = [tab_of(record).name for record in records if book.snapshot.sheet(key_of(record))]
    absent = [tab_of(record).name for record in records if tab_of(record).name not in present]
    also = f" Missing, but not needed: {', '.join(absent)}." if absent and not problems else ""
    for line in foreign_lines(book.snapshot, problems):
        yield ok("tabs", line)
    if not problems:
        yield ok("tabs", f"{', '.join(present)}: all required headers are there.{also}")


def _rows(book: OpenWorkbook, problems: Sequence[Problem]) -> Iterator[Finding]:
    snapshot, forms, receipts = book.snapshot, book.forms, book.receipts
    for text in changing_cells(snapshot, forms, receipts):
        yield warn("rows", text)
    for line in problem_lines(unsettled(snapshot, forms, receipts)):
        yield warn("writes", line)
    if len(problems) > PROBLEMS_COUNTED:
        yield warn("rows", f"more than {PROBLEMS_COUNTED:,} problems in rows: check shows the first.")
    elif any(problem.severity is not Severity.NOTE for problem in problems):
        yield warn("rows", f"{counted(problems, ' and ')} in rows: check shows them.")
    else:
        notes = f"; check shows {count(len(problems), 'note')}" if problems else ""
        yield ok("rows", f"no problems{notes}.")


def _folder(session: Session, problem: Problem | None) -> Finding:
    """Report the folders of logs, pictures, notes and backups, in which writing was tried (RCP-36)."""
    if problem:
        return fail("folder", f"{problem.cell.tab} {problem.says}: {problem.allowed[:1].lower()}{problem.allowed[1:]}.")
    note = "" if session.folder.exists() else " (it is made when it is needed)"
    return ok("folder", f"logs, pictures and the secret go into {session.folder.absolute()}{note}.")


def _season(ref: WorkbookRef, book: OpenWorkbook | None) -> Iterator[Finding]:
    """Check the secret, and the digest that commits the workbook to it."""
    if book is None:
        yield warn("not seen", "the season's digest and secret: repair the other findings first.")
        return
    receipts = book.receipts
    digest = receipts.season
    if missing := season_trouble(receipts, None):
        yield fail("commitment", missing)
    elif digest:
        rules = f", and it was begun by these rules: {name}." if (name := book.rules_name) else ""
        yield ok("commitment", f"the season's digest is in Receipts: {digest[:12]}...{rules}")
    else:
        yield warn("commitment", "Receipts has no digest of a secret yet: init or the first ruling writes it.")
    try:
        secret = season_secret.find(ref.session.folder, digest)
    except WorkbookError as error:
        yield fail("secret", str(error))
        return
    if secret is None:
        yield ok("secret", "no secret is needed yet: init or the first ruling makes it.")
    elif digest and (trouble := season_trouble(receipts, secret)):
        yield fail("secret", trouble)
    else:
        yield from _secret_place(ref.session.folder, digest)


def _secret_place(folder: Path, digest: str) -> Iterator[Finding]:
    """Report where a matching secret is kept, and check that others cannot read it."""
    if os.environ.get(season_secret.VARIABLE, "").strip():
        yield ok("secret", f"it is in {season_secret.VARIABLE}{' and matches the digest' if digest else ''}.")
        return
    file = season_secret.file_of(folder, digest)
    if problem := permission_problem(file, "and could foresee battles"):
        yield warn("secret", problem)
    else:
        yield ok("secret", f"{file} matches the digest, and only you can read it.")
