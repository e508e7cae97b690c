"""Programs that a test needs: without them it is skipped, or fails where they are required."""

from __future__ import annotations

import os

import pytest


def need(missing: str, variable: str) -> None:
    """Skip the test if something is missing.

    Args:
        missing: A sentence that names what is missing and how to get it; blank if it is there.
        variable: The environment variable by whose value `required` the test fails instead.
    """
    if missing:
        assert os.environ.get(variable) != "required", missing
        pytest.skip(missing)
