"""The poster of a watched workbook, in its own thread, so that no ruling waits for a channel."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field
from typing import Any

from sheets_algo.database.problems import shortened
from sheets_algo.posting.poster import Poster
from sheets_algo.ruling.receipts.chain import FORK
from sheets_algo.runtime.watch.event_log import EventLog
from sheets_algo.workbook.errors import WorkbookError

LOOK_S = 60.0
"""Seconds between polls for actions of people and for undos, which no commit of the watcher announces."""


@dataclass
class PostingThread:
    """A thread that posts the receipts of one workbook."""

    poster: Poster  # The poster, with its own session
    stop: threading.Event  # The event that ends it
    key: str  # The key of the workbook, for the log
    look_s: float = LOOK_S  # Seconds between two polls
    is_dropped: bool = False  # True to end it alone, after the current post
    _woken: threading.Event = field(default_factory=threading.Event)
    _trouble: str = ""

    def __post_init__(self) -> None:
        self.poster.log = self._log_post
        self.thread = threading.Thread(target=self._run, daemon=True)

    def wake(self, result: Any) -> None:
        """Poll at once after a commit of the watcher; a subscriber."""
        self._woken.set()

    def _is_over(self) -> bool:
        return self.is_dropped or self.stop.is_set()

    def _run(self) -> None:
        while not self._is_over():
            self._woken.clear()
            next_s = None
            try:
                step = self.poster.work(self._is_over)
                self._log_trouble("" if FORK in step.held else step.held)  # the watcher says it of a copy
                next_s = self.poster.pauses.left_s if step.waiting else None
            except WorkbookError as error:
                self._log_trouble(str(error))
            except Exception as error:  # the watcher goes on without posts
                self._log_trouble(f"The poster failed ({type(error).__name__}: {shortened(str(error))}).")
            wait_s = self.look_s if next_s is None else min(next_s, self.look_s)
            while wait_s > 0 and not (self._is_over() or self._woken.wait(min(wait_s, 0.5))):
                wait_s -= 0.5

    def _log_post(self, sentence: str, is_trouble: bool) -> None:
        self._log.log("post", sentence, logging.WARNING if is_trouble else logging.INFO)

    def _log_trouble(self, sentence: str) -> None:
        """Log the reason why nothing is posted, unless it is blank or already logged."""
        if sentence not in ("", self._trouble) and not self._is_over():
            self._log.log("post", f"Nothing is posted now. {sentence}", logging.WARNING)
        self._trouble = sentence

    @property
    def _log(self) -> EventLog:
        return EventLog(self.poster.session.workbook.name, self.key)
