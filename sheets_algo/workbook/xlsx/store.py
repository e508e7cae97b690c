"""The store of XLSX files. Logs, pictures and the secret lie beside the file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from sheets_algo.workbook.errors import BadAddress
from sheets_algo.workbook.store import OpenOptions, Store, Workbook, WorkbookAddress


class XlsxStore(Store):
    """XLSX files, and whatever is typed that no other store knows."""

    ending = ".xlsx"
    takes_rest = True
    no_recalc = ""

    def address(self, typed: str) -> WorkbookAddress:
        """Return the path that a person typed.

        Raises:
            BadAddress: It is a folder.
        """
        path = Path(typed)
        if os.path.isdir(path):  # False if the name is too long
            raise BadAddress(f"File {typed!r} is a directory.")
        return WorkbookAddress(self, str(path), path.parent)

    def open(self, keys: Sequence[str], options: OpenOptions) -> Sequence[Workbook]:
        """Return a workbook for each path."""
        from sheets_algo.workbook.xlsx import XlsxWorkbook

        return [XlsxWorkbook(Path(key), recalc=options.recalc) for key in keys]
