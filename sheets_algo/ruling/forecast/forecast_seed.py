"""Seeds of forecasts, which are independent of the seeds of rulings."""

from __future__ import annotations

import hashlib

from engine.columns import folded


def forecast_seed(request: str, inputs: str) -> int:
    """Return a seed of 64 bits for a request and its serialised inputs (FC-01).

    The seed does not depend on the season secret, so everybody can repeat a forecast, and a forecast reveals nothing
    about the ruling but its odds.
    """
    digest = hashlib.sha256(f"forecast\n{folded(request)}\n{inputs}".encode())
    return int.from_bytes(digest.digest()[:8], "big")
