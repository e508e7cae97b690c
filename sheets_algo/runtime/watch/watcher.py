"""Watcher of one workbook: poll, rule the ready requests, wait, repeat. Clock, wait and random source are arguments.

Errors are logged once and make the watcher wait longer; only the stop event ends the loop.
"""

from __future__ import annotations

import logging
import random
import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from engine.ruleset import no_op
from sheets_algo.database.problems import count
from sheets_algo.forecasts.queue import SLICE
from sheets_algo.ruling.forecast.forecast_rows import PendingForecast
from sheets_algo.ruling.plan import LOG, Plan
from sheets_algo.runtime.after_commit.boards_kept import try_to_keep_boards
from sheets_algo.runtime.locate import WorkbookRef
from sheets_algo.runtime.run import run_pass
from sheets_algo.runtime.run.pass_context import WatchState
from sheets_algo.runtime.run.pass_result import PassResult
from sheets_algo.runtime.watch.event_log import EventLog
from sheets_algo.runtime.watch.look import Failure, Look, PassEvent, PassEvents, events_of
from sheets_algo.workbook.errors import WorkbookError
from sheets_algo.workbook.snapshot import Snapshot

SPREAD = 0.2
"""Share by which each wait is randomly lengthened or shortened, so that watchers of one account spread out."""

LONGEST_WAIT = 300.0
"""Maximum seconds between two polls of a failing workbook."""


class Stopped(WorkbookError):
    """Signals the end of the watcher; open requests are left to the next one."""


@dataclass(slots=True)
class WatchCounts:
    """State and counters of a watcher, for status files."""

    state: str = "starting"  # `starting`, `well`, `failing` or `stopped`
    trouble: str = ""  # The current error, in a sentence
    failing_since: float | None = None  # The time at which it began to fail, in Unix seconds
    passes: int = 0  # The number of successful polls
    idle: int = 0  # The number of polls without a change
    failures: int = 0  # The number of failed polls
    rulings: int = 0  # The number of requests ruled
    refused: int = 0  # The number of requests with errors now
    last_pass: float | None = None  # The end of the last poll, in Unix seconds
    last_success: float | None = None  # The end of the last successful poll, in Unix seconds


