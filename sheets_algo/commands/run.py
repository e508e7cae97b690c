"""The command `run`."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterable, Iterator
from typing import Any

import click

from sheets_algo.commands.opening import chosen_settings, new_session
from sheets_algo.commands.output import ProgressBar
from sheets_algo.commands.report import Report, answer_data, answer_lines, problem_data
from sheets_algo.database.problems import PROBLEMS_TOLD, count, problem_lines
from sheets_algo.ruling.luck.beacon import clock_time
from sheets_algo.ruling.plan import Answer
from sheets_algo.ruling.receipts.chain import FORK
from sheets_algo.runtime.run import run_pass
from sheets_algo.runtime.run.pass_result import PassResult
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.errors import WorkbookError
from sheets_algo.workbook.head import Head

BEACON_PATIENCE_S = 300
"""Seconds for which `run --wait` asks for a round that is due but that no host delivers."""


ROUND_LATE_S = 3
"""Seconds that `run --wait` waits longer than until the time of a round."""


ASK_AGAIN_S = 15
"""Seconds between requests of `run --wait` for a round that no host delivers."""


POSTING_S = 60.0
"""Seconds after its rulings in which a run begins to send posts; a channel takes at most a minute for one."""


POST = (
    "Post this before the round: the receipts end with {}. Whoever has that finds with verify --head if a promise is"
    " deleted later, the last one too."
)
"""The sentence for the players when promises are made."""


def run(
    *,
    dry: bool,
    force: bool,
    verbose: bool,
    accept_rules: bool,
    accept_columns: bool,
    wait: bool,
    no_post: bool,
    **options: Any,
) -> Report:
    """Rule every request that is ready, and post what waits."""
    if wait and dry:
        raise click.UsageError("--wait and --dry-run: a dry run promises nothing that could be waited for.")
    session = new_session(**options)
    session = dataclasses.replace(session, accepts_rules=accept_rules, accepts_columns=accept_columns)
    with ProgressBar(shows_log=verbose) as bar:
        passed = run_pass.run_until_done(
            session, dry=dry, forced=force, progress=bar.update, wait=_RoundWait() if wait else None
        )
    plan = passed.plan
    is_copy = plan.findings.held is not None and plan.findings.held.id == FORK  # said once, not in each row
    news = [answer for answer in plan.findings.answers if _is_news(answer) and not is_copy]
    failed = any(answer.is_refused for answer in news) or any(problem.is_error for problem in plan.findings.of_tabs)
    data = {
        "workbook": session.workbook.name,
        "written": passed.is_written,
        "requests": [answer_data(answer) for answer in plan.findings.answers],
        "problems": [problem_data(problem) for problem in plan.findings.of_tabs],
        "logs": [str(path) for path in passed.logs],
        "pictures": [str(path) for path in passed.pictures],
        "pages": [str(path) for path in passed.pages],
    }
    lines = [*problem_lines(plan.findings.of_tabs), *_news_lines(news)]
    lines += [f"log      {path}" for path in passed.logs] + [f"picture  {path}" for path in passed.pictures]
    lines += [f"page     {path}" for path in passed.pages]
    if passed.is_written and plan.writes.promises:
        lines.append(POST.format(Head(plan.writes.promises[-1].seq, plan.writes.promises[-1].digest)))
    lines.append(_outcome_line(passed, session, dry))
    asides = [*passed.failures]
    asides += (*plan.findings.failures, *passed.remarks) if verbose else ()
    if plan.awaited is not None:
        data["waits_until"] = clock_time(plan.awaited)
    code = 3 if plan.findings.held else 1 if failed else 3 if wait and plan.awaited is not None else 0
    report = Report(data, lines, code, asides)
    if dry or no_post or plan.findings.held or not (session.channels and chosen_settings(**options).post_after_run):
        return report
    return _with_posts(report, session, force)


def _with_posts(report: Report, session: Session, forced: bool) -> Report:
    """Send the waiting posts, and return the report with the results; the next run sends the rest."""
    from sheets_algo.commands.post import HELD, NOTHING, work_off

    try:
        posted = work_off(session, forced=forced, most_s=POSTING_S)
    except WorkbookError as error:
        posted = Report({}, [HELD.format(error)], 1)
    return Report(
        report.data | {"posts": posted.data},
        [*report.lines, *(line for line in posted.lines if line != NOTHING)],
        max(report.code, 1) if posted.code == 1 else report.code,
        report.asides,
    )


class _RoundWait:
    """The wait of `run --wait` for rounds of a beacon; it ends when no host delivers a round that is due."""

    def __init__(self) -> None:
        self._vain_until: float | None = None

    def __call__(self, until: float) -> bool:
        """Wait until a time in Unix seconds; return False if rounds that are due stay missing for too long."""
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
    is_old = answer.cells.ruled is not None and answer.ruling is None
    return not answer.is_past and (bool(answer.problems) or (not is_old and bool(answer.cells.message)))


def _outcome_line(passed: PassResult, session: Session, dry: bool) -> str:
    rulings = len(passed.plan.rulings)
    refused = passed.plan.refused
    suffix = f", {len(passed.plan.writes.promises):,} promised" if passed.plan.writes.promises else ""
    suffix += f", {refused:,} refused" if refused else ""
    until = passed.plan.awaited
    again = f" Run again after {clock_time(until)}, or with --wait." if until is not None and not dry else ""
    if passed.is_written:
        return f"{count(rulings, 'request')} ruled{suffix}; {session.workbook.name} is written.{again}"
    if dry and passed.plan.writes.changes:
        left = passed.plan.owes.left
        suffix += f"; {left:,} more by what formulas show after that" if left else ""
        return f"{count(rulings, 'request')} would be ruled{suffix}. Nothing is written (dry run)."
    if refused:
        return f"Nothing new: {count(refused, 'request')} refused as before; {session.workbook.name} is as it was."
    if again:
        return f"Nothing new: {session.workbook.name} is as it was.{again}"
    if past := sum(answer.is_past for answer in passed.plan.findings.answers):
        return f"Nothing new: {count(past, 'order')} of a turn that is over; {session.workbook.name} is as it was."
    return f"Nothing to do: {session.workbook.name} is as it was."
