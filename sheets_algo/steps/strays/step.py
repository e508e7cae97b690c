"""Step of a workbook with rows of no request, or of an undone ruling: requests that one may belong to wait (REQ-21).

| The row names | It holds, of the ready requests that are not ruled |
|---|---|
| the id of a request | none; those that have the title of one whose ruling is undone |
| an id that was ruled, and that no request has any more | none if a ruling in force has read the row, else all |
| an id above all that requests have, as the program gives them | none, since its request is to come |
| the title of one request | none; that one if the row was part of a ruling in force of another request |
| the title of several requests | those |
| anything else | those whose id or title is most similar; if none is, or it is an id, those without rows of their own |
| nothing | those without rows of their own |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Self

from engine.columns import ColumnPlace, Kind, loosely, tab_of
from engine.suggest import WordList
from sheets_algo.database.cell_text import ReadError, as_text, is_typed
from sheets_algo.database.grouping import grouped
from sheets_algo.database.problems import Problem, count, quoted, shorten_list
from sheets_algo.database.tables import Edit, Row, Table
from sheets_algo.forms.databases import by_ruleset, open_database
from sheets_algo.forms.request_columns import is_ready
from sheets_algo.ruling.plan import Contents
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.ruling.request_tab import RequestTab
from sheets_algo.ruling.requests.row_states import DIGITS_MOST, RowStates, row_digest
from sheets_algo.ruling.requests.status_columns import PartRows
from sheets_algo.ruling.step import Hold, Step, StepFindings


@dataclass(frozen=True)
class StraysStep(Step):
    """The stray rows of one pass."""

    strays: Mapping[str, StrayRows]  # Those of each form with further tabs, by the form's key
    known: Mapping[str, str] | None  # The digests of the last pass; None if each row counts at once
    now: str  # The time of the pass

    @classmethod
    def of(cls, contents: Contents) -> Self | None:
        """Return the step of a workbook that has a stray row, or a Message of one."""
        strays = {}
        for forms in by_ruleset(form for form in contents.context.forms if form.parts):
            database = open_database(contents.snapshot, forms, contents.receipts.names)
            for form in forms:
                states = RowStates(form, database, contents.receipts)
                strays[form.key] = StrayRows(PartRows(form, database, contents.receipts, states))
        strays = {key: rows for key, rows in strays.items() if rows.rows or rows.with_messages}
        return cls(strays, contents.context.before.known, contents.now) if strays else None

    def hold(self, tab: RequestTab, row: Row) -> Hold | None:
        """Return the rows that hold a request; while one is still being typed, the request waits silently."""
        own = self.strays.get(tab.form.key)
        strays = own.by_request.get(row.number, ()) if own else ()
        settled = [*filter(self._is_settled, strays)]
        return Hold((held_problem(row, settled),) if settled else ()) if strays else None

    def finish(self) -> StepFindings:
        """Return the problems of stray rows, their Messages, and their digests for the next pass.

        That pass is due at once while a row may still be being typed, even if all its requests are refused.
        """
        all_rows = self.strays.values()
        is_settled = all(self._is_settled(stray) for rows in all_rows for stray in rows.rows)
        return StepFindings(
            problems=tuple(problem for rows in all_rows for problem in rows.problems),
            edits=tuple(edit for rows in all_rows for edit in self._messages(rows)),
            known={stray.key: "" for rows in all_rows for stray in rows.rows},
            deadline=None if is_settled else datetime.fromisoformat(self.now),
        )

    def _messages(self, rows: StrayRows) -> Iterator[Edit]:
        """Yield the Messages of the rows that have one, or had one."""
        yield from (Edit(row, "message", None) for row in rows.with_messages)
        for stray in filter(self._is_settled, rows.rows):
            if "message" in stray.row.table.places:
                yield Edit(stray.row, "message", stray.message)

    def _is_settled(self, stray: StrayRow) -> bool:
        """Return True if the row is unchanged since the last pass, or already has this Message."""
        is_said = "message" in stray.row.table.places and as_text(stray.row.value("message")) == stray.message
        return self.known is None or stray.key in self.known or is_said


NAMED = 5
"""Maximum number of requests that a Message names."""


@dataclass(frozen=True, slots=True)
class StrayRow:
    """A row with orders that may belong to other requests than the named one, if any."""

    row: Row
    why: str  # The reason, a clause
    one: str  # The word for a request: `war`
    holds: Sequence[Row]  # The ready requests that it may belong to

    @property
    def message(self) -> str:
        """Return the Message of the row: the requests that it holds, the reason, and both remedies."""
        does = f"Holds {_listed(self.holds)}" if self.holds else f"Belongs to no {self.one}"
        return f"{does}: {self.why}. {self.ways}"

    @property
    def ways(self) -> str:
        """Return both remedies."""
        header = self.row.table.header("request")
        return f"Type the id or the name of its {self.one} into {header}, or delete the row"

    @property
    def key(self) -> str:
        """Return the digest of the row, independent of its place, for the next pass."""
        return f"{self.row.table.key}\x1f{row_digest(self.row)}"


def held_problem(request: Row, strays: Sequence[StrayRow]) -> Problem:
    """Return the problem of a request that rows hold; it names the first of them and both remedies."""
    first, *others = strays
    more, one = f", as {count(len(others), 'more row')}," if others else "", first.one
    says = f"{first.row.cell('request')}{more} may be of this {one}: {first.why}"
    own, header = request.name or quoted(request.title), first.row.table.header("request")
    ways = f"If it is, type {own} into its {header}; if not, the {one} that it is of, or delete the row"
    return request.problem("request", "REQ-21", says, allowed=ways)


@dataclass(frozen=True)
class StrayRows:
    """The stray rows of the further tabs of one form."""

    parts: PartRows

    @cached_property
    def rows(self) -> Sequence[StrayRow]:
        """Return the rows with orders but without a request, by tab, in the order of the sheet."""
        doubtful = (row for table in self.parts.tables for row in self._doubtful(table))
        return [stray for row in doubtful if _has_orders(row) and (stray := self._stray(row)) is not None]

    @cached_property
    def by_request(self) -> Mapping[int, Sequence[StrayRow]]:
        """Return the rows that hold a request, by the number of its row."""
        return grouped((request.number, stray) for stray in self.rows for request in stray.holds)

    @property
    def with_messages(self) -> Sequence[Row]:
        """Return the rows with a Message, including those emptied since."""
        tables = [table for table in self.parts.tables if "message" in table.places]
        rows = (Row(table, number) for table in tables for number in (table.sheet.rows if table.sheet else ()))
        return [row for row in rows if row.number > row.table.header_row and not row.is_blank("message")]

    @property
    def problems(self) -> Iterator[Problem]:
        """Yield a problem for the first row of each id of a lost request; the database reports other ids."""
        firsts: dict[str, StrayRow] = {}
        for stray in self.rows:
            firsts.setdefault(loosely(as_text(stray.row.value("request"))), stray)
        for stray in firsts.values():
            typed = stray.row.value("request")
            content = self.parts.database.content(stray.row.table.record, "request", typed)
            if not isinstance(content, ReadError):
                yield stray.row.problem("request", "REQ-21", stray.why, allowed=stray.ways)

    def _doubtful(self, table: Table) -> Sequence[Row]:
        """Return the rows that name no request, or one whose ruling is undone, in the order of the sheet."""
        named = self._requests.by_name
        undone = {id for id, ruling in self._rulings.items() if id in named and self._is_undone(named[id][0])}
        known = named.keys() - undone
        rows = [row for text, rows in table.by_request.items() if text not in known for row in rows]
        rows += (row for row in table if row.is_blank("request"))
        return sorted(rows, key=lambda row: row.number)

    def _stray(self, row: Row) -> StrayRow | None:
        meant = self._meant(row, as_text(row.value("request")))
        if meant is None:
            return None
        why, requests = meant
        return StrayRow(row, why, self._one, [each for each in requests if each in self._ready])

    def _meant(self, row: Row, typed: str) -> tuple[str, Sequence[Row]] | None:
        """Return the reason why a row may belong to other requests, and these; None if it does not."""
        text, requests, one = loosely(typed), self._requests, self._one
        if not text:
            return f"it names no {one}", self._without_rows
        if named := requests.by_name.get(text):
            namesakes = requests.by_title.get(loosely(named[0].title), ())
            alike = [each for each in namesakes if each not in named and self._is_open(each)]
            if alike and self._is_undone(named[0]):
                return f"the ruling of {named[0].name} is undone, and {_listed(alike)} has its name", alike
            return None
        titled, ruling = requests.by_title.get(text, ()), self._rulings.get(text)
        if ruling:
            if self.parts.has_read(self.parts.receipts.ruling_in_force(text), row) and not titled:
                return None
            undone = ", and its ruling is undone" if self.parts.receipts.is_undone(ruling) else ""
            return f"no row has {ruling.request} any more{undone}", self._ready
        if text in self._numbered or self._number(text) > self._highest:
            return None
        reader = self.parts.readers.get((row.table.key, row.number))
        if len(titled) == 1 and (reader is None or loosely(reader.request) == loosely(titled[0].name)):
            return None
        alike = [each for each in titled if self._is_open(each)]
        if reader:
            ready = [each for each in alike if each in self._ready]
            says = f"{reader.request} was ruled with it, and {_listed(ready)} has the same name"
            return (says, ready) if ready else None
        if alike:
            return f"{count(len(titled), one)} are called {quoted(typed)}", alike
        near = self._similar(typed)
        if not near or self._number(text):  # ids are all alike; that of its own row may have been cleared
            near = [*near, *(each for each in self._without_rows if each not in near)]
        return f"no {one} is called {quoted(typed)}", near

    def _similar(self, typed: str) -> Sequence[Row]:
        """Return the requests that are not ruled, or undone, whose id or title is most similar to a text."""
        rows = {row.number: row for word in self._words.all_nearest(typed) for row in self._by_word[word]}
        return [rows[number] for number in sorted(rows)]

    def _is_undone(self, request: Row) -> bool:
        """Return True if the ruling of a request is undone, without an order for another one."""
        ruling = self._rulings.get(loosely(request.name))
        is_undone = ruling is not None and self.parts.receipts.is_undone(ruling)
        return is_undone and not self.parts.states.asks_anew(request)

    def _is_open(self, request: Row) -> bool:
        """Return True if a request is not ruled, or has the action Rule again."""
        return not self.parts.receipts.is_settled(request.name) or self.parts.states.asks_anew(request)

    @cached_property
    def _rulings(self) -> Mapping[str, StoredReceipt]:
        """Return the last ruling of each request of the form."""
        own = (ruling for ruling in self.parts.receipts.rulings if ruling.ruleset == self.parts.form.key)
        return {loosely(ruling.request): ruling for ruling in own}

    @property
    def _requests(self) -> Table:
        return self.parts.requests

    @property
    def _one(self) -> str:
        return tab_of(self.parts.form.request).one

    @cached_property
    def _ready(self) -> Sequence[Row]:
        return [row for row in self._requests if is_ready(row) is True and self._is_open(row)]

    @cached_property
    def _without_rows(self) -> Sequence[Row]:
        return [row for row in self._ready if not any(table.rows_of(row) for table in self.parts.tables)]

    @cached_property
    def _numbered(self) -> frozenset[str]:
        return frozenset(map(loosely, self._requests.texts("request")))

    @cached_property
    def _highest(self) -> int:
        """Return the highest number of a request's id: the program only gives higher ones (REQ-01)."""
        return max(map(self._number, self._numbered), default=0)

    def _number(self, id: str) -> int:
        """Return the number of a normalised id of the program: 7 of `w-0007`.

        It is 0 for any other text.
        """
        number = id.removeprefix(loosely(self.parts.form.prefix))
        is_given = id != number and number.isdecimal() and f"{int(number[:DIGITS_MOST]):04}" == number
        return int(number) if is_given else 0

    @cached_property
    def _by_word(self) -> Mapping[str, Sequence[Row]]:
        """Return the requests without a ruling in force, by id and by title."""
        rows = [row for row in self._requests if self._is_open(row) or self._is_undone(row)]
        words = ((loosely(text), row) for row in rows for text in (row.name, row.title) if text)
        return grouped(dict.fromkeys(words))

    @cached_property
    def _words(self) -> WordList:
        return WordList(self._by_word)


def _has_orders(row: Row) -> bool:
    """Return True if a row has orders besides names: a side, a place, a count or a maneuver."""
    return any(
        is_typed(value)
        for attribute, column, value in row.values()
        if attribute != "request" and column.place is ColumnPlace.PERSON and column.kind is not Kind.TEXT
    )


def _listed(requests: Sequence[Row]) -> str:
    names = [row.name or quoted(row.title) for row in requests]
    return ", ".join(shorten_list(names, NAMED))
