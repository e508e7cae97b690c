"""Luck lines: committed with their ruling, once, whatever fails at the write or after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from engine.rng import Rng
from scripts.support.live.runner import SLOT, Play, prepared
from scripts.support.live.schedules import LOST, WATCHED, Event, Schedule
from scripts.support.live.stage import Stage, small_season
from scripts.support.workbooks import forms
from sheets_algo.forms.autoalgo.form import AutoalgoForm
from sheets_algo.replays.luck_report import how_lucky
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.runtime.session.session import opened

ENOUGH = 8
"""Looks in which a watcher rules and comes to rest."""


@pytest.fixture(autouse=True)
def _few_battles(monkeypatch):
    monkeypatch.setattr(AutoalgoForm, "comparison_battles", lambda self, inputs, rulings, *, is_compiled=False: 6)


@contextmanager
def season(*events: Event, is_luck_told: bool = True) -> Iterator[Play]:
    with TemporaryDirectory() as folder, prepared(), Stage.set(small_season()) as stage:
        yield Play(stage, Schedule(WATCHED, events), Path(folder), log_lines=500, is_luck_told=is_luck_told)


def look(play: Play, name: str) -> Path:
    """Let a process look until it rests; return its folder."""
    folder: Path = play.process(name).folder
    for _ in range(ENOUGH):
        play.look(name)
    return folder


def rulings(play: Play) -> Sequence[StoredReceipt]:
    return opened(play.start("witness", "Z").session).receipts.rulings


def luck_lines(play: Play) -> dict[int, list[str]]:
    """Return the luck lines of the tab Log by receipt."""
    lines: dict[int, list[str]] = {}
    for row in play.witness._rows_of("Log"):
        if row["Event"] == "luck":
            lines.setdefault(int(row["Seq"]), []).append(row["Text"])
    return lines


def luck(receipt: StoredReceipt) -> tuple[list[str], list[str]]:
    """Return the whole log of a ruling, and its luck lines in the tab Log, from the receipt alone."""
    form = next(candidate for candidate in forms() if candidate.key == receipt.ruleset)
    inputs, lines = form.deserialize(receipt.inputs), list[str]()
    form.ruleset.resolve(inputs, Rng(int(receipt.seed)), lines.extend)
    events = how_lucky(form, inputs, int(receipt.seed), lines.extend)
    assert len(events) > 1
    return lines, [event.text for event in events]


def check_complete(play: Play) -> None:
    ruled = rulings(play)
    assert len(ruled) == 3
    assert luck_lines(play) == {receipt.seq: luck(receipt)[1] for receipt in ruled}


def number_of_ruling() -> int:
    """Return the number of the request of process A that writes the rulings."""
    with season() as play:
        look(play, "A")
        return next(number for number, body in enumerate(play.bodies, start=1) if SLOT in str(body))


def test_fc_06_a_ruling_is_committed_with_its_luck():
    with season() as play:
        folder = look(play, "A")

        check_complete(play)
        assert all(SLOT in str(body) for body in play.bodies if "FC-06" in str(body))
        for receipt in rulings(play):
            (log,) = (folder / "logs").glob(f"*Z {receipt.request}.txt")
            assert log.read_text(encoding="utf-8").splitlines() == luck(receipt)[0]
        wrote = len(play.wrote)
        look(play, "A")
        assert len(play.wrote) == wrote


@pytest.mark.parametrize("kind", LOST)
def test_a_write_without_an_answer_adds_the_luck_once(kind):
    at = number_of_ruling()
    with season(Event("A", at, "fault", kind, "after"), Event("A", at + 1, "crash")) as play:
        look(play, "A")
        look(play, "B")

        check_complete(play)


def test_a_log_lacks_the_luck_where_the_setting_leaves_it_out():
    with season(is_luck_told=False) as play:
        look(play, "A")

        assert (len(rulings(play)), luck_lines(play)) == (3, {})
