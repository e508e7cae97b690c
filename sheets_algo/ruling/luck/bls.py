"""BLS signatures on the curve BLS12-381, in group G1, as drand's scheme bls-unchained-g1-rfc9380 makes them (LUCK-05).

The import fails in a browser, which has no py_ecc.
"""

from __future__ import annotations

import functools
import hashlib
from typing import Any

from py_ecc.bls.g2_primitives import subgroup_check
from py_ecc.bls.hash_to_curve import hash_to_G1
from py_ecc.bls.point_compression import decompress_G1, decompress_G2
from py_ecc.bls.typing import G1Compressed, G2Compressed
from py_ecc.optimized_bls12_381 import FQ12, G2, final_exponentiate, is_inf, neg, pairing

TAG = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
"""The domain separation tag of RFC 9380 for signatures in G1."""


@functools.lru_cache(maxsize=4096)  # a season asks for the same rounds again and again, and each takes half a second
def is_signature(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Return True if a signature of 48 bytes is that of a message under a public key of 96 bytes."""
    try:
        signed = decompress_G1(G1Compressed(int.from_bytes(signature, "big")))
    except ValueError:  # no point of the curve
        return False
    key = _key(public_key)
    if key is None or is_inf(signed) or not subgroup_check(signed):
        return False
    pairs = (G2, signed), (neg(key), hash_to_G1(message, TAG, hashlib.sha256))
    product = FQ12.one()
    for left, right in pairs:
        product *= pairing(left, right, final_exponentiate=False)
    return bool(final_exponentiate(product) == FQ12.one())


@functools.lru_cache(maxsize=16)
def _key(public_key: bytes) -> Any:
    """Return the point of group G2 that is a public key, None if there is none."""
    halves = int.from_bytes(public_key[:48], "big"), int.from_bytes(public_key[48:], "big")
    try:
        point = decompress_G2(G2Compressed(halves))
    except ValueError:
        return None
    return None if is_inf(point) or not subgroup_check(point) else point
