"""Process that compiles the battles of a job for this machine, while another one lets Python fight them."""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
from contextlib import suppress

from sheets_algo.forecasts.serialise import Job

GENTLY = 10
"""Increase of the process's niceness."""


def begin(job: Job, *, gently: bool = True) -> subprocess.Popen[bytes]:
    """Compile a job in another process, which outlives this one, and return that process.

    Args:
        gently: True to leave the processor to the battles that Python fights meanwhile.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", __name__, str(GENTLY if gently else 0)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl+C must reach only the forecast
    )
    assert process.stdin is not None
    with suppress(BrokenPipeError), process.stdin as pipe:  # a process that has died says so by its exit code
        pickle.dump(job, pipe)
    return process


def main() -> int:
    """Compile the job from standard input; return 1 if there is no compiler."""
    gc.disable()  # little of what a compiler makes is garbage
    if hasattr(os, "nice"):
        os.nice(int(sys.argv[1]))
    job: Job = pickle.load(sys.stdin.buffer)
    return 1 if job.get_ready() else 0


if __name__ == "__main__":
    os._exit(main())  # freeing each object of the compiler would take a second
