"""The tab Wars, in which people type the sides of a war of several battles (WRS-01)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from engine.columns import TabDeclaration, ValueList, choice, loosely, text, whole
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.members import SIGNS, UnclearMembers, members
from sheets_algo.database.problems import Problem
from sheets_algo.database.records import Database, Vocabulary
from sheets_algo.database.tables import Row
from sheets_algo.ruling.receipts.receipt_inputs import Membership, WarSides
from sheets_algo.workbook.snapshot import Snapshot

SIDE_A, SIDE_B, NOBODY = "Side A", "Side B", "Nobody"
WINNER = ValueList("War Winner", (SIDE_A, SIDE_B, NOBODY))
LISTS = {WINNER.name: WINNER}
"""The value lists of the tab."""
YEARS = re.compile(r"\(\s*(from|until|since|to)\s+(-?\d{1,4})(?:\s+(?:to|until)\s+(-?\d{1,4}))?\s*\)", re.IGNORECASE)
"""The years of a member: `(from 1452)`, `(until 1455)`, `(from 1452 to 1455)`."""
SIDES = ("a", "b")


@dataclass(frozen=True, slots=True, kw_only=True)
class WarRow:
    """One row of the tab Wars."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Wars",
        key="war",
        one="war",
        optional=True,
        told_by=("war", "side_a"),
        about="Optional: the sides of wars of several battles, which Part of names. Without a row nobody guesses them.",
    )

    war: str = text("War", id="WRS-01", required=True, longest=200, note="Its name, as in Part of.")
    side_a: str = text(
        "Side A",
        id="WRS-02",
        required=True,
        longest=2_000,
        note="Nations, with + between them. Who joins late or leaves: Rivan (from 1452), Rivan (until 1455).",
    )
    side_b: str = text("Side B", id="WRS-02", required=True, longest=2_000, note="Likewise.")
    since: int | None = whole("From", id="WRS-03", low=-4000, high=3000, note="Its first year; blank: not said.")
    until: int | None = whole("Until", id="WRS-03", low=-4000, high=3000, note="Its last year; blank: it goes on.")
    winner: str = choice("Winner", WINNER.name, id="WRS-04", default="", note="At the peace: the side that won.")
    terms: str = text("Terms", id="WRS-04", longest=1_000, note="Of the peace, in words.")


class WarsTab:
    """The tab Wars of a snapshot.

    Args:
        names: The names of the nations of all games.
    """

    def __init__(self, snapshot: Snapshot, names: Sequence[str]) -> None:
        self._names = names
        self._database = Database(snapshot, (WarRow,), Vocabulary(lists=LISTS))
        self.table = self._database.table(WarRow)
        self.wars: dict[str, tuple[Row, str, WarSides]] = {}
        """Row, name and sides of each valid war, by the name in small letters."""
        self.problems: tuple[Problem, ...] = (*self.table.header_problems, *self._read())

    def _read(self) -> Iterator[Problem]:
        """Read the rows, and yield their problems."""
        for row in () if self.table.header_problems else self.table.rows:
            read = self._database.read(row, WarRow)
            yield from read.problems
            if read.record is None:
                continue
            record, key = read.record, loosely(read.record.war)
            if key in self.wars:
                says = f"row {self.wars[key][0].number} has this war already"
                yield row.problem("war", "WRS-01", says, allowed="Keep one row of each war")
                continue
            sides: list[tuple[Membership, ...]] = []
            for side in SIDES:
                try:
                    sides.append(tuple(_memberships(as_text(getattr(record, f"side_{side}")), self._names)))
                except UnclearMembers as error:
                    allowed = "Put + between names, and name nations of the tab Nations"
                    near = error.nearest
                    yield row.problem(f"side_{side}", "WRS-02", str(error), nearest=near, allowed=allowed)
            if len(sides) < len(SIDES):
                continue
            if both := next((one.name for one in sides[0] for other in sides[1] if one.meets(other)), ""):
                says, allowed = f"{both} is on both sides", f"Say when: {both} (until 1454) here, (from 1455) there"
                yield row.problem("side_b", "WRS-02", says, allowed=allowed)
                continue
            war = WarSides(
                a=sides[0],
                b=sides[1],
                since=record.since,
                until=record.until,
                winner=record.winner,
                terms=record.terms,
            )
            self.wars[key] = (row, record.war, war)


def _memberships(cell: str, names: Sequence[str]) -> Iterator[Membership]:
    """Yield the members of a side, with the years in which each fights for it.

    Raises:
        UnclearMembers: A name is unknown or ambiguous.
    """
    end = 0
    for years in YEARS.finditer(cell):
        *others, last = members(cell[end : years.start()].strip(f"{SIGNS} \n"), names)
        yield from map(Membership, others)
        first, then = (int(year) if year else None for year in years.groups()[1:])
        is_since = years[1].lower() in ("from", "since")
        yield Membership(last, first, then) if is_since else Membership(last, None, first)
        end = years.end()
    if rest := cell[end:].strip(f"{SIGNS} \n"):
        yield from map(Membership, members(rest, names))
