"""`check --rules`: each case of the rulebook, computed again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.case import CaseRules, agrees, worded
from engine.config_value import TableError
from sheets_algo.commands.report import Report
from sheets_algo.config.cases import CaseFile, read_cases
from sheets_algo.config.loader import ConfigError, ConfigLoader
from sheets_algo.database.problems import count
from sheets_algo.forms.base import Form
from sheets_algo.plugins import RULESETS, plugins


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
