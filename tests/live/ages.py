"""A spreadsheet late in a long season: many receipts of wars whose rows are gone, and a few wars left."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.live.runner import Play, prepared
from tests.live.schedules import Schedule
from tests.live.stage import Grid, Stage, small_season

LOOKS = 4
"""Looks until everything that is ready is ruled and the watcher has nothing to do."""


def late_season(receipts: int) -> dict[str, Grid]:
    """Return the small season after its wars, with copies of its last receipt up to this number.

    The receipts differ in number and request, and their seeds are marked as given, since the database has the results
    of the last one only.
    """
    with Stage.set(small_season()) as stage, TemporaryDirectory() as folder, prepared():
        play = Play(stage, Schedule(()), Path(folder))
        for _ in range(LOOKS):
            play.look("A")
        tabs: dict[str, Grid] = {title: stage.book.grid(id) or [] for title, id in stage.book.tabs.items()}
    header, *rows = tabs["Receipts"]
    seq, request, source = (header.index(name) for name in ("Seq", "Request", "Seed Source"))
    for number in range(len(rows) + 1, receipts + 1):
        receipt = list(rows[-1])
        receipt[seq], receipt[request], receipt[source] = number, f"W-{number + 1000:05}", "given"
        tabs["Receipts"].append(receipt)
    return tabs
