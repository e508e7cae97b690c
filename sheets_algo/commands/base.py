"""Functions behind the commands: each takes the parsed options and returns a report."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from engine.ruleset import Event, Outcome
from sheets_algo.commands.report import (
    Report,
    answer_data,
    answer_lines,
    explained_data,
    problem_data,
)
from sheets_algo.commands.schema import describe_tabs, json_schemas, markdown_lines, text_lines
from sheets_algo.commands.site import site_after_undo, with_site
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.config.settings import Settings, settings
from sheets_algo.database.problems import PROBLEMS_COUNTED, PROBLEMS_TOLD, CellRef, Problem, Rejected, told
from sheets_algo.database.wording import count, value_text
from sheets_algo.forecasts.progress import is_bar_shown
from sheets_algo.forms.base import Form, open_database, request_id
from sheets_algo.forms.registry import load_all, open_forms
from sheets_algo.ruling.forecast.luck_report import how_lucky, no_luck_lines
from sheets_algo.ruling.luck.beacon import clock_time
from sheets_algo.ruling.passes.check import check as check_all
from sheets_algo.ruling.passes.check import planned_scenes
from sheets_algo.ruling.passes.plan import Answer, Ruling, mark_of
from sheets_algo.ruling.passes.receipt_log import hold, secret_trouble
from sheets_algo.ruling.receipts.lookup import NotFound, row_of, ruling_of
from sheets_algo.ruling.receipts.receipts import ReceiptRow, StoredReceipt
from sheets_algo.ruling.repair.intents import PendingTab, with_note
from sheets_algo.ruling.replays.replay import replay as replay_receipt
from sheets_algo.ruling.replays.undo import undo as undo_ruling
from sheets_algo.ruling.requests.request_tabs import request_tables
from sheets_algo.runtime import run_pass, season_secret
from sheets_algo.runtime.head_record import note_written, noted_heads
from sheets_algo.runtime.locate import WorkbookRef, open_workbooks
from sheets_algo.runtime.run_pass import PassResult, repair
from sheets_algo.runtime.session import OpenWorkbook, Session, opened
from sheets_algo.workbook.atomic_file import atomic_write
from sheets_algo.workbook.base import Committed, Head, StaleWorkbook, UnknownOutcome, WorkbookUnavailable
from sheets_algo.workbook.redact import one_line
from sheets_algo.workbook.store import WorkbookAddress

BEACON_PATIENCE_S = 300
"""Seconds for which `run --wait` asks for a round that is out and that no host gives."""
ROUND_LATE_S = 3
"""Seconds that `run --wait` waits longer than until the time of a round."""
ASK_AGAIN_S = 15
"""Seconds after which `run --wait` asks again for a round that no host gives."""

WORKBOOK_RULES = "workbook"
"""Name of the rulebook with the rules that all rulesets share."""


def init(
    *, rulesets: Sequence[str], empty: bool, overrides: bool, dry: bool, luck: str | None, **options: Any
) -> Report:
    """Make a new workbook, or add what an existing one lacks."""
    from sheets_algo.commands.init import begin, with_maps

    ref = _workbook_ref(luck=luck, **options)
    report = begin(ref, rulesets=rulesets, empty=empty, overrides=overrides, dry=dry, luck=luck)
    maps = options.get("maps")
    return with_maps(report, options["workbook"], maps, dry=dry) if maps else report


def check(
    *, png: Path | None, verbose: bool, rules: bool, workbook: WorkbookAddress | None, recalc: bool, **options: Any
) -> Report:
    """Report every problem of database and requests, and draw the map of each war that is not ruled.

    Args:
        png: The folder for the maps.
        verbose: True to tell the rules that are cited.
        rules: True to report the cases of the rulebook that are wrong instead.
        workbook: The workbook; with `rules` it may be missing, and only says where the settings are.
        recalc: True to let LibreOffice calculate the workbook first.
        options: The settings that were typed.
    """
    if rules:
        from sheets_algo.commands.rule_cases import check_cases

        folder = workbook.folder if workbook is not None else Path.cwd()
        return check_cases(ConfigLoader(settings(folder, options).config), load_all(), verbose=verbose)
    if workbook is None:
        raise click.UsageError("Missing argument 'WORKBOOK'.")
    session = _session(workbook=workbook, recalc=recalc, **options)
    seen = opened(session)
    problems = (*_season_problem(session, seen), *check_all(seen.snapshot, seen.forms, run_pass.trial(session, seen)))
    has_more = len(problems) > PROBLEMS_COUNTED
    problems = problems[:PROBLEMS_COUNTED]
    errors = sum(problem.is_error for problem in problems)
    counted = f"{count(errors, 'error')}, {count(len(problems) - errors, 'warning')}."
    if has_more:
        counted = f"{counted[:-1]}, and more that were not looked for: mend these first."
    lines = [*told(problems), counted] if problems else ["No problems."]
    cited = _rules(session.library, seen.forms, problems) if verbose else ()
    data: dict[str, Any] = {"problems": [problem_data(problem) for problem in problems], "more": has_more}
    if png is not None:
        from sheets_algo.runtime.artifacts import preview_path, write_previews

        scenes = planned_scenes(seen.snapshot, seen.forms)
        paths = [preview_path(png, session.workbook.name, request) for request in scenes]
        with _writing("picture", png):
            data["pictures"] = [*map(str, write_previews(zip(paths, scenes.values(), strict=True)))]
        lines += [f"picture  {path}" for path in paths]
    return Report(data, lines, 1 if errors else 0, cited)


def _rules(library: ConfigLoader, forms: Iterable[Form[Any]], problems: Iterable[Problem]) -> list[str]:
    """Return the rulebook's line for each rule that problems cite."""
    names = dict.fromkeys(form.ruleset_key for form in forms)
    books = [library.rulebook(name) for name in (*names, WORKBOOK_RULES)]
    cited = dict.fromkeys(problem.id for problem in problems)
    return [f"{id}: {book[id]['text']}" for id in cited for book in books if id in book]


