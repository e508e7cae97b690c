"""Process that compiles the battles of a job for this machine, while another one lets Python fight them."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from sheets_algo.forecasts.machine_code import cache_folder
from sheets_algo.forecasts.serialise import Job

GENTLY = 10
"""Increase of the process's niceness."""


def begin(job: Job) -> subprocess.Popen[bytes]:
    """Compile a job in another process, which outlives this one, and return that process."""
    process = subprocess.Popen(
        [sys.executable, "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl+C must reach only the forecast
    )
    assert process.stdin is not None
    with process.stdin as pipe:
        pickle.dump(job, pipe)
    return process


def main() -> int:
    """Compile the job from standard input; return 1 if there is no compiler."""
    if hasattr(os, "nice"):
        os.nice(GENTLY)
    job: Job = pickle.load(sys.stdin.buffer)
    with alone():
        return 1 if job.get_ready() else 0


@contextmanager
def alone() -> Iterator[None]:
    """Wait until no other process compiles for this user account, so that its code is loaded instead.

    Without `flock`, or a writable folder, do not wait.
    """
    with ExitStack() as stack:
        with suppress(ImportError, OSError):
            import fcntl

            cache_folder().mkdir(parents=True, exist_ok=True)
            lock = stack.enter_context((cache_folder() / "lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    sys.exit(main())
