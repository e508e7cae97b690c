"""Luck lines: added once after a ruling is committed, whichever process adds them and whatever fails meanwhile."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from engine.autoalgo.resolve import Autoalgo
from engine.rng import Rng
from engine.ruleset import MachineCode, no_op
from scripts.support.live.people import delete_tab
from scripts.support.live.runner import SLOT, Play, prepared
from scripts.support.live.schedules import LOST, WATCHED, Event, Schedule
from scripts.support.live.stage import JOUSTS, REQUESTS, Grid, Stage, both_rulesets, small_season
from scripts.support.workbooks import forms, undo
from sheets_algo.forms.autoalgo.form import AutoalgoForm
from sheets_algo.replays.luck_report import comparison_replicates, how_lucky
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.ruling.repair.intents import PendingTab, with_note
from sheets_algo.runtime.run.run_pass import run_until_done as run
from sheets_algo.runtime.session.session import OpenWorkbook, opened
from sheets_algo.runtime.watch.watcher import Watcher
from tests.helpers.example_budget import spread
from tests.live.sampling import sample

BESIDE = 6
"""Battles that each ruling is compared with; only the time of the luck lines matters here."""

HOW = (("before", 1), ("after", 1), ("late", 1), ("late", 3))
"""Times at which a write without an answer is carried out."""

AFTER = {"A": 8, "R": 8}
"""Requests of a watcher, and of `run`, from the ruling's commit until it has nothing to do."""

ENOUGH = 8
"""Looks in which a watcher rules, adds the luck lines, and comes to rest."""


@pytest.fixture(autouse=True)
def _few_battles(monkeypatch):
    monkeypatch.setattr(AutoalgoForm, "comparison_battles", lambda self, inputs, rulings, *, is_compiled=False: BESIDE)


@dataclass
class Season:
    """A season in which logs end with how lucky rulings were.

    Args:
        play: The season under way.
    """

    play: Play

    def look(self, name: str, times: int = 1) -> Path:
        """Let a process look, or run, some times; return its folder."""
        for _ in range(times):
            folder = self.play.process(name).folder
            self.play.look(name)
        return folder

    def look_until_ruled(self) -> Path:
        """Let process A look until the wars are ruled; return its folder."""
        for _ in range(ENOUGH):
            folder = self.look("A")
            if self.rulings():
                return folder
        raise AssertionError("nothing was ruled")

    def look_until_rest(self, name: str = "A") -> Path:
        """Let a process look until it has nothing to do; return its folder."""
        folder = self.look(name, ENOUGH)
        wrote = len(self.play.wrote)
        self.look(name, 2)
        assert len(self.play.wrote) == wrote
        return folder

    def seen(self) -> OpenWorkbook:
        """Read the spreadsheet."""
        return opened(self.play.start("witness", "Z").session)

    def rulings(self) -> Sequence[StoredReceipt]:
        return list(self.seen().receipts.rulings)

    def owed(self) -> Sequence[int]:
        """Return the receipts that Pending names."""
        seen = self.seen()
        return PendingTab.read(seen.snapshot, map(type, seen.forms)).owed

    def luck_lines(self) -> dict[int, list[str]]:
        """Return the luck lines of the Log tab by receipt."""
        found: dict[int, list[str]] = {}
        for row in self.play.witness._rows_of("Log"):
            if row["Event"] == "luck":
                found.setdefault(int(row["Seq"]), []).append(row["Text"])
        return found

    def cell(self, header: str, seq: int, value: Any) -> None:
        """Edit a receipt as a person does."""
        book = self.play.stage.book
        grid = book.grid(book.tabs["Receipts"]) or []
        row = next(number for number, cells in enumerate(grid, start=1) if cells[0] == seq)
        letter = chr(ord("A") + grid[0].index(header))
        book.server.type(book.id, f"Receipts!{letter}{row}", [[value]])

    def check_complete(self, folder: Path | None = None, without: Sequence[int] = ()) -> None:
        """Check that each log has its luck lines once and nothing is owed, and a folder's logs and pictures."""
        rulings = self.rulings()
        assert self.owed() == ()
        assert self.luck_lines() == {receipt.seq: luck(receipt)[1] for receipt in rulings if receipt.seq not in without}
        assert rulings
        for receipt in rulings if folder else ():
            lines = luck(receipt)[0] if receipt.seq not in without else []
            assert receipt.seq in without or logs(folder, receipt) == ["\n".join([*lines, ""])]
            pictures = [file for file in (folder / "pictures").glob("*.png") if f" {receipt.request} " in file.name]
            assert receipt.seq in without or len(pictures) == 1


