"""The end of the chain of receipts."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a chain of receipts (RCP-19): the number of the last one, and the digest of it and all before it."""

    seq: int = 0  # The number; 0 before the first receipt
    digest: str = ""  # 32 hexadecimal digits; blank if only the number is known

    def __str__(self) -> str:
        """Return `8-03f7c2...`, the published and typed form."""
        return f"{self.seq}-{self.digest}" if self.digest else str(self.seq)

    @classmethod
    def parse(cls, text: str) -> Head | None:
        """Return the head that a text spells as `str` does, None if it spells none."""
        number, _, digest = text.strip().partition("-")
        is_number = number.isascii() and number.isdecimal() and len(number) <= 15
        return cls(int(number), digest) if is_number and re.fullmatch("[0-9a-f]{0,32}", digest) else None


NO_RECEIPT = Head()
"""The head of a workbook without receipts."""
