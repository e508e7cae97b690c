"""Wars that players ask for in a Google Form, taken when a year ends at its deadline (YRS-15)."""

from __future__ import annotations

import functools
import json
import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar

import msgspec

from engine.columns import TabDeclaration, loosely, tab_of
from engine.ruleset import Plain
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.moments import read_time, utc_text
from sheets_algo.database.problems import CellRef, Problem, Severity, quoted
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.capabilities import AskedColumns, YearlyForm
from sheets_algo.forms.request_columns import asked_in_column
from sheets_algo.ruling.contents import Contents
from sheets_algo.ruling.receipts.receipt_inputs import Sealed, SentOrder
from sheets_algo.ruling.receipts.receipts import StoredReceipt, fingerprint_of
from sheets_algo.ruling.request_tab import RequestTab
from sheets_algo.ruling.step import PassState
from sheets_algo.workbook.cell_limits import LONGEST
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.tab_key import TabKey

TIME, ADDRESS = ("timestamp", "zeitstempel", "horodateur", "marca temporal"), ("email address", "e-mail-adresse")
"""Headers that Google Forms writes over the time of a response and over who sent it."""
MOST = 20
"""Most requests of one player that a deadline takes."""
KEY_DIGITS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedIn:
    """The column of the tab of years that names the responses, for whoever knows no form."""

    tab: ClassVar[TabDeclaration] = TabDeclaration("Years", one="year", optional=True)
    asked_in: str = asked_in_column()


class _ResponsesTab(Table):
    """A tab of responses, whose headers are in row 1."""

    @functools.cached_property
    def header_row(self) -> int:
        return 1


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedWar:
    """A war that a player asked for."""

    row: Row
    time: datetime
    sender: str  # His address
    key: str  # An identity that no other response has
    cells: Mapping[str, Plain]  # By attribute


