"""The luck of forecasts: a seed of their own, which tells nothing about the ruling's."""

from __future__ import annotations

import hashlib

from engine.fields import loosely


def forecast_seed(request: str, inputs: str) -> int:
    """64 bits for a request and its frozen inputs (FC-01).

    The season secret has no part in it, so anybody can work a forecast out again, and nobody who knows it knows more
    about the ruling than its odds.
    """
    digest = hashlib.sha256(f"forecast\n{loosely(request)}\n{inputs}".encode())
    return int.from_bytes(digest.digest()[:8], "big")
