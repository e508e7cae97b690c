"""Many games under one supervisor on the local Sheets and Drive server, in simulated time.

Watchers, their threads, the limits of requests and the question to Drive are those of the program; people type, and
Drive reports late. Only the time is not real.
"""

from __future__ import annotations

import heapq
import itertools
import random
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from engine.columns import columns, tab_of
from scripts.support.sheets_server import LocalSheets
from scripts.support.smallest_war import war_form, war_rows
from scripts.support.workbooks import SECRET, Rows, grids, library
from sheets_algo.runtime.locate import WorkbookRef
from sheets_algo.runtime.run.pass_result import PassResult
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.session import Session
from sheets_algo.runtime.watch.supervisor import Supervisor
from sheets_algo.runtime.watch.watcher import Watcher
from sheets_algo.workbook.errors import Interrupted
from sheets_algo.workbook.google.changes import AccountChanges
from sheets_algo.workbook.google.http.access import find
from sheets_algo.workbook.google.http.api import Api
from sheets_algo.workbook.google.http.backoff import Pace
from sheets_algo.workbook.google.http.budget import RequestBudget
from sheets_algo.workbook.google.http.errors import DRIVE, SHEETS
from sheets_algo.workbook.google.spreadsheet import GoogleWorkbook

INTERVAL_S, REQUESTS = 15, 45
PATIENCE_S = 20.0


class ManyGames:
    """Games that are watched, and people who play them.

    Args:
        wars: The number of wars of each game, none of them Ready.
        accounts: The number of accounts that share the games evenly.
        late_s: The seconds after which Drive reports a change.
        extra: More rows of some games, by the number of the game and by tab.
        slowness: The processor time that watchers believe to use, in that which they use.

    Attributes:
        ids: The spreadsheets.
        start: The time at which they begin to be watched.
        ticked: When a war was set to Ready, by game and request.
        ruled: When its receipt was written.
    """

    def __init__(
        self,
        server: LocalSheets,
        folder: Path,
        games: int,
        *,
        wars: int = 1,
        accounts: int = 1,
        requests: int = REQUESTS,
        late_s: float = 0,
        extra: Mapping[int, Rows] = {},
        slowness: float = 1,
    ) -> None:
        self.server, self.start, self._slowness = server, time.time(), slowness
        server.control("clock", {"stop": True, "set": self.start - 3600})
        robots = [f"robot-{number}@local-sheets.iam.gserviceaccount.com" for number in range(accounts)]
        self.ids: list[str] = []
        for number in range(games):
            rows = war_rows(Ready=False)
            rows["War Requests"] = [rows["War Requests"][0] | {"Request": f"W-{war + 1}"} for war in range(wars)]
            for tab, more in extra.get(number, {}).items():
                rows[tab] = [*rows[tab], *more]
            self.ids.append(server.make(f"Game {number}", grids(rows), [robots[number % accounts]]))
        server.control("clock", {"set": self.start})
        server.control("changes", {"late_s": late_s})
        server.control("quota", {})
        self._told = self.start
        self.time = SimulatedTime(self.start, games + 1, self._tell)
        self.ticked: dict[tuple[str, str], float] = {}
        self.ruled: dict[tuple[str, str], float] = {}
        self._deeds: list[tuple[float, int, Callable[[], object]]] = []
        self._numbers = itertools.count()
        self._generator = random.Random(1066)
        pace = Pace(now=self.time.now, wait=self.time.pause, chance=self._generator.random)
        self.watchers: dict[str, Watcher] = {}
        for robot in robots:
            key = server.key_file(folder, robot)
            accesses = {service: find(key, service=service) for service in (SHEETS, DRIVE)}
            api = partial(Api, patience=PATIENCE_S, stop=self.time.stop, url=server.url, pace=pace)
            drive = api("", accesses[DRIVE], RequestBudget(requests, pace=pace))
            changes = AccountChanges(
                lambda drive=drive: drive,  # type: ignore[misc]
                folder / "changes" / robot,
                interval=INTERVAL_S,
                requests=requests,
                clock=self.time.now,
                now=self.time.now,
            )
            own = self.ids[robots.index(robot) :: accounts]
            for id, share in zip(own, RequestBudget(requests, pace=pace).share(len(own)), strict=True):
                self.watchers[id] = self._watcher(folder / id, api(id, accesses[SHEETS], share), changes)
        self.supervisor = Supervisor([self.watchers[id] for id in self.ids], self.time.stop)

    def _watcher(self, folder: Path, api: Api, changes: AccountChanges) -> Watcher:
        def clock() -> datetime:
            return datetime.fromtimestamp(self.time.now(), UTC)

        def on_committed(passed: PassResult) -> None:
            for ruling in passed.plan.rulings:
                self.ruled[api.spreadsheet, ruling.receipt.request] = self.time.now()

        season_secret.keep(folder, SECRET)
        session = Session(
            workbook=GoogleWorkbook(api, folder=folder, changes=changes, clock=clock),
            folder=folder,
            library=library(),
            draws_pictures=False,
            clock=clock,
            on_committed=(on_committed,),
        )
        return Watcher(
            WorkbookRef(api.spreadsheet, session),
            INTERVAL_S,
            self.time.stop,
            clock=self.time.now,
            now=self.time.now,
            cpu=lambda: time.thread_time() * self._slowness,
            wait=self.time.wait,
            chance=self._generator.random,
        )

    def at(self, seconds: float, deed: Callable[[], object]) -> None:
        """Do something so many seconds after the start."""
        self._deeds.append((self.start + seconds, next(self._numbers), deed))

    def tick_at(self, seconds: float, game: int, war: int = 1) -> None:
        """Set a war to Ready."""
        place = cell("War Requests", "Ready", war)

        def tick() -> None:
            self.ticked[self.ids[game], f"W-{war}"] = self.time.now()
            self.server.type(self.ids[game], place, [[True]])

        self.at(seconds, tick)

    def edit_at(self, seconds: float, game: int) -> None:
        """Change a number that no war of it depends on so much as to fail."""
        self.at(seconds, lambda: self.edit(game))

    def edit(self, game: int) -> None:
        """Change the population of a nation."""
        place = cell("Nations", "Population", 1)
        self.server.type(self.ids[game], place, [[1_000_000 + self._generator.randrange(1_000_000)]])

    def watch(self, seconds: float) -> None:
        """Watch, and let people do what they are to, for so long."""
        self.at(seconds, self.time.end)

        def play() -> None:
            for moment, _, deed in sorted(self._deeds, key=lambda item: item[:2]):
                self.time.wait(moment - self.time.now())
                if self.time.stop.is_set():
                    return
                self._tell(self.time.now(), exactly=True)
                deed()

        threading.Thread(target=play, daemon=True).start()
        self.supervisor.run()

    def spans(self, games: Iterable[int]) -> list[float]:
        """Return the seconds from tick to receipt of some games, least first; a war without a receipt is infinite."""
        chosen = {self.ids[game] for game in games}
        return sorted(
            self.ruled.get(war, float("inf")) - moment for war, moment in self.ticked.items() if war[0] in chosen
        )

    def reads(self) -> Mapping[str, int]:
        """Return the reads of each spreadsheet so far."""
        counted: dict[str, int] = defaultdict(int)
        for id, watcher in self.watchers.items():
            counts = watcher.ref.session.workbook.requests
            counted[id] = counts.reads if counts else 0
        return counted

    def causes(self) -> Counter[str]:
        """Return the reads of all spreadsheets so far, by cause."""
        requests = (watcher.ref.session.workbook.requests for watcher in self.watchers.values())
        return sum((counts.causes for counts in requests if counts), Counter())

    def _tell(self, now: float, *, exactly: bool = False) -> None:
        """Set the server's clock, which may be a second behind."""
        if exactly or now - self._told >= 1:
            self._told = now
            self.server.control("clock", {"set": now})


