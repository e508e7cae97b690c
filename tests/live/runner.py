"""Plays a schedule: the program as it is, over real HTTP; only waiting takes no time."""

from __future__ import annotations

import functools
import gc
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import requests
from requests.adapters import HTTPAdapter

from sheets_algo import keepsakes, places, runs, season
from sheets_algo.commands import EXPECTED
from sheets_algo.forecasts.slices import Slices
from sheets_algo.forms.base import Form
from sheets_algo.keepsakes import unheard
from sheets_algo.library import Library
from sheets_algo.places import Place
from sheets_algo.rulesets import open_forms
from sheets_algo.sites import MOST_AT_ONCE, Google, Site
from sheets_algo.watcher import Watcher
from sheets_algo.workbook.base import Mosaic
from sheets_algo.workbook.google import GoogleWorkbook, guard
from sheets_algo.workbook.google.access import Access
from sheets_algo.workbook.google.api import Api
from sheets_algo.workbook.google.backoff import Pace
from sheets_algo.workbook.google.budget import Budget
from tests.desks import library
from tests.live.invariants import Witness
from tests.live.people import DEEDS, mend
from tests.live.schedules import LOST, RUNS, WAITS, WATCHED, Event, Schedule
from tests.live.stage import SEASONS, Stage
from tests.sheets_server.shared import access

SECRET = "a season secret that only tests know"
QUIET = 8
"""Rounds of looks, at the end, in which nothing fails any more: what is late is found out, ids are given, a war is seen
and ruled, odds are worked out for what it leaves and written."""
REST = 2
"""Looks of any process after which it has nothing to write."""
TURN_S = 15.0
"""Between two looks, as the watcher has it."""

MOST_LOOKS = 12
"""A watcher that has something to do at every look for longer than this never comes to rest."""

TITLES_S = 601
"""A watcher that finds no tab that it could work with may take so long to find one: then it looks tabs up anew."""

LATE_S = 300
"""Longer than a process goes on asking without an answer."""

PLENTY = 100_000
"""Requests a minute: no budget is played with here."""

SLOT = f'"{guard.KEY}"'
"""Stands in the writes that make receipts, and in no other."""

SILENCE_S, PATIENT_S = 0.25, 20.0
LOG_LINES = 3
BATTLES = 2
"""Of a forecast: what is played is how it is written."""
PIXEL, CELL = b"a picture", Mosaic("", (("FFFFFF",),))
"""In place of maps, each of which takes longer to draw than the season to play."""


class Crash(BaseException):
    """As kill -9: nothing of the process is left but its files."""


@dataclass
class Clock:
    """The time of a season; waiting makes it pass."""

    now: datetime = datetime(2026, 3, 1, 12, tzinfo=UTC)
    passes: Callable[[float], object] = lambda seconds: None

    def read(self) -> datetime:
        return self.now

    def seconds(self) -> float:
        return self.now.timestamp()

    def wait(self, seconds: float, stop: threading.Event | None = None) -> None:
        self.now += timedelta(seconds=seconds)
        self.passes(seconds)

    @property
    def pace(self) -> Pace:
        return Pace(now=self.seconds, wait=self.wait, chance=lambda: 0.5)


class Seam(HTTPAdapter):
    """Tells when a request is about to be sent, and what became of it: a status, or None for no answer."""

    def __init__(
        self, reached: Callable[[requests.PreparedRequest], None], answered: Callable[[int | None], None]
    ) -> None:
        super().__init__()
        self._reached, self._answered = reached, answered

    def send(self, request: requests.PreparedRequest, **how: Any) -> requests.Response:  # type: ignore[override]
        status = None
        self._reached(request)
        try:
            answer = super().send(request, **how)
            status = answer.status_code
        finally:
            self._answered(status)
        return answer


class Makes:
    """Makes the parts of the program that a schedule is played with; a mutation replaces one."""

    def api(self, id: str, access: Access, budget: Budget, **more: Any) -> Api:
        return Api(id, access, budget, **more)

    def workbook(self, api: Api, clock: Clock) -> GoogleWorkbook:
        return GoogleWorkbook(api, clock=clock.read)


@dataclass
class Process:
    """One process with a folder of its own, from its start to its end; `run`-like ones use of it what they need."""

    name: str
    watcher: Watcher
    folder: Path
    stop: threading.Event

    @property
    def place(self) -> Place:
        """Where it works."""
        return self.watcher.site.place


