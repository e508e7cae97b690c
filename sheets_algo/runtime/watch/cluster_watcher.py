"""Watchers whose passes are run by the workers of a Dask cluster (`[cluster]` extra).

The workbook is the only queue: a pass that is lost with its worker leaves its work there for the next poll.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Any

from sheets_algo.forecasts.cluster import Cluster, connect
from sheets_algo.forecasts.sampling import WorkerLost
from sheets_algo.runtime.watch.cluster_pass import Opener, PassJob, RemoteAnswer
from sheets_algo.runtime.watch.look import Failure, Look
from sheets_algo.runtime.watch.watcher import Watcher

KEPT_S = 600.0
"""Seconds for which one worker serves a workbook; after that it would read everything again anyway."""
AGAIN_S = 5.0
"""Pause in seconds after a failed attempt to reach the scheduler."""


class ClusterLink:
    """The connection of a program's watchers to a scheduler, renewed after a loss. Thread-safe.

    Args:
        address: The address of the scheduler: `tcp://host:8786`.
        opens: The function with which workers open a workbook.
    """

    def __init__(self, address: str, opens: Opener) -> None:
        self.opens = opens
        self._address = address
        self._lock = threading.Lock()
        self._cluster: Cluster | None = None
        self._trouble, self._tried_at = "", float("-inf")

    def connect(self) -> Cluster:
        """Return the cluster.

        Raises:
            BadEdit: Dask is not installed here, or the address is invalid.
            WorkerLost: Its scheduler does not answer now.
        """
        with self._lock:
            if self._cluster is None or self._cluster.is_closed:
                if time.monotonic() - self._tried_at < AGAIN_S:
                    raise WorkerLost(self._trouble)
                try:
                    self._cluster = connect(self._address)
                except WorkerLost as lost:
                    self._trouble, self._tried_at = str(lost), time.monotonic()
                    raise
            return self._cluster


@dataclass(kw_only=True)
class ClusterWatcher(Watcher):
    """Watcher of one workbook that polls it by workers."""

    link: ClusterLink

    def __post_init__(self) -> None:
        super().__post_init__()
        self._job = PassJob(self.ref.session.workbook.url, self.link.opens)
        self._worker, self._chosen_at = "", float("-inf")

    def find(self, *, is_quiet: bool) -> Look | Failure | None:
        """Let a worker poll, unless the store reports no change.

        Raises:
            WorkerLost: There is none.
        """
        workbook, began = self.ref.session.workbook, self.clock()
        if is_quiet and workbook.is_unchanged():
            return None
        answer = self._ask(self._job.look, self.state.known, is_quiet and self.tally.state == "well")
        if answer.seen:
            workbook.note_remote(answer.seen, self.clock() - began)
        found = answer.found
        if isinstance(found, Look):
            self.note(found)
            self.state.known = found.known
            for subscriber in self.ref.session.on_committed if found.is_written else ():
                subscriber(found)
        return found

    def work(self, end: float) -> bool:
        """Return False: a worker computes forecasts at the end of its polls."""
        return False

    def _ask(self, call: Any, *arguments: Any) -> RemoteAnswer:
        cluster, is_new = self.link.connect(), self.clock() - self._chosen_at > KEPT_S
        worker = "" if is_new else self._worker
        answer: RemoteAnswer = cluster.call(call, *arguments, resource=self.ref.key, worker=worker)
        if is_new or answer.worker != worker:
            self._worker, self._chosen_at = answer.worker, self.clock()
        return answer
