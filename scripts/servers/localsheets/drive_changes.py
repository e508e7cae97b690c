"""Drive v3: the changes that an account sees, and how they can be late, lost, repeated or behind an expired token."""

from __future__ import annotations

from typing import Any

from localsheets import drive_files as shown
from localsheets.calls import Answer, Call, Route
from localsheets.clock import written
from localsheets.drive_common import invalid, sized
from localsheets.drive_files import masked
from localsheets.oauth import Caller
from localsheets.store import Change, Store


class Changes:
    """The change log of each account: one entry a file, the last one, as Drive keeps it.

    Attributes:
        routes: The routes.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        base = "/drive/v3/changes"
        table = (("GET", base, self.changes), ("GET", f"{base}/startPageToken", self.start))
        self.routes = tuple(Route(method, pattern, "drive", handler) for method, pattern, handler in table)

    def start(self, call: Call, caller: Caller) -> Answer:
        """Answer changes.getStartPageToken."""
        said = {"kind": "drive#startPageToken", "startPageToken": str(self._end())}
        return Answer.of(masked(said, call.one("fields"), said))

    def changes(self, call: Call, caller: Caller) -> Answer:
        """Answer changes.list, oldest first. A file that the caller lost is `removed`."""
        token = call.one("pageToken") or ""
        if not token.isdecimal() or not self.store.weather.first <= int(token) <= self.store.last_change + 1:
            raise invalid("pageToken")
        end, size = self._end(), sized(call, 100, 1000)
        last = {id: change for id, noted in self.store.changes.items() for change in noted if change.number < end}
        seen = sorted(
            (change.number, id)
            for id, change in last.items()
            if int(token) <= change.number and caller.email in change.viewers
        )
        entries = [self._entry(id, last[id], caller) for _, id in seen[:size]]
        if (call.one("includeRemoved") or "true").lower() == "false":
            entries = [entry for entry in entries if not entry["removed"]]
        is_last = len(seen) <= size
        new = {"newStartPageToken": str(max(1, max(end, int(token)) - self.store.weather.again))}
        more = new if is_last else {"nextPageToken": str(seen[size][0])}
        said = {"kind": "drive#changeList", "changes": entries} | more
        return Answer.of(masked(said, call.one("fields"), said))

    def _end(self) -> int:
        """Return the number after the last change that is reported by now."""
        due = self.store.clock.now() - self.store.weather.late_s
        late = [change.number for noted in self.store.changes.values() for change in noted if change.time > due]
        return min(late, default=self.store.last_change + 1)

    def _entry(self, id: str, change: Change, caller: Caller) -> dict[str, Any]:
        """Return the entry of a file; `file` is left out if it is removed."""
        file = self.store.files.get(id)
        entry: dict[str, Any] = {"kind": "drive#change", "changeType": "file", "type": "file", "fileId": id}
        entry |= {"time": written(change.time), "removed": True}
        if file is None or file.role(caller.email) is None:
            return entry
        return entry | {"removed": False, "file": shown.resource(file, caller.email)}
