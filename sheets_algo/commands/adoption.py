"""Spreadsheets shared with the account: they are greeted once, and watched when their owner asks for it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from sheets_algo.commands.init import InitChoices, begin
from sheets_algo.config.settings import Settings
from sheets_algo.database.headers import key_of
from sheets_algo.ruling.receipts.chain import hold
from sheets_algo.ruling.receipts.receipt_rows import ReceiptRow
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.runtime.locate import open_options, open_workbooks
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.foreign_tabs import without_foreign
from sheets_algo.runtime.session.lineage import original_of
from sheets_algo.runtime.watch.event_log import EventLog
from sheets_algo.runtime.watch.watcher import Watcher
from sheets_algo.workbook.errors import WorkbookError
from sheets_algo.workbook.store import WorkbookAddress
from sheets_algo.workbook.stores import stores

EVERY = 4
"""Polls of a workbook between two searches for newly shared spreadsheets."""
SHARE = 4
"""Divisor of the requests a minute: the share for new spreadsheets, each of which takes about two requests."""
MARK = Path(".sheets-algo") / "adopted"
"""Marker file in the folder of a spreadsheet with a season."""


def adopted(folder: Path) -> list[str]:
    """Return the ids of the adopted spreadsheets."""
    return sorted(mark.parent.parent.name for mark in folder.glob(f"*/{MARK.as_posix()}"))


class Adopter:
    """A thread that finds spreadsheets.

    Args:
        watchers: The watchers by the keys of their workbooks, those added later too.
        drop: A function that ends a watcher.
        patience_s: The seconds for which a failing request is repeated.
    """

    def __init__(
        self,
        chosen: Settings,
        watchers: Mapping[str, Watcher],
        add: Callable[[WorkbookAddress], None],
        drop: Callable[[Watcher], None],
        stop: threading.Event,
        patience_s: float,
    ) -> None:
        self._chosen, self._watchers, self._add, self._drop, self._stop = chosen, watchers, add, drop, stop
        self._options = open_options(chosen, patience_s=patience_s, stop=stop, interval=chosen.interval)
        self._seen: dict[str, str] = {}
        self._troubles: dict[str, str] = {}
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        while not self._stop.is_set():
            self.look()
            self._stop.wait(EVERY * self._chosen.interval)

    def look(self) -> None:
        """Poll each spreadsheet that was shared or edited since the last poll, as far as the quota allows."""
        left = max(1, self._chosen.requests // SHARE)
        try:
            shared = [(store, *entry) for store in stores() for entry in store.shared(self._options)]
        except WorkbookError as error:
            self._report(EventLog(), "", f"It is not known what is shared with the account: {error}")
            return
        self._troubles.pop("", None)
        for store, key, modified, is_writable in shared:
            is_watched = key in self._watchers and not self._watchers[key].is_dropped
            if left and not self._stop.is_set() and not is_watched and self._seen.get(key) != modified:
                left -= 1
                self._meet(WorkbookAddress(store, key, Path()), modified, is_writable=is_writable)
        for key in {*adopted(self._chosen.data_folder)} & {*self._watchers} - {key for _, key, *_ in shared}:
            if self._watchers[key].tally.state == "failing":
                self._leave(key)

    def _leave(self, key: str) -> None:
        """Stop watching an unreadable spreadsheet that is no longer shared; greet it again if it ever is."""
        (self._chosen.data_folder / key / MARK).unlink(missing_ok=True)
        self._seen.pop(key, None)
        self._drop(self._watchers[key])
        EventLog(self._watchers[key].ref.session.workbook.name, key).log(
            "left", f"{key} is not shared with the account any more: it is watched again when it is.", logging.WARNING
        )

    def _meet(self, address: WorkbookAddress, modified: str, *, is_writable: bool) -> None:
        """Greet a spreadsheet's owner; begin a game in it on request, or watch its game."""
        log = EventLog(key=address.key)
        try:
            (ref,) = open_workbooks([address], self._chosen, patience_s=self._options.patience_s, stop=self._stop)
            if not is_writable:
                log.log("shared", f"{address.key} is shared with the account, but not as Editor: it is left alone.")
                self._seen[address.key] = modified
                return
            workbook, folder = ref.session.workbook, ref.session.folder
            receipts = read_receipts(
                without_foreign(workbook.read((key_of(ReceiptRow),)), (ReceiptRow,)), is_lenient=True
            )
            receipts = replace(receipts, original=original_of(ref.session, receipts))
            if receipts.original:
                self._report(log, address.key, f"{address.key} is left alone. {hold(receipts)}")
                self._seen[address.key] = modified
                return
            season = receipts.season
            season_secret.find(folder, season)
            is_asked = workbook.is_asked_to_begin(greets=not season)
            if is_asked:
                begin(ref, InitChoices(empty=True, rename=True))
            if is_asked or season:
                mark = folder / MARK
                mark.parent.mkdir(parents=True, exist_ok=True)
                mark.touch()
                self._add(address)
                why = "its owner asked for it" if is_asked else "its season was begun here"
                log.log("adopted", f"{address.key} is watched from now on, since {why}.")
            elif address.key not in self._seen:
                log.log("greeted", f"{address.key} is shared with the account, and has a greeting.")
        except season_secret.SecretMissing:  # the secret in it would let anyone try a war in advance
            says = f"{address.key} has a season whose secret is not on this computer: it is left alone."
            self._report(log, address.key, says)
            self._seen[address.key] = modified
        except Exception as error:  # one foreign spreadsheet must not delay the others
            self._report(log, address.key, f"{address.key} cannot be begun: {error}")
        else:
            self._seen[address.key] = modified

    def _report(self, log: EventLog, key: str, sentence: str) -> None:
        """Log a new problem; the next poll tries again."""
        if self._troubles.get(key) != sentence and not self._stop.is_set():
            self._troubles[key] = sentence
            log.log("trouble", sentence, logging.WARNING)
