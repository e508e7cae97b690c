"""Where a pass works: a workbook with its surroundings, and what is known once it is read."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engine.fields import tab_of
from sheets_algo import season
from sheets_algo.changes import Changes
from sheets_algo.desk import HEADERS_TO_READ, tabs_to_read
from sheets_algo.forms.base import Form
from sheets_algo.ledger import ReceiptBook
from sheets_algo.library import Library
from sheets_algo.rulesets import RULESETS, open_forms
from sheets_algo.seeds import Secret
from sheets_algo.template.parts import BATTLE_MAP
from sheets_algo.workbook.base import Snapshot, Workbook, WorkbookError


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where things lie and what they are made with.

    Args:
        workbook: The spreadsheet.
        folder: Beside it: logs, pictures and the season secret.
        library: Tables, rulebook, packaged maps.
        own_maps: A moderator's maps folder.
        log_lines_most: Of one ruling in the Log tab.
        is_luck_told: A ruling's log ends with how lucky it was.
        escapes_markup: A season that begins here shows markup in names as it was typed.
        most: Characters that one pass writes, roughly, before it leaves the rest to the next; None for all at once.
        clock: The time now, UTC and aware.
    """

    workbook: Workbook
    folder: Path
    library: Library
    own_maps: Path | None = None
    log_lines_most: int = 500
    is_luck_told: bool = False
    escapes_markup: bool = True
    most: int | None = None
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)

    def now(self) -> str:
        """UTC, ISO 8601, to the second."""
        return self.clock().strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True, slots=True)
class Opened:
    """A snapshot with the forms of the rulesets it plays by."""

    snapshot: Snapshot
    forms: tuple[Form[Any], ...]
    receipts: ReceiptBook

    def form(self, key: str) -> Form[Any] | None:
        """The form of one ruleset, if the workbook has its request tab."""
        return next((form for form in self.forms if form.key == key), None)


NEEDS = {
    tab_of(form.request).name: [tab_of(it).name for it in form.database if not tab_of(it).optional] for form in RULESETS
}
"""The request tab of each ruleset to the database tabs without which nothing can be ruled."""


class NoRequestTab(WorkbookError):
    """A workbook in which nobody can ask for a ruling."""


def drop_unused_secret(place: Place, secret: Secret, error: WorkbookError) -> None:
    """Delete a secret that was just made, if the disk has refused the write it was made for.

    Only a file is refused so, and it is asked once more: a season without its secret could not go on.
    """
    if not isinstance(error.__cause__, OSError):
        return
    with suppress(WorkbookError):
        if not opened(place, begins=True).receipts.receipts.season:
            season.drop(place.folder, secret)


def opened(place: Place, *, begins: bool = False) -> Opened:
    """Read the workbook and build what its rulesets need.

    Args:
        place: Workbook and surroundings.
        begins: It need not have a request tab yet.

    Raises:
        WorkbookUnavailable: It cannot be read.
        NoRequestTab: It is no map game's.
        ConfigError: A table file is wrong.
        ReceiptDamaged: A receipt was changed by hand.
    """
    snapshot = place.workbook.read(tabs_to_read(RULESETS), (*HEADERS_TO_READ, BATTLE_MAP), NEEDS)
    chosen = [form for form in RULESETS if snapshot.sheet(tab_of(form.request).name)]
    if not chosen and not begins:
        names = " or ".join(tab_of(form.request).name for form in RULESETS)
        raise NoRequestTab(f"{place.workbook.name}: it has no tab {names}; add one with init, or name another file.")
    forms = open_forms(place.library, chosen, place.own_maps)
    return Opened(snapshot, forms, ReceiptBook(snapshot, Changes()))
