"""`watch`: from what was typed, and the settings, to watchers at work."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from sheets_algo.heartbeat import beat
from sheets_algo.journals import Journal, kept
from sheets_algo.reports import count
from sheets_algo.rulesets import RULESETS, open_forms
from sheets_algo.settings import FILE, BadSetting, Settings, settings
from sheets_algo.sites import Site, Tells, file_site, google_sites, named
from sheets_algo.supervisor import Sign, Supervisor
from sheets_algo.watcher import Watcher
from sheets_algo.workbook.base import WorkbookError
from sheets_algo.workbook.google.backoff import Interrupted

PATIENCE_S = 20.0
"""How long a watcher sends one request again before it says that something is wrong; then it looks less often."""


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
    """Passes over one workbook or several, until stopped."""
    for file, option in ((heartbeat, "--heartbeat"), (metrics, "--metrics")):
        if file is not None and not file.parent.is_dir():
            raise click.BadParameter(f"there is no folder {file.parent}; make it first.", param_hint=option)
    chosen = settings(Path(), {**flags, "interval": interval})
    watchers: dict[str, Watcher] = {}

    def hears(id: str, sentence: str) -> None:
        watchers[id].hears(sentence)

    with kept(sys.stderr, as_json=log_json, verbose=verbose):
        try:
            sites = _to_watch(workbooks or _listed(chosen), chosen, flags, hears, stop)
        except Interrupted:
            Journal().tell("stopped", "Stopped.")
            return
        watchers |= {site.key: Watcher(site, chosen.interval, stop) for site in sites}
        signs: list[Sign] = []
        if heartbeat is not None:
            signs.append(lambda them: beat(heartbeat, them, time.time()))
        if metrics is not None:
            from sheets_algo.metrics import write

            signs.append(lambda them: write(metrics, them))
        _warn_of_limits(sum(site.google is not None for site in sites), chosen)
        Supervisor([*watchers.values()], stop, signs).run()


def _warn_of_limits(spreadsheets: int, chosen: Settings) -> None:
    """Each idle look is a read: many spreadsheets may need more of them than there are."""
    needed = spreadsheets * 60 / chosen.interval
    if needed > chosen.reads:
        said = (
            f"{count(spreadsheets, 'spreadsheet')} every {chosen.interval:g} seconds: looks need {needed:.0f} reads a"
            f" minute, and {chosen.reads} are allowed: each comes after {spreadsheets * 60 / chosen.reads:.0f} seconds."
        )
        Journal().tell("limits", said, logging.WARNING)


def _listed(chosen: Settings) -> list[Path | str]:
    """The workbooks of the settings."""
    if not chosen.workbooks:
        raise click.UsageError(f'Name a workbook, or list some in {FILE}: workbooks = ["https://docs.google.com/..."].')
    try:
        return [named(it) for it in chosen.workbooks]
    except WorkbookError as error:
        raise BadSetting(f"workbooks: {error}") from error


def _to_watch(
    workbooks: Iterable[Path | str], chosen: Settings, flags: Mapping[str, Any], hears: Tells, stop: threading.Event
) -> list[Site]:
    """Each once, files with the settings beside them; tables that cannot be used are no reason to wait."""
    asked = list(dict.fromkeys(workbooks))
    ids = [it for it in asked if isinstance(it, str)]
    sites = [file_site(it, settings(it.parent, flags)) for it in asked if isinstance(it, Path)]
    if ids:
        sites += google_sites(ids, chosen, hears, stop, PATIENCE_S)
    for site in sites:
        open_forms(site.place.library, RULESETS, site.place.own_maps)
    return sites
