"""Years in which the units of the catalogue fought, as its remark states them: `cav, 315 BC–107 BC`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

REMARK = "Slot, era"
_YEARS = re.compile(r"(\d+)( BC)?–(\d+)( BC)?$")


def periods_of(units: Sequence[Mapping[str, Any]]) -> dict[str, tuple[int, int]]:
    """Return first and last year of each unit that has them, by name; years BC are negative.

    Args:
        units: The rows of the catalogue as in its file.
    """
    matches = {str(unit["Name"]): _YEARS.search(unit.get(REMARK, "")) for unit in units}
    return {
        name: (-int(years[1]) if years[2] or years[4] else int(years[1]), -int(years[3]) if years[4] else int(years[3]))
        for name, years in matches.items()
        if years
    }