@dataclass
class Play:
    """A season under way.

    Args:
        stage: The spreadsheet and its twin.
        schedule: What is played.
        folder: Where each process has a folder of its own.
        makes: What the program is made of.
        log_lines: Most lines of a ruling in the Log tab.
        budget: Reads, and writes, a minute of each process.
        is_luck_told: Each log ends with how lucky the ruling was.
        clock: Everybody's.
        processes: Watchers by name.
        sent: Requests of each watcher so far.
        wrote: Bodies of the writes of all processes so far.
        bodies: Of all requests, None for a read.
        unsure: By process, the body of the last request, if it may or may not have been carried out.
        cut: Processes that get no answer any more.
        stopped: Processes that get SIGTERM when their request has its answer, or none.
        busy: Processes in the middle of a look.
        over: Nothing fails any more.
        doubtful: By process, the turn of its last write without an answer.
        mute: Processes that have had no answer to anything since.
    """

    stage: Stage
    schedule: Schedule
    folder: Path
    makes: Makes = field(default_factory=Makes)
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
    over: bool = False
    doubtful: dict[str, int] = field(default_factory=dict)
    mute: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.witness = Witness(self.stage, self.schedule.deeds)
        self.events = list(self.schedule.events)
        self._numbers = itertools.count(1)

    def play(self) -> list[str]:
        """What was violated, in sentences; empty when all is well."""
        self.turns()
        return self.ends()

    def turns(self) -> None:
        """Everybody's turns, with all that happens in between."""
        for turn in self.schedule.turns:
            self.turn(turn)

    def turn(self, what: str) -> None:
        """A look, a run, a deed, or only time that passes."""
        if what in DEEDS:
            self.does(what)
        elif what in WAITS:
            self.clock.wait(WAITS[what])
        else:
            self.looks(what)

    def does(self, deed: str) -> None:
        """A person does something; the ids that are gone then are gone for good."""
        before = self.witness.ids()
        DEEDS[deed](self.stage)
        self.witness.removed |= before - self.witness.ids()

    def ends(self) -> list[str]:
        """Nothing fails any more, what is late arrives, all look again: what is not as it should be then."""
        self.over = True
        mend(self.stage)
        self.stage.server.clear_faults()
        if self.schedule.is_timed:  # time has not come yet when somebody looks
            for name in sorted(self.processes) or ["A"]:
                self.looks(name)
        self.stage.server.control("late", {})
        self._rounds()
        is_blind = "rename requests" in str(self.schedule)  # a tab of requests may be missing for good
        if is_blind or any(process.watcher.tally.state != "well" for process in self.processes.values()):
            self.clock.wait(TITLES_S)
            self._rounds()
        self._is_at_rest("fresh")
        self.witness.rests(self.begun("fresh", "Z").place)
        for process in self.processes.values():
            self.witness.logs(process.folder)
            if process.watcher.tally.state != "well":
                self.witness.saw(f"{process.name} still says: {process.watcher.tally.trouble}")
        self.witness.ends(has_ended=self.schedule.has_ends)
        return self.witness.violations

    def _rounds(self) -> None:
        """Everybody looks in turn until nobody writes any more."""
        quiet, enough = 0, REST + (self.schedule.season == "wars and forecasts")  # odds are wanted, worked out, written
        for _ in range(QUIET):
            written = len(self.wrote)
            for name in sorted(self.processes) or ["A"]:
                self.looks(name)
            quiet = quiet + 1 if len(self.wrote) == written else 0
            if quiet == enough:
                return
        self.witness.saw(f"after {QUIET} rounds of looks {', '.join(sorted(self.processes))} still write")

    def _is_at_rest(self, name: str) -> None:
        """It looks and writes nothing."""
        written = len(self.wrote)
        for _ in range(REST):
            self.looks(name)
        for body in self.wrote[written:]:
            self.witness.saw(f"{name} still writes: {body[:500]!r}")

    def looks(self, name: str) -> None:
        """One look, and at once another while there is more to do; or one run."""
        if name in self.busy:
            return
        process = self.process(name)
        self.busy.add(name)
        self.clock.wait(TURN_S)
        is_over = name in RUNS
        try:
            self._runs(process) if is_over else self._watches(process)
            is_over = is_over or self._has_ended(process)
        except Crash:
            is_over = True
        else:
            self._leaves_no_doubt(name)
        finally:
            self.busy.discard(name)
        if is_over:
            self.witness.logs(process.folder)
            self.cut.discard(name)
            del self.processes[name]
        self.witness.looked(process.watcher)

    def _leaves_no_doubt(self, name: str) -> None:
        """A write without an answer is never carried out later, unless its process heard nothing from then on."""
        turn = self.doubtful.pop(name, None)
        is_mute = name in self.cut or name in self.mute
        if turn is not None and not is_mute and turn not in self.stage.book.turns():
            self.witness.saw(f"{name} leaves a write in doubt that it could have withdrawn")

    def _watches(self, process: Process) -> None:
        for _ in range(MOST_LOOKS):
            pause = process.watcher.look()
            if self._has_ended(process):
                return
            if pause:
                process.watcher.rest(pause)
                return
            self.clock.wait(1)
        self.witness.saw("a watcher never comes to rest")

    def _runs(self, process: Process) -> None:
        """As `sheets-algo run`: what it cannot do, the next one does."""
        try:
            runs.run(process.place, dry=False, forced=False, begins=unheard)
        except EXPECTED:
            pass
        except Exception as error:
            self.witness.saw(f"The program failed ({type(error).__name__}: {error})")

    def _has_ended(self, process: Process) -> bool:
        return process.stop.is_set() or process.name in self.cut

    def process(self, name: str) -> Process:
        """The process of that name, started if it does not run."""
        if name not in self.processes:
            self.processes[name] = self.begun(name, name)
        return self.processes[name]

    def begun(self, name: str, key: str) -> Process:
        """A process that knows nothing yet."""
        folder = self.folder / f"{name} {next(self._numbers)}"
        folder.mkdir()
        budget = Budget(self.budget, self.budget, pace=self.clock.pace)
        is_silent = any(event.what == "silence" for event in self.schedule.events)
        timeout = SILENCE_S if is_silent else PATIENT_S
        url = self.stage.server.url
        stop = threading.Event()
        api = self.makes.api(
            self.stage.book.id, access(), budget, timeout=timeout, url=url, pace=self.clock.pace, stop=stop
        )
        api._client.session.mount("http://", Seam(partial(self.reached, key), partial(self.answered, key)))
        place = Place(
            workbook=self.makes.workbook(api, self.clock),
            folder=folder,
            library=library(),
            log_lines_most=self.log_lines,
            is_luck_told=self.is_luck_told,
            most=MOST_AT_ONCE,
            clock=self.clock.read,
        )
        site = Site(self.stage.book.id, place, google=Google(api, access(), budget))
        watcher = Watcher(
            site,
            TURN_S,
            stop,
            clock=self.clock.seconds,
            now=self.clock.seconds,
            wait=lambda seconds: None,
            chance=lambda: 0.5,
        )
        return Process(name, watcher, folder, stop)

    def reached(self, name: str, request: requests.PreparedRequest) -> None:
        """A process is about to send a request."""
        if name in self.cut:
            raise requests.ReadTimeout("nothing comes back")
        self.sent[name] = self.sent.get(name, 0) + 1
        self.bodies.append(request.body)
        if request.body is not None:
            self.wrote.append(request.body)
        if name in self.unsure and self.unsure[name] == request.body and _changes_cells(request.body):
            self.witness.saw(f"{name} sends a write again without having looked what became of it")
        self.unsure.pop(name, None)
        due = [event for event in self.events if (event.watcher, event.at) == (name, self.sent[name])]
        for event in due:
            self.events.remove(event)
        faults = [event for event in due if event.kind == "fault"]
        for event in (*(it for it in due if it not in faults), *faults[:1]):  # one fault is enough for a request
            self.happens(event, request)

    def answered(self, name: str, status: int | None) -> None:
        """A request that was not let in, since its token had ended, was certainly not carried out."""
        if status == HTTPStatus.UNAUTHORIZED:
            self.unsure.pop(name, None)
            self.doubtful.pop(name, None)
        elif status == HTTPStatus.OK:
            self.mute.discard(name)
        if name in self.stopped:
            self.stopped.discard(name)
            self.processes[name].stop.set()

    def happens(self, event: Event, request: requests.PreparedRequest) -> None:
        if self.over and event.kind != "look":
            return
        match event.kind:
            case "act":
                self.does(event.what)
            case "look":
                self.looks(event.what)
            case "crash":
                raise Crash
            case "exit":
                self.cut.add(event.watcher)
                raise requests.ReadTimeout("nothing comes back")
            case "stop" if event.watcher in RUNS:
                raise Crash  # nothing in it hears the signal
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