def run(
    *, dry: bool, force: bool, verbose: bool, accept_rules: bool, accept_columns: bool, wait: bool, **options: Any
) -> Report:
    """Rule every request that is ready."""
    if wait and dry:
        raise click.UsageError("--wait and --dry-run: a dry run promises nothing that could be waited for.")
    session = _session(**options)
    session = dataclasses.replace(session, accepts_rules=accept_rules, accepts_columns=accept_columns)
    with _ProgressBar() as bar:
        passed = run_pass.run_until_done(
            session, dry=dry, forced=force, progress=bar.update, wait=_RoundWait() if wait else None
        )
    plan = passed.plan
    news = [answer for answer in plan.answers if _is_news(answer)]
    failed = any(answer.is_refused for answer in news) or any(problem.is_error for problem in plan.of_tabs)
    data = {
        "workbook": session.workbook.name,
        "written": passed.is_written,
        "requests": [answer_data(answer) for answer in plan.answers],
        "problems": [problem_data(problem) for problem in plan.of_tabs],
        "logs": [str(path) for path in passed.logs],
        "pictures": [str(path) for path in passed.pictures],
        "pages": [str(path) for path in passed.pages],
    }
    lines = [*told(plan.of_tabs), *_news_lines(news)]
    lines += [f"log      {path}" for path in passed.logs] + [f"picture  {path}" for path in passed.pictures]
    lines += [f"page     {path}" for path in passed.pages]
    if passed.is_written and plan.promises:
        lines.append(POST.format(Head(plan.promises[-1].seq, plan.promises[-1].digest)))
    lines.append(_outcome_line(passed, session, dry))
    asides = [*([passed.unsaved] if passed.unsaved else []), *passed.failures]
    asides += (*plan.failures, *passed.remarks) if verbose else ()
    if plan.awaited is not None:
        data["waits_until"] = clock_time(plan.awaited)
    code = 3 if plan.held else 1 if failed else 3 if wait and plan.awaited is not None else 0
    return Report(data, lines, code, asides)


class _RoundWait:
    """The wait of `run --wait` for rounds of a beacon, which ends when one is out and no host gives it."""

    def __init__(self) -> None:
        self._vain_until: float | None = None

    def __call__(self, until: float) -> bool:
        """Wait until a time in Unix seconds; return False if rounds that were out by then did not come for too long."""
        now = time.time()
        if until > now:
            self._vain_until = None
            click.echo(f"Waiting for a round of the beacon until {clock_time(until)}.", err=True)
        elif self._vain_until is None:
            self._vain_until = now + BEACON_PATIENCE_S
        elif now > self._vain_until:
            return False
        time.sleep(until - now + ROUND_LATE_S if until > now else ASK_AGAIN_S)
        return True


POST = (
    "Post this before the round: the receipts end with {}. Whoever has that finds with verify --head if a promise is"
    " deleted later, the last one too."
)
"""What a moderator tells the players when promises are made."""


