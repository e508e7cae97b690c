"""Time as the client spends it: waits that a stop ends, and calls that neither a stop nor a silent server can hold."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from sheets_algo.workbook.base import WorkbookError

LONGEST_S = 64.0
"""The longest wait between two attempts."""

_LOOK_S = 0.1
_Found = TypeVar("_Found")


class Interrupted(WorkbookError):
    """The program was asked to stop while it waited for Google."""

    def __init__(self) -> None:
        super().__init__("Stopped while waiting for Google.")


def pause(seconds: float, stop: threading.Event | None) -> None:
    """Wait; a stop ends it at once.

    Raises:
        Interrupted: `stop` is set.
    """
    if stop is None:
        time.sleep(seconds)
    elif stop.wait(seconds):
        raise Interrupted


@dataclass(frozen=True, slots=True)
class Pace:
    """Clock, wait and chance, so that a test decides about all three.

    Args:
        now: Seconds on a clock that never goes back.
        wait: Waits a number of seconds, or raises Interrupted.
        chance: A number from 0 to 1.
    """

    now: Callable[[], float] = time.monotonic
    wait: Callable[[float, threading.Event | None], None] = pause
    chance: Callable[[], float] = random.random

    def backoff(self, attempt: int) -> float:
        """Seconds before the attempt after attempt number `attempt` (from 1): any up to 1, 2, 4 ... 64, all alike.

        Full jitter: programs that failed together do not come back together.
        """
        return self.chance() * min(2.0 ** (attempt - 1), LONGEST_S)


def within(call: Callable[[], _Found], seconds: float, stop: threading.Event | None, grace: float = 0) -> _Found:
    """What `call` returns, or raises, if it does so in time.

    The call runs in a thread of its own, which is left behind when time is up: a server that sends one byte a minute
    never runs into a socket's timeout.

    Args:
        call: A request.
        seconds: How long it may take.
        stop: Ends the wait.
        grace: Seconds that are left to the call after a stop.

    Raises:
        TimeoutError: It takes longer.
        Interrupted: `stop` was set, and the grace is over.
    """
    found: list[_Found] = []
    failed: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            found.append(call())
        except BaseException as error:  # handed to the caller, whatever it is
            failed.append(error)
        finally:
            done.set()

    threading.Thread(target=run, name="sheets-algo request", daemon=True).start()
    end = time.monotonic() + seconds
    while not done.wait(max(0.0, min(end - time.monotonic(), _LOOK_S if stop else seconds))):
        if stop is not None and stop.is_set() and not done.wait(grace):
            raise Interrupted
        if time.monotonic() >= end:
            raise TimeoutError
    if failed:
        raise failed[0]
    return found[0]
