"""Reader of players' own rows: responses of a Google Form, or tabs of theirs (TRN-10, TRN-12, YRS-15)."""

from __future__ import annotations

import functools
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from engine.columns import Field, loosely
from engine.receipt import on_one_line, without_markup
from engine.ruleset import Plain
from engine.suggest import misspelt, nearest
from sheets_algo.database.cell_text import as_text, is_blank, is_typed
from sheets_algo.database.fields import plain
from sheets_algo.database.moments import read_time
from sheets_algo.database.problems import CellRef, Problem, Severity, quoted, rows_named
from sheets_algo.database.tables import Row, Table
from sheets_algo.database.typed_numbers import certain
from sheets_algo.ruling.receipts.receipt_rows import Sealed
from sheets_algo.ruling.receipts.receipts import StoredReceipt, fingerprint_of
from sheets_algo.ruling.step import PassState, titles_in
from sheets_algo.workbook.cell_limits import LONGEST
from sheets_algo.workbook.snapshot import Sheet, Snapshot
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
"""Headers over the address of the sender."""
KEY_DIGITS = 16
Written = TypeVar("Written")


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A row of a player."""

    number: int  # The number of the row
    time: datetime | None  # The time of the Form
    sender: str  # The address, in small letters; the player's name in a tab of his own
    key: str  # Its unique identity within a Form; blank in a tab without times


class PlayersTab(Table):
    """A tab of players, with headers in row 1 whatever is typed below."""

    @functools.cached_property
    def header_row(self) -> int:
        """Return 1."""
        return 1

    @functools.cached_property
    def heads(self) -> Mapping[str, int]:
        """Return the column number of each header that declares no column, as headers are compared."""
        return {loosely(head): place for place, head in self.own_headers.items()}

    @property
    def time(self) -> int:
        """Return the number of the column of times, 0 for none."""
        return next((self.heads[name] for name in TIMES if name in self.heads), 0)

    @property
    def address(self) -> int:
        """Return the number of the column of addresses, 0 for none."""
        return next((self.heads[name] for name in ADDRESSES if name in self.heads), 0)

    def responses(self, filled: Collection[int], owner: str = "") -> Iterator[Response]:
        """Yield the rows with something in one of some columns.

        Args:
            filled: The numbers of the columns.
            owner: The player whose tab it is; blank for a Form's.
        """
        sent = Counter[tuple[Any, str]]()
        for number in sorted(self.sheet.rows) if self.sheet else ():
            if number > 1 and any(is_typed(self.value(number, place)) for place in filled):
                moment = read_time(self.value(number, self.time)) if self.time else None
                sender = as_text(self.value(number, self.address)).casefold() if self.address else owner
                sent[moment, sender] += 1  # of a sender in one second
                key = short_digest(moment.isoformat(), sender, sent[moment, sender]) if moment else ""
                yield Response(number=number, time=moment, sender=sender, key=key)

    def stray_headers(self, known: Collection[int], asked: Iterable[str], id: str) -> Iterator[Problem]:
        """Yield the problems of headers of unread columns.

        Args:
            known: The numbers of the columns that are read.
            asked: The headers of all possible questions.
            id: The id of the rule.
        """
        there = {loosely(as_text(self.value(1, place))) for place in known}
        absent = [head for head in dict.fromkeys(asked) if loosely(head) not in there]
        for place, head in ((place, as_text(head)) for place, head in enumerate(self.cells(1), start=1)):
            if not head or place in known:
                continue
            meant, cell = misspelt(head, absent), CellRef(self.title, 1, place)
            if loosely(head) in there:
                says = f"a second column {quoted(head)}, of which only one would be read"
                yield Problem(cell=cell, says=says, id=id, allowed="Ask for each thing once")
            elif meant:
                says, allowed = f"the header {quoted(head)} looks like {quoted(meant)}, which is missing", "Rename it"
                yield Problem(cell=cell, says=says, id=id, allowed=allowed)
            else:
                says = f"the answers below {quoted(head)} are not read: players fill {', '.join(absent) or 'no more'}"
                yield Problem(cell=cell, says=says, id=id, severity=Severity.NOTE)


def named_tabs(
    row: Row, attribute: str, snapshot: Snapshot, own: Collection[TabKey], problems: list[Problem]
) -> Iterator[Sheet]:
    """Yield the named tabs of a cell; add a problem for each that is missing, or is the program's."""
    for title in titles_in(row, attribute):
        key = TabKey.named(title)
        sheet = snapshot.sheet(key)
        if sheet and key not in own:
            yield sheet
            continue
        says = f"{quoted(title)} is a tab of the program" if sheet else f"no tab is called {quoted(title)}"
        near, allowed = "" if sheet else nearest(title, snapshot.others), "Name the tab in which players write"
        id = dict(row.table.columns)[attribute].id
        problems.append(row.problem(attribute, id, says, nearest=near, allowed=allowed))


