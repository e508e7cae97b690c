"""Passes over a file whose season has beacon luck, with a beacon on this machine that shares their clock."""

from __future__ import annotations

import dataclasses
import json
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from localbeacon.server import LocalBeacon

from scripts.support.beacon_rounds import BeaconSeason, before_round
from scripts.support.local_beacon import BEGIN, CHAIN, Clock, beacons, chain
from scripts.support.moderator import shown, write
from scripts.support.smallest_war import war_rows
from scripts.support.workbooks import library
from sheets_algo.commands import init, opening, run, verification, verify
from sheets_algo.commands.report import Report
from sheets_algo.database.problems import Severity
from sheets_algo.forecasts.outlook import Outlook
from sheets_algo.ruling.luck.beacon import UNCHECKED, Rounds, clock_time
from sheets_algo.ruling.promises.promises import LEAD_S
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.runtime.locate import WorkbookRef
from sheets_algo.runtime.run.pass_result import PassResult
from sheets_algo.runtime.run.rehearse import rehearse
from sheets_algo.runtime.session.session import Session, opened
from sheets_algo.runtime.watch.look import PassEvents, events_of
from sheets_algo.runtime.watch.watcher import Watcher
from sheets_algo.workbook.errors import BadSetting
from sheets_algo.workbook.stores import find

PROMISED = CHAIN.latest(BEGIN) + LEAD_S // CHAIN.period
"""The round that a promise at the beginning names: 60 seconds are 2 rounds."""
ORIGINAL = opening.new_session


@dataclasses.dataclass
class Office:
    """A moderator with a file, in whose commands time is the clock's."""

    file: Path
    hosts: list[LocalBeacon]
    clock: Clock

    def run(self, **options: Any) -> Report:
        """Run `sheets-algo run`."""
        flags = {
            "dry": False,
            "force": False,
            "verbose": False,
            "accept_rules": False,
            "accept_columns": False,
            "no_post": True,
        }
        return run.run(workbook=find(str(self.file)), **{**flags, "wait": False, **options})

    def verify(self, head: str = "") -> Report:
        return verify.verify(
            workbook=find(str(self.file)), requests=(), html=None, site=None, pyodide=None, verbose=False, head=head
        )

    def init(self, luck: str | None) -> Report:
        return init.init(
            workbook=find(str(self.file)), rulesets=(), empty=True, overrides=False, dry=False, luck=luck, full=False
        )

    @property
    def receipts(self) -> Receipts:
        return opened(ORIGINAL(workbook=find(str(self.file)))).receipts


Open = Callable[..., Office]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a file whose season has begun with beacon luck, to be copied."""
    folder = tmp_path_factory.mktemp("begun")
    (folder / "chain.json").write_text(json.dumps(CHAIN.info()))
    (folder / "sheets-algo.toml").write_text('beacon_chain = "chain.json"\n')
    file = write(folder / "season.xlsx", war_rows(), finish=lambda book: book.remove(book["Receipts"]))
    Office(file, [], Clock()).init("beacon")
    file.rename(folder / "moved.xlsx")  # each test has the file itself, not a copy of it (RCP-38)
    return folder


@pytest.fixture
def office(begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Return a function that begins a season with hosts that have these faults."""
    clock, stack = Clock(), []

    def session(**options: Any) -> Session:
        return dataclasses.replace(ORIGINAL(**options), clock=clock.read, library=library())

    def sleep(seconds: float) -> None:
        clock.seconds += seconds

    def begin(*faults: str) -> Office:
        context = beacons(clock, *(faults or ("",)))
        hosts = context.__enter__()
        stack.append(context)
        shutil.copytree(begun, tmp_path, dirs_exist_ok=True)
        (tmp_path / "moved.xlsx").rename(tmp_path / "season.xlsx")
        listed = ", ".join(f'"{host.url}"' for host in hosts)
        settings = f"beacons = [{listed}]\nhow_lucky = false\n"
        (tmp_path / "sheets-algo.toml").write_text(settings)
        return Office(tmp_path / "season.xlsx", hosts, clock)

    for command in (run, verify):
        monkeypatch.setattr(command, "new_session", session)
    monkeypatch.setattr(run, "time", SimpleNamespace(time=clock.now, sleep=sleep))
    yield begin
    for context in stack:
        context.__exit__(None, None, None)


