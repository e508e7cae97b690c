"""The command `doctor`: check everything that a ruling needs, say how to fix what is wrong, preview the next posts.

A failed check does not stop the others; checks that cannot run are reported.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from engine.config_value import TableError
from engine.suggest import nearest
from sheets_algo.commands.doctor import workbooks
from sheets_algo.commands.opening import refuse_recalc
from sheets_algo.commands.plugin_faults import plugin_faults
from sheets_algo.commands.report import Report
from sheets_algo.config.loader import ConfigError, ConfigLoader
from sheets_algo.config.maps import BadMap
from sheets_algo.config.settings import Settings, settings
from sheets_algo.forms.rulesets import open_forms
from sheets_algo.posting.channel import Channel, PostRefused
from sheets_algo.posting.ready_post import ready_post
from sheets_algo.runtime.locate import is_same, open_workbooks
from sheets_algo.runtime.session.session import Session, opened
from sheets_algo.steps.posts.post_row import WAITING, PostRow, read_posts
from sheets_algo.workbook.errors import BadSetting, WorkbookError
from sheets_algo.workbook.findings import Finding, State, fail, ok, warn
from sheets_algo.workbook.redact import one_line
from sheets_algo.workbook.store import WorkbookAddress
from sheets_algo.workbook.stores import is_file_name

PACKAGES = ("gspread", "google-auth", "numpy", "openpyxl")
PATIENCE_S = 5.0
"""Seconds for which failing requests are repeated, few since a person is waiting; a lasting failure is a finding."""


def doctor(*, workbook: WorkbookAddress, recalc: bool = False, verbose: bool = False, **flags: Any) -> Report:
    """Return all findings as a report; exit code 3 if one of them prevents rulings."""
    refuse_recalc(workbook, recalc)
    findings = list(examine(workbook, recalc, flags))
    data = {
        "findings": [
            {"state": finding.state.value.lower(), "about": finding.about, "text": finding.text} for finding in findings
        ]
    }
    failed = any(finding.state is State.FAIL for finding in findings)
    return Report(data, [str(finding) for finding in findings], 3 if failed else 0)


def examine(workbook: WorkbookAddress, recalc: bool, flags: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the findings, each check after those on which it depends."""
    yield _program()
    try:
        chosen = settings(workbook.folder, flags)
    except BadSetting as error:
        yield fail("settings", str(error))
        return
    yield _settings(chosen, workbook.store.is_online)
    tables = _tables(chosen)
    yield tables
    yield from (warn("plug-ins", fault) for fault in plugin_faults())
    if tables.state is State.FAIL:
        return
    try:
        (ref,) = open_workbooks([workbook], chosen, recalc=recalc, patience_s=PATIENCE_S)
    except BadSetting as error:
        yield fail("settings", str(error))
        return
    except WorkbookError as error:
        yield fail("credentials", str(error))
        return
    yield from workbooks.examine(ref)
    yield from _channels_of_workbooks(workbook, chosen)
    if ref.session.channels:
        from sheets_algo.posting.open_channels import open_channels

        try:
            channels = open_channels(ref.session.channels)
        except BadSetting as error:
            yield warn("post", str(error))
            return
        for channel in channels.values():
            yield from channel.examine()
        yield from next_posts(ref.session, channels)


def _channels_of_workbooks(workbook: WorkbookAddress, chosen: Settings) -> Iterator[Finding]:
    """Yield findings about channels for other workbooks, and for workbooks that do not exist."""
    others = [*chosen.workbooks, *(str(file) for file in workbook.folder.glob("*") if is_file_name(file.name))]
    for channel in chosen.post:
        about = f"post: {channel.name}"
        for typed in channel.workbooks:
            is_there = Path(typed).exists() if is_file_name(typed) else typed in chosen.workbooks
            if not is_there and not is_same(typed, workbook):
                near = nearest(typed, [*others, workbook.key])
                hint = f'Did you mean "{near}"?' if near else "Write it as in the setting workbooks of watch."
                yield warn(about, f'workbooks: there is no workbook "{one_line(typed)}". {hint}')
        if channel.workbooks and not any(is_same(typed, workbook) for typed in channel.workbooks):
            yield ok(about, "it is for other workbooks, and gets nothing of this one.")


def _program() -> Finding:
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return ok("program", f"sheets-algo {version('sheets-algo')} on Python {platform.python_version()}; {packages}.")


def _settings(chosen: Settings, is_online: bool) -> Finding:
    parts = [f"up to {chosen.log_lines} lines a ruling in the Log tab"]
    if is_online:
        parts += [
            f"a look every {chosen.interval:g} seconds",
            f"{chosen.requests} reads and {chosen.requests} writes a minute",
            f"files in {chosen.data_folder.absolute()}",
        ]
    if os.environ.get("SHEETS_ALGO_API_URL"):
        parts.append(f"{os.environ['SHEETS_ALGO_API_URL']} answers in Google's place (SHEETS_ALGO_API_URL)")
    return ok("settings", f"{'; '.join(parts)}.")


def _tables(chosen: Settings) -> Finding:
    """Read every table, rulebook and map as a ruling would."""
    try:
        library = ConfigLoader(chosen.config)
        forms = open_forms(library, own_maps=chosen.maps)
        for form in forms:
            library.fingerprint(form.ruleset_key)
    except (ConfigError, TableError, BadMap) as error:
        return fail("tables", str(error))
    source = f" from {chosen.config.absolute()}" if chosen.config else ""
    names = dict.fromkeys(form.ruleset_key for form in forms)
    return ok("tables", f"the tables of {' and '.join(names)}{source} are in order.")


def next_posts(session: Session, channels: Mapping[str, Channel]) -> Iterator[Finding]:
    """Yield the first post that waits for each channel; nothing is posted."""
    try:
        book = opened(session, whole=(PostRow,))
    except WorkbookError:
        return  # another finding gives the reason
    entries = read_posts(book.snapshot, after=book.receipts.forked)
    for name, channel in channels.items():
        about = f"post: {channel.settings.name}"
        entry = next((entry for entry in entries if entry.key[1] == name and entry.state == WAITING), None)
        if entry is None:
            yield ok(about, "no message waits for it.")
            continue
        try:
            text = channel.preview(ready_post(session, book, entry, channel.settings))
        except (BadSetting, PostRefused) as error:
            yield warn(about, f"its next message ({entry.title}) would fail: {error}")
            continue
        yield ok(about, f"its next message ({entry.title}) would appear so:")
        for line in text.splitlines():
            yield ok(about, f"| {line}")
