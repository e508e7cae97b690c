"""A spreadsheet late in a long season: many receipts of wars whose rows are gone, and a few wars left."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.columns import columns
from scripts.support.live.runner import Play, prepared
from scripts.support.live.schedules import Schedule
from scripts.support.live.stage import Grid, Stage, small_season
from sheets_algo.ruling.receipts.receipt_rows import ReceiptRow
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.workbook.snapshot import Sheet, Snapshot
from sheets_algo.workbook.staleness import RECEIPTS_TAB

LOOKS = 4
"""Looks until everything that is ready is ruled and the watcher has nothing to do."""


def late_season(receipts: int) -> dict[str, Grid]:
    """Return the small season after its wars, with copies of its last receipt up to this number.

    The receipts differ in number, request and place in the chain, and their seeds are marked as given, since the
    database has the results of the last one only.
    """
    with Stage.set(small_season()) as stage, TemporaryDirectory() as folder, prepared():
        play = Play(stage, Schedule(()), Path(folder))
        for _ in range(LOOKS):
            play.look("A")
        tabs: dict[str, Grid] = {title: stage.book.grid(id) or [] for title, id in stage.book.tabs.items()}
    header, *_ = tabs["Receipts"]
    sheet = Sheet("Receipts", dict(enumerate(tabs["Receipts"], start=1)))
    *_, last = read_receipts(Snapshot({RECEIPTS_TAB: sheet})).by_seq.values()
    for number in range(last.seq + 1, receipts + 1):
        copy = replace(last, seq=number, request=f"W-{number + 1000:05}", seed_source="given")
        last = copy.chained(last.digest)
        (cells,) = last.rows()
        named = {column.header: cells.get(attribute) for attribute, column in columns(ReceiptRow)}
        tabs["Receipts"].append([named.get(name) for name in header])
    return tabs
