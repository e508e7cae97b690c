"""A pass at the edge: read, plan, commit; tried again when the workbook changes in the meantime."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.outcome import Event, Listener
from sheets_algo import season
from sheets_algo.desk import Desk, Ear, pending, plan
from sheets_algo.doubts import Doubt, Memory
from sheets_algo.followups import MANY, use_machine_code
from sheets_algo.forecasts.how_lucky import LuckOf, how_lucky, untold
from sheets_algo.forms.base import Form
from sheets_algo.intents import Pending, noted
from sheets_algo.keepsakes import Begins, Logs, Pictures, unheard
from sheets_algo.places import Opened, Place, drop_unused_secret, opened
from sheets_algo.plans import Plan
from sheets_algo.seeds import Secret
from sheets_algo.workbook.base import Address, RefusedChange, StaleWorkbook, UnknownOutcome, WorkbookError

TRIES = 3
"""How often a pass is planned anew when people save in the meantime."""

CARRIED_OUT = "No answer came to the write, but it was carried out."
REPAIRS = 6
"""How often in a row cells are put right before people are asked to hold still."""

REPAIRED = "Rows were moved while the program wrote: {} cells were put right."
MOVED_AGAIN = (
    "rows were moved again and again while the program put cells right; leave them for a moment and run again."
)


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
    blocked: dict[Address, str] = {}
    tries = TRIES
    followed: list[str] = []
    while True:
        seen = opened(place)
        done = memory.carried_out(seen.receipts.receipts)
        if done:
            saved, unsaved = done.pictures.save(place, begins)
            return Passed(done.plan, True, (CARRIED_OUT,), done.logs.files, saved, unsaved, is_partial=True)
        logs = Logs(None if dry else place.folder / "logs", place.clock())
        with logs:
            secret = season.find(place.folder, seen.receipts.receipts.season)
            of = pending(seen.snapshot, seen.forms, seen.receipts.receipts)
            desk = _desk(place, seen, secret or season.make(), memory)
            desk = replace(desk, blocked=blocked, is_trial=dry, **_luck(place, seen, of))
            made = plan(seen.snapshot, desk, place.now(), _ear(logs, begins, of))
            # A watcher has time for forecasts, and for how lucky rulings were, between its passes.
            is_owing = bool(made.wanted or made.owed) and memory.known is None
            if is_owing and not made.rulings:
                memory.forecasts.work(made.wanted, math.inf, begins)
                followed += () if dry else memory.followups.work(place, made.owed, begins)
                desk = replace(desk, foretold=memory.forecasts.ready, last_lines=memory.followups.ready)
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
            if isinstance(error, UnknownOutcome) and changes.guard is not None:
                memory.doubts.append(Doubt(changes.guard, made, logs, pictures))
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
        if memory.repairs > REPAIRS:
            raise StaleWorkbook(f"{place.workbook.name}: {MOVED_AGAIN}")
        remarks = (*followed, *committed.remarks, *([REPAIRED.format(made.repaired)] if made.repaired else ()))
        saved, unsaved = pictures.save(place, begins)
        # Another pass repairs what was displaced.
        is_partial = made.is_partial or committed.is_displaced or (is_owing and bool(made.rulings))
        return Passed(made, True, remarks, logs.files, saved, unsaved, is_partial)


def repair(place: Place) -> tuple[str, ...]:
    """Put earlier writes right under which rows were moved, and close them.

    Returns:
        What was done, in sentences.

    Raises:
        WorkbookError: As `run`.
    """
    remarks: list[str] = []
    for _ in range(REPAIRS):
        seen = opened(place)
        found = Pending.read(seen.snapshot, map(type, seen.forms))
        changes = noted(found, found.repairs, place.now())
        if not changes:
            return tuple(remarks)
        try:
            place.workbook.commit(seen.snapshot, changes)
        except StaleWorkbook:
            continue
        if found.repairs:
            remarks.append(REPAIRED.format(len(found.repairs.cells) + len(found.repairs.rows)))
    raise StaleWorkbook(f"{place.workbook.name}: {MOVED_AGAIN}")


def _luck(place: Place, seen: Opened, of: int) -> dict[str, Any]:
    """When it is said how lucky a ruling was: of a file before it is saved, once; of a spreadsheet afterwards."""
    if seen.snapshot.revision:
        return {"luck_of": _luck_of(place, of)}
    return {"owes_luck": place.is_luck_told}


def _desk(place: Place, seen: Opened, secret: Secret, memory: Memory) -> Desk:
    return Desk(
        forms=seen.forms,
        fingerprints={form.ruleset_key: place.library.fingerprint(form.ruleset_key) for form in seen.forms},
        secret=secret,
        log_lines_most=place.log_lines_most,
        known=memory.known,
        shown=memory.shown,
        most=place.most,
        foretold=memory.forecasts.ready,
        last_lines=memory.followups.ready,
    )


def _luck_of(place: Place, of: int) -> LuckOf:
    """Who says how lucky so many rulings were: of many, machine code if this machine has it already."""
    if not place.is_luck_told or of < MANY:
        return how_lucky if place.is_luck_told else untold
    hastened: set[str] = set()

    def hasty(form: Form[Any], inputs: Any, seed: int, tell: Listener) -> tuple[Event, ...]:
        use_machine_code(form, inputs, hastened)
        return how_lucky(form, inputs, seed, tell)

    return hasty


def _ear(logs: Logs, begins: Begins, of: int) -> Ear:
    def listen(form: Form[Any], request: str) -> Listener:
        begins("Ruling", request, of)
        return logs.of(form, request)

    return listen
