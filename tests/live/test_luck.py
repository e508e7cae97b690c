"""How lucky a ruling was is said after the ruling stands: once, whoever says it, and whatever fails meanwhile."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from engine.autoalgo.resolve import Autoalgo
from engine.luck import Luck
from sheets_algo.forecasts.how_lucky import how_lucky, told
from sheets_algo.forms.autoalgo import AutoalgoForm
from sheets_algo.intents import Pending, noted
from sheets_algo.keepsakes import unheard
from sheets_algo.places import Opened, opened
from sheets_algo.receipts import Receipt
from sheets_algo.runs import run
from sheets_algo.undo import undo
from sheets_algo.watcher import Watcher
from tests.desks import forms
from tests.live.people import delete_tab
from tests.live.runner import SLOT, Play, prepared
from tests.live.sampling import some
from tests.live.schedules import LOST, WATCHED, Event, Schedule
from tests.live.stage import REQUESTS, SCORES, Grid, Stage, both_rulesets, small_season

BESIDE = 6
"""Other battles of each war: what is played is when they are told of."""

HOW = (("before", 1), ("after", 1), ("late", 1), ("late", 3))
"""When a write without an answer is carried out."""

AFTER = {"A": 9, "R": 9}
"""Requests of a watcher, and of `run`, from the ruling's commit until it has nothing to do."""

ENOUGH = 8
"""Looks in which a watcher rules, says how lucky that was, and comes to rest."""


@pytest.fixture(autouse=True)
def _few_battles(monkeypatch):
    monkeypatch.setattr(AutoalgoForm, "battles_beside", lambda self, inputs: BESIDE)


@dataclass
class Season:
    """A season in which logs end with how lucky rulings were.

    Args:
        play: It.
    """

    play: Play

    def look(self, name: str, times: int = 1) -> Path:
        """Looks of a process, or runs; its folder."""
        for _ in range(times):
            folder = self.play.process(name).folder
            self.play.looks(name)
        return folder

    def rules(self) -> Path:
        """Process A looks until the wars are ruled; its folder."""
        for _ in range(ENOUGH):
            folder = self.look("A")
            if self.rulings():
                return folder
        raise AssertionError("nothing was ruled")

    def rests(self, name: str = "A") -> Path:
        """A process looks until it has nothing to do; its folder."""
        folder = self.look(name, ENOUGH)
        wrote = len(self.play.wrote)
        self.look(name, 2)
        assert len(self.play.wrote) == wrote
        return folder

    def seen(self) -> Opened:
        """The spreadsheet now."""
        return opened(self.play.begun("witness", "Z").place)

    def rulings(self) -> Sequence[Receipt]:
        return list(self.seen().receipts.receipts.of_kind("Ruling"))

    def owed(self) -> Sequence[int]:
        """The receipts that Pending names."""
        seen = self.seen()
        return Pending.read(seen.snapshot, map(type, seen.forms)).owed

    def told(self) -> dict[int, list[str]]:
        """What the Log tab says of luck, by receipt."""
        found: dict[int, list[str]] = {}
        for row in self.play.witness._rows_of("Log"):
            if row["Event"] == "luck":
                found.setdefault(int(row["Seq"]), []).append(row["Text"])
        return found

    def cell(self, header: str, seq: int, value: Any) -> None:
        """A person edits a receipt."""
        book = self.play.stage.book
        grid = book.grid(book.tabs["Receipts"]) or []
        row = next(number for number, cells in enumerate(grid, start=1) if cells[0] == seq)
        letter = chr(ord("A") + grid[0].index(header))
        book.server.type(book.id, f"Receipts!{letter}{row}", [[value]])

    def is_complete(self, folder: Path | None = None, without: Sequence[int] = ()) -> None:
        """Each log says once how lucky its ruling was, and nothing is owed; a folder has all logs and pictures."""
        rulings = self.rulings()
        assert self.owed() == ()
        assert self.told() == {it.seq: luck(it)[1] for it in rulings if it.seq not in without}
        assert rulings
        for receipt in rulings if folder else ():
            lines = luck(receipt)[0] if receipt.seq not in without else []
            assert receipt.seq in without or logs(folder, receipt) == ["\n".join([*lines, ""])]
            pictures = [it for it in (folder / "pictures").glob("*.png") if f" {receipt.request} " in it.name]
            assert receipt.seq in without or len(pictures) == 1