def filled_cells(row: Row, names: Collection[str]) -> tuple[Mapping[str, Field], Mapping[str, Plain]]:
    """Return the columns and the values of the cells of some attributes that are not blank."""
    filled: dict[str, Field] = {}
    cells: dict[str, Plain] = {}
    for name, column, value in row.values():
        if name in names and not is_blank(value):
            is_sure = isinstance(value, str | PerCent)  # a number may be a share, which the request's own check reports
            filled[name] = column
            cells[name] = certain(column, plain(row.value(name))) if is_sure else plain(value)
    return filled, cells


def too_long(row: Row, cells: Mapping[str, Plain], id: str) -> Problem | None:
    """Return the problem of a cell with more characters than are copied, None if there is none."""
    for name, value in cells.items():
        if isinstance(value, str) and len(value) > LONGEST // 2:  # some take two units of it
            says = f"{len(value):,} characters are more than the {LONGEST // 2:,} that are copied"
            return row.problem(name, id, says, allowed="Shorten it")
    return None


def names_by_address(table: Table, contact: str) -> Mapping[str, Sequence[str]]:
    """Return the names of the rows with each address, in small letters, in a column."""
    names: dict[str, list[str]] = {}
    for row in table:
        for typed in re.split(r"[;,\s]+", as_text(row.value(contact)).casefold()):
            if "@" in typed:
                names.setdefault(typed, []).append(row.name)
    return names


def as_one(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield a warning for each problem that rows share: that of the first row, which names the others."""
    alike: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        alike.setdefault((problem.column, problem.says), []).append(problem)
    for first, *others in alike.values():
        more = f"; {rows_named((other.cell.row for other in others), len(others))} likewise" if others else ""
        yield replace(first, says=first.says + more, severity=Severity.WARNING)


def last_of(
    written: Sequence[Written], thing: Callable[[Written], Hashable]
) -> tuple[Sequence[Written], Sequence[Written]]:
    """Return the valid responses of players, the last about each thing, and the rest."""
    last = {thing(each): each for each in written}
    earlier = [each for each in written if last[thing(each)] is not each]
    return [each for each in written if last[thing(each)] is each], earlier


def append_orders(
    state: PassState, form: str, name: str, sealed: Sealed, parts: Iterable[str], lines: Iterable[str]
) -> None:
    """Append the receipt of players' responses, with their contents (TRN-12).

    Args:
        form: The key of the form.
        name: The turn or year.
        parts: Sentences about all.
        lines: A line for each.
    """
    receipt = StoredReceipt(
        seq=state.log.next_seq,
        kind="Orders",
        ruleset=form,
        war=name,
        wiki="\n".join((" ".join(parts), *lines)),
        inputs=msgspec.json.encode(sealed).decode(),
        time=state.contents.now,
    )
    state.log.append(receipt)


def order_line(id: str, player: str, time: datetime | None, words: str) -> str:
    """Return the line of an order in its receipt, with the digest of its content."""
    when = f", sent {time:%Y-%m-%d %H:%M:%S}" if time else ""
    return f"* {without_markup(on_one_line(f'{id}: {player}'))}{when}, SHA-256 {fingerprint_of(words)}"


def short_digest(*parts: Any) -> str:
    """Return the digest that identifies a response."""
    return fingerprint_of(json.dumps(parts))[:KEY_DIGITS]
