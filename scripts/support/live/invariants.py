"""Conditions that must hold at any time, and those that must hold at the end, whatever failed."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from engine.autoalgo.resolve import Autoalgo
from engine.columns import loosely
from scripts.support.live.begun import BEGUN
from scripts.support.live.losses import LOSSES, OF_PENDING, OF_REQUESTS
from scripts.support.live.people import OF_IDS, PASTED, REUSES, RUINOUS, RULE_AGAIN
from scripts.support.live.promised import violations
from scripts.support.live.stage import (
    FLANKS,
    JOUSTS,
    KNIGHTS,
    LEADERS,
    MILITARIES,
    NAMES,
    NATIONS,
    PROGRAMS_COLUMNS,
    PROGRAMS_TABS,
    REQUESTS,
    Book,
    Formula,
    Grid,
    Stage,
    a1_of,
)
from scripts.support.workbooks import check
from sheets_algo.database.problems import CellRef
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.promises.promises import Promises
from sheets_algo.runtime.run import run_pass
from sheets_algo.runtime.run.pass_context import WatchState
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.session import OpenWorkbook, Session, opened
from sheets_algo.runtime.watch.watcher import Watcher
from sheets_algo.workbook.errors import WorkbookError

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
        logs_in_a_folder: The most logs of each request in one folder.
        named: The messages of a newly started process about cells, at the end.
        removed: The ids that a person has removed from rows, from one of several too.
        ever: Every receipt that was ever in the tab, in the order in which they came, and as far as anything can know.
        written: Every receipt that a process wrote.
        given_up: The keys of receipts that a receipt of kind Restore gives up.
    """

    stage: Stage
    deeds: Collection[str] = ()
    violations: list[str] = field(default_factory=list)
    seen: list[Row] = field(default_factory=list)
    log_files: Counter[str] = field(default_factory=Counter)
    logs_in_a_folder: Counter[str] = field(default_factory=Counter)
    named: str = ""
    removed: set[Any] = field(default_factory=set)
    ever: dict[str, Row] = field(default_factory=dict)
    written: list[Row] = field(default_factory=list)
    given_up: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.has_losses = any(deed in LOSSES or deed == RULE_AGAIN for deed in self.deeds)
        self._restored: dict[tuple[str, str, str], list[Any]] = {}
        self._odds: Counter[tuple[Any, Any]] = Counter()
        self._again: set[War] = set()
        self._free: set[War] = set()
        self._lost_at_look: set[str] = set()
        self._look_began = ""
        self._forks = 0
        self._since_fork: list[Row] = []
        self._known: dict[int, tuple[dict[str, Row], set[str]]] = {}
        self._initial = {key: cells for key in self._owned() if (cells := self._cells(self.stage.twin, *key))}
        self._left = dict(self._initial)
        self._typed_after: dict[tuple[str, str, str], int] = {}
        self._asked: Counter[War] = Counter()
        self._shared: dict[str, set[Any]] = {REQUESTS: set(), JOUSTS: set()}
        self.note_deed()
        self.seen = self.receipts()
        self.ever = {_key(row): row for row in self.seen}

    def report(self, what: str) -> None:
        if what not in self.violations:
            self.violations.append(what)

    def report_displaced(self, tab: str, row: int, place: int, what: str) -> None:
        """Report a wrong cell, unless a ruinous deed happened and the program names the cell."""
        cell = f"{CellRef(tab, row + 1, place + 1)}"
        is_named = re.search(rf"(?<!\w)({re.escape(cell)}|{re.escape(tab)}!{a1_of(row, place)})(?!\d)", self.named)
        is_unnoted = any(deed in OF_PENDING for deed in self.deeds)  # the note of what is to be repaired may be gone
        if not is_unnoted and not (is_named and any(deed in RUINOUS for deed in self.deeds)):
            self.report(f"{tab} {a1_of(row, place)}{what}")

    def check_look(self, watcher: Watcher) -> None:
        """Check, after a look, that there was no bug, and that receipts only grew."""
        if watcher.tally.trouble.startswith("The program failed"):
            self.report(watcher.tally.trouble)
        self.check_receipts()

    def begin_look(self, now: str) -> None:
        """Note what a look can see that begins now.

        Args:
            now: The time in UTC, ISO 8601.
        """
        if self.has_losses:
            self.check_receipts()
            self._look_began, self._lost_at_look = now, {*self.lost}
            self._free = self._wars_ever() - self._shown_wars()

    def note_deed(self) -> None:
        """Take the receipts as people have left them, after a deed: only the program is held to what it did."""
        self._count_wars()
        self._note_typed()
        if not self.has_losses:
            return
        self.seen = self.receipts()
        self._odds |= self._count_odds()
        for key in self._owned():
            self._restored.setdefault(key, []).extend(self._cells(self.stage.book, *key))
        if self.stage.forks > self._forks:
            self._begin_anew()
        self._lost_at_look &= {*self.lost}
        self._free |= self._wars_ever() - self._shown_wars()

    def _note_typed(self) -> None:
        """Note after which receipt a person has typed over a cell of the database."""
        for key in self._owned():
            if (cells := self._cells(self.stage.twin, *key)) != self._left.get(key, cells):
                self._typed_after[key] = max((int(row["Seq"]) for row in self.receipts()), default=0)
            self._left[key] = cells

    def _begin_anew(self) -> None:
        """Take what was known in the state that was restored with its developer metadata as all that was ever.

        This is the one place where the invariants are relative: nothing in the spreadsheet tells of later receipts
        then. The record on a computer does, and its processes are held (`Play.check_held`).
        """
        self._forks = self.stage.forks
        self._since_fork = []
        ever, given_up = self._known.get(id(self.stage.forked_to), ({}, set()))
        self.ever, self.given_up = dict(ever), set(given_up)
        self._asked.clear()
        self.removed |= {_id(row) for row in self.written}
        self.stage.receipts = {}

    def keep(self) -> None:
        """Keep what is known of the receipts in this state of the spreadsheet, which people may bring back."""
        if self.has_losses:
            self._known[id(self.stage.book.inside)] = {**self.ever}, {*self.given_up}

    @property
    def is_forked(self) -> bool:
        """Return True if the developer metadata were brought back."""
        return bool(self._forks)

    @property
    def lost(self) -> dict[str, Row]:
        """Return the receipts that are not in the tab, though nobody has given them up."""
        there = set(map(_key, self.receipts()))
        return {key: row for key, row in self.ever.items() if key not in there and key not in self.given_up}

    @property
    def returned(self) -> bool:
        """Return True if a receipt is in the tab that was given up, or that nobody has written."""
        there = set(map(_key, self.receipts()))
        return bool(there & self.given_up) or bool(there - {*self.ever})

    def check_receipts(self) -> None:
        """Check that receipts are only added, and that no war has more of them than people asked for."""
        self._count_wars()
        now = self.receipts()
        if now[: len(self.seen)] != self.seen:
            self.report("a receipt changed or is gone")
        for number in range(len(self.seen), len(now)):
            self._check_added(now[number], now[:number])
        self.seen = now
        base = self._odds
        for pair, times in self._count_odds().items():
            if times > max(1, base[pair]):
                self.report(f"{pair[0]} has {times} rows of odds for the same inputs")

    def _count_odds(self) -> Counter[tuple[Any, Any]]:
        return Counter((row.get("Request"), row.get("Inputs Fingerprint")) for row in self.forecasts())

    def _check_added(self, row: Row, before: list[Row]) -> None:
        """Check a receipt that a process has added."""
        there = set(map(_key, before))
        if row["Kind"] == "Restore":
            gone = {key: old for key, old in self.ever.items() if key not in there and key not in self.given_up}
            listed = json.loads(row["Inputs"])
            missing = {seq for first, last in listed["missing"] for seq in range(first, last + 1)}
            if {int(old["Seq"]) for old in gone.values()} - {int(old["Seq"]) for old in before} - missing:
                self.report(f"receipt {row['Seq']} gives up {sorted(missing)}, and {sorted(gone)} are gone")
            self.given_up |= {*gone}
        elif self._lost_at_look and str(row["Time"]) >= self._look_began:
            seqs = sorted(int(self.ever[key]["Seq"]) for key in self._lost_at_look if key in self.ever)
            self.report(f"receipt {row['Seq']} was written while receipts {seqs} were gone")
        numbers = [int(old["Seq"]) for old in (*before, *self.lost.values())]
        if int(row["Seq"]) != max(numbers, default=0) + 1 and row["Kind"] != "Restore" and not self.is_forked:
            self.report(f"receipt {row['Seq']} follows {numbers}")
        if row["Kind"] == "Ruling":
            self._check_once(row)
        self.ever[_key(row)] = row
        self.written.append(row)
        self._since_fork.append(row)

    def _check_once(self, row: Row) -> None:
        """Check that a war is ruled once over all time (RCP-19).

        It may be ruled again if a person chooses that, or if a receipt of kind Restore has given its ruling up and no
        row shows it.
        """
        war = war_of(row)
        undone = {_id(old): int(old["Seq"]) for old in self.ever.values() if old["Kind"] == "Undo"}
        standing = [
            old
            for key, old in self.ever.items()
            if old["Kind"] == "Ruling"
            and int(old["Seq"]) > undone.get(_id(old), 0)
            and not (key in self.given_up and war_of(old) in self._free)
        ]
        times = sum(war_of(old) == war for old in standing) + 1
        is_again = war in self._again
        if times > max(1, self._asked[war]) + is_again:
            self.report(f"{war[1]} is ruled {times} times")
        if any(_id(old) == _id(row) for old in standing) and not is_again:
            self.report(f"ruled more than once: {_id(row)}")

    def _wars_ever(self) -> set[War]:
        return {war_of(row) for row in self.ever.values() if row["Kind"] == "Ruling"}

    def _shown_wars(self) -> set[War]:
        """Return the wars of which a row shows a ruling, and those that people want ruled again."""
        shown: set[War] = set()
        for tab in (REQUESTS, JOUSTS):
            places = [self.stage.place(tab, header) for header in (NAMES[tab], "Year", "Ruled At", "Action")]
            if tab not in self.stage.ids or places[0] is None or places[2] is None:
                continue
            for row in self.stage.book.values(self.stage.ids[tab]):
                name, year, ruled, action = (_cell(row, at) if at is not None else None for at in places)
                if ruled not in (None, "", "Ruled At"):
                    shown.add((tab, name, year))
                if action == "Rule again":
                    self._again.add((tab, name, year))
        return shown

    def _count_wars(self) -> None:
        """Count the requests of each war: rows with ids of their own, or without one, that exist at once."""
        now: Counter[War] = Counter()
        for tab in (REQUESTS, JOUSTS):
            ids: dict[War, list[Any]] = {}
            for row in self._rows_asked(tab):
                ids.setdefault((tab, row[NAMES[tab]], row.get("Year")), []).append(row.get("Request"))
            counts = Counter(row.get("Request") for row in self._requests(tab) if "Request" in row)
            self._shared[tab] |= {id for id, times in counts.items() if times > 1}
            now |= Counter(
                {war: request_ids.count(None) + len({*request_ids} - {None}) for war, request_ids in ids.items()}
            )
        self._asked |= now

    def _rows_asked(self, tab: str) -> list[Row]:
        """Return the requests of a tab as people have left them."""
        grid = self.stage.twin.values(self.stage.ids[tab]) if tab in self.stage.ids else []
        header = next((row for row in grid[:3] if NAMES[tab] in row), [])
        rows = (
            {name: cell for name, cell in zip(header, row, strict=False) if cell != ""} for row in grid if row != header
        )
        return [row for row in rows if row.get(NAMES[tab]) is not None]

    def check_rest(self, session: Session) -> None:
        """Check that a new process has nothing to rule or write, and that every receipt can be recomputed."""
        lost = {*self.lost}
        try:
            if lost:
                session.workbook.heads(asks=True)  # a dry run that would write nothing does not look at the guards
            seen = opened(session)
            plan = run_pass.run_pass(session, dry=True, state=WatchState(known=None)).plan
        except WorkbookError as error:
            self.report(f"a new process cannot read it: {error}")
            return
        pending = self.stage.book.grid(self.stage.book.tabs.get("Pending", -1)) or []
        problems = (*plan.problems, *check(seen.snapshot, seen.forms))
        messages = (answer.cells.message for answer in plan.findings.answers)
        self.named = "\n".join([*map(str, problems), *messages, *(str(cell) for row in pending for cell in row)])
        if not (lost and self._is_promised):
            self._check_replay(seen, session)
        if lost and plan.findings.held is None:
            self.report(f"a new process does not notice that receipts are gone: {sorted(lost)}")
        if not self.has_losses and plan.findings.held is not None:
            self.report(f"a new process is held, and nothing is gone: {plan.findings.held}")
        for cell in plan.writes.changes.cells:
            self.report(f"still to be written: {cell.tab} {a1_of(cell.row - 1, cell.column - 1)} {cell.value!r}")
        if plan.awaited is not None:
            self.report("a request still waits for a round of the beacon")
        for ruling in plan.rulings:
            self.report(f"still to be ruled: {ruling.receipt.request}")

    def _check_replay(self, seen: OpenWorkbook, session: Session) -> None:
        """Check that each ruling follows from its inputs, its seed and the rules."""
        receipts = seen.receipts
        secret = season_secret.find(session.folder, receipts.season)
        for receipt in receipts.rulings:
            if repr(receipt) in EQUAL or self.is_of_newer(receipt.rules_version, receipt.ruleset):
                continue
            form = seen.form(receipt.ruleset)
            if form is None:
                self.report(f"receipt {receipt.seq}: there is no tab of its rules")
                continue
            fingerprint = session.library.fingerprint(form.ruleset_key)
            verdict = verify(receipt, form, fingerprint, secret, receipts.options, Promises(receipts))
            remarks = [remark for remark in verdict.remarks if not remark.startswith("the beacon is not drand quick")]
            told = verdict.differences if self.lost or self.given_up else verdict.reasons  # what is gone may be missing
            for difference in (*told, *remarks):
                self.report(f"receipt {receipt.seq}: {difference}")
            if verdict.is_equal and not remarks:
                EQUAL.add(repr(receipt))

    def count_logs(self, folder: Path) -> None:
        """Count the text logs of one process: of each request the most that a folder has, and all."""
        here: Counter[str] = Counter()
        for file in (folder / "logs").glob("*.txt"):
            found = re.search(r"Z (\S+?)(?: \(\d+\))?$", file.stem)
            here[found[1] if found else file.stem] += 1
        self.log_files += here
        self.logs_in_a_folder |= here

    def check_end(self, *, has_ended: bool) -> None:
        """Check the end state."""
        self.check_receipts()
        self._check_people()
        self._check_ids()
        self._check_database()
        self._check_statuses()
        self._check_results()
        self._check_odds()
        self._check_logs(has_ended)
        self._check_slots()
        self._check_waiting()
        brought_back = {_key(row): row for row in self.receipts() if str(row["Seq"]).isdecimal()}
        rows = sorted((brought_back | self.ever).values(), key=lambda row: int(row["Seq"]))
        for violation in violations(rows) if self._is_promised and not self.given_up else ():
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
        return [dict(zip(header, row, strict=False)) for row in rows if row]

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
        may_be_given = name in (REQUESTS, JOUSTS, FLANKS) and "Request" in header
        given, again = header.index("Request") if may_be_given else -1, self._renewed()
        others = {None, *self._shared[name]} if name in self._shared else set()  # a copy gets an id of its own
        for row in range(max(len(book), len(twin))):
            one, other = _row(book, row), _row(twin, row)
            for place in range(max(len(one), len(other))):
                is_, was = _cell(one, place), _cell(other, place)
                is_header = bool(header) and other == header
                if ((place in programs and any(other)) and not is_header) or is_ == was:
                    if isinstance(is_, Formula) and is_ != was:
                        self.report(f"{name} {a1_of(row, place)} became a formula")
                elif (is_, was) == ("Rule", "Rule again"):
                    continue  # it is ruled again by now
                elif not (
                    place == given
                    and (was in others or (was in again and is_ in self.ids()))
                    and any(other)
                    and re.fullmatch(r"[WS]-\d{4,}", str(is_))
                ):
                    self.report_displaced(name, row, place, f": {is_!r} stands where a person left {was!r}")

    def _check_ids(self) -> None:
        """Check that no row shows another war's id, and that a war keeps the id that the program gave it.

        This is not checked if people copied, cleared or typed ids: then they decide what an id means.
        """
        if any(deed in (*OF_IDS, *OF_REQUESTS, *REUSES) or deed.startswith("Ctrl-Z") for deed in self.deeds):
            return
        ruled = {_id(row): war_of(row) for row in self.standing_rulings()}
        given = {war: id for id, war in ruled.items()}
        for tab in (REQUESTS, JOUSTS):
            places = [self.stage.place(tab, header) for header in ("Request", NAMES[tab], "Year")]
            request, name, year = places
            if request is None or name is None:
                continue
            people, grid = self.stage.grid(tab), self.stage.book.grid(self.stage.ids[tab]) or []
            for row in range(len(people)):
                was, id = _cell(people[row], request), _cell(_row(grid, row), request)
                war = tab, _cell(people[row], name), _cell(people[row], year) if year is not None else None
                is_typed = not isinstance(war[1], Formula)  # _check_results sees what formulas show
                if id in ruled and is_typed and ruled[id][:2] != war[:2]:
                    self.report_displaced(tab, row, request, f": the id {id} of {ruled[id][1]} stands beside {war[1]}")
                if was is None and war in given and self._asked[war] == 1 and id != given[war]:
                    self.report_displaced(
                        tab, row, request, f": {war[1]} shows the id {id!r}; it was ruled as {given[war]}"
                    )

    def _check_database(self) -> None:
        """Check stability, armies and leaders against the receipts, in order and by the names of rows."""
        expected: dict[tuple[str, str, str], Any] = {}
        last: dict[tuple[str, str, str], int] = {}
        edits = [(row["Receipt"], change) for row in self.written if row["Kind"] == "Edits" for change in _changes(row)]
        for receipt, change in edits:
            if _cell_of(change) not in self._typed_after and not any(
                deed in (*RUINOUS, *LOSSES) for deed in self.deeds
            ):
                self.report(f"nobody has changed the database: {receipt}")
        for ruling in self.ever.values():
            for change in _changes(ruling) if ruling["Kind"] in ("Ruling", "Edits") else ():
                key = _cell_of(change)
                typed = (*self._initial.get(key, ()), *self._cells(self.stage.twin, *key))
                before = [expected[key]] if key in expected else [*typed]
                if ruling["Kind"] == "Ruling" and change["before"] not in (*before, *self._restored.get(key, ())):
                    self.report(f"receipt {ruling['Seq']}: {' '.join(key)} was {change['before']!r}, not {before!r}")
                expected[key], last[key] = change["after"], int(ruling["Seq"])
        for key in self._owned():
            found, was = self._cells(self.stage.book, *key), self._cells(self.stage.twin, *key)
            if any(value in found for value in self._restored.get(key, ())):
                continue  # as somebody has brought it back
            if found == was and self._typed_after.get(key, -1) >= last.get(key, 0):
                continue  # as somebody has typed it after the ruling
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
        for tab in (NATIONS, MILITARIES, LEADERS, KNIGHTS):
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
        """Check that exactly the requests that name what was ruled under their id are Done, where an id occurs once."""
        ruled = {_id(row): row for row in self.standing_rulings()}
        for tab in (REQUESTS, JOUSTS):
            rows = self._requests(tab)
            ids = Counter(row.get("Request") for row in rows)
            for row in rows:
                id, shows = row.get("Request"), row.get("Status")
                is_ruled = id in ruled and not _other_cells(row, ruled[id])
                if id and ids[id] == 1 and (shows == "Done") != is_ruled:
                    self.report(f"{id} shows {shows!r} and is {'ruled' if is_ruled else 'not ruled'}")

        for id in sorted({*ruled} - {*self.ids()} - self.removed - self._renewed()):
            self.report(f"{id} was ruled and is in no row, although nobody has removed it")

    def _renewed(self) -> set[Any]:
        """Return the ids of rows in which people left another war and `Rule again`: they get the next id (REQ-22)."""
        ruled = {_id(row): row for row in self.standing_rulings()}
        rows = [row for tab in (REQUESTS, JOUSTS) for row in self._rows_asked(tab) if row.get("Request") in ruled]
        return {
            row["Request"]
            for row in rows
            if row.get("Action") == "Rule again" and _other_cells(row, ruled[row["Request"]])
        }

    def _check_results(self) -> None:
        """Check that no row shows a result of another war than it names, and that no tick counts that was pasted."""
        ruled = {_id(row): row for row in self.standing_rulings()}
        for tab in (REQUESTS, JOUSTS):
            for row in self._requests(tab):
                id, is_shown = row.get("Request"), bool(row.get("Winner") or row.get("Ruled At"))
                if is_shown and id in ruled and (others := _other_cells(row, ruled[id])):
                    self.report(f"{id} shows the result of {war_of(ruled[id])[1]} beside other cells: {others}")
        if not self.has_losses and any(war_of(row)[1] == PASTED for row in self.written if row["Kind"] == "Ruling"):
            self.report(f"{PASTED} is ruled by a tick that was pasted")

    def ids(self) -> Counter[Any]:
        """Return how many rows of requests have each id."""
        return Counter(row.get("Request") for tab in (REQUESTS, JOUSTS) for row in self._requests(tab))

    def statuses(self) -> Mapping[str, str]:
        """Return the status that the first row of each id shows, by the id in small letters."""
        rows = [row for tab in (REQUESTS, JOUSTS) for row in self._requests(tab)]
        return {loosely(str(row.get("Request"))): str(row.get("Status") or "") for row in reversed(rows)}

    def _check_odds(self) -> None:
        """Check that each request for odds has them, in a row and in its message."""
        grid = self.stage.book.grid(self.stage.ids[REQUESTS]) or []
        headers = ("Request", "Action", "Ready", "Status", "Message")
        places = [place for header in headers if (place := self.stage.place(REQUESTS, header)) is not None]
        forecast_ids = {_id(row) for row in self.forecasts()}
        for id, action, ready, status, message in ([_cell(row, place) for place in places] for row in grid):
            if action != "Forecast" or ready is not True or status == "Invalid":
                continue
            if str(message).startswith("Copied from "):
                continue  # it waits for a tick of its own
            if id is None and self.lost and str(message).startswith("Nothing is ruled now"):
                continue  # it gets no id, since that might be one of a receipt that is gone
            if status is not None or not str(message).startswith("Forecast: ") or id not in forecast_ids:
                self.report(f"{id} asks for its odds and shows {status!r}, {message!r}")

    def _requests(self, tab: str) -> list[Row]:
        """Return the rows of requests as they are shown, blank cells left out."""
        rows = self.stage.book.shown(self.stage.ids[tab]) if tab in self.stage.ids else []
        found = ({header: cell for header, cell in row.items() if cell not in ("", None)} for row in rows)
        return [row for row in found if NAMES[tab] in row]

    def _check_logs(self, has_ended: bool) -> None:
        """Check that each ruling has a log, and no folder more than one of it; an ended process makes its own later.

        Two processes that begin the same commit, receipt by receipt, both have what follows from it.
        """
        ruled = Counter(_id(row) for row in self.written if row["Kind"] == "Ruling")
        for id in ruled | self.log_files:
            if self.logs_in_a_folder[id] > ruled[id] or (self.log_files[id] < ruled[id] and not has_ended):
                self.report(f"{self.log_files[id]} logs of {id}, which was ruled {ruled[id]} times")

    def _check_slots(self) -> None:
        """Check that the first receipt of each commit has taken its guard. Commits differ in time here."""
        slots = self.stage.book.slots()
        written = [row for row in self._since_fork if row["Time"] != BEGUN]
        firsts = [next(group)["Seq"] for _, group in groupby(written, key=lambda row: row["Time"])]
        for seq in firsts:
            if FIRST_SLOT + int(seq) not in slots:
                self.report(f"the guard of receipt {seq} is gone")

    def _check_waiting(self) -> None:
        """Check that where receipts are gone each ready row that is not ruled says so, and promises nothing."""
        ruled = set(map(_id, self.standing_rulings()))
        for tab in (REQUESTS, JOUSTS) if self.lost else ():
            headers = ("Request", "Action", "Ready", "Status", "Message")
            places = [self.stage.place(tab, header) for header in headers]
            if tab not in self.stage.book.tabs or None in places:
                continue
            for row in self.stage.book.grid(self.stage.ids[tab]) or []:
                id, action, ready, status, message = (_cell(row, place or 0) for place in places)
                if ready is not True or action not in ("Rule", "Rule again") or id in ruled:
                    continue
                is_copy = str(message).startswith("Copied from ")  # it waits for a tick, not for receipts
                if status != "Invalid" and "Nothing is ruled now" not in str(message) and not is_copy:
                    self.report(f"{id} waits while receipts are gone, and shows {status!r}, {message!r}")

    @property
    def is_waiting(self) -> bool:
        """Return True if a row says that nothing is ruled."""
        return any("Nothing is ruled now" in str(row) for tab in (REQUESTS, JOUSTS) for row in self._messages(tab))

    def _messages(self, tab: str) -> Iterator[Any]:
        place = self.stage.place(tab, "Message")
        grid = self.stage.book.grid(self.stage.ids[tab]) if tab in self.stage.ids and place is not None else None
        yield from (_cell(row, place or 0) for row in grid or [])

    @staticmethod
    def is_of_newer(version: int, ruleset: str) -> bool:
        """Return True for the ruling of a program with newer rules, which this one cannot recompute."""
        return ruleset == "autoalgo" and version > len(Autoalgo.releases)


