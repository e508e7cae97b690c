"""Step of a workbook with the tab Wars: receipts record its sides before battles are ruled (WRS-05)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Self

import msgspec

from engine.columns import TabDeclaration, ValueList, choice, columns, loosely, tab_of, text, whole
from engine.suggest import nearest
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.members import SIGNS, UnclearMembers, members
from sheets_algo.database.problems import Problem
from sheets_algo.database.records import Database, Vocabulary
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form
from sheets_algo.forms.request_columns import part_of
from sheets_algo.ruling.plan import Answer, Contents
from sheets_algo.ruling.receipts.receipt_rows import Membership, WarSides
from sheets_algo.ruling.receipts.receipts import StoredReceipt, fingerprint_of
from sheets_algo.ruling.request_tab import RequestTab
from sheets_algo.ruling.step import PassState, Step, StepFindings
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

    war: str = text("War", "WRS-01", "Its name, as in Part of.", required=True, longest=200)
    side_a: str = text(
        "Side A",
        "WRS-02",
        "Nations, with + between them. Who joins late or leaves: Rivan (from 1452), Rivan (until 1455).",
        required=True,
        longest=2_000,
    )
    side_b: str = text("Side B", "WRS-02", "Likewise.", required=True, longest=2_000)
    since: int | None = whole("From", "WRS-03", "Its first year; blank: not said.", low=-4000, high=3000)
    until: int | None = whole("Until", "WRS-03", "Its last year; blank: it goes on.", low=-4000, high=3000)
    winner: str = choice("Winner", WINNER.name, "WRS-04", "At the peace: the side that won.", default="")
    terms: str = text("Terms", "WRS-04", "Of the peace, in words.", longest=1_000)


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
                allowed = f"Enter another nation, or when it changed sides: {both} (until 1454) here, (from 1455) there"
                yield row.problem("side_b", "WRS-02", f"{both} is on both sides", allowed=allowed)
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


GONE = WarSides()
"""The unknown sides of a war whose row is lost."""


class WarsStep(Step):
    """The sides of wars in one pass.

    Args:
        contents: The contents of the pass.
    """

    tabs = (WarRow,)
    lists = LISTS

    def __init__(self, contents: Contents) -> None:
        self._contents = contents
        self._tab = WarsTab(contents.snapshot, [*_nations(contents)])

    @classmethod
    def of(cls, contents: Contents) -> Self | None:
        """Return the step of a workbook whose tab has rows, or had some."""
        return cls(contents) if Table.of(contents.snapshot, WarRow).rows or contents.receipts.sides else None

    @classmethod
    def is_offered(cls, forms: Iterable[Form[Any]]) -> bool:
        """Return True if battles of a game may be part of a war."""
        return any("part_of" in dict(columns(form.request)) for form in forms)

    def before(self, state: PassState) -> bool:
        """Append a receipt of each war whose sides are typed or changed; return True if there is one."""
        changed = [*self._changed()]
        for name, sides in changed:
            if not state.changes.has_room():
                break
            state.log.append(_receipt(state.log.next_seq, name, sides, self._contents.now))
        return bool(changed)

    def rehearse(
        self, state: PassState, tab: RequestTab, answer: Answer, problems: Sequence[Problem]
    ) -> Iterator[Problem]:
        """Yield the problems of a request, and a warning if its battle will not count in its war."""
        yield from problems
        row = answer.cells.row
        name = part_of(row) if answer.foreseen and "part_of" in dict(row.table.columns) else ""
        if name and answer.foreseen:
            yield from self._uncounted(row, name, tab.form, answer.foreseen.content.inputs)

    def finish(self) -> StepFindings:
        """Return the problems of the tab, and the current sides of each war; changes make a pass due at once."""
        before, known = self._contents.context.before.known, {}
        for key, (_, name, sides) in self._tab.wars.items():
            known[_key(key)] = _digest(name, sides)
        is_settled = before is None or known.items() <= before.items()
        now = datetime.fromisoformat(self._contents.now)
        return StepFindings(problems=self._tab.problems, known=known, deadline=None if is_settled else now)

    def _changed(self) -> Iterator[tuple[str, WarSides]]:
        """Yield the wars that differ from their last receipt, with their sides, unless a person is typing."""
        known, receipts = self._contents.context.before.known, self._contents.receipts.sides
        for key, (_, name, sides) in self._tab.wars.items():
            is_settled = known is None or known.get(_key(key)) == _digest(name, sides)
            if is_settled and (key not in receipts or receipts[key][-1][1] != sides):
                yield name, sides
        for key, declared in receipts.items() if not self._tab.problems else ():
            if key not in self._tab.wars and declared[-1][1] != GONE:
                yield declared[-1][0].war, GONE

    def _uncounted(self, row: Row, name: str, form: Form[Any], inputs: Any) -> Iterator[Problem]:
        """Yield the reasons why a battle does not count."""
        entry, sides = self._tab.wars.get(loosely(name)), form.ruleset.members(inputs)
        if entry is None:
            known = self._tab.wars.values()
            if known and all(map(all, sides)):
                says = f"the tab Wars has no {name}, so nobody knows its sides"
                yield row.note("part_of", "WRS-01", says, nearest=nearest(name, [war for _, war, _ in known]))
            return
        _, war, declared = entry
        year = getattr(inputs, "year", None)
        when = f" in {year}" if year is not None else ""
        places = {nation: declared.side_of(nation, year) for side in sides for nation in side}
        for nation, place in places.items():
            if place is None and nation:
                allowed = "Name it in Wars; the battle is ruled all the same"
                yield row.warning("part_of", "WRS-02", f"{nation} is on no side of {war}{when}", allowed=allowed)
        if None in places.values():
            return
        one, other = ({places[nation] for nation in side} for side in sides)
        if one == other or len(one) > 1 or len(other) > 1:
            apart = [side for side in sides if len({places[nation] for nation in side}) > 1]
            says = f"{' and '.join(apart[0] if apart else places)} are on {'both sides' if apart else 'one side'}"
            says += f" of {war}{when}, so their battle counts for neither"
            yield row.warning("part_of", "WRS-02", says, allowed="Say in Wars who changes sides, and when")


def _nations(contents: Contents) -> Iterator[str]:
    """Yield the names of the nations of all games of a workbook."""
    records = dict.fromkeys(record for form in contents.context.forms for record in form.records())
    for record in records:
        if tab_of(record).one == "nation":
            yield from Table.of(contents.snapshot, record).names


def _receipt(seq: int, name: str, sides: WarSides, now: str) -> StoredReceipt:
    """Return the receipt of the sides of a war."""
    wiki = f"The sides of {name} are not known any more."
    if sides != GONE:
        winner = {"Side A": " Side A has won.", "Side B": " Side B has won.", "Nobody": " Nobody has won."}
        wiki = f"In {name}: {' against '.join(sides.names)}.{winner.get(sides.winner, '')}"
        wiki += f" Terms: {sides.terms}" if sides.terms else ""
    inputs = msgspec.json.encode(sides).decode()
    return StoredReceipt(seq=seq, kind="Sides", war=name, wiki=wiki, inputs=inputs, time=now)


def _key(war: str) -> str:
    """Return the key of a war's digest in a pass; no request has it, since ids have no line breaks."""
    return f"war\n{war}"


def _digest(name: str, sides: WarSides) -> str:
    return fingerprint_of(f"{name}\n{msgspec.json.encode(sides).decode()}")
