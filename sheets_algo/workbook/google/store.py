"""The store of Google spreadsheets. Imports nothing that loads slowly before a spreadsheet is opened."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sheets_algo.workbook.errors import BadAddress
from sheets_algo.workbook.google.address import spreadsheet_id
from sheets_algo.workbook.store import OpenOptions, Store, Workbook, WorkbookAddress
from sheets_algo.workbook.stores import is_file_name

if TYPE_CHECKING:
    from sheets_algo.workbook.google.changes import AccountChanges

FIND_S = 600.0
"""Seconds to search for credentials, longer than the search ever takes."""


class GoogleStore(Store):
    """Google spreadsheets, each with a folder for its files below that of the settings."""

    is_online = True
    no_recalc = "Google calculates its formulas itself; leave this option out."

    def address(self, typed: str) -> WorkbookAddress | None:
        """Return the spreadsheet with an address or id, or None for the name of a file; the folder is the current one.

        Raises:
            BadAddress: It is an address of something else.
        """
        if is_file_name(typed) or Path(typed).exists():
            return None
        id = spreadsheet_id(typed)
        if id is None and ":/" in typed:
            raise BadAddress(
                f"{typed}: this address is not one of Google Sheets. Name a .xlsx file, or a spreadsheet by its address"
                " (https://docs.google.com/spreadsheets/d/...)."
            )
        return WorkbookAddress(self, id, Path()) if id else None

    def open(self, keys: Sequence[str], options: OpenOptions) -> Sequence[Workbook]:
        """Return spreadsheets of one account, which share its requests; none is sent yet.

        Raises:
            BadCredentials: There are no usable credentials.
            Interrupted: `stop` was set while credentials were searched for.
        """
        from sheets_algo.workbook.google import GoogleWorkbook
        from sheets_algo.workbook.google.http.access import find
        from sheets_algo.workbook.google.http.api import Api
        from sheets_algo.workbook.google.http.backoff import within
        from sheets_algo.workbook.google.http.budget import RequestBudget

        # Without a key file, the machine is asked for its identity; a machine that has none may take long to answer.
        access = within(partial(find, options.credentials), FIND_S, options.stop)
        budgets = RequestBudget(options.requests).share(len(keys))
        changes = self._changes(keys, access.email or "", options) if options.too_many(len(keys)) else None

        def api(key: str, budget: RequestBudget) -> Api:
            tells = partial(options.on_retry, key)
            return Api(key, access, budget, patience=options.patience_s, stop=options.stop, tells=tells)

        return [
            GoogleWorkbook(api(key, budget), folder=options.folder / key, changes=changes)
            for key, budget in zip(keys, budgets, strict=True)
        ]

    def _changes(self, keys: Sequence[str], account: str, options: OpenOptions) -> AccountChanges:
        """Return the one that asks Drive for all spreadsheets of an account which of them changed."""
        from sheets_algo.workbook.google.changes import FOLDER, AccountChanges
        from sheets_algo.workbook.google.http.access import find
        from sheets_algo.workbook.google.http.api import Api
        from sheets_algo.workbook.google.http.budget import RequestBudget
        from sheets_algo.workbook.google.http.errors import DRIVE

        access = find(options.credentials, service=DRIVE)
        api = Api("", access, RequestBudget(options.requests), patience=options.patience_s, stop=options.stop)
        file = options.folder / FOLDER / f"{hashlib.sha256(account.encode()).hexdigest()[:16]}.json"
        return AccountChanges(api, keys, file, interval=options.interval, requests=options.requests)