def _news_lines(news: Iterable[Answer]) -> Iterator[str]:
    """Yield the lines of all rulings and of the first refusals, and one that counts the other refusals."""
    refused = 0
    for answer in news:
        refused += answer.is_refused
        if refused <= PROBLEMS_TOLD or not answer.is_refused:
            yield from answer_lines(answer)
    if refused > PROBLEMS_TOLD:
        yield f"... and {refused - PROBLEMS_TOLD:,} more refused."


def _is_news(answer: Answer) -> bool:
    """Return False for rows that are not ready, rulings of earlier runs and orders that an earlier turn refused."""
    is_old = answer.shown.ruled is not None and answer.ruling is None
    return not answer.is_past and (bool(answer.problems) or (not is_old and bool(answer.shown.message)))


def _outcome_line(passed: PassResult, session: Session, dry: bool) -> str:
    rulings = len(passed.plan.rulings)
    refused = passed.plan.refused
    suffix = f", {len(passed.plan.promises):,} promised" if passed.plan.promises else ""
    suffix += f", {refused:,} refused" if refused else ""
    until = passed.plan.awaited
    again = f" Run again after {clock_time(until)}, or with --wait." if until is not None and not dry else ""
    if passed.is_written:
        return f"{count(rulings, 'request')} ruled{suffix}; {session.workbook.name} is written.{again}"
    if dry and passed.plan.changes:
        return f"{count(rulings, 'request')} would be ruled{suffix}. Nothing is written (dry run)."
    if refused:
        return f"Nothing new: {count(refused, 'request')} refused as before; {session.workbook.name} is as it was."
    if again:
        return f"Nothing new: {session.workbook.name} is as it was.{again}"
    if past := sum(answer.is_past for answer in passed.plan.answers):
        return f"Nothing new: {count(past, 'order')} of a turn that is over; {session.workbook.name} is as it was."
    return f"Nothing to do: {session.workbook.name} is as it was."


def post(*, dry: bool, force: bool, verbose: bool, **options: Any) -> Report:
    """Post the receipts that wait in the tab Posts."""
    from sheets_algo.commands.post import post

    return post(_session(**options), dry=dry, forced=force)


def doctor(*, workbook: WorkbookAddress, recalc: bool, verbose: bool, **flags: Any) -> Report:
    """Report what is wrong with set-up and workbook."""
    from sheets_algo.commands.doctor import doctor as examine

    _refuse_recalc(workbook, recalc)
    return examine(workbook=workbook, recalc=recalc, flags=flags)


def forecast(*, requests: Sequence[str], verbose: bool, asks: dict[str, Any], **options: Any) -> Report:
    """Report the odds of requests."""
    from sheets_algo.commands.forecast import Question, forecast
    from sheets_algo.forecasts.sampling import sample_budget

    seen = opened(_session(**options))
    question = Question(**{name: asks.pop(name) for name in Question.__dataclass_fields__})
    return forecast(seen, requests, question, sample_budget(**asks), _settings(**options).csv)


def explain(*, request: str, verbose: bool, **options: Any) -> Report:
    """Report how each variable of a request was computed, and why its ruling came out as it did."""
    seen = opened(_session(**options))
    receipt = seen.receipts.receipts.ruling_of(request)
    events: tuple[Event, ...] = ()
    why: tuple[str, ...] = ()
    if receipt:
        outcome = replay_receipt(receipt, seen.form_of(receipt))
        explained, events, why = outcome.explained, outcome.events, outcome.why
    else:
        form, book, row = row_of(seen.snapshot, seen.forms, request)
        try:
            explained = form.ruleset.explain(form.deserialize(form.serialize(form.read(row, book).inputs)))
        except Rejected as rejection:
            problems = [problem_data(problem) for problem in rejection.problems]
            return Report({"request": request, "problems": problems}, [*told(rejection.problems)], 1)
    data = explained_data(request, explained, events, why)
    lines = [variable.line() for variable in explained]
    timeline = [line for event in events for line in (event.line(), *event.calculation_lines())]
    for title, section in (("Timeline", timeline), ("Why", why)):
        lines += ["", title, "-" * len(title), *section] if section else []
    return Report(data, lines)


def report(
    *, reader: str, turn: int | None, format: str | None, out: Path | None, verbose: bool, **options: Any
) -> Report:
    """Report what a player, or everybody, may know of a turn."""
    from sheets_algo.commands.turn_report import report

    return report(opened(_session(**options)), reader, turn, format, out)


