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
"""Steps by which it gives way to other processes."""


def begin(job: Job) -> subprocess.Popen[bytes]:
    """Compile a job in another process, which goes on when this one ends, and return that process."""
    process = subprocess.Popen(
        [sys.executable, "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl+C is for the forecast
    )
    assert process.stdin is not None
    with process.stdin as pipe:
        pickle.dump(job, pipe)
    return process


def main() -> int:
    """Compile the job that is read from the standard input; return 1 if machine code cannot be had."""
    if hasattr(os, "nice"):
        os.nice(GENTLY)
    job: Job = pickle.load(sys.stdin.buffer)
    with alone():
        return 1 if job.get_ready() else 0


@contextmanager
def alone() -> Iterator[None]:
    """Wait until no other process compiles for this user account, so that what it made is loaded.

    Without `flock`, or a folder that can be written, nobody waits.
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
