"""References to workbooks: a file with its folder, or a Google spreadsheet with its access and a data folder."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sheets_algo.config.loader import ConfigLoader
from sheets_algo.config.settings import Settings, is_file_name
from sheets_algo.runtime.session import Session
from sheets_algo.workbook.base import Workbook
from sheets_algo.workbook.xlsx import XlsxWorkbook

if TYPE_CHECKING:
    from sheets_algo.workbook.google.access import Access
    from sheets_algo.workbook.google.api import Api
    from sheets_algo.workbook.google.budget import RequestBudget

MOST_AT_ONCE = 1_500_000
"""Approximate maximum of characters that a pass sends to Google; less than 2 MB is recommended."""

FIND_S = 600.0
"""Seconds to search for credentials, longer than the search ever takes."""


@dataclass(frozen=True, slots=True)
class GoogleRef:
    """Access to a Google spreadsheet: its API client, its credentials and its budget of requests."""

    api: Api
    access: Access
    budget: RequestBudget


@dataclass(frozen=True, slots=True)
class WorkbookRef:
    """A workbook with everything that commands need to work on it.

    Args:
        key: The unique key of the workbook: its path or spreadsheet id.
        session: The session that a pass needs.
        path: The path of an XLSX file, else None.
        google: The access to a Google spreadsheet, else None.
    """

    key: str
    session: Session
    path: Path | None = None
    google: GoogleRef | None = None

    def own_maps(self) -> object:
        """Return a value that changes when a map in the moderator's own folder changes; None without such a folder."""
        try:
            folder = self.session.own_maps
            found = [(file.name, file.stat()) for file in folder.iterdir()] if folder else []
        except OSError:
            return None
        return sorted((name, stat.st_mtime_ns, stat.st_size) for name, stat in found)


RetryNotice = Callable[[str, str], None]
"""Called when a request is sent again, with the id of the spreadsheet and a sentence with the reason."""


def parse_address(text: str) -> Path | str:
    """Return the workbook that a person named: the path of a file, or the id of a Google spreadsheet.

    Raises:
        BadAddress: The text is an address of something else.
    """
    if is_file_name(text) or Path(text).exists():
        return Path(text)
    from sheets_algo.workbook.google.address import BadAddress, spreadsheet_id

    found = spreadsheet_id(text)
    if found is None and ":/" in text:
        raise BadAddress(
            f"{text}: this address is not one of Google Sheets. Name a .xlsx file, or a spreadsheet by its address"
            " (https://docs.google.com/spreadsheets/d/...)."
        )
    return found or Path(text)


def file_ref(path: Path, chosen: Settings, recalc: bool = False) -> WorkbookRef:
    """Return the reference to an XLSX file; logs, pictures and the secret lie beside it.

    Raises:
        ConfigError: The tables are invalid.
    """
    return WorkbookRef(str(path), _session(XlsxWorkbook(path, recalc=recalc), path.parent, chosen), path)


def google_refs(
    ids: Sequence[str],
    chosen: Settings,
    tells: RetryNotice,
    stop: threading.Event | None = None,
    patience_s: float = 120,
) -> list[WorkbookRef]:
    """Return references to spreadsheets of one Google account, each with a data folder and a share of the requests.

    No request is sent to Google yet.

    Args:
        ids: The ids of the spreadsheets.
        chosen: The settings.
        tells: The callback for requests that are sent again.
        stop: The event that ends every wait.
        patience_s: The seconds for which a failing request is repeated.

    Raises:
        BadCredentials: There are no usable credentials.
        ConfigError: The tables are invalid.
        Interrupted: `stop` was set while credentials were searched for.
    """
    from sheets_algo.workbook.google import GoogleWorkbook
    from sheets_algo.workbook.google.access import find
    from sheets_algo.workbook.google.api import Api
    from sheets_algo.workbook.google.backoff import within
    from sheets_algo.workbook.google.budget import RequestBudget

    # Without a key file, the machine is asked for its identity; a machine that has none may take long to answer.
    access = within(partial(find, chosen.credentials), FIND_S, stop)
    budgets = RequestBudget(chosen.reads, chosen.writes).share(len(ids))
    refs = []
    for id, budget in zip(ids, budgets, strict=True):
        api = Api(id, access, budget, patience=patience_s, stop=stop, tells=partial(tells, id))
        session = _session(GoogleWorkbook(api), chosen.data_folder / id, chosen, MOST_AT_ONCE)
        refs.append(WorkbookRef(id, session, google=GoogleRef(api, access, budget)))
    return refs


def _session(workbook: Workbook, folder: Path, chosen: Settings, most: int | None = None) -> Session:
    return Session(
        workbook=workbook,
        folder=folder,
        library=ConfigLoader(chosen.config),
        own_maps=chosen.maps,
        log_lines_most=chosen.log_lines,
        is_luck_told=chosen.how_lucky,
        escapes_markup=chosen.escape_markup,
        most=most,
    )
