"""The command `forecast`: odds of requests, effects of changes, and how lucky a ruling was."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sheets_algo.commands.opening import new_session
from sheets_algo.commands.report import STOPPED, Report, problem_data
from sheets_algo.database.problems import Problem, Rejected, problem_lines, value_text
from sheets_algo.database.records import Database
from sheets_algo.forecasts.compiled import refine_compiled
from sheets_algo.forecasts.progress import Bar
from sheets_algo.forecasts.questions import ForecastWar, WhatIf, from_receipt, from_row, ready_rows
from sheets_algo.forecasts.report import (
    Answer,
    ForecastCase,
    comparison_answer,
    odds_answer,
    sensitivity_answer,
    sweep_answer,
    title,
    typed_number_text,
)
from sheets_algo.forecasts.sampling import SampleBudget, SampleProgress, SampleResult
from sheets_algo.forecasts.what_if import parse_sweep
from sheets_algo.forms.edits import BadEdit, parse_edit
from sheets_algo.ruling.receipts.lookup import NotFound, row_of
from sheets_algo.runtime.session.session import OpenWorkbook, opened

LOST = 3
"""Exit code when the connection to the cluster is lost."""


def forecast(*, requests: Sequence[str], verbose: bool, **options: Any) -> Report:
    """Report the odds of requests."""
    from sheets_algo.forecasts.sampling import sample_budget

    question = Question(**{name: options.pop(name) for name in Question.__dataclass_fields__})
    limits = {name: options.pop(name) for name in ("runs", "error", "seconds", "threads")}
    return odds(opened(new_session(**options), with_details=True), requests, question, sample_budget(**limits))


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Options of a forecast beside its budget."""

    edits: tuple[str, ...] = ()  # The changed cells, as typed
    sweep: str = ""  # A number over a range, as typed; blank for none
    is_sensitivity: bool = False  # True to rank the inputs by their effect
    seed: int | None = None  # The seed of the battles; None for the request's own
    csv: Path | None = None  # The file for every battle
    plot: Path | None = None  # The file for a picture
    cluster: str | None = None  # The address of a Dask scheduler whose workers fight the battles; None for this machine

    @property
    def needs_one(self) -> str:
        """Return the option that requires a single request; blank for none."""
        given = {"--set": self.edits, "--sweep": self.sweep, "--sensitivity": self.is_sensitivity, "--plot": self.plot}
        return next((name for name, value in given.items() if value), "")


@dataclass(frozen=True, slots=True)
class ForecastOutput:
    """Forecast of one request."""

    cases: Sequence[ForecastCase]  # The wars that were compared
    fought: SampleResult  # Their battles, in the same order
    lines: Sequence[str]  # The lines for people
    data: dict[str, Any]  # The data for programs


Refine = Callable[[Sequence[ForecastWar], SampleBudget, SampleProgress], SampleResult]
"""Function that fights some wars side by side."""


def odds(book: OpenWorkbook, requests: Sequence[str], question: Question, budget: SampleBudget) -> Report:
    """Report the odds of some requests, or of all that are ready.

    Args:
        requests: The ids of requests; empty for all that are ready and not ruled.

    Raises:
        BadEdit: The options cannot be applied.
        WorkerLost: There is no such cluster.
        NotFound: There is no such request, or a file cannot be written.
    """
    _check_output_files(question)
    wars, problems = _selected_wars(book, dict.fromkeys(requests), question.seed)
    if question.needs_one and len(wars) + bool(problems) != 1:
        raise BadEdit(f"{question.needs_one} needs one request; name it after the workbook.")
    answers: list[ForecastOutput] = []
    lines = [*problem_lines(problems)]
    asides: list[str] = []
    code = 1 if problems else 0
    with _refiner(question) if wars else nullcontext(refine_compiled) as refine:
        for war in wars:
            answer = _answer(book, war, question, budget, refine)
            lines += [*([""] if lines else []), *answer.lines, *war.decisions]
            answer.data.update({"decisions": war.decisions} if war.decisions else {})
            answers.append(answer)
            if answer.fought.end == "stopped":
                code = STOPPED
                break
            if answer.fought.end == "lost":
                asides, code = [f"sheets-algo: {answer.fought.why}"], LOST
                break
    if not wars and not problems:
        lines.append("No request is ready. Name one; it need not be ready.")
    data = {"forecasts": [answer.data for answer in answers], "problems": [*map(problem_data, problems)]}
    try:
        asides[:0] = _write_files(question, answers)
    except OSError as error:
        file = error.filename or question.csv or question.plot
        asides.insert(0, f"sheets-algo: {file} cannot be written ({error.strerror or error}).")
        code = code or 1
    return Report(data, lines, code, asides)


def _refiner(question: Question) -> AbstractContextManager[Refine]:
    """Return the refiner of forecasts: this machine or a cluster."""
    if question.cluster is None:
        return nullcontext(refine_compiled)
    from sheets_algo.forecasts.cluster import cluster_refiner

    return cluster_refiner(question.cluster)


