"""Requests of players in a Google Form, which become rows when a year ends at its deadline (YRS-15)."""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from engine.columns import TabDeclaration, column, loosely, row_label, tab_of
from engine.ruleset import Plain
from sheets_algo.database.cell_text import ReadError, as_text
from sheets_algo.database.moments import utc_text
from sheets_algo.database.problems import CellRef, Problem, one_of, quoted
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.capabilities import AskedRow, YearlyForm
from sheets_algo.forms.request_columns import Request, asked_in_column
from sheets_algo.ruling.passes.responses import (
    PlayersTab,
    Response,
    append_orders,
    as_one,
    filled_cells,
    last_of,
    named_tabs,
    names_by_address,
    order_line,
    too_long,
)
from sheets_algo.ruling.passes.writer import obstacles_of, write
from sheets_algo.ruling.plan import Contents
from sheets_algo.ruling.receipts.receipt_rows import Sealed, SentOrder
from sheets_algo.ruling.request_tab import RequestTab
from sheets_algo.ruling.requests.row_states import deciding_cells
from sheets_algo.ruling.step import PassState
from sheets_algo.workbook.snapshot import Sheet

ASK_FOR, NATION = "Ask For", "Nation"
"""Optional questions for the kind and the nation of a request."""
MOST = 20
"""Maximum number of answers of one player at a deadline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedIn:
    """The column of the tab of years that names the responses, for code that has no form."""

    tab: ClassVar[TabDeclaration] = TabDeclaration("Years", one="year", optional=True)
    asked_in: str = asked_in_column()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerAnswer:
    """A response with a player's request for his own nation."""

    asked: AskedRow
    row: Row
    response: Response
    time: datetime
    nation: str
    cells: Mapping[str, Plain]  # By attribute

    @property
    def thing(self) -> tuple[str, ...]:
        """Return its subject: of two answers of a player about it the last counts."""
        words = (loosely(as_text(self.cells.get(name, ""))) for name in self.asked.thing)
        return (self.response.sender, self.asked.one, *words)


