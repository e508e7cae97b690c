"""Report of an order: lines for the realm that gave it and a message for the other realm."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RealmReport:
    """Results of an order besides the changed records."""

    lines: tuple[tuple[str, str], ...]  # Pairs of label and text for the receipt, in order
    message: str = ""  # The message to the other realm; blank for none
    is_public: bool = False  # True if everybody may read the message (RL-OP-52)
    # The lines for the realm's report, if different from those of the receipt (RL-OP-55).
    realm_lines: tuple[tuple[str, str], ...] = ()
