"""The command `check`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from sheets_algo.commands.opening import new_session
from sheets_algo.commands.output import ProgressBar, writing
from sheets_algo.commands.plugin_faults import plugin_faults
from sheets_algo.commands.report import Report, problem_data
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.config.settings import settings
from sheets_algo.database.problems import PROBLEMS_COUNTED, CellRef, Problem, problem_lines
from sheets_algo.database.wording import counted
from sheets_algo.forecasts.outlook import outlook
from sheets_algo.forms.base import Form
from sheets_algo.forms.rulesets import load_all
from sheets_algo.ruling.passes.check import check as check_all
from sheets_algo.ruling.passes.check import planned_scenes
from sheets_algo.ruling.receipts.chain import hold, secret_trouble
from sheets_algo.ruling.receipts.receipt_rows import ReceiptRow
from sheets_algo.runtime.run.pass_context import plan_trial
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.head_record import noted_heads
from sheets_algo.runtime.session.session import OpenWorkbook, Session, opened
from sheets_algo.workbook.store import WorkbookAddress

WORKBOOK_RULES = "workbook"
"""Name of the rulebook with the rules that all rulesets share."""


def check(
    *, png: Path | None, verbose: bool, rules: bool, workbook: WorkbookAddress | None, recalc: bool, **options: Any
) -> Report:
    """Report every problem of database and requests, and draw the map of each war that is not ruled.

    Args:
        rules: True to report the cases of the rulebook that are wrong instead.
        workbook: The workbook; with `rules` it may be missing, and only says where the settings are.
    """
    if rules:
        from sheets_algo.commands.rule_cases import check_cases

        folder = workbook.folder if workbook is not None else Path.cwd()
        report = check_cases(ConfigLoader(settings(folder, options).config), load_all(), verbose=verbose)
        faults = plugin_faults()
        return replace(report, code=1 if faults else report.code, asides=faults)
    if workbook is None:
        raise click.UsageError("Missing argument 'WORKBOOK'.")
    session = new_session(workbook=workbook, recalc=recalc, **options)
    book = opened(session, with_years=True)
    problems = (
        *_season_problem(session, book),
        *check_all(book.snapshot, book.forms, partial(plan_trial, session, book), book.receipts),
    )
    has_more = len(problems) > PROBLEMS_COUNTED
    problems = problems[:PROBLEMS_COUNTED]
    errors = sum(problem.is_error for problem in problems)
    total = f"{counted(problems)}{', and more that were not looked for: mend these first' if has_more else ''}."
    with ProgressBar() as bar:
        expected = [] if has_more else [*outlook(book.snapshot, book.forms, book.receipts, bar.update)]
    lines = [*problem_lines(problems), *expected, total if problems else "No problems."]
    cited = _rules(session.library, book.forms, problems) if verbose else ()
    data: dict[str, Any] = {"problems": [problem_data(problem) for problem in problems]}
    data |= {"more": has_more, "outlook": expected}
    if png is not None:
        from sheets_algo.runtime.after_commit.artifacts import preview_path, write_previews

        scenes = planned_scenes(book.snapshot, book.forms, book.receipts)
        paths = [preview_path(png, session.workbook.name, request) for request in scenes]
        drawn = zip(paths, scenes.values(), strict=True)
        with writing("picture", png):
            data["pictures"] = [*map(str, write_previews(drawn))]
        lines += [f"picture  {path}" for path in paths]
    return Report(data, lines, 1 if errors else 0, cited)


def _rules(library: ConfigLoader, forms: Iterable[Form[Any]], problems: Iterable[Problem]) -> list[str]:
    """Return the rulebook's line for each rule that problems cite."""
    names = dict.fromkeys(form.ruleset_key for form in forms)
    books = [library.rulebook(name) for name in (*names, WORKBOOK_RULES)]
    cited = dict.fromkeys(problem.id for problem in problems)
    return [f"{id}: {book[id]['text']}" for id in cited for book in books if id in book]


def _season_problem(session: Session, book: OpenWorkbook) -> Iterator[Problem]:
    """Yield the reason why the season cannot go on: because of the workbook, or of the available secret (RCP-03)."""
    receipts = book.receipts
    secret = season_secret.available(session.folder, receipts.season)
    if held := hold(receipts, noted_heads(session, receipts.season, asks=True)):
        yield held
    elif trouble := secret_trouble(receipts, secret) if secret else "":
        yield Problem(cell=CellRef(ReceiptRow.tab.name), says=trouble.removesuffix("."), id="RCP-03")
