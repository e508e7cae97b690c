"""The tab Turns: the deadline of each turn, the turn that is due, and the request that ends it (TRN-01, TRN-03)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar

from engine.columns import ColumnPlace, TabDeclaration, ValueList, choice, columns, loosely, result, text, whole
from engine.ruleset import Plain
from engine.suggest import nearest
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.headers import key_of
from sheets_algo.database.moments import read_deadline, read_time, utc_text
from sheets_algo.database.problems import Problem, one_of, quoted
from sheets_algo.database.records import END_ANYWAY, Database, Vocabulary
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import Form
from sheets_algo.forms.capabilities import CurrentTurn, TurnForm
from sheets_algo.ruling.step import ANNOUNCEMENT, REMINDER, Announcement, Audience, PassState, titles_in
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

    game: str = text("Game", "TRN-01", "Its ruleset; blank in a workbook with one game that has turns.")
    turn: int | None = whole(
        "Turn", "TRN-02", "The number of the turn, or round.", low=-LAST_TURN, high=LAST_TURN, required=True
    )
    deadline: str = text(
        "Deadline",
        "TRN-03",
        "When it ends, UTC: 2026-11-28 20:00. It may be moved until it is over. Blank: no deadline.",
    )
    at_deadline: str = choice("At Deadline", AT_DEADLINE.name, "TRN-04", "What happens then.", default=END)
    orders_from: str = text(
        "Orders From",
        "TRN-10",
        "From this turn on: the tab of a Google Form's responses, or tabs of players, with ; between them.",
    )
    announced: str = result(
        "Announced",
        "TRN-08",
        "The deadline that was posted, and whether a reminder was, to channels with odds = true.",
        place=ColumnPlace.KEPT,
    )
    status: str = result("Status", "TRN-05", "How the turn stands, and which orders are to be mended.")
    ordered: str = result("Ordered", "TRN-06", "Who has ordered in the current turn.")
    missing: str = result("Missing", "TRN-07", "Who has not ordered yet.")


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


REMINDS = timedelta(days=1)
"""Time from a reminder to the deadline of an announced turn."""
REMINDED = ", reminded"
OVER = "Over"
LATE_S = 3_600
"""Seconds after the end of a turn during which an order reports that it missed it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTurn:
    """The current turn of a game in the tab Turns."""

    entry: TurnEntry
    turn: CurrentTurn
    now: datetime  # The time of the pass
    is_void: bool  # True if its deadline had passed when the turn began, or began again

    @property
    def is_over(self) -> bool:
        """Return True if its deadline has been reached."""
        return self.entry.deadline is not None and self.entry.deadline <= self.now and not self.is_void

    @property
    def is_due(self) -> bool:
        """Return True if it ends now."""
        return self.is_over and not self.entry.asks

    @property
    def end(self) -> str:
        """Return a receipt's clause on the end: `at the deadline of 2026-11-28T20:00:00Z`."""
        return f"at the deadline of {self.entry.deadline_text}"


class Deadlines:
    """The deadlines of one game in one pass."""

    def __init__(self, form: TurnForm[Any], turns: TurnsTab, state: PassState) -> None:
        self._form, self._turns, self._state = form, turns, state
        self._now = datetime.fromisoformat(state.contents.now)
        self.next: datetime | None = None
        """The time of the turn's end, or of the next reminder."""

    def open_turn(self, database: Database) -> OpenTurn | None:
        """Return the current turn; None if the game has none, or the tab lacks it."""
        turn = self._form.turn_of_all(database) if self._form.end_of_turn and self._entries else None
        entry = self._entry(turn.number) if turn else None
        if turn is None or entry is None:
            return None
        is_past = entry.deadline is not None and entry.deadline <= self._now
        began = self._state.receipts.beginning(turn.counters)
        is_void = is_past and began is not None and utc_text(entry.deadline or self._now) < began.time
        if entry.deadline and not is_past:
            self._expect(entry.deadline)
        return OpenTurn(entry=entry, turn=turn, now=self._now, is_void=is_void)

    def late(self, turn: int) -> Iterator[str]:
        """Yield a remark on an order that just missed the end of the previous turn."""
        ended, name = self.ended(turn - 1), self._form.turn_column
        moment = read_time(ended)
        if moment is not None and (self._now - moment).total_seconds() <= LATE_S:
            yield f"Of {name} {turn}: {name} {turn - 1} ended at {ended}, when this was not ticked"

    def ended(self, turn: int) -> str:
        """Return the time of a turn's end, blank if the tab Turns lacks it."""
        entry = self._entry(turn)
        return entry.ended if entry else ""

    def announce(self, entry: TurnEntry) -> None:
        """Post the deadline of the current turn, and a reminder a day before it, each once (TRN-08)."""
        deadline, said = entry.deadline, str(entry.row.value("announced") or "")
        if deadline is None or deadline <= self._now:
            return
        is_new, reminds_at = not said.startswith(entry.deadline_text), deadline - REMINDS
        if not is_new and (said.endswith(REMINDED) or reminds_at > self._now):
            if not said.endswith(REMINDED):
                self._expect(reminds_at)
            return
        what = f"{ANNOUNCEMENT if is_new else REMINDER} {entry.deadline_text}"
        request = f"{self._form.ruleset_key} {entry.turn}"
        if self._state.publish(Announcement(audience=Audience.TURNS, form=self._form, request=request, what=what)):
            is_last = reminds_at <= self._now
            self._state.changes.set(entry.row, "announced", f"{entry.deadline_text}{REMINDED if is_last else ''}")
            if not is_last:
                self._expect(reminds_at)

    def _expect(self, moment: datetime) -> None:
        self.next = min(self.next or moment, moment)

    def show(self, current: int | None, status: str, ordered: str, missing: str) -> None:
        """Write the program's cells of all turns.

        Args:
            current: The number of the current turn; None if the game has none.
        """
        for entry in self._entries:
            cells: tuple[str, str, str] = ("", "", "")
            is_past = entry.turn < current if current is not None else entry.row.value("status") == OVER
            if is_past or (current is None and entry.ended):
                cells = str(entry.row.value("status")) if entry.ended else OVER, "", ""
            elif current is None or entry.turn == current:
                cells = status, ordered, missing
            for attribute, value in zip(("status", "ordered", "missing"), cells, strict=True):
                self._state.changes.set(entry.row, attribute, value)

    def show_end(self, entry: TurnEntry, seq: int) -> None:
        """Write the end of a turn, with its receipt."""
        self._state.changes.set(entry.row, "status", ENDED.format(utc_text(self._now), seq))
        for attribute in ("ordered", "missing"):
            self._state.changes.set(entry.row, attribute, "")

    @property
    def _entries(self) -> Sequence[TurnEntry]:
        return self._turns.all_of(self._form.ruleset_key)

    def _entry(self, turn: int) -> TurnEntry | None:
        return self._turns.of(self._form.ruleset_key, turn)


def end_request(form: TurnForm[Any], open_turn: OpenTurn) -> Mapping[str, Plain]:
    """Return the cells of the request that ends a turn at its deadline, without its id."""
    cells: dict[str, Plain] = {
        **form.end_of_turn,
        form.turn_column: open_turn.entry.turn,
        "action": END_ANYWAY,
        "ready": True,
    }
    if "notes" in dict(columns(form.request)):
        cells["notes"] = f"Ended {open_turn.end}"
    return cells
