"""The tab Receipts, and rows to append to it and to the tabs Log and Posts."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar, get_args, get_type_hints

import msgspec

from engine.receipt import SeasonOptions
from engine.ruleset import Event, Plain
from engine.suggest import nearest
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.changes import Changes
from sheets_algo.database.problems import CellRef, quoted
from sheets_algo.database.tables import Row, Table
from sheets_algo.ruling.luck.draw import DRAW, LUCK
from sheets_algo.ruling.receipts.receipt_rows import (
    COLUMNS,
    GIVEN_UP,
    LINEAGE,
    SEALED,
    SEASON,
    SIDES,
    VERSIONS,
    LogRow,
    ReceiptRow,
)
from sheets_algo.ruling.receipts.receipts import (
    DIGEST_DIGITS,
    LONG,
    SAME,
    SEQ_MOST,
    Change,
    Figures,
    ReceiptDamaged,
    Receipts,
    StoredReceipt,
    receipt_digest,
)
from sheets_algo.workbook.head import Head
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.template_spec import TabSpec

COMPARED = ("hour", "side", "flank", "event", "amount", "rule", "text")
"""Attributes of a line of the log that its digest has."""
Content = TypeVar("Content")

CHANGES = msgspec.json.Decoder(tuple[Change, ...])
FIGURES = msgspec.json.Decoder(Figures)
"""Decoders, created during the import as the others of receipts are."""

ESSENTIAL = ("seq", "kind", "request")
"""Attributes of the essential columns: without them, rulings are unknown."""

OF_INPUTS: Mapping[str, Sequence[msgspec.json.Decoder[Any]]] = {
    "Season": (SEASON, LUCK, VERSIONS, COLUMNS, LINEAGE),
    "Fork": (LINEAGE,),
    "Columns": (COLUMNS,),
    "Restore": (GIVEN_UP,),
    "Orders": (SEALED,),
    "Sides": (SIDES,),
}
"""Decoders that must accept the Inputs of each kind of receipt."""

KINDS = ("Ruling", "Undo", "Season", "Rules", "Edits", "Columns", "Promise", "Orders", "Sides", "Restore", "Fork")

LOG_MOST = 30_000
"""Rows of the tab Log beyond which a ruling adds one line: a file is written as a whole each time (RCP-20)."""
CUT_COST = 500
"""Approximate characters of such a line, whose battle takes the memory of a pass all the same."""


def read_receipts(snapshot: Snapshot, *, is_lenient: bool = False) -> Receipts:
    """Read the receipts of a workbook, ignoring rows without the essential cells.

    Args:
        is_lenient: True to collect errors of unreadable receipts in `Receipts.damages`; False to raise the first one.

    Raises:
        ReceiptDamaged: The tab or a receipt was changed by hand so that rulings are uncertain; the message names the
            cell.
    """
    table = Table.of(snapshot, ReceiptRow)
    receipts: dict[int, StoredReceipt] = {}
    damages: list[str] | None = [] if is_lenient else None
    with _note_damage(damages):
        _check_headers(table)
    rows: dict[int, list[Row]] = {}
    for row in table:
        with _note_damage(damages):
            if not all(row.is_blank(attribute) for attribute in ESSENTIAL):
                rows.setdefault(_positive_number(row, "seq"), []).append(row)
    for seq, parts in sorted(rows.items()):
        with _note_damage(damages):
            receipts[seq] = _assemble(seq, _drop_copies(parts))
    return Receipts(receipts, tuple(damages or ()))


@contextmanager
def _note_damage(damages: list[str] | None) -> Iterator[None]:
    """Add a damage to a list, if there is one, and go on."""
    try:
        yield
    except ReceiptDamaged as error:
        if damages is None:
            raise
        damages.append(str(error))


def _check_headers(table: Table) -> None:
    """Raise ReceiptDamaged if a header is misspelt or cleared, so that receipts would look unruled or changed."""
    if table.sheet is None or not table.sheet.rows:
        return
    absent = {column.header: attribute for attribute, column in table.columns if attribute not in table.places}
    is_the_program_s = len(table.places) > len(absent)  # not a tab of people's own with this title
    for number, header in table.own_headers.items():
        if is_the_program_s and (meant := nearest(header, absent)):
            cell = CellRef(table.title, table.header_row, number)
            raise ReceiptDamaged(f"{cell}: says {quoted(header)}, and no column {meant} is left; restore the header.")
    blank = (place for place in range(1, table.width + 1) if not as_text(table.value(table.header_row, place)))
    if is_the_program_s and absent and (cleared := next(blank, 0)):
        cell = CellRef(table.title, table.header_row, cleared)
        raise ReceiptDamaged(f"{cell}: is empty, and no column {' or '.join(absent)} is left; restore the header.")
    missing = [header for header, attribute in absent.items() if attribute in ESSENTIAL]
    if missing:
        raise ReceiptDamaged(
            f"{CellRef(table.title, table.header_row)}: no column {' or '.join(missing)} found, so nobody can tell what"
            f" has been ruled; restore the headers, or rename a tab {table.title} that is not the program's."
        )


def _positive_number(row: Row, attribute: str) -> int:
    text = as_text(row.value(attribute))
    if not (text.isdecimal() and len(text) <= len(str(SEQ_MOST)) and int(text)):
        column = row.table.header(attribute)
        raise _damage(row, attribute, f"{column} {quoted(text)} is not a number from 1 to {SEQ_MOST:,}")
    return int(text)


def _damage(row: Row, attribute: str, says: str) -> ReceiptDamaged:
    return ReceiptDamaged(f"{row.cell(attribute)}: {says}; the receipt was changed by hand: restore the cell.")


def _drop_copies(rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows of a receipt without identical copies by people, which change nothing."""
    if len(rows) == 1:  # most rows, without a comparison of texts
        return rows
    distinct: dict[tuple[str, ...], Row] = {}
    for row in rows:
        distinct.setdefault(tuple(as_text(value) for _, _, value in row.values()), row)
    return [*distinct.values()]


