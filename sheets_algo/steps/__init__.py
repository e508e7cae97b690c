"""Steps: what a pass does besides the plain ruling, a folder each. None imports another."""

from __future__ import annotations

from sheets_algo.ruling.step import Step
from sheets_algo.steps.promises.step import PromiseStep

STEPS: tuple[type[Step], ...] = (PromiseStep,)
"""The steps, in the order in which a pass asks them; the only place that names them."""
