"""The subscribers: functions called with the `PassResult` after each commit of `run` and `watch`."""

from __future__ import annotations

from functools import cache
from pkgutil import resolve_name

from sheets_algo.runtime.session.session import Subscriber

SUBSCRIBERS: tuple[str, ...] = (
    # "package.module:function",
)
"""The name of each subscriber."""


@cache
def subscribers() -> tuple[Subscriber, ...]:
    """Return the subscribers in the order of their calls."""
    return tuple(resolve_name(name) for name in SUBSCRIBERS)
