"""Settings, workbook and session of a command, from its options, and the site that a session keeps current."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from sheets_algo.config.settings import Settings, settings
from sheets_algo.runtime.locate import WorkbookRef, open_workbooks
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.redact import one_line
from sheets_algo.workbook.store import WorkbookAddress


def workbook_ref(*, workbook: WorkbookAddress, recalc: bool = False, **flags: Any) -> WorkbookRef:
    """Return the workbook with its session, by the options and the settings of its folder."""
    refuse_recalc(workbook, recalc)
    chosen = settings(workbook.folder, flags)
    return with_site(open_workbooks([workbook], chosen, recalc=recalc, on_retry=_print_retry)[0], chosen)


def chosen_settings(*, workbook: WorkbookAddress, recalc: bool = False, **flags: Any) -> Settings:
    """Return the settings of the workbook's folder, overridden by options."""
    return settings(workbook.folder, flags)


def refuse_recalc(workbook: WorkbookAddress, recalc: bool) -> None:
    """Raise click.BadParameter if LibreOffice cannot recalculate workbooks of this store."""
    if recalc and workbook.store.no_recalc:
        raise click.BadParameter(workbook.store.no_recalc, param_hint="--recalc")


def new_session(**options: Any) -> Session:
    """Return the session of the named workbook."""
    return workbook_ref(**options).session


def _print_retry(id: str, sentence: str) -> None:
    """Print the reason for repeating a request to Google, since a person is waiting."""
    click.echo(one_line(sentence), err=True)


def with_site(ref: WorkbookRef, chosen: Settings) -> WorkbookRef:
    """Return a reference whose session writes the configured site, if any, after each commit.

    Raises:
        BadSetting: A setting names a ruleset that does not exist.
    """
    if chosen.site is None:
        return ref
    from sheets_algo.site.build import site_options, site_writer  # heavy import that few commands need

    writer = site_writer(ref.session, site_options(chosen, chosen.site))
    return replace(ref, session=replace(ref.session, page_writers=(*ref.session.page_writers, writer)))
