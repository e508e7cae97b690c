"""Orders that players write themselves, in the responses of a Google Form or in a tab of their own (TRN-10, TRN-11).

They are read here; `passes/seals.py` copies them into the request tab when their turn ends.
"""

from __future__ import annotations

import functools
import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from engine.columns import Field, Kind, loosely, tab_of
from engine.ruleset import Plain
from engine.suggest import misspelt, nearest
from sheets_algo.database.cell_text import ReadError, as_text, is_blank, is_typed
from sheets_algo.database.fields import plain
from sheets_algo.database.moments import read_time
from sheets_algo.database.problems import CellRef, Problem, Severity, quoted, rows_named
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row, Table
from sheets_algo.database.typed_numbers import certain
from sheets_algo.forms.capabilities import CurrentTurn, TurnForm
from sheets_algo.ruling.receipts.receipts import Receipts, fingerprint_of
from sheets_algo.steps.turns.turns_tab import TurnEntry, TurnsTab
from sheets_algo.workbook.cell_limits import LONGEST
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.values import PerCent

TIMES = (
    *("timestamp", "zeitstempel", "horodateur", "marca temporal", "informazioni cronologiche", "tijdstempel"),
    *("carimbo de data/hora", "sygnatura czasowa", "tidsstämpel", "tidsstempel", "отметка времени"),
)
"""Headers that Google Forms writes over the time of a response, in the language of the form."""
ADDRESSES = (
    *("email address", "e-mail-adresse", "adresse e-mail", "dirección de correo electrónico", "indirizzo email"),
    *("e-mailadres", "endereço de e-mail", "adres e-mail", "e-postadress", "e-postadresse", "адрес электронной почты"),
)
"""Headers over the address of who sent it."""
KEY_DIGITS = 16


class _PlayersTab(Table):
    """A tab of players, whose headers are in row 1, whatever somebody types below them."""

    @functools.cached_property
    def header_row(self) -> int:
        return 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerOrder:
    """An order as a player has written it."""

    player: str
    turn: int | None  # The turn that it names
    time: datetime | None  # When a Form took it
    key: str  # An identity that no other order ever has
    thing: tuple[str, ...]  # What it says but for numbers and notes; of orders of one thing the last counts (TRN-12)
    cells: Mapping[str, Plain]  # The cells of its request by attribute, without the turn


def read_sent(
    form: TurnForm[Any], database: Database, snapshot: Snapshot, turns: TurnsTab, receipts: Receipts
) -> SentOrders | None:
    """Return the orders that players of a game have sent, None if the tab Turns does not say where."""
    turn = form.turn_of_all(database) if form.player_orders and turns.has_sources else None
    entry = turns.sources(form.ruleset_key, turn.number) if turn else None
    if turn is None or entry is None:
        return None
    current = turns.of(form.ruleset_key, turn.number)
    deadline = current.deadline_text if current else ""
    return SentOrders(form, database, snapshot, entry, receipts, current=turn.number, deadline=deadline)