class AskedWars:
    """The wars that players ask for in the tab that a row of years names.

    Args:
        row: The row of years.
    """

    def __init__(self, contents: Contents, form: YearlyForm[Any], row: Row) -> None:
        self._contents, self._form, self._row = contents, form, row
        self._columns: AskedColumns = form.asked
        self.problems: list[Problem] = []

    def read_problems(self) -> Sequence[Problem]:
        """Return what is wrong with the responses."""
        deque(self._read(), maxlen=0)
        return self.problems

    def take(self, state: PassState, tab: RequestTab, until: datetime, year: int) -> None:
        """Add the wars asked for until a time to their tab, unticked, with a receipt that holds what they say."""
        taken = {key for _, sealed in self._contents.receipts.sealed for key in sealed.keys}
        asked = sorted(self._read(), key=lambda war: (war.time, war.key))
        asked = [war for war in asked if war.time <= until and war.key not in taken]
        if not asked:
            return
        last = {_thing(war, self._columns): war for war in asked}  # of two for one thing the last counts
        counted, orders, lines = Counter[str](), dict[str, SentOrder](), list[str]()
        for war in last.values():
            counted[war.sender] += 1
            if counted[war.sender] > MOST:
                continue
            number = tab.table.next_request
            id = as_text(tab.table.value(number, tab.table.places.get("request", 0))) or tab.ids.next_free()
            values: dict[str, Plain] = {"request": id, "year": year + 1, **war.cells}
            values = {name: each for name, each in values.items() if name in tab.table.places}
            state.changes.add(tab.database.add(tab.form.request, values, number), values)
            words = {name: as_text(each) for name, each in war.cells.items()}
            orders[id] = SentOrder(war.key, words)
            digest = fingerprint_of(json.dumps(words, sort_keys=True))
            lines.append(f"* {id}: sent {utc_text(war.time)}, SHA-256 {digest}")
        kept = {order.key for order in orders.values()}
        again = tuple(war.key for war in asked if war.key not in kept)
        parts = [f"Asked for by players until {utc_text(until)}: {len(orders)}."]
        without = f"Of requests for one war the last counts, and {MOST} of a player: without {len(again)}."
        parts += [without] if again else []
        content = Sealed(turn=year, deadline=utc_text(until), orders=orders, again=again)
        state.log.append(
            StoredReceipt(
                seq=state.log.next_seq,
                kind="Orders",
                ruleset=self._form.key,
                war=f"The year {year}",
                wiki="\n".join((" ".join(parts), *lines)),
                inputs=msgspec.json.encode(content).decode(),
                time=self._contents.now,
            )
        )

    def _read(self) -> Iterator[AskedWar]:
        """Yield the requests of senders for their own nations, and note what is wrong with the others."""
        title = as_text(self._row.value("asked_in"))
        sheet = self._contents.snapshot.sheet(TabKey.named(title)) if title else None
        if title and sheet is None:
            says = f"no tab is called {quoted(title)}"
            allowed = "Name the tab of the Form's responses"
            self.problems.append(self._row.problem("asked_in", "YRS-15", says, allowed=allowed))
        if sheet is None:
            return
        record = next(table.record for key, table in self._contents.tables.items() if key == self._columns.form)
        table = _ResponsesTab(record, sheet)
        heads = {loosely(head): place for place, head in table.own_headers.items()}
        time, address = (next((heads[name] for name in names if name in heads), 0) for names in (TIME, ADDRESS))
        if not time or not address or self._columns.whose not in table.places:
            says = f"row 1 lacks Timestamp, Email Address or {table.header(self._columns.whose)}"
            allowed = f"Let the Form collect addresses, and call its questions as the columns of {tab_of(record).name}"
            self.problems.append(Problem(cell=CellRef(table.title, 1), says=says, id="YRS-15", allowed=allowed))
            return
        owners, sent = self._owners(), Counter[tuple[Any, str]]()
        for number in sorted(sheet.rows):
            moment, sender = read_time(table.value(number, time)), as_text(table.value(number, address)).casefold()
            if number == 1 or moment is None:
                continue
            sent[moment, sender] += 1
            row = Row(table, number)
            cells: dict[str, Plain] = {
                name: as_text(row.value(name))[: LONGEST // 2]
                for name in self._columns.cells
                if name in table.places and not row.is_blank(name)
            }
            whose = as_text(row.value(self._columns.whose))
            if loosely(whose) not in owners.get(sender, ()):
                says = f"{quoted(sender)} asks for {quoted(whose)}, which he does not play"
                problem = row.problem(self._columns.whose, "YRS-15", says, allowed="Type his address beside his nation")
                self.problems.append(replace(problem, severity=Severity.WARNING))
                continue
            key = fingerprint_of(json.dumps([utc_text(moment), sender, sent[moment, sender]]))[:KEY_DIGITS]
            yield AskedWar(row=row, time=moment, sender=sender, key=key, cells=cells)

    def _owners(self) -> Mapping[str, Sequence[str]]:
        """Return the names of the rows that each address may ask for."""
        owners: dict[str, list[str]] = {}
        for row in Table.of(self._contents.snapshot, self._columns.owners):
            for typed in re.split(r"[;,\s]+", as_text(row.value(self._columns.contact)).casefold()):
                if "@" in typed:
                    owners.setdefault(typed, []).append(loosely(row.name))
        return owners


def _thing(war: AskedWar, columns: AskedColumns) -> tuple[str, ...]:
    return (war.sender, *(loosely(as_text(war.cells.get(name, ""))) for name in columns.thing))


def responses_to_read(snapshot: Snapshot) -> tuple[TabKey, ...]:
    """Return the tabs with responses that rows of years name and that a snapshot lacks."""
    titles = {TabKey.named(as_text(row.value("asked_in"))) for row in Table.of(snapshot, AskedIn)}
    return tuple(key for key in map(TabKey.named, snapshot.others) if key in titles)
