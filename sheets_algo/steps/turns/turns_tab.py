"""The tab Turns: people type the deadline of each turn, the program the players with orders (TRN-01)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from engine.columns import ColumnPlace, TabDeclaration, ValueList, choice, loosely, result, text, whole
from engine.suggest import nearest
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.moments import read_deadline, read_time, utc_text
from sheets_algo.database.problems import Problem, one_of, quoted
from sheets_algo.database.records import Database, Vocabulary
from sheets_algo.database.tab_keys import key_of
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import Form
from sheets_algo.forms.capabilities import TurnForm
from sheets_algo.ruling.step import titles_in
from sheets_algo.workbook.snapshot import Snapshot

END, ASK = "End", "Ask"
AT_DEADLINE = ValueList(
    "At Deadline",
    (END, ASK),
    {
        END: "The turn ends by itself: what is ticked is ruled, and what cannot be ruled then lapses.",
        ASK: "Status says that the deadline is over; choosing End here ends the turn.",
    },
)
LISTS = {AT_DEADLINE.name: AT_DEADLINE}
"""The value lists of the tab."""
LAST_TURN = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRow:
    """One row of the Turns tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Turns",
        one="turn",
        optional=True,
        told_by=("game", "turn"),
        about="Optional: until when each turn takes orders. At its deadline a turn ends by itself.",
    )

    game: str = text("Game", id="TRN-01", note="Its ruleset; blank in a workbook with one game that has turns.")
    turn: int | None = whole(
        "Turn", id="TRN-02", low=-LAST_TURN, high=LAST_TURN, required=True, note="The number of the turn, or round."
    )
    deadline: str = text(
        "Deadline",
        id="TRN-03",
        note="When it ends, UTC: 2026-11-28 20:00. It may be moved until it is over. Blank: no deadline.",
    )
    at_deadline: str = choice("At Deadline", AT_DEADLINE.name, id="TRN-04", default=END, note="What happens then.")
    orders_from: str = text(
        "Orders From",
        id="TRN-10",
        note="From this turn on: the tab of a Google Form's responses, or tabs of players, with ; between them.",
    )
    announced: str = result(
        "Announced",
        id="TRN-08",
        place=ColumnPlace.KEPT,
        note="The deadline that was posted, and whether a reminder was, to channels with odds = true.",
    )
    status: str = result("Status", id="TRN-05", note="How the turn stands, and which orders are to be mended.")
    ordered: str = result("Ordered", id="TRN-06", note="Who has ordered in the current turn.")
    missing: str = result("Missing", id="TRN-07", note="Who has not ordered yet.")


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEntry:
    """A valid row of the tab."""

    row: Row
    game: str  # The name of the ruleset
    turn: int
    deadline: datetime | None  # Its deadline, UTC; None for none
    asks: bool  # True if a person ends it
    sources: tuple[str, ...] = ()  # The tabs in which players write their orders, from this turn on

    @property
    def deadline_text(self) -> str:
        """Return the deadline in the program's format of times; blank without one."""
        return utc_text(self.deadline) if self.deadline else ""

    @property
    def ended(self) -> str:
        """Return the time of the turn's end from its row; blank without one."""
        match = ENDED_AT.match(as_text(self.row.value("status")))
        return match[1] if match and read_time(match[1]) else ""


ENDED = "Ended at {} by receipt {}"
ENDED_AT = re.compile(r"Ended at (\S+) by receipt \d+")


class TurnsTab:
    """The tab Turns of a snapshot."""

    def __init__(self, snapshot: Snapshot, forms: Iterable[Form[Any]]) -> None:
        self._database = Database(snapshot, (TurnRow,), Vocabulary(lists=LISTS))
        self._table = self._database.table(TurnRow)
        by_game = {
            form.ruleset_key: form
            for form in forms
            if isinstance(form, TurnForm) and form.end_of_turn and snapshot.sheet(key_of(form.request))
        }
        self._games = tuple(by_game)
        self._without_players = [game for game, form in by_game.items() if form.player_orders is None]
        self._entries: dict[tuple[str, int], TurnEntry] = {}
        is_ours = bool(self._games) and not {"turn", "deadline"}.isdisjoint(self._table.places)  # not people's own tab
        self.problems: tuple[Problem, ...] = (*self._table.header_problems, *self._read()) if is_ours else ()

    def of(self, game: str, turn: int) -> TurnEntry | None:
        """Return the entry of a turn; None if the tab has none."""
        return self._entries.get((game, turn))

    @property
    def has_sources(self) -> bool:
        """Return True if players of a game write their own orders."""
        return any(entry.sources for entry in self._entries.values())

    def sources(self, game: str, turn: int) -> TurnEntry | None:
        """Return the entry with the tabs of players' orders for a turn: the last one up to it (TRN-10)."""
        named = (entry for entry in self.all_of(game) if entry.sources and entry.turn <= turn)
        return max(named, key=lambda entry: entry.turn, default=None)

    def all_of(self, game: str) -> Sequence[TurnEntry]:
        """Return the entries of a game."""
        return [entry for entry in self._entries.values() if entry.game == game]

    def _read(self) -> Iterator[Problem]:
        """Read the rows, and yield their problems."""
        for row in () if self._table.header_problems else self._table.rows:
            read = self._database.read(row, TurnRow)
            yield from read.problems
            if read.record is None or read.record.turn is None:
                continue
            record, number, deadline = read.record, read.record.turn, read_deadline(row, "TRN-03")
            game = next((game for game in self._games if loosely(game) == loosely(record.game)), "")
            if not record.game and len(self._games) == 1:
                game = self._games[0]
            asks, sources = record.at_deadline == ASK, titles_in(row, "orders_from")
            until = None if isinstance(deadline, Problem) else deadline
            entry = TurnEntry(row=row, game=game, turn=number, deadline=until, asks=asks, sources=sources)
            if not game:
                yield self._unknown(row, record.game)
            elif isinstance(deadline, Problem):
                yield deadline
                if sources:  # a turn that a person ends also takes the orders of players
                    self._entries.setdefault((game, number), entry)
            elif record.orders_from and game in self._without_players:
                says = f"the orders of {game} name no player, so players cannot send them"
                yield row.problem("orders_from", "TRN-10", says, allowed="Clear the cell")
            elif other := self._entries.get((game, number)):
                says = f"row {other.row.number} has turn {number} already"
                yield row.problem("turn", "TRN-02", says, allowed="Keep one of them")
            else:
                self._entries[game, number] = entry

    def _unknown(self, row: Row, typed: str) -> Problem:
        says = f"{quoted(typed)} is not a game with turns in this workbook" if typed else "it is not said which game"
        near = nearest(typed, self._games)
        return row.problem("game", "TRN-01", says, nearest=near, allowed="" if near else one_of(self._games))
