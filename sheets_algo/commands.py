"""What each command does: a place in, a report out."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from engine.entry import Slip
from sheets_algo import runs, season
from sheets_algo.again import CannotReplay
from sheets_algo.again import replay as play_again
from sheets_algo.again import verify as compare
from sheets_algo.desk import check as check_all
from sheets_algo.desk import unsettled
from sheets_algo.discretion import one_line
from sheets_algo.forecasts.edits import BadEdit
from sheets_algo.forecasts.how_lucky import how_lucky, untold
from sheets_algo.forecasts.refining import Lost
from sheets_algo.forms.base import Form
from sheets_algo.intents import Pending, noted
from sheets_algo.ledger import season_trouble
from sheets_algo.library import ConfigError, Library
from sheets_algo.lookup import NotFound, row_of, ruling_of
from sheets_algo.maps import BadMap
from sheets_algo.passes import Passed, repair
from sheets_algo.places import NoRequestTab, Opened, Place, opened
from sheets_algo.plans import Answer
from sheets_algo.problems import Cell, Problem, Rejected
from sheets_algo.receipts import Receipt, ReceiptRow
from sheets_algo.reports import Report, answer_data, answer_lines, as_data, count, told, verdict_lines
from sheets_algo.rulesets import open_forms
from sheets_algo.schema import as_markdown, as_text, described_tabs
from sheets_algo.settings import BadSetting, settings
from sheets_algo.sites import Site, file_site, google_sites
from sheets_algo.undo import CannotUndo
from sheets_algo.undo import undo as take_back
from sheets_algo.whole import whole
from sheets_algo.workbook.base import RefusedChange, WorkbookError, WorkbookLocked, WorkbookUnavailable

WORKBOOK_RULES = "workbook"
"""The rulebook of what every ruleset shares."""

EXPECTED = (WorkbookError, ConfigError, Slip, BadMap, BadEdit, CannotReplay, CannotUndo, Lost, NotFound)
"""What a command may run into through no fault of the program."""


def exit_code(error: Exception) -> int:
    """1 problems in rows, 2 usage, 3 workbook or cluster unavailable, 4 open in another program."""
    match error:
        case WorkbookLocked():
            return 4
        case ConfigError() | Slip() | BadSetting() | BadMap() | BadEdit():
            return 2
        case CannotReplay() | CannotUndo() | NotFound() | RefusedChange() | NoRequestTab():
            return 1
        case _:
            return 3


def init(*, rulesets: Sequence[str], empty: bool, dry: bool, **options: Any) -> Report:
    """A new workbook, or what an existing one lacks."""
    from sheets_algo.beginnings import begin

    return begin(_site(**options), rulesets=rulesets, empty=empty, dry=dry)


def check(*, verbose: bool, **options: Any) -> Report:
    """Every problem of database and requests."""
    place = _place(**options)
    seen = opened(place)
    problems = (*_season_problem(place, seen), *check_all(seen.snapshot, seen.forms))
    errors = sum(problem.is_error for problem in problems)
    counted = f"{count(errors, 'error')}, {count(len(problems) - errors, 'warning')}."
    lines = [*map(str, problems), counted] if problems else ["No problems."]
    rules = _rules(place.library, seen.forms, problems) if verbose else ()
    return Report({"problems": [as_data(problem) for problem in problems]}, lines, 1 if errors else 0, rules)


def _rules(library: Library, forms: Iterable[Form[Any]], problems: Iterable[Problem]) -> list[str]:
    """The rulebook's line for each rule that problems cite."""
    names = dict.fromkeys(form.ruleset_key for form in forms)
    books = [library.rulebook(name) for name in (*names, WORKBOOK_RULES)]
    cited = dict.fromkeys(problem.id for problem in problems)
    return [f"{id}: {book[id]['text']}" for id in cited for book in books if id in book]


def run(*, dry: bool, force: bool, verbose: bool, **options: Any) -> Report:
    """Everything that is ready."""
    place = _place(**options)
    with _Bar() as bar:
        passed = runs.run(place, dry=dry, forced=force, begins=bar.begins)
    made = passed.plan
    told = [answer for answer in made.answers if _is_news(answer)]
    failed = any(answer.is_refused for answer in told) or any(problem.is_error for problem in made.of_tabs)
    data = {
        "workbook": place.workbook.name,
        "written": passed.is_written,
        "requests": [answer_data(answer) for answer in made.answers],
        "problems": [as_data(problem) for problem in made.of_tabs],
        "logs": [str(path) for path in passed.logs],
        "pictures": [str(path) for path in passed.pictures],
    }
    lines = [*map(str, made.of_tabs), *(line for answer in told for line in answer_lines(answer))]
    lines += [f"log      {path}" for path in passed.logs] + [f"picture  {path}" for path in passed.pictures]
    lines.append(_outcome_line(passed, place, dry))
    asides = [passed.unsaved] if passed.unsaved else []
    asides += (*made.failures, *passed.remarks) if verbose else ()
    return Report(data, lines, 1 if failed else 0, asides)


