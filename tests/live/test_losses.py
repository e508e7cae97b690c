"""Receipts, guards and results that people delete, change or bring back: a war is ruled once over all time (RCP-19)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from scripts.support.live.ages import late_season
from scripts.support.live.losses import ANSWERS, LOSSES, OF_RECEIPTS, in_rows
from scripts.support.live.people import FORGET, edit
from scripts.support.live.runner import Play, prepared
from scripts.support.live.schedules import OTHER_VERSIONS, WATCHED, Event, Schedule
from scripts.support.live.stage import REQUESTS, Stage, small_season
from sheets_algo.runtime.session.session import opened
from sheets_algo.workbook.google.commit import guard
from sheets_algo.workbook.head import Head
from tests.live.sampling import sample, violations_of

pytestmark = pytest.mark.slow

BACK = "everything: as it was 9 looks ago, metadata too"
LATER = ("A", "tick the last one", "A", "A", "B")
"""Turns after a loss: one more war is asked for, and a process without a record looks."""


def after(*deeds: str, first: tuple[str, ...] = ("A", "A")) -> Schedule:
    """Return a schedule: three wars are ruled, people do something, and one more war is asked for."""
    return Schedule((*first, *deeds, *LATER))


def test_nothing_is_ruled_twice_after_any_loss():
    assert violations_of(sample((after(deed) for deed in LOSSES), 4)) == {}


def test_losses_are_restored_or_accepted():
    both = ((loss, answer) for loss in OF_RECEIPTS for answer in ANSWERS)
    assert violations_of(sample((after(loss, "A", answer) for loss, answer in both), 3)) == {}


def test_losses_during_a_poll_are_handled():
    places = ((at, loss) for at in range(8, 22) for loss in OF_RECEIPTS)
    schedules = (Schedule((*WATCHED, "B", "A"), (Event("A", at, "act", loss),)) for at, loss in places)
    assert violations_of(sample(schedules, 2)) == {}


@pytest.mark.parametrize("other", OTHER_VERSIONS)
def test_another_version_rules_nothing_in_a_foreign_season(other: str):
    assert violations_of([after(other, other, "Receipts: the last row is deleted", other, FORGET, other)]) == {}


def test_a_computer_without_a_record_reuses_no_id_of_a_lost_receipt():
    assert violations_of([Schedule(("A", "A", "everything: as it was 9 looks ago"))]) == {}


@pytest.mark.parametrize(
    "schedule",
    [
        Schedule(
            ("A", "A", "edit an id", "tick the last one", "A", "everything: as it was 2 looks ago, metadata too"),
            season="wars and jousts",
        ),
        Schedule(
            ("A", "A", "War Requests: as it was 1 looks ago", "A", "the last loss is taken back"),
            season="wars and forecasts",
        ),
    ],
    ids=["a result", "Waiting"],
)
def test_a_status_of_an_older_version_is_not_another_program_s_text(schedule: Schedule):
    assert violations_of([schedule]) == {}


def test_a_season_without_rulings_is_held_without_its_row():
    losses = ("Receipts: the first row is deleted", "Receipts: all rows are cleared")
    assert violations_of([Schedule((loss, "A", "B"), season="promised wars") for loss in losses]) == {}


def test_contradictory_guards_and_records_hold_a_season_but_no_watcher():
    """Another program ruled anew in an older version with its guards; then the receipts of before came back."""
    forked = Event("R", 9, "act", "everything: as it was 9 looks ago, metadata too")
    assert violations_of([Schedule(("A", "R", "R", "Receipts: as it was 1 looks ago"), (forked,))]) == {}


def test_the_record_holds_a_season_whose_guards_were_restored(tmp_path: Path):
    with Stage.set(small_season()) as stage, prepared():
        play = Play(stage, after(BACK), tmp_path)
        assert play.play() == []
        told = play.known
        ruled = {row["Request"] for row in play.witness.receipts() if row["Kind"] == "Ruling"}

    assert "the record on this computer says 4-" in told
    assert len(ruled) == 4  # by the process that has no record


def test_the_last_remaining_guards_reveal_deleted_ones(tmp_path: Path):
    """More receipts vanish than guards are kept."""
    with Stage.set(late_season(270)) as stage, prepared():
        play = Play(stage, Schedule(()), tmp_path)
        before = play.start("Z", "Z").session
        written = opened(before).receipts
        long_ago = play.clock.read() - timedelta(days=9)
        slots = [
            guard.request(seq, long_ago, written.season, Head(seq, receipt.digest))
            for seq, receipt in written.by_seq.items()
            if seq > 1  # the season has begun with its own
        ]
        stage.server.user(stage.book.id, slots)
        for turn in ("A", "tick the last one", "A", "A", "A"):
            play.take_turn(turn)
        assert len(play.witness.receipts()) == 271
        assert len(stage.book.slots()) == guard.KEPT + 1
        in_rows("Receipts", delete_after_nine)(stage)
        edit(REQUESTS, "Channel interception", "Ruled At", None)(stage)
        watcher = play.start("other", "Z").watcher
        watcher.look()

        assert len(play.witness.receipts()) == 9
        assert "Nothing is ruled now. Receipts are gone" in str(stage.book.grid(stage.ids[REQUESTS]))
        assert "receipts 10 to 271 are gone; the guard in the spreadsheet says" in watcher.tally.trouble


def delete_after_nine(rows: int) -> Iterator[dict[str, object]]:
    yield {"deleteDimension": {"range": {"dimension": "ROWS", "startIndex": 10, "endIndex": rows}}}
