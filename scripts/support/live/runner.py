"""Player of schedules: the real program over real HTTP; only waiting takes no time."""

from __future__ import annotations

import dataclasses
import functools
import gc
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import requests
from requests.adapters import HTTPAdapter

from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.resolve import Autoalgo
from engine.errors import ExpectedError
from engine.rng import Rng
from engine.ruleset import LogSink, Outcome, no_op
from scripts.support import posting
from scripts.support.live.begun import SECRET, init_guard
from scripts.support.live.invariants import Witness
from scripts.support.live.losses import ANSWERS, delete_changed_copies
from scripts.support.live.people import EVERY_DEED, mend
from scripts.support.live.promised import SOUND, StageBeacon, luck
from scripts.support.live.promised import TURNS as BEACON_TURNS
from scripts.support.live.schedules import LOST, RUNS, WAITS, WATCHED, Event, Schedule
from scripts.support.live.stage import SEASONS, Stage
from scripts.support.shared_sheets import access
from scripts.support.workbooks import library
from sheets_algo.commands.restore import restoration
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.forecasts.queue import ForecastQueue
from sheets_algo.forms.base import Form
from sheets_algo.forms.rulesets import FormEntry, open_forms
from sheets_algo.ruling.luck.beacon import no_beacon
from sheets_algo.ruling.luck.draw import SeasonLuck
from sheets_algo.ruling.receipts import chain as receipt_chain
from sheets_algo.ruling.receipts.receipt_rows import PROTOCOL
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.runtime.after_commit import artifacts
from sheets_algo.runtime.locate import WorkbookRef
from sheets_algo.runtime.run import run_pass
from sheets_algo.runtime.session import season_secret, session
from sheets_algo.runtime.session.record import FOLDER, HEAD, SeasonRecord
from sheets_algo.runtime.session.session import Session
from sheets_algo.runtime.watch.watcher import Watcher
from sheets_algo.workbook.google.commit import guard
from sheets_algo.workbook.google.http.api import Api
from sheets_algo.workbook.google.http.backoff import Pace
from sheets_algo.workbook.google.http.budget import RequestBudget
from sheets_algo.workbook.google.spreadsheet import GoogleWorkbook
from sheets_algo.workbook.head import Head
from sheets_algo.workbook.snapshot import Sheet, Snapshot
from sheets_algo.workbook.staleness import RECEIPTS_TAB

QUIET = 8
"""Rounds of looks at the end, without faults: late writes are found out, ids are given, wars are seen and ruled, and
forecasts computed and written.
"""
REST = 2
"""Looks of a process in which it may write nothing."""
TURN_S = 15.0
"""Seconds between two looks, the watcher's default."""

VERSIONS = {"V": (PROTOCOL - 1, Autoalgo.releases), "U": (PROTOCOL, (*Autoalgo.releases, "9.9"))}
"""The version of the way in which receipts are kept, and the releases of the rules, of other programs by process."""

MOST_LOOKS = 12
"""The most successive looks in which a watcher may have something to do."""

ROUND_S = 95
"""Seconds after which a round that was just promised is out."""

TITLES_S = 601
"""Seconds after which a watcher looks the tabs up again."""

LATE_S = 300
"""Seconds that are longer than a process repeats a request without an answer."""

PLENTY = 100_000
"""Requests a minute, more than the schedules need."""

SLOT = f'"{guard.KEY}"'
"""The key in writes that make receipts, and in no others."""

SILENCE_S, SILENT_TOKEN_S, PATIENT_S = 0.25, 1.0, 20.0
"""Real seconds that a process waits for an answer: to a request that gets none, to any request of a schedule in which a
request for a token gets none, and to any other.
"""
LOG_LINES = 3
BATTLES = 2
"""The battles of a forecast: only its writing matters here."""
PIXEL = b"a picture"
"""A stand-in for maps, each of which takes longer to draw than the season to play."""


class Crash(BaseException):
    """The end of a process as by kill -9: only its files are left."""


