"""The rounds of a beacon with one key, in drand's scheme bls-unchained-g1-rfc9380."""

from __future__ import annotations

import functools
import hashlib
import struct
import sys
from dataclasses import dataclass
from typing import Any

DEPTH = sys.getrecursionlimit()

from py_ecc.bls.hash_to_curve import hash_to_G1  # noqa: E402
from py_ecc.bls.point_compression import compress_G1, compress_G2  # noqa: E402
from py_ecc.optimized_bls12_381 import G2, curve_order, multiply  # noqa: E402

sys.setrecursionlimit(DEPTH)  # py_ecc allows so many calls within calls that tests would end instead of failing

SCHEME = "bls-unchained-g1-rfc9380"
TAG = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"


@dataclass(frozen=True)
class SigningChain:
    """A chain whose key is known, so that its rounds can be made.

    Args:
        seed: The text that the key is made from.
        genesis_time: The time of round 1, in Unix seconds.
        period: The seconds from one round to the next.
        name: The name of the beacon.
    """

    seed: str = "a beacon for tests"
    genesis_time: int = 1_692_803_367
    period: int = 3
    name: str = "local"

    @property
    def _key(self) -> int:
        return int.from_bytes(hashlib.sha512(self.seed.encode()).digest(), "big") % int(curve_order)

    @functools.cached_property
    def public_key(self) -> bytes:
        """Return the public key, a compressed point of G2."""
        return b"".join(int(half).to_bytes(48, "big") for half in compress_G2(multiply(G2, self._key)))

    @property
    def group_hash(self) -> bytes:
        """Return the digest that stands for the members of the network."""
        return hashlib.sha256(self.seed.encode()).digest()

    @property
    def hash(self) -> str:
        """Return the hash by which the chain is called."""
        return chain_hash(self.period, self.genesis_time, self.public_key, self.group_hash, self.name)

    def info(self) -> dict[str, Any]:
        """Return the chain as a host describes it."""
        return {
            "public_key": self.public_key.hex(),
            "period": self.period,
            "genesis_time": self.genesis_time,
            "hash": self.hash,
            "groupHash": self.group_hash.hex(),
            "schemeID": SCHEME,
            "metadata": {"beaconID": self.name},
        }

    def latest(self, now: float) -> int:
        """Return the last round that is out at a time in Unix seconds, 0 before the first."""
        return max(0, int((now - self.genesis_time) // self.period) + 1)

    def signature(self, round: int) -> bytes:
        """Return the signature of a round."""
        return _signature(self._key, round)

    def round(self, number: int) -> dict[str, Any]:
        """Return a round as a host gives it."""
        return round_of(number, self.signature(number))


def round_of(number: int, signature: bytes) -> dict[str, Any]:
    """Return a round with any signature, and the randomness that belongs to it."""
    return {"round": number, "randomness": hashlib.sha256(signature).hexdigest(), "signature": signature.hex()}


def chain_hash(period: int, genesis_time: int, public_key: bytes, group_hash: bytes, name: str) -> str:
    """Return the hash of a chain, as drand computes it."""
    start = struct.pack(">Iq", period, genesis_time)
    return hashlib.sha256(start + public_key + group_hash + name.encode()).hexdigest()


@functools.lru_cache(maxsize=10_000)
def _signature(key: int, round: int) -> bytes:
    message = hashlib.sha256(round.to_bytes(8, "big")).digest()
    point = multiply(hash_to_G1(message, TAG, hashlib.sha256), key)
    return int(compress_G1(point)).to_bytes(48, "big")
