"""Google spreadsheets as workbooks: a pass takes one read, a commit one look and one write, which is all or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sheets_algo.workbook.google.spreadsheet import GoogleWorkbook

__all__ = ["GoogleWorkbook"]


def __getattr__(name: str) -> Any:
    """Import GoogleWorkbook on first use, so that parsing an address does not load Google's libraries."""
    if name != "GoogleWorkbook":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from sheets_algo.workbook.google.spreadsheet import GoogleWorkbook

    return GoogleWorkbook
