"""Schedules for orders that players send: late, twice, edited, deleted; clocks apart, ends of processes, lost answers.

Each is drawn from a seed and played by the program's passes on a real file or on the local Sheets server. What must be
copied is worked out here by other means than in the program: from what the tab of responses held when it was sealed.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import openpyxl

from scripts.support.moderator import write_grids
from scripts.support.shared_sheets import access, sheets
from scripts.support.workbooks import SECRET, example, grids, library
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.runtime.run.pass_context import WatchState
from sheets_algo.runtime.run.run_pass import run_pass
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.session import Session, opened
from sheets_algo.workbook.changes import ChangeSet, CommitResult
from sheets_algo.workbook.errors import WorkbookError
from sheets_algo.workbook.google.http.api import Api
from sheets_algo.workbook.google.http.budget import RequestBudget
from sheets_algo.workbook.google.spreadsheet import GoogleWorkbook
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.store import Workbook
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.values import FIRST_DAY
from sheets_algo.workbook.xlsx import XlsxWorkbook

STORES = ("file", "sheets")
ROUNDS, FORM, TURNS, PLAYERS = "Round Requests", "Form Responses 1", "Turns", "Round Players"
HEADS = ("Timestamp", "Email Address", "Player", "Order", "Target", "Tax %", "Notes")
NAMES = ("Anna", "Bola", "Chen", "Dmitri")
START = datetime(2026, 3, 1, 12, tzinfo=UTC)
ROUND_S = 1_000
FIRST, LAST = 3, 5
"""The first round that is played, and the last one that ends."""
PLENTY = 100_000

Response = tuple[float, str, str, str, str, int, str]
"""A row of the tab: second, address, typed name, order, unit, tax rate, and a word that no other version has."""


class Killed(BaseException):
    """The end of a process."""


class Mortal(Workbook):
    """A workbook whose process may end before a commit or after it."""

    dies = ""

    def commit(self, snapshot: Snapshot, changes: ChangeSet) -> CommitResult:
        dies, self.dies = self.dies, ""
        if dies == "before":
            raise Killed
        result = super().commit(snapshot, changes)  # type: ignore[safe-super] # of the store beside it
        if dies == "after":
            raise Killed
        return result


class MortalFile(Mortal, XlsxWorkbook):
    """A file."""


class MortalSheets(Mortal, GoogleWorkbook):
    """A spreadsheet."""


class FilePlace:
    """A season in a file.

    Args:
        folder: The folder of the file.
    """

    def __init__(self, folder: Path, tabs: Mapping[str, Sequence[Sequence[Any]]]) -> None:
        self._path = write_grids(folder / "season.xlsx", tabs)

    def open(self) -> MortalFile:
        """Return the workbook as a new process sees it."""
        return MortalFile(self._path)

    def write(self, responses: Sequence[Response]) -> None:
        """Let the tab hold these responses."""
        book = openpyxl.load_workbook(self._path)
        sheet = book[FORM]
        sheet.delete_rows(2, sheet.max_row)
        for number, response in enumerate(responses, start=2):
            cells: list[Any] = [_at(response[0]).replace(tzinfo=None), *response[1:]]
            for place, cell in enumerate(cells, start=1):
                sheet.cell(number, place).value = cell or None
        book.save(self._path)

    def lose_answer(self, *, is_late: bool) -> None:
        """Do nothing: a file always answers."""

    def recover(self) -> None:
        """Do nothing, likewise."""


class SheetsPlace:
    """A season in a spreadsheet of the local server."""

    def __init__(self, folder: Path, tabs: Mapping[str, Sequence[Sequence[Any]]]) -> None:
        self._id, self._server = sheets().make("Season", tabs), sheets()

    def open(self) -> MortalSheets:
        """Return the workbook as a new process sees it."""
        api = Api(self._id, access(), RequestBudget(PLENTY), timeout=10, url=self._server.url)
        return MortalSheets(api)

    def write(self, responses: Sequence[Response]) -> None:
        """Let the tab hold these responses."""
        days = (
            ((_at(second).replace(tzinfo=None) - datetime(*FIRST_DAY.timetuple()[:3])) / timedelta(days=1))
            for second, *_ in responses
        )
        rows = [[day, *response[1:]] for day, response in zip(days, responses, strict=True)]
        blank = [[""] * len(HEADS)] * (60 - len(rows))
        self._server.type(self._id, f"'{FORM}'!A2", [*rows, *blank])

    def lose_answer(self, *, is_late: bool) -> None:
        """Let the next write get no answer; it is carried out at once, or later."""
        more = {"when": "late", "after_requests": 3} if is_late else {"when": "after"}
        self._server.fault("reset", match="write", at=1, **more)

    def recover(self) -> None:
        """End all faults, and carry out what is late."""
        self._server.clear_faults()
        self._server.control("late", {})


PLACES: Mapping[str, type[FilePlace] | type[SheetsPlace]] = {"file": FilePlace, "sheets": SheetsPlace}


@dataclass
class Played:
    """Result of a schedule."""

    store: str
    seed: int
    faults: list[str] = field(default_factory=list)  # The rules that did not hold, in sentences
    deeds: Counter[str] = field(default_factory=Counter)  # How often each thing happened


def _at(second: float) -> datetime:
    return START + timedelta(seconds=second)


def season() -> Mapping[str, Sequence[Sequence[Any]]]:
    """Return the tabs of a game whose rounds end at deadlines, and whose players send a Form."""
    rows = example("rounds")
    for player in rows[PLAYERS]:
        player |= {"Contact": f"{player['Player']}@Games.example", "Taxed in round": None}
    rows[ROUNDS] = []
    deadlines = {number: _at((number - FIRST + 1) * ROUND_S) for number in range(FIRST, LAST + 1)}
    rows[TURNS] = [{"Turn": number, "Deadline": f"{moment:%Y-%m-%d %H:%M:%S}"} for number, moment in deadlines.items()]
    rows[TURNS][0]["Orders From"] = FORM
    return {**grids(rows), FORM: [list(HEADS)]}


class Stage:
    """A schedule under way.

    Args:
        folder: An empty folder.
    """

    def __init__(self, store: str, seed: int, folder: Path) -> None:
        self.played, self._chance, self._folder = Played(store, seed), random.Random(f"{store} {seed}"), folder
        self._place = PLACES[store](folder, season())
        self._responses: list[Response] = []
        self._held: list[tuple[Response, ...]] = [()]
        """Contents of the tab since the last seal, at each look."""
        self._taken: set[str] = set()
        self._seals = self._words = 0
        self._skew = {name: self._chance.choice([0, 0, -40, 25]) for name in "AB"}
        self._states: dict[str, tuple[Session, WatchState]] = {}
        self._now = 0.0

    def play(self) -> None:
        """Play all rounds, and look until nothing is left to do."""
        deeds = [self._send] * 8 + [self._again] * 2 + [self._edit] * 3 + [self._delete] * 1
        moments = sorted(self._chance.uniform(0, (LAST - FIRST + 1) * ROUND_S + 60) for _ in range(18))
        for number in range(1, LAST - FIRST + 2):  # around each deadline
            moments += [number * ROUND_S + self._chance.uniform(-45, 45) for _ in range(5)]
        # One look in each round is sound: a deadline that is over when its round begins ends nothing (TRN-03).
        sound = [number * ROUND_S + 400 for number in range(1, LAST - FIRST + 2)]
        for self._now in sorted([*moments, *sound]):
            if self._now in sound:
                self._look_soundly()
            elif self._chance.random() < 0.6:
                self._chance.choice(deeds)()
            else:
                self._look(self._chance.choice("AB"), disturbed=True)
        self._look_soundly()
        self._check_end()

    def _look_soundly(self) -> None:
        """Let a watcher look while nothing goes wrong, until what was written late is there and answered."""
        for _ in range(3):
            self._now += 1
            self._place.recover()
            self._look("A", disturbed=False)

    def _send(self) -> None:
        name = self._chance.choice(NAMES)
        if self._chance.random() < 0.3:
            order: tuple[str, str, int] = ("Set tax", "", self._chance.randrange(5, 15))
        else:
            order = ("Raid", f"Nobody {self._chance.randrange(6)}", 0)
        self._write(len(self._responses), (name, *order), "send")

    def _again(self) -> None:
        """Send something once more, with another number or another note."""
        if self._responses:
            _, address, _, kind, unit, rate, _ = self._chance.choice(self._responses)
            self._write(
                len(self._responses), (address.partition("@")[0].title(), kind, unit, rate and rate + 1), "again"
            )

    def _edit(self) -> None:
        if self._responses:
            place = self._chance.randrange(len(self._responses))
            _, address, _, kind, unit, rate, _ = self._responses[place]
            self._write(place, (address.partition("@")[0].title(), kind, unit, rate and rate + 2), "edit")

    def _delete(self) -> None:
        if self._responses:
            self.played.deeds["delete"] += 1
            self._responses.pop(self._chance.randrange(len(self._responses)))
            self._place.write(self._responses)

    def _write(self, place: int, order: tuple[str, str, str, int], deed: str) -> None:
        """Write a response as Forms does, some with the name of another player typed in."""
        name, kind, unit, rate = order
        self._words += 1
        typed = self._chance.choice(["", "", name, self._chance.choice(NAMES)])
        address = self._chance.choice([str.upper, str.lower])(f"{name}@games.example")
        self._responses[place : place + 1] = [(self._now, address, typed, kind, unit, rate, f"word {self._words}")]
        self._place.write(self._responses)
        self.played.deeds[deed] += 1

    def _look(self, name: str, *, disturbed: bool) -> None:
        """Let a watcher look until it has nothing more to do, or its process ends."""
        self._held.append(tuple(self._responses))
        if name not in self._states or self._chance.random() < 0.2:
            folder = self._folder / name
            if not folder.exists():
                folder.mkdir()
                season_secret.keep(folder, SECRET)
            session = Session(
                workbook=self._place.open(),
                folder=folder,
                library=library(),
                draws_pictures=False,
                clock=lambda: _at(self._now + self._skew[name]),
            )
            self._states[name] = session, WatchState(known=None)
        session, state = self._states[name]
        assert isinstance(session.workbook, Mortal)
        for _ in range(8):
            if disturbed and self._chance.random() < 0.4:
                deed = self._chance.choice(["before", "after", "lost", "late"])
                self.played.deeds[deed] += 1
                if deed in ("before", "after"):
                    session.workbook.dies = deed
                else:
                    self._place.lose_answer(is_late=deed == "late")
            try:
                is_partial = run_pass(session, state=state).is_partial
            except Killed:
                del self._states[name]
                break
            except WorkbookError:
                self.played.deeds["failed"] += 1
                break
            finally:
                session.workbook.dies = ""
            if not is_partial:
                break
        self._check_seals()

    def _check_seals(self) -> None:
        """Hold each new receipt of orders against what the tab held at one of the looks since the last one."""
        receipts, rows = self._found()
        for receipt, sealed in receipts.sealed[self._seals :]:
            self._seals += 1
            copied = {row["Notes"]: row for row in rows if row["Request"] in sealed.orders}
            wanted = [self._wanted(held, sealed.turn) for held in self._held]
            if set(copied) not in [set(words) for words in wanted]:
                self._fault(f"receipt {receipt.seq} has {sorted(copied)}, due was one of {list(map(sorted, wanted))}")
            by_word = {response[-1]: response for held in self._held for response in held}
            for word, row in copied.items():
                _, address, _, kind, unit, rate, _ = by_word.get(word, (0, "", "", "", "", 0, ""))
                due = (address.partition("@")[0].title(), kind, unit or None, rate or None, sealed.turn)
                found = tuple(row[head] or None for head in ("Player", "Order", "Target", "Tax %", "Round"))
                if found != due:
                    self._fault(f"{row['Request']} is {found}, sent was {due}")
            self._taken |= {response[-1] for held in self._held for response in held if response[-1] in copied}
            last = next((held for held, words in zip(self._held, wanted, strict=True) if set(words) == set(copied)), ())
            self._taken |= {response[-1] for response in last}
            self._held = [tuple(self._responses)]
            self.played.deeds["sealed"] += 1

    def _wanted(self, held: Sequence[Response], turn: int) -> Sequence[str]:
        """Return the words of the responses that a seal has to copy: of one thing the last."""
        last: dict[tuple[str, str, str], Response] = {}
        for response in sorted(held, key=lambda response: response[0]):
            if response[-1] not in self._taken:
                last[response[1].casefold(), response[3], response[4]] = response
        return [response[-1] for response in last.values()]

    def _found(self) -> tuple[Receipts, list[dict[str, Any]]]:
        """Return the receipts and the rows of requests as they are now."""
        session = Session(workbook=self._place.open(), folder=self._folder, library=library())
        workbook = opened(session)
        sheet = workbook.snapshot.sheet(TabKey.named(ROUNDS))
        assert sheet is not None
        heads = sheet.rows[1]
        cells = [[*row, *[None] * (len(heads) - len(row))] for number, row in sorted(sheet.rows.items()) if number > 1]
        return workbook.receipts, [dict(zip(map(str, heads), row, strict=True)) for row in cells]

    def _check_end(self) -> None:
        """Check that all rounds have ended once, and that each order is settled, once."""
        receipts, rows = self._found()
        ends = [row["Round"] for row in rows if row["Order"] == "End round" and row["Status"] == "Done"]
        if ends != list(range(FIRST, LAST + 1)):
            self._fault(f"the rounds {ends} have ended")
        for word, times in Counter(row["Notes"] for row in rows if row["Order"] != "End round").items():
            if times > 1:
                self._fault(f"{word} stands in {times} rows")
        for row in rows:
            if row["Status"] not in ("Done", "Lapsed"):
                self._fault(f"{row['Request']} is {row['Status']!r}: {row['Message']}")
        for request, times in Counter(ruling.request for ruling in receipts.rulings).items():
            if times > 1:
                self._fault(f"{request} is ruled {times} times")
        sent = [receipt for receipt, sealed in receipts.sealed if sealed.players]
        if len(sent) != LAST - FIRST + 1:
            self._fault(f"{len(sent)} receipts close rounds")

    def _fault(self, says: str) -> None:
        self.played.faults.append(says)


def play(store: str, seed: int, folder: Path) -> Played:
    """Play a schedule; return what came of it.

    Args:
        store: One of `STORES`.
        folder: An empty folder.
    """
    stage = Stage(store, seed, folder)
    stage.play()
    return stage.played
