"""One request to Drive for the changes of all spreadsheets of an account (changes.list).

The answer saves polls; nothing depends on it. A spreadsheet is polled once Drive says that it was modified later than
it was read: what a pass wrote itself was read by the next pass. Drive reports an edit up to three minutes late, and the
next one of the same minutes perhaps not at all. So a spreadsheet in which people type is polled for some minutes, until
something is written, and each of the others in a slow round.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any

from sheets_algo.workbook.atomic_file import write_in_folder
from sheets_algo.workbook.errors import Interrupted, WorkbookError
from sheets_algo.workbook.google.http.api import Api, BadRequest
from sheets_algo.workbook.google.http.replies import ChangeList, FileList, StartPageToken

FOLDER = Path(".sheets-algo") / "changes"
AFTER_S = 180.0
"""The seconds for which a spreadsheet is polled after an edit: Drive may take as long to report the next one."""
ASKED_S = 3
"""The questions to Drive in an interval, which cost no reads."""
WRITTEN_S = 2.0
"""The accuracy of a time of modification by our clock, in seconds: Google's answers say the time to the second."""
ROUND_S = 600.0
"""The maximum time between polls of a spreadsheet, in seconds, unless the account's requests are used up."""
ROUND_SHARE = 4
"""Divisor of the reads a minute: the minimum share of the slow round."""
KEPT_S = 900.0
"""The age in seconds of the page token after a restart, so that edits in progress are reported again."""
MOST_PAGES = 100
PAGE = 1000
SPREADSHEETS = "mimeType = 'application/vnd.google-apps.spreadsheet'"
ALL_DRIVES = {"supportsAllDrives": "true", "includeItemsFromAllDrives": "true"}

LOGGER = logging.getLogger("sheets_algo")


