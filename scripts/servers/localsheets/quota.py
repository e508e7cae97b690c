"""Quota of requests a minute, reset when the clock's minute is over; no limit by default."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from localsheets.clock import Clock
from localsheets.errors import ApiError

PROJECT = "project_number:106600000000"
LIMITED = {"read": ("Read", "read"), "write": ("Write", "write")}


@dataclass(frozen=True, slots=True)
class Limits:
    """Requests a minute, of one account and of all together."""

    read: int = 60
    write: int = 60
    project_read: int = 300
    project_write: int = 300


class Quota:
    """The counters of the present minute."""

    def __init__(self, clock: Clock, limits: Limits | None = None) -> None:
        self.clock = clock
        self.limits = limits
        self._minute = 0
        self._used: Counter[tuple[str, str]] = Counter()

    def forget(self) -> None:
        """Reset the counters of this minute."""
        self._used.clear()

    def take(self, kind: str, email: str) -> None:
        """Count one request.

        Raises:
            ApiError: 429 if the minute's limit is reached; the request is not counted.
        """
        if self.limits is None or kind not in LIMITED:
            return
        if (minute := int(self.clock.now() // 60)) != self._minute:
            self._minute = minute
            self._used.clear()
        account_limit, project_limit = getattr(self.limits, kind), getattr(self.limits, f"project_{kind}")
        if self._used[kind, email] >= account_limit:
            raise exhausted(kind, account_limit)
        if self._used[kind, ""] >= project_limit:
            raise exhausted(kind, project_limit, of_user=False)
        self._used[kind, email] += 1
        self._used[kind, ""] += 1


def exhausted(kind: str, limit: int, *, of_user: bool = True) -> ApiError:
    """Return Google's 429."""
    word, metric = LIMITED.get(kind, ("Read", "read"))
    name = f"{word} requests per minute" + (" per user" if of_user else "")
    message = (
        f"Quota exceeded for quota metric '{word} requests' and limit '{name}' of service 'sheets.googleapis.com' "
        f"for consumer '{PROJECT}'."
    )
    info = {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "RATE_LIMIT_EXCEEDED",
        "domain": "googleapis.com",
        "metadata": {
            "service": "sheets.googleapis.com",
            "consumer": PROJECT.replace("project_number:", "projects/"),
            "quota_metric": f"sheets.googleapis.com/{metric}_requests",
            "quota_limit": f"{word}RequestsPerMinutePer{'User' if of_user else 'Project'}",
            "quota_limit_value": str(limit),
            "quota_location": "global",
        },
    }
    return ApiError(429, "RESOURCE_EXHAUSTED", message, [info])
