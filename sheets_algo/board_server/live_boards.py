"""Boards of an open workbook: problems, odds and best places of a draft, and saving it.

All methods may be called from several threads. Drafts are judged on the last reading of the workbook; a save reads it
again. Odds use the seed of the command forecast for the saved rows, so that both show one number (FC-01).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from engine.columns import columns
from engine.errors import ExpectedError
from engine.forecast import Replicates, difference, joined, summed_up
from sheets_algo.board_server.world_places import Pixel, picker_data, pixel_changes
from sheets_algo.boards.board_rows import (
    BoardSource,
    Cells,
    NotSaved,
    board_source,
    draft,
    rows_version,
    save_rows,
)
from sheets_algo.database.changes import Changes
from sheets_algo.database.headers import key_of
from sheets_algo.database.problems import Problem, Rejected, count, quoted
from sheets_algo.database.tables import Table
from sheets_algo.forecasts.compiled import prepare
from sheets_algo.forecasts.questions import ForecastWar, from_row
from sheets_algo.forms.capabilities import BoardForm, BoardRows
from sheets_algo.forms.request_columns import request_id
from sheets_algo.replays.replay import replay
from sheets_algo.ruling.forecast.forecast_rows import war_of
from sheets_algo.ruling.passes.ruler import mark_of
from sheets_algo.ruling.plan import Ruling
from sheets_algo.ruling.receipts.chain import hold
from sheets_algo.ruling.receipts.lookup import row_of, ruling_of
from sheets_algo.ruling.repair.intents import PendingTab, with_note
from sheets_algo.runtime.after_commit.replay_pages import replay_html
from sheets_algo.runtime.run.repair import repair
from sheets_algo.runtime.session.foreign_tabs import refuse_beside_renamed
from sheets_algo.runtime.session.record import noted_heads
from sheets_algo.runtime.session.session import OpenWorkbook, Session, opened
from sheets_algo.workbook.errors import StaleWorkbook, UnknownOutcome, WorkbookUnavailable
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.values import Plain

ODDS_FIRST, ODDS_LEAST = 5, 100
"""Battles before a page first receives odds, and before it shows them."""
ODDS_ERROR, ODDS_ERROR_PLAIN = 0.01, 0.02
"""Error at which odds are good enough: that of 9,600 battles, or of the 2,400 that Python fights in a minute."""
SLICE_S = 0.5
"""Target time of an answer in seconds: each answer has twice the battles of the last until then."""
BEST_FIRST, BEST_MOST = 25, 3_200
"""Battles of each candidate in the first round of a comparison, and in all."""

Sides = Mapping[str, Sequence[Cells]]
"""The rows of each side that a board shows."""
Candidate = Mapping[str, Plain]
"""A candidate placement of a flank: values that replace its own, by attribute."""


class BadDraft(ExpectedError):
    """A draft that fits no board; the message says why."""

    exit_code = 1


class LiveBoards:
    """The boards of one workbook."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._lock = threading.Lock()
        self._book: OpenWorkbook | None = None
        self._sources: dict[str, BoardSource] = {}
        self._comparison = self._question = 0

    def requests(self) -> list[dict[str, Any]]:
        """Return id, name and state of each request that has a board, in the order of the workbook."""
        book = self._read()
        receipts = book.receipts
        entries = []
        for form in book.forms:
            if not isinstance(form, BoardForm):
                continue
            for row in Table.of(book.snapshot, form.request):
                if request_id(row):
                    is_ruled = receipts.ruling_in_force(request_id(row)) is not None
                    entries.append({"id": request_id(row), "war": war_of(form, row), "is_ruled": is_ruled})
        return entries

    def read(self, request: str) -> dict[str, Any]:
        """Return a board's data, with a version of each side's rows.

        Raises:
            ExpectedError: The request has no board.
            Rejected: The request has errors that no board can show.
        """
        book = self._read()
        source = self._source(book, request)
        if not source.is_ruled:
            self._prepare(book, request)
        versions = {side: rows_version(book.snapshot, source.form, request, side) for side in source.board.sides}
        return {**source.board.data(), "versions": versions}

    def check(self, request: str, sides: Sides) -> dict[str, Any]:
        """Return the problems of a request with these rows, each with the flank concerned."""
        book, source = self._known(request, sides)
        drafted = draft(book.snapshot, source.form, request, sides)
        form, database, row = row_of(drafted.snapshot, book.forms, request)
        try:
            reading = form.read(row, database)
            problems, remarks = reading.warnings, reading.remarks
        except Rejected as rejection:
            problems, remarks = rejection.problems, ()
        table = database.table(source.rows.record)
        flanks = {
            number: (side, place) for side, numbers in drafted.numbers.items() for place, number in enumerate(numbers)
        }
        return {"problems": [_as_data(problem, table, flanks) for problem in problems], "remarks": list(remarks)}

    def odds(self, request: str, sides: Sides) -> Iterator[dict[str, Any]]:
        """Yield the odds with these rows, from more and more battles.

        Each comes with the difference from the odds of the saved rows. The series ends when the odds are good enough,
        or when new odds are requested.

        Raises:
            Rejected: The rows have errors.
        """
        if self._book is not None and not self.session.workbook.is_unchanged():
            self._read()
        book, source = self._known(request, sides)
        saved: list[ForecastWar] = []
        with suppress(Rejected):  # the saved rows may have errors; then there is no comparison
            saved.append(self._war(book.forms, book.snapshot, request))
        drafted = draft(book.snapshot, source.form, request, sides).snapshot
        wars = [self._war(book.forms, drafted, request, *(war.seed for war in saved)), *saved]
        self._question += 1
        return self._growing_odds(wars, self._question)

    def _growing_odds(self, wars: Sequence[ForecastWar], question: int) -> Iterator[dict[str, Any]]:
        """Yield the number of battles so far, and from `ODDS_LEAST` on the odds of the first war."""
        code = prepare(wars[0])
        fights = [war.series(code) for war in wars]
        fought: list[list[Replicates]] = [[] for _ in wars]
        done, step = 0, ODDS_FIRST
        while question == self._question:
            began = time.monotonic()
            for fight, parts in zip(fights, fought, strict=True):
                parts.append(fight(done, step))
            done += step
            if time.monotonic() - began < SLICE_S:
                step *= 2
            if done < ODDS_LEAST:
                yield {"runs": done, "least": ODDS_LEAST}
                continue
            drafted, *saved = map(joined, fought)
            answer = _odds(drafted) | {"change": _change(saved[0], drafted) if saved else None}
            yield answer
            if answer["error"] <= (ODDS_ERROR if code.is_compiled else ODDS_ERROR_PLAIN):
                return

    def compare(
        self, request: str, sides: Sides, side: str, flank: int, candidates: Sequence[Candidate]
    ) -> Iterator[dict[str, Any]]:
        """Yield the change of the odds for each placement of one flank, more and more precisely.

        The series ends after `BEST_MOST` battles of each candidate, or when another comparison begins.

        Args:
            flank: Its place among the rows of its side, from 0.

        Raises:
            Rejected: The rows have errors as they are.
        """
        book, source = self._known(request, sides)
        if side not in sides or flank >= len(sides[side]):
            raise BadDraft("There is no such flank.")
        changeable = source.rows.columns[2:]  # all columns but request and side
        if any(name not in changeable for candidate in candidates for name in candidate):
            raise BadDraft(f"Of a flank, {', '.join(changeable)} can be compared.")
        self._comparison += 1
        comparison = self._comparison
        base = self._war(book.forms, draft(book.snapshot, source.form, request, sides).snapshot, request)
        code = prepare(base)
        fight = base.series(code)
        before = [fight(0, BEST_FIRST)]
        wars: dict[int, Callable[[int, int], Replicates]] = {}
        parts: dict[int, list[Replicates]] = {}

        def compare_at(place: int, done: int, step: int) -> dict[str, Any]:
            parts.setdefault(place, []).append(wars[place](done, step))
            return {"candidate": place, "is_allowed": True} | _change(joined(before), joined(parts[place]), side)

        for place, candidate in enumerate(candidates):
            if comparison != self._comparison:
                return
            rows = [list(cells) for cells in sides[side]]
            for name, value in candidate.items():
                rows[flank][source.rows.columns.index(name)] = value
            drafted = draft(book.snapshot, source.form, request, {**sides, side: rows})
            try:
                wars[place] = self._war(book.forms, drafted.snapshot, request, base.seed).series(code)
            except Rejected:
                yield {"candidate": place, "is_allowed": False}
            else:
                yield compare_at(place, 0, BEST_FIRST)
        done = BEST_FIRST
        while done < BEST_MOST and wars:
            before.append(fight(done, done))
            for place in wars:
                if comparison != self._comparison:
                    return
                yield compare_at(place, done, done)
            done *= 2

    def save(self, request: str, side: str, rows: Sequence[Cells], version: str) -> str:
        """Write the rows of one side, and return a confirmation.

        Raises:
            EditedMeanwhile: These rows changed after the board had read them; nothing was written.
            NotSaved: The request is ruled, or the tab of its rows is gone; nothing was written.
            RefusedChange: The tab of its rows has another title; nothing was written.
            WorkbookError: The workbook cannot be written.
        """

        def planned(book: OpenWorkbook) -> Changes:
            source = self._source(book, request)
            _refuse_unfit(source.rows, tuple(source.board.sides), {side: rows})
            self._refuse_absent(book, source.rows.record)
            return save_rows(book.snapshot, source.form, book.receipts, request, side, rows, version)

        return self._write(planned, f"{count(len(rows), 'flank')} of the {side.lower()} of {request}")

    def places(self) -> dict[str, Any]:
        """Return the places of the map of the game; see `picker_data`."""
        return picker_data(self.session, self._read())

    def save_places(self, before: Mapping[str, Sequence[str]], after: Mapping[str, Pixel]) -> str:
        """Type the pixels of places, and return a sentence about it; arguments and errors as of `pixel_changes`.

        Raises:
            WorkbookError: The workbook cannot be written.
        """
        return self._write(lambda book: pixel_changes(book, before, after), count(len(after), "place"))

    def _write(self, planned: Callable[[OpenWorkbook], Changes], what: str) -> str:
        """Write the changes of the workbook as it is now, and return a sentence about what is saved."""
        try:
            return self._write_once(planned, what)
        except UnknownOutcome:
            raise
        except StaleWorkbook:  # somebody edited a cell between the reading and the writing
            return self._write_once(planned, what)

    def _write_once(self, planned: Callable[[OpenWorkbook], Changes], what: str) -> str:
        with self._lock:
            self.session.workbook.forget()
            remarks = list(repair(self.session))
            book = self._book = opened(self.session)
            self._sources.clear()
            receipts = book.receipts
            if held := hold(receipts, noted_heads(self.session, receipts.record_key, asks=True)):
                raise WorkbookUnavailable(f"Nothing is saved now. {held}")
            changes = planned(book).finish(None, receipts.season, known=receipts.head)
            if not changes:
                return "Saved already."
            noted = with_note(PendingTab.read(book.snapshot, map(type, book.forms)), changes, self.session.now())
            committed = self.session.workbook.commit(book.snapshot, noted)
            remarks += committed.remarks
            if committed.is_displaced:
                remarks += repair(self.session)
        return " ".join((f"Saved: {what}, in {self.session.workbook.name}.", *remarks))

    def _refuse_absent(self, book: OpenWorkbook, record: type) -> None:
        """Refuse to create a tab of flanks beside a renamed one, or in a season that has lost it (REQ-11).

        Raises:
            RefusedChange: The workbook has the tab under another title.
            NotSaved: The season had the tab, which is missing now.
        """
        tab = key_of(record)
        if book.snapshot.sheet(tab) is not None:
            return
        refuse_beside_renamed(self.session.workbook, book.snapshot, [record], [tab], "Nothing is saved")
        if tab.name in book.receipts.columns:
            raise NotSaved(
                f"Nothing is saved: the tab {tab} is gone. Bring it back, or accept that with run --accept-columns."
                " [REQ-11]"
            )

    def replay(self, request: str) -> str:
        """Return the replay page of a ruled battle.

        Raises:
            ExpectedError: The request is not ruled, or cannot be replayed.
        """
        book = self._read()
        receipts = book.receipts
        receipt = ruling_of(receipts, request)
        form = book.form_of(receipt)
        outcome = replay(receipt, form)
        ruling = Ruling(receipt, outcome, form, receipts.options, mark=mark_of(receipt, book.forms))
        return replay_html(ruling, is_luck_told=self.session.is_luck_told)

    def _read(self) -> OpenWorkbook:
        with self._lock:
            self.session.workbook.forget()  # the first ruling adds tabs
            self._book = opened(self.session)
            self._sources.clear()
            return self._book

    def _known(self, request: str, sides: Sides) -> tuple[OpenWorkbook, BoardSource]:
        """Return the last reading of the workbook, with the board of a request that is not ruled.

        Raises:
            BadDraft: The request is ruled, or the rows do not fit its board.
        """
        book = self._book or self._read()
        source = self._source(book, request)
        if source.is_ruled:
            raise BadDraft(f"{request} is ruled, so its flanks stay as they were.")
        _refuse_unfit(source.rows, tuple(source.board.sides), sides)
        return book, source

    def _source(self, book: OpenWorkbook, request: str) -> BoardSource:
        source = self._sources.get(request)
        if source is None:
            source = self._sources[request] = board_source(book.snapshot, book.forms, book.receipts, request)
        return source

    def _war(self, forms: Sequence[Any], snapshot: Snapshot, request: str, seed: int | None = None) -> ForecastWar:
        """Return a war to fight, under the seed of its forecast or, in a comparison, that of the other war.

        Raises:
            Rejected: Its rows have errors.
        """
        form, database, row = row_of(snapshot, forms, request)
        return from_row(form, database, row, seed)

    def _prepare(self, book: OpenWorkbook, request: str) -> None:
        """Switch to machine code for the battles; another process compiles it if this machine has none yet."""
        with suppress(Rejected):  # its flanks may have errors; then Python fights the first valid draft
            prepare(self._war(book.forms, book.snapshot, request))


