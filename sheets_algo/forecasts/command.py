"""The command `forecast`: odds of requests, what a change makes of them, how lucky a ruling was."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sheets_algo.book import Book
from sheets_algo.forecasts.asked import Asked, WhatIf, of_receipt, of_row, ready_rows
from sheets_algo.forecasts.bar import Bar
from sheets_algo.forecasts.edits import BadEdit, edit_of, sweep_of
from sheets_algo.forecasts.haste import refine_in_haste
from sheets_algo.forecasts.refining import Budget, Fought, Heard
from sheets_algo.forecasts.telling import (
    Answer,
    Case,
    comparison_told,
    odds_told,
    sensitivity_told,
    shown_number,
    sweep_told,
    title,
)
from sheets_algo.lookup import NotFound, row_of
from sheets_algo.places import Opened
from sheets_algo.problems import Problem, Rejected
from sheets_algo.reports import STOPPED, Report, as_data, told

LOST = 3
"""Exit code when the cluster answers no longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked besides the odds.

    Args:
        edits: Cells that shall be otherwise, as typed.
        sweep: One number over a range, as typed; blank for none.
        is_sensitivity: Which inputs matter most.
        seed: Of the battles; None for the request's own.
        csv: File for every battle.
        plot: File for a picture.
        cluster: Address of a Dask scheduler whose workers fight the battles; None for this machine.
    """

    edits: tuple[str, ...] = ()
    sweep: str = ""
    is_sensitivity: bool = False
    seed: int | None = None
    csv: Path | None = None
    plot: Path | None = None
    cluster: str | None = None

    @property
    def needs_one(self) -> str:
        """The option that makes sense for one request alone; blank for none."""
        given = {"--set": self.edits, "--sweep": self.sweep, "--sensitivity": self.is_sensitivity, "--plot": self.plot}
        return next((name for name, value in given.items() if value), "")


@dataclass(frozen=True, slots=True)
class Told:
    """An answer.

    Args:
        cases: What was compared.
        fought: Their battles, in the same order.
        lines: For people.
        data: For programs.
    """

    cases: Sequence[Case]
    fought: Fought
    lines: Sequence[str]
    data: dict[str, Any]


Refine = Callable[[Sequence[Asked], Budget, Heard], Fought]
"""Fights some wars side by side."""


def forecast(seen: Opened, requests: Sequence[str], question: Question, budget: Budget) -> Report:
    """The odds of some requests, or of all that are ready.

    Args:
        seen: The workbook.
        requests: Ids; none for all that are ready and not ruled.
        question: What is asked besides.
        budget: Of each request.

    Raises:
        BadEdit: What is asked cannot be answered.
        Lost: There is no such cluster.
        NotFound: There is no such request, or a file cannot be written.
    """
    _see_that_it_can_be_kept(question)
    wars, problems = _asked(seen, dict.fromkeys(requests), question.seed)
    if question.needs_one and len(wars) + bool(problems) != 1:
        raise BadEdit(f"{question.needs_one} needs one request; name it behind the workbook.")
    answers: list[Told] = []
    lines = [str(problem) for problem in problems]
    asides: list[str] = []
    code = 1 if problems else 0
    with _refiner(question) if wars else nullcontext(refine_in_haste) as refine:
        for war in wars:
            answer = _answer(seen, war, question, budget, refine)
            lines += [*([""] if lines else []), *answer.lines]
            answers.append(answer)
            if answer.fought.end == "stopped":
                code = STOPPED
                break
            if answer.fought.end == "lost":
                asides, code = [f"sheets-algo: {answer.fought.why}"], LOST
                break
    if not wars and not problems:
        lines.append("No request is ready. Name one: it is forecast whether it is ready or not.")
    data = {"forecasts": [it.data for it in answers], "problems": [as_data(problem) for problem in problems]}
    try:
        asides[:0] = _kept(question, answers)
    except OSError as error:
        file = error.filename or question.csv or question.plot
        asides.insert(0, f"sheets-algo: {file} cannot be written ({error.strerror or error}).")
        code = code or 1
    return Report(data, lines, code, asides)


def _refiner(question: Question) -> AbstractContextManager[Refine]:
    """Who fights the battles: this machine or a cluster."""
    if question.cluster is None:
        return nullcontext(refine_in_haste)
    from sheets_algo.forecasts.cluster import refining_on

    return refining_on(question.cluster)


def _asked(seen: Opened, requests: Collection[str], seed: int | None) -> tuple[list[Asked], list[Problem]]:
    """What is to be forecast, and what keeps the rest from it."""
    wars: list[Asked] = []
    problems: dict[Problem, None] = {}
    for form, book, row in _rows(seen, requests, wars, seed):
        try:
            wars.append(of_row(form, book, row, seed))
        except Rejected as rejection:
            problems |= dict.fromkeys(rejection.problems)
    return wars, list(problems)


def _rows(
    seen: Opened, requests: Collection[str], wars: list[Asked], seed: int | None
) -> Iterator[tuple[Any, Book, Any]]:
    """The rows that are meant; rulings are put among the wars at once."""
    for request in requests:
        receipt = seen.receipts.receipts.ruling_of(request)
        form = seen.form(receipt.ruleset) if receipt else None
        if receipt and form:
            wars.append(of_receipt(receipt, form, seed))
        else:
            yield row_of(seen.snapshot, seen.forms, request)
    for form in () if requests else seen.forms:
        book = Book(seen.snapshot, form.records(), form.vocabulary)
        ruled = (receipt.request for receipt in seen.receipts.receipts.of_kind("Ruling"))
        for row in ready_rows(form, book, ruled):
            yield form, book, row


def _answer(seen: Opened, war: Asked, question: Question, budget: Budget, refine: Refine) -> Told:
    """Fight one request's wars and tell what came of them."""
    if question.is_sensitivity:
        return _fight(list(_moved(seen, war, question)), budget, refine, sensitivity_told)
    if question.sweep:
        return _fight(list(_swept(seen, war, question)), budget, refine, sweep_told)
    if question.edits:
        changed = Case(", ".join(question.edits), _changed(seen, war, question.edits))
        return _fight([Case("", war), changed], budget, refine, comparison_told)
    return _fight([Case("", war)], budget, refine, odds_told)


