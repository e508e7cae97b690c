"""Translation of a template's addresses to a spreadsheet whose tabs and columns people have renamed and moved."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from sheets_algo.workbook.addresses import column_number, letters
from sheets_algo.workbook.google.init.current_template import CurrentTab
from sheets_algo.workbook.google.read.titles import quoted
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.template_spec import AreaSpec, fixed

_REFERENCE = re.compile(
    r"(?P<tab>'(?:[^']|'')+'|[A-Za-z]+)!"
    r"\$(?P<left>[A-Z]+)\$(?P<top>\d+)(?::\$(?P<right>[A-Z]+)\$(?P<bottom>\d+))?"
)
"""An address as a template's formulas write it: with a tab, and absolute."""
_QUOTED = re.compile(r"""("[^"]*"|'[^']*')""")
_COUNTED = re.compile(r"\{1(?:,\d+)*,(\d+)\}")
"""An array of the first numbers, as a formula writes it: `{1,2,3}`."""


@dataclass(frozen=True, slots=True)
class Places:
    """The places of a template's tabs and columns in a spreadsheet."""

    tabs: Mapping[TabKey, CurrentTab]  # The current tab for each tab of the template

    def address(self, area: AreaSpec, *, is_open: bool = False) -> str | None:
        """Return the current address of an area, as `'War Requests'!$A$2:$A$206`; None if the tab lacks the column.

        Args:
            area: The area as the template has it.
            is_open: Extend the area to the last row, now and later: `'War Requests'!$A$2:$A`.
        """
        (top, left), (bottom, right) = area.first, area.last
        first, last = self._cell(area.tab, top, left), self._cell(area.tab, bottom, right)
        if first is None or last is None:
            return None
        return (
            f"{quoted(self.tabs[area.tab].title)}!{first}:{last.rstrip('0123456789').rstrip('$') if is_open else last}"
        )

    def formula(self, text: str) -> str | None:
        """Return a formula with its current addresses; None if one of them does not exist."""
        missing: list[str] = []

        def translate(match: re.Match[str]) -> str:
            tab = TabKey.named(match["tab"].strip("'").replace("''", "'"))
            first = self._cell(tab, int(match["top"]), column_number(match["left"]))
            last = self._cell(tab, int(match["bottom"]), column_number(match["right"])) if match["right"] else ""
            if first is None or last is None:
                missing.append(match[0])
                return match[0]
            title = quoted(self.tabs[tab].title)
            return f"{title}!{first}:{last}" if last else f"{title}!{first}"

        translated = _REFERENCE.sub(translate, text)
        return None if missing else translated

    def _cell(self, tab: TabKey, row: int, column: int) -> str | None:
        """Return a cell's current address, as `$C$14`: headers may be farther down than in row 1."""
        current = self.tabs[tab]
        number = current.places.get(column)
        return None if number is None else fixed(row + max(current.header_row, 1) - 1, number)


def in_every_locale(formula: str) -> str:
    """Return a formula that Google reads the same way in every locale.

    Where people write 0,5 a comma between arguments is an error, through the API too; semicolons are read everywhere.
    Values of an array in braces have no common separator, so the numbers from 1 on are counted as columns.
    """
    parts = _QUOTED.split(formula)  # every second part is quoted
    for number in range(0, len(parts), 2):
        counted = _COUNTED.sub(lambda match: f"COLUMN($A$1:${letters(int(match[1]))}$1)", parts[number])
        parts[number] = counted.replace(",", ";")
    return "".join(parts)