def cell(tab: str, header: str, row: int) -> str:
    """Return the address of a cell of a game: its tab, its column, its row from 1 below the headers."""
    records: dict[str, Any] = {tab_of(record).name: record for record in war_form().records()}
    heads = [column.header for _, column in columns(records[tab])]
    return f"'{tab}'!{chr(ord('A') + heads.index(header))}{row + 1}"


class SimulatedTime:
    """A clock for a number of threads; once each of them has waited, one at a time is awake.

    Args:
        start: The time in Unix seconds.
        threads: The number of threads that will wait by it.
        on_moved: A function that is called with the new time.

    Attributes:
        stop: The event of the end; from then on nobody waits.
    """

    def __init__(self, start: float, threads: int, on_moved: Callable[[float], None]) -> None:
        self.stop = threading.Event()
        self._now, self._awake, self._on_moved = start, threads, on_moved
        self._lock = threading.Lock()
        self._waiting: list[tuple[float, int, threading.Event]] = []
        self._numbers = itertools.count()

    def now(self) -> float:
        """Return the time in Unix seconds."""
        return self._now

    def wait(self, seconds: float) -> None:
        """Wait for some seconds, or until the end."""
        turn = threading.Event()
        with self._lock:
            if self.stop.is_set():
                return
            heapq.heappush(self._waiting, (self._now + max(seconds, 0.0), next(self._numbers), turn))
            self._awake -= 1
            self._wake()
        turn.wait()

    def pause(self, seconds: float, stop: threading.Event | None) -> None:
        """Wait as the client of Google does (`Pace.wait`).

        Raises:
            Interrupted: The end has come.
        """
        self.wait(seconds)
        if self.stop.is_set():
            raise Interrupted

    def end(self) -> None:
        """Wake everybody."""
        with self._lock:
            self.stop.set()
            for _, _, turn in self._waiting:
                turn.set()

    def _wake(self) -> None:
        """Wake whoever waits for the earliest time, if nobody is awake."""
        if self._awake or not self._waiting:
            return
        self._now, _, turn = heapq.heappop(self._waiting)
        self._on_moved(self._now)
        self._awake += 1
        turn.set()