def _selected_wars(
    book: OpenWorkbook, requests: Collection[str], seed: int | None
) -> tuple[list[ForecastWar], list[Problem]]:
    """Return the wars to forecast, and the problems that prevent the others."""
    wars: list[ForecastWar] = []
    problems: dict[Problem, None] = {}
    for form, database, row in _selected_rows(book, requests, wars, seed):
        try:
            wars.append(from_row(form, database, row, seed, book.overrides))
        except Rejected as rejection:
            problems |= dict.fromkeys(rejection.problems)
    return wars, list(problems)


def _selected_rows(
    book: OpenWorkbook, requests: Collection[str], wars: list[ForecastWar], seed: int | None
) -> Iterator[tuple[Any, Database, Any]]:
    """Yield the selected unruled rows; add ruled wars to `wars`."""
    for request in requests:
        receipt = book.receipts.ruling_of(request)
        form = book.form(receipt.ruleset) if receipt else None
        if receipt and form:
            wars.append(from_receipt(receipt, form, seed))
        else:
            yield row_of(book.snapshot, book.forms, request)
    for form in () if requests else book.forms:
        database = Database(book.snapshot, form.records(), form.vocabulary)
        ruled = (receipt.request for receipt in book.receipts.rulings)
        for row in ready_rows(form, database, ruled):
            yield form, database, row


def _answer(
    book: OpenWorkbook, war: ForecastWar, question: Question, budget: SampleBudget, refine: Refine
) -> ForecastOutput:
    """Fight the wars of one request and return its forecast."""
    summarize: Callable[[Sequence[ForecastCase], SampleResult], Answer] = odds_answer
    cases = [ForecastCase("", war)]
    if question.is_sensitivity:
        cases, summarize = [*_sensitivity_cases(book, war, question)], sensitivity_answer
    elif question.sweep:
        cases, summarize = [*_sweep_cases(book, war, question)], sweep_answer
    elif question.edits:
        edited = _edited_war(book, war, question.edits)
        cases, summarize = [*cases, ForecastCase(", ".join(question.edits), edited)], comparison_answer
    war = cases[0].war
    with Bar(war.request or war.war) as bar:
        fought = refine([case.war for case in cases], budget, bar.update)
    data = {"request": war.request, "war": war.war, "ruleset": war.form.key, "seed": str(war.seed), "ended": fought.end}
    if not fought.runs:
        return ForecastOutput(cases, fought, [f"{title(war)}: stopped before the first battle."], data)
    lines, more = summarize(cases, fought)
    return ForecastOutput(cases, fought, lines, data | more)


def _edited_war(book: OpenWorkbook, war: ForecastWar, typed: Sequence[str]) -> ForecastWar:
    what_if = WhatIf(book.snapshot, war)
    edits = [parse_edit(cell, war.form, what_if.book, war.request) for cell in typed]
    names = [edit.name for edit in edits]
    for name in names:
        if names.count(name) > 1:
            raise BadEdit(f"{name} is set twice; set it once.")
    return what_if.with_edits(", ".join(typed), edits)


def _sweep_cases(book: OpenWorkbook, war: ForecastWar, question: Question) -> Iterator[ForecastCase]:
    what_if = WhatIf(book.snapshot, war)
    fixed = [parse_edit(cell, war.form, what_if.book, war.request) for cell in question.edits]
    sweep = parse_sweep(question.sweep, war.form, what_if.book, war.request)
    for value in sweep.values:
        edit = replace(sweep.edit, value=int(value) if value.is_integer() else value)
        label = f"{edit.name}={value_text(edit.value)}"
        yield ForecastCase(label, what_if.with_edits(label, [*fixed, edit]), value)


def _sensitivity_cases(book: OpenWorkbook, war: ForecastWar, question: Question) -> Iterator[ForecastCase]:
    if question.edits or question.sweep:
        raise BadEdit("Use --sensitivity without --set and --sweep.")
    yield ForecastCase("", war)
    for edit, now, moved in WhatIf(book.snapshot, war).levers():
        yield ForecastCase(f"{edit.name} {typed_number_text(now)} → {typed_number_text(edit.value)}", moved)


def _check_output_files(question: Question) -> None:
    """Check that the files can be written before battles are fought in vain."""
    for file in filter(None, (question.csv, question.plot)):
        if not file.parent.is_dir():
            raise NotFound(f"{file} cannot be written (there is no folder {file.parent}).")
    if question.plot:
        from sheets_algo.forecasts.plots import matplotlib_figure

        matplotlib_figure()


def _write_files(question: Question, answers: Sequence[ForecastOutput]) -> Iterator[str]:
    """Write the requested files and yield a line for each.

    Raises:
        OSError: A file cannot be written.
    """
    complete = [answer for answer in answers if answer.fought.runs]
    if question.csv and complete:
        from sheets_algo.forecasts.frames import write_battles

        write_battles(question.csv, [(answer.cases, answer.fought.wars) for answer in complete])
        yield f"battles  {question.csv}"
    if question.plot and complete:
        from sheets_algo.forecasts.plots import write_plot

        write_plot(question.plot, complete[0].cases, complete[0].fought.wars, is_ranking=question.is_sensitivity)
        yield f"picture  {question.plot}"
