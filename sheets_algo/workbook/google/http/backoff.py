"""The client's waits, which a stop ends, and calls that neither a stop nor a silent server can block."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from sheets_algo.workbook.errors import Interrupted

LONGEST_S = 64.0
"""The longest wait between two attempts, in seconds."""

_POLL_S = 0.1
_Result = TypeVar("_Result")


def pause(seconds: float, stop: threading.Event | None) -> None:
    """Wait for some seconds; a stop ends the wait at once.

    Raises:
        Interrupted: `stop` is set.
    """
    if stop is None:
        time.sleep(seconds)
    elif stop.wait(seconds):
        raise Interrupted


@dataclass(frozen=True, slots=True)
class Pace:
    """Clock, wait and random numbers, which a test can replace."""

    now: Callable[[], float] = time.monotonic  # The seconds on a clock that never goes back
    # A function that waits a number of seconds, or raises Interrupted.
    wait: Callable[[float, threading.Event | None], None] = pause
    chance: Callable[[], float] = random.random  # A function that returns a random number from 0 to 1

    def backoff(self, attempt: int) -> float:
        """Return the seconds before the next attempt: random, evenly spread from 0 to 1, 2, 4 ... 64.

        Full jitter: programs that failed together do not come back together.

        Args:
            attempt: The number of the attempt that failed, from 1.
        """
        return self.chance() * min(2.0 ** (attempt - 1), LONGEST_S)


def within(call: Callable[[], _Result], seconds: float, stop: threading.Event | None, grace: float = 0) -> _Result:
    """Return the result of `call`, or raise its error, if it ends in time.

    The call runs in a thread of its own, which is left behind when time is up: a server that sends one byte a minute
    never runs into a socket's timeout.

    Args:
        call: The function to call, which sends a request.
        seconds: The longest time that it may take.
        grace: The seconds that are left to the call after a stop.

    Raises:
        TimeoutError: The call takes longer.
        Interrupted: `stop` was set, and the grace is over.
    """
    results: list[_Result] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:  # handed to the caller, whatever it is
            errors.append(error)
        finally:
            done.set()

    threading.Thread(target=run, name="sheets-algo request", daemon=True).start()
    end = time.monotonic() + seconds
    while not done.wait(max(0.0, min(end - time.monotonic(), _POLL_S if stop else seconds))):
        if stop is not None and stop.is_set() and not done.wait(grace):
            raise Interrupted
        if time.monotonic() >= end:
            raise TimeoutError
    if errors:
        raise errors[0]
    return results[0]
