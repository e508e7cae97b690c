"""A Dask cluster of processes on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from scripts.support.patience import wait_until

WITHOUT_THE_PROGRAM = "import sys; sys.modules['sheets_algo'] = sys.modules['engine'] = None; "
"""A name in `sys.modules` that is None cannot be imported: what Python itself offers for a missing package."""
TALLY = """
from distributed.diagnostics.plugin import SchedulerPlugin

class Tally(SchedulerPlugin):
    def transition(self, key, start, finish, *given, **named):
        if str(key).startswith("_chunk") and finish == "memory":
            with open("chunks", "a") as stream:
                stream.write(".")

def dask_setup(scheduler):
    scheduler.add_plugin(Tally())
"""
"""What Dask loads into the scheduler, so that a test sees how far it is."""


@dataclass(slots=True)
class DaskCluster:
    """A scheduler and its workers, each a process.

    Args:
        folder: For their files.
        caches: Where they find machine code.
    """

    folder: Path
    caches: str
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def starts(self, workers: int = 0, prelude: str = "") -> None:
        """Start the scheduler and workers; `prelude` is Python that every process runs first."""
        words = (
            "--port",
            "0",
            "--host",
            "127.0.0.1",
            "--scheduler-file",
            str(self._file),
            "--no-dashboard",
            "--preload",
            "tally.py",
        )
        (self.folder / "tally.py").write_text(TALLY, encoding="utf-8")
        self._begins("dask_scheduler", words, prelude)
        wait_until(self._is_written)
        for _ in range(workers):
            self.gains_a_worker(prelude)

    def gains_a_worker(self, prelude: str = "") -> subprocess.Popen[bytes]:
        """Start one more, of one thread, after Python's `prelude`."""
        words = ("--no-nanny", "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1", self.address)
        self._begins("dask_worker", words, prelude)
        return self.processes[-1]

    def _is_written(self) -> bool:
        """Tell whether the scheduler's file is there and whole; it appears before it is written."""
        return self._file.exists() and self._file.read_text(encoding="utf-8").rstrip().endswith("}")

    @property
    def address(self) -> str:
        """Of the scheduler."""
        return str(json.loads(self._file.read_text(encoding="utf-8"))["address"])

    @property
    def scheduler(self) -> subprocess.Popen[bytes]:
        """Its process."""
        return self.processes[0]

    @property
    def workers(self) -> list[subprocess.Popen[bytes]]:
        """Their processes."""
        return self.processes[1:]

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

    def _begins(self, what: str, words: tuple[str, ...], prelude: str) -> None:
        code = f"{prelude}from distributed.cli.{what} import main; main()"
        with (self.folder / f"{what}-{len(self.processes)}.log").open("wb") as log:
            self.processes.append(
                subprocess.Popen(
                    [sys.executable, "-c", code, *words],
                    cwd=self.folder,
                    env=os.environ | {"XDG_CACHE_HOME": self.caches},
                    stdout=log,
                    stderr=subprocess.STDOUT,
                )
            )


@contextmanager
def dask_cluster(folder: Path, caches: str) -> Iterator[DaskCluster]:
    """A cluster that is gone afterwards; nothing of it runs yet."""
    folder.mkdir()
    cluster = DaskCluster(folder, caches)
    try:
        yield cluster
    finally:
        for process in reversed(cluster.processes):
            process.kill()
            process.wait()
