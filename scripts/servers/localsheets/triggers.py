"""Triggers of scripted events: at the k-th request from now that matches."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from localsheets.calls import Kind

KINDS = ("read", "write", "drive", "token", "other", "any")


@dataclass(slots=True, kw_only=True)
class Seen:
    """One request as the log shows it.

    Attributes:
        n: The request's number since the server started, from 1, without control requests.
        time: The server's time in Unix seconds.
        pattern: The pattern of its route, None for an unknown path.
        fault: The name of the fault that it got.
        late: The number of the request after which it was applied, if late.
    """

    n: int
    time: float
    kind: Kind
    method: str
    path: str
    pattern: str | None
    caller: str | None = None
    status: int | None = None
    fault: str | None = None
    late: int | None = None
    bytes_in: int = 0
    bytes_out: int = 0


@dataclass(slots=True, kw_only=True)
class Trigger:
    """A condition that counts matching requests and selects some of them.

    Attributes:
        match: A kind of request, "any", or a regular expression searched in `POST /v4/spreadsheets/…:batchUpdate`.
        at: Selects the k-th that matches; with `times`, that many from there on.
        every: Selects each k-th.
        probability: Selects each with this probability, drawn from `seed`.
        times: The most selections; None without end.
    """

    match: str = "any"
    at: int | None = None
    every: int | None = None
    probability: float | None = None
    seed: int = 0
    times: int | None = None
    seen: int = 0
    fired: int = 0
    _rng: random.Random = field(default_factory=random.Random)

    @classmethod
    def of(cls, asked: Mapping[str, Any]) -> Trigger:
        """Return the trigger of a control request; without `at`, `every` and `probability` it selects the next request.

        Raises:
            ValueError: A field has a wrong value.
        """
        ways = [name for name in ("at", "every", "probability") if asked.get(name) is not None]
        if len(ways) > 1:
            raise ValueError(f"{' and '.join(ways)} exclude each other; give one")
        way = ways[0] if ways else "at"
        given = asked.get(way, 1)
        if way == "probability":
            if not 0 <= given <= 1:
                raise ValueError(f"probability is {given}; give 0 to 1")
        elif not isinstance(given, int) or given < 1:
            raise ValueError(f"{way} is {given!r}; give 1 or more")
        match = asked.get("match", "any")
        try:
            re.compile(match)
        except re.error as error:
            raise ValueError(f"match is {match!r}: {error}; give one of {', '.join(KINDS)} or a pattern") from error
        seed = int(asked.get("seed", 0))
        times = asked.get("times", 1 if way == "at" else None)
        found = cls(match=match, seed=seed, times=times, _rng=random.Random(seed))
        setattr(found, way, given)
        return found

    @property
    def is_over(self) -> bool:
        """Return True if it can never fire again."""
        return self.times is not None and self.fired >= self.times

    def fires(self, request: Seen) -> bool:
        """Count the request; return True if it is selected."""
        if not self._matches(request):
            return False
        self.seen += 1
        if self.is_over:
            return False
        if self.at is not None:
            is_selected = self.seen >= self.at
        elif self.every is not None:
            is_selected = self.seen % self.every == 0
        else:
            is_selected = self._rng.random() < (self.probability or 0)
        self.fired += is_selected
        return is_selected

    def _matches(self, request: Seen) -> bool:
        if self.match in KINDS:
            return self.match in ("any", request.kind)
        return re.search(self.match, f"{request.method} {request.path}") is not None
