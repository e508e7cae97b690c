"""Spreadsheets that somebody shares with the account: found, greeted once, and watched when their owner asks for it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from sheets_algo.commands.init import begin
from sheets_algo.config.settings import Settings
from sheets_algo.runtime.locate import open_options, open_workbooks
from sheets_algo.runtime.watch.event_log import EventLog
from sheets_algo.workbook.errors import WorkbookError
from sheets_algo.workbook.store import OpenOptions, Store, WorkbookAddress
from sheets_algo.workbook.stores import stores

EVERY = 4
"""The looks at a workbook from one question who shares something to the next."""
SHARE = 4
"""The part of the requests a minute, one of so many, in which new spreadsheets are looked at: each takes about two."""
MARK = Path(".sheets-algo") / "adopted"
"""The file in the folder of a spreadsheet that was begun."""


def adopted(folder: Path) -> list[str]:
    """Return the ids of the spreadsheets that were begun."""
    return sorted(mark.parent.parent.name for mark in folder.glob(f"*/{MARK.as_posix()}"))


class Adopter:
    """A thread that finds spreadsheets.

    Args:
        known: The keys of those that are watched already.
        patience_s: The seconds for which a failing request is repeated.
    """

    def __init__(
        self,
        chosen: Settings,
        known: Iterable[str],
        add: Callable[[WorkbookAddress], None],
        stop: threading.Event,
        patience_s: float,
    ) -> None:
        self._chosen, self._known, self._add, self._stop = chosen, set(known), add, stop
        self._options = open_options(chosen, patience_s=patience_s, stop=stop, interval=chosen.interval)
        self._seen: dict[str, str] = {}
        self._troubles: dict[str, str] = {}
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        while not self._stop.is_set():
            self.look()
            self._stop.wait(EVERY * self._chosen.interval)

    def look(self) -> None:
        """Look at each spreadsheet that was shared or edited since the last look, as far as the requests allow."""
        left = max(1, self._chosen.requests // SHARE)
        for store in stores():
            for found in self._shared(store, self._options):
                key, modified, is_writable = found
                if left and not self._stop.is_set() and key not in self._known and self._seen.get(key) != modified:
                    left -= 1
                    self._meet(WorkbookAddress(store, key, Path()), modified, is_writable=is_writable)

    def _shared(self, store: Store, options: OpenOptions) -> Sequence[tuple[str, str, bool]]:
        try:
            found = store.shared(options)
        except WorkbookError as error:
            self._report(EventLog(), "", f"Nobody says what is shared with the account: {error}")
            return ()
        self._troubles.pop("", None)
        return found

    def _meet(self, address: WorkbookAddress, modified: str, *, is_writable: bool) -> None:
        """Greet whoever shared a spreadsheet; begin a game in it if its owner asks for one."""
        log = EventLog(key=address.key)
        try:
            (ref,) = open_workbooks([address], self._chosen, patience_s=self._options.patience_s, stop=self._stop)
            if not is_writable:
                log.log("shared", f"{address.key} is shared with the account, but not as Editor: it is left alone.")
            elif ref.session.workbook.is_asked_to_begin():
                begin(ref, rulesets=(), empty=True, overrides=False, dry=False)
                mark = ref.session.folder / MARK
                mark.parent.mkdir(parents=True, exist_ok=True)
                mark.touch()
                self._known.add(address.key)
                self._add(address)
                log.log("adopted", f"{address.key} is watched from now on, since its owner asked for it.")
            elif address.key not in self._seen:
                log.log("greeted", f"{address.key} is shared with the account, and has a greeting.")
        except Exception as error:  # one spreadsheet of a stranger must not keep the others waiting
            self._report(log, address.key, f"{address.key} cannot be begun: {error}")
        else:
            self._seen[address.key] = modified

    def _report(self, log: EventLog, key: str, sentence: str) -> None:
        """Log a trouble unless it is known; what failed is tried again at the next look."""
        if self._troubles.get(key) != sentence and not self._stop.is_set():
            self._troubles[key] = sentence
            log.log("trouble", sentence, logging.WARNING)
