"""Passes over a workbook, until the work is done or people have changed it in every attempt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.ruleset import no_op
from sheets_algo.ruling.plan import Progress
from sheets_algo.runtime.after_commit.boards_kept import try_to_keep_boards
from sheets_algo.runtime.run.attempt import PassAttempts
from sheets_algo.runtime.run.pass_result import PassResult, join_results
from sheets_algo.runtime.run.watch_state import WatchState
from sheets_algo.runtime.session.session import Session

TRIES = 3
"""The attempts of a pass when people save in the meantime; one after a pass in which all failed."""


def run_until_done(
    session: Session, *, dry: bool, forced: bool, progress: Progress, wait: Callable[[float], bool] | None = None
) -> PassResult:
    """Run passes until the work is done, and return their joint result.

    A pass writes no more to a spreadsheet than one request can hold.

    Args:
        dry: Plan only, in one pass.
        forced: Write into protected tabs too.
        progress: Called when something begins that takes time. wait: Waits until a time in Unix seconds, for the round
            of a beacon, and returns False if it never comes; None leaves the requests that wait for one to the next
            run.

    Raises:
        WorkbookError: As `run_pass`.
    """
    if dry:
        return run_pass(replace(session, most=None), dry=True, forced=forced, progress=progress)
    state = WatchState(known=None)
    result = run_pass(session, forced=forced, progress=progress, state=state).without_courses()
    while result.is_partial or (wait and result.plan.awaited is not None and wait(result.plan.awaited)):
        passed = run_pass(session, forced=forced, progress=progress, state=state)
        result = join_results(result, passed.without_courses())
    return replace(result, failures=(*result.failures, *try_to_keep_boards(session)))


def run_pass(
    session: Session,
    *,
    dry: bool = False,
    forced: bool = False,
    progress: Progress = no_op,
    state: WatchState | None = None,
) -> PassResult:
    """Run one pass: read the workbook, plan, commit.

    Args:
        dry: Plan only; nothing is written anywhere.
        forced: Write into protected tabs too.
        progress: Called when something begins that takes time.
        state: The state of a watched workbook, which is brought up to date.

    Raises:
        WorkbookError: The workbook cannot be opened or written.
        StaleWorkbook: People changed it during every attempt.
        UnknownOutcome: A commit got no answer.
    """
    state = state or WatchState(known=None)
    attempts = PassAttempts(session, dry, forced, progress, state, left=1 if state.stale_looks else TRIES)
    result = None
    while result is None:
        result = attempts.next()
    return result
