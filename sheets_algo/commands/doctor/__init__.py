"""The command `doctor`: check everything that a ruling needs, and say how to fix what is wrong.

A failed check does not keep the others from running; checks that cannot run are reported.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from engine.config_value import TableError
from sheets_algo.commands.doctor import workbooks
from sheets_algo.commands.doctor.findings import Finding, State, fail, ok
from sheets_algo.commands.report import Report
from sheets_algo.config.loader import ConfigError, ConfigLoader
from sheets_algo.config.maps import BadMap
from sheets_algo.config.settings import Settings, settings
from sheets_algo.forms.registry import RULESETS, open_forms
from sheets_algo.runtime.locate import WorkbookRef, file_ref, google_refs
from sheets_algo.workbook.base import BadSetting, WorkbookError

PACKAGES = ("gspread", "google-auth", "numpy", "openpyxl")
PATIENCE_S = 5.0
"""Seconds for which failing requests to Google are repeated, few since a person is waiting."""


def doctor(*, workbook: Path | str, recalc: bool, flags: Mapping[str, Any]) -> Report:
    """Return all findings as a report; exit code 3 if one of them prevents rulings."""
    findings = list(examine(workbook, recalc, flags))
    data = {
        "findings": [
            {"state": found.state.value.lower(), "about": found.about, "text": found.text} for found in findings
        ],
    }
    failed = any(finding.state is State.FAIL for finding in findings)
    return Report(data, [str(finding) for finding in findings], 3 if failed else 0)


def examine(workbook: Path | str, recalc: bool, flags: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the findings, each check after those on which it depends."""
    yield _program()
    try:
        chosen = settings(workbook.parent if isinstance(workbook, Path) else Path(), flags)
    except BadSetting as error:
        yield fail("settings", str(error))
        return
    yield _settings(chosen, isinstance(workbook, Path))
    tables = _tables(chosen)
    yield tables
    if tables.state is State.FAIL:
        return
    try:
        ref = _workbook_ref(workbook, chosen, recalc)
    except WorkbookError as error:
        yield fail("credentials", str(error))
        return
    is_there = True
    if ref.google:
        from sheets_algo.commands.doctor import google

        for finding in google.examine(ref.google):
            yield finding
            is_there &= finding.about != "access" or finding.state is not State.FAIL
    yield from workbooks.examine(ref, is_there)


def _workbook_ref(workbook: Path | str, chosen: Settings, recalc: bool) -> WorkbookRef:
    if isinstance(workbook, Path):
        return file_ref(workbook, chosen, recalc)
    return google_refs([workbook], chosen, _ignore_retry, patience_s=PATIENCE_S)[0]


def _ignore_retry(id: str, sentence: str) -> None:
    """Ignore a repeated request: a lasting failure is reported as a finding."""


def _program() -> Finding:
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return ok("program", f"sheets-algo {version('sheets-algo')} on Python {platform.python_version()}; {packages}.")


def _settings(chosen: Settings, is_file: bool) -> Finding:
    parts = [f"up to {chosen.log_lines} lines a ruling in the Log tab"]
    if not is_file:
        parts += [
            f"a look every {chosen.interval:g} seconds",
            f"{chosen.reads} reads and {chosen.writes} writes a minute",
            f"files in {chosen.data_folder.absolute()}",
        ]
    if os.environ.get("SHEETS_ALGO_API_URL"):
        parts.append(f"{os.environ['SHEETS_ALGO_API_URL']} answers in Google's place (SHEETS_ALGO_API_URL)")
    return ok("settings", f"{'; '.join(parts)}.")


def _tables(chosen: Settings) -> Finding:
    """Read every table, rulebook and map as a ruling would."""
    try:
        library = ConfigLoader(chosen.config)
        forms = open_forms(library, RULESETS, chosen.maps)
        for form in forms:
            library.fingerprint(form.ruleset_key)
    except (ConfigError, TableError, BadMap) as error:
        return fail("tables", str(error))
    own = f" from {chosen.config.absolute()}" if chosen.config else ""
    names = dict.fromkeys(form.ruleset_key for form in forms)
    return ok("tables", f"the tables of {' and '.join(names)}{own} are in order.")
