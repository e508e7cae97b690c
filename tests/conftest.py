"""Searches look at the same examples in every run, so a change is judged by what it does; a budget looks further."""

import os

from hypothesis import settings

settings.register_profile("same", derandomize=True)
if "SHEETS_ALGO_BUDGET" not in os.environ:
    settings.load_profile("same")
