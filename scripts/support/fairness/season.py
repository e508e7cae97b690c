"""A season of a dishonest moderator: he has all rows, all files and the program, and knows each round once it is out.

He wants another winner of one war, the last of three between two nations. What players see is the workbook as it stands
at the end, and the heads of the receipts that he has to post at each look.
"""

from __future__ import annotations

import contextlib
import copy
import random
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any

from engine.rng import Rng
from engine.ruleset import LogSink, Outcome, no_op
from scripts.support.beacon_rounds import QUICKNET, REAL, Round, Rounds, after_round, at, before_round, luck_line
from scripts.support.smallest_war import war_rows
from scripts.support.workbooks import changed, forms, grids, pass_context, read, season_grid, undo
from sheets_algo.forms.base import Form
from sheets_algo.replays.promise_problems import promise_problems
from sheets_algo.replays.replay import Verdict, verify
from sheets_algo.ruling.luck.draw import Secret
from sheets_algo.ruling.passes.evidence import gone_by_rows
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import PassContext, Plan
from sheets_algo.ruling.promises.promises import Promises
from sheets_algo.ruling.receipts.chain import find_head, losses, losses_before
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.ruling.requests.provenance import heirs
from sheets_algo.workbook.head import Head
from sheets_algo.workbook.memory import MemoryWorkbook

ROUNDS = tuple(number for number in REAL if number >= 123)
"""The rounds that decide, in order; a look comes five minutes before each."""
TARGET = "W-3"
"""The war that the moderator wants another winner of."""
TAB = "War Requests"
INNOCENT = re.compile(
    r"(Decided by round \d+ of the beacon drand quicknet \([^)]*\),"
    r"|No round decided this: nothing is drawn\. Round \d+ of the beacon drand quicknet \([^)]*\) was)"
    r" promised in receipt \d+\. \w+ promise"
    r"(; \w+ withdrawn before their round, none after)?(; \w+ that could not be kept, [^;.]*)?\."
    r"( Changed by people: .*)?"
)
"""What the receipt of a war says in which nobody did anything, or while nobody could know its luck."""


def outcome_of(ruling: StoredReceipt) -> str:
    """Return who won, or what came of a request without a winner."""
    return ruling.winner or ruling.figures.message.partition("\n")[0]


class Remembered:
    """A ruleset that fights each battle once.

    A battle is a function of its inputs and seed (R-25), so what was tried on a copy need not be fought again.
    """

    def __init__(self, form: Form[Any]) -> None:
        self._ruleset = ruleset = form.ruleset

        @lru_cache(maxsize=64)
        def fought(inputs: str, seed: int) -> tuple[Outcome, tuple[Any, ...]]:
            lines: list[Any] = []
            return ruleset.resolve(form.deserialize(inputs), Rng(seed), lines.append), tuple(lines)

        self._form, self._fought = form, fought

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ruleset, name)

    def resolve(self, inputs: Any, rng: Rng, log_sink: LogSink = no_op) -> Outcome:
        """Fight a war, or return what was fought before and tell its log."""
        outcome, lines = self._fought(self._form.serialize(inputs), rng.seed)
        for line in lines:
            log_sink(line)
        return outcome


def remembering(forms: tuple[Form[Any], ...]) -> tuple[Form[Any], ...]:
    """Return the forms with rulesets that fight each battle once."""
    copies = tuple(map(copy.copy, forms))
    for form in copies:
        form.ruleset = Remembered(form)  # type: ignore[assignment]
    return copies


@cache
def program() -> PassContext:
    """Return what his program plans with, but for the secret."""
    context = pass_context()
    return replace(context, forms=remembering(context.forms))


INPUTS = '{"losses":"apply","dead_leaders":"warn","luck":"beacon"}'
"""Inputs of the Season row."""