def _changes(row: Row) -> list[dict[str, Any]]:
    """Return the changes of the database that a receipt tells."""
    changes: list[dict[str, Any]] = json.loads(row.get("Changes") or "[]")
    return changes


def _cell_of(change: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the cell that a change is of: tab, name of the row and header."""
    return change["tab"], re.sub(r" \([^()]*\)$", "", change["row"]), change["field"]


def _key(row: Row) -> str:
    return json.dumps({name: value for name, value in row.items() if value is not None}, default=str, sort_keys=True)


def war_of(row: Row) -> War:
    """Return the war that a receipt rules, by its inputs."""
    inputs = json.loads(row["Inputs"])
    return JOUSTS if row["Ruleset"] == "jousts" else REQUESTS, inputs["name"], inputs.get("year")


def _other_cells(row: Row, ruling: Row) -> list[str]:
    """Return the cells of a request that are not those of a ruling's inputs, by header."""
    inputs = json.loads(ruling["Inputs"])
    if ruling["Ruleset"] == "jousts":
        asked = {side.title(): inputs[side]["name"] for side in ("challenger", "challenged")}
    else:
        sides = {side.title(): inputs[side]["nation"]["name"] for side in ("attacker", "defender")}
        asked = {"Year": inputs["year"], "Location": inputs["location"]["name"], "Motive": inputs["motive"], **sides}
    return [header for header, value in asked.items() if row.get(header, False) != value]


def _id(row: Row) -> str:
    return str(row["Request"])


def _row(grid: Grid, row: int) -> list[Any]:
    return grid[row] if row < len(grid) else []


def _cell(row: list[Any], place: int) -> Any:
    return row[place] if place < len(row) else None
