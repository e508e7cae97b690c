"""One workbook watched: look, rule what is ready, wait, for ever. Clock, wait and chance are arguments.

Whatever the world does is a sentence, said once, and a longer wait; nothing but the stop event ends the loop.
"""

from __future__ import annotations

import logging
import random
import re
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from engine.entry import Slip
from sheets_algo import passes
from sheets_algo.doubts import Memory
from sheets_algo.forecasts.slices import SLICE
from sheets_algo.forecasts.tab import Wanted
from sheets_algo.journals import Journal
from sheets_algo.library import ConfigError
from sheets_algo.maps import BadMap
from sheets_algo.news import News
from sheets_algo.passes import Passed
from sheets_algo.problems import shortened
from sheets_algo.reports import count
from sheets_algo.sites import Site
from sheets_algo.workbook.base import StaleWorkbook, WorkbookError, WorkbookLocked

SPREAD = 0.2
"""Each wait is longer or shorter by up to this share, so that watchers of one account do not march in step."""

LONGEST_WAIT = 300.0
"""Seconds to which the waits of a failing workbook grow."""


class Stopped(WorkbookError):
    """The watcher is to end: what was not ruled yet is left to the next one."""


@dataclass(slots=True)
class Tally:
    """What a watcher has done so far, for signs of life.

    Args:
        state: `starting`, `well`, `failing` or `stopped`.
        trouble: What is wrong, in a sentence.
        passes: Looks that ended well, at everything.
        idle: Looks that found everything as the last one left it.
        failures: Looks that did not.
        rulings: Requests ruled.
        refused: Requests that show a mistake now.
        last_pass: When a look ended, Unix seconds.
        last_success: When a look ended well.
    """

    state: str = "starting"
    trouble: str = ""
    passes: int = 0
    idle: int = 0
    failures: int = 0
    rulings: int = 0
    refused: int = 0
    last_pass: float | None = None
    last_success: float | None = None


def unheard() -> None:
    """Nobody waits for a look to end."""


