"""The stores, and the one that has a workbook that a person named."""

from __future__ import annotations

from functools import cache
from pkgutil import resolve_name

from sheets_algo.workbook.store import Store, WorkbookAddress

STORES = (
    "sheets_algo.workbook.google.store:GoogleStore",
    "sheets_algo.workbook.xlsx.store:XlsxStore",
)
"""The class of each store. The first that knows an address opens it; the last one takes whatever is left."""


@cache
def stores() -> tuple[Store, ...]:
    """Return the stores in the order in which they are asked."""
    return tuple(resolve_name(name)() for name in STORES)


def is_file_name(typed: str) -> bool:
    """Return True if a text is the name of a store's file or folder, rather than an address or an id."""
    return any(store.knows_file(typed) for store in stores())


def find(typed: str) -> WorkbookAddress:
    """Return the workbook that a person named.

    Raises:
        BadAddress: No store has such a workbook.
    """
    return next(found for store in stores() if (found := store.address(typed)))