def _is_news(answer: Answer) -> bool:
    """Everything but rows that are not ready, and rulings of earlier runs."""
    is_old = answer.shown.ruled is not None and answer.ruling is None
    return bool(answer.problems) or (not is_old and bool(answer.shown.message))


def _outcome_line(passed: Passed, place: Place, dry: bool) -> str:
    rulings = len(passed.plan.rulings)
    refused = passed.plan.refused
    but = f", {refused:,} refused" if refused else ""
    if passed.is_written:
        return f"{count(rulings, 'request')} ruled{but}; {place.workbook.name} is written."
    if dry and passed.plan.changes:
        return f"{count(rulings, 'request')} would be ruled{but}. Nothing is written (dry run)."
    if refused:
        return f"Nothing new: {count(refused, 'request')} refused as before; {place.workbook.name} is as it was."
    return f"Nothing to do: {place.workbook.name} is as it was."


def doctor(*, workbook: Path | str, recalc: bool, verbose: bool, **flags: Any) -> Report:
    """What is wrong with set-up and workbook."""
    from sheets_algo.doctor import doctor as examine

    _refuse_recalc(workbook, recalc)
    return examine(workbook=workbook, recalc=recalc, flags=flags)


def forecast(*, requests: Sequence[str], verbose: bool, asks: dict[str, Any], **options: Any) -> Report:
    """What may come of requests."""
    from sheets_algo.forecasts.command import Question, forecast
    from sheets_algo.forecasts.refining import budget_of

    seen = opened(_place(**options))
    question = Question(**{name: asks.pop(name) for name in Question.__dataclass_fields__})
    return forecast(seen, requests, question, budget_of(**asks))


def explain(*, request: str, verbose: bool, **options: Any) -> Report:
    """How each variable of a request came about."""
    seen = opened(_place(**options))
    receipt = seen.receipts.receipts.ruling_of(request)
    if receipt:
        explained = play_again(receipt, _form_of(seen, receipt)).explained
    else:
        form, book, row = row_of(seen.snapshot, seen.forms, request)
        try:
            explained = form.ruleset.explain(form.thaw(form.freeze(form.read(row, book).inputs)))
        except Rejected as rejection:
            problems = [as_data(problem) for problem in rejection.problems]
            return Report({"request": request, "problems": problems}, [*map(str, rejection.problems)], 1)
    data = {"request": request, "variables": [dataclasses.asdict(it) for it in explained]}
    return Report(data, [it.line() for it in explained])


def replay(*, request: str, png: Path | None, verbose: bool, **options: Any) -> Report:
    """A ruling's battle once more: its log, or its picture."""
    place = _place(**options)
    seen = opened(place)
    receipt = ruling_of(seen.receipts.receipts, request)
    lines: list[str] = []
    luck_of = how_lucky if place.is_luck_told and png is None else untold
    outcome = play_again(receipt, _form_of(seen, receipt), lines.extend, luck_of)
    data: dict[str, Any] = {"request": receipt.request, "log": lines}
    if png is None:
        return Report(data, lines)
    if not outcome.scenes:
        raise NotFound(f"The ruling of {receipt.request} has no map to draw.")
    from sheets_algo.pictures import draw

    try:
        with whole(png) as new:
            new.write_bytes(draw(outcome.scenes[0]))
    except OSError as error:
        raise WorkbookUnavailable(f"The picture cannot be written to {png} ({error.strerror}).") from error
    return Report({"request": receipt.request, "picture": str(png)}, [f"picture  {png}"])


