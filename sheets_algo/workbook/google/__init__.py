"""Google spreadsheets as workbooks: a pass is one read, a commit one look and one write, all of it or none of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sheets_algo.workbook.google.spreadsheet import GoogleWorkbook

__all__ = ["GoogleWorkbook"]


def __getattr__(name: str) -> Any:
    """Google's libraries are loaded when a spreadsheet is opened, not by whoever only asks what an address is."""
    if name != "GoogleWorkbook":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from sheets_algo.workbook.google.spreadsheet import GoogleWorkbook

    return GoogleWorkbook