def luck(receipt: Receipt) -> tuple[list[str], list[str]]:
    """The whole log of a ruling, and what the Log tab says of its luck, from the receipt alone."""
    return _luck(receipt.ruleset, receipt.inputs, int(receipt.seed))


@functools.cache
def _luck(ruleset: str, inputs: str, seed: int) -> tuple[list[str], list[str]]:
    form = next(it for it in forms() if it.key == ruleset)
    lines: list[str] = []
    form.ruleset.resolve(form.thaw(inputs), Luck(seed), lines.extend)
    events = how_lucky(form, form.thaw(inputs), seed, lines.extend)
    assert len(events) > 1
    return lines, [it.text for it in events]


def logs(folder: Path, receipt: Receipt) -> list[str]:
    """The text logs of a request."""
    found = (folder / "logs").glob(f"*Z {receipt.request}*.txt")
    return [it.read_text(encoding="utf-8") for it in found]


@contextmanager
def season(*events: Event, tabs: Mapping[str, Grid] | None = None) -> Iterator[Season]:
    """A small season with wars that are ready."""
    with TemporaryDirectory() as folder, prepared(), Stage.set(tabs or small_season()) as stage:
        yield Season(Play(stage, Schedule(WATCHED, events), Path(folder), is_luck_told=True))


def test_a_ruling_stands_before_it_is_said_how_lucky_it_was():
    with season() as it:
        it.rules()
        before, owed = it.told(), it.owed()
        done = [row["Status"] for row in it.play.witness._rows_of(REQUESTS) if row.get("Status") == "Done"]
        folder = it.rests()

        assert (before, owed) == ({}, tuple(receipt.seq for receipt in it.rulings()))
        assert len(done) == len(it.rulings()) == 3
        it.is_complete(folder)


@dataclass(frozen=True)
class Sent:
    """The requests of a process that rules and completes, by number.

    Args:
        ruling: The write that rules.
        completing: The write that says how lucky the rulings were.
        last: The last one before it has nothing to do.
    """

    ruling: int
    completing: int
    last: int


@functools.cache
def sent(name: str = "A") -> Sent:
    with season() as it:
        it.look(name, 1 if name == "R" else ENOUGH)
        bodies = [str(body) for body in it.play.bodies]
        writes = [number for number, body in enumerate(bodies, start=1) if body != "None"]
        rulings = [number for number in writes if SLOT in bodies[number - 1]]
        completing = next(number for number in writes if "FC-06" in bodies[number - 1])
        assert len(rulings) == 1
        assert rulings[0] < completing
        return Sent(rulings[0], completing, max(writes))


@pytest.mark.parametrize("name", AFTER)
def test_every_request_after_the_ruling_is_played_with(name):
    assert AFTER[name] == sent(name).last + 1 - sent(name).ruling


def place_of(name: str, after: int) -> int:
    """The number of a process's request, so many after the ruling."""
    return sent(name).ruling + after


every_request = pytest.mark.parametrize(
    ("name", "after"), [(name, after) for name in AFTER for after in range(1, AFTER[name] + 1)]
)


@every_request
def test_whoever_comes_after_a_crash_completes_the_logs(name, after):
    """Killed just before a request, from the ruling's commit on; the next one starts with an empty folder."""
    with season(Event(name, place_of(name, after), "crash")) as it:
        it.look(name, 1 if name == "R" else ENOUGH)
        was_owed = it.owed()
        folder = it.rests("B")

        it.is_complete(folder if was_owed else None)


@every_request
def test_whoever_comes_after_a_crash_whose_last_write_was_carried_out_completes_the_logs(name, after):
    with season(
        Event(name, place_of(name, after - 1), "fault", "reset", "after"), Event(name, place_of(name, after), "crash")
    ) as it:
        it.look(name, 1 if name == "R" else ENOUGH)
        was_owed = it.owed()
        folder = it.rests("B")

        it.is_complete(folder if was_owed else None)