def _refuse_unfit(declared: BoardRows, known: Sequence[str], sides: Sides) -> None:
    """Refuse rows of another side or of another length.

    Raises:
        BadDraft: The rows do not fit.
    """
    if unknown := [side for side in sides if side not in known]:
        raise BadDraft(f"There is no side {quoted(unknown[0])}; there are {' and '.join(known)}.")
    most = len(declared.columns)
    if any(not most <= len(row) <= most + bool(declared.army) for rows in sides.values() for row in rows):
        army = f", and of one of several armies its {declared.army}" if declared.army else ""
        raise BadDraft(f"A row has {most} cells: {', '.join(declared.columns)}{army}.")


def _as_data(problem: Problem, table: Table, flanks: Mapping[int, tuple[str, int]]) -> dict[str, Any]:
    """Return a problem as data, with side, flank and column if it concerns a row of the board."""
    side, place, column = None, None, ""
    if problem.cell.tab == table.title and problem.cell.row in flanks:
        side, place = flanks[problem.cell.row]
        column = next((name for name, at in table.places.items() if at == problem.cell.column), "")
    known = dict(columns(table.record))
    return {
        "side": side,
        "flank": place,
        "column": known[column].header if column else "",
        "text": str(problem),
        "is_error": problem.is_error,
    }


def _odds(battles: Replicates) -> dict[str, Any]:
    winners = summed_up(battles).winners
    assert winners is not None  # only battles have boards
    attacker, defender, undecided = (float(odds.share) for odds in winners.each)
    error = max(odds.error for odds in winners.each)
    return {"runs": len(battles), "attacker": attacker, "defender": defender, "undecided": undecided, "error": error}


def _change(before: Replicates, after: Replicates, side: str = "Attacker") -> dict[str, Any]:
    """Return the change of a side's chance to win, battle by battle under the same luck, and its error."""
    shifts = difference(before, after).winners
    assert shifts is not None
    shift = shifts.attacker if side == "Attacker" else shifts.defender
    share = np.nan_to_num((shift.change, shift.error)).tolist()
    return {"runs": len(after), "change": share[0], "error": share[1]}
