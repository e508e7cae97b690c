"""Process that compiles the battles of a job for this machine, while another one lets Python fight them."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

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
    return 1 if job.get_ready() else 0


if __name__ == "__main__":
    sys.exit(main())