@pytest.mark.parametrize(
    ("kind", "when", "late"),
    some([(kind, *how) for kind in LOST for how in HOW], 8),
)
def test_a_write_without_an_answer_says_it_once(kind, when, late):
    with season(Event("A", sent().completing, "fault", kind, when, late)) as it:
        folder = it.rests()
        it.play.stage.server.control("late", {})
        it.rests()

        it.is_complete(folder)


@pytest.mark.parametrize("seconds", [20, 100, 300])
def test_a_write_that_comes_when_its_process_is_dead_says_it_once(seconds):
    at = sent().completing
    with season(Event("A", at, "fault", "reset", "late", 1, seconds), Event("A", at + 1, "crash")) as it:
        it.look("A", ENOUGH)
        it.rests("B")
        it.play.stage.server.control("late", {})
        it.rests("B")

        it.is_complete()


@pytest.mark.parametrize("back", range(4))
def test_of_two_watchers_one_says_it(back):
    """The other one has the same lines ready, and writes them just before a request of the first."""
    with season() as it:
        it.rules()
        it.look("B")
        it.play.events.append(Event("A", sent().completing - back, "look", "B"))
        ours, theirs = it.rests("A"), it.rests("B")

        it.is_complete(ours)
        it.is_complete(theirs)


def test_many_runs_and_a_watcher_say_it_once():
    with season() as it:
        it.rules()
        for name in "RSARBS":
            it.look(name)

        it.is_complete()


def test_a_run_says_it_in_its_last_pass():
    with season() as it:
        folder = it.look("R")
        it.is_complete(folder)

        wrote = len(it.play.wrote)
        it.look("R")
        assert len(it.play.wrote) == wrote


@pytest.mark.parametrize(
    ("header", "value", "says"),
    [
        ("Rules Fingerprint", "0" * 64, "the rules have other numbers now than when it was ruled."),
        ("Inputs", "{}", "cannot be played again"),
        ("Winner", "Nobody", "it comes to another result now than when it was ruled."),
    ],
)
def test_a_ruling_that_cannot_be_played_again_is_given_up_once(header, value, says):
    with season() as it:
        it.rules()
        damaged = it.rulings()[0]
        it.cell(header, damaged.seq, value)
        done = run(it.play.begun("run", "Z").place, dry=False, forced=False, begins=unheard)
        it.cell(header, damaged.seq, getattr(damaged, header.lower().replace(" ", "_")))
        it.rests("B")

        it.is_complete(without=[damaged.seq])
        (remark,) = done.remarks
        assert remark.startswith(f"How lucky {damaged.request} was cannot be said: ")
        assert says in remark


def test_an_error_of_the_program_ends_no_watcher_and_is_said_once(monkeypatch, caplog):
    with season() as it:
        it.rules()
        first = it.rulings()[0]
        monkeypatch.setattr("sheets_algo.followups.told", fails_for(first.seed))
        it.rests("B")

        it.is_complete(without=[first.seq])
        said = [record.message for record in caplog.records if "cannot be said" in record.message]
        assert said == [f"How lucky {first.request} was cannot be said: ZeroDivisionError: nobody can"]


def fails_for(seed: str) -> Callable[..., Any]:
    def fails(form: Any, inputs: Any, own: int, *more: Any) -> Any:
        if own == int(seed):
            raise ZeroDivisionError("nobody can")
        return told(form, inputs, own, *more)

    return fails


def test_a_receipt_that_is_gone_is_forgotten():
    """Its request is ruled again."""
    with season() as it:
        it.rules()
        first = {"sheetId": it.play.stage.book.tabs["Receipts"], "dimension": "ROWS", "startIndex": 2, "endIndex": 3}
        it.play.stage.server.user(it.play.stage.book.id, [{"deleteDimension": {"range": first}}])
        it.look("B", ENOUGH)

        assert [receipt.seq for receipt in it.rulings()] == [3, 4, 5]
        it.is_complete()


def test_a_ruling_that_is_taken_back_meanwhile_says_it_too():
    with season() as it:
        it.rules()
        place = it.play.begun("undo", "Z").place
        seen = opened(place)
        last = it.rulings()[-1].request
        _, changes = undo(seen.snapshot, seen.forms, last, place.now())
        pending = Pending.read(seen.snapshot, map(type, seen.forms))
        place.workbook.commit(seen.snapshot, noted(pending, changes, place.now()))
        folder = it.rests()

        it.is_complete(folder)
        assert "Undone" in [row.get("Status") for row in it.play.witness._rows_of(REQUESTS)]