@dataclass
class Watcher:
    """Watcher of one workbook."""

    ref: WorkbookRef  # The workbook
    interval: float  # The seconds between two polls
    stop: threading.Event  # The event that ends the watcher
    on_look: Callable[[], None] = no_op  # A callback after each poll
    least_rest: float = 0.0  # The minimum wait after a poll, in multiples of its processor time
    clock: Callable[[], float] = time.monotonic  # A clock in seconds that never goes back
    cpu: Callable[[], float] = time.thread_time  # The processor time of the thread in seconds
    now: Callable[[], float] = time.time  # The current time in Unix seconds
    wait: Callable[[float], object] | None = None  # A function that waits for some seconds, less if stopped
    chance: Callable[[], float] = random.random  # A source of random numbers from 0 to 1
    tally: WatchCounts = field(default_factory=WatchCounts)  # The state and counters
    is_dropped: bool = False  # True to end it alone, before its next poll

    def __post_init__(self) -> None:
        self.state = WatchState()
        self._events = PassEvents()
        self._is_quiet = True  # before the first poll the store may report no change since an earlier watcher
        self._maps = self.ref.own_maps()
        self._seen: Snapshot | None = None
        self._pending: Sequence[PendingForecast] = ()
        self._due: float | None = None
        self._consecutive_failures = 0

    def watch(self) -> None:
        """Poll and wait until stopped."""
        while not (self.stop.is_set() or self.is_dropped):
            began = self.cpu()
            pause = self.look()
            least = self.least_rest * (self.cpu() - began)
            self.on_look()
            self.rest(max(pause, least))
        self.tally.state = "stopped"
        self.on_look()

    def rest(self, pause: float) -> None:
        """Wait until the next poll, and work on forecasts meanwhile."""
        end = self.clock() + pause
        if not self.work(end):
            (self.wait or self.stop.wait)(max(0.0, end - self.clock()))

    def work(self, end: float) -> bool:
        """Compute forecasts in slices (FC-05).

        Args:
            end: The time at which to stop, by `clock`.

        Returns:
            True if the next poll can write something.
        """
        forecasts = self.state.forecasts
        while forecasts.owes(self._pending) and not self.stop.is_set() and self.clock() < end:
            if forecasts.work(self._pending, min(SLICE, end - self.clock())):
                return True
        return False

    def look(self) -> float:
        """Poll once and report the result; return the seconds to wait until the next poll."""
        began = self.clock()
        try:
            result = self.find(is_quiet=self.is_quiet)
        except Exception as error:
            result = Failure.of(error)
        if isinstance(result, Failure):
            return 0.0 if self.stop.is_set() else self._record_failure(result)
        took = self.clock() - began
        if result is None:
            self.tally.idle += 1
            self.tally.last_pass = self.tally.last_success = self.now()
            self._log.log("pass", "Nothing has changed since the last look.", logging.DEBUG)
            return self._until_next(took) / self.ref.session.workbook.free_polls
        if result.held:
            return self._record_held(result.held)
        self._record_success(result, took)
        return 0.0 if result.is_partial else self._until_next(took)

    def find(self, *, is_quiet: bool) -> Look | Failure | None:
        """Run a pass and return its findings; None if nothing changed since the last one.

        Args:
            is_quiet: True if there is no work without changes, as returned by `is_quiet`.
        """
        maps = self.ref.own_maps()
        if is_quiet and maps == self._maps and self.ref.session.workbook.is_unchanged():
            return None
        self._is_quiet, self._maps = False, maps
        passed = run_pass.run_pass(self.ref.session, progress=self._follow, state=self.state)
        plan, held = passed.plan, str(passed.plan.findings.held or "")
        self._pending = plan.owes.requested_forecasts
        remarks = () if held or passed.is_partial else self._keep_boards(passed)
        return self.note(
            Look(
                events=(*events_of(passed), *(PassEvent("remark", remark, logging.WARNING) for remark in remarks)),
                rulings=len(plan.rulings),
                refused=plan.refused,
                is_written=passed.is_written,
                is_partial=passed.is_partial,
                is_open=bool(held) or passed.is_partial or _is_open(passed, self.now()),
                due=_due(plan, self.now()),
                held=held,
                known=plan.findings.known,
            )
        )

    def note(self, look: Look) -> Look:
        """Note the time of the next work from a poll; return the poll."""
        self._due, self._is_quiet = look.due, not look.is_open
        return look

    @property
    def is_quiet(self) -> bool:
        """Return True if there is no work without changes, as of the last poll."""
        return self._is_quiet and not self._is_due

    def _keep_boards(self, passed: PassResult) -> Sequence[str]:
        """Bring the tab Boards up to date if cells changed since the last poll; return remarks."""
        if not self.ref.session.keeps_boards or passed.snapshot is None or passed.snapshot == self._seen:
            return ()
        self._seen = passed.snapshot
        return try_to_keep_boards(self.ref.session)

    def log_retry(self, sentence: str) -> None:
        """Log the repetition of a request; as a warning before the end of the first poll."""
        if self.tally.state == "starting":
            self._log_trouble(sentence, logging.WARNING)
        else:
            self._log.log("again", sentence, logging.DEBUG)

    def _follow(self, what: str, item: str, total: int | None) -> None:
        """End a pass before its next ruling if the watcher is stopped; log the events of a battle (LOG-01)."""
        if what == "Ruling" and self.stop.is_set():
            raise Stopped("The watcher is stopped.")
        if what == LOG:
            for line in item.split("\n"):
                self._log.log("hour", line, logging.DEBUG)

    @property
    def waits(self) -> str:
        """Return the awaited event in words; blank if it waits for people."""
        if self._due is not None:
            return f"until {datetime.fromtimestamp(self._due, UTC):%Y-%m-%d %H:%M} UTC"
        return "" if self._is_quiet and self.tally.state == "well" else "for its next look"

    @property
    def _is_due(self) -> bool:
        """Return True if a turn ends now (TRN-03), or the beacon publishes the round of a request."""
        return self._due is not None and self._due <= self.now()

    def _until_next(self, took: float) -> float:
        pause = max(self._pause(self.interval) - took, self.interval * SPREAD)
        left = self._due - self.now() if self._due else pause
        return min(pause, left) if left > 0 else pause

    def _pause(self, seconds: float) -> float:
        return seconds * (1 - SPREAD + 2 * SPREAD * self.chance())

    def _record_success(self, look: Look, took: float) -> None:
        tally = self.tally
        if tally.state == "failing":
            failed = f" after {count(self._consecutive_failures, 'failed look')}" if self._consecutive_failures else ""
            self._log.log("well", f"Well again{failed}.")
        elif tally.state == "starting":
            self._log.log("watching", f"Watched every {self.interval:g} second{'' if self.interval == 1 else 's'}.")
        for item in self._events.new_events(look.events):
            self._log.log(item.event, item.message, item.level, **item.facts)
        self._log.log(
            "pass",
            "A look." if not look.is_written else "A look; the workbook is written.",
            logging.DEBUG,
            seconds=round(took, 3),
            rulings=look.rulings,
            written=look.is_written,
        )
        self._consecutive_failures = 0
        tally.state, tally.trouble, tally.failing_since = "well", "", None
        tally.passes += 1
        tally.rulings += look.rulings
        tally.refused = look.refused
        tally.last_pass = tally.last_success = self.now()

    def _record_held(self, held: str) -> float:
        """Log the obstacle to all rulings, unless logged already; return the seconds to wait."""
        self._log_trouble(held, logging.WARNING)
        self.tally.failures += 1
        self.tally.last_pass = self.now()
        return self._pause(self.interval)

    def _record_failure(self, failure: Failure) -> float:
        """Log a failure unless logged already; return the seconds to wait."""
        facts = {"traceback": failure.traceback} if failure.traceback else {}
        level = logging.ERROR if failure.traceback else logging.WARNING
        self._log_trouble(failure.message, level, kind=failure.kind, **facts)
        self._is_quiet = False
        self._consecutive_failures += 1
        self.tally.failures += 1
        self.tally.last_pass = self.now()
        if failure.is_brief:
            return self._pause(self.interval)
        grown = self.interval * 2.0 ** min(self._consecutive_failures - 1, 16)
        return self._pause(max(self.interval, min(grown, LONGEST_WAIT)))

    def _log_trouble(self, message: str, level: int, **facts: str) -> None:
        is_new = self.tally.state != "failing" or _without_numbers(message) != _without_numbers(self.tally.trouble)
        self._log.log("trouble", message, level if is_new else logging.DEBUG, **facts)
        self.tally.failing_since = self.tally.failing_since or self.now()
        self.tally.state, self.tally.trouble = "failing", message

    @property
    def _log(self) -> EventLog:
        return EventLog(self.ref.session.workbook.name, self.ref.key)


def _due(plan: Plan, now: float) -> float | None:
    """Return the time in Unix seconds of the next work without changed cells; None without any."""
    rounds = [answer.awaited for answer in plan.findings.answers if answer.awaited is not None and answer.awaited > now]
    ends = [plan.owes.deadline.timestamp()] if plan.owes.deadline else []
    return min([*rounds, *ends], default=None)


def _is_open(passed: PassResult, now: float) -> bool:
    """Return True if the next poll may have work even without changed cells.

    That is so when requests failed, or wait for something else than people, their turn or a future round; when the pass
    wrote, and the result is unread; when a cell was protected, which reading does not show; or when a forecast is asked
    for.
    """
    plan = passed.plan
    is_blocked = any(problem.id == "RCP-31" for problem in plan.problems)
    is_pending = any(answer.is_pending and (answer.awaited or 0) <= now for answer in plan.findings.answers)
    return passed.is_written or is_pending or is_blocked or bool(plan.owes.requested_forecasts)


def _without_numbers(sentence: str) -> str:
    """Return a sentence without its numbers, so that changing seconds do not make it a new message."""
    return re.sub(r"\d+", "#", sentence)
