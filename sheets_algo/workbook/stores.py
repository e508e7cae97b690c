"""The stores that are installed, and the one that has a workbook that a person named.

A store is a class that an entry point of the group `sheets_algo.stores` names.
"""

from __future__ import annotations

from functools import cache

from sheets_algo.plugins import STORES, load, plugins
from sheets_algo.workbook.store import Store, WorkbookAddress


@cache
def stores() -> tuple[Store, ...]:
    """Return the stores in the order in which they are asked; the last one takes whatever is left.

    Raises:
        BadPlugin: One cannot be loaded.
    """
    return tuple(sorted((load(plugin)() for plugin in plugins(STORES).values()), key=lambda store: store.takes_rest))


def is_file_name(typed: str) -> bool:
    """Return True if a text is the name of a store's file or folder, rather than an address or an id."""
    return any(store.knows_file(typed) for store in stores())


def find(typed: str) -> WorkbookAddress:
    """Return the workbook that a person named.

    Raises:
        BadAddress: No store has such a workbook.
    """
    return next(address for store in stores() if (address := store.address(typed)))
