"""Rehearsal of a pass: `check` predicts what `run` does (FC-31).

A rehearsal is a pass that writes nothing and takes the probable outcomes of wars for their rulings. Besides the answers
of every pass it finds problems of rows that are not ready, and of cells that no request reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from engine.columns import column
from sheets_algo.database.fields import field_of
from sheets_algo.database.problems import (
    PROBLEMS_COUNTED,
    CellRef,
    Problem,
    Rejected,
    Severity,
    amount,
    quoted,
    shorten_list,
    value_text,
)
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form
from sheets_algo.forms.request_columns import request_id
from sheets_algo.ruling.passes.evidence import lost_rows
from sheets_algo.ruling.passes.ruler import misread
from sheets_algo.ruling.plan import Answer, Foreseen, Plan
from sheets_algo.ruling.receipts.receipts import Change
from sheets_algo.ruling.request_tab import RequestTab
from sheets_algo.ruling.requests.decisions import freeze
from sheets_algo.ruling.requests.program_cells import edit_problems
from sheets_algo.ruling.requests.row_states import RowKind
from sheets_algo.ruling.step import PassState

NAMED = 2
"""Maximum number of rulings, and of their changed cells, that a sentence names."""
PEOPLE = "people"
"""Unit of columns whose numbers a war reduces."""
LAPSES = "It lapses with its turn, unless that changes"


@dataclass(frozen=True, slots=True)
class FirstReading:
    """A request as read before all rulings."""

    problems: tuple[Problem, ...]
    foreseen: Foreseen | None = None  # The content; None if there are errors
    is_copy: bool = False  # True if it is a copy, which gets its own id in the next pass


Readings = Mapping[tuple[str, int], FirstReading]
"""The requests that are not ruled, by key of the form and number of the row."""


def first_readings(state: PassState, tabs: Sequence[RequestTab]) -> Readings | None:
    """Read all requests of a ruleset that are not ruled, and note the problems of its tabs.

    None after too many problems: then nothing is ruled, and the problems so far are noted.
    """
    of_tabs = dict.fromkeys((*state.problems, *edit_problems(state.edits)))
    readings: dict[tuple[str, int], FirstReading] = {}
    of_rows: dict[Problem, None] = {}
    for tab in tabs:
        for problem in _tab_problems(tab) if state.context.foresight and state.context.foresight.is_first else ():
            of_tabs[problem] = None
            if len(of_tabs) > PROBLEMS_COUNTED:
                break
        for row in tab.table:
            if len(of_tabs) + len(of_rows) > PROBLEMS_COUNTED:
                break
            if reading := _first_reading(state, tab, row):
                readings[tab.form.key, row.number] = reading
                of_rows |= dict.fromkeys(reading.problems)
    has_too_many = len(of_tabs) + len(of_rows) > PROBLEMS_COUNTED
    state.problems[:] = of_tabs | of_rows if has_too_many else of_tabs
    return None if has_too_many else readings


def workbook_problems(state: PassState) -> Iterator[Problem]:
    """Yield the problems of the whole workbook that no pass reports."""
    yield from state.contents.pending.all_problems
    yield from lost_rows(state.contents.tables, state.receipts)
    yield from state.contents.other_rules.values()


def _tab_problems(tab: RequestTab) -> Iterator[Problem]:
    """Yield the problems of the tabs of a form, also of rows that no request reads."""
    yield from tab.table.header_problems
    yield from _unshown(tab.table)
    for record in (tab.form.request, *tab.form.parts):
        yield from tab.database.table(record).further_header_problems
    yield from tab.form.check(tab.database)


def _unshown(table: Table) -> Iterator[Problem]:
    """Yield a note if a request tab lacks some of the program's columns."""
    programs = [(attribute, column.header) for attribute, column in table.columns if column.place.is_programs]
    lacks = {attribute: header for attribute, header in programs if attribute not in table.places}
    if table.header_row and 0 < len(lacks) < len(programs):
        renamed = [table.own_headers[number] for attribute in lacks if (number := table.renamed(attribute))]
        names = ", ".join(map(quoted, lacks.values()))
        says = f"there is no column {names}, so rows do not show what the program writes there"
        allowed = f"Nothing, if that is meant; else add it{f', or rename {quoted(renamed[0])}' if renamed else ''}"
        cell = CellRef(table.title, table.header_row)
        yield Problem(cell=cell, says=says, allowed=allowed, id="DB-03", severity=Severity.NOTE)


