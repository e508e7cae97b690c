"""Conditions that must hold at any time, and those that must hold at the end, whatever failed."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from sheets_algo.database.problems import CellRef
from sheets_algo.ruling.check import check
from sheets_algo.ruling.promises import Promises
from sheets_algo.ruling.replay import verify
from sheets_algo.runtime import run_pass, season_secret
from sheets_algo.runtime.recovery import WatchState
from sheets_algo.runtime.session import OpenWorkbook, Session, opened
from sheets_algo.runtime.watcher import Watcher
from sheets_algo.workbook.base import WorkbookError
from tests.live.people import OF_IDS, RUINOUS
from tests.live.promised import BEGUN, violations
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
EQUAL: set[str] = set()
"""Receipts that an earlier season of these tests recomputed successfully."""


War = tuple[str, str, Any]
"""A war as people ask for it: its ruleset's tab, its name, its year. A change of one makes it another war."""


@dataclass
class Witness:
    """An observer of a season that records violations.

    Args:
        stage: The season and its twin.
        deeds: The deeds of people in it.
        violations: The violations in sentences.
        seen: The receipts at the check before.
        log_files: The number of logs of each request in the folders of all processes.
        named: The messages of a newly started process about cells, at the end.
        removed: The ids that a person has removed from rows.
    """

    stage: Stage
    deeds: Collection[str] = ()
    violations: list[str] = field(default_factory=list)
    seen: list[Row] = field(default_factory=list)
    log_files: Counter[str] = field(default_factory=Counter)
    named: str = ""
    removed: set[Any] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._initial = {key: cells for key in self._owned() if (cells := self._cells(self.stage.twin, *key))}
        self._asked: Counter[War] = Counter()
        self._count_wars()

    def report(self, what: str) -> None:
        if what not in self.violations:
            self.violations.append(what)

    def report_displaced(self, tab: str, row: int, place: int, what: str) -> None:
        """Report a wrong cell, unless a ruinous deed happened and the program names the cell."""
        cell = f"{CellRef(tab, row + 1, place + 1)}"
        is_named = re.search(rf"(?<!\w)({re.escape(cell)}|{re.escape(tab)}!{a1_of(row, place)})(?!\d)", self.named)
        if not (is_named and any(deed in RUINOUS for deed in self.deeds)):
            self.report(f"{tab} {a1_of(row, place)}{what}")

    def check_look(self, watcher: Watcher) -> None:
        """Check, after a look, that there was no bug, and that receipts only grew."""
        if watcher.tally.trouble.startswith("The program failed"):
            self.report(watcher.tally.trouble)
        self.check_receipts()

    def check_receipts(self) -> None:
        """Check that receipts are only added, and that no war has more of them than people asked for."""
        self._count_wars()
        now = self.receipts()
        if now[: len(self.seen)] != self.seen:
            self.report("a receipt changed or is gone")
        self.seen = now
        numbers = [int(row["Seq"]) for row in now]
        if numbers != list(range(1, len(now) + 1)):
            self.report(f"receipts are numbered {numbers}")
        twice = [id for id, times in Counter(map(_id, self.rulings())).items() if times > 1]
        if twice:
            self.report(f"ruled more than once: {', '.join(twice)}")
        for war, times in Counter(map(war_of, self.standing_rulings())).items():
            if times > max(1, self._asked[war]):
                self.report(f"{war[1]} is ruled {times} times")
        odds = Counter((row["Request"], row["Inputs Fingerprint"]) for row in self.forecasts())
        for (id, _), times in odds.items():
            if times > 1:
                self.report(f"{id} has {times} rows of odds for the same inputs")

    def _count_wars(self) -> None:
        """Count the requests of each war: rows with ids of their own, or without one, that exist at once."""
        now: Counter[War] = Counter()
        for tab in (REQUESTS, SCORES):
            ids: dict[War, list[Any]] = {}
            for row in self._rows_asked(tab):
                ids.setdefault((tab, row["War"], row.get("Year")), []).append(row.get("Request"))
            now |= Counter(
                {war: request_ids.count(None) + len({*request_ids} - {None}) for war, request_ids in ids.items()}
            )
        self._asked |= now

    def _rows_asked(self, tab: str) -> list[Row]:
        """Return the requests of a tab as people have left them."""
        grid = self.stage.grid(tab)
        header = next((row for row in grid[:3] if "War" in row), [])
        rows = (dict(zip(header, row, strict=False)) for row in grid if row != header)
        return [row for row in rows if row.get("War") is not None]

    def check_rest(self, session: Session) -> None:
        """Check that a new process has nothing to rule or write, and that every receipt can be recomputed."""
        try:
            seen = opened(session)
            plan = run_pass.run_pass(session, dry=True, state=WatchState(known=None)).plan
        except WorkbookError as error:
            self.report(f"a new process cannot read it: {error}")
            return
        pending = self.stage.book.grid(self.stage.book.tabs.get("Pending", -1)) or []
        problems = (*plan.problems, *check(seen.snapshot, seen.forms))
        messages = (answer.shown.message for answer in plan.answers)
        self.named = "\n".join([*map(str, problems), *messages, *(str(cell) for row in pending for cell in row)])
        self._check_replay(seen, session)
        for cell in plan.changes.cells:
            self.report(f"still to be written: {cell.tab} {a1_of(cell.row - 1, cell.column - 1)} {cell.value!r}")
        if plan.awaited is not None:
            self.report("a request still waits for a round of the beacon")
        for ruling in plan.rulings:
            self.report(f"still to be ruled: {ruling.receipt.request}")

    def _check_replay(self, seen: OpenWorkbook, session: Session) -> None:
        """Check that each ruling follows from its inputs, its seed and the rules."""
        receipts = seen.receipts.receipts
        secret = season_secret.find(session.folder, receipts.season)
        for receipt in receipts.of_kind("Ruling"):
            if repr(receipt) in EQUAL:
                continue
            form = seen.form(receipt.ruleset)
            if form is None:
                self.report(f"receipt {receipt.seq}: there is no tab of its rules")
                continue
            fingerprint = session.library.fingerprint(form.ruleset_key)
            verdict = verify(receipt, form, fingerprint, secret, receipts.options, Promises(receipts))
            remarks = [remark for remark in verdict.remarks if not remark.startswith("the beacon is not drand quick")]
            for difference in (*verdict.reasons, *remarks):
                self.report(f"receipt {receipt.seq}: {difference}")
            if verdict.is_equal and not remarks:
                EQUAL.add(repr(receipt))

    def count_logs(self, folder: Path) -> None:
        """Count the text logs of one process."""
        for file in (folder / "logs").glob("*.txt"):
            found = re.search(r"Z (\S+?)(?: \(\d+\))?$", file.stem)
            self.log_files[found[1] if found else file.stem] += 1

    def check_end(self, *, has_ended: bool) -> None:
        """Check the end state."""
        self.check_receipts()
        self._check_people()
        self._check_ids()
        self._check_database()
        self._check_statuses()
        self._check_odds()
        self._check_logs(has_ended)
        self._check_slots()
        for violation in violations(self.seen) if self._is_promised else ():
            self.report(violation)

    @property
    def _is_promised(self) -> bool:
        return any("beacon" in str(row.get("Inputs")) for row in self.seen if row["Kind"] == "Season")

    def receipts(self) -> list[Row]:
        """Return the rows of the Receipts tab; here no receipt takes two rows."""
        return self._rows_of("Receipts")

    def forecasts(self) -> list[Row]:
        """Return the rows of the Forecasts tab."""
        return self._rows_of("Forecasts")

    def _rows_of(self, tab: str) -> list[Row]:
        if tab not in self.stage.book.tabs:
            return []
        header, *rows = self.stage.book.grid(self.stage.book.tabs[tab]) or [[]]
        return [dict(zip(header, row, strict=False)) for row in rows]

    def rulings(self) -> list[Row]:
        return [row for row in self.seen if row["Kind"] == "Ruling"]

    def standing_rulings(self) -> list[Row]:
        """Return the rulings that no later receipt takes back."""
        undone = {_id(row): int(row["Seq"]) for row in self.seen if row["Kind"] == "Undo"}
        return [row for row in self.rulings() if int(row["Seq"]) > undone.get(_id(row), 0)]

    def _check_people(self) -> None:
        """Check that every cell, tab and row of people is as they left it."""
        names = {id: name for name, id in self.stage.ids.items() if name not in PROGRAMS_TABS}
        for title, id in self.stage.book.tabs.items():
            if id not in names and title not in PROGRAMS_TABS:
                self.report(f"a tab that nobody made: {title}")
        for id, name in names.items():
            book, twin = self.stage.book.grid(id), self.stage.twin.grid(id)
            if book is not None and twin is not None:
                self._check_tab(name, book, twin)
            elif book is not twin:
                self.report(f"the tab {name} came or went")

    def _check_tab(self, name: str, book: Grid, twin: Grid) -> None:
        header = max(twin[:3], key=lambda row: sum(isinstance(value, str) for value in row), default=[])
        programs = {place for place, head in enumerate(header) if head in PROGRAMS_COLUMNS.get(name, ())}
        given = header.index("Request") if name in (REQUESTS, SCORES) and "Request" in header else -1
        for row in range(max(len(book), len(twin))):
            one, other = _row(book, row), _row(twin, row)
            for place in range(max(len(one), len(other))):
                is_, was = _cell(one, place), _cell(other, place)
                is_header = bool(header) and other == header
                if ((place in programs and any(other)) and not is_header) or is_ == was:
                    if isinstance(is_, Formula) and is_ != was:
                        self.report(f"{name} {a1_of(row, place)} became a formula")
                elif not (place == given and was is None and any(other) and re.fullmatch(r"[WS]-\d{4,}", str(is_))):
                    self.report_displaced(name, row, place, f": {is_!r} stands where a person left {was!r}")

    def _check_ids(self) -> None:
        """Check that no row shows another war's id, and that a war keeps the id that the program gave it.

        This is not checked if people copied, cleared or typed ids: then they decide what an id means.
        """
        if any(deed in OF_IDS for deed in self.deeds):
            return
        ruled = {_id(row): war_of(row) for row in self.standing_rulings()}
        given = {war: id for id, war in ruled.items()}
        for tab in (REQUESTS, SCORES):
            places = [self.stage.place(tab, header) for header in ("Request", "War", "Year")]
            request, name, year = places
            if request is None or name is None:
                continue
            people, grid = self.stage.grid(tab), self.stage.book.grid(self.stage.ids[tab]) or []
            for row in range(len(people)):
                was, id = _cell(people[row], request), _cell(_row(grid, row), request)
                war = tab, _cell(people[row], name), _cell(people[row], year) if year is not None else None
                if id in ruled and ruled[id][:2] != war[:2]:
                    self.report_displaced(tab, row, request, f": the id {id} of {ruled[id][1]} stands beside {war[1]}")
                if was is None and war in given and self._asked[war] == 1 and id != given[war]:
                    self.report_displaced(
                        tab, row, request, f": {war[1]} shows the id {id!r}; it was ruled as {given[war]}"
                    )

    def _check_database(self) -> None:
        """Check stability and leaders' status against the receipts, in order and by the names of rows."""
        expected: dict[tuple[str, str, str], Any] = {}
        edits = [row["Receipt"] for row in self.seen if row["Kind"] == "Edits"]
        if edits and not any(deed in RUINOUS for deed in self.deeds):
            self.report(f"nobody has changed the database: {'; '.join(edits)}")
        for ruling in self.rulings():
            for change in json.loads(ruling.get("Changes") or "[]"):
                key = (change["tab"], change["row"], change["field"])
                before = [expected[key]] if key in expected else self._initial.get(key, [])
                if change["before"] not in before:
                    self.report(f"receipt {ruling['Seq']}: {' '.join(key)} was {change['before']!r}, not {before!r}")
                expected[key] = change["after"]
        for key in self._owned():
            found, was = self._cells(self.stage.book, *key), self._cells(self.stage.twin, *key)
            if key in expected and expected[key] not in found:
                self._report_database(key, f"is {found!r}; the receipts say {expected[key]!r}")
            if key not in expected and found != was:
                self._report_database(key, f"is {found!r}, and no receipt says so")

    def _report_database(self, key: tuple[str, str, str], what: str) -> None:
        """Report a wrong database cell, the first one of that name."""
        tab, name, header = key
        row, place = self.stage.row(tab, name) or 0, self.stage.place(tab, header) or 0
        self.report_displaced(tab, row, place, f", {name} {header}, {what}")

    def _owned(self) -> Iterator[tuple[str, str, str]]:
        """Yield the database cells that the program may change: tab, row and header."""
        for tab in (NATIONS, LEADERS, GENERALS):
            place = self.stage.place(tab, NAMES[tab])
            if place is None:
                continue
            names = (_cell(row, place) for row in self.stage.grid(tab))
            for name in dict.fromkeys(names):
                if name not in (None, NAMES[tab]):
                    yield from ((tab, name, header) for header in PROGRAMS_COLUMNS[tab])

    def _cells(self, book: Book, tab: str, name: str, header: str) -> list[Any]:
        """Return the cell of a row of that name; several if a person has copied it."""
        place, at = self.stage.place(tab, NAMES[tab]), self.stage.place(tab, header)
        if place is None or at is None:
            return []
        return [_cell(row, at) for row in book.grid(self.stage.ids[tab]) or () if _cell(row, place) == name]

    def _check_statuses(self) -> None:
        """Check that each id occurs once, and that exactly the ruled requests are Done."""
        ruled = set(map(_id, self.rulings()))
        for tab in (REQUESTS, SCORES):
            rows = self._requests(tab)
            ids = Counter(id for id, _ in rows)
            for id, shows in rows:
                if id and ids[id] == 1 and (shows == "Done") != (id in ruled):
                    self.report(f"{id} shows {shows!r} and is {'ruled' if id in ruled else 'not ruled'}")

        for id in sorted(ruled - self.ids() - self.removed):
            self.report(f"{id} was ruled and stands in no row, although nobody has removed it")

    def ids(self) -> set[Any]:
        """Return the ids in rows of requests."""
        return {id for tab in (REQUESTS, SCORES) if tab in self.stage.ids for id, _ in self._requests(tab)}

    def _check_odds(self) -> None:
        """Check that each request for odds has them, in a row and in its message."""
        grid = self.stage.book.grid(self.stage.ids[REQUESTS]) or []
        headers = ("Request", "Action", "Ready", "Status", "Message")
        places = [place for header in headers if (place := self.stage.place(REQUESTS, header)) is not None]
        forecast_ids = {_id(row) for row in self.forecasts()}
        for id, action, ready, status, message in ([_cell(row, place) for place in places] for row in grid):
            if action != "Forecast" or ready is not True or status == "Invalid":
                continue
            if status is not None or not str(message).startswith("Forecast: ") or id not in forecast_ids:
                self.report(f"{id} asks for its odds and shows {status!r}, {message!r}")

    def _requests(self, tab: str) -> list[tuple[Any, Any]]:
        """Return id and status of each row of a request."""
        request, status, war = (self.stage.place(tab, header) for header in ("Request", "Status", "War"))
        if request is None or status is None or war is None:
            return []
        grid = self.stage.book.grid(self.stage.ids[tab]) or []
        return [(_cell(row, request), _cell(row, status)) for row in grid if _cell(row, war) not in (None, "War")]

    def _check_logs(self, has_ended: bool) -> None:
        """Check for one log per ruling, and none of other battles unless a process was ended."""
        ruled = Counter(map(_id, self.rulings()))
        for id in ruled | self.log_files:
            if self.log_files[id] < ruled[id] or (self.log_files[id] > ruled[id] and not has_ended):
                self.report(f"{self.log_files[id]} logs of {id}, which was ruled {ruled[id]} times")

    def _check_slots(self) -> None:
        """Check that the first receipt of each commit has taken its guard. Commits differ in time here."""
        slots = self.stage.book.slots()
        written = [
            row for row in self.seen if row["Kind"] in ("Ruling", "Season", "Edits", "Promise") and row["Time"] != BEGUN
        ]
        firsts = [next(group)["Seq"] for _, group in groupby(written, key=lambda row: row["Time"])]
        for seq in firsts:
            if FIRST_SLOT + int(seq) not in slots:
                self.report(f"the guard of receipt {seq} is gone")


def war_of(row: Row) -> War:
    """Return the war that a receipt rules, by its inputs."""
    inputs = json.loads(row["Inputs"])
    return SCORES if row["Ruleset"] == "scorecard" else REQUESTS, inputs["name"], inputs.get("year")


def _id(row: Row) -> str:
    return str(row["Request"])


def _row(grid: Grid, row: int) -> list[Any]:
    return grid[row] if row < len(grid) else []


def _cell(row: list[Any], place: int) -> Any:
    return row[place] if place < len(row) else None