def test_run_promises_and_names_the_time_of_the_next_run(office: Open) -> None:
    mine = office()
    first = mine.run()
    assert first.lines[-2].startswith(f"Post this before the round: the receipts end with {mine.receipts.head}. ")
    due = clock_time(CHAIN.genesis_time + (PROMISED - 1) * CHAIN.period)
    assert first.code == 0
    assert first.lines[-1] == (
        f"0 requests ruled, 1 promised; season.xlsx is written. Run again after {due}, or with --wait."
    )
    assert first.data["waits_until"] == due
    assert mine.run().lines[-1] == f"Nothing new: season.xlsx is as it was. Run again after {due}, or with --wait."

    mine.clock.seconds += LEAD_S + 1
    assert mine.run().lines[-1] == "1 request ruled; season.xlsx is written."
    assert mine.receipts.by_seq[3].seed_source.startswith(f'{{"beacon":"{CHAIN.hash}","round":{PROMISED},')
    assert [row["Kind"] for row in shown(mine.file, "Receipts")] == ["Season", "Promise", "Ruling"]
    done = mine.verify()
    assert (done.code, done.lines[-1].startswith("Promises: 1 kept, 0 withdrawn before")) == (0, True)
    assert "the beacon is not drand quicknet" in done.lines[0]
    assert any(line.startswith("The beacon of this season is not drand quicknet") for line in done.lines)


def test_fc_31_check_notes_a_row_that_waits_for_its_round(office: Open) -> None:
    """And it tells its odds, of which the round says nothing."""
    mine, said = office(), []
    for seconds in (0, 1, LEAD_S + 1):
        mine.clock.seconds += seconds
        session = dataclasses.replace(ORIGINAL(workbook=find(str(mine.file))), clock=mine.clock.read)
        outlook = Outlook()
        plan = rehearse(session, opened(session), outlook)
        said.append([(problem.id, problem.severity) for problem in plan.all_problems])
        assert [line.partition(":")[0] for line in outlook.lines(plan.findings.answers)] == ["W-1 (Quarrel)"]
        if not seconds:
            mine.run()  # which promises a round
    assert said == [[("LUCK-02", Severity.NOTE)], [("LUCK-02", Severity.NOTE)], []]


def test_a_file_proves_no_order_in_time_without_a_noted_head(office: Open) -> None:
    mine = office()
    mine.run()
    posted = str(mine.receipts.head)
    mine.clock.seconds += LEAD_S + 1
    mine.run()
    assert [aside.endswith(verification.NO_ORDER_IN_TIME) for aside in mine.verify().asides] == [True]
    assert not any("no order in time" in aside for aside in mine.verify(posted).asides)
    assert any("no order in time" in aside for aside in mine.verify("2-0123456789abcdef").asides)


def test_run_wait_waits_for_the_round(office: Open, capsys: pytest.CaptureFixture[str]) -> None:
    mine = office()
    done = mine.run(wait=True)
    assert (done.code, done.lines[-1]) == (0, "1 request ruled, 1 promised; season.xlsx is written.")
    assert mine.clock.seconds == BEGIN + LEAD_S + run.ROUND_LATE_S
    assert capsys.readouterr().err.startswith("Waiting for a round of the beacon until 2023-")


