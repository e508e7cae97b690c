"""The number of examples of property tests: `SHEETS_ALGO_BUDGET=20 scripts/test` tries twenty times as many."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

BUDGET = float(os.environ.get("SHEETS_ALGO_BUDGET", "1"))
LAW = settings(deadline=None, max_examples=max(5, round(12 * BUDGET)), suppress_health_check=[HealthCheck.too_slow])
"""Settings for a law of whole rulings; no time limit for one example, since the machine may be busy."""