def _turns(body: Any) -> Iterator[int]:
    """The turn that a write of cells takes."""
    requests = json.loads(body).get("requests", ()) if body is not None else ()
    if not any("start" in it.get("updateCells", {}) or "appendCells" in it for it in requests):
        return  # it only writes down that an earlier one has been checked
    for asked in requests:
        slot = asked.get("createDeveloperMetadata", {}).get("developerMetadata", {})
        if slot.get("metadataKey") == guard.TURN_KEY:
            yield slot["metadataId"]


def _changes_cells(body: Any) -> bool:
    """Whether a write does more than take ids, of which each is taken once however often it is sent."""
    asked = json.loads(body).get("requests", [{}]) if body is not None else []
    return any("createDeveloperMetadata" not in it for it in asked)


def played(schedule: Schedule, makes: Makes | None = None) -> list[str]:
    """Play a schedule in a season of its own; what was violated."""
    with uncollected(), TemporaryDirectory() as folder, prepared(), Stage.set(SEASONS[schedule.season]()) as stage:
        play = Play(stage, schedule, Path(folder), makes or Makes())
        with moved_by(play) if schedule.is_timed else nullcontext():
            return play.play()


@contextmanager
def uncollected() -> Iterator[None]:
    """Nobody looks for garbage in the middle of a season, which takes a tenth of it; it is soon over."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextmanager
def moved_by(play: Play) -> Iterator[None]:
    """The server's clock goes as the season's does: it stands still but for what processes wait."""
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
    """All processes of a season have its secret; quick ones read tables once, and of a battle's map send one cell."""
    drawing = {"draw": lambda scene: PIXEL, "mosaics": lambda scene: (CELL,)}
    clock, _, *rest = Slices.__init__.__defaults__
    with patch.dict("os.environ", {season.VARIABLE: SECRET}), ExitStack() as stack:
        stack.enter_context(patch.object(Slices.__init__, "__defaults__", (clock, BATTLES, *rest)))
        if quick:
            stack.enter_context(patch.multiple(keepsakes, **drawing))
            stack.enter_context(patch.object(places, "open_forms", _forms))
            stack.enter_context(patch.object(Library, "fingerprint", _fingerprint))
        yield