def season(
    *,
    csv: Path | None,
    wiki: bool,
    site: Path | None,
    replays: bool,
    verifies: bool,
    with_workbook: bool,
    verbose: bool,
    **options: Any,
) -> Report:
    """Report the standings of a season, and write its data as CSV files and its site."""
    from sheets_algo.commands.season import season

    if site is None and (replays or verifies or with_workbook):
        option = "replays" if replays else "verify" if verifies else "with-workbook"
        raise click.UsageError(f"--{option} needs --site DIR.")
    session = _session(**options)
    chosen = _settings(**options)
    choices = None
    if site is not None:
        from sheets_algo.site.build import site_options

        choices = site_options(chosen, site, replays=replays, verifies=verifies, with_workbook=with_workbook)
    with _ProgressBar() as bar:
        return season(session, opened(session, with_log=True), csv, chosen.csv, choices, wiki=wiki, progress=bar.update)


def replay(*, request: str, png: Path | None, html: Path | None, verbose: bool, **options: Any) -> Report:
    """Fight the battle of a ruling again; report its log, draw its picture, or write its page."""
    session = _session(**options)
    seen = opened(session)
    receipt = ruling_of(seen.receipts.receipts, request)
    lines: list[str] = []
    luck_of = how_lucky if session.is_luck_told and png is html is None else no_luck_lines
    form = seen.form_of(receipt)
    outcome = replay_receipt(receipt, form, lines.extend, luck_of)
    data: dict[str, Any] = {"request": receipt.request, "log": lines}
    if png is html is None:
        return Report(data, lines)
    painted = outcome.painted(form.colours(open_database(seen.snapshot, [form])))
    made = {"request": receipt.request}
    if png is not None:
        _draw(painted, receipt.request, png)
        made["picture"] = str(png)
    if html is not None:
        from sheets_algo.runtime.replay_pages import write_replay

        ruling = Ruling(receipt, painted, form, seen.receipts.receipts.options, mark=mark_of(receipt, seen.forms))
        with _writing("page", html):
            write_replay(ruling, html, session.replay_style, is_luck_told=session.is_luck_told, hastened=set())
        made["page"] = str(html)
    return Report(made, [f"{name:<8} {path}" for name, path in made.items() if name != "request"])


def board(
    *,
    request: str | None,
    html: Path | None,
    png: Path | None,
    side: str | None,
    opens: bool,
    sheets: Path | None,
    verbose: bool,
    **options: Any,
) -> Report:
    """Serve the strategy boards of a workbook; or write that of one war, or draw its map before the battle."""
    if side is not None and html is None:
        raise click.UsageError("--side is for --html: only the page can hide a side.")
    if sheets is not None:
        if request or html or png:
            raise click.UsageError("--sheets writes files for all wars: leave out REQUEST, --html and --png.")
        return _sheets_board(_session(**options), sheets)
    if html is png is None:
        return _live_board(_session(**options), request or "", opens)
    if request is None:
        raise click.UsageError("Name the request of the board after the workbook, as in board season.xlsx W-0007.")
    from sheets_algo.pages.board_page import board_page
    from sheets_algo.ruling.boards.board_rows import board_source

    seen = opened(_session(**options))
    try:
        found = board_source(seen.snapshot, seen.forms, seen.receipts.receipts, request).board
    except Rejected as rejection:
        problems = [problem_data(problem) for problem in rejection.problems]
        return Report({"request": request, "problems": problems}, [*told(rejection.problems)], 1)
    made = {"request": request}
    if png is not None:
        if found.scene is None:
            raise NotFound(f"No flank of {request} is on the map.")
        from sheets_algo.pictures import draw

        with _writing("picture", png), atomic_write(png) as new:
            new.write_bytes(draw(found.scene))
        made["picture"] = str(png)
    if html is not None:
        page = board_page(found.data([side.capitalize()] if side else ()))
        with _writing("page", html), atomic_write(html) as new:
            new.write_text(page, encoding="utf-8")
        made["page"] = str(html)
    return Report(made, [f"{name:<8} {path}" for name, path in made.items() if name != "request"])


