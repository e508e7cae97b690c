"""Budget of requests a minute, which leaves room for another program on the same account.

Google counts 60 reads and 60 writes a minute for each account, a batch as one, and gives no warning before it refuses.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Literal

from sheets_algo.workbook.google.http.backoff import Pace

Kind = Literal["read", "write"]

WINDOW_S = 60.0
PROBE_S = 10.0
"""The least time between two requests of a kind in the minute after Google refused one, in seconds."""
LEAST_KEPT = 4
"""The least share of which half is kept; of many workbooks most are idle, and those at work need all requests."""
AGAIN_S = 1.0
"""The seconds between checks for waiting requests of others, for a workbook that used up its own share."""


@dataclass(eq=False, slots=True)
class _Ticket:
    """A waiting request."""

    share: int


@dataclass(slots=True)
class _Account:
    """The limit of one kind of request: at most `limit` of an account in any minute, in `shares` equal shares."""

    limit: int
    shares: int = 1
    taken: deque[float] = field(default_factory=deque)
    taken_by: list[deque[float]] = field(init=False)
    queue: list[_Ticket] = field(default_factory=list)
    refused_until: float = float("-inf")
    next_probe: float = float("-inf")

    def __post_init__(self) -> None:
        self.taken_by = [deque() for _ in range(self.shares)]

    def grow(self, shares: int) -> None:
        """Divide the limit into more shares."""
        self.taken_by += [deque() for _ in range(len(self.taken_by), shares)]
        self.shares = len(self.taken_by)

    @property
    def due(self) -> int:
        """Return the requests a minute of one share; 0 where there are more shares than requests."""
        return self.limit // self.shares

    @property
    def kept(self) -> int:
        """Return the number of them that are never lent."""
        return self.due // 2 if self.due >= LEAST_KEPT else 0

    def wait(self, now: float, share: int, before: Sequence[_Ticket]) -> float:
        """Return the seconds until a request of a share may be allowed, 0 for now; tickets in `before` are older."""
        lacking, free = self._room(now)
        counts = [len(taken) for taken in self.taken_by]
        is_borrowing = counts[share] >= self.due
        before = [
            ticket
            for ticket in before
            if not lacking[ticket.share] and (is_borrowing or counts[ticket.share] < self.due)
        ]
        excess = 1 + len(before) - free  # requests of the last minute too many for this one
        allowed_at = now
        if not lacking[share]:
            if excess > 0:  # the requests of older tickets may not be counted yet
                allowed_at = self.taken[excess - 1] if excess <= len(self.taken) else now + WINDOW_S
            if is_borrowing and any(counts[ticket.share] < self.due for ticket in self.queue):
                allowed_at = max(allowed_at, now + AGAIN_S)
            if rank := self.due if is_borrowing else self.kept:
                allowed_at = min(allowed_at, self.taken_by[share][-rank])  # from then on it has priority
        if now < self.refused_until:
            allowed_at = max(allowed_at, min(self.next_probe + len(before) * PROBE_S, self.refused_until))
        return max(allowed_at - now, 0.0)

    def left(self, now: float, share: int) -> int:
        """Return the number of requests of a share that could be sent at once now."""
        if self.wait(now, share, self.queue):
            return 0
        lacking, free = self._room(now)
        return lacking[share] + max(free - len(self.queue), 0)

    def take(self, now: float, share: int) -> None:
        """Count an allowed request for one minute."""
        self.taken.append(now + WINDOW_S)
        self.taken_by[share].append(now + WINDOW_S)

    def leave(self, ticket: _Ticket) -> None:
        """Remove a request that no longer waits from the queue."""
        if ticket in self.queue:
            self.queue.remove(ticket)

    def _room(self, now: float) -> tuple[list[int], int]:
        """Return the number of requests that each share lacks of those kept for it, and the number free for all."""
        for taken in (self.taken, *self.taken_by):
            while taken and taken[0] <= now:
                taken.popleft()
        lacking = [max(0, self.kept - len(taken)) for taken in self.taken_by]
        return lacking, self.limit - len(self.taken) - sum(lacking)


class RequestBudget:
    """A limit of the requests of one account in any minute; safe between threads.

    Args:
        limit: The most reads a minute, and the most writes.
        elsewhere: A function that waits until other machines leave room for one request of a kind.

    Raises:
        ValueError: The limit is below 1.
    """

    def __init__(
        self, limit: int = 45, *, pace: Pace | None = None, elsewhere: Callable[[Kind], object] | None = None
    ) -> None:
        if limit < 1:
            raise ValueError("a budget allows at least one request a minute")
        self._elsewhere = elsewhere
        self._pace = pace or Pace()
        self._lock = threading.Lock()
        self._accounts: dict[Kind, _Account] = {"read": _Account(limit), "write": _Account(limit)}
        self._share = self._shares = 0

    def take(self, kind: Kind, stop: threading.Event | None = None) -> float:
        """Wait until one request is allowed, and count it.

        Returns:
            The seconds spent waiting.

        Raises:
            Interrupted: `stop` was set meanwhile.
            WorkbookUnavailable: Other machines cannot be asked.
        """
        waited, ticket = 0.0, _Ticket(self._share)
        try:
            while wait := self._claim(kind, ticket):
                self._pace.wait(wait, stop)
                waited += wait
        except BaseException:
            with self._lock:
                self._accounts[kind].leave(ticket)
            raise
        if self._elsewhere:
            began = self._pace.now()
            self._elsewhere(kind)
            waited += self._pace.now() - began
        return waited

    def wait(self, kind: Kind) -> float:
        """Return the seconds until a request may be allowed, 0 if it may be sent now."""
        with self._lock:
            account = self._accounts[kind]
            return account.wait(self._pace.now(), self._share, account.queue)

    def refused(self, kind: Kind) -> None:
        """Apply Google's own limit after a refusal (429): one request per 10 seconds until the minute is over."""
        with self._lock:
            now, account = self._pace.now(), self._accounts[kind]
            account.refused_until = now + WINDOW_S
            account.next_probe = now + self._probe()

    def share(self, parts: int) -> tuple[RequestBudget, ...]:
        """Divide the budget among several workbooks: equal shares, which are lent while they are not used.

        A second call adds shares to those of the first; all are smaller then.

        Half of a share of four requests or more, rounded down, is kept for its workbook; the rest goes to the first,
        but beyond its own share only while no other waits within its own. Unless Google refuses requests, and if no
        workbook sends two at a time, it is guaranteed that

        - all of them together never take more than the limit in any minute;
        - a workbook that took less than its kept half in the last minute does not wait;
        - one that took less than its share in the last minute waits a minute at most, and when it has waited a whole
          minute, the rest of its share is free;
        - with more workbooks than requests a minute, a request waits as many minutes as it takes to serve each
          workbook once.

        Reason: beyond a kept half, a request is allowed only if room remains for all kept halves and for older
        requests, so the kept halves are always available. While a workbook waits within its share, every other one
        takes at most the rest of its own share, and after a minute nothing older counts.
        """
        with self._lock:
            first = self._shares
            self._shares += parts
            for account in self._accounts.values():
                account.grow(self._shares)
        shares = []
        for number in range(first, first + parts):
            share = RequestBudget(pace=self._pace, elsewhere=self._elsewhere)
            share._lock, share._accounts, share._share = self._lock, self._accounts, number
            shares.append(share)
        return tuple(shares)

    @property
    def left(self) -> Mapping[Kind, int]:
        """Return the number of requests of each kind that could be sent at once now."""
        with self._lock:
            now = self._pace.now()
            return {kind: account.left(now, self._share) for kind, account in self._accounts.items()}

    def _claim(self, kind: Kind, ticket: _Ticket) -> float:
        """Count a request if it is allowed now and return 0, else queue it and return the seconds until it may be."""
        with self._lock:
            now, account = self._pace.now(), self._accounts[kind]
            before = list(takewhile(lambda other: other is not ticket, account.queue))
            wait = account.wait(now, self._share, before)
            if not wait:
                account.take(now, self._share)
                account.leave(ticket)
                if now < account.refused_until:
                    account.next_probe = now + self._probe()
            elif ticket not in account.queue:
                account.queue.append(ticket)
            return wait

    def _probe(self) -> float:
        return PROBE_S * (1 + self._pace.chance() / 2)