def test_a_request_tab_that_is_gone_is_waited_for():
    with season(tabs=both_rulesets()) as it:
        it.rules()
        delete_tab(SCORES)(it.play.stage)
        it.rests("B")

        rulings = {receipt.seq: receipt.ruleset for receipt in it.rulings()}
        assert set(it.owed()) == {seq for seq, ruleset in rulings.items() if ruleset == "scorecard"} != set()
        assert set(it.told()) == {seq for seq, ruleset in rulings.items() if ruleset == "autoalgo"} != set()


def test_a_log_folder_that_takes_no_file_keeps_nobody_from_saying_it(caplog):
    with season() as it:
        it.rules()
        folder = it.play.process("B").folder
        (folder / "logs").write_text("a file in its way")
        it.rests("B")

        it.is_complete()
        assert "The log of W-0001 cannot be completed in" in caplog.text


def test_who_was_killed_before_its_pictures_draws_them_when_it_starts_again_and_has_each_log_once():
    with season(Event("A", sent().ruling + 1, "crash")) as it:
        it.look("A", 1)
        before = it.rules()
        folder = it.play.process("B").folder
        copytree(before / "logs", folder / "logs")
        assert not (before / "pictures").exists()
        it.rests("B")

        it.is_complete(folder)


def test_who_does_not_want_to_know_cleans_up():
    with season() as it:
        it.rules()
        it.play.is_luck_told = False
        it.rests("B")

        assert (it.owed(), it.told()) == ((), {})


@dataclass
class Ticking:
    """A watcher for which a second passes whenever it asks for the time, and the battles that it fights beside.

    Args:
        watcher: It, when it has ruled.
        fought: Seed and number of each battle.
        waits: What it waited for.
    """

    watcher: Watcher
    fought: list[tuple[int, int]]
    waits: list[float]


@pytest.fixture
def ticking(monkeypatch):
    monkeypatch.setattr("sheets_algo.forecasts.how_lucky.AT_ONCE", 1)
    fought: list[tuple[int, int]] = []
    waits: list[float] = []
    replicates = Autoalgo.replicates

    def counted(self: Autoalgo, inputs: Any, seed: int, first: int, count: int) -> Any:
        fought.extend((seed, number) for number in range(first, first + count))
        return replicates(self, inputs, seed, first, count)

    monkeypatch.setattr(Autoalgo, "replicates", counted)
    with season() as it:
        watcher = it.play.process("A").watcher
        while not it.rulings():
            watcher.look()
        seconds = itertools.count()
        watcher.clock = lambda: float(next(seconds))
        watcher.wait = waits.append
        yield it, Ticking(watcher, fought, waits)


def test_fc_06_it_is_worked_out_between_looks_and_no_battle_is_fought_twice(ticking):
    it, one = ticking
    assert (one.fought, it.told()) == ([], {})

    rests = 0
    while it.owed():
        before = len(one.fought)
        one.watcher.rest(3.0)
        assert len(one.fought) - before <= 3 + len(it.rulings())  # the ruling itself is fought once more, at the end
        one.watcher.look()
        rests += 1

    assert rests > 3
    assert sorted(one.fought) == sorted((int(war.seed), number) for war in it.rulings() for number in range(BESIDE + 1))
    it.is_complete()


def test_a_watcher_that_is_stopped_leaves_off_between_battles(ticking):
    _, one = ticking
    one.watcher.rest(4.0)
    fought = len(one.fought)
    one.watcher.stop.set()
    one.watcher.rest(1_000.0)

    assert len(one.fought) == fought > 0


def test_while_nothing_can_be_written_a_ready_log_makes_nobody_hurry(ticking):
    it, one = ticking
    one.watcher.rest(1_000.0)
    assert one.waits == []
    it.play.cut.add("A")
    for _ in range(3):
        one.watcher.rest(one.watcher.look())
    it.play.cut.clear()
    one.watcher.look()

    assert len(one.waits) == 3
    it.is_complete()
