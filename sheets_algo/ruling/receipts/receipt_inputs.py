"""Inputs of the receipts that are not rulings: of a season, of accepted losses and of orders that players sent."""

from __future__ import annotations

import msgspec

from engine.receipt import SeasonOptions

PROTOCOL = 1
"""Version of the way in which receipts are kept, which a season names."""

PROTOCOL_RELEASE = "0.2"
"""The first release of sheets-algo that knows this version."""


class SeasonVersions(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The versions under which a season was begun, part of the Inputs of its row (RCP-17)."""

    protocol: int = 1  # The version of the way in which receipts are kept; an older program rules nothing
    needs: str = ""  # The first release that knows it
    rules: dict[str, int] = {}  # The version of the rules of each form, by its key
    # Where the tables differed from the release, by ruleset, in sentences (SET-06).
    differs: dict[str, tuple[str, ...]] = {}


class _Columns(msgspec.Struct):
    """Inputs of a receipt that lists the optional columns of a workbook."""

    columns: dict[str, tuple[str, ...]] = {}


Run = tuple[int, int]
"""Consecutive numbers of receipts: the first and the last."""


class GivenUp(msgspec.Struct, frozen=True):
    """Inputs of a receipt of kind Restore."""

    missing: tuple[Run, ...] = ()  # The numbers of receipts that are gone, in runs
    changed: tuple[int, ...] = ()  # The numbers of receipts that are not as they were written
    heads: tuple[str, ...] = ()  # The heads that were noted elsewhere and are contradicted, as text
    wars: tuple[str, ...] = ()  # What is known of the rulings that are gone, a text each


class SentOrder(msgspec.Struct, frozen=True):
    """An order as a player sent it."""

    key: str  # An identity that no other order ever has
    cells: dict[str, str]  # The cells that decide its ruling, by header, as `Figures.cells`


class Sealed(msgspec.Struct, frozen=True):
    """Inputs of a receipt of kind Orders (TRN-12)."""

    turn: int = 0
    deadline: str = ""  # The deadline at which they were sealed; if that is moved, the turn is open again
    players: tuple[str, ...] = ()  # Whose orders of the turn are complete: what they send later is for the next one
    orders: dict[str, SentOrder] = {}  # The orders by the ids of their requests
    again: tuple[str, ...] = ()  # The keys of orders that say the same as another one

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the keys of all orders that are settled by it."""
        return (*(order.key for order in self.orders.values()), *self.again)


LISTING_COLUMNS = ("Season", "Columns")
"""Kinds of receipts that list columns."""

SEASON = msgspec.json.Decoder(SeasonOptions)
COLUMNS = msgspec.json.Decoder(_Columns)
GIVEN_UP = msgspec.json.Decoder(GivenUp)
SEALED = msgspec.json.Decoder(Sealed)
VERSIONS = msgspec.json.Decoder(SeasonVersions)
"""Decoders; created during the import, since threads that first decode into a class at once can end the process."""