def _assemble(seq: int, rows: Sequence[Row]) -> StoredReceipt:
    parts = sorted(rows, key=lambda row: _positive_number(row, "part"))
    for number, row in enumerate(parts, start=1):
        part = _positive_number(row, "part")
        if part != number:
            raise _damage(row, "part", f"part {part} of receipt {seq} is where part {number} should be")
    first = {name: as_text(parts[0].value(name)) for name, _ in parts[0].table.columns if name not in LONG}
    if first["kind"] not in KINDS:
        raise _damage(parts[0], "kind", f"Kind {quoted(first['kind'])} is not {', '.join(KINDS[:-1])} or {KINDS[-1]}")
    if first["kind"] in ("Ruling", "Undo", "Promise") and not first["request"]:
        raise _damage(parts[0], "request", f"receipt {seq} names no request")
    long = {name: "".join(str(row.value(name) or "") for row in parts) for name in LONG}
    for decoder in OF_INPUTS.get(first["kind"], ()):
        _decode(parts[0], "inputs", long["inputs"] or "{}", decoder)
    if first["kind"] == "Promise":
        _decode(parts[0], "seed_source", first["seed_source"], DRAW)
    texts = {name: text for name, text in (first | long).items() if name in SAME}
    read: dict[str, Any] = {
        "seq": seq,
        "wiki": long["receipt"],
        "rules_version": 0 if parts[0].is_blank("rules_version") else _positive_number(parts[0], "rules_version"),
        "changes": _decode(parts[0], "changes", long["changes"] or "[]", CHANGES),
        "figures": _decode(parts[0], "figures", long["figures"] or '{"message": "", "values": {}}', FIGURES),
        "digest": receipt_digest(first["previous"], first | long),
    }
    return StoredReceipt(**texts | read)


def _decode(row: Row, attribute: str, text: str, decoder: msgspec.json.Decoder[Content]) -> Content:
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        says = f"{row.table.header(attribute)} cannot be read ({_allowed_option(str(error)) or error})"
        raise _damage(row, attribute, says) from error


def _allowed_option(error: str) -> str:
    """Return the allowed words of a season's option with an unknown word (RCP-13); blank for other errors."""
    match = re.fullmatch(r"Invalid enum value '(.*)' - at `\$\.(\w+)`", error)
    option = get_type_hints(SeasonOptions).get(match[2]) if match else None
    if match is None or option is None:
        return ""
    words = " or ".join(word for word in get_args(option) if word)
    return f'"{match[1]}" is not allowed for {match[2]}, use {words}'


class FollowingRow(NamedTuple):
    """A row to append."""

    table: Table
    cells: Mapping[str, Plain]  # By attribute
    looks: TabSpec | None = None  # The format of a new tab; None for a plain one


Follower = Callable[[Receipts, StoredReceipt], Iterable[FollowingRow]]


