"""The site of the setting `site`, which commands that change a workbook keep current."""

from __future__ import annotations

from dataclasses import replace

from sheets_algo.config.settings import Settings
from sheets_algo.runtime.locate import WorkbookRef


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
