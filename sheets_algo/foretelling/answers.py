"""The command `forecast`: odds of requests, what a change makes of them, how lucky a ruling was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.forecast import Replicates, difference, percentile, summed_up, wins
from sheets_algo.book import Book
from sheets_algo.forecasts.edits import BadEdit, edit_of, sweep_of
from sheets_algo.forecasts.words import (
    amount,
    difference_data,
    difference_lines,
    forecast_data,
    forecast_lines,
    odds_data,
    points,
    shifted_points,
)
from sheets_algo.foretelling.asked import Asked, WhatIf, of_receipt, of_row, ready_rows
from sheets_algo.foretelling.bar import Bar
from sheets_algo.foretelling.haste import refine_in_haste
from sheets_algo.foretelling.refining import Budget, Fought
from sheets_algo.lookup import NotFound, row_of
from sheets_algo.places import Opened
from sheets_algo.problems import Problem, Rejected
from sheets_algo.reports import Report, as_data, told
from sheets_algo.workbook.base import Plain

STOPPED = 130
"""Exit code of a program that Ctrl+C ended."""
RANKED_MOST = 15
"""Lines of a sensitivity; `--json` and `--csv` have all."""


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
    """

    edits: tuple[str, ...] = ()
    sweep: str = ""
    is_sensitivity: bool = False
    seed: int | None = None
    csv: Path | None = None
    plot: Path | None = None

    @property
    def needs_one(self) -> str:
        """The option that makes sense for one request alone; blank for none."""
        given = {"--set": self.edits, "--sweep": self.sweep, "--sensitivity": self.is_sensitivity, "--plot": self.plot}
        return next((name for name, value in given.items() if value), "")


@dataclass(frozen=True, slots=True)
class Case:
    """One war among those that are compared.

    Args:
        label: What is otherwise in it; blank for the workbook as it is.
        war: What is fought.
        value: Of a sweep's number.
    """

    label: str
    war: Asked
    value: float | None = None


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


def forecast(seen: Opened, requests: Sequence[str], question: Question, budget: Budget) -> Report:
    """The odds of some requests, or of all that are ready.

    Args:
        seen: The workbook.
        requests: Ids; none for all that are ready and not ruled.
        question: What is asked besides.
        budget: Of each request.

    Raises:
        BadEdit: What is asked cannot be answered.
        NotFound: There is no such request, or a file cannot be written.
    """
    wars, problems = _asked(seen, requests, question.seed)
    if question.needs_one and len(wars) + bool(problems) != 1:
        raise BadEdit(f"{question.needs_one} needs one request; name it behind the workbook.")
    answers: list[Told] = []
    lines = [str(problem) for problem in problems]
    is_stopped = False
    for war in wars:
        answer = _answer(seen, war, question, budget)
        is_stopped = answer.fought.end == "stopped"
        lines += [*([""] if lines else []), *answer.lines]
        answers.append(answer)
        if is_stopped:
            break
    if not wars and not problems:
        lines.append("No request is ready. Name one: it is forecast whether it is ready or not.")
    data = {"forecasts": [it.data for it in answers], "problems": [as_data(problem) for problem in problems]}
    asides = list(_kept(question, answers))
    return Report(data, lines, STOPPED if is_stopped else 1 if problems else 0, asides)


def _asked(seen: Opened, requests: Sequence[str], seed: int | None) -> tuple[list[Asked], list[Problem]]:
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
    seen: Opened, requests: Sequence[str], wars: list[Asked], seed: int | None
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


def _answer(seen: Opened, war: Asked, question: Question, budget: Budget) -> Told:
    """Fight one request's wars and tell what came of them."""
    if question.is_sensitivity:
        return _fight(list(_moved(seen, war, question)), budget, _ranking)
    if question.sweep:
        return _fight(list(_swept(seen, war, question)), budget, _curve)
    if question.edits:
        changed = Case(", ".join(question.edits), _changed(seen, war, question.edits))
        return _fight([Case("", war), changed], budget, _comparison)
    return _fight([Case("", war)], budget, _odds)


def _fight(cases: list[Case], budget: Budget, tell: Any) -> Told:
    war = cases[0].war
    with Bar(war.request or war.war) as bar:
        fought = refine_in_haste([case.war for case in cases], budget, bar.moves)
    data = {"request": war.request, "war": war.war, "ruleset": war.form.key, "seed": str(war.seed), "ended": fought.end}
    if not fought.runs:
        return Told(cases, fought, [f"{_title(war)}: stopped before the first battle."], data)
    lines, more = tell(cases, fought)
    return Told(cases, fought, lines, data | more)


def _what_if(seen: Opened, war: Asked) -> WhatIf:
    return WhatIf(seen.snapshot, war.form, war)


def _changed(seen: Opened, war: Asked, typed: Sequence[str]) -> Asked:
    what_if = _what_if(seen, war)
    edits = [edit_of(it, war.form, what_if.book, war.request) for it in typed]
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
        yield Case(f"{edit.name} {_shown(now)} → {_shown(edit.value)}", moved)


def _shown(value: Plain) -> str:
    return amount(value) if isinstance(value, int | float) and not isinstance(value, bool) else told(value)


def _title(war: Asked) -> str:
    return " ".join(filter(None, (war.request, war.war)))


def _heading(war: Asked, runs: int, error: float) -> str:
    battles = "1 battle" if runs == 1 else f"{runs:,} battles"
    return f"{_title(war)}: {battles}, odds ± {100 * error:.1f} points"


