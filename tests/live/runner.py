"""Plays a schedule: the program as it is, over real HTTP; only waiting takes no time."""

from __future__ import annotations

import functools
import itertools
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
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

from sheets_algo import keepsakes, places, season
from sheets_algo.forms.base import Form
from sheets_algo.library import Library
from sheets_algo.places import Place
from sheets_algo.rulesets import open_forms
from sheets_algo.sites import MOST_AT_ONCE, Google, Site
from sheets_algo.watcher import Watcher
from sheets_algo.workbook.base import Mosaic
from sheets_algo.workbook.google import GoogleWorkbook
from sheets_algo.workbook.google.access import Access
from sheets_algo.workbook.google.api import Api
from sheets_algo.workbook.google.backoff import Pace
from sheets_algo.workbook.google.budget import Budget
from tests.desks import library
from tests.live.invariants import Witness
from tests.live.people import DEEDS, mend
from tests.live.schedules import LOST, Event, Schedule
from tests.live.stage import SEASONS, Stage
from tests.sheets_server.shared import access

SECRET = "a season secret that only tests know"
QUIET = 4
"""Looks of each watcher, at the end, in which nothing fails any more: a war is seen and ruled, odds are worked out for
what it leaves and written."""

MOST_LOOKS = 12
"""A watcher that has something to do at every look for longer than this never comes to rest."""

TITLES_S = 601
"""A tab that got the right title at last is found when tabs are looked up anew, every ten minutes."""

PLENTY = 100_000
"""Requests a minute: no budget is played with here."""

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

    def read(self) -> datetime:
        return self.now

    def seconds(self) -> float:
        return self.now.timestamp()

    def wait(self, seconds: float, stop: threading.Event | None = None) -> None:
        self.now += timedelta(seconds=seconds)

    @property
    def pace(self) -> Pace:
        return Pace(now=self.seconds, wait=self.wait, chance=lambda: 0.5)


class Seam(HTTPAdapter):
    """Tells when a request is about to be sent, and which status was answered."""

    def __init__(self, reached: Callable[[requests.PreparedRequest], None], answered: Callable[[int], None]) -> None:
        super().__init__()
        self._reached, self._answered = reached, answered

    def send(self, request: requests.PreparedRequest, **how: Any) -> requests.Response:  # type: ignore[override]
        self._reached(request)
        answer = super().send(request, **how)
        self._answered(answer.status_code)
        return answer


class Makes:
    """Makes the parts of the program that a schedule is played with; a mutation replaces one."""

    def api(self, id: str, access: Access, budget: Budget, **more: Any) -> Api:
        return Api(id, access, budget, **more)

    def workbook(self, api: Api, clock: Clock) -> GoogleWorkbook:
        return GoogleWorkbook(api, clock=clock.read)


