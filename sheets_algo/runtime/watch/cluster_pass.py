"""Passes on a worker of a Dask cluster (`[cluster]` extra), which reads settings, credentials and secrets itself."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sheets_algo.forecasts.queue import SLICE
from sheets_algo.forecasts.serialise import RULES, RulesMismatch
from sheets_algo.runtime.locate import WorkbookRef
from sheets_algo.runtime.watch.look import Failure, Look
from sheets_algo.runtime.watch.watcher import Watcher
from sheets_algo.workbook.errors import WorkbookLocked, WorkbookUnavailable
from sheets_algo.workbook.store import RemoteLook

MINUTE_S = 60.0
BUSY = "Another worker is busy with it, or was and is silent now: it is asked for again."

Opener = Callable[[str, Callable[[str, int, str], object]], WorkbookRef]
"""Opens a workbook by its address with the settings of this machine, and with the limit of requests of the cluster."""


@dataclass(frozen=True, slots=True)
class RemoteAnswer:
    """A worker's answer about a workbook."""

    found: Look | Failure | None  # As of `Watcher.find`
    worker: str  # The address of the worker
    seen: RemoteLook | None = None  # The worker's knowledge of the workbook


@dataclass(frozen=True, slots=True)
class PassJob:
    """A job of a watcher for a worker, without credentials or data that must not be lost."""

    address: str  # The address of the workbook, as typed
    opens: Opener  # A function, sent by name
    rules: str = RULES  # The sender's `RULES`

    def look(self, known: Mapping[str, str] | None, is_quiet: bool) -> RemoteAnswer:
        """Poll the workbook, run a pass over it, and compute forecasts for a slice of time.

        Args:
            known: The digests of the last poll (`PassFindings.known`).
            is_quiet: As of `Watcher.find`.

        Raises:
            RulesMismatch: The rules here are not the sender's.
        """
        from distributed import get_worker

        if self.rules != RULES:
            raise RulesMismatch
        worker = get_worker().address
        try:
            with self._kept() as watcher:
                watcher.state.known = known
                # The last write may come from a poll whose answer was lost.
                found = watcher.find(is_quiet=is_quiet and watcher.is_quiet)
                watcher.work(watcher.clock() + SLICE)
            workbook = watcher.ref.session.workbook
            return RemoteAnswer(found, worker, RemoteLook(workbook.name, workbook.requests, workbook.reads_left))
        except Exception as error:
            return RemoteAnswer(Failure.of(error), worker)

    @contextmanager
    def _kept(self) -> Iterator[Watcher]:
        """Yield the workbook opened by this process, and lock it against other workers meanwhile.

        The lock is the scheduler's and saves requests. It lapses after half a minute of silence, although its holder
        may continue later: then the guard in the workbook decides.

        Raises:
            WorkbookLocked: Another worker has it.
        """
        from distributed import Lock

        with _opening:
            if self.address not in _kept:
                watcher = Watcher(self.opens(self.address, take_lease), 0.0, threading.Event())
                _kept[self.address] = watcher, Lock(f"sheets-algo {self.address}")
            watcher, lock = _kept[self.address]
        if not lock.acquire(blocking=False):
            raise WorkbookLocked(BUSY)
        try:
            yield watcher
        finally:
            lock.release()


_kept: dict[str, tuple[Watcher, Any]] = {}
_semaphores: dict[str, Any] = {}
_opening = threading.Lock()


def take_lease(account: str, limit: int, kind: str) -> None:
    """Wait until the cluster leaves room for one request of an account, and count it for a minute.

    Raises:
        WorkbookUnavailable: The scheduler does not answer.
    """
    from distributed import Semaphore

    name = f"sheets-algo {account} {kind} {limit}"
    try:
        semaphore = _semaphores.get(name) or _semaphores.setdefault(name, Semaphore(limit, name))
        semaphore.acquire()
        semaphore.loop.add_callback(semaphore.loop.call_later, MINUTE_S, semaphore.release)
    except OSError as error:
        raise WorkbookUnavailable("The scheduler of the cluster does not answer; nothing was sent.") from error