def _sheets_board(session: Session, folder: Path) -> Report:
    """Write the files of the board inside Google Sheets, and the tab that it reads."""
    from sheets_algo.pages.board_page import sheets_files
    from sheets_algo.runtime.boards_kept import keep_boards

    if not session.workbook.has_scripts:
        raise click.UsageError(
            "--sheets is for a spreadsheet of Google's; a file's boards are --html and the live one."
        )
    keep_boards(session)
    paths = []
    with _writing("board", folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in sheets_files().items():
            paths.append(folder / name)
            with atomic_write(paths[-1]) as new:
                new.write_text(text, encoding="utf-8")
    lines = [f"board    {path}" for path in paths]
    lines += [f"The tab Boards of {session.workbook.name} is up to date; with the setting boards = true it stays so."]
    lines += ["Paste both files into Extensions > Apps Script of the spreadsheet, save, and load it again."]
    return Report({"files": list(map(str, paths))}, lines)


def _live_board(session: Session, request: str, opens: bool) -> Report:
    """Serve the boards of a workbook until Ctrl+C."""
    try:
        from sheets_algo.board_server.serve import serve
    except ImportError as error:
        needs = "install the extra: pip install 'sheets-algo[board]'"
        raise click.UsageError(f"The live board needs a web server; {needs}, or name a file: --html FILE.") from error
    serve(session, request, lambda line: click.echo(one_line(line)), opens=opens)
    return Report({"served": session.workbook.name}, ["The board is closed."])


def _draw(outcome: Outcome, request: str, png: Path) -> None:
    """Draw the map of a ruling."""
    from sheets_algo.runtime.artifacts import drawn, maps_of

    maps = maps_of(outcome)
    if not maps:
        raise NotFound(f"The ruling of {request} has no map.")
    with _writing("picture", png), atomic_write(png) as new:
        new.write_bytes(drawn(maps[0]))


@contextmanager
def _writing(what: str, path: Path) -> Iterator[None]:
    """Turn errors of the file system into WorkbookUnavailable."""
    try:
        yield
    except OSError as error:
        raise WorkbookUnavailable(f"The {what} cannot be written to {path} ({error.strerror}).") from error


def verify(
    *,
    requests: Sequence[str],
    html: Path | None,
    site: Path | None,
    pyodide: Path | None,
    verbose: bool,
    head: str = "",
    **options: Any,
) -> Report:
    """Recompute receipts and report the differences; or write a page on which players do so in their browsers."""
    if site is not None:
        if requests or html is not None or head:
            raise click.UsageError("--site verifies nothing here: leave out REQUESTS, --html and --head.")
        return _verify_page(_session(**options), site, pyodide or Path())
    if pyodide is not None:
        raise click.UsageError("--pyodide needs --site DIR.")
    from sheets_algo.commands.verify import verification

    session = _session(**options)
    found = verification(session, requests, head=head)
    report = found.report()
    if html is None:
        return report
    from sheets_algo.pages.verdict_page import verdict_page

    with _writing("page", html), atomic_write(html) as new:
        new.write_text(verdict_page(session.workbook.name, found.verdicts, found.notes), "utf-8")
    page = {"page": str(html)}
    return dataclasses.replace(report, data=report.data | page, asides=(*report.asides, f"page     {html}"))


def _verify_page(session: Session, site: Path, pyodide: Path) -> Report:
    """Write the page on which players verify receipts."""
    from sheets_algo.site.contents import VERIFY_PAGE
    from sheets_algo.site.verify_site import write_verify_page

    made = write_verify_page(session, opened(session), site, pyodide)
    changed = f"{len(made.written):,} written, {len(made.removed):,} removed"
    line = f"page     {site / VERIFY_PAGE} ({count(made.files, 'file')}, {changed})"
    data = {"files": made.files, "written": made.written, "removed": made.removed}
    return Report({"page": str(site / VERIFY_PAGE), "site": data}, [line])


def restore(*, accept: bool, dry: bool, force: bool, verbose: bool, **options: Any) -> Report:
    """Tell which receipts are gone or were changed, or accept that."""
    from sheets_algo.commands.restore import restore

    return restore(_session(**options), accepts=accept, dry=dry, forced=force)


def undo(*, request: str, dry: bool, force: bool, verbose: bool, **options: Any) -> Report:
    """Undo a ruling."""
    session = _session(**options)
    remarks: tuple[str, ...] = () if dry else repair(session)
    try:
        receipt, committed = _undo(session, request, dry=dry, force=force)
    except UnknownOutcome:
        raise
    except StaleWorkbook:  # a person edited a cell, or one turned out to be a date
        receipt, committed = _undo(session, request, dry=dry, force=force)
    remarks += committed.remarks
    if committed.is_displaced:
        remarks += repair(session)
    lines = [
        f"{change.tab}, {change.row}: {change.field} {value_text(change.before)} → {value_text(change.after)}"
        for change in receipt.changes
    ]
    done = "would be undone (dry run, nothing is written)" if dry else f"is undone by receipt {receipt.seq}"
    lines.append(f"{receipt.request} ({receipt.war}) {done}.")
    data = {"request": receipt.request, "seq": receipt.seq, "written": not dry}
    data["changes"] = [dataclasses.asdict(change) for change in receipt.changes]
    failures = () if dry else tuple(site_after_undo(session, _settings(**options)))
    return Report(data, lines, 0, (*failures, *(remarks if verbose else ())))


def _undo(session: Session, request: str, *, dry: bool, force: bool) -> tuple[StoredReceipt, Committed]:
    """Plan the undoing of a ruling on the workbook as it is now, and write it."""
    seen = opened(session)
    noted = noted_heads(session, seen.receipts.receipts.season, asks=True)
    posts = seen.posts(session)
    receipt, changes = undo_ruling(seen.snapshot, seen.forms, request, session.now(), noted, posts)
    if dry:
        return receipt, Committed()
    noted_changes = with_note(PendingTab.read(seen.snapshot, map(type, seen.forms)), changes, session.now())
    committed = session.workbook.commit(seen.snapshot, dataclasses.replace(noted_changes, forced=force))
    note_written(session, changes.season, changes.head)
    return receipt, committed


def request_ids(workbook: WorkbookAddress, *, is_ruled: bool) -> list[str]:
    """Return the ids of the requests that are filled in, or of those that are ruled, in the order of the workbook."""
    seen = opened(_session(workbook=workbook))
    if is_ruled:
        return list(dict.fromkeys(receipt.request for receipt in seen.receipts.receipts.of_kind("Ruling")))
    tables = request_tables(seen.snapshot, seen.forms).values()
    return [id for table in tables for row in table if (id := request_id(row))]


def schema(*, rulesets: Sequence[str], markdown: bool, editor: Path | None = None) -> Report:
    """Report every tab and column, or write the JSON Schemas of the tables below the folder `editor`."""
    from sheets_algo.commands.init import chosen_rulesets

    library = ConfigLoader()
    forms = open_forms(library, chosen_rulesets(rulesets))
    if editor is not None:
        written = {editor / path: content for path, content in json_schemas(library, forms)}
        for file, content in written.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
        return Report({"files": [*map(str, written)]}, [f"{editor / 'schema'}: {len(written)} JSON Schemas written."])
    described = describe_tabs(forms)
    return Report({"tabs": described}, [*(markdown_lines(described) if markdown else text_lines(described))])


def _workbook_ref(*, workbook: WorkbookAddress, recalc: bool = False, **flags: Any) -> WorkbookRef:
    _refuse_recalc(workbook, recalc)
    chosen = settings(workbook.folder, flags)
    return with_site(open_workbooks([workbook], chosen, recalc=recalc, on_retry=_print_retry)[0], chosen)


def _settings(*, workbook: WorkbookAddress, recalc: bool = False, **flags: Any) -> Settings:
    return settings(workbook.folder, flags)


def _refuse_recalc(workbook: WorkbookAddress, recalc: bool) -> None:
    if recalc and workbook.store.no_recalc:
        raise click.BadParameter(workbook.store.no_recalc, param_hint="--recalc")


def _session(**options: Any) -> Session:
    return _workbook_ref(**options).session


def _print_retry(id: str, sentence: str) -> None:
    """Print why a request to Google is sent again, since it makes a person wait."""
    click.echo(one_line(sentence), err=True)


def _season_problem(session: Session, opened: OpenWorkbook) -> Iterator[Problem]:
    """Yield the reason why the season cannot go on: because of the workbook, or of the available secret (RCP-03)."""
    receipts = opened.receipts.receipts
    secret = season_secret.available(session.folder, receipts.season)
    if held := hold(receipts, noted_heads(session, receipts.season, asks=True)):
        yield held
    elif trouble := secret_trouble(receipts, secret) if secret else "":
        yield Problem(cell=CellRef(ReceiptRow.tab.name), says=trouble.removesuffix("."), id="RCP-03")


def _shown(request: str | None) -> str:
    return one_line(request or "")


class _ProgressBar:
    """Progress bar for long work, shown only on a terminal."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._label = ""
        self._stream = sys.stderr

    def __enter__(self) -> _ProgressBar:
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.render_finish()

    def update(self, label: str, request: str, total: int) -> None:
        if not is_bar_shown():
            return
        if label != self._label:
            self.__exit__()
            self._label = label
            self._bar = click.progressbar(length=total, label=label, file=self._stream, item_show_func=_shown)
        self._bar.update(1, request)