@dataclass
class Season:
    """The season and what its moderator does to it.

    Args:
        number: The number of the season, which decides sizes and secret.
        book: The workbook.
        context: What his program plans with.
        program: Makes his program another one while it runs.
        posted: The head of the receipts at each look, by the true time.
        now: The true time of the last pass.
        forged: Rounds that his program takes for genuine.
    """

    number: int
    book: MemoryWorkbook
    context: PassContext
    program: Callable[[], AbstractContextManager[Any]] = contextlib.nullcontext
    posted: list[tuple[float, Head]] = field(default_factory=list)
    now: float = 0.0
    forged: Mapping[int, Round] = field(default_factory=dict)

    @classmethod
    def begun(cls, number: int, wars: int, other: str = "") -> Season:
        """Return a season with some wars that are ready, the target last, under a secret of its own."""
        rng = random.Random(number)
        rows = war_rows()
        for military in rows["Militaries"]:
            military["Size"] = rng.randrange(7_900, 8_100)
        places = range(4 - wars, 4)
        rows[TAB] = [
            rows[TAB][0] | {"Request": f"W-{place}", "War": f"Quarrel {place}", "Year": 1000 + place}
            for place in places
        ]
        rows |= {"Autoalgo Settings": [], "Overrides": []}
        secret = Secret(f"the secret of season {number}{other}".encode())
        book = MemoryWorkbook(grids(rows) | {"Receipts": season_grid(INPUTS, secret)})
        return cls(number, book, replace(program(), secret=secret))

    def copy(self) -> Season:
        """Return the season on a sheet of his own, to try something."""
        return replace(self, book=copy.deepcopy(self.book), posted=[])

    def run(self, seconds: float, out: float | None = None, *, is_host_his: bool = False) -> Plan:
        """Make a pass and commit it.

        Args:
            seconds: The time by his clock.
            out: The true time, which tells the rounds that are out; None if his clock is right.
            is_host_his: True if he asks a host of his own, which calls that round the latest which his clock does.
        """
        self.now = seconds if out is None else out
        known = {number: round for number, round in REAL.items() if QUICKNET.time_of(number) <= self.now}
        known |= self.forged
        told = seconds if is_host_his else self.now
        latest = max(number for number in known if QUICKNET.time_of(number) <= told)
        rounds = Rounds(known[latest], known)
        snapshot = read(self.book)
        with self.program():
            plan = plan_pass(snapshot, changed(self.context, rounds=rounds), at(seconds))
        if plan.writes.changes:
            self.book.commit(snapshot, plan.writes.changes)
        return plan

    def look(self, number: int) -> Plan:
        """Make a pass five minutes before a round, and post the head."""
        plan = self.run(before_round(number))
        self.posted.append((self.now, self.receipts.head))
        return plan

    def finish(self, after: int = 123) -> None:
        """Make the looks that are left, until one changes nothing and no war waits."""
        for number in ROUNDS[ROUNDS.index(after) + 1 :]:
            plan = self.look(number)
            if not plan.writes.changes and all(each.cells.status != "Waiting" for each in plan.findings.answers):
                break

    def outcome(self, request: str, number: int = 123) -> str:
        """Return what would come of a request if a pass were made now that a round is out; blank if nothing would."""
        trial = self.copy()
        trial.run(after_round(number))
        ruling = trial.receipts.ruling_of(request)
        return outcome_of(ruling) if ruling and not trial.receipts.is_undone(ruling) else ""

    @property
    def receipts(self) -> Receipts:
        """Return the receipts as they are now."""
        return read_receipts(read(self.book))

    def row_of(self, request: str) -> int:
        """Return the number of the row of a war."""
        header, *rows = self.book.rows(TAB)
        return 2 + [row[list(header).index("Request")] for row in rows].index(request)

    def edit(self, tab: str, row: int, header: str, value: Any) -> None:
        """Type into a cell."""
        self.book.type_in(tab, row, list(self.book.rows(tab)[0]).index(header) + 1, value)

    def set(self, request: str, header: str, value: Any) -> None:
        """Type into the row of a war."""
        self.edit(TAB, self.row_of(request), header, value)

    def hold(self, *requests: str) -> None:
        """Take Ready away from wars."""
        for request in requests:
            self.set(request, "Ready", False)

    def ready(self, *requests: str) -> None:
        """Make wars ready."""
        for request in requests:
            self.set(request, "Ready", True)

    def add(self, request: str, **cells: Any) -> None:
        """Add a row: the target's war under another id, with other cells by header."""
        header, *rows = self.book.rows(TAB)
        values = dict(zip(header, rows[self.row_of(TARGET) - 2], strict=False))
        values |= {"Request": request, "Ready": True, "Status": None, "Message": None} | cells
        self.write(TAB, len(rows) + 2, values)

    def write(self, tab: str, row: int, cells: Mapping[Any, Any]) -> None:
        """Type a whole row."""
        for header, value in cells.items():
            self.edit(tab, row, str(header), value)

    def swap(self, order: tuple[str, ...]) -> None:
        """Sort the first rows of the tab into an order of wars."""
        header, *rows = self.book.rows(TAB)
        by_id = {row[list(header).index("Request")]: dict(zip(header, row, strict=False)) for row in rows}
        for row, request in enumerate(order, start=2):
            self.write(TAB, row, {name: by_id[request].get(name) for name in header})

    def undo(self, request: str) -> None:
        """Undo a ruling."""
        snapshot = read(self.book)
        _, changes = undo(snapshot, forms(), request, at(self.now + 1))
        self.book.commit(snapshot, changes)

    def traces(self, final: StoredReceipt) -> Iterator[str]:
        """Yield where a stranger reads that something was done to this request: `receipt`, `verify`, `post`.

        Only its own receipt counts, what `verify` and its page say of it or of the whole season, and heads of its
        promises. That a promise was withdrawn before its round is no trace, nor is that receipts cannot tell a cause.
        """
        known, snapshot = self.receipts, read(self.book)
        if not INNOCENT.fullmatch(luck_line(final)) or final.figures.people or final.figures.origins:
            yield "receipt"
        by_key = {form.key: form for form in self.context.forms}  # he publishes the tables that he ruled with
        promises = Promises(known)

        def computed(ruling: StoredReceipt) -> Verdict:
            form = by_key[ruling.ruleset]
            fingerprint = self.context.fingerprints[form.ruleset_key]
            return verify(ruling, form, fingerprint, None, known.options, promises)

        own, form = computed(final), by_key[final.ruleset]
        wrong = {ruling.seq for ruling in known.rulings if ruling.seq < final.seq and computed(ruling).is_different}
        lies = promise_problems(promises, by_key) if known.luck.is_beacon else ()
        if (
            not own.is_equal
            or final.seq in heirs(known, by_key, wrong)
            or (form.settings and form.settings.differing)
            or any(f"({final.request})" in lie for lie in lies)
            or losses(known)
            or any(gone_by_rows(snapshot, self.context.forms, known))
        ):
            yield "verify"
        draw = final.draw
        assert draw is not None
        is_before = self._was_posted(draw.promise, draw.round)
        for seq in draw.before:  # what followed it must have been posted before its round, too
            promise = known.by_seq[seq]
            withdrawn = promise.draw
            following = min(p.seq for p in known.promises if p.seq > seq and p.request == promise.request)
            is_before = is_before and withdrawn is not None and self._was_posted(following, withdrawn.round)
        noted = [find_head(known, str(head)) for _, head in self.posted]
        if not is_before or not all(receipt and not losses_before(known, receipt) for receipt in noted):
            yield "post"

    def _was_posted(self, seq: int, round: int) -> bool:
        """Tell whether a head that covers a receipt was posted before a round."""
        return any(seconds < QUICKNET.time_of(round) and head.seq >= seq for seconds, head in self.posted)
