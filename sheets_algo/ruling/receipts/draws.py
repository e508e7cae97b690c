"""The round of a beacon that a receipt names, and the beacon's name for people (LUCK-02)."""

from __future__ import annotations

import functools

import msgspec

from sheets_algo.ruling.luck.beacon import QUICKNET, Chain
from sheets_algo.ruling.luck.draw import DRAW, Draw
from sheets_algo.ruling.receipts.receipts import StoredReceipt


def draw_of(receipt: StoredReceipt | None) -> Draw | None:
    """Return the round that a promise or ruling names; None if it names none, or cannot be read."""
    try:
        return _decoded(receipt.seed_source) if receipt and receipt.seed_source.startswith("{") else None
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None


@functools.lru_cache(maxsize=8192)  # each ruling looks at the promises of the whole season
def _decoded(text: str) -> Draw:
    return DRAW.decode(text)


def beacon_name(chain: Chain) -> str:
    """Return the name of a beacon for people."""
    if chain == QUICKNET:
        return "the beacon drand quicknet"
    return f"the beacon {chain.hash[:12]}... (not drand quicknet)"
