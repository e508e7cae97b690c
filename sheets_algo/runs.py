"""Passes until nothing is left to do: one pass writes no more to a spreadsheet than one request can hold."""

from __future__ import annotations

from dataclasses import replace

from sheets_algo import passes
from sheets_algo.doubts import Memory
from sheets_algo.keepsakes import Begins
from sheets_algo.passes import Passed
from sheets_algo.places import Place


def run(place: Place, *, dry: bool, forced: bool, begins: Begins) -> Passed:
    """As many passes as it takes, told as one.

    Args:
        place: Workbook and surroundings.
        dry: Plan only, all of it at once.
        forced: Write into protected tabs too.
        begins: Who watches.

    Raises:
        WorkbookError: As a single pass.
    """
    if dry:
        return passes.run(replace(place, most=None), dry=True, forced=forced, begins=begins)
    memory = Memory(known=None)
    done = passes.run(place, forced=forced, begins=begins, memory=memory)
    while done.is_partial:
        done = joined(done, passes.run(place, forced=forced, begins=begins, memory=memory))
    return done


def joined(first: Passed, second: Passed) -> Passed:
    """Two passes as one: each request as the second saw it, with the ruling that either made."""
    ruled = {answer.shown.request: answer for answer in first.plan.answers if answer.ruling}
    seen = {answer.shown.request for answer in second.plan.answers}
    gone = [answer for request, answer in ruled.items() if request not in seen]
    now = [answer if answer.ruling else ruled.get(answer.shown.request, answer) for answer in second.plan.answers]
    return Passed(
        plan=replace(
            second.plan,
            answers=(*gone, *now),
            failures=tuple(dict.fromkeys((*first.plan.failures, *second.plan.failures))),
        ),
        is_written=first.is_written or second.is_written,
        remarks=first.remarks + second.remarks,
        logs=first.logs + second.logs,
        pictures=first.pictures + second.pictures,
        unsaved=first.unsaved or second.unsaved,
        is_partial=second.is_partial,
    )