@dataclass
class Clock(posting.Clock):
    """The time of a season; waiting moves it."""

    passes: Callable[[float], object] = lambda seconds: None

    def wait(self, seconds: float, stop: threading.Event | None = None) -> None:
        self.move(seconds)
        self.passes(seconds)

    @property
    def pace(self) -> Pace:
        return Pace(now=self.seconds, wait=self.wait, chance=lambda: 0.5)


class TrackingAdapter(HTTPAdapter):
    """An HTTP adapter that reports each request before it is sent, and its status afterwards, None for no answer.

    Its `reached` returns True for a request that will get no answer; it is not waited for as long as for others, which
    a busy machine may answer late.
    """

    def __init__(
        self, reached: Callable[[requests.PreparedRequest], bool], answered: Callable[[int | None], None]
    ) -> None:
        super().__init__()
        self._before, self._after = reached, answered

    def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:  # type: ignore[override]
        status = None
        if self._before(request):
            options["timeout"] = SILENCE_S
        try:
            answer = super().send(request, **options)
            status = answer.status_code
        finally:
            self._after(status)
        return answer


@dataclass
class Process:
    """One process with a folder of its own, from start to end; `run`-like ones use only what they need of it."""

    name: str
    watcher: Watcher
    folder: Path
    stop: threading.Event

    @property
    def session(self) -> Session:
        """Return the session of the watcher."""
        return self.watcher.ref.session