@dataclass
class Process:
    """One watcher with a folder of its own, from its start to its crash."""

    name: str
    watcher: Watcher
    folder: Path


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
        clock: Everybody's.
        processes: Watchers by name.
        sent: Requests of each watcher so far.
        unsure: By watcher, the body of the last request, if it may or may not have been carried out.
        busy: Watchers in the middle of a look.
        over: Nothing fails any more.
    """

    stage: Stage
    schedule: Schedule
    folder: Path
    makes: Makes = field(default_factory=Makes)
    log_lines: int = LOG_LINES
    budget: int = PLENTY
    clock: Clock = field(default_factory=Clock)
    processes: dict[str, Process] = field(default_factory=dict)
    sent: dict[str, int] = field(default_factory=dict)
    unsure: dict[str, Any] = field(default_factory=dict)
    busy: set[str] = field(default_factory=set)
    over: bool = False

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
            if turn in DEEDS:
                DEEDS[turn](self.stage)
            else:
                self.looks(turn)

    def ends(self) -> list[str]:
        """Nothing fails any more, what is late arrives, all look again: what is not as it should be then."""
        self.over = True
        mend(self.stage)
        if any(word in str(self.schedule) for word in ("rename", "swap")):
            self.clock.wait(TITLES_S)
        self.stage.server.clear_faults()
        self.stage.server.control("late", {})
        for _ in range(QUIET):
            for name in sorted(self.processes) or ["A"]:
                self.looks(name)
        self.witness.rests(self.begun("fresh", "Z").watcher.site.place)
        for process in self.processes.values():
            self.witness.logs(process.folder)
            if process.watcher.tally.state != "well":
                self.witness.saw(f"{process.name} still says: {process.watcher.tally.trouble}")
        self.witness.ends(has_crashes=any(event.kind == "crash" for event in self.schedule.events))
        return self.witness.violations

    def looks(self, name: str) -> None:
        """One look, and at once another while there is more to do."""
        if name in self.busy:
            return
        process = self.process(name)
        self.busy.add(name)
        try:
            for _ in range(MOST_LOOKS):
                self.clock.wait(1)
                if pause := process.watcher.look():
                    process.watcher.rest(pause)
                    break
            else:
                self.witness.saw("a watcher never comes to rest")
        except Crash:
            self.witness.logs(process.folder)
            del self.processes[name]
        finally:
            self.busy.discard(name)
        self.witness.looked(process.watcher)

    def process(self, name: str) -> Process:
        """The watcher of that name, started if it does not run."""
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
        api = self.makes.api(self.stage.book.id, access(), budget, timeout=timeout, url=url, pace=self.clock.pace)
        api._client.session.mount("http://", Seam(partial(self.reached, key), partial(self.answered, key)))
        place = Place(
            workbook=self.makes.workbook(api, self.clock),
            folder=folder,
            library=library(),
            log_lines_most=self.log_lines,
            most=MOST_AT_ONCE,
            clock=self.clock.read,
        )
        site = Site(self.stage.book.id, place, google=Google(api, access(), budget))
        watcher = Watcher(
            site,
            15,
            threading.Event(),
            clock=self.clock.seconds,
            now=self.clock.seconds,
            wait=lambda seconds: None,
            chance=lambda: 0.5,
        )
        watcher.memory.forecasts.battles = BATTLES
        return Process(name, watcher, folder)

    def reached(self, name: str, request: requests.PreparedRequest) -> None:
        """A watcher is about to send a request."""
        self.sent[name] = self.sent.get(name, 0) + 1
        if name in self.unsure and self.unsure[name] == request.body is not None:
            self.witness.saw(f"{name} sends a write again without having looked what became of it")
        self.unsure.pop(name, None)
        due = [event for event in self.events if (event.watcher, event.at) == (name, self.sent[name])]
        for event in due:
            self.events.remove(event)
        faults = [event for event in due if event.kind == "fault"]
        for event in (*(it for it in due if it not in faults), *faults[:1]):  # one fault is enough for a request
            self.happens(event, request)

    def answered(self, name: str, status: int) -> None:
        """A request that was not let in, since its token had ended, was certainly not carried out."""
        if status == HTTPStatus.UNAUTHORIZED:
            self.unsure.pop(name, None)

    def happens(self, event: Event, request: requests.PreparedRequest) -> None:
        if self.over and event.kind != "look":
            return
        match event.kind:
            case "act":
                DEEDS[event.what](self.stage)
            case "look":
                self.looks(event.what)
            case "crash":
                raise Crash
            case "token":
                self.stage.server.control("tokens/expire", {})
                self.stage.server.fault(event.what, at=1, match="token", when=event.when)
            case _:
                self.stage.server.fault(event.what, at=1, when=event.when, after_requests=event.late)
                if event.what in LOST:
                    self.unsure[event.watcher] = request.body


def played(schedule: Schedule, makes: Makes | None = None) -> list[str]:
    """Play a schedule in a season of its own; what was violated."""
    with TemporaryDirectory() as folder, prepared(), Stage.set(SEASONS[schedule.season]()) as stage:
        return Play(stage, schedule, Path(folder), makes or Makes()).play()


@contextmanager
def prepared(*, quick: bool = True) -> Iterator[None]:
    """All processes of a season have its secret; quick ones read tables once, and of a battle's map send one cell."""
    drawing = {"draw": lambda scene: PIXEL, "mosaics": lambda scene: (CELL,)}
    with patch.dict("os.environ", {season.VARIABLE: SECRET}), ExitStack() as stack:
        if quick:
            stack.enter_context(patch.multiple(keepsakes, **drawing))
            stack.enter_context(patch.object(places, "open_forms", _forms))
        yield


@functools.cache
def _form(kind: type[Form[Any]]) -> Form[Any]:
    (form,) = open_forms(library(), [kind])
    return form


def _forms(of: Library, chosen: Iterable[type[Form[Any]]], own_maps: Path | None) -> tuple[Form[Any], ...]:
    return tuple(map(_form, chosen))


def requests_of(turns: tuple[str, ...], makes: Makes | None = None) -> dict[str, int]:
    """How many requests each watcher sends when nothing goes wrong, up to the end of the turns."""
    with TemporaryDirectory() as folder, prepared(), Stage.set(SEASONS["wars"]()) as stage:
        it = Play(stage, Schedule(turns), Path(folder), makes or Makes())
        for turn in turns:
            DEEDS[turn](it.stage) if turn in DEEDS else it.looks(turn)
        return it.sent


def smallest(schedule: Schedule, makes: Makes | None = None) -> Schedule:
    """A schedule that is violated as well, without what it can do without."""
    for smaller in schedule.smaller():
        if played(smaller, makes):
            return smallest(smaller, makes)
    return schedule
