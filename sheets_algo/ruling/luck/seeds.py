"""Season secret and the seeds derived from it."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

from engine.columns import folded


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

    def seed(self, request: str, inputs: str) -> int:
        """Return the seed of 64 bits for a request and its serialised inputs."""
        return _seed(self.key, f"{folded(request)}\n{inputs}")

    def key_of(self, request: str) -> str:
        """Return the key of a request in hexadecimal: its promise commits to it, its ruling reveals it (LUCK-11)."""
        text = folded(request).encode(errors="surrogatepass")
        return hmac.new(self.key, text, hashlib.sha256).hexdigest()


def commitment(key: str) -> str:
    """Return the SHA-256 of a request's key, the commitment of a promise; blank if it is not a key."""
    try:
        return hashlib.sha256(bytes.fromhex(key)).hexdigest() if key else ""
    except ValueError:
        return ""


def promised_seed(key: str, inputs: str, randomness: str) -> int:
    """Return the seed of 64 bits from a request's key, its promised inputs and a round (LUCK-11).

    Raises:
        ValueError: The key is not a text of hexadecimal digits.
    """
    return _seed(bytes.fromhex(key), f"{inputs}\n{randomness}")


def _seed(key: bytes, text: str) -> int:
    return int.from_bytes(hmac.new(key, text.encode(errors="surrogatepass"), hashlib.sha256).digest()[:8], "big")
