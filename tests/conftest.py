"""Searches look at the same examples in every run, so a change is judged by what it does; a budget looks further."""

import gc
import os

from hypothesis import HealthCheck, settings

# A busy machine is slow to make up a war; that says nothing about the war.
settings.register_profile("same", derandomize=True, suppress_health_check=[HealthCheck.too_slow])
if "SHEETS_ALGO_BUDGET" not in os.environ:
    settings.load_profile("same")


def pytest_collectstart() -> None:
    """Search for no garbage while ten thousand tests are collected: there is none."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Leave all tests and imported modules out of later searches."""
    gc.freeze()
    gc.enable()