def test_luck_05_run_wait_gives_up_without_the_round(office: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = office()
    mine.run()
    mine.hosts[0].fault = "lying"
    monkeypatch.setattr(run, "BEACON_PATIENCE_S", 20)
    done = mine.run(wait=True)
    assert done.code == 3
    assert done.data["requests"][0]["status"] == "Waiting"
    assert done.lines[0].startswith("Receipts: warning: the beacon gives no round that can be used (http://127.0.0.1:")
    assert mine.clock.seconds > BEGIN + LEAD_S + 20
    assert [*mine.receipts.rulings] == []

    mine.hosts[0].fault = ""
    assert mine.run().lines[-1] == "1 request ruled; season.xlsx is written."
    assert mine.receipts.by_seq[3].draw.round == PROMISED  # type: ignore[union-attr]


def test_luck_04_a_moderator_s_attempt_to_reroll_is_counted(office: Open) -> None:
    """Dry runs tell nothing before the round. One more dollar after it costs a promise, and each is counted."""
    mine = office()
    for number in range(3):
        edit(mine.file, "Nations", "Population", 1_000_000 + number)
        tried = mine.run(dry=True)
        assert tried.data["requests"][0]["status"] == "Waiting"
        assert "winner" not in tried.data["requests"][0]
        mine.run()
        mine.clock.seconds += LEAD_S + 31
        known = mine.run(dry=True)  # now the moderator sees what would come
        assert known.data["requests"][0]["winner"]
        assert not known.data["written"]
    mine.run()
    assert mine.receipts.ruling_of("W-1").wiki.endswith(  # type: ignore[union-attr]
        "Third promise; none withdrawn before their round, two after. Changed by people: population of Left: 1,000,000"
        " → 1,000,001; population of Left: 1,000,001 → 1,000,002."
    )
    assert mine.verify().lines[-1].startswith("Promises: 1 kept, 0 withdrawn before their round, 2 after")


def edit(file: Path, tab: str, header: str, value: object) -> None:
    """Type a value into the first row of a tab, as a person does in a spreadsheet program."""
    import openpyxl

    book = openpyxl.load_workbook(file)
    place = [cell.value for cell in book[tab][1]].index(header) + 1
    book[tab].cell(2, place, value)
    book.save(file)


def test_luck_02_a_slow_pass_promises_a_later_round(office: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = office()
    ask = run.new_session

    def session(**options: Any) -> Session:
        made = ask(**options)
        reads = iter(range(1_000))

        def read() -> Any:
            """The clock moves by 160 seconds between the plan and the commit of the first attempt."""
            if next(reads) == 3:
                mine.clock.seconds += 160
            return mine.clock.read()

        return dataclasses.replace(made, clock=read)

    monkeypatch.setattr(run, "new_session", session)
    mine.run()
    promise = mine.receipts.by_seq[2]
    due = chain().time_of(promise.draw.round)  # type: ignore[union-attr]
    assert due >= mine.clock.seconds + LEAD_S + 2 * 160
    assert [*mine.receipts.by_seq] == [1, 2]


def test_luck_05_without_signature_checks_no_promise_and_no_season_begins(
    office: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = office()
    monkeypatch.setitem(sys.modules, "sheets_algo.ruling.luck.bls", None)  # the import fails
    assert mine.run().lines[0].startswith(f"Receipts: warning: {UNCHECKED}.")
    assert [row["Kind"] for row in shown(mine.file, "Receipts")] == ["Season"]

    new = dataclasses.replace(mine, file=mine.file.with_name("new.xlsx"))
    with pytest.raises(BadSetting, match=UNCHECKED):
        new.init("beacon")
    assert not new.file.exists()


def test_luck_01_init_refuses_another_luck_after_the_season_has_begun(office: Open) -> None:
    mine = office()
    assert mine.init(None).lines == ["Nothing to do: season.xlsx has every tab."]
    with pytest.raises(click.BadParameter, match="the season has begun with beacon luck, which stays"):
        mine.init("secret")


def test_a_watcher_logs_each_promise_and_a_missing_beacon_once() -> None:
    wars, log = BeaconSeason(war_rows()), PassEvents()

    def look(seconds: float, rounds: Rounds | str | None = "genuine") -> list[str]:
        plan = wars.run(seconds, rounds)
        return [event.message for event in log.new_events([*events_of(PassResult(plan, bool(plan.writes.changes)))])]

    (promised,) = look(before_round(123))
    assert promised == (
        "W-1 (Quarrel): Round 123 of the beacon drand quicknet decides this request. First promise. Receipt"
        f" {wars.receipts.head}."
    )
    away = Rounds(trouble="no host answers")
    (told,) = look(before_round(123) + 600, away)
    assert told.startswith("Receipts: warning: no host answers. Nothing; it is asked again at each look")
    assert look(before_round(123) + 615, away) == []
    assert look(before_round(123) + 630)[0].startswith("W-1 (Quarrel, 1000): ")


def test_wait_and_dry_run_are_refused_together(office: Open) -> None:
    with pytest.raises(click.UsageError, match="a dry run promises nothing"):
        office().run(wait=True, dry=True)


def test_a_watcher_reads_a_waiting_file_when_its_round_is_due(office: Open) -> None:
    mine = office()
    session = dataclasses.replace(ORIGINAL(workbook=find(str(mine.file))), clock=mine.clock.read, library=library())
    now = mine.clock.now
    watcher = Watcher(WorkbookRef("", session), 4.0, threading.Event(), clock=now, now=now, chance=lambda: 0.5)

    def looks(seconds: float) -> tuple[int, int]:
        """Look until then; the passes meanwhile and the rulings so far."""
        passes, end = watcher.tally.passes, now() + seconds
        while now() < end:
            mine.clock.seconds += watcher.look()
        return watcher.tally.passes - passes, watcher.tally.rulings

    assert looks(16) == (3, 0)  # seen, promised, the promise read
    promised = mine.receipts.by_seq[2].draw
    assert promised is not None
    assert looks(chain().time_of(promised.round) - now() - 1) == (0, 0)
    assert looks(2) == (1, 1)