def _first_reading(state: PassState, tab: RequestTab, row: Row) -> FirstReading | None:
    """Read a request, and the decisions about it; None if it is ruled."""
    row_state = tab.states.of(row)
    if row_state.kind is RowKind.COPY:
        return FirstReading(() if row_state.has_no_id else (row_state.notice,), is_copy=True)
    if state.receipts.is_settled(request_id(row)):
        return None
    id, foreseen = request_id(row), None
    decisions, wrong = state.contents.overrides.pending(id)
    try:
        content = tab.form.read(row, tab.database)
        rejected = Rejected(content.warnings, content.dead_leaders)
        if decisions:
            _, decided = freeze(tab.form, state.contents.snapshot, tab.database, row, id, decisions)
            content = decided or content
        rows = tuple(each.decision for each in decisions)
        foreseen = Foreseen(form=tab.form, row=row, request=id, content=content, decisions=rows)
    except Rejected as rejection:
        rejected = rejection
    problems = (*(misread(state, id, rejected) if tab.is_order(row) else rejected.problems), *wrong)
    return FirstReading(problems, None if any(problem.is_error for problem in problems) else foreseen)


def rehearsed(state: PassState, tab: RequestTab, answer: Answer, reading: FirstReading | None) -> Answer:
    """Return the answer to a request with all its problems, and the inputs of its forecast.

    Args:
        reading: The request before anything was ruled; None if an earlier pass has ruled it.
    """
    if answer.is_changed:  # its errors are those after the change
        reading = _first_reading(state, tab, answer.cells.row)
    if reading is None:
        return answer
    if reading.is_copy:
        return replace(answer, problems=answer.problems or reading.problems)
    foreseen = answer.foreseen or (None if answer.is_unruled else reading.foreseen)
    if answer.ruling and foreseen and reading.foreseen and is_war(foreseen):
        foreseen = replace(foreseen, after=partial(_after, state, tab, reading.foreseen, answer))
    problems: Iterable[Problem] = _problems(state, tab, answer, reading)
    for step in state.steps:
        problems = step.rehearse(state, tab, answer, tuple(problems))
    problems = tuple(dict.fromkeys(problems))
    return replace(answer, problems=problems, foreseen=foreseen)


def _problems(state: PassState, tab: RequestTab, answer: Answer, reading: FirstReading) -> Iterator[Problem]:
    """Yield the problems of a request, and those that the rulings above cause."""
    status = answer.cells.status
    is_read = not status or answer.is_misread
    yield from (problem for problem in reading.problems if is_read or not problem.is_error)
    known = {(problem.cell, problem.id) for problem in reading.problems}
    texts = {problem.says for problem in reading.problems}
    later = list[Problem]()
    for problem in answer.problems:
        is_sure = bool(problem.cause and problem.cause.is_used_up) or problem.says in texts
        if answer.lapses or status == "Lapsed":
            if (problem.cause and is_sure) or problem.id == "REQ-10":
                later.append(replace(problem, allowed=problem.allowed or LAPSES))
        elif problem.is_error and (is_sure or not answer.is_misread or (problem.cell, problem.id) in known):
            later.append(problem)
        elif problem.is_error and reading.foreseen and is_war(reading.foreseen):
            later.append(_probable(state, tab, answer, reading.foreseen, problem))
    yield from later
    if status == "Failed" and not later and not state.contents.held and tab.is_order(answer.cells.row):
        text = answer.cells.message.partition("\n")[0].rstrip(".")
        yield answer.cells.row.problem("ready", "FC-31", text)


def _probable(state: PassState, tab: RequestTab, answer: Answer, first: Foreseen, problem: Problem) -> Problem:
    """Return the warning of a probable refusal of a war, because of rulings above it."""
    after = after_text(_after(state, tab, first, answer, problem))
    says = f"{after}, {answer.cells.request} is {state.likelihood} refused: {problem.says}"
    return replace(problem, says=says, severity=Severity.WARNING, cause=None)


def after_text(after: Mapping[str, str]) -> str:
    """Return `after W-0001, in which City Guard probably loses 9,000 of 9,000`."""
    rulings = [f"{request}, in which {what}" for request, what in after.items()]
    return f"after {', and '.join(shorten_list(rulings, NAMED, '{:,} more')) or 'the requests above'}"


