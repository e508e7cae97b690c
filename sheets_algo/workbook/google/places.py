"""From the addresses of a template to those of a spreadsheet whose tabs and columns people have renamed and moved."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from sheets_algo.template.parts import Area, fixed
from sheets_algo.workbook.base import letters
from sheets_algo.workbook.google.standing import Standing
from sheets_algo.workbook.google.titles import quoted

_REFERENCE = re.compile(
    r"(?P<tab>'(?:[^']|'')+'|[A-Za-z]+)!"
    r"\$(?P<left>[A-Z]+)\$(?P<top>\d+)(?::\$(?P<right>[A-Z]+)\$(?P<bottom>\d+))?"
)
"""As a template's formulas write them: with a tab, and fixed."""
_QUOTED = re.compile(r"""("[^"]*"|'[^']*')""")
_COUNTED = re.compile(r"\{1(?:,\d+)*,(\d+)\}")
"""`{1,2,3}`"""


@dataclass(frozen=True, slots=True)
class Places:
    """Where everything stands.

    Args:
        tabs: Name of a tab of the template to what stands there.
    """

    tabs: Mapping[str, Standing]

    def address(self, area: Area, *, is_open: bool = False) -> str | None:
        """`'War Requests'!$A$2:$A$206` as it stands; None if the tab lacks the column.

        Args:
            area: As the template has it.
            is_open: Down to the last row, however many there are or will be: `'War Requests'!$A$2:$A`.
        """
        (top, left), (bottom, right) = area.first, area.last
        first, last = self._cell(area.tab, top, left), self._cell(area.tab, bottom, right)
        if first is None or last is None:
            return None
        return (
            f"{quoted(self.tabs[area.tab].title)}!{first}:{last.rstrip('0123456789').rstrip('$') if is_open else last}"
        )

    def formula(self, text: str) -> str | None:
        """A formula with all its addresses as they stand; None if one of them is not there."""
        missing: list[str] = []

        def moved(found: re.Match[str]) -> str:
            tab = found["tab"].strip("'").replace("''", "'")
            first = self._cell(tab, int(found["top"]), _column(found["left"]))
            last = self._cell(tab, int(found["bottom"]), _column(found["right"])) if found["right"] else ""
            if first is None or last is None:
                missing.append(found[0])
                return found[0]
            title = quoted(self.tabs[tab].title)
            return f"{title}!{first}:{last}" if last else f"{title}!{first}"

        done = _REFERENCE.sub(moved, text)
        return None if missing else done

    def _cell(self, tab: str, row: int, column: int) -> str | None:
        """`$C$14`: headers may stand farther down than in row 1."""
        it = self.tabs[tab]
        at = it.places.get(column)
        return None if at is None else fixed(row + max(it.header_row, 1) - 1, at)


def in_every_locale(formula: str) -> str:
    """A formula that Google reads in each locale alike.

    Where people write 0,5 a comma between arguments is an error, through the API too; semicolons are read everywhere.
    Values of an array in braces have no such sign, so the numbers from 1 on are counted as columns.
    """
    parts = _QUOTED.split(formula)  # words in quotes are every second one
    for number in range(0, len(parts), 2):
        counted = _COUNTED.sub(lambda found: f"COLUMN($A$1:${letters(int(found[1]))}$1)", parts[number])
        parts[number] = counted.replace(",", ";")
    return "".join(parts)


def _column(letters: str) -> int:
    """`_column("AB") == 28`."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number
