"""The columns of the tabs Receipts and Log, and the content of Inputs in receipts that are not rulings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import msgspec

from engine.columns import ColumnPlace, Kind, TabDeclaration, loosely, result
from engine.receipt import SeasonOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptRow:
    """One row of the Receipts tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Receipts", about="The rulings, for good. Only the program writes here.", program_only=True
    )

    seq: int = result("Seq", "RCP-01", "Number of the receipt, counted up.", kind=Kind.WHOLE)
    part: int = result("Part", "RCP-02", "1; a receipt longer than a cell goes on in part 2.", kind=Kind.WHOLE)
    kind: str = result(
        "Kind",
        "RCP-03",
        "Ruling, Undo, Season (the digest of the season secret), Rules (another version of the rules is accepted),"
        " Edits (cells that people have changed after rulings are accepted), Columns (the optional columns that the"
        " workbook has are accepted), Promise (a round of a beacon that will decide a request), Restore (receipts that"
        " are gone or were changed are given up) or Fork (a copy is a game of its own from here on).",
    )
    request: str = result("Request", "RCP-04", "The request that was ruled.")
    war: str = result("War", "RCP-05", "Title of the receipt.")
    ruleset: str = result("Ruleset", "RCP-06", "By which rules.")
    winner: str = result("Winner", "RCP-07", "Attacker, Defender or blank.")
    receipt: str = result("Receipt", "RCP-08", "Wiki markup, ready to post.")
    seed: str = result("Seed", "RCP-09", "The seed of every draw of luck.")
    seed_source: str = result(
        "Seed Source",
        "RCP-16",
        "season: drawn from the season secret; given: typed; else the round of the beacon, its signature and"
        " randomness, and the numbers of the promises.",
    )
    inputs_fingerprint: str = result(
        "Inputs Fingerprint", "RCP-10", "SHA-256 of the inputs, and of the decisions if any."
    )
    rules_fingerprint: str = result("Rules Fingerprint", "RCP-11", "SHA-256 of the ruleset's tables.")
    rules_version: int = result("Rules Version", "RCP-17", "The version of the ruleset's rules.", kind=Kind.WHOLE)
    changes: str = result("Changes", "RCP-12", "Database cells changed: tab, row, field, before, after.")
    inputs: str = result("Inputs", "RCP-13", "The inputs as they were, for verify and replay.")
    figures: str = result("Figures", "RCP-14", "What the program's columns of the request show.")
    time: str = result("Time", "RCP-15", "When, UTC.", place=ColumnPlace.LAST)
    overrides: str = result(
        "Overrides",
        "RCP-18",
        "Moderators' decisions about the ruling, with reason and author, if any.",
        place=ColumnPlace.LAST,
    )
    previous: str = result(
        "Previous",
        "RCP-19",
        "The digest of the receipt before, so that none can be removed, changed or put in between.",
        place=ColumnPlace.LAST,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRow:
    """One row of the Log tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Log", about="What happened in every ruling, line by line.", program_only=True
    )

    seq: int = result("Seq", "RCP-20", "The receipt it belongs to.", kind=Kind.WHOLE)
    request: str = result("Request", "RCP-21", "The request.")
    hour: int = result("Hour", "RCP-22", "Hours since the battle began.", kind=Kind.WHOLE)
    side: str = result("Side", "RCP-23", "Attacker or Defender.")
    flank: str = result("Flank", "RCP-24", "The flank it happened to.")
    event: str = result("Event", "RCP-25", "What kind of event.")
    amount: float = result("Amount", "RCP-26", "Men, ships or points.", kind=Kind.NUMBER)
    rule: str = result("Rule", "RCP-27", "The rule behind it.")
    text: str = result("Text", "RCP-28", "What happened, in words.")


PROTOCOL = 1
"""Version of the format of receipts, which a season names."""

PROTOCOL_RELEASE = "0.2"
"""The first release of sheets-algo that knows this version."""


class SeasonVersions(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The versions at the beginning of a season, part of the Inputs of its row (RCP-17)."""

    protocol: int = 1  # The version of the format of receipts; an older program rules nothing
    needs: str = ""  # The first release that knows it
    rules: dict[str, int] = {}  # The version of the rules of each form, by its key
    # The differences of the tables from the release, by ruleset, in sentences (SET-06).
    differs: dict[str, tuple[str, ...]] = {}


class Lineage(msgspec.Struct, frozen=True, omit_defaults=True):
    """The workbook that receipts are of, part of the Inputs of a Season row and those of a receipt of kind Fork."""

    lineage: str = ""  # The address of a spreadsheet, or a random word for a file; blank if the season is older
    copy_of: str = ""  # The same of the workbook that it was copied from; blank in a Season row
    head: str = ""  # The head of the receipts that both share; blank in a Season row


class _Columns(msgspec.Struct):
    """Inputs of a receipt that lists the optional columns of a workbook."""

    columns: dict[str, tuple[str, ...]] = {}


Run = tuple[int, int]
"""Consecutive numbers of receipts: the first and the last."""


class GivenUp(msgspec.Struct, frozen=True):
    """Inputs of a receipt of kind Restore."""

    missing: tuple[Run, ...] = ()  # The numbers of lost receipts, in runs
    changed: tuple[int, ...] = ()  # The numbers of changed receipts
    heads: tuple[str, ...] = ()  # The contradicted heads noted elsewhere, as text
    wars: tuple[str, ...] = ()  # The traces of lost rulings, a text each


class SentOrder(msgspec.Struct, frozen=True):
    """An order sent by a player."""

    key: str  # Its unique identity
    cells: dict[str, str]  # The cells that decide its ruling, by header, as `Figures.cells`


class Sealed(msgspec.Struct, frozen=True):
    """Inputs of a receipt of kind Orders (TRN-12)."""

    turn: int = 0
    deadline: str = ""  # The deadline at which they were sealed; a later deadline reopens the turn
    players: tuple[str, ...] = ()  # The players whose orders of the turn are complete: later ones are for the next turn
    orders: dict[str, SentOrder] = {}  # The orders by the ids of their requests
    again: tuple[str, ...] = ()  # The keys of duplicate orders

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the keys of all orders that are settled by it."""
        return (*(order.key for order in self.orders.values()), *self.again)


NAMED = 3
"""Maximum number of nations of a side that a standing names."""


class Membership(msgspec.Struct, frozen=True, omit_defaults=True):
    """A nation on a side of a war of several battles."""

    name: str
    since: int | None = None  # Its first year there; None from the beginning
    until: int | None = None  # Its last year there; None to the end

    @property
    def years(self) -> str:
        """Return its years there, `until 1452`; blank from the beginning to the end."""
        years = (
            f"from {self.since}" if self.since is not None else "",
            f"until {self.until}" if self.until is not None else "",
        )
        return " ".join(filter(None, years))

    @property
    def text(self) -> str:
        """Return the name with the years, `Rivan (until 1452)`."""
        return f"{self.name} ({self.years})" if self.years else self.name

    def is_in(self, year: int | None) -> bool:
        """Return True if it is a member in a year; True for an unknown year."""
        after = year is None or self.since is None or self.since <= year
        return after and (year is None or self.until is None or year <= self.until)

    def meets(self, other: Membership) -> bool:
        """Return True if a nation is on two sides in one year."""
        begins = [each.since for each in (self, other) if each.since is not None]
        ends = [each.until for each in (self, other) if each.until is not None]
        return loosely(self.name) == loosely(other.name) and not (begins and ends and max(begins) > min(ends))


class WarSides(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Inputs of a receipt of kind Sides: a row of the tab Wars (WRS-01)."""

    a: tuple[Membership, ...] = ()
    b: tuple[Membership, ...] = ()
    since: int | None = None  # The first year of the war
    until: int | None = None  # Its last year
    winner: str = ""  # `Side A`, `Side B` or `Nobody`; blank during the war
    terms: str = ""  # Of the peace

    def side_of(self, nation: str, year: int | None) -> int | None:
        """Return the side of a nation in a year, 0 or 1; None if it is on neither."""
        for number, side in enumerate((self.a, self.b)):
            if any(loosely(member.name) == loosely(nation) and member.is_in(year) for member in side):
                return number
        return None

    def side_of_all(self, nations: Sequence[str], year: int | None) -> int | None:
        """Return the one side of several nations in a year; None if they are not all on it."""
        places = {self.side_of(nation, year) for nation in nations}
        return places.pop() if len(places) == 1 else None

    @property
    def names(self) -> tuple[str, str]:
        """Return the nations of each side, `Norden + Rivan`."""
        one, other = (" + ".join(member.text for member in side) for side in (self.a, self.b))
        return one, other

    @property
    def short_names(self) -> tuple[str, str]:
        """Return the nations of each side, of many `Norden and allies`."""
        one, other = (
            names if len(side) <= NAMED else f"{side[0].name} and allies"
            for side, names in zip((self.a, self.b), self.names, strict=True)
        )
        return one, other


LISTING_COLUMNS = ("Season", "Columns")
"""Kinds of receipts that list columns."""

SEASON = msgspec.json.Decoder(SeasonOptions)
COLUMNS = msgspec.json.Decoder(_Columns)
LINEAGE = msgspec.json.Decoder(Lineage)
GIVEN_UP = msgspec.json.Decoder(GivenUp)
SEALED = msgspec.json.Decoder(Sealed)
SIDES = msgspec.json.Decoder(WarSides)
VERSIONS = msgspec.json.Decoder(SeasonVersions)
"""Decoders; created during the import, since threads that first decode into a class at once can end the process."""