def luck(receipt: StoredReceipt) -> tuple[list[str], list[str]]:
    """Return the whole log of a ruling, and its luck lines in the Log tab, from the receipt alone."""
    return _luck(receipt.ruleset, receipt.inputs, int(receipt.seed))


@functools.cache
def _luck(ruleset: str, inputs: str, seed: int) -> tuple[list[str], list[str]]:
    form = next(candidate for candidate in forms() if candidate.key == ruleset)
    lines: list[str] = []
    form.ruleset.resolve(form.deserialize(inputs), Rng(seed), lines.extend)
    events = how_lucky(form, form.deserialize(inputs), seed, lines.extend)
    assert len(events) > 1
    return lines, [event.text for event in events]


def logs(folder: Path, receipt: StoredReceipt) -> list[str]:
    """Return the text logs of a request."""
    found = (folder / "logs").glob(f"*Z {receipt.request}*.txt")
    return [file.read_text(encoding="utf-8") for file in found]


@contextmanager
def season(*events: Event, tabs: Mapping[str, Grid] | None = None) -> Iterator[Season]:
    """Start a small season with wars that are ready."""
    with TemporaryDirectory() as folder, prepared(), Stage.set(tabs or small_season()) as stage:
        yield Season(Play(stage, Schedule(WATCHED, events), Path(folder), is_luck_told=True))


def test_a_ruling_stands_before_the_lines_on_its_luck():
    with season() as game:
        game.look_until_ruled()
        before, owed = game.luck_lines(), game.owed()
        done = [row["Status"] for row in game.play.witness._rows_of(REQUESTS) if row.get("Status") == "Done"]
        folder = game.look_until_rest()

        assert (before, owed) == ({}, tuple(receipt.seq for receipt in game.rulings()))
        assert len(done) == len(game.rulings()) == 3
        game.check_complete(folder)


@dataclass(frozen=True)
class Sent:
    """The requests of a process that rules and completes, by number.

    Args:
        ruling: The write that rules.
        completing: The write that adds the luck lines.
        last: The last request before it has nothing to do.
    """

    ruling: int
    completing: int
    last: int


@functools.cache
def sent(name: str = "A") -> Sent:
    with season() as game:
        game.look(name, 1 if name == "R" else ENOUGH)
        bodies = [str(body) for body in game.play.bodies]
        writes = [number for number, body in enumerate(bodies, start=1) if body != "None"]
        rulings = [number for number in writes if SLOT in bodies[number - 1]]
        completing = next(number for number in writes if "FC-06" in bodies[number - 1])
        assert len(rulings) == 1
        assert rulings[0] < completing
        return Sent(rulings[0], completing, max(writes))


@pytest.mark.parametrize("name", AFTER)
def test_faults_at_every_request_after_the_ruling_are_survived(name):
    assert AFTER[name] == sent(name).last + 1 - sent(name).ruling


def place_of(name: str, after: int) -> int:
    """Return the number of a process's request, this many after the ruling."""
    return sent(name).ruling + after


EVERY = [(name, after) for name in AFTER for after in range(1, AFTER[name] + 1)]


@pytest.mark.parametrize(("name", "after"), spread(EVERY, 3))
def test_the_next_process_completes_the_logs_after_a_crash(name, after):
    """The process is killed before a request after the ruling's commit; the next one starts with an empty folder."""
    with season(Event(name, place_of(name, after), "crash")) as game:
        game.look(name, 1 if name == "R" else ENOUGH)
        was_owed = game.owed()
        folder = game.look_until_rest("B")

        game.check_complete(folder if was_owed else None)


@pytest.mark.parametrize(("name", "after"), spread(EVERY, 3, first=1))
def test_the_next_process_completes_the_logs_after_a_crash_with_a_landed_write(name, after):
    with season(
        Event(name, place_of(name, after - 1), "fault", "reset", "after"), Event(name, place_of(name, after), "crash")
    ) as game:
        game.look(name, 1 if name == "R" else ENOUGH)
        was_owed = game.owed()
        folder = game.look_until_rest("B")

        game.check_complete(folder if was_owed else None)


