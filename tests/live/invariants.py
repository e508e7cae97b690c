"""What must hold at any time, and what must hold at the end, whatever failed."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from sheets_algo import passes
from sheets_algo.doubts import Memory
from sheets_algo.places import Place
from sheets_algo.watcher import Watcher
from sheets_algo.workbook.base import WorkbookError
from tests.live.stage import (
    GENERALS,
    LEADERS,
    NAMES,
    NATIONS,
    PROGRAMS_COLUMNS,
    PROGRAMS_TABS,
    REQUESTS,
    SCORES,
    Book,
    Formula,
    Grid,
    Stage,
    a1_of,
)

Row = dict[str, Any]
FIRST_SLOT = 1_066_000_000


@dataclass
class Witness:
    """Looks at a season from outside and notes what must not be."""

    stage: Stage
    violations: list[str] = field(default_factory=list)
    seen: list[Row] = field(default_factory=list)
    log_files: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._begun = {key: it for key in self._owned() if (it := self._cells(self.stage.twin, *key))}

    def saw(self, what: str) -> None:
        if what not in self.violations:
            self.violations.append(what)

    def looked(self, watcher: Watcher) -> None:
        """After a look: no bug, and receipts as they were, with more below."""
        if watcher.tally.trouble.startswith("The program failed"):
            self.saw(watcher.tally.trouble)
        now = self.receipts()
        if now[: len(self.seen)] != self.seen:
            self.saw("a receipt changed or is gone")
        self.seen = now
        numbers = [int(row["Seq"]) for row in now]
        if numbers != list(range(1, len(now) + 1)):
            self.saw(f"receipts are numbered {numbers}")
        twice = [id for id, times in Counter(map(_id, self.rulings())).items() if times > 1]
        if twice:
            self.saw(f"ruled more than once: {', '.join(twice)}")
        odds = Counter((row["Request"], row["Inputs Fingerprint"]) for row in self.forecasts())
        for (id, _), times in odds.items():
            if times > 1:
                self.saw(f"{id} has {times} rows of odds for the same inputs")

    def rests(self, place: Place) -> None:
        """A program that has just started finds nothing to rule, nothing to write."""
        try:
            made = passes.run(place, dry=True, memory=Memory(known=None)).plan
        except WorkbookError as error:
            self.saw(f"a new process cannot read it: {error}")
            return
        for cell in made.changes.cells:
            self.saw(f"still to be written: {cell.tab} {a1_of(cell.row - 1, cell.column - 1)} {cell.value!r}")
        for ruling in made.rulings:
            self.saw(f"still to be ruled: {ruling.receipt.request}")

    def logs(self, folder: Path) -> None:
        """The text logs that one process leaves."""
        for file in (folder / "logs").glob("*.txt"):
            found = re.search(r"Z (\S+?)(?: \(\d+\))?$", file.stem)
            self.log_files[found[1] if found else file.stem] += 1

    def ends(self, *, has_crashes: bool) -> None:
        """When all is quiet."""
        self._people()
        self._database()
        self._statuses()
        self._odds()
        self._logs(has_crashes)
        self._slots()

    def receipts(self) -> list[Row]:
        """The rows of the Receipts tab; none of them is so long here that it takes two."""
        return self._rows_of("Receipts")

    def forecasts(self) -> list[Row]:
        """The rows of the Forecasts tab."""
        return self._rows_of("Forecasts")

    def _rows_of(self, tab: str) -> list[Row]:
        if tab not in self.stage.book.tabs:
            return []
        header, *rows = self.stage.book.grid(self.stage.book.tabs[tab]) or [[]]
        return [dict(zip(header, row, strict=False)) for row in rows]

    def rulings(self) -> list[Row]:
        return [row for row in self.seen if row["Kind"] == "Ruling"]

    def _people(self) -> None:
        """Every cell of a person is as the person left it; tabs and rows are those that people left."""
        names = {id: name for name, id in self.stage.ids.items()}
        for title, id in self.stage.book.tabs.items():
            if id not in names and title not in PROGRAMS_TABS:
                self.saw(f"a tab that nobody made: {title}")
        for id, name in names.items():
            book, twin = self.stage.book.grid(id), self.stage.twin.grid(id)
            if book is not None and twin is not None:
                self._tab(name, book, twin)
            elif book is not twin:
                self.saw(f"the tab {name} came or went")

    def _tab(self, name: str, book: Grid, twin: Grid) -> None:
        header = max(twin[:3], key=lambda row: sum(isinstance(it, str) for it in row), default=[])
        programs = {place for place, head in enumerate(header) if head in PROGRAMS_COLUMNS.get(name, ())}
        given = header.index("Request") if name in (REQUESTS, SCORES) and "Request" in header else -1
        for row in range(max(len(book), len(twin))):
            one, other = _row(book, row), _row(twin, row)
            for place in range(max(len(one), len(other))):
                is_, was = _cell(one, place), _cell(other, place)
                is_header = bool(header) and other == header
                if ((place in programs and any(other)) and not is_header) or is_ == was:
                    if isinstance(is_, Formula) and is_ != was:
                        self.saw(f"{name} {a1_of(row, place)} became a formula")
                elif not (place == given and was is None and re.fullmatch(r"[WS]-\d{4,}", str(is_))):
                    self.saw(f"{name} {a1_of(row, place)}: {is_!r} stands where a person left {was!r}")

    def _database(self) -> None:
        """Stability and leaders' status are what the receipts say, one after the other, by the names of rows."""
        expected: dict[tuple[str, str, str], Any] = {}
        for ruling in self.rulings():
            for change in json.loads(ruling.get("Changes") or "[]"):
                key = (change["tab"], change["row"], change["field"])
                before = [expected[key]] if key in expected else self._begun.get(key, [])
                if change["before"] not in before:
                    self.saw(f"receipt {ruling['Seq']}: {' '.join(key)} was {change['before']!r}, not {before!r}")
                expected[key] = change["after"]
        for key in self._owned():
            found, was = self._cells(self.stage.book, *key), self._cells(self.stage.twin, *key)
            if key in expected and expected[key] not in found:
                self.saw(f"{' '.join(key)} is {found!r}; the receipts say {expected[key]!r}")
            if key not in expected and found != was:
                self.saw(f"{' '.join(key)} is {found!r}, and no receipt says so")

    def _owned(self) -> Iterator[tuple[str, str, str]]:
        """The database cells that the program may change: tab, row and header."""
        for tab in (NATIONS, LEADERS, GENERALS):
            place = self.stage.place(tab, NAMES[tab])
            if place is None:
                continue
            names = (_cell(row, place) for row in self.stage.grid(tab))
            for name in dict.fromkeys(names):
                if name not in (None, NAMES[tab]):
                    yield from ((tab, name, header) for header in PROGRAMS_COLUMNS[tab])

    def _cells(self, book: Book, tab: str, name: str, header: str) -> list[Any]:
        """What stands in a row of that name; more than one cell if a person has copied it."""
        place, at = self.stage.place(tab, NAMES[tab]), self.stage.place(tab, header)
        if place is None or at is None:
            return []
        return [_cell(row, at) for row in book.grid(self.stage.ids[tab]) or () if _cell(row, place) == name]

    def _statuses(self) -> None:
        """Each id once; ruled and Done are one."""
        ruled = set(map(_id, self.rulings()))
        for tab in (REQUESTS, SCORES):
            rows = self._requests(tab)
            ids = Counter(id for id, _ in rows)
            for id, shows in rows:
                if id and ids[id] == 1 and (shows == "Done") != (id in ruled):
                    self.saw(f"{id} shows {shows!r} and is {'ruled' if id in ruled else 'not ruled'}")

    def _odds(self) -> None:
        """Who asks for odds alone has them: in a row, and in its message."""
        grid = self.stage.book.grid(self.stage.ids[REQUESTS]) or []
        headers = ("Request", "Action", "Ready", "Status", "Message")
        places = [place for it in headers if (place := self.stage.place(REQUESTS, it)) is not None]
        told = {_id(row) for row in self.forecasts()}
        for id, action, ready, status, message in ([_cell(row, it) for it in places] for row in grid):
            if action != "Forecast" or ready is not True or status == "Invalid":
                continue
            if status is not None or not str(message).startswith("Forecast: ") or id not in told:
                self.saw(f"{id} asks for its odds and shows {status!r}, {message!r}")

    def _requests(self, tab: str) -> list[tuple[Any, Any]]:
        """Id and status of each row of a request."""
        request, status, war = (self.stage.place(tab, it) for it in ("Request", "Status", "War"))
        if request is None or status is None or war is None:
            return []
        grid = self.stage.book.grid(self.stage.ids[tab]) or []
        return [(_cell(row, request), _cell(row, status)) for row in grid if _cell(row, war) not in (None, "War")]

    def _logs(self, has_crashes: bool) -> None:
        """One a ruling; none of a battle that did not happen, unless its process was killed."""
        ruled = Counter(map(_id, self.rulings()))
        for id in ruled | self.log_files:
            if self.log_files[id] < ruled[id] or (self.log_files[id] > ruled[id] and not has_crashes):
                self.saw(f"{self.log_files[id]} logs of {id}, which was ruled {ruled[id]} times")

    def _slots(self) -> None:
        """The first receipt of each commit has taken its guard. Commits differ in time here."""
        slots = self.stage.book.slots()
        rulings = [row for row in self.seen if row["Kind"] in ("Ruling", "Season")]
        firsts = [next(group)["Seq"] for _, group in groupby(rulings, key=lambda row: row["Time"])]
        for seq in firsts:
            if FIRST_SLOT + int(seq) not in slots:
                self.saw(f"the guard of receipt {seq} is gone")


def _id(row: Row) -> str:
    return str(row["Request"])


def _row(grid: Grid, row: int) -> list[Any]:
    return grid[row] if row < len(grid) else []


def _cell(row: list[Any], place: int) -> Any:
    return row[place] if place < len(row) else None