class SentOrders:
    """The orders of one game that players have sent, in the order of their times.

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
        for title in entry.sources:
            key = TabKey.named(title)
            sheet = snapshot.sheet(key)
            if sheet and key not in form.tabs:
                orders += self._read(_PlayersTab(form.request, sheet))
                continue
            says = f"{quoted(title)} is a tab of the program" if sheet else f"no tab is called {quoted(title)}"
            near, allowed = "" if sheet else nearest(title, snapshot.others), "Name the tab in which players write"
            self.problems.append(entry.row.problem("orders_from", "TRN-10", says, nearest=near, allowed=allowed))
        latest = datetime.max.replace(tzinfo=UTC)
        self.orders: Sequence[PlayerOrder] = sorted(orders, key=lambda order: order.time or latest)
        self.unread = next((problem for problem in self.problems if problem.is_error), None)
        """The problem because of which a tab cannot be read, and no turn ends; None if all can be."""

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

    def _read(self, table: Table) -> Iterator[PlayerOrder]:
        """Yield the orders of a tab, and note its problems: of rows that have the same one the first."""
        heads = {loosely(head): place for place, head in table.own_headers.items()}
        time, address = (next((heads[name] for name in names if name in heads), 0) for names in (TIMES, ADDRESSES))
        owner = "" if address else self._owner(table.title)
        filled = {table.places[name] for name in self._of.cells if name in table.places} | {address} - {0}
        problems = [*self._header_problems(table, {time, *filled}, is_known=bool(address or owner))]
        self.problems += problems
        if any(problem.is_error for problem in problems):
            return
        wrong: dict[tuple[str, str], list[Problem]] = {}
        sent = Counter[tuple[Any, str]]()
        for number in sorted(table.sheet.rows) if table.sheet else ():
            if number > 1 and any(is_typed(table.value(number, place)) for place in filled):
                moment = read_time(table.value(number, time)) if time else None
                sender = as_text(table.value(number, address)).casefold() if address else owner
                sent[moment, sender] += 1  # of a sender in one second
                key = _digest(moment.isoformat(), sender, sent[moment, sender]) if moment else ""
                if key in self._taken:
                    continue
                order, problem = self._order(Row(table, number), moment, key, sender, address)
                if order:
                    yield order
                if problem:
                    wrong.setdefault((problem.column, problem.says), []).append(problem)
        for first, *others in wrong.values():
            more = f"; {rows_named((other.cell.row for other in others), len(others))} likewise" if others else ""
            self.problems.append(replace(first, says=first.says + more, severity=Severity.WARNING))

    def _order(
        self, row: Row, time: datetime | None, key: str, sender: str, address: int
    ) -> tuple[PlayerOrder | None, Problem | None]:
        """Return the order of a row, None if it is nobody's or none of players; and what is wrong with it.

        Args:
            key: The identity of a response of a Form; blank in a tab without times.
            sender: The address; the player's name in a tab of his own.
            address: The number of the column of addresses; 0 in a tab of one player.
        """
        filled: dict[str, Field] = {}
        cells: dict[str, Plain] = {}
        for name, column, value in row.values():
            if name in self._of.cells and not is_blank(value):
                is_sure = isinstance(value, str | PerCent)  # a number may be a share: its request is to be mended
                filled[name] = column
                cells[name] = certain(column, plain(row.value(name))) if is_sure else plain(value)
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
        for name, value in cells.items():
            if isinstance(value, str) and len(value) > LONGEST // 2:  # some take two units of it
                says = f"{len(value):,} characters are more than the {LONGEST // 2:,} that are copied"
                return None, row.problem(name, "TRN-12", says, allowed="Shorten it")
        kind = contents.get("order")
        if kind is not None and "order" not in problems and kind not in self._of.orders:
            says, ways = f"{quoted(kind)} is not an order of players", "Order it yourself, or delete the row"
            return None, row.problem("order", "TRN-11", says, allowed=ways)
        key = key or _digest(player, turn, *sorted((name, as_text(value)) for name, value in cells.items()))
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
        return PlayerOrder(player=player, turn=turn, time=time, key=key, thing=thing, cells=cells), problem

    @functools.cached_property
    def _senders(self) -> Mapping[str, Sequence[str]]:
        """Return the players of each address, in small letters."""
        senders: dict[str, list[str]] = {}
        for row in self._database.table(self._of.players):
            for typed in re.split(r"[;,\s]+", as_text(row.value(self._of.contact)).casefold()):
                if "@" in typed:
                    senders.setdefault(typed, []).append(row.name)
        return senders

    def _owner(self, title: str) -> str:
        """Return the player whose tab has a title: his name, or "Orders of" and his name; blank for none."""
        names = (title, re.sub(r"(?i)^orders?( of)?\s+", "", title))
        return next((rows[0].name for name in names if (rows := self._database.find(self._of.players, name))), "")

    def _header_problems(self, table: Table, known: Collection[int], *, is_known: bool) -> Iterator[Problem]:
        """Yield errors of a tab of which nobody can say what, or who, is ordered, and notes of headers without use.

        Args:
            known: The numbers of the columns that are read.
            is_known: True if it is known whose its orders are.
        """
        top, one = CellRef(table.title, 1), tab_of(self._of.players).one
        if "order" not in table.places:
            says, allowed = 'no column "Order" found in row 1', "Call the question so that asks what is ordered"
            yield Problem(cell=top, says=says, id="TRN-10", allowed=allowed)
        elif not is_known:
            says = f'no column "Email Address" found in row 1, and no {one} is called {quoted(table.title)}'
            allowed = f"Let the Form collect addresses, or name the tab like its {one}"
            yield Problem(cell=top, says=says, id="TRN-10", allowed=allowed)
        there = {loosely(table.header(name)) for name in self._of.cells if name in table.places}
        absent = [table.header(name) for name in self._of.cells if name not in table.places]
        for place, head in ((place, as_text(head)) for place, head in enumerate(table.cells(1), start=1)):
            if not head or place in known:
                continue
            meant, cell = misspelt(head, absent), CellRef(table.title, 1, place)
            if loosely(head) in there:
                says = f"a second column {quoted(head)}, of which only one would be read"
                yield Problem(cell=cell, says=says, id="TRN-10", allowed="Ask for each thing once")
            elif meant:
                says, allowed = f"the header {quoted(head)} looks like {quoted(meant)}, which is missing", "Rename it"
                yield Problem(cell=cell, says=says, id="TRN-10", allowed=allowed)
            else:
                says = f"the answers below {quoted(head)} are not read: players fill {', '.join(absent) or 'no more'}"
                yield Problem(cell=cell, says=says, id="TRN-10", severity=Severity.NOTE)


def _digest(*parts: Any) -> str:
    return fingerprint_of(json.dumps(parts))[:KEY_DIGITS]
