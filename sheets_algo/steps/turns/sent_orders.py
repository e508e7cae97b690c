"""Players' own orders, in the responses of a Google Form or in a tab of their own (TRN-10, TRN-11).

They are read here; `seals.py` copies them into the request tab when their turn ends.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from engine.columns import Kind, loosely, tab_of
from engine.ruleset import Plain
from sheets_algo.database.cell_text import ReadError, as_text
from sheets_algo.database.problems import CellRef, Problem, quoted
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.capabilities import CurrentTurn, TurnForm
from sheets_algo.ruling.passes.responses import (
    PlayersTab,
    Response,
    as_one,
    filled_cells,
    named_tabs,
    names_by_address,
    short_digest,
    too_long,
)
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.steps.turns.turns_tab import TurnEntry, TurnsTab
from sheets_algo.workbook.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerOrder:
    """An order written by a player."""

    player: str
    turn: int | None  # The named turn
    time: datetime | None  # The time of the Form's response
    key: str  # Its unique identity
    thing: tuple[str, ...]  # What it says but for numbers and notes; of orders of one thing the last counts (TRN-12)
    cells: Mapping[str, Plain]  # The cells of its request by attribute, without the turn


def read_sent(
    form: TurnForm[Any], database: Database, snapshot: Snapshot, turns: TurnsTab, receipts: Receipts
) -> SentOrders | None:
    """Return the orders sent by players of a game, None if the tab Turns names no place for them."""
    turn = form.turn_of_all(database) if form.player_orders and turns.has_sources else None
    entry = turns.sources(form.ruleset_key, turn.number) if turn else None
    if turn is None or entry is None:
        return None
    current = turns.of(form.ruleset_key, turn.number)
    deadline = current.deadline_text if current else ""
    return SentOrders(form, database, snapshot, entry, receipts, current=turn.number, deadline=deadline)


class SentOrders:
    """The orders sent by players of one game, in the order of their times.

    Args:
        entry: The row of the tab Turns that names their tabs.
        current: The number of the current turn.
        deadline: The deadline of that turn; blank for none.
    """

    def __init__(
        self,
        form: TurnForm[Any],
        database: Database,
        snapshot: Snapshot,
        entry: TurnEntry,
        receipts: Receipts,
        *,
        current: int,
        deadline: str,
    ) -> None:
        assert form.player_orders is not None
        self._form, self._database, self._of = form, database, form.player_orders
        self._sealed = [pair for pair in receipts.sealed if pair[0].ruleset == form.key]
        self._receipts, self._taken = receipts, {key for _, sealed in self._sealed for key in sealed.keys}
        self._current, self._deadlines = current, ("", deadline)
        self.problems: list[Problem] = []
        orders: list[PlayerOrder] = []
        for sheet in named_tabs(entry.row, "orders_from", snapshot, form.tabs, self.problems):
            orders += self._read(PlayersTab(form.request, sheet))
        latest = datetime.max.replace(tzinfo=UTC)
        self.orders: Sequence[PlayerOrder] = sorted(orders, key=lambda order: order.time or latest)
        self.unread = next((problem for problem in self.problems if problem.is_error), None)
        """The problem of an unreadable tab, which blocks the end of a turn; None if all are readable."""

    def open_players(self, turn: CurrentTurn) -> Sequence[str]:
        """Return the players of a turn whose orders are not sealed yet."""
        began = self._receipts.beginning(turn.counters)
        sealed = (content for receipt, content in self._sealed if began is None or receipt.seq > began.seq)
        closed = {name for content in sealed if content.deadline in self._deadlines for name in content.players}
        return [name for name in turn.players or (turn.whose,) if name and name not in closed]

    def of_turn(self, turn: CurrentTurn) -> Sequence[PlayerOrder]:
        """Return the orders of a turn that are not sealed yet."""
        players = set(self.open_players(turn))
        orders = (order for order in self.orders if order.player in players and order.turn in (None, turn.number))
        return [order for order in orders if order.key not in self._taken]

    def _read(self, table: PlayersTab) -> Iterator[PlayerOrder]:
        """Yield the orders of a tab, and note its problems: one for rows that share it."""
        owner = "" if table.address else self._owner(table.title)
        filled = {table.places[name] for name in self._of.cells if name in table.places} | {table.address} - {0}
        known, asked = {table.time, *filled} - {0}, map(table.header, self._of.cells)
        problems = [*self._top_problems(table, owner), *table.stray_headers(known, asked, "TRN-10")]
        self.problems += problems
        if any(problem.is_error for problem in problems):
            return
        wrong: list[Problem] = []
        for response in table.responses(filled, owner):
            if response.key in self._taken:
                continue
            order, problem = self._order(Row(table, response.number), response, table.address)
            if order:
                yield order
            wrong += [problem] if problem else []
        self.problems += as_one(wrong)

    def _order(self, row: Row, response: Response, address: int) -> tuple[PlayerOrder | None, Problem | None]:
        """Return the order of a row, None if its player or kind is invalid; and its problems.

        Args:
            address: The number of the column of addresses; 0 in a tab of one player.
        """
        filled, cells = filled_cells(row, self._of.cells)
        key, sender = response.key, response.sender
        whose, turn_name = as_text(row.value(self._of.whose)), self._form.turn_column
        players = self._senders.get(sender, ()) if address else (sender,)
        named = [player for player in players if loosely(player) == loosely(whose)]
        if not named and len(players) != 1:
            one, cell = tab_of(self._of.players).one, CellRef(row.table.title, row.number, address)
            says = f"{quoted(sender)} is the address of {f'more than one {one}' if players else f'no {one}'}"
            ways = f"Name {' or '.join(players)} in the row" if players else f"Type it beside its {one}"
            return None, Problem(cell=cell, says=says, id="TRN-11", allowed=f"{ways}, or delete the row")
        [player] = named or players
        contents = {name: self._database.content(self._form.request, name, row.value(name)) for name in filled}
        problems = {
            name: row.read_problem(name, filled[name], content)
            for name, content in contents.items()
            if isinstance(content, ReadError) and name != self._of.whose
        }
        if turn_name in problems:
            return None, problems[turn_name]
        turn = contents.get(turn_name)
        if turn is None and not key:
            says = f"has neither the time of a Form nor a {turn_name}, so nobody knows of which {turn_name} it is"
            return None, row.problem("order", "TRN-12", says, allowed=f"Type the {turn_name}")
        if problem := too_long(row, cells, "TRN-12"):
            return None, problem
        kind = contents.get("order")
        if kind is not None and "order" not in problems and kind not in self._of.orders:
            says, ways = f"{quoted(kind)} is not an order of players", "Order it yourself, or delete the row"
            return None, row.problem("order", "TRN-11", says, allowed=ways)
        key = key or short_digest(player, turn, *sorted((name, as_text(value)) for name, value in cells.items()))
        problem = None if key in self._taken else next(iter(problems.values()), None)
        if whose and not named and not problem:
            says = f"{quoted(whose)} is not who sent it; the order counts for {player}"
            problem = row.problem(self._of.whose, "TRN-11", says)
        if turn is not None and turn < self._current and key not in self._taken:
            says, ways = f"the order is for {turn_name} {turn}, which is over", f"Type a later {turn_name}"
            return None, row.problem(turn_name, "TRN-12", says, allowed=f"{ways}, or delete the row")
        numbers = (Kind.NUMBER, Kind.WHOLE)
        words = [name for name, column in filled.items() if column.kind not in numbers]
        thing = tuple(loosely(f"{name} {cells[name]}") for name in words if name not in ("notes", self._of.whose))
        cells = {name: value for name, value in cells.items() if name != turn_name} | {self._of.whose: player}
        return PlayerOrder(player=player, turn=turn, time=response.time, key=key, thing=thing, cells=cells), problem

    @functools.cached_property
    def _senders(self) -> Mapping[str, Sequence[str]]:
        """Return the players of each address, in small letters."""
        return names_by_address(self._database.table(self._of.players), self._of.contact)

    def _owner(self, title: str) -> str:
        """Return the player whose tab has a title: his name, or "Orders of" and his name; blank for none."""
        names = (title, re.sub(r"(?i)^orders?( of)?\s+", "", title))
        return next((rows[0].name for name in names if (rows := self._database.find(self._of.players, name))), "")

    def _top_problems(self, table: PlayersTab, owner: str) -> Iterator[Problem]:
        """Yield errors of a tab without an identifiable order or player."""
        top, one = CellRef(table.title, 1), tab_of(self._of.players).one
        if "order" not in table.places:
            says, allowed = 'no column "Order" found in row 1', "Call the question so that asks what is ordered"
            yield Problem(cell=top, says=says, id="TRN-10", allowed=allowed)
        elif not (table.address or owner):
            says = f'no column "Email Address" found in row 1, and no {one} is called {quoted(table.title)}'
            allowed = f"Let the Form collect addresses, or name the tab like its {one}"
            yield Problem(cell=top, says=says, id="TRN-10", allowed=allowed)