def _odds(cases: Sequence[Case], fought: Fought) -> tuple[list[str], dict[str, Any]]:
    """The forecast of one war, and of a ruled one how lucky its ruling was."""
    war, battles = cases[0].war, fought.wars[0]
    found = summed_up(battles)
    course = war.form.ruleset.course(war.inputs, battles)
    lines = [_heading(war, found.runs, found.error), f"  {course}.", *forecast_lines(found)]
    data = forecast_data(found) | {"course": course}
    ruling = war.ruling
    if ruling is not None:
        lines += _luck_lines(ruling, battles)
        data["ruling"] = _luck(ruling, battles)
    return lines, data


def _luck(ruling: Replicates, battles: Replicates) -> dict[str, Any]:
    """At which percentile of its forecast a ruling fell."""
    winner = int(ruling.winner[0])
    attacker, defender, undecided = wins(battles.winner)
    return {
        "winner": {0: "attacker", 1: "defender"}.get(winner, "nobody"),
        "share": {0: attacker, 1: defender}.get(winner, undecided) / len(battles),
        "percentiles": {
            name: percentile(battles.numbers[name].values, float(it.values[0]))
            for name, it in ruling.numbers.items()
            if it.values[0] == it.values[0]  # a number, not NaN
        },
    }


def _luck_lines(ruling: Replicates, battles: Replicates) -> Iterator[str]:
    luck = _luck(ruling, battles)
    yield f"  The ruling: {luck['winner']} won, as in {points(luck['share'])} of battles."
    for name in battles.headlines:
        if name in luck["percentiles"]:
            value = amount(float(ruling.numbers[name].values[0]))
            yield f"  {name}: {value}, at {luck['percentiles'][name]:.0f} % of what was to be expected."


def _comparison(cases: Sequence[Case], fought: Fought) -> tuple[list[str], dict[str, Any]]:
    """One war after a change, and the difference."""
    war, changed = cases[0].war, cases[1].war
    before, after = fought.wars
    found, shift = summed_up(after), difference(before, after)
    lines = [
        _heading(war, found.runs, found.error),
        f"  With {cases[1].label}:",
        f"  {changed.form.ruleset.course(changed.inputs, after)}.",
        *forecast_lines(found),
        "  Against the workbook as it is, on the same luck:",
        *difference_lines(shift),
    ]
    if war.frozen == changed.frozen:
        lines.append("  The change has no part in this request.")
    data = forecast_data(found) | {
        "set": cases[1].label,
        "before": forecast_data(summed_up(before)),
        "difference": difference_data(shift),
        "course": changed.form.ruleset.course(changed.inputs, after),
    }
    return lines, data


def _curve(cases: Sequence[Case], fought: Fought) -> tuple[list[str], dict[str, Any]]:
    """A sweep: one line a point."""
    found = [summed_up(battles) for battles in fought.wars]
    name = cases[0].label.rpartition("=")[0]
    headlines = fought.wars[0].headlines
    lines = [
        _heading(cases[0].war, fought.runs, max(it.error for it in found)) + " at each point",
        f"  {name}",
        f"  {'':>14}{'attacker wins':>16}" + "".join(f"{it + ', median':>28}" for it in headlines),
    ]
    data = []
    for case, it in zip(cases, found, strict=True):
        medians = {head: it.numbers[head].quantiles[2] for head in headlines if it.numbers[head].quantiles}
        lines.append(
            f"  {_shown(case.value):>14}{points(it.attacker.share):>16}"
            + "".join(f"{amount(medians[head]) if head in medians else '':>28}" for head in headlines)
        )
        data.append({"value": case.value, "attacker": odds_data(it.attacker), "forecast": forecast_data(it)})
    return lines, {"sweep": {"cell": name, "points": data}, "runs": fought.runs}


def _ranking(cases: Sequence[Case], fought: Fought) -> tuple[list[str], dict[str, Any]]:
    """A sensitivity: what moves the odds most stands first."""
    before = fought.wars[0]
    shifts = [(case.label, difference(before, after)) for case, after in zip(cases[1:], fought.wars[1:], strict=True)]
    shifts.sort(key=lambda it: -abs(it[1].attacker.change))
    now = summed_up(before)
    lines = [
        _heading(cases[0].war, now.runs, now.error),
        f"  Attacker wins {points(now.attacker.share)}; a tenth more, or a step, of one input changes that by",
    ]
    width = max((len(label) for label, _ in shifts[:RANKED_MOST]), default=0)
    lines += [f"  {label:<{width}}  {shifted_points(it.attacker)}" for label, it in shifts[:RANKED_MOST]]
    if len(shifts) > RANKED_MOST:
        lines.append(f"  ... and {len(shifts) - RANKED_MOST} more that change no more than the last.")
    if not shifts:
        lines.append("  There is nothing to move: the request names no row of the database.")
    data = forecast_data(now) | {
        "sensitivity": [{"change": label} | difference_data(it)["odds"] for label, it in shifts],
    }
    return lines, data


def _kept(question: Question, answers: Sequence[Told]) -> Iterator[str]:
    """Write the files that were asked for; what was written."""
    known = [it for it in answers if it.fought.runs]
    try:
        if question.csv and known:
            from sheets_algo.foretelling.table import write_battles

            write_battles(question.csv, [(it.cases, it.fought.wars) for it in known])
            yield f"battles  {question.csv}"
        if question.plot and known:
            from sheets_algo.foretelling.plots import write_plot

            write_plot(question.plot, known[0].cases, known[0].fought.wars)
            yield f"picture  {question.plot}"
    except OSError as error:
        file = error.filename or question.csv or question.plot
        raise NotFound(f"{file} cannot be written ({error.strerror or error}).") from error
