"""A Dask cluster of processes on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from scripts.support.patience import wait_until
from scripts.support.relay import Relay
from scripts.support.warm_start import WarmProcess

WITHOUT_THE_PROGRAM = "import sys; sys.modules['sheets_algo'] = sys.modules['engine'] = None; "
"""A name in `sys.modules` that is None cannot be imported: what Python itself offers for a missing package."""
TALLY = """
from distributed.diagnostics.plugin import SchedulerPlugin

class Tally(SchedulerPlugin):
    def transition(self, key, start, finish, *given, **named):
        if str(key).startswith("_chunk") and finish == "memory":
            with open("chunks", "a") as stream:
                stream.write(".")
        if finish == "processing" and (worker := self.scheduler.tasks[key].processing_on):
            with open("busy", "a") as stream:
                job = getattr(self.scheduler.tasks[key].run_spec.func, "__self__", "")
                stream.write(f"{worker.name} {job}\\n")

def dask_setup(scheduler):
    plugin = Tally()
    plugin.scheduler = scheduler
    scheduler.add_plugin(plugin)
"""
"""Module that Dask loads into the scheduler, so that a test sees how far it is, and who works."""


SCRIPT = Path(__file__).with_name("dask_process.py")

Process = WarmProcess | subprocess.Popen[bytes]


@dataclass(slots=True)
class DaskCluster:
    """A scheduler and its workers, each a process.

    Args:
        folder: For their files.
        caches: Where they find machine code.
        environment: What they are told beside that.
        service: The variable with the address of a server; if it is named, each worker reaches the server and the
            scheduler through relays of its own.
        address: The address of the scheduler, once it has started.
        links: The relays of each worker: to the scheduler, and to the server.
    """

    folder: Path
    caches: str
    environment: Mapping[str, str] = field(default_factory=dict)
    service: str = ""
    address: str = ""
    workers: list[Process] = field(default_factory=list)
    links: dict[Process, Sequence[Relay]] = field(default_factory=dict)
    scheduler: Process = field(init=False)
    _named: dict[str, Process] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def starts(self, workers: int = 0, prelude: str = "") -> None:
        """Start the scheduler and workers; `prelude` is Python that every process runs first.

        Once more, it starts a scheduler at the address of the one that was killed.
        """
        words = (
            "--port",
            self.address.rpartition(":")[2] or "0",
            "--host",
            "127.0.0.1",
            "--scheduler-file",
            str(self._file),
            "--no-dashboard",
            "--preload",
            "tally.py",
        )
        (self.folder / "tally.py").write_text(TALLY, encoding="utf-8")
        self._file.unlink(missing_ok=True)
        self.scheduler = self._begins("dask_scheduler", words, prelude)
        wait_until(self._is_written)
        self.address = str(json.loads(self._file.read_text(encoding="utf-8"))["address"])
        for _ in range(workers):
            self.gains_a_worker(prelude)

    def gains_a_worker(self, prelude: str = "", *options: str, environment: Mapping[str, str] | None = None) -> Process:
        """Start one more, of one thread, after Python's `prelude`, with options of `dask worker`."""
        name = f"worker-{len(self._named)}"
        words = ("--no-nanny", "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1", "--name", name, *options)
        address, more, links = self.address, dict(environment or {}), self.relays()
        if links:
            address, more[self.service] = (relay.url for relay in links)
        worker = self._named[name] = self._begins("dask_worker", (*words, address), prelude, more)
        self.workers.append(worker)
        self.links[worker] = links
        return worker

    def relays(self) -> Sequence[Relay]:
        """Return new relays to the scheduler and to the server, if one is named."""
        return [Relay(url) for url in (self.address, self.environment[self.service])] if self.service else []

    def busy(self, workbook: str = "") -> Process:
        """Return the worker that got work last, at a workbook if one is named."""
        lines = (self.folder / "busy").read_text(encoding="utf-8").splitlines()
        return self._named[next(line for line in reversed(lines) if workbook in line).split()[0]]

    def restore(self) -> None:
        """Start anew what has ended, at the same address, as systemd does. Safe between threads."""
        with self._lock:
            if self.scheduler.poll() is not None:
                self.starts()
            for worker in [worker for worker in self.workers if worker.poll() is not None]:
                self.workers.remove(worker)
                for relay in self.links.pop(worker):
                    relay.close()
                self.gains_a_worker()

    def _is_written(self) -> bool:
        """Tell whether the scheduler's file is there and whole; it appears before it is written."""
        return self._file.exists() and self._file.read_text(encoding="utf-8").rstrip().endswith("}")

    def fights_for(self, forecast: subprocess.Popen[str], chunks: int = 6) -> None:
        """Wait until its workers have fought some chunks of battles for a command that was just begun."""
        enough = self._chunks() + chunks

        def is_enough() -> bool:
            assert forecast.poll() is None, f"it has ended: {forecast.communicate()}"
            return self._chunks() >= enough

        wait_until(is_enough)

    def _chunks(self) -> int:
        file = self.folder / "chunks"
        return file.stat().st_size if file.exists() else 0

    @property
    def _file(self) -> Path:
        return self.folder / "scheduler.json"

    def _begins(
        self, what: str, words: Sequence[str], prelude: str, environment: Mapping[str, str] | None = None
    ) -> Process:
        log = self.folder / f"{what}-{len([*self.folder.glob('*.log')])}.log"
        more = os.environ | {"XDG_CACHE_HOME": self.caches, **self.environment, **(environment or {})}
        if not prelude:
            return WarmProcess([what, *words], self.folder, more, log, log, SCRIPT)
        code = f"{prelude}from distributed.cli.{what} import main; main()"
        with log.open("wb") as said:
            command = [sys.executable, "-c", code, *words]
            return subprocess.Popen(command, cwd=self.folder, env=more, stdout=said, stderr=subprocess.STDOUT)


@contextmanager
def dask_cluster(
    folder: Path, caches: str, environment: Mapping[str, str] | None = None, service: str = ""
) -> Iterator[DaskCluster]:
    """A cluster that is gone afterwards; nothing of it runs yet."""
    folder.mkdir()
    cluster = DaskCluster(folder, caches, environment or {}, service)
    try:
        yield cluster
    finally:
        for process in (*cluster.workers, *([cluster.scheduler] if hasattr(cluster, "scheduler") else [])):
            process.kill()
            process.wait()