@dataclass
class ReceiptLog:
    """The tabs Receipts and Log of a snapshot, with the rows to append to them."""

    snapshot: Snapshot
    changes: Changes  # The collector of writes
    receipts: Receipts  # The receipts of the snapshot
    followers: Sequence[Follower] = ()  # Return the rows that follow a new receipt in the same commit
    new: dict[int, StoredReceipt] = field(default_factory=dict)  # The receipts that were appended, by Seq

    @cached_property
    def _tables(self) -> Mapping[type, Table]:
        return {record: Table.of(self.snapshot, record) for record in (ReceiptRow, LogRow)}

    @property
    def with_new(self) -> Receipts:
        """Return the receipts of the snapshot and those that were appended."""
        return Receipts({**self.receipts.by_seq, **self.new})

    @property
    def head(self) -> Head:
        """Return the end of the chain with the receipts that were appended."""
        last = next(reversed(self.new.values()), None)
        return Head(last.seq, last.digest) if last else self.receipts.head

    @property
    def next_seq(self) -> int:
        """Return the Seq of the next receipt."""
        return self.head.seq + 1

    @property
    def guard(self) -> int | None:
        """Return the guard of the commit: the Seq of the first receipt that was appended, None if there is none."""
        return next(iter(self.new), None)

    def append(self, receipt: StoredReceipt) -> StoredReceipt:
        """Append a receipt behind the last one, in as many rows as it needs; return it with its place in the chain.

        A receipt of kind Restore has its place already: it begins a new chain after all existing receipts.
        """
        if receipt.kind in ("Ruling", "Promise"):
            receipt = replace(receipt, inputs_fingerprint=receipt.fingerprint)
        if receipt.kind != "Restore":
            receipt = receipt.chained(self.head.digest or receipt.inputs_fingerprint[:DIGEST_DIGITS])
        for cells in receipt.rows():
            self.changes.append(self._tables[ReceiptRow], cells)
        for follow in self.followers:
            for row in follow(self.receipts, receipt):
                self.changes.append(*row)
        self.new[receipt.seq] = receipt
        return receipt

    def append_ruling(
        self, receipt: StoredReceipt, events: Sequence[Event], last: Sequence[Event], most: int
    ) -> StoredReceipt:
        """Append a ruling with its log, of which the receipt keeps a digest; a note stands for events that are cut.

        Args:
            last: The last lines, which follow the events and are kept in any case.
            most: The most lines.
        """
        sheet = self._tables[LogRow].sheet
        is_full = sheet is not None and sheet.height > LOG_MOST
        most = 1 if is_full else most
        last = last[: most - 1]
        room = most - len(last)
        lines = [*map(log_cells, events)]
        kept = lines if len(lines) <= room else lines[: room - 1]
        figures = replace(receipt.figures, log=log_digest(lines))
        receipt = self.append(replace(receipt, figures=figures))
        self._append_lines(receipt, kept)
        if len(kept) < len(events):
            text = f"{len(events) - len(kept)} more lines stand in the log file of this ruling"
            text += f"; this tab has over {LOG_MOST:,} rows: delete those of its oldest rulings" if is_full else ""
            self.changes.size += CUT_COST * (len(events) - len(kept)) if is_full else 0
            self.changes.append(self._tables[LogRow], {"seq": receipt.seq, "request": receipt.request, "text": text})
        self._append_lines(receipt, map(log_cells, last))
        return receipt

    def _append_lines(self, receipt: StoredReceipt, lines: Iterable[Mapping[str, Plain]]) -> None:
        for line in lines:
            self.changes.append(self._tables[LogRow], {"seq": receipt.seq, "request": receipt.request, **line})


def log_digest(lines: Iterable[Mapping[str, Any]]) -> str:
    """Return a digest of lines of a log by attribute, which rows in another order have too; blank for none."""
    texts = sorted(json.dumps(log_line(line)) for line in lines)
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:DIGEST_DIGITS] if texts else ""


def log_line(cells: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the text of a line without white space, with the digits that every program keeps."""
    values = (cells.get(name) for name in COMPARED)
    texts = (f"{value:.9g}" if isinstance(value, float) else as_text(value) for value in values)
    return tuple("".join(text.split()) for text in texts)


def log_cells(event: Event) -> Mapping[str, Plain]:
    """Return the cells of a line of the log, without the receipt's."""
    return {
        "hour": event.hour,
        "side": event.side,
        "flank": event.flank,
        "event": event.kind,
        "amount": event.amount,
        "rule": event.id,
        "text": event.text,
    }
