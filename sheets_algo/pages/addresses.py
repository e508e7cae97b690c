"""Addresses of pages: permanent names that every file system and web server accepts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from engine.columns import loosely

LONGEST = 60
"""Maximum number of characters of an address without its ending."""
PORTS = tuple(f"{port}{number}" for port in ("com", "lpt") for number in range(10))
RESERVED = ("index", "con", "prn", "aux", "nul", *PORTS)
"""Reserved addresses: those of lists, and those of Windows."""


def addresses(names: Iterable[str]) -> dict[str, str]:
    """Return an address for each name, in lower case; of equal ones the first keeps it.

    Args:
        names: Names in the order of the season, so that a later one changes no earlier address.
    """
    by_name: dict[str, str] = {}
    taken = set(RESERVED)
    counts: dict[str, int] = {}
    for name in dict.fromkeys(names):
        plain = unicodedata.normalize("NFKD", name[:1_000]).encode("ascii", "ignore").decode().casefold()
        stem = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST].strip("-") or "page"
        address = stem
        while address in taken:
            counts[stem] = counts.get(stem, 1) + 1
            address = f"{stem}-{counts[stem]}"
        taken.add(address)
        by_name[name] = address
    return by_name


def war_addresses(rulings: Iterable[tuple[int, str]]) -> Mapping[int, str]:
    """Return the address of each ruling's page by the number of its receipt; a second ruling of a war has another.

    Args:
        rulings: Number and request of each ruling that everybody may read, in order.
    """
    times: dict[str, int] = {}
    names: dict[int, str] = {}
    for seq, request in rulings:
        number = times[loosely(request)] = times.get(loosely(request), 0) + 1
        names[seq] = request if number == 1 else f"{request} {number}"
    by_name = addresses(names.values())
    return {seq: by_name[name] for seq, name in names.items()}
