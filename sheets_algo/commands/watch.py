"""The command `watch`: start watchers for the workbooks of the command line or the settings."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from sheets_algo.config.settings import FILE, Settings, settings
from sheets_algo.database.wording import count
from sheets_algo.forms.registry import RULESETS, open_forms
from sheets_algo.runtime.event_log import EventLog, log_to
from sheets_algo.runtime.heartbeat import write_heartbeat
from sheets_algo.runtime.locate import RetryNotice, WorkbookRef, file_ref, google_refs, parse_address
from sheets_algo.runtime.supervisor import StatusWriter, Supervisor
from sheets_algo.runtime.watcher import Watcher
from sheets_algo.workbook.base import BadSetting, WorkbookError
from sheets_algo.workbook.google.backoff import Interrupted

PATIENCE_S = 20.0
"""Seconds for which a watcher repeats a failing request before it reports an error and looks less often."""


def watch(
    *,
    workbooks: Sequence[Path | str],
    interval: str | None,
    log_json: bool,
    heartbeat: Path | None,
    metrics: Path | None,
    verbose: bool,
    stop: threading.Event,
    **flags: Any,
) -> None:
    """Watch one workbook or several until stopped."""
    for file, option in ((heartbeat, "--heartbeat"), (metrics, "--metrics")):
        if file is not None and not file.parent.is_dir():
            raise click.BadParameter(f"there is no folder {file.parent}; make it first.", param_hint=option)
    chosen = settings(Path(), {**flags, "interval": interval})
    watchers: dict[str, Watcher] = {}

    def log_retry(id: str, sentence: str) -> None:
        watchers[id].log_retry(sentence)

    with log_to(sys.stderr, as_json=log_json, verbose=verbose):
        try:
            refs = _workbook_refs(workbooks or _configured_workbooks(chosen), chosen, flags, log_retry, stop)
        except Interrupted:
            EventLog().log("stopped", "Stopped.")
            return
        watchers |= {ref.key: Watcher(ref, chosen.interval, stop) for ref in refs}
        writers: list[StatusWriter] = []
        if heartbeat is not None:
            writers.append(lambda watchers: write_heartbeat(heartbeat, watchers, time.time()))
        if metrics is not None:
            from sheets_algo.runtime.metrics import write

            writers.append(lambda watchers: write(metrics, watchers))
        _warn_of_limits(sum(ref.google is not None for ref in refs), chosen)
        Supervisor([*watchers.values()], stop, writers).run()


def _warn_of_limits(spreadsheets: int, chosen: Settings) -> None:
    """Warn if the looks need more reads than are allowed: each idle look is a read."""
    needed = spreadsheets * 60 / chosen.interval
    if needed > chosen.reads:
        message = (
            f"{count(spreadsheets, 'spreadsheet')} every {chosen.interval:g} seconds: looks need {needed:.0f} reads a"
            f" minute, and {chosen.reads} are allowed: each comes after {spreadsheets * 60 / chosen.reads:.0f} seconds."
        )
        EventLog().log("limits", message, logging.WARNING)


def _configured_workbooks(chosen: Settings) -> list[Path | str]:
    """Return the workbooks of the settings."""
    if not chosen.workbooks:
        raise click.UsageError(f'Name a workbook, or list some in {FILE}: workbooks = ["https://docs.google.com/..."].')
    try:
        return [parse_address(address) for address in chosen.workbooks]
    except WorkbookError as error:
        raise BadSetting(f"workbooks: {error}") from error


def _workbook_refs(
    workbooks: Iterable[Path | str],
    chosen: Settings,
    flags: Mapping[str, Any],
    log_retry: RetryNotice,
    stop: threading.Event,
) -> list[WorkbookRef]:
    """Return a reference to each workbook once, files with the settings beside them.

    Raises:
        ConfigError: The tables of a workbook cannot be used, for which waiting would not help.
    """
    unique = list(dict.fromkeys(workbooks))
    ids = [address for address in unique if isinstance(address, str)]
    refs = [file_ref(path, settings(path.parent, flags)) for path in unique if isinstance(path, Path)]
    if ids:
        refs += google_refs(ids, chosen, log_retry, stop, PATIENCE_S)
    for ref in refs:
        open_forms(ref.session.library, RULESETS, ref.session.own_maps)
    return refs
