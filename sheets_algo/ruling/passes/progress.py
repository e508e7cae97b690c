"""Type of the callback for the progress of a long run."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, str, int], None]
"""Callback with the activity that begins (Ruling, Drawing), the request and the total number of requests."""
