"""A pass at the edge: read, plan, commit; tried again when the workbook changes in the meantime."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.outcome import Event, Listener
from sheets_algo import season
from sheets_algo.desk import Desk, Ear, pending, plan
from sheets_algo.doubts import Doubt, Memory, put_right, put_right_at_once
from sheets_algo.forecasts.how_lucky import LuckOf, how_lucky, untold
from sheets_algo.forms.base import Form
from sheets_algo.keepsakes import Begins, Logs, Pictures, unheard
from sheets_algo.places import Opened, Place, drop_unused_secret, opened
from sheets_algo.plans import Plan
from sheets_algo.seeds import Secret
from sheets_algo.workbook.base import Address, RefusedChange, StaleWorkbook, UnknownOutcome, WorkbookError

TRIES = 3
"""How often a pass is planned anew when people save in the meantime."""

MANY = 5
"""Rulings of a pass from which machine code saves more time than it takes to load."""

CARRIED_OUT = "No answer came to the write, but it was carried out."


@dataclass(frozen=True, slots=True)
class Passed:
    """What a pass did.

    Args:
        plan: What it found and planned.
        is_written: Whether anything was committed.
        remarks: Of the commit.
        logs: One file a ruling.
        pictures: Files drawn.
        unsaved: Why pictures are missing, in a sentence; blank when none is.
        is_partial: There is more to do at once.
    """

    plan: Plan
    is_written: bool
    remarks: tuple[str, ...] = ()
    logs: tuple[Path, ...] = ()
    pictures: tuple[Path, ...] = ()
    unsaved: str = ""
    is_partial: bool = False


def run(
    place: Place,
    *,
    dry: bool = False,
    forced: bool = False,
    begins: Begins = unheard,
    memory: Memory | None = None,
) -> Passed:
    """One pass.

    Args:
        place: Workbook and surroundings.
        dry: Plan only; nothing is written anywhere.
        forced: Write into protected tabs too.
        begins: Who watches.
        memory: A watcher's of this workbook; it is brought up to date.

    Raises:
        WorkbookError: As `opened`, or the workbook cannot be written.
        StaleWorkbook: It changed under every try.
        UnknownOutcome: No answer came to any try.
    """
    memory = memory or Memory(known=None)
    put_right(place, memory)
    blocked: dict[Address, str] = {}
    tries = TRIES
    while True:
        seen = opened(place)
        done = memory.carried_out(seen.snapshot, seen.receipts.receipts)
        if done:
            return _told_late(place, done, memory, begins)
        logs = Logs(None if dry else place.folder / "logs", place.clock())
        with logs:
            secret = season.find(place.folder, seen.receipts.receipts.season)
            of = pending(seen.snapshot, seen.forms, seen.receipts.receipts)
            desk = replace(_desk(place, seen, secret or season.make(), memory, of), blocked=blocked)
            made = plan(seen.snapshot, desk, place.now(), _ear(logs, begins, of))
            is_owing = bool(made.wanted) and memory.known is None  # a watcher has time for forecasts between its passes
            if is_owing and not made.rulings:
                memory.forecasts.work(made.wanted, math.inf, begins)
                desk = replace(desk, foretold=memory.forecasts.ready)
                made = plan(seen.snapshot, desk, place.now())
            logs.forget(it.shown.request for it in made.answers if it.shown.status == "Invalid")
            if dry or not made.changes:
                memory.saw(made)
                return Passed(made, False)
            if made.rulings and secret is None:
                season.keep(place.folder, desk.secret)
            pictures = Pictures(made.rulings)
            changes = replace(made.changes, forced=forced)
            if not made.left:  # else the next pass places a later one
                changes = pictures.placed(changes, seen.snapshot)
        try:
            committed = place.workbook.commit(seen.snapshot, changes)
        except WorkbookError as error:  # whatever else stops a commit, Ctrl+C say, may come too late to stop it
            if isinstance(error, UnknownOutcome):
                memory.doubts.append(Doubt(seen.snapshot, changes, made, logs, pictures))
            else:
                logs.discard()
                if made.rulings and secret is None:
                    drop_unused_secret(place, desk.secret, error)
            if isinstance(error, RefusedChange) and error.obstacles.keys() - blocked.keys():
                blocked |= error.obstacles  # one cell shall not keep the season's other wars from being ruled
                continue
            tries -= 1
            if not isinstance(error, StaleWorkbook) or not tries:
                raise
            continue
        memory.saw(made)
        memory.overtake(changes.guard)
        remarks = committed.remarks
        if committed.is_displaced:
            remarks += put_right_at_once(place, memory, seen.snapshot, changes)
        saved, unsaved = pictures.save(place, begins)
        is_partial = made.is_partial or (is_owing and bool(made.rulings))
        return Passed(made, True, remarks, logs.files, saved, unsaved, is_partial)


def _told_late(place: Place, done: Doubt, memory: Memory, begins: Begins) -> Passed:
    """What a commit did to which no answer came; that may have been displaced too."""
    remarks = put_right_at_once(place, memory, done.snapshot, done.changes)
    saved, unsaved = done.pictures.save(place, begins)
    return Passed(done.plan, True, (CARRIED_OUT, *remarks), done.logs.files, saved, unsaved, is_partial=True)


def _desk(place: Place, seen: Opened, secret: Secret, memory: Memory, of: int) -> Desk:
    return Desk(
        forms=seen.forms,
        fingerprints={form.ruleset_key: place.library.fingerprint(form.ruleset_key) for form in seen.forms},
        secret=secret,
        log_lines_most=place.log_lines_most,
        luck_of=_luck_of(place, of),
        known=memory.known,
        most=place.most,
        foretold=memory.forecasts.ready,
    )


def _luck_of(place: Place, of: int) -> LuckOf:
    """Who says how lucky so many rulings were: of many, machine code if this machine has it already."""
    if not place.is_luck_told or of < MANY:
        return how_lucky if place.is_luck_told else untold
    from sheets_algo.forecasts.haste import use_what_is_kept  # imports much, for few

    hastened: set[str] = set()

    def hasty(form: Form[Any], inputs: Any, seed: int, tell: Listener) -> tuple[Event, ...]:
        if form.key not in hastened:
            hastened.add(form.key)
            use_what_is_kept(form.ruleset, inputs)
        return how_lucky(form, inputs, seed, tell)

    return hasty


def _ear(logs: Logs, begins: Begins, of: int) -> Ear:
    def listen(form: Form[Any], request: str) -> Listener:
        begins("Ruling", request, of)
        return logs.of(form, request)

    return listen
