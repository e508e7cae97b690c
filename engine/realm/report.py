"""Report of an order: lines for the realm that gave it and a message for the other realm."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RealmReport:
    """Results of an order besides the changed records.

    Args:
        lines: Pairs of label and text for the receipt, in order.
        message: The message to the other realm; blank for none.
        is_public: True if everybody may read the message (RL-OP-52).
        told: The lines for the realm's report, if they may not be those of the receipt (RL-OP-55).
    """

    lines: tuple[tuple[str, str], ...]
    message: str = ""
    is_public: bool = False
    told: tuple[tuple[str, str], ...] = ()
