"""Rounds of a public randomness beacon: their times, and the check of their signatures (LUCK-01, LUCK-05).

A beacon signs the number of each round with a key that no single person holds. So a round is secret before its time,
and everybody can check it afterwards.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import import_module
from typing import Annotated

import msgspec

SCHEME = "bls-unchained-g1-rfc9380"
"""The beacon's name of the scheme of signatures that the program can check."""
SIGNATURE_BYTES = 48
"""Bytes of a signature: a compressed point on the curve BLS12-381, group G1."""
KEY_BYTES = 96
LATEST = 0
"""The number that requests the latest round."""
FAST_S = 86_400
"""Maximum lead of a beacon over the clock, in seconds: a clock may be wrong by a time zone."""
LAST_SECOND = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC).timestamp()
"""The last time that can be written as a date, in Unix seconds."""
UNCHECKED = "no signature can be checked, because the package py-ecc is missing or broken: install sheets-algo again"

Number = Annotated[int, msgspec.Meta(ge=1, le=2**63 - 1)]
"""The number of a round, from 1; a signature covers it as 8 bytes."""


def bytes_of(text: str, size: int) -> bytes | None:
    """Return a text of lower-case hexadecimal digits as bytes, None if it is not exactly so many bytes."""
    try:
        data = bytes.fromhex(text)
    except ValueError:
        return None
    return data if len(data) == size and data.hex() == text else None


class Chain(msgspec.Struct, frozen=True, kw_only=True):
    """A beacon's rounds, as announced before the first one; attributes have the beacon's names."""

    hash: str  # The SHA-256 that identifies the chain, in hexadecimal
    public_key: str  # The key that checks signatures: a compressed point of group G2, in hexadecimal
    genesis_time: int  # The time of round 1, in Unix seconds
    period: int  # The seconds from one round to the next

    def __post_init__(self) -> None:
        for name, size in (("hash", 32), ("public_key", KEY_BYTES)):
            if bytes_of(getattr(self, name), size) is None:
                raise ValueError(f"{name} is not {size} bytes in hexadecimal")
        if not (1 <= self.period <= FAST_S and 0 <= self.genesis_time <= LAST_SECOND):
            raise ValueError(f"period is not 1 to {FAST_S} seconds, or genesis_time is not a time in Unix seconds")

    def time_of(self, round: int) -> int:
        """Return the time of a round in Unix seconds."""
        return self.genesis_time + (round - 1) * self.period

    def round_from(self, seconds: float) -> int:
        """Return the first round at or after a time in Unix seconds."""
        return max(1, -int(-(seconds - self.genesis_time) // self.period) + 1)


QUICKNET = Chain(
    hash="52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    public_key=(
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
        "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
    ),
    genesis_time=1692803367,
    period=3,
)
"""The chain quicknet of drand, which about twenty organisations sign together."""


def beacon_name(chain: Chain) -> str:
    """Return the name of a beacon for people."""
    if chain == QUICKNET:
        return "the beacon drand quicknet"
    return f"the beacon {chain.hash[:12]}... (not drand quicknet)"


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """A round as published by a beacon."""

    round: Number  # The number
    signature: str  # The beacon's signature of the number, in hexadecimal
    randomness: str  # The SHA-256 of the signature, in hexadecimal

    def trouble(self, chain: Chain) -> str:
        """Return the reason why this is not a round of a chain, blank if none is apparent (LUCK-05).

        The signature is checked wherever the package py-ecc is.
        """
        signature = bytes_of(self.signature, SIGNATURE_BYTES)
        if signature is None:
            return f"the signature of round {self.round} is not {SIGNATURE_BYTES} bytes in hexadecimal"
        if hashlib.sha256(signature).hexdigest() != self.randomness:
            return f"the randomness of round {self.round} is not the SHA-256 of its signature"
        if is_signed(chain, self.round, signature) is False:
            return f"the signature of round {self.round} is not the beacon's"
        return ""


@dataclass(frozen=True, slots=True)
class Rounds:
    """The published rounds for a pass."""

    latest: Round | None = None  # Its latest round; None if no host gives one
    by_number: Mapping[int, Round] = field(default_factory=dict)  # The requested rounds that are published
    trouble: str = ""  # The reason for missing rounds, in a sentence; blank for none
    failed: tuple[str, ...] = ()  # The hosts that failed before another one answered, with the reasons


FetchRounds = Callable[[Chain, frozenset[int], float], Rounds]
"""Function that requests the latest round, and rounds by number, from a beacon at a time in Unix seconds."""


def no_beacon(chain: Chain, wanted: frozenset[int], now: float) -> Rounds:
    """Return no rounds, for a pass without a beacon."""
    return Rounds(trouble="no beacon can be asked here")


def can_check_signatures() -> bool:
    """Return True if the package that checks signatures works here."""
    depth = sys.getrecursionlimit()
    try:
        import_module("sheets_algo.ruling.luck.bls")  # takes half a second
    except ImportError:
        return False
    finally:
        sys.setrecursionlimit(depth)  # under py_ecc's limit deeply nested JSON would crash the process
    return True


def check_together(chain: Chain, rounds: Iterable[Round]) -> None:
    """Check the signatures of many rounds at once, so that `Round.trouble` knows them (LUCK-05)."""
    if not can_check_signatures():
        return
    from sheets_algo.ruling.luck import bls

    pairs = {round.round: bytes_of(round.signature, SIGNATURE_BYTES) for round in rounds}
    signed = [(_message(number), signature) for number, signature in pairs.items() if signature is not None]
    bls.check_together(bytes.fromhex(chain.public_key), signed)


def _message(round: int) -> bytes:
    """Return the signed message of a round."""
    return hashlib.sha256(round.to_bytes(8, "big")).digest()


def is_signed(chain: Chain, round: int, signature: bytes) -> bool | None:
    """Return True if a signature is the chain's for a round, None if no signature can be checked here."""
    if not can_check_signatures():
        return None
    from sheets_algo.ruling.luck import bls

    return bls.is_signature(bytes.fromhex(chain.public_key), _message(round), signature)


def unix_seconds(time: str) -> float:
    """Return a time in ISO 8601 in Unix seconds."""
    return datetime.fromisoformat(time).timestamp()


def clock_time(seconds: float) -> str:
    """Return Unix seconds as a date and time for people, UTC, at most the end of the year 9999."""
    return datetime.fromtimestamp(min(seconds, LAST_SECOND), UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
