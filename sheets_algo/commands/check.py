"""The command `check`, and `check --rules`: each case of the rulebook, computed again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from engine.case import CaseRules, agrees, worded
from engine.config_value import TableError
from sheets_algo.boards.board_rows import planned_scenes
from sheets_algo.commands.opening import new_session
from sheets_algo.commands.output import ProgressBar, writing
from sheets_algo.commands.plugin_faults import plugin_faults
from sheets_algo.commands.report import Report, problem_data
from sheets_algo.config.cases import CaseFile, read_cases
from sheets_algo.config.loader import ConfigError, ConfigLoader
from sheets_algo.config.settings import settings
from sheets_algo.database.grouping import grouped
from sheets_algo.database.problems import PROBLEMS_COUNTED, CellRef, Problem, Severity, count, counted, problem_lines
from sheets_algo.forecasts.outlook import Outlook
from sheets_algo.forecasts.sampling import STEP
from sheets_algo.forms.base import Form
from sheets_algo.forms.rulesets import WORKBOOK, load_all, rulebook
from sheets_algo.plugins import RULESETS, plugins
from sheets_algo.ruling.receipts.chain import copy_problem, secret_trouble
from sheets_algo.ruling.receipts.receipt_rows import ReceiptRow
from sheets_algo.runtime.run.rehearse import rehearse
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.foreign_tabs import foreign_lines
from sheets_algo.runtime.session.session import OpenWorkbook, Session, opened
from sheets_algo.runtime.session.world import world_problems
from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.store import WorkbookAddress


def check(
    *, png: Path | None, verbose: bool, rules: bool, workbook: WorkbookAddress | None, recalc: bool, **options: Any
) -> Report:
    """Report every problem of database and requests, and draw the map of each unruled war.

    Args:
        rules: True to report the cases of the rulebook that are wrong instead.
        workbook: The workbook; with `rules` it may be missing, and only says where the settings are.
    """
    if rules:
        folder = workbook.folder if workbook is not None else Path.cwd()
        report = check_cases(ConfigLoader(settings(folder, options).config), load_all(), verbose=verbose)
        faults = plugin_faults()
        return replace(report, code=1 if faults else report.code, asides=faults)
    if workbook is None:
        raise click.UsageError("Missing argument 'WORKBOOK'.")
    session = new_session(workbook=workbook, recalc=recalc, **options)
    book = opened(session, with_details=True)
    with ProgressBar() as bar:
        outlook = Outlook(STEP, progress=bar.update)
        plan = rehearse(session, book, outlook)
        problems = (*_season_problem(session, book), *plan.all_problems)
        has_more = len(problems) > PROBLEMS_COUNTED
        problems = tuple(dict.fromkeys(problems if has_more else (*problems, *world_problems(session, book))))
        expected = [] if has_more else [*outlook.lines(plan.findings.answers)]
    problems = problems[:PROBLEMS_COUNTED]
    errors = sum(problem.is_error for problem in problems)
    total = f"{counted(problems)}{', and more that were not looked for: mend these first' if has_more else ''}."
    notes = [*foreign_lines(book.snapshot, problems)]
    lines = [*problem_lines(problems), *notes, *expected, total if problems else "No problems."]
    cited = _rules(session.library, book.forms, problems) if verbose else ()
    data: dict[str, Any] = {"problems": [problem_data(problem) for problem in problems]}
    data |= {"more": has_more, "outlook": expected, "notes": notes}
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
    by_ruleset = grouped((form.ruleset_key, form) for form in forms)
    books = [*(rulebook(library, name, each) for name, each in by_ruleset.items()), library.rulebook(WORKBOOK)]
    cited = dict.fromkeys(problem.id for problem in problems)
    return [f"{id}: {book[id]['text']}" for id in cited for book in books if id in book]


def _season_problem(session: Session, book: OpenWorkbook) -> Iterator[Problem]:
    """Yield the reason why the season cannot go on with the available secret, or without one (RCP-03)."""
    cell = CellRef(ReceiptRow.tab.name)
    if book.receipts.original:
        yield replace(copy_problem(book.receipts), severity=Severity.WARNING)
        return
    try:
        secret = season_secret.find(session.folder, book.receipts.season)
    except WorkbookUnavailable as error:  # a check needs no secret, since it rules nothing
        yield Problem(cell=cell, says=str(error).removesuffix("."), id="RCP-03", severity=Severity.WARNING)
        return
    if secret and (trouble := secret_trouble(book.receipts, secret)):
        yield Problem(cell=cell, says=trouble.removesuffix("."), id="RCP-03")


def check_cases(library: ConfigLoader, forms: Sequence[type[Form[Any]]], *, verbose: bool = False) -> Report:
    """Compute the cases of some rulesets and report each with another result than expected; `verbose` adds the terms.

    Ours are computed with our numbers, those in the moderator's own folder with the numbers in force. Those of rulesets
    that cannot be used are left out.

    Raises:
        ConfigError: A file of cases or of tables is wrong.
    """
    rulesets = {form.ruleset_key: form for form in forms if form.cases is not None}
    unusable = plugins(RULESETS).keys() - {form.ruleset_key for form in forms}
    read = [
        (loader, [cases for cases in read_cases(files, [*rulesets, *unusable]) if cases.ruleset in rulesets])
        for loader, files in library.case_files()
    ]
    wrong: list[str] = []
    for loader, files in read:
        for key in dict.fromkeys(cases.ruleset for cases in files):
            rules, declared = rulesets[key].cases, rulesets[key].declared
            assert rules is not None
            tables = loader.build(key, rules.tables, declared)
            for cases in files:
                if cases.ruleset == key:
                    wrong += wrong_cases(cases, rules, tables, verbose=verbose)
    case_files = [cases for _, files in read for cases in files]
    total = sum(len(cases.rows) for cases in case_files)
    failed = sum(not line.startswith(INDENT) for line in wrong)
    summary = f"{count(total, 'case')} in {count(len(case_files), 'file')}, {failed or 'none'} wrong."
    return Report({"cases": total, "wrong": wrong}, [*wrong, summary], 1 if wrong else 0)


INDENT = "  "
"""Beginning of a line that explains how a number was computed."""


def wrong_cases(cases: CaseFile, rules: CaseRules, tables: Any, *, verbose: bool) -> Iterator[str]:
    """Yield a sentence for each failed case of a file: place, computed and expected result.

    With `verbose`, the lines below it tell how the number was computed.

    Raises:
        ConfigError: A case names no function, or its inputs are not those of the function; a line for each error.
    """
    errors: list[str] = []
    for number, case in enumerate(cases.rows):
        try:
            called = rules.find(case.rule, case.function)
            result = rules.compute(called, tables, case.inputs)
        except TableError as error:
            errors += [f"{cases.place(number, *each.path)}: {each.what}" for each in error.errors]
            continue
        if not agrees(result, case.expected):
            expected = case.expected if isinstance(case.expected, str) else worded(case.expected)
            says = f"{case.rule} {called.name} is {worded(result)}, and {expected} was expected."
            yield f"{cases.place(number, 'expected')}: {says}"
            if verbose:
                yield from (f"{INDENT}{line}" for line in rules.explained(called, tables, case.inputs))
    if errors:
        raise ConfigError("\n".join(errors))
