"""Lineage of a workbook: what it is a copy of, as long as no person has accepted it as a game of its own (RCP-38).

A spreadsheet is known by its address, so that another address is a copy, always. A file has a random word, which a
copy shares; the record beside it notes its place, and a file at another place is a copy only if the noted place still
holds a workbook with that word: else it was moved.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from sheets_algo.database.headers import key_of
from sheets_algo.ruling.receipts.receipt_rows import ReceiptRow
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.runtime.session.record import FILE_PLACE, SeasonRecord, noted_place
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.errors import WorkbookError
from sheets_algo.workbook.store import ADDRESS, Workbook

FILE = "file-"
"""The beginning of a file's lineage."""


def new_lineage(workbook: Workbook) -> str:
    """Return the lineage of a workbook in which a season begins; blank for a store that knows no places."""
    place = workbook.place
    return f"{FILE}{secrets.token_hex(8)}" if place and ADDRESS not in place else place


def original_of(session: Session, receipts: Receipts) -> str:
    """Return the original of a copied workbook, a phrase; blank if it is none, or if that cannot be told."""
    place, lineage = session.workbook.place, receipts.lineage
    if not place or not receipts.season:
        return ""
    if ADDRESS in place or ADDRESS in lineage:
        is_file = lineage.startswith(FILE)
        return "" if lineage in ("", place) else "a file" if is_file else lineage
    if not lineage:
        own = SeasonRecord.of(session, receipts.record_key)
        if own.path.exists() and not own.entries(FILE_PLACE):
            return ""  # a season of earlier versions that was played on as a copy goes on
    _, noted = noted_place(session, receipts)
    is_elsewhere = noted not in ("", place) and not _is_same_file(noted, place)
    return noted if is_elsewhere and _holds(session.workbook, noted, receipts.word) else ""


def _is_same_file(one: str, other: str) -> bool:
    with suppress(OSError):
        return os.path.samefile(one, other)
    return False


def _holds(workbook: Workbook, place: str, word: str) -> bool:
    """Return True if a place holds a workbook with a word; also if there is a file that cannot be read."""
    if not Path(place).is_file():
        return False
    try:
        snapshot = workbook.at(place).read((key_of(ReceiptRow),))
    except WorkbookError:
        return True
    return read_receipts(snapshot, is_lenient=True).word == word