class AskedRows:
    """The open answers of players in the tabs of a row of years.

    Args:
        row: The row of years.
        database: The database of the ruleset, in which answers become rows.
    """

    def __init__(self, contents: Contents, form: YearlyForm[Any], row: Row, database: Database) -> None:
        self._contents, self._form, self._database = contents, form, database
        self._taken = {key for _, sealed in contents.receipts.sealed for key in sealed.keys}
        self.problems: list[Problem] = []
        own = {tab for form in contents.context.forms for tab in form.tabs}
        sheets = named_tabs(row, "asked_in", contents.snapshot, own, self.problems)
        answers = [answer for sheet in sheets for answer in self._read(sheet)]
        self._answers = sorted(answers, key=lambda answer: (answer.time, answer.response.key))

    @property
    def is_readable(self) -> bool:
        """Return True if the content of its tabs is readable."""
        return not any(problem.is_error for problem in self.problems)

    def take(self, state: PassState, tabs: Mapping[type, RequestTab], until: datetime, year: int) -> bool:
        """Turn the answers until a time into rows, with a receipt of their contents; return False if some are left.

        Args:
            tabs: The request tabs by record class.
        """
        sent = [answer for answer in self._answers if answer.time <= until]
        last, earlier = last_of(sent, lambda answer: answer.thing)
        counted, orders, lines = Counter[str](), dict[str, SentOrder](), list[str]()
        without, is_complete = [answer.response.key for answer in earlier], True
        for answer in last:
            counted[answer.response.sender] += 1
            if counted[answer.response.sender] > MOST:
                without.append(answer.response.key)
                continue
            if is_complete := is_complete and state.changes.has_room():
                name, words = self._take(state, tabs, answer, year + 1)
                orders |= {name: SentOrder(answer.response.key, words)} if name else {}
                text = json.dumps(words, sort_keys=True)
                lines += [order_line(name, answer.nation, answer.time, text)] if name else []
        if orders or without:
            says = f"Asked for by players until {utc_text(until)}: {len(orders)}."
            rest = f"Of answers about one thing the last counts, and {MOST} of a player: without {len(without)}."
            content = Sealed(turn=year, deadline=utc_text(until), orders=orders, again=tuple(without))
            append_orders(state, self._form.key, f"The year {year}", content, [says, *[rest] * bool(without)], lines)
        return is_complete

    def _take(
        self, state: PassState, tabs: Mapping[type, RequestTab], answer: PlayerAnswer, year: int
    ) -> tuple[str, dict[str, str]]:
        """Turn an answer into a row, or change the cells of a row.

        Returns:
            The name of the row, blank if that is impossible; and the content of the answer, by header.
        """
        asked, database = answer.asked, self._database
        words = {column(asked.record, name).header: as_text(cell) for name, cell in answer.cells.items()}
        if tab := tabs.get(asked.record):
            row, values = tab.new_request(state.receipts, tab.known_cells({"year": year, **answer.cells}))
            state.changes.add(row, values)
            read = deciding_cells(tab.form, row, database)
            return str(values["request"]), {header: read.get(header, text) for header, text in words.items()}
        if self._problem(answer):  # an earlier answer has taken the name
            return "", {}
        if not asked.changes:
            state.changes.add(database.add(asked.record, answer.cells), answer.cells)
            return f"{asked.one} {answer.cells['name']}", words
        [row] = self._rows_of(answer)
        if any(problem for name in asked.changes for problem in obstacles_of(state, row, name)):
            return "", {}
        for name in asked.changes:
            write(state, database, row, name, database.content(asked.record, name, answer.cells[name]))
        return f"{asked.one} {row_label(row.name, answer.nation)}", words

    def _read(self, sheet: Sheet) -> Iterator[PlayerAnswer]:
        """Yield the answers of players for their own nations, and note the problems of the others."""
        asked = {each.one: each for each in self._form.asked}
        tables = {one: PlayersTab(each.record, sheet) for one, each in asked.items()}
        first, table = next(iter(asked)), next(iter(tables.values()))
        ask, nation = (table.heads.get(loosely(head), 0) for head in (ASK_FOR, NATION))
        columns_ = [(tables[one], name) for one in (asked if ask else (first,)) for name in asked[one].cells]
        known = {table.places[name] for table, name in columns_ if name in table.places}
        if not (table.time and table.address and known):
            says = f"row 1 lacks Timestamp, Email Address, or {table.header(asked[first].whose)} and {ASK_FOR}"
            allowed = "Let the Form collect addresses, and call its questions as the columns of the tab"
            self.problems.append(Problem(cell=CellRef(table.title, 1), says=says, id="YRS-15", allowed=allowed))
            return
        heads = (table.header(name) for table, name in columns_)
        self.problems += table.stray_headers({*known, table.time, table.address, ask, nation} - {0}, heads, "YRS-15")
        wrong: list[Problem] = []
        for response in table.responses(known):
            kind = loosely(as_text(table.value(response.number, ask))) if ask else first
            if response.key in self._taken:
                continue
            if kind in asked:
                answer = self._answer(asked[kind], Row(tables[kind], response.number), response, nation, table.address)
            else:
                answer, says = None, f"{quoted(kind)} is nothing that players ask for"
                cell = CellRef(table.title, response.number, ask)
                wrong.append(Problem(cell=cell, says=says, id="YRS-15", allowed=one_of([*asked])))
            problem = answer if isinstance(answer, Problem) else answer and self._problem(answer)
            wrong += [problem] if problem else []
            if isinstance(answer, PlayerAnswer) and not problem:
                yield answer
        self.problems += as_one(wrong)

    def _answer(
        self, asked: AskedRow, row: Row, response: Response, nation: int, address: int
    ) -> PlayerAnswer | Problem:
        """Return the answer of a row, or its problem without a known nation and time.

        Args:
            nation: The number of the column of the question Nation, 0 for none.
            address: That of the addresses.
        """
        place = row.table.places.get(asked.whose, nation)
        whose, own = as_text(row.table.value(row.number, place)), self._nations.get(response.sender, ())
        named = [name for name in own if loosely(name) == loosely(whose)] or (
            own if not whose and len(own) == 1 else ()
        )
        if not named or response.time is None:
            plays = f"asks for {quoted(whose)}, which he does not play" if whose else "names no nation of his"
            says = "it has no time of a Form" if named else f"{quoted(response.sender)} {plays}"
            ways = "Let the Form write its time" if named else "Type his address beside his nation"
            cell = CellRef(row.table.title, row.number, place or address)
            return Problem(cell=cell, says=says, id="YRS-15", allowed=ways)
        cells = dict(filled_cells(row, asked.cells)[1])
        cells |= {asked.whose: named[0]} if asked.whose in asked.cells else {}
        return PlayerAnswer(asked=asked, row=row, response=response, time=response.time, nation=named[0], cells=cells)

    def _problem(self, answer: PlayerAnswer) -> Problem | None:
        """Return the reason why an answer becomes no row; a ticked request reports other errors itself."""
        asked, row, database = answer.asked, answer.row, self._database
        problem = too_long(row, answer.cells, "YRS-15")
        if not database.table(asked.record).header_row:
            problem = row.problem("", "YRS-15", f"the workbook has no tab {tab_of(asked.record).name} with headers")
        if problem or issubclass(asked.record, Request):
            return problem
        required = asked.changes or [name for name, each in row.table.columns if each.required]
        for name, each in row.table.columns:
            is_read = name in answer.cells or name in required
            content = database.content(asked.record, name, answer.cells.get(name)) if is_read else None
            if isinstance(content, ReadError):
                return row.read_problem(name, each, content)
        there, name = self._rows_of(answer), as_text(answer.cells.get("name", ""))
        says = ""
        if asked.changes and len(there) != 1:
            says = f"{answer.nation} has {len(there) or 'no'} such {asked.one}"
        elif not asked.changes and (there or database.builtin(asked.record, name)):
            says = f"a {asked.one} of this name is there already"
        return row.problem("name", "YRS-15", says, allowed="Type another name") if says else None

    def _rows_of(self, answer: PlayerAnswer) -> Sequence[Row]:
        """Return the database rows of an answer; for a blank name all that its nation leads."""
        asked, name = answer.asked, as_text(answer.cells.get("name", ""))
        if not asked.changes:
            return self._database.find(asked.record, name)
        table = self._database.table(asked.record)
        rows = table.rows_listing(asked.whose, answer.nation)
        led = (row for row in rows if row in self._database.labelled(asked.record, row_label(row.name, answer.nation)))
        return [row for row in led if not name or loosely(row.name) == loosely(name)]

    @functools.cached_property
    def _nations(self) -> Mapping[str, Sequence[str]]:
        """Return the nations of each address."""
        record, contact = self._form.players_of
        return names_by_address(self._database.table(record), contact)