def is_war(foreseen: Foreseen) -> bool:
    """Return True if the forecast of a request has sides, so that a rehearsal has a typical outcome."""
    return any(foreseen.form.ruleset.sides(foreseen.content.inputs))


def _after(
    state: PassState, tab: RequestTab, first: Foreseen, answer: Answer, problem: Problem | None = None
) -> Mapping[str, str]:
    """Return the requests above whose rulings change a request's inputs, each with its changes, a clause.

    Only the most important changes are named: subjects of problems, then losses.
    """
    form, inputs = tab.form, first.content.inputs
    effects: list[tuple[int, str, str]] = []
    for receipt in state.log.new.values():
        if answer.ruling and receipt.seq >= answer.ruling.receipt.seq:
            break
        read = [change for change in receipt.changes if _is_read(form, inputs, change)]
        effects += ((*_effect(state, tab, inputs, change, problem), receipt.request) for change in read)
        inputs = form.after(inputs, {change.cell: change.after for change in read})
    texts: dict[str, list[str]] = {}
    for _, text, request in (effect for effect in effects if effect[0] == min(effects)[0]):
        texts.setdefault(request, []).append(text)
    return {request: " and ".join(clauses[:NAMED]) for request, clauses in texts.items()}


def _is_read(form: Form[Any], inputs: Any, change: Change) -> bool:
    """Return True if a request reads a cell that a ruling has changed, or names a leader whom it killed."""
    try:
        return change.cell in form.leaders(inputs) or form.after(inputs, {change.cell: change.after}) != inputs
    except ValueError:  # a value that the column refuses
        return False


def _effect(state: PassState, tab: RequestTab, inputs: Any, change: Change, problem: Problem | None) -> tuple[int, str]:
    """Return the rank of a change, 0 for the most important one, and a clause that describes it."""
    row, attribute = field_of(tab.form.database, tab.database, change.tab, change.row, change.field)
    name = row.name if len(tab.database.find(row.table.record, row.name)) == 1 else change.row
    is_about = problem is not None and (
        problem.cell == row.cell(attribute) or re.search(rf"\b{re.escape(row.name)}\b", problem.says) is not None
    )
    rank = 0 if is_about else 2
    if change.cell in tab.form.leaders(inputs):
        return rank, f"{name} is {state.likelihood} {value_text(change.after)}"
    if loss := _loss(change) if column(row.table.record, attribute).unit == PEOPLE else "":
        return rank, f"{name} {state.likelihood} loses {loss}"
    return rank + 1, f"{change.field} of {name} {state.likelihood} becomes {value_text(change.after)}"


def _loss(change: Change) -> str:
    """Return `9,000 of 9,000`; blank if a cell has not become less."""
    before, after = change.before, change.after
    if isinstance(before, int | float) and isinstance(after, int | float) and after < before:
        return f"{amount(before - after)} of {amount(before)}"
    return ""


def risky_requests(plan: Plan) -> list[str]:
    """Return the requests of a rehearsal whose outcomes may block later requests."""
    risked: dict[str, list[str]] = {}
    risky: dict[str, None] = {}
    for ruling in plan.rulings:
        inputs = ruling.form.deserialize(ruling.receipt.inputs)
        for party in ruling.form.parties(inputs):
            risky |= dict.fromkeys(risked.get(party, ()))
        for party in ruling.form.risks(inputs):
            risked.setdefault(party, []).append(ruling.receipt.request)
    return [*risky]


def with_other_luck(plan: Plan, others: Iterable[Plan]) -> Plan:
    """Return the plan of a rehearsal, with warnings of rulings that rehearsals with other luck refuse."""
    refused: dict[CellRef, tuple[Problem, ...]] = {}
    for other in others:
        for answer in other.findings.answers:
            if answer.is_refused:
                refused.setdefault(answer.cells.row.cell("request"), answer.problems)
    answers = [
        replace(answer, problems=tuple(dict.fromkeys((*answer.problems, *refused[place]))))
        if answer.ruling and (place := answer.cells.row.cell("request")) in refused
        else answer
        for answer in plan.findings.answers
    ]
    return replace(plan, findings=replace(plan.findings, answers=tuple(answers)))