def verify(*, requests: Sequence[str], verbose: bool, **options: Any) -> Report:
    """Receipts recomputed."""
    place = _place(**options)
    seen = opened(place)
    known = seen.receipts.receipts
    receipts = [ruling_of(known, request) for request in requests] or list(known.of_kind("Ruling"))
    secret = _secret_at_hand(place, seen)
    verdicts = [
        compare(
            receipt,
            form,
            place.library.fingerprint(form.ruleset_key),
            secret,
            escapes_markup=known.escapes_markup,
        )
        for receipt in receipts
        for form in [_form_of(seen, receipt)]
    ]
    trouble = season_trouble(known, secret)
    unsure = unsettled(seen.snapshot, seen.forms)
    lines = [*map(str, unsure), *(line for verdict in verdicts for line in verdict_lines(verdict))]
    lines += [trouble] if trouble else []
    equal = sum(verdict.is_equal for verdict in verdicts)
    lines.append(f"{equal} of {count(len(verdicts), 'receipt')} equal." if verdicts else "Nothing has been ruled yet.")
    data = {
        "receipts": [
            {
                "seq": verdict.receipt.seq,
                "request": verdict.receipt.request,
                "equal": verdict.is_equal,
                "differences": verdict.differences,
                "remarks": verdict.remarks,
            }
            for verdict in verdicts
        ],
        "problems": [as_data(problem) for problem in unsure],
        "season": trouble,
    }
    asides = [] if secret else ["The season secret is not at hand: seeds are taken as they stand."] if verdicts else []
    return Report(data, lines, 0 if equal == len(verdicts) and not trouble else 1, asides)


def undo(*, request: str, dry: bool, force: bool, verbose: bool, **options: Any) -> Report:
    """A ruling taken back."""
    place = _place(**options)
    remarks: tuple[str, ...] = () if dry else repair(place)
    seen = opened(place)
    receipt, changes = take_back(seen.snapshot, seen.forms, request, place.now())
    if not dry:
        noted_changes = noted(Pending.read(seen.snapshot, map(type, seen.forms)), changes, place.now())
        committed = place.workbook.commit(seen.snapshot, dataclasses.replace(noted_changes, forced=force))
        remarks += committed.remarks
        if committed.is_displaced:
            remarks += repair(place)
    lines = [f"{it.tab}, {it.row}: {it.field} {told(it.before)} → {told(it.after)}" for it in receipt.changes]
    done = "would be undone (dry run, nothing is written)" if dry else f"is undone by receipt {receipt.seq}"
    lines.append(f"{receipt.request} ({receipt.war}) {done}.")
    data = {"request": receipt.request, "seq": receipt.seq, "written": not dry}
    data["changes"] = [dataclasses.asdict(it) for it in receipt.changes]
    return Report(data, lines, 0, remarks if verbose else ())


def schema(*, rulesets: Sequence[str], markdown: bool) -> Report:
    """Every tab and column."""
    from sheets_algo.beginnings import chosen_rulesets

    forms = open_forms(Library(), chosen_rulesets(rulesets))
    described = described_tabs(forms)
    return Report({"tabs": described}, [*(as_markdown(described) if markdown else as_text(described))])


def _site(*, workbook: Path | str, recalc: bool = False, **flags: Any) -> Site:
    if isinstance(workbook, Path):
        return file_site(workbook, settings(workbook.parent, flags), recalc)
    _refuse_recalc(workbook, recalc)
    return google_sites([workbook], settings(Path(), flags), _say_why)[0]


def _refuse_recalc(workbook: Path | str, recalc: bool) -> None:
    if recalc and isinstance(workbook, str):
        raise click.BadParameter("Google computes its formulas by itself; leave it away.", param_hint="--recalc")


def _place(**options: Any) -> Place:
    return _site(**options).place


def _say_why(id: str, sentence: str) -> None:
    """A request to Google is sent again: a person should know what takes so long."""
    click.echo(one_line(sentence), err=True)


def _form_of(seen: Opened, receipt: Receipt) -> Form[Any]:
    form = seen.form(receipt.ruleset)
    if form is None:
        raise CannotReplay(f"{receipt.request} was ruled by {receipt.ruleset}, whose request tab is missing.")
    return form


def _secret_at_hand(place: Place, seen: Opened) -> Any:
    """The season secret, or None where only the workbook is: anybody may verify."""
    season.given()  # one that is there and too short is no reason to go without
    try:
        return season.find(place.folder, seen.receipts.receipts.season)
    except WorkbookError:
        return None


def _season_problem(place: Place, seen: Opened) -> Iterator[Problem]:
    """Yield what keeps the season from going on under the secret at hand (RCP-03)."""
    trouble = season_trouble(seen.receipts.receipts, _secret_at_hand(place, seen))
    if trouble:
        yield Problem(cell=Cell(ReceiptRow.tab.name), says=trouble.removesuffix("."), id="RCP-03")


def _shown(request: str | None) -> str:
    return one_line(request or "")


class _Bar:
    """Progress on long work, on a terminal alone."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._what = ""
        self._stream = sys.stderr

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.render_finish()

    def begins(self, what: str, request: str, of: int) -> None:
        if not self._stream.isatty():
            return
        if what != self._what:
            self.__exit__()
            self._what = what
            self._bar = click.progressbar(length=of, label=what, file=self._stream, item_show_func=_shown)
        self._bar.update(1, request)
