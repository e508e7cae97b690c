"""A beacon on this machine, and the clock that it shares with the passes that ask it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec
from localbeacon.chain import SigningChain
from localbeacon.server import LocalBeacon

from sheets_algo.ruling.luck.beacon import Chain

CHAIN = SigningChain(period=30)
BEGIN = CHAIN.genesis_time + 3_000_000.0
"""The time at which tests begin, in Unix seconds; round 100,001 is just out."""


@dataclass
class Clock:
    """A time that moves when it is told to."""

    seconds: float = BEGIN

    def now(self) -> float:
        return self.seconds

    def read(self) -> datetime:
        return datetime.fromtimestamp(self.seconds, UTC)


def chain() -> Chain:
    """Return the rounds as the program knows them."""
    return msgspec.convert(CHAIN.info(), Chain)


@contextmanager
def beacons(clock: Clock, *faults: str) -> Iterator[list[LocalBeacon]]:
    """Run a host of the beacon for each fault, blank for a sound one."""
    hosts = [LocalBeacon(CHAIN, clock.now, fault, silence_s=5) for fault in faults]
    for host in hosts:
        host.__enter__()
    try:
        yield hosts
    finally:
        for host in hosts:
            host.__exit__()
