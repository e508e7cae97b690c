"""The accounts of a program at Google, each with credentials, a limit of requests, and Drive's reports."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from sheets_algo.workbook.google.changes import FOLDER, AccountChanges, files
from sheets_algo.workbook.google.http.access import Access, find
from sheets_algo.workbook.google.http.api import Api
from sheets_algo.workbook.google.http.backoff import within
from sheets_algo.workbook.google.http.budget import RequestBudget
from sheets_algo.workbook.google.http.errors import DRIVE
from sheets_algo.workbook.google.spreadsheet import GoogleWorkbook
from sheets_algo.workbook.store import OpenOptions

LOGGER = logging.getLogger("sheets_algo")

FIND_S = 600.0
"""Seconds to search for credentials, longer than the search ever takes."""


class GoogleAccount:
    """One account.

    Args:
        file: Its key file; None for the credentials of the machine.
        options: What its spreadsheets are opened with.

    Raises:
        BadCredentials: There are no usable credentials.
        Interrupted: The program was asked to stop while they were searched for.
    """

    def __init__(self, file: Path | None, options: OpenOptions) -> None:
        self._file, self._options = file, options
        # Without a key file, the identity of the machine is used; its search may take long.
        self._access = within(partial(find, file), FIND_S, options.stop)
        name = hashlib.sha256((self._access.email or "").encode()).hexdigest()[:16]
        elsewhere = partial(options.elsewhere, name, options.requests) if options.elsewhere else None
        self._budget = RequestBudget(options.requests, elsewhere=elsewhere)
        self.ids: set[str] = set()
        self._changes = (
            AccountChanges(
                lambda: self._drive,
                options.folder / FOLDER / f"{name}.json",
                interval=options.interval,
                requests=options.requests,
            )
            if options.interval
            else None
        )

    def open(self, ids: Sequence[str]) -> dict[str, GoogleWorkbook]:
        """Return spreadsheets by their ids; they share the requests of the account."""
        self.ids |= set(ids)
        return {
            id: GoogleWorkbook(
                self._api(id, self._access, share), folder=self._options.folder / id, changes=self._changes
            )
            for id, share in zip(ids, self._budget.share(len(ids)), strict=True)
        }

    def files(self) -> Iterator[Mapping[str, Any]]:
        """Yield the spreadsheets that the account can read, as described by Drive.

        Raises:
            WorkbookUnavailable: Drive does not answer; the text gives the reason.
        """
        yield from files(self._drive)

    @cached_property
    def _drive(self) -> Api:
        access = within(partial(find, self._file, service=DRIVE), FIND_S, self._options.stop)
        return self._api("", access, RequestBudget(self._options.requests))

    def _api(self, id: str, access: Access, budget: RequestBudget) -> Api:
        tells = partial(self._options.on_retry, id) if id else LOGGER.debug
        return Api(id, access, budget, patience=self._options.patience_s, stop=self._options.stop, tells=tells)


def divided(ids: Iterable[str], accounts: Sequence[GoogleAccount]) -> Mapping[GoogleAccount, Sequence[str]]:
    """Divide spreadsheets among the accounts that they are shared with, evenly; the first has those of none.

    Raises:
        WorkbookUnavailable: Drive does not report the shares; the text gives the reason.
    """
    shared = {account: {file["id"] for file in account.files()} for account in accounts}
    parts: dict[GoogleAccount, list[str]] = {account: [] for account in accounts}
    for id in ids:
        seeing = [account for account in accounts if id in shared[account]] or accounts[:1]
        least = min(seeing, key=lambda account: len(account.ids) + len(parts[account]))
        parts[least].append(id)
    return parts
