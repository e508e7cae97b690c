"""`doctor`: everything that a ruling needs, looked at one by one, each with the way to mend it.

One thing that fails keeps no other from being looked at; what cannot be seen is said.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from engine.entry import Slip
from sheets_algo.doctor import workbooks
from sheets_algo.doctor.findings import Finding, State, fail, ok
from sheets_algo.library import ConfigError, Library
from sheets_algo.maps import BadMap
from sheets_algo.reports import Report
from sheets_algo.rulesets import RULESETS, open_forms
from sheets_algo.settings import BadSetting, Settings, settings
from sheets_algo.sites import Site, file_site, google_sites
from sheets_algo.workbook.base import WorkbookError

PACKAGES = ("gspread", "google-auth", "numpy", "openpyxl")
PATIENCE_S = 5.0
"""How long Google is asked again: a person is waiting."""


def doctor(*, workbook: Path | str, recalc: bool, flags: Mapping[str, Any]) -> Report:
    """All findings; exit code 3 if one of them keeps wars from being ruled."""
    findings = list(examined(workbook, recalc, flags))
    data = {
        "findings": [{"state": it.state.value.lower(), "about": it.about, "text": it.text} for it in findings],
    }
    failed = any(it.state is State.FAIL for it in findings)
    return Report(data, [str(it) for it in findings], 3 if failed else 0)


def examined(workbook: Path | str, recalc: bool, flags: Mapping[str, Any]) -> Iterator[Finding]:
    """One finding after the other, the ground before what stands on it."""
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
        site = _site(workbook, chosen, recalc)
    except WorkbookError as error:
        yield fail("credentials", str(error))
        return
    is_there = True
    if site.google:
        from sheets_algo.doctor import google

        for finding in google.examined(site.google):
            yield finding
            is_there &= finding.about != "access" or finding.state is not State.FAIL
    yield from workbooks.examined(site, is_there)


def _site(workbook: Path | str, chosen: Settings, recalc: bool) -> Site:
    if isinstance(workbook, Path):
        return file_site(workbook, chosen, recalc)
    return google_sites([workbook], chosen, _unheard, patience_s=PATIENCE_S)[0]


def _unheard(id: str, sentence: str) -> None:
    """What is wrong is said as a finding."""


def _program() -> Finding:
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return ok("program", f"sheets-algo {version('sheets-algo')} on Python {platform.python_version()}; {packages}.")


def _settings(chosen: Settings, is_file: bool) -> Finding:
    said = [f"up to {chosen.log_lines} lines a ruling in the Log tab"]
    if not is_file:
        said += [
            f"a look every {chosen.interval:g} seconds",
            f"{chosen.reads} reads and {chosen.writes} writes a minute",
            f"files in {chosen.data_folder.absolute()}",
        ]
    if os.environ.get("SHEETS_ALGO_API_URL"):
        said.append(f"{os.environ['SHEETS_ALGO_API_URL']} answers in Google's place (SHEETS_ALGO_API_URL)")
    return ok("settings", f"{'; '.join(said)}.")


def _tables(chosen: Settings) -> Finding:
    """Every table, rulebook and map is read as a ruling would."""
    try:
        library = Library(chosen.config)
        forms = open_forms(library, RULESETS, chosen.maps)
        for form in forms:
            library.fingerprint(form.ruleset_key)
    except (ConfigError, Slip, BadMap) as error:
        return fail("tables", str(error))
    own = f" from {chosen.config.absolute()}" if chosen.config else ""
    names = dict.fromkeys(form.ruleset_key for form in forms)
    return ok("tables", f"the tables of {' and '.join(names)}{own} are in order.")