@pytest.mark.parametrize(
    ("kind", "when", "late"),
    sample([(kind, *how) for kind in LOST for how in HOW], 5),
)
def test_a_write_without_an_answer_adds_the_luck_once(kind, when, late):
    with season(Event("A", sent().completing, "fault", kind, when, late)) as game:
        folder = game.look_until_rest()
        game.play.stage.server.control("late", {})
        game.look_until_rest()

        game.check_complete(folder)


@pytest.mark.parametrize("seconds", [20, 100, 300])
def test_a_late_write_of_a_dead_process_adds_the_luck_once(seconds):
    at = sent().completing
    with season(Event("A", at, "fault", "reset", "late", 1, seconds), Event("A", at + 1, "crash")) as game:
        game.look("A", ENOUGH)
        game.look_until_rest("B")
        game.play.stage.server.control("late", {})
        game.look_until_rest("B")

        game.check_complete()


@pytest.mark.parametrize("back", range(4))
def test_one_of_two_watchers_adds_the_luck(back):
    """The other one has the same lines ready, and writes them just before a request of the first."""
    with season() as game:
        game.look_until_ruled()
        game.look("B")
        game.play.events.append(Event("A", sent().completing - back, "look", "B"))
        ours, theirs = game.look_until_rest("A"), game.look_until_rest("B")

        game.check_complete(ours)
        game.check_complete(theirs)


def test_many_runs_and_a_watcher_add_the_luck_once():
    with season() as game:
        game.look_until_ruled()
        for name in "RSARBS":
            game.look(name)

        game.check_complete()


def test_a_run_adds_the_luck_in_its_last_pass():
    with season() as game:
        folder = game.look("R")
        game.check_complete(folder)

        wrote = len(game.play.wrote)
        game.look("R")
        assert len(game.play.wrote) == wrote


@pytest.mark.parametrize(
    ("header", "value", "says"),
    [
        ("Rules Fingerprint", "0" * 64, "the tables here are not those that it was ruled with"),
        ("Inputs", "{}", "cannot be played again"),
        ("Winner", "Nobody", "it has another result now than when it was ruled."),
    ],
)
def test_a_ruling_that_cannot_be_replayed_is_given_up_once(header, value, says):
    with season() as game:
        game.look_until_ruled()
        damaged = game.rulings()[0]
        game.cell(header, damaged.seq, value)
        done = run(game.play.start("run", "Z").session, dry=False, forced=False, progress=no_op)
        game.cell(header, damaged.seq, getattr(damaged, header.lower().replace(" ", "_")))
        game.look_until_rest("B")

        game.check_complete(without=[damaged.seq])
        (remark,) = done.remarks
        assert remark.startswith(f"The log of {damaged.request} cannot be completed: ")
        assert says in remark


def test_an_internal_error_stops_no_watcher_and_is_reported_once(monkeypatch, caplog):
    with season() as game:
        game.look_until_ruled()
        first = game.rulings()[0]
        monkeypatch.setattr(
            "sheets_algo.runtime.after_commit.log_completion.comparison_replicates", fails_for(first.seed)
        )
        game.look_until_rest("B")

        game.check_complete(without=[first.seq])
        said = [record.message for record in caplog.records if "cannot be completed" in record.message]
        assert said == [f"The log of {first.request} cannot be completed: ZeroDivisionError: nobody can"]


def fails_for(seed: str) -> Callable[..., Any]:
    def fails(form: Any, inputs: Any, own: int, *more: Any) -> Any:
        if own == int(seed):
            raise ZeroDivisionError("nobody can")
        return comparison_replicates(form, inputs, own, *more)

    return fails


def test_a_lost_receipt_is_forgotten():
    """The receipt's request is not ruled again (RCP-19), and the others are told how lucky they were."""
    with season() as game:
        game.look_until_ruled()
        first = {"sheetId": game.play.stage.book.tabs["Receipts"], "dimension": "ROWS", "startIndex": 2, "endIndex": 3}
        game.play.stage.server.user(game.play.stage.book.id, [{"deleteDimension": {"range": first}}])
        game.look("B", ENOUGH)

        assert [receipt.seq for receipt in game.rulings()] == [3, 4]
        game.check_complete()
        assert "receipt 2 is gone" in game.play.process("B").watcher.tally.trouble