def _fight(cases: list[Case], budget: Budget, refine: Refine, tell: Callable[[Sequence[Case], Fought], Answer]) -> Told:
    war = cases[0].war
    with Bar(war.request or war.war) as bar:
        fought = refine([case.war for case in cases], budget, bar.moves)
    data = {"request": war.request, "war": war.war, "ruleset": war.form.key, "seed": str(war.seed), "ended": fought.end}
    if not fought.runs:
        return Told(cases, fought, [f"{title(war)}: stopped before the first battle."], data)
    lines, more = tell(cases, fought)
    return Told(cases, fought, lines, data | more)


def _what_if(seen: Opened, war: Asked) -> WhatIf:
    return WhatIf(seen.snapshot, war.form, war)


def _changed(seen: Opened, war: Asked, typed: Sequence[str]) -> Asked:
    what_if = _what_if(seen, war)
    edits = [edit_of(it, war.form, what_if.book, war.request) for it in typed]
    names = [edit.name for edit in edits]
    for name in names:
        if names.count(name) > 1:
            raise BadEdit(f"{name} is set twice; once is enough.")
    return what_if.having(", ".join(typed), edits)


def _swept(seen: Opened, war: Asked, question: Question) -> Iterator[Case]:
    what_if = _what_if(seen, war)
    fixed = [edit_of(it, war.form, what_if.book, war.request) for it in question.edits]
    sweep = sweep_of(question.sweep, war.form, what_if.book, war.request)
    for value in sweep.values:
        edit = replace(sweep.edit, value=int(value) if value.is_integer() else value)
        label = f"{edit.name}={told(edit.value)}"
        yield Case(label, what_if.having(label, [*fixed, edit]), value)


def _moved(seen: Opened, war: Asked, question: Question) -> Iterator[Case]:
    if question.edits or question.sweep:
        raise BadEdit("--sensitivity goes without --set and --sweep.")
    yield Case("", war)
    for edit, now, moved in _what_if(seen, war).levers():
        yield Case(f"{edit.name} {shown_number(now)} → {shown_number(edit.value)}", moved)


def _see_that_it_can_be_kept(question: Question) -> None:
    """Before battles are fought that nobody would see."""
    for file in filter(None, (question.csv, question.plot)):
        if not file.parent.is_dir():
            raise NotFound(f"{file} cannot be written (there is no folder {file.parent}).")
    if question.plot:
        from sheets_algo.forecasts.plots import matplotlib_figure

        matplotlib_figure()


def _kept(question: Question, answers: Sequence[Told]) -> Iterator[str]:
    """Write the files that were asked for; what was written.

    Raises:
        OSError: One cannot be written.
    """
    known = [it for it in answers if it.fought.runs]
    if question.csv and known:
        from sheets_algo.forecasts.battles import write_battles

        write_battles(question.csv, [(it.cases, it.fought.wars) for it in known])
        yield f"battles  {question.csv}"
    if question.plot and known:
        from sheets_algo.forecasts.plots import write_plot

        write_plot(question.plot, known[0].cases, known[0].fought.wars)
        yield f"picture  {question.plot}"
