"""The command `verify`."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from sheets_algo.commands.opening import new_session
from sheets_algo.commands.output import ProgressBar, write_file
from sheets_algo.commands.report import Report
from sheets_algo.commands.verification import verification
from sheets_algo.database.problems import count
from sheets_algo.runtime.session.session import Session, opened


def verify(
    *,
    requests: Sequence[str],
    html: Path | None,
    site: Path | None,
    pyodide: Path | None,
    verbose: bool,
    head: str = "",
    **options: Any,
) -> Report:
    """Recompute receipts and report the differences, or write a page for players to do so in a browser."""
    if site is not None:
        if requests or html is not None or head:
            raise click.UsageError("--site verifies nothing here: leave out REQUESTS, --html and --head.")
        return _verify_page(new_session(**options), site, pyodide or Path())
    if pyodide is not None:
        raise click.UsageError("--pyodide needs --site DIR.")

    session = new_session(**options)
    with ProgressBar() as bar:
        outcome = verification(
            session,
            requests,
            on_verdict=lambda verdict, total: bar.update("Verifying", verdict.receipt.request, total),
            head=head,
        )
    report = outcome.report()
    if html is None:
        return report
    from sheets_algo.pages.verdict_page import verdict_page

    write_file("page", html, verdict_page(session.workbook.name, outcome.page))
    page = {"page": str(html)}
    return dataclasses.replace(report, data=report.data | page, asides=(*report.asides, f"page     {html}"))


def _verify_page(session: Session, site: Path, pyodide: Path) -> Report:
    """Write the page on which players verify receipts."""
    from sheets_algo.site.paging import VERIFY_PAGE
    from sheets_algo.site.verify_site import write_verify_page

    made = write_verify_page(session, opened(session), site, pyodide)
    changed = f"{len(made.written):,} written, {len(made.removed):,} removed"
    line = f"page     {site / VERIFY_PAGE} ({count(made.files, 'file')}, {changed})"
    return Report({"page": str(site / VERIFY_PAGE), "site": dataclasses.asdict(made)}, [line])