@dataclass
class Watcher:
    """Watches one workbook.

    Args:
        site: The workbook and its surroundings.
        interval: Seconds between two looks.
        stop: Set when it is to end.
        looked: Called after each look.
        clock: Seconds that never go back.
        now: Unix seconds.
        wait: Waits for so many seconds, less if stopped.
        chance: A number from 0 to 1.
    """

    site: Site
    interval: float
    stop: threading.Event
    looked: Callable[[], None] = unheard
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    wait: Callable[[float], object] | None = None
    chance: Callable[[], float] = random.random
    tally: Tally = field(default_factory=Tally)

    def __post_init__(self) -> None:
        self.memory = Memory()
        self._news = News()
        self._is_quiet = False
        self._maps: object = None
        self._wanted: Sequence[Wanted] = ()
        self._failed_in_a_row = 0

    def watch(self) -> None:
        """Look and wait until stopped."""
        while not self.stop.is_set():
            pause = self.look()
            self.looked()
            self.rest(pause)
        self.tally.state = "stopped"
        self.looked()

    def rest(self, pause: float) -> None:
        """Wait; as long as logs are to be completed (FC-06) or requests wait for their odds, work on those instead.

        All of it is done slice by slice (FC-05).
        """
        end = self.clock() + pause

        def is_over() -> bool:
            return self.stop.is_set() or self.clock() >= end

        followups = self.memory.followups
        were_ready = len(followups.ready)
        for remark in followups.work(self.site.place, self.memory.owed, is_over=is_over):
            self._journal.tell("remark", remark, logging.WARNING)
        if len(followups.ready) > were_ready:
            return  # it can be written
        forecasts = self.memory.forecasts
        while forecasts.owes(self._wanted) and not is_over():
            if forecasts.work(self._wanted, min(SLICE, end - self.clock())):
                return  # it can be written
        (self.wait or self.stop.wait)(max(0.0, end - self.clock()))

    def look(self) -> float:
        """One pass, or none over a workbook that is as the last one left it; seconds to wait until the next."""
        began = self.clock()
        try:
            maps = self.site.own_maps()
            if self._is_quiet and maps == self._maps and self.site.place.workbook.is_as_read():
                self.tally.idle += 1
                self.tally.last_pass = self.tally.last_success = self.now()
                self._journal.tell("pass", "Nothing has changed since the last look.", logging.DEBUG)
                return self._until_next(self.clock() - began)
            self._is_quiet, self._maps = False, maps
            passed = passes.run(self.site.place, begins=self._begins, memory=self.memory)
            took = self.clock() - began
            self._wanted = passed.plan.wanted
            self._went_well(passed, took)
        except Exception as error:
            return 0.0 if self.stop.is_set() else self._failed(error)
        if passed.is_partial:
            return 0.0
        self._is_quiet = not _is_open(passed, self.memory)
        return self._until_next(took)

    def hears(self, sentence: str) -> None:
        """A request is sent again. Before the first look has ended somebody is likely to be watching the watcher."""
        if self.tally.state == "starting":
            self._complain(sentence, logging.WARNING)
        else:
            self._journal.tell("again", sentence, logging.DEBUG)

    def _begins(self, what: str, request: str, of: int) -> None:
        if what == "Ruling" and self.stop.is_set():
            raise Stopped("The watcher is stopped.")

    def _until_next(self, took: float) -> float:
        return max(self._pause(self.interval) - took, self.interval * SPREAD)

    def _pause(self, seconds: float) -> float:
        return seconds * (1 - SPREAD + 2 * SPREAD * self.chance())

    def _went_well(self, passed: Passed, took: float) -> None:
        tally = self.tally
        if tally.state == "failing":
            failed = f" after {count(self._failed_in_a_row, 'failed look')}" if self._failed_in_a_row else ""
            self._journal.tell("well", f"Well again{failed}.")
        elif tally.state == "starting":
            self._journal.tell("watching", f"Watched every {self.interval:g} seconds.")
        rulings = len(passed.plan.rulings)
        for item in self._news.of(passed):
            self._journal.tell(item.event, item.message, item.level, **item.facts)
        self._journal.tell(
            "pass",
            "A look." if not passed.is_written else "A look; the workbook is written.",
            logging.DEBUG,
            seconds=round(took, 3),
            rulings=rulings,
            written=passed.is_written,
        )
        self._failed_in_a_row = 0
        tally.state, tally.trouble = "well", ""
        tally.passes += 1
        tally.rulings += rulings
        tally.refused = passed.plan.refused
        tally.last_pass = tally.last_success = self.now()

    def _failed(self, error: Exception) -> float:
        """Say what is wrong unless it was said; how long to wait."""
        is_ours = not isinstance(error, WorkbookError | ConfigError | Slip | BadMap)
        said = str(error) if not is_ours else f"The program failed ({type(error).__name__}: {shortened(str(error))})."
        facts = {"traceback": "".join(traceback.format_exception(error))} if is_ours else {}
        self._complain(said, logging.ERROR if is_ours else logging.WARNING, kind=type(error).__name__, **facts)
        self._is_quiet = False
        self._failed_in_a_row += 1
        self.tally.failures += 1
        self.tally.last_pass = self.now()
        if isinstance(error, StaleWorkbook | WorkbookLocked):  # somebody is at work in it, and soon done
            return self._pause(self.interval)
        grown = self.interval * 2.0 ** min(self._failed_in_a_row - 1, 16)
        return self._pause(max(self.interval, min(grown, LONGEST_WAIT)))

    def _complain(self, said: str, level: int, **facts: str) -> None:
        is_new = self.tally.state != "failing" or _gist(said) != _gist(self.tally.trouble)
        self._journal.tell("trouble", said, level if is_new else logging.DEBUG, **facts)
        self.tally.state, self.tally.trouble = "failing", said

    @property
    def _journal(self) -> Journal:
        return Journal(self.site.place.workbook.name, self.site.key)


def _is_open(passed: Passed, memory: Memory) -> bool:
    """Whether the next look may find something to do although nobody changes a cell until then.

    Requests wait or failed; the pass wrote, and what it left is not read yet; a cell was protected, which no reading of
    cells tells; an earlier write is not settled; the log of a ruling is to be completed.
    """
    plan = passed.plan
    is_blocked = any(problem.id == "RCP-31" for problem in plan.problems)
    is_asked = any(answer.shown.status in ("Waiting", "Failed") for answer in plan.answers) or bool(plan.wanted)
    return passed.is_written or is_asked or is_blocked or bool(memory.doubts or memory.owed)


def _gist(sentence: str) -> str:
    """A sentence without its figures: seconds that pass are no news."""
    return re.sub(r"\d+", "#", sentence)
