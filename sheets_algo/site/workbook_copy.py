"""A workbook for download: the public part of a season, as an XLSX file that `verify` accepts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.columns import columns, loosely
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.headers import key_of
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form
from sheets_algo.forms.request_columns import request_id
from sheets_algo.ruling.receipts.chain import losses
from sheets_algo.ruling.receipts.receipt_rows import LogRow, ReceiptRow
from sheets_algo.ruling.receipts.receipts import DIGEST_DIGITS, Receipts, StoredReceipt
from sheets_algo.ruling.requests.provenance import PROVENANCE, provenance
from sheets_algo.site.public import PublicSeason
from sheets_algo.template import season_start
from sheets_algo.workbook.cell_limits import cell_text
from sheets_algo.workbook.errors import BadSetting
from sheets_algo.workbook.template_spec import CellSpec, ColumnSpec, TabSpec, Template
from sheets_algo.workbook.values import Plain, Value
from sheets_algo.workbook.xlsx.edit.new import content_of

WIDTH = 16.0
PRIVATE = ("notes", "contact")
"""Columns hidden from players: free notes of moderators, and addresses."""
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")


def workbook_copy(season: PublicSeason) -> bytes:
    """Return a new workbook with the declared columns of the rulesets without withheld parts.

    Unruled requests are left out with all their rows, and so are people's own tabs and columns. In a season with
    withheld parts, receipts have their own numbers and chain.

    Raises:
        BadSetting: A promise tells of a request that is not ruled. Or receipts would have to be numbered anew, and
            those of beacon luck name each other by number, or what is wrong with them could not be seen any more.
    """
    receipts = season.book.receipts
    kept = [receipt for receipt in receipts.by_seq.values() if not receipt.ruleset or season.shows_all(receipt.ruleset)]
    shown_requests = {loosely(receipt.request) for receipt in kept if receipt.kind in ("Ruling", "Undo")}
    if season.is_partial and receipts.luck.is_beacon:
        raise BadSetting(
            "--with-workbook: the workbook cannot be offered in a season with beacon luck and a game of which something"
            " is kept, since its receipts would have to be numbered anew. Leave the option out."
        )
    unruled = [receipt for receipt in kept if receipt.request and loosely(receipt.request) not in shown_requests]
    if unruled:
        raise BadSetting(
            f"--with-workbook: {unruled[0].request} is promised (receipt {unruled[0].seq}) and not ruled, and the"
            " workbook would tell everybody what is planned. Leave the option out until it is ruled."
        )
    if season.is_partial and (receipts.restores or losses(receipts)):
        raise BadSetting(
            "--with-workbook: the workbook cannot be offered in a season of which something is kept once receipts are"
            " gone or were changed: its receipts are chained anew, which would not show it. Leave the option out."
        )
    copied = _own_chain(kept, season.book.forms) if season.is_partial else {receipt.seq: receipt for receipt in kept}
    numbers = {seq: receipt.seq for seq, receipt in copied.items()}
    tabs: list[TabSpec] = []
    for form in season.book.forms:
        if not season.shows_all(form.key):
            continue
        for record in form.records():
            if key_of(record) not in [tab.key for tab in tabs]:
                has_requests = "request" in dict(columns(record))
                tabs.append(_tab(season, record, shown_requests if has_requests else None, numbers))
    tabs += [_chained_tab(copied.values()) if season.is_partial else _tab(season, ReceiptRow, None, numbers)]
    tabs += [_tab(season, LogRow, None, numbers)]
    tabs = [tab for tab in tabs if tab.columns]
    begun = receipts.begun
    start = season_start(begun) if begun else None
    return content_of(Template(tabs=tabs, opens_with=tabs[0].key, season=start))


def _own_chain(kept: Iterable[StoredReceipt], forms: Sequence[Form[Any]]) -> Mapping[int, StoredReceipt]:
    """Return receipts with their own numbers and chain, by their original numbers."""
    copied: dict[int, StoredReceipt] = {}
    by_key, previous = {form.key: form for form in forms}, ""
    for seq, receipt in enumerate(kept, start=1):
        own = replace(receipt, seq=seq)
        if receipt.figures.origins:  # they are numbered anew too, and decisions about secret orders are left out
            before = Receipts({each.seq: each for each in copied.values()})
            origin = provenance(own, before, by_key[own.ruleset], "roll" in own.figures.people)
            wiki = origin.text(own, before).join(PROVENANCE.split(own.wiki))
            own = replace(own, wiki=wiki, figures=replace(own.figures, origins=origin.origins))
        chained = own.chained(previous or receipt.inputs_fingerprint[:DIGEST_DIGITS])
        copied[receipt.seq], previous = chained, chained.digest
    return copied


def _chained_tab(receipts: Iterable[StoredReceipt]) -> TabSpec:
    headers = dict(columns(ReceiptRow))
    return TabSpec(
        key=key_of(ReceiptRow),
        columns=[ColumnSpec(header=column.header, width=WIDTH) for column in headers.values()],
        rows=[[CellSpec(_stored(cells.get(name))) for name in headers] for each in receipts for cells in each.rows()],
    )


def _stored(value: Plain) -> Plain:
    """Return a value of a receipt in the form of its digest."""
    return cell_text(value).text if isinstance(value, str) else value


def _tab(season: PublicSeason, record: type, requests: set[str] | None, numbers: Mapping[int, int]) -> TabSpec:
    table = Table.of(season.book.snapshot, record)
    rows = (row for row in table if requests is None or loosely(request_id(row)) in requests)
    kept = _numbered(rows, numbers) if "seq" in dict(columns(record)) else ((row, {}) for row in rows)
    placed = [(attribute, column) for attribute, column, _ in table.placed if attribute not in PRIVATE]
    return TabSpec(
        key=key_of(record),
        columns=[ColumnSpec(header=column.header, width=WIDTH) for _, column in placed],
        rows=[
            [CellSpec(changed.get(attribute, _plain(row.value(attribute)))) for attribute, _ in placed]
            for row, changed in kept
        ],
    )


def _numbered(rows: Iterable[Row], numbers: Mapping[int, int]) -> Iterator[tuple[Row, Mapping[str, Plain]]]:
    """Yield the rows whose receipts are kept, each with its number."""
    for row in rows:
        seq = as_text(row.value("seq"))
        if seq.isdecimal() and int(seq) in numbers:
            yield row, {"seq": numbers[int(seq)]}


def _plain(value: Value) -> Plain:
    if value is None or isinstance(value, bool | int | float):
        return value
    return _UNWRITABLE.sub("\ufffd", value if isinstance(value, str) else as_text(value))
