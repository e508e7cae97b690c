"""Season secret and the seeds derived from it."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

from engine.columns import loosely


@dataclass(frozen=True, slots=True)
class Secret:
    """The season secret, without which seeds cannot be derived and variants of a request cannot be tried."""

    key: bytes

    def __repr__(self) -> str:
        """Return a representation without the key, since it may be logged."""
        return f"Secret(digest={self.digest!r})"

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the key, which is published in the workbook."""
        return hashlib.sha256(self.key).hexdigest()

    def seed(self, request: str, inputs: str, randomness: str = "") -> int:
        """Return the seed of 64 bits for a request, its serialised inputs, and the randomness of a round (LUCK-03)."""
        text = "\n".join((loosely(request), inputs, *([randomness] if randomness else [])))
        mac = hmac.new(self.key, text.encode(errors="surrogatepass"), hashlib.sha256)
        return int.from_bytes(mac.digest()[:8], "big")
