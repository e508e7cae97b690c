"""The site of the setting `site`, which commands that change a workbook keep current."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sheets_algo.config.settings import Settings
from sheets_algo.database.problems import shortened
from sheets_algo.runtime.locate import WorkbookRef
from sheets_algo.runtime.session.session import Session

NOT_CURRENT = "The site in {} is not current ({}); the workbook is written. Use season --site to write it."


def with_site(ref: WorkbookRef, chosen: Settings) -> WorkbookRef:
    """Return a reference whose session writes the site of the settings after each commit, if there is one.

    Raises:
        BadSetting: A setting names a ruleset that does not exist.
    """
    if chosen.site is None:
        return ref
    from sheets_algo.site.build import site_options, site_writer  # imports much, for few

    writer = site_writer(ref.session, site_options(chosen, chosen.site))
    return replace(ref, session=replace(ref.session, on_committed=(*ref.session.on_committed, writer)))


def site_after_undo(session: Session, chosen: Settings) -> Iterator[str]:
    """Write the site of the settings, if there is one; yield a sentence if that fails."""
    if chosen.site is None:
        return
    from sheets_algo.site.build import site_options, site_writer

    try:
        site_writer(session, site_options(chosen, chosen.site))(None)
    except Exception as error:  # what was undone stands
        yield NOT_CURRENT.format(chosen.site, shortened(str(error)))