class AccountChanges:
    """Changes that Drive reports of the spreadsheets of one account. Safe between threads.

    Args:
        file: The file in which the page token outlives a restart.
        interval: The seconds between two requests.
        requests: The reads a minute that the account may send.
        clock: A clock in seconds that never goes back.
        now: The time in Unix seconds.
    """

    def __init__(
        self,
        api: Callable[[], Api],
        file: Path,
        *,
        interval: float,
        requests: int,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.clock = clock
        self._api, self._file, self._interval, self._requests = api, file, interval, requests
        self._ids: dict[str, int] = {}  # Each spreadsheet with its number in the slow round
        self._now, self._began = now, clock()
        self._lock = Lock()
        self._asked_at = float("-inf")
        self._reported: dict[str, tuple[float, float]] = {}  # The time of the last report, and of the edit, by `clock`
        self._unread: dict[str, float] = {}  # What `add` returned, which is the time of no look
        self._edited: dict[str, float] = {}  # The time of the last report of an edit that was not known
        self._trouble: str | None = ""  # None before the first answer
        kept = _read(file)
        self._known = frozenset(kept.get("ids", ()))
        self._token: str | None = kept.get("token")
        self._answered = float(kept.get("time", now()))
        self._older = self._answered, self._token

    def add(self, id: str) -> float:
        """Add a spreadsheet that is watched; return the time that counts as its last poll.

        A spreadsheet known to an earlier watcher is polled when its turn in the round comes, or a change is reported.
        """
        self._ids.setdefault(id, len(self._ids))
        self._unread[id] = self.clock() if id in self._known else float("-inf")
        return self._unread[id]

    def cause_to_poll(self, id: str, looked_at: float, wrote_at: float) -> str:
        """Return the cause to poll a spreadsheet, blank for none; query Drive first if the last answer is old.

        Drive is not asked while all of them can be looked at each interval. During the request, no other thread waits.

        Args:
            looked_at: The beginning of its last poll, by `clock`.
            wrote_at: The end of this program's last write to it.

        Returns:
            `poll` without Drive's answer, `reported` after an edit since the last poll, `typing` in the minutes after
            one until a write, `round` for the slow round.

        Raises:
            Interrupted: The program was asked to stop.
        """
        if not self.is_asked:
            return "poll"
        if self._lock.acquire(blocking=False):
            try:
                if self.clock() - self._asked_at >= self._interval / ASKED_S:
                    self._ask()
            finally:
                self._lock.release()
        is_due = self.clock() - looked_at >= 0.8 * self._interval
        if self._trouble:
            return "poll" if is_due else ""
        reported_at, edited_at = self._reported.get(id, (float("-inf"), float("-inf")))
        read_at = float("-inf") if looked_at == self._unread.get(id) else looked_at
        if edited_at > read_at - WRITTEN_S:
            if edited_at > wrote_at + WRITTEN_S:
                self._edited[id] = reported_at
            return "reported"
        if is_due and self._edited.get(id, float("-inf")) >= max(self.clock() - AFTER_S, wrote_at):
            return "typing"
        return "round" if looked_at < self._last_turn(id) else ""

    @property
    def is_asked(self) -> bool:
        """Return True if Drive is queried, since not every spreadsheet can be polled each interval."""
        return len(self._ids) > 1 and len(self._ids) * 60 / self._interval > self._requests

    def _last_turn(self, id: str) -> float:
        """Return the time of the last turn of a spreadsheet in the slow round.

        Turns are evenly spread whatever was polled when, so that no others wait while all are due at once.
        """
        round_s = min(ROUND_S, ROUND_SHARE * len(self._ids) * 60 / self._requests)
        place = self._ids[id] / len(self._ids)
        return self._began + (((self.clock() - self._began) / round_s - place) // 1 + place) * round_s

    def has_reported(self, id: str, since: float) -> bool:
        """Return True if a change was reported after a time by `clock`."""
        return self._reported.get(id, (float("-inf"),))[0] > since

    def _ask(self) -> None:
        """Query Drive for changes since the last answer; log a new failure, and its end."""
        self._asked_at = self.clock()
        try:
            self._token = self._follow(self._token) if self._token else self._begin()
        except Interrupted:
            raise
        except (WorkbookError, BadRequest) as error:
            if not self._trouble:
                LOGGER.warning("Drive does not say who changed, so each spreadsheet is looked at in turn: %s", error)
            self._trouble = str(error)
            return
        if self._trouble:
            LOGGER.info("Drive says again who changed.")
        self._trouble, self._answered = "", self._now()
        if self._answered - self._older[0] >= KEPT_S:
            self._keep()
            self._older = self._answered, self._token

    def _follow(self, token: str) -> str:
        """Note the changes since a page token; return the next token. A refused token is replaced."""
        fields = "newStartPageToken,nextPageToken,changes(fileId,file(modifiedTime))"
        for _ in range(MOST_PAGES):
            try:
                asked = {"pageToken": token, "pageSize": PAGE, "fields": fields, **ALL_DRIVES}
                page = self._api().drive("changes", ChangeList, asked)
            except BadRequest:
                break
            for change in page.get("changes", ()):
                self._note(change.get("fileId", ""), change.get("file", {}))
            if "newStartPageToken" in page:
                return str(page["newStartPageToken"])
            token = page.get("nextPageToken", token)
        return self._begin()

    def _begin(self) -> str:
        """Return a new page token, and note modifications since the last answer, which no token covers."""
        token = self._api().drive("changes/startPageToken", StartPageToken, ALL_DRIVES)["startPageToken"]
        since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._answered - KEPT_S))
        for file in files(self._api(), f"modifiedTime > '{since}'"):
            self._note(file["id"], file)
        return str(token)

    def _note(self, id: str, file: Mapping[str, Any]) -> None:
        """Note the report of a file; a file that is gone, or without a time, counts as modified now."""
        age, offset = 0.0, self._api().access.clock_offset_s
        with suppress(KeyError, ValueError):
            modified = datetime.fromisoformat(file["modifiedTime"]).timestamp()
            age = 0.0 if offset is None else max(time.time() - offset - modified, 0.0)
        self._reported[id] = self.clock(), self.clock() - age

    def _keep(self) -> None:
        """Write the older token for the next start; on a full disk, the next start reads everything."""
        time_, token = self._older
        with suppress(OSError):
            write_in_folder(self._file, json.dumps({"time": time_, "token": token, "ids": sorted(self._ids)}))


def files(api: Api, query: str = "trashed = false") -> Iterator[Mapping[str, Any]]:
    """Yield the spreadsheets that an account can read (files.list).

    Raises:
        WorkbookUnavailable: Drive cannot be asked; the text says why.
    """
    fields = "nextPageToken,files(id,modifiedTime,capabilities(canEdit))"
    asked: dict[str, Any] = {"q": f"{SPREADSHEETS} and {query}", "pageSize": PAGE, "fields": fields, **ALL_DRIVES}
    for _ in range(MOST_PAGES):
        page = api.drive("files", FileList, asked)
        yield from (file for file in page.get("files", ()) if "id" in file)
        if "nextPageToken" not in page:
            break
        asked["pageToken"] = page["nextPageToken"]


def _read(file: Path) -> Mapping[str, Any]:
    """Return the state of an earlier watcher; none if its file is missing or damaged."""
    with suppress(OSError, ValueError, RecursionError, LookupError, TypeError):
        kept = json.loads(file.read_bytes())
        ids = kept["ids"]
        if isinstance(kept["time"], int | float) and isinstance(kept["token"], str) and isinstance(ids, Collection):
            return {**kept, "ids": [id for id in ids if isinstance(id, str)]}
    return {}
