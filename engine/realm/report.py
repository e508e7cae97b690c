"""What an order tells: lines for who gave it, and a message for the other realm."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Report:
    """What an order leads to beside the records.

    Args:
        lines: For the receipt, in order; label and text.
        message: What the other realm is told; blank: nothing.
    """

    lines: tuple[tuple[str, str], ...]
    message: str = ""
