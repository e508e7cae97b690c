"""BLS signatures on the curve BLS12-381, in group G1, as drand's scheme bls-unchained-g1-rfc9380 makes them (LUCK-05).

It uses the plain Python parts of py_ecc, which a browser runs too.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from typing import Any

from py_ecc.bls.hash_to_curve import hash_to_G1
from py_ecc.bls.point_compression import decompress_G1, decompress_G2
from py_ecc.bls.typing import G1Compressed, G2Compressed
from py_ecc.optimized_bls12_381 import (
    FQ12,
    G2,
    Z1,
    add,
    curve_order,
    final_exponentiate,
    is_inf,
    multiply,
    neg,
    pairing,
)

TAG = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
"""The domain separation tag of RFC 9380 for signatures in G1."""
WEIGHT_BYTES = 16
"""Bytes of the random weight of each signature in a batch: a forged one passes once in 2**128."""

Signed = tuple[bytes, bytes]
"""A message and the 48 bytes of its signature."""

KNOWN_MOST = 65_536
"""Maximum number of cached verdicts on signatures."""

_known: dict[tuple[bytes, Signed], bool] = {}
"""Verdicts on signatures: a season checks the same rounds repeatedly, each of which takes a second."""


def is_signature(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Return True if a signature of 48 bytes is that of a message under a public key of 96 bytes."""
    one = message, signature
    is_signed = _known.get((public_key, one))
    if is_signed is None:
        is_signed = _are_signed(public_key, [one])
        _note(public_key, [one], is_signed=is_signed)
    return is_signed


def check_together(public_key: bytes, signed: Sequence[Signed]) -> None:
    """Check many signatures at once, in a tenth of the time, and cache the verdicts for `is_signature`.

    Each has a weight that depends on all of them. If the sum is wrong, nothing is cached, and `is_signature` finds the
    wrong ones.
    """
    new = [one for one in dict.fromkeys(signed) if (public_key, one) not in _known]
    if len(new) > 1 and _are_signed(public_key, new):
        _note(public_key, new, is_signed=True)


def _note(public_key: bytes, signed: Sequence[Signed], *, is_signed: bool) -> None:
    if len(_known) > KNOWN_MOST:
        _known.clear()
    _known.update({(public_key, one): is_signed for one in signed})


def _are_signed(public_key: bytes, signed: Sequence[Signed]) -> bool:
    key = _key(public_key)
    points = [_point(signature) for _, signature in signed]
    if key is None or None in points:
        return False
    together = hashlib.sha256(public_key + b"".join(map(b"".join, signed))).digest()
    signatures, messages = Z1, Z1
    for place, ((message, _), point) in enumerate(zip(signed, points, strict=True)):
        digest = hashlib.sha256(together + place.to_bytes(8, "big")).digest()
        weight = int.from_bytes(digest[:WEIGHT_BYTES], "big") | 1
        signatures = add(signatures, multiply(point, weight))
        messages = add(messages, multiply(hash_to_G1(message, TAG, hashlib.sha256), weight))
    product = pairing(G2, signatures, final_exponentiate=False) * pairing(neg(key), messages, final_exponentiate=False)
    return bool(final_exponentiate(product) == FQ12.one())


def _point(signature: bytes) -> Any:
    """Return the point of group G1 of a signature, None if there is none."""
    try:
        point = decompress_G1(G1Compressed(int.from_bytes(signature, "big")))
    except ValueError:  # no point of the curve
        return None
    return None if is_inf(point) or not is_inf(multiply(point, curve_order)) else point


@functools.lru_cache(maxsize=16)
def _key(public_key: bytes) -> Any:
    """Return the point of group G2 of a public key, None if there is none."""
    halves = int.from_bytes(public_key[:48], "big"), int.from_bytes(public_key[48:], "big")
    try:
        point = decompress_G2(G2Compressed(halves))
    except ValueError:
        return None
    return None if is_inf(point) or not is_inf(multiply(point, curve_order)) else point