@dataclass
class Play:
    """A season under way.

    Args:
        stage: The spreadsheet and its twin.
        schedule: The schedule that is played.
        folder: The folder of the processes' folders.
        api: The class that the program sends requests with; a mutation replaces it.
        log_lines: The most lines of a ruling in the Log tab.
        budget: The reads, and writes, a minute of each process.
        is_luck_told: End each log with how lucky the ruling was.
        clock: The clock of the season.
        processes: The processes by name.
        sent: The number of requests of each process so far.
        wrote: The bodies of the writes of all processes so far.
        bodies: The bodies of all requests, None for a read.
        unsure: By process, the body of the last request, if it may or may not have been carried out.
        cut: The processes that get no more answers.
        stopped: The processes that get SIGTERM when their request has its answer, or none.
        busy: The processes in the middle of a look.
        is_over: No more faults happen.
        doubtful: By process, the turn of its last write without an answer.
        mute: The processes that have had no answer to anything since.
        known: What a process said last that was held by its record.
        bound: By folder, the heads that were recorded there when the developer metadata were brought back.
    """

    stage: Stage
    schedule: Schedule
    folder: Path
    api: type[Api] = Api
    log_lines: int = LOG_LINES
    budget: int = PLENTY
    is_luck_told: bool = False
    clock: Clock = field(default_factory=Clock)
    processes: dict[str, Process] = field(default_factory=dict)
    sent: dict[str, int] = field(default_factory=dict)
    wrote: list[Any] = field(default_factory=list)
    bodies: list[Any] = field(default_factory=list)
    unsure: dict[str, Any] = field(default_factory=dict)
    cut: set[str] = field(default_factory=set)
    stopped: set[str] = field(default_factory=set)
    busy: set[str] = field(default_factory=set)
    is_over: bool = False
    doubtful: dict[str, int] = field(default_factory=dict)
    mute: set[str] = field(default_factory=set)
    known: str = ""
    bound: dict[Path, list[Head]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.witness = Witness(self.stage, self.schedule.deeds)
        self.stage.accept = self.accept
        self.events = list(self.schedule.events)
        self._numbers = itertools.count(1)
        self.is_promised = self.schedule.season == "promised wars"
        self.beacon = StageBeacon(self.clock.seconds) if self.is_promised else None
        self.stage.server.user(self.stage.book.id, [init_guard(luck() if self.is_promised else SeasonLuck())])

    def play(self) -> list[str]:
        """Play the schedule; return the violations in sentences, none if all is well."""
        self.play_turns()
        return self.finish()

    def play_turns(self) -> None:
        """Play all turns, with the events in between."""
        for turn in self.schedule.turns:
            self.take_turn(turn)

    def take_turn(self, what: str) -> None:
        """Take one turn: a look, a run, a deed, or a wait."""
        if what in EVERY_DEED:
            self.do_deed(what)
        elif what in WAITS:
            self.clock.wait(WAITS[what])
        elif what in BEACON_TURNS:
            assert self.beacon is not None
            self.beacon.set(what)
        else:
            self.look(what)

    def do_deed(self, deed: str) -> None:
        """Let a person do a deed; record the ids that it removes."""
        self.witness.check_receipts()
        before, forks = self.witness.ids(), self.stage.forks
        self.stage.remember()
        self.witness.keep()
        EVERY_DEED[deed](self.stage)
        if self.stage.forks > forks:
            self.doubtful.clear()  # the turn by which a write was withdrawn may have gone with the metadata
            self.bound |= {process.folder: _recorded(process.folder) for process in self.processes.values()}
        if deed not in ANSWERS or "accepted" not in deed:
            self.stage.before_write = None
            self.witness.note_deed()
        self.witness.removed |= {*(before - self.witness.ids())}

    def accept(self, has_record: bool) -> None:
        """Accept what is gone, on the computer of the first watcher or on one without a record."""
        beside = next(iter(self.processes.values()), None) if has_record else None
        session = self.start("moderator", "M").session
        if beside:
            session = dataclasses.replace(session, folder=beside.folder)
        self.clock.wait(1)
        try:
            restoration(session, accepts=True, dry=False, forced=False)
        except ExpectedError:
            pass
        except Crash:
            pass
        self.witness.check_receipts()

    def finish(self) -> list[str]:
        """End the season without faults: late writes arrive, all look again; return the violations."""
        self.is_over = True
        if self.beacon:
            self.beacon.set(SOUND)
        mend(self.stage)
        if self.witness.has_losses:
            delete_changed_copies(self.stage)
            self.witness.note_deed()
        self.stage.server.clear_faults()
        if self.schedule.is_timed:  # the late write is not due yet at this look
            for name in sorted(self.processes) or ["A"]:
                self.look(name)
        self.stage.server.control("late", {})
        others = [self.processes.pop(name) for name in VERSIONS if name in self.processes]
        if self.witness.is_forked:
            self._end_those_who_know()
        self._rounds()
        if others or any(map(self._leaves_a_word, self.processes.values())):
            others += self.processes.values()
            self.processes.clear()
            self._rounds()
        for process in others:
            self.witness.count_logs(process.folder)
        is_blind = "rename requests" in str(self.schedule)  # a tab of requests may be missing for good
        if (
            is_blind
            or self.witness.has_losses
            or any(process.watcher.tally.state != "well" for process in self.processes.values())
        ):
            self.clock.wait(TITLES_S)
            self._rounds()
        if self.beacon:  # what was promised last is due by now
            self.clock.wait(TITLES_S)
            self._rounds()
        self._check_rest("fresh")
        self.witness.check_rest(self.start("fresh", "Z").session)
        for process in self.processes.values():
            self.witness.count_logs(process.folder)
            self.check_held(process)
        self.witness.check_end(has_ended=self.schedule.has_ends)
        return self.witness.violations

    def _leaves_a_word(self, process: Process) -> bool:
        """Return True if a watcher has left a status that another process wrote in place of its own (REQ-05)."""
        shown = self.witness.statuses()
        written = process.watcher.state.last_statuses
        return any(id in shown and shown[id] != last.status for id, last in written.items())

    def _end_those_who_know(self) -> None:
        """End the processes whose record is of receipts that nothing else knows; check that it holds them."""
        for name in sorted(self.processes):
            self.clock.wait(TITLES_S)
            self.look(name)
            process = self.processes.get(name)
            if process and self._is_ahead(process, remembers=True):
                self.check_held(process)
                self.witness.count_logs(process.folder)
                self.known = process.watcher.tally.trouble
                del self.processes[name]

    def check_held(self, process: Process) -> None:
        """Check that a watcher works without errors, unless something is gone, and that it says so then."""
        tally, witness = process.watcher.tally, self.witness
        is_begun = any(row["Kind"] == "Season" for row in witness.receipts())
        words = ("gone", "written") if is_begun else ("gone", "written", "no season has begun")
        is_held = tally.state == "failing" and any(word in tally.trouble for word in words)
        may_be = bool(witness.lost) or witness.returned or not is_begun
        may_be = may_be or (witness.is_forked and self._is_ahead(process, remembers=True))
        if tally.state != "well" and not (is_held and may_be):
            witness.report(f"{process.name} still says: {tally.trouble}")
        if not (is_begun or is_held):
            witness.report(f"{process.name} says that all is well without a season")
        if witness.lost and witness.is_waiting and not is_held:
            witness.report(f"{process.name} says that all is well while receipts are gone")
        if witness.is_forked and self._is_ahead(process) and not is_held:
            witness.report(f"{process.name} has a record of receipts that are gone, and says that all is well")

    def _is_ahead(self, process: Process, *, remembers: bool = False) -> bool:
        """Return True if the record beside a process is of a receipt that is not in the tab, or differs.

        Args:
            process: The process.
            remembers: True to take the guards that it has seen last for a record too.
        """
        grid = self.stage.book.grid(self.stage.book.tabs.get("Receipts", -1)) or []
        sheet = Sheet("Receipts", dict(enumerate(grid, start=1)))
        there = read_receipts(Snapshot({RECEIPTS_TAB: sheet}), is_lenient=True)
        heads = [*_recorded(process.folder), *self.bound.get(process.folder, ())]
        heads += process.session.workbook.heads(asks=False) if remembers else ()
        restored = max((receipt.seq for receipt in there.restores), default=0)
        known = {receipt.seq: receipt.digest for receipt in there.by_seq.values()}
        return any(head.seq > restored and known.get(head.seq) != head.digest for head in heads)

    def _rounds(self) -> None:
        """Let everybody look in turn until no process writes any more."""
        quiet, enough = (
            0,
            REST + (self.schedule.season == "wars and forecasts"),
        )  # odds are requested, computed, written
        for _ in range(QUIET * (3 if self.beacon else 1)):
            written = len(self.wrote)
            if self.beacon:
                self.clock.wait(ROUND_S)
            for name in sorted(self.processes) or ["A"]:
                self.look(name)
            quiet = quiet + 1 if len(self.wrote) == written else 0
            if quiet == enough:
                return
        self.witness.report(f"after {QUIET} rounds of looks {', '.join(sorted(self.processes))} still write")

    def _check_rest(self, name: str) -> None:
        """Check that a process looks and writes nothing."""
        written = len(self.wrote)
        for _ in range(REST):
            self.look(name)
        for body in self.wrote[written:]:
            self.witness.report(f"{name} still writes: {body[:500]!r}")

    def look(self, name: str) -> None:
        """Let a process look, again at once while there is more to do; or let it run."""
        if name in self.busy:
            return
        process = self.process(name)
        self.clock.wait(TURN_S)
        if not self.busy:
            self.witness.begin_look(self.clock.read().strftime("%Y-%m-%dT%H:%M:%SZ"))
            self.stage.remember()
            self.witness.keep()
        self.busy.add(name)
        is_over = name in RUNS
        try:
            with self.version(name):
                self._run(process) if is_over else self._watch(process)
            is_over = is_over or self._has_ended(process)
        except Crash:
            is_over = True
            self.doubtful.pop(name, None)  # the next process of that name does not know of the write
        else:
            self._check_doubt(name)
        finally:
            self.busy.discard(name)
        if is_over:
            self.witness.count_logs(process.folder)
            self.cut.discard(name)
            del self.processes[name]
        self.witness.check_look(process.watcher)

    @contextmanager
    def version(self, name: str) -> Iterator[None]:
        """Let a process be that of an older program (`V`), or of one with newer rules (`U`)."""
        if not self.schedule.processes & {*VERSIONS}:
            yield
            return
        protocol, releases = VERSIONS.get(name, (PROTOCOL, Autoalgo.releases))
        with (
            patch.object(receipt_chain, "PROTOCOL", protocol),
            patch.object(Autoalgo, "releases", releases),
        ):
            yield

    def _check_doubt(self, name: str) -> None:
        """Check that a write without an answer can no longer be carried out, if its process got any answer since."""
        turn = self.doubtful.pop(name, None)
        is_mute = name in self.cut or name in self.mute
        if turn is not None and not is_mute and turn not in self.stage.book.turns():
            self.witness.report(f"{name} leaves a write in doubt that it could have withdrawn")

    def _watch(self, process: Process) -> None:
        for _ in range(MOST_LOOKS):
            pause = process.watcher.look()
            if self._has_ended(process):
                return
            if pause:
                process.watcher.rest(pause)
                return
            self.clock.wait(1)
        self.witness.report("a watcher never comes to rest")

    def _run(self, process: Process) -> None:
        """Run once, as `sheets-algo run` does; the next run completes what this one cannot do."""
        try:
            run_pass.run_until_done(process.session, dry=False, forced=False, progress=no_op)
        except ExpectedError:
            pass
        except Exception as error:
            self.witness.report(f"The program failed ({type(error).__name__}: {error})")

    def _has_ended(self, process: Process) -> bool:
        return process.stop.is_set() or process.name in self.cut

    def process(self, name: str) -> Process:
        """Return the process of that name, started if it does not run."""
        if name not in self.processes:
            self.processes[name] = self.start(name, name)
        return self.processes[name]

    def start(self, name: str, key: str) -> Process:
        """Start a process that has not read anything yet."""
        folder = self.folder / f"{name} {next(self._numbers)}"
        folder.mkdir()
        budget = RequestBudget(self.budget, pace=self.clock.pace)
        is_token_silent = any(event.kind == "token" and event.what == "silence" for event in self.schedule.events)
        timeout = SILENT_TOKEN_S if is_token_silent else PATIENT_S
        url = self.stage.server.url
        stop = threading.Event()
        api = self.api(self.stage.book.id, access(), budget, timeout=timeout, url=url, pace=self.clock.pace, stop=stop)
        adapter = TrackingAdapter(partial(self.before_request, key), partial(self.after_request, key))
        api._client.session.mount("http://", adapter)
        place = Session(
            workbook=GoogleWorkbook(api, clock=self.clock.read),
            folder=folder,
            library=library(),
            log_lines_most=self.log_lines,
            is_luck_told=self.is_luck_told,
            most=GoogleWorkbook.most_at_once,
            clock=self.clock.read,
            fetch_rounds=self.beacon.fetch if self.beacon else no_beacon,
        )
        watcher = Watcher(
            WorkbookRef(self.stage.book.id, place),
            TURN_S,
            stop,
            clock=self.clock.seconds,
            now=self.clock.seconds,
            wait=lambda seconds: None,
            chance=lambda: 0.5,
        )
        return Process(name, watcher, folder, stop)

    def before_request(self, name: str, request: requests.PreparedRequest) -> bool:
        """Trigger the events of a request that is about to be sent; return True if the server will not answer it."""
        if name in self.cut:
            raise requests.ReadTimeout("nothing comes back")
        self.sent[name] = self.sent.get(name, 0) + 1
        self.bodies.append(request.body)
        if request.body is not None:
            self.stage.before_write = self.stage.book.inside
            self.wrote.append(request.body)
        if name in self.unsure and self.unsure[name] == request.body and _changes_cells(request.body):
            self.witness.report(f"{name} sends a write again without having looked what became of it")
        self.unsure.pop(name, None)
        due = [event for event in self.events if (event.watcher, event.at) == (name, self.sent[name])]
        for event in due:
            self.events.remove(event)
        faults = [event for event in due if event.kind == "fault"]
        others = [event for event in due if event not in faults]
        for event in (*others, *faults[:1]):  # one fault is enough for a request
            self.cause(event, request)
        return any(event.what == "silence" for event in faults[:1]) and not self.is_over

    def after_request(self, name: str, status: int | None) -> None:
        """Record the outcome of a request; one refused for its token was certainly not carried out."""
        if status == HTTPStatus.UNAUTHORIZED:
            self.unsure.pop(name, None)
            self.doubtful.pop(name, None)
        elif status == HTTPStatus.OK:
            self.mute.discard(name)
        if name in self.stopped:
            self.stopped.discard(name)
            self.processes[name].stop.set()

    def cause(self, event: Event, request: requests.PreparedRequest) -> None:
        if self.is_over and event.kind != "look":
            return
        match event.kind:
            case "act":
                self.do_deed(event.what)
            case "look":
                self.look(event.what)
            case "crash":
                raise Crash
            case "exit":
                self.cut.add(event.watcher)
                raise requests.ReadTimeout("nothing comes back")
            case "stop" if event.watcher in RUNS:
                raise Crash  # it does not handle the signal
            case "stop":
                self.stopped.add(event.watcher)
            case "token":
                self.stage.server.control("tokens/expire", {})
                self.stage.server.fault(event.what, at=1, match="token", when=event.when)
            case _:
                late = {"after_seconds": event.seconds} if event.seconds else {"after_requests": event.late}
                self.stage.server.fault(event.what, at=1, when=event.when, **late)
                if event.what in LOST:
                    self.unsure[event.watcher] = request.body
                    if event.watcher in self.doubtful:
                        self.mute.add(event.watcher)
                    for turn in _turns(request.body):
                        self.doubtful[event.watcher] = turn


def _recorded(folder: Path) -> list[Head]:
    """Return the heads in the records of a folder."""
    records = map(SeasonRecord, (folder / FOLDER).glob("record-*.jsonl"))
    heads = (Head.parse(entry.head) for record in records for entry in record.entries(HEAD))
    return [head for head in heads if head]


def _turns(body: Any) -> Iterator[int]:
    """Yield the turn that a write of cells takes."""
    requests = json.loads(body).get("requests", ()) if body is not None else ()
    if not any("start" in request.get("updateCells", {}) or "appendCells" in request for request in requests):
        return  # it only notes that an earlier write has been checked
    for request in requests:
        slot = request.get("createDeveloperMetadata", {}).get("developerMetadata", {})
        if slot.get("metadataKey") == guard.TURN_KEY:
            yield slot["metadataId"]


def _changes_cells(body: Any) -> bool:
    """Return True if a write does more than take ids, each of which is taken once however often it is sent."""
    requests = json.loads(body).get("requests", [{}]) if body is not None else []
    return any("createDeveloperMetadata" not in request for request in requests)


def play_schedule(schedule: Schedule, api: type[Api] = Api) -> list[str]:
    """Play a schedule in a season of its own; return the violations."""
    with (
        without_garbage_collection(),
        TemporaryDirectory() as folder,
        prepared(),
        Stage.set(SEASONS[schedule.season]()) as stage,
    ):
        play = Play(stage, schedule, Path(folder), api)
        with clock_tied_to(play) if schedule.is_timed else nullcontext():
            return play.play()


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Disable garbage collection in a season, of which it would take a tenth; seasons are short."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextmanager
def clock_tied_to(play: Play) -> Iterator[None]:
    """Tie the server's clock to the season's: it moves only while processes wait."""
    server = play.stage.server
    server.control("clock", {"stop": True})
    play.clock.passes = server.advance
    try:
        yield
    finally:
        server.control("clock", {"set": time.time()})
        server.control("clock", {"run": True})


@contextmanager
def prepared(*, quick: bool = True) -> Iterator[None]:
    """Give all processes a season's secret.

    Quick ones read tables once, fight each battle once, and draw no map.
    """
    clock, _, *rest = ForecastQueue.__init__.__defaults__
    with patch.dict("os.environ", {season_secret.VARIABLE: SECRET}), ExitStack() as stack:
        stack.enter_context(patch.object(ForecastQueue.__init__, "__defaults__", (clock, BATTLES, *rest)))
        if quick:
            stack.enter_context(patch.object(artifacts, "draw_map", lambda scene, **_: PIXEL))
            stack.enter_context(patch.object(session, "open_forms", _forms))
            stack.enter_context(patch.object(ConfigLoader, "fingerprint", _fingerprint))
            stack.enter_context(patch.object(Autoalgo, "resolve", _resolve))
            stack.enter_context(patch.object(Autoalgo, "resolve_with", lambda self, code, *rest: _resolve(self, *rest)))
        yield


ORIGINAL_FINGERPRINT = ConfigLoader.fingerprint


@functools.cache
def _fingerprint(loader: ConfigLoader, ruleset: str) -> str:
    return ORIGINAL_FINGERPRINT(loader, ruleset)


ORIGINAL_RESOLVE = Autoalgo.resolve
FOUGHT: dict[str, tuple[Outcome, list[list[str]]]] = {}
"""The battles of all seasons by inputs and luck: outcome and log."""


def _resolve(ruleset: Autoalgo, inputs: WarInputs, rng: Rng, log_sink: LogSink = no_op) -> Outcome:
    key = repr((inputs, rng))
    if key not in FOUGHT:
        log: list[list[str]] = []
        FOUGHT[key] = ORIGINAL_RESOLVE(ruleset, inputs, rng, lambda lines: log.append(list(lines))), log
    outcome, log = FOUGHT[key]
    for lines in log:
        log_sink(lines)
    return outcome


@functools.cache
def _form(entry: FormEntry) -> Form[Any]:
    (form,) = open_forms(library(), [entry])
    return form


def _forms(loader: ConfigLoader, chosen: Iterable[FormEntry], own_maps: Path | None) -> tuple[Form[Any], ...]:
    return tuple(map(_form, chosen))


@dataclass(frozen=True, slots=True)
class Clean:
    """The requests of a season without faults, by their numbers, from 1.

    Args:
        turns: The number of requests sent after each turn.
        writes: The requests that change something.
        rulings: The writes that make receipts.
    """

    turns: tuple[int, ...]
    writes: tuple[int, ...]
    rulings: tuple[int, ...]

    @property
    def sent(self) -> int:
        """Return the number of requests."""
        return self.turns[-1]

    def turn_of(self, request: int) -> int:
        """Return the turn, from 0, in which a request is sent."""
        return next(turn for turn, sent in enumerate(self.turns) if sent >= request)

    @property
    def first(self) -> int:
        """Return the first write."""
        return self.writes[0]

    @property
    def look(self) -> int:
        """Return the look at three wars before they are ruled."""
        return self.ruling - 1

    @property
    def ruling(self) -> int:
        """Return the write that rules three wars."""
        return self.rulings[0]

    @property
    def last(self) -> int:
        """Return the write that rules one more war."""
        return self.rulings[-1]


@functools.cache
def clean_run(turns: tuple[str, ...] = WATCHED, season: str = "wars") -> Clean:
    """Return the requests of a run without faults, in the turns of one process."""
    with TemporaryDirectory() as folder, prepared(), Stage.set(SEASONS[season]()) as stage:
        play = Play(stage, Schedule(turns), Path(folder))
        sent = []
        for turn in turns:
            play.take_turn(turn)
            sent.append(len(play.bodies))
    writes = {number: str(body) for number, body in enumerate(play.bodies, start=1) if body is not None}
    return Clean(tuple(sent), tuple(writes), tuple(number for number, body in writes.items() if SLOT in body))


def late_write(turns: tuple[str, ...], at: int, end: str, deed: str, seconds: int = LATE_S) -> Schedule:
    """Return a schedule: a write gets no answer, its process ends, people do a deed, and then the write arrives."""
    turn = clean_run(turns).turn_of(at) + 1
    fault = Event(turns[0], at, "fault", "reset", "late", 1, seconds)
    is_signalled = end == "stop" and turns[0] not in RUNS  # it ends when its request has ended
    ends = Event(turns[0], at if is_signalled else at + 1, end)
    return Schedule((*turns[:turn], deed, "five minutes pass", *turns[turn:]), (fault, ends))


def killed_while_moving(turns: tuple[str, ...], at: int, deed: str) -> Schedule:
    """Return a schedule: rows are moved between look and write; the answer is lost and the process killed."""
    fault = Event(turns[0], at, "fault", "reset", "after")
    return Schedule(turns, (Event(turns[0], at, "act", deed), fault, Event(turns[0], at + 1, "crash")))


def shrink(schedule: Schedule) -> Schedule:
    """Return a schedule that is violated as well, with no event and no turn that is not needed for that."""
    for smaller in schedule.smaller():
        if play_schedule(smaller):
            return shrink(smaller)
    return schedule
