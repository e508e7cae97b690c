"""The store of Google spreadsheets. Imports nothing that loads slowly before a spreadsheet is opened."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from sheets_algo.workbook.errors import BadAddress
from sheets_algo.workbook.google.address import spreadsheet_id
from sheets_algo.workbook.store import OpenOptions, Store, Workbook, WorkbookAddress
from sheets_algo.workbook.stores import is_file_name

if TYPE_CHECKING:
    from sheets_algo.workbook.google.accounts import GoogleAccount


class GoogleStore(Store):
    """Google spreadsheets, each with a folder for its files below that of the settings."""

    is_online = True
    no_recalc = "Google calculates its formulas itself; leave this option out."

    def __init__(self) -> None:
        self._watching: dict[Path | None, GoogleAccount] = {}

    def address(self, typed: str) -> WorkbookAddress | None:
        """Return the spreadsheet with an address or id, or None for the name of a file; the folder is the current one.

        Raises:
            BadAddress: It is an address of something else.
        """
        if is_file_name(typed) or Path(typed).is_file():
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

        With several accounts each spreadsheet belongs to one that it is shared with, by Drive's answer.

        Raises:
            BadCredentials: There are no usable credentials.
            Interrupted: `stop` was set while credentials were searched for.
            WorkbookUnavailable: Drive does not report the shares of a spreadsheet.
        """
        from sheets_algo.workbook.google.accounts import divided

        accounts = self._accounts(options)
        parts = divided(keys, accounts) if len(accounts) > 1 else {accounts[0]: keys}
        workbooks = {key: book for account, ids in parts.items() for key, book in account.open(ids).items()}
        return [workbooks[key] for key in keys]

    def shared(self, options: OpenOptions) -> Sequence[tuple[str, str, bool]]:
        """Return the spreadsheets that any of the accounts can read.

        Raises:
            WorkbookUnavailable: Drive does not answer; the text gives the reason.
        """
        files = [
            (file["id"], file.get("modifiedTime", ""), bool(file.get("capabilities", {}).get("canEdit")))
            for account in self._accounts(options)
            for file in account.files()
        ]
        return [*{file[0]: file for file in sorted(files, key=itemgetter(2))}.values()]

    def _accounts(self, options: OpenOptions) -> Sequence[GoogleAccount]:
        """Return the accounts of the key files, cached for a watcher."""
        from sheets_algo.workbook.google.accounts import GoogleAccount

        files = options.credentials if isinstance(options.credentials, tuple) else (options.credentials,)
        if not options.interval and not options.elsewhere:
            return [GoogleAccount(file, options) for file in files]
        self._watching |= {file: GoogleAccount(file, options) for file in files if file not in self._watching}
        return [self._watching[file] for file in files]
