"""A workbook for download: what everybody may know of a season, as an XLSX file that `verify` accepts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from engine.columns import columns, loosely, tab_of
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.request_columns import request_id
from sheets_algo.ruling.receipts.receipt_rows import LogRow, ReceiptRow
from sheets_algo.site.public import PublicSeason
from sheets_algo.template import season_start
from sheets_algo.workbook.errors import BadSetting
from sheets_algo.workbook.template_spec import CellSpec, ColumnSpec, TabSpec, Template
from sheets_algo.workbook.values import Plain, Value
from sheets_algo.workbook.xlsx.edit.new import content_of

WIDTH = 16.0
PRIVATE = ("notes", "contact")
"""Columns that players shall not read: what moderators write as they like, and the addresses of others."""
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")


def workbook_copy(season: PublicSeason) -> bytes:
    """Return a new workbook with the declared columns of the rulesets of which nothing is kept.

    Requests that are not ruled yet are left out with all their rows, and so is whatever people added beside the tabs
    and columns of the rules. Receipts are numbered anew, without their chain, if some of them are left out.

    Raises:
        BadSetting: They would have to be numbered anew, and name each other by number: those of beacon luck do.
    """
    receipts = season.book.receipts
    kept = [receipt for receipt in receipts.by_seq.values() if not receipt.ruleset or season.shows_all(receipt.ruleset)]
    shown_requests = {loosely(receipt.request) for receipt in kept if receipt.kind in ("Ruling", "Undo")}
    kept = [
        receipt
        for receipt in kept
        if receipt.kind not in ("Undo", "Promise") or loosely(receipt.request) in shown_requests
    ]
    numbers = {receipt.seq: place for place, receipt in enumerate(kept, start=1)}
    is_whole = len(kept) == len(receipts.by_seq)
    if not is_whole and receipts.luck.is_beacon:
        raise BadSetting(
            "--with-workbook: the workbook cannot be offered in a season with beacon luck and a game of which something"
            " is kept, since its receipts would have to be numbered anew. Leave the option out."
        )
    if is_whole:
        numbers = {seq: seq for seq in numbers}
    tabs: list[TabSpec] = []
    for form in season.book.forms:
        if not season.shows_all(form.key):
            continue
        for record in form.records():
            if tab_of(record).name not in [tab.name for tab in tabs]:
                has_requests = "request" in dict(columns(record))
                tabs.append(_tab(season, record, shown_requests if has_requests else None, {}))
    left_out = () if is_whole else ("previous",)  # a chain with links left out would look broken
    tabs += [_tab(season, record, None, numbers, left_out) for record in (ReceiptRow, LogRow)]
    tabs = [tab for tab in tabs if tab.columns]
    begun = receipts.begun
    start = season_start(begun) if begun else None
    return content_of(Template(tabs=tabs, opens_with=tabs[0].name, season=start))


def _tab(
    season: PublicSeason,
    record: type,
    requests: set[str] | None,
    numbers: Mapping[int, int],
    left_out: Collection[str] = (),
) -> TabSpec:
    table = Table.of(season.book.snapshot, record)
    rows = (row for row in table if requests is None or loosely(request_id(row)) in requests)
    kept = list(_numbered(rows, numbers)) if "seq" in dict(columns(record)) else [(row, {}) for row in rows]
    placed = [(attribute, column) for attribute, column, _ in table.placed if attribute not in (*PRIVATE, *left_out)]
    return TabSpec(
        name=table.name,
        columns=[ColumnSpec(header=column.header, width=WIDTH) for _, column in placed],
        rows=[
            [CellSpec(changed.get(attribute, _plain(row.value(attribute)))) for attribute, _ in placed]
            for row, changed in kept
        ],
    )


def _numbered(rows: Any, numbers: Mapping[int, int]) -> Iterator[tuple[Row, Mapping[str, Plain]]]:
    """Yield the rows whose receipts are kept, each with its number."""
    for row in rows:
        seq = as_text(row.value("seq"))
        if seq.isdecimal() and int(seq) in numbers:
            yield row, {"seq": numbers[int(seq)]}


def _plain(value: Value) -> Plain:
    if value is None or isinstance(value, bool | int | float):
        return value
    return _UNWRITABLE.sub("\ufffd", value if isinstance(value, str) else as_text(value))
