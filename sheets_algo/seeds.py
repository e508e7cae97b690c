"""The season secret, and the seeds that follow from it."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

from engine.fields import loosely


@dataclass(frozen=True, slots=True)
class Secret:
    """The season secret: who has it can derive every seed, who has not can try no variant."""

    key: bytes

    def __repr__(self) -> str:
        """Never the key: a repr ends in logs."""
        return f"Secret(digest={self.digest!r})"

    @property
    def digest(self) -> str:
        """SHA-256, printed in the workbook from the start."""
        return hashlib.sha256(self.key).hexdigest()

    def seed(self, request: str, inputs: str) -> int:
        """64 bits for a request and its frozen inputs."""
        mac = hmac.new(self.key, f"{loosely(request)}\n{inputs}".encode(errors="surrogatepass"), hashlib.sha256)
        return int.from_bytes(mac.digest()[:8], "big")