def test_a_ruling_undone_meanwhile_gets_its_luck_too():
    with season() as game:
        game.look_until_ruled()
        place = game.play.start("undo", "Z").session
        seen = opened(place)
        last = game.rulings()[-1].request
        _, changes = undo(seen.snapshot, seen.forms, last, place.now())
        pending = PendingTab.read(seen.snapshot, map(type, seen.forms))
        place.workbook.commit(seen.snapshot, with_note(pending, changes, place.now()))
        folder = game.look_until_rest()

        game.check_complete(folder)
        assert "Undone" in [row.get("Status") for row in game.play.witness._rows_of(REQUESTS)]


def test_a_missing_request_tab_is_waited_for():
    with season(tabs=both_rulesets()) as game:
        game.look_until_ruled()
        delete_tab(JOUSTS)(game.play.stage)
        game.look_until_rest("B")

        rulings = {receipt.seq: receipt.ruleset for receipt in game.rulings()}
        assert set(game.owed()) == {seq for seq, ruleset in rulings.items() if ruleset == "jousts"} != set()
        assert set(game.luck_lines()) == {seq for seq, ruleset in rulings.items() if ruleset == "autoalgo"} != set()


def test_a_read_only_log_folder_does_not_stop_the_lines_on_luck(caplog):
    with season() as game:
        game.look_until_ruled()
        folder = game.play.process("B").folder
        (folder / "logs").write_text("a file in its way")
        game.look_until_rest("B")

        game.check_complete()
        assert "W-0001.txt cannot be written (" in caplog.text


def test_the_process_that_completes_the_logs_writes_missing_files():
    with season(Event("A", sent().ruling + 1, "crash")) as game:
        game.look("A", 1)
        before = game.look_until_ruled()
        folder = game.play.process("B").folder
        assert not (before / "logs").exists()
        game.look_until_rest("B")

        game.check_complete(folder)


def test_a_process_without_the_option_cleans_up():
    with season() as game:
        game.look_until_ruled()
        game.play.is_luck_told = False
        game.look_until_rest("B")

        assert (game.owed(), game.luck_lines()) == ((), {})


@dataclass
class Ticking:
    """A watcher for which a second passes whenever it reads the clock, and the battles that it fights for comparison.

    Args:
        watcher: The watcher, after it has ruled.
        fought: The seed and number of each battle.
        waits: The seconds that it waited.
    """

    watcher: Watcher
    fought: list[tuple[int, int]]
    waits: list[float]


@pytest.fixture
def ticking(monkeypatch):
    monkeypatch.setenv("SHEETS_ALGO_FAST", "0")
    monkeypatch.setattr("sheets_algo.replays.luck_report.AT_ONCE", 1)
    fought: list[tuple[int, int]] = []
    waits: list[float] = []
    series = Autoalgo.series

    def counted(self: Autoalgo, inputs: Any, seed: int, code: MachineCode) -> Any:
        fight = series(self, inputs, seed, code)

        def counting(first: int, count: int) -> Any:
            fought.extend((seed, number) for number in range(first, first + count))
            return fight(first, count)

        return counting

    monkeypatch.setattr(Autoalgo, "series", counted)
    with season() as game:
        watcher = game.play.process("A").watcher
        while not game.rulings():
            watcher.look()
        seconds = itertools.count()
        watcher.clock = lambda: float(next(seconds))
        watcher.wait = waits.append
        yield game, Ticking(watcher, fought, waits)


def test_fc_06_luck_is_computed_between_polls_and_no_battle_is_fought_twice(ticking):
    game, one = ticking
    assert (one.fought, game.luck_lines()) == ([], {})

    rests = 0
    while game.owed():
        before = len(one.fought)
        one.watcher.rest(3.0)
        assert len(one.fought) - before <= 3 + len(game.rulings())  # the ruling itself is fought again at the end
        one.watcher.look()
        rests += 1

    assert rests > 3
    assert sorted(one.fought) == sorted(
        (int(war.seed), number) for war in game.rulings() for number in range(BESIDE + 1)
    )
    game.check_complete()


def test_a_stopped_watcher_pauses_between_battles(ticking):
    _, one = ticking
    one.watcher.rest(4.0)
    fought = len(one.fought)
    one.watcher.stop.set()
    one.watcher.rest(1_000.0)

    assert len(one.fought) == fought > 0


def test_a_finished_log_causes_no_extra_polls_while_writes_fail(ticking):
    game, one = ticking
    one.watcher.rest(1_000.0)
    assert one.waits == []
    game.play.cut.add("A")
    for _ in range(3):
        one.watcher.rest(one.watcher.look())
    game.play.cut.clear()
    one.watcher.look()

    assert len(one.waits) == 3
    game.check_complete()
