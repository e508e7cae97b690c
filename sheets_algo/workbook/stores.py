"""The installed stores, and the choice of one for a workbook's address.

A store is a class that an entry point of the group `sheets_algo.stores` names.
"""

from __future__ import annotations

from functools import cache

from sheets_algo.plugins import STORES, BadPlugin, Plugin, load, open_each, refusing
from sheets_algo.workbook.errors import BadAddress
from sheets_algo.workbook.store import Store, WorkbookAddress


def stores() -> tuple[Store, ...]:
    """Return the usable stores in the order of queries; the last one takes all remaining addresses."""
    return _loaded()[0]


def store_faults() -> tuple[BadPlugin, ...]:
    """Return the errors of installed stores."""
    return _loaded()[1]


@cache
def _loaded() -> tuple[tuple[Store, ...], tuple[BadPlugin, ...]]:
    """Return the usable stores, and the errors of the others.

    Raises:
        BadPlugin: One of this program's own cannot be loaded.
    """
    loaded, faults = open_each(STORES, _open)
    return tuple(sorted(loaded.values(), key=lambda store: store.takes_rest)), faults


def _open(plugin: Plugin) -> Store:
    kind = load(plugin)
    with refusing(f"{plugin} names {plugin.value}, which cannot be used"):
        store = kind()
    if not isinstance(store, Store):
        raise BadPlugin(f"{plugin} names {plugin.value}, which is not a store.")
    return store


def is_file_name(typed: str) -> bool:
    """Return True if a text is the name of a store's file or folder, rather than an address or an id."""
    return any(store.knows_file(typed) for store in stores())


def find(typed: str) -> WorkbookAddress:
    """Return the address of a workbook from a typed text.

    Raises:
        BadAddress: No store has such a workbook; unusable stores are named too, since it may be theirs.
    """
    try:
        return next(address for store in stores() if (address := store.address(typed)))
    except BadAddress as error:
        raise BadAddress(" ".join(map(str, (error, *store_faults())))) from error
