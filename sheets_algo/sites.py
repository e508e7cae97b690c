"""What a command works on: a file with its folder, or a spreadsheet with the way to Google and a folder of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sheets_algo.library import Library
from sheets_algo.places import Place
from sheets_algo.settings import Settings, is_file_name
from sheets_algo.workbook.base import Workbook
from sheets_algo.workbook.xlsx import XlsxWorkbook

if TYPE_CHECKING:
    from sheets_algo.workbook.google.access import Access
    from sheets_algo.workbook.google.api import Api
    from sheets_algo.workbook.google.budget import Budget

MOST_AT_ONCE = 1_500_000
"""Characters that a pass sends to Google at most, roughly; under 2 MB are advised."""

FIND_S = 600.0
"""How long credentials are looked for: longer than that ever takes."""


@dataclass(frozen=True, slots=True)
class Google:
    """The way to a spreadsheet: requests, whose they are, and how many there may be."""

    api: Api
    access: Access
    budget: Budget


@dataclass(frozen=True, slots=True)
class Site:
    """A workbook with its surroundings.

    Args:
        key: Tells it from every other one: its path or spreadsheet id.
        place: What a pass needs.
        path: The file, if it is one.
        google: The way to Google, if it is a spreadsheet there.
    """

    key: str
    place: Place
    path: Path | None = None
    google: Google | None = None

    def own_maps(self) -> object:
        """What tells the moderator's own maps from themselves before one was added or changed; None without any."""
        try:
            found = [(it.name, it.stat()) for it in self.place.own_maps.iterdir()] if self.place.own_maps else []
        except OSError:
            return None
        return sorted((name, stat.st_mtime_ns, stat.st_size) for name, stat in found)


Tells = Callable[[str, str], None]
"""Hears of which spreadsheet (its id) a request is sent again, and why, in a sentence."""


def named(text: str) -> Path | str:
    """What a person calls a workbook: the path of a file, or the id of a Google spreadsheet.

    Raises:
        BadAddress: An address of something else.
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


def file_site(path: Path, chosen: Settings, recalc: bool = False) -> Site:
    """An XLSX file; logs, pictures and the secret lie beside it.

    Raises:
        ConfigError: The tables are wrong.
    """
    return Site(str(path), _place(XlsxWorkbook(path, recalc=recalc), path.parent, chosen), path)


def google_sites(
    ids: Sequence[str], chosen: Settings, tells: Tells, stop: threading.Event | None = None, patience_s: float = 120
) -> list[Site]:
    """Google spreadsheets of one account, each with a folder of its own and its share of the requests.

    Nothing is asked of Google yet.

    Args:
        ids: Of the spreadsheets.
        chosen: Settings.
        tells: Who hears of requests that are sent again.
        stop: Ends every wait.
        patience_s: How long a request is sent again and again.

    Raises:
        BadCredentials: There are none, or none that can be used.
        ConfigError: The tables are wrong.
        Interrupted: `stop` was set while credentials were looked for.
    """
    from sheets_algo.workbook.google import GoogleWorkbook
    from sheets_algo.workbook.google.access import find
    from sheets_algo.workbook.google.api import Api
    from sheets_algo.workbook.google.backoff import within
    from sheets_algo.workbook.google.budget import Budget

    # Where there is no key file, a machine is asked whether it has an identity; one without may take long to say no.
    access = within(partial(find, chosen.credentials), FIND_S, stop)
    budgets = Budget(chosen.reads, chosen.writes).share(len(ids))
    sites = []
    for id, budget in zip(ids, budgets, strict=True):
        api = Api(id, access, budget, patience=patience_s, stop=stop, tells=partial(tells, id))
        place = _place(GoogleWorkbook(api), chosen.data_folder / id, chosen, MOST_AT_ONCE)
        sites.append(Site(id, place, google=Google(api, access, budget)))
    return sites


def _place(workbook: Workbook, folder: Path, chosen: Settings, most: int | None = None) -> Place:
    return Place(
        workbook=workbook,
        folder=folder,
        library=Library(chosen.config),
        own_maps=chosen.maps,
        log_lines_most=chosen.log_lines,
        is_luck_told=chosen.how_lucky,
        escapes_markup=chosen.escape_markup,
        most=most,
    )