WHOLE = Library.fingerprint


@functools.cache
def _fingerprint(of: Library, ruleset: str) -> str:
    return WHOLE(of, ruleset)


@functools.cache
def _form(kind: type[Form[Any]]) -> Form[Any]:
    (form,) = open_forms(library(), [kind])
    return form


def _forms(of: Library, chosen: Iterable[type[Form[Any]]], own_maps: Path | None) -> tuple[Form[Any], ...]:
    return tuple(map(_form, chosen))


@dataclass(frozen=True, slots=True)
class Clean:
    """The requests of a season in which nothing goes wrong, by their numbers, from 1.

    Args:
        turns: How many were sent after each turn.
        writes: Those that change something.
        rulings: Those of them that make receipts.
    """

    turns: tuple[int, ...]
    writes: tuple[int, ...]
    rulings: tuple[int, ...]

    @property
    def sent(self) -> int:
        """How many."""
        return self.turns[-1]

    def turn_of(self, request: int) -> int:
        """The turn in which it is sent, from 0."""
        return next(turn for turn, sent in enumerate(self.turns) if sent >= request)

    @property
    def first(self) -> int:
        """The first write."""
        return self.writes[0]

    @property
    def look(self) -> int:
        """What three wars are looked at with, before they are ruled."""
        return self.ruling - 1

    @property
    def ruling(self) -> int:
        """The write that rules three wars."""
        return self.rulings[0]

    @property
    def last(self) -> int:
        """The write that rules one more."""
        return self.rulings[-1]


@functools.cache
def clean(turns: tuple[str, ...] = WATCHED, season: str = "wars") -> Clean:
    """What a clean run sends, in the turns of one process."""
    with TemporaryDirectory() as folder, prepared(), Stage.set(SEASONS[season]()) as stage:
        it = Play(stage, Schedule(turns), Path(folder), Makes())
        sent = []
        for turn in turns:
            it.turn(turn)
            sent.append(len(it.bodies))
    writes = {number: str(body) for number, body in enumerate(it.bodies, start=1) if body is not None}
    return Clean(tuple(sent), tuple(writes), tuple(number for number, body in writes.items() if SLOT in body))


def left_behind(turns: tuple[str, ...], at: int, end: str, deed: str, seconds: int = LATE_S) -> Schedule:
    """A write gets no answer, its process ends, people do something, and the write arrives before anybody looks."""
    turn = clean(turns).turn_of(at) + 1
    lost = Event(turns[0], at, "fault", "reset", "late", 1, seconds)
    is_told = end == "stop" and turns[0] not in RUNS  # it ends when its request has
    ends = Event(turns[0], at if is_told else at + 1, end)
    return Schedule((*turns[:turn], deed, "five minutes pass", *turns[turn:]), (lost, ends))


def killed_under(turns: tuple[str, ...], at: int, deed: str) -> Schedule:
    """Rows are moved between look and write; the write is carried out, its answer is lost and its process killed."""
    lost = Event(turns[0], at, "fault", "reset", "after")
    return Schedule(turns, (Event(turns[0], at, "act", deed), lost, Event(turns[0], at + 1, "crash")))


def smallest(schedule: Schedule, makes: Makes | None = None) -> Schedule:
    """A schedule that is violated as well, without what it can do without."""
    for smaller in schedule.smaller():
        if played(smaller, makes):
            return smallest(smaller, makes)
    return schedule
