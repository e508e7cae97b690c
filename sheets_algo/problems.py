"""A problem points at its cell and says what was found and what is allowed, so that a moderator can mend it (DB-08)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice

from sheets_algo.workbook.base import a1


class Severity(Enum):
    """An error keeps a request from being ruled, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Cell:
    """Where a value stands; a whole row when `column` is 0, a whole tab when `row` is 0 too."""

    tab: str
    row: int = 0
    column: int = 0

    def __str__(self) -> str:
        """`Locations!C14`, ready to paste into a spreadsheet's name box."""
        # A tab 1066 or AB12 needs its quotes too: without them it is read as a number or an address.
        tab = self.tab if self.tab.isalpha() else "'" + self.tab.replace("'", "''") + "'"
        if not self.row:
            return tab
        return f"{tab}!{a1(self.row, self.column) if self.column else f'{self.row}:{self.row}'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong.

    Args:
        cell: Where.
        row: The row's name: `Manzikert`.
        column: The column's header: `Climate`.
        says: What is wrong, without the full stop: `"Dry" is not allowed`.
        found: The offending value as text.
        allowed: What would be right, as an order: `Use Ocean, Temperate or Arid`.
        nearest: The allowed value that is most alike, or blank.
        id: The rule.
        severity: Error or warning.
    """

    cell: Cell
    says: str
    id: str
    row: str = ""
    column: str = ""
    found: str = ""
    allowed: str = ""
    nearest: str = ""
    severity: Severity = Severity.ERROR

    @property
    def is_error(self) -> bool:
        """Whether it keeps the request from being ruled."""
        return self.severity is Severity.ERROR

    def __str__(self) -> str:
        """`Locations!C14 (Manzikert, Climate): "Dry" is not allowed. Use Ocean ... or Arctic. [LOC-03]`."""
        named = ", ".join(part for part in (self.row, self.column) if part)
        where = f"{self.cell} ({named})" if named else str(self.cell)
        sentences = [ended(self.says)]
        if self.nearest:
            sentences.append(f'Did you mean "{self.nearest}"?')
        if self.allowed:
            sentences.append(ended(self.allowed))
        warning = "" if self.is_error else "warning: "
        return f"{where}: {warning}{' '.join(sentences)} [{self.id}]"


class Rejected(Exception):
    """A request that cannot be ruled; carries every problem, warnings too."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


def ended(sentence: str) -> str:
    """A sentence with its full stop, if it has no mark at its end."""
    return sentence if sentence.endswith((".", "?")) else sentence + "."


QUOTE_MOST = 80
"""Characters of a cell that a message repeats."""


def shortened(words: str) -> str:
    """A text as a sentence quotes it: on one line, and cut where nobody would read on."""
    line = " ".join(words.split())
    return line if len(line) <= QUOTE_MOST else line[: QUOTE_MOST - 3] + "..."


def quoted(words: str) -> str:
    """`"Dry"`, cut like `shortened`."""
    return f'"{shortened(words)}"'


ROWS_MOST = 5
"""Rows that a message names by number."""


def rows_named(numbers: Iterable[int], count: int) -> str:
    """`row 3`, `rows 3 and 7`, `rows 3, 7, 8, 9, 12 and 988 more`.

    Args:
        numbers: Of the first rows, or of all.
        count: Of all.
    """
    named = [str(number) for number in islice(numbers, ROWS_MOST)]
    if count > len(named):
        named.append(f"{count - len(named):,} more")
    return f"row {named[0]}" if len(named) == 1 else f"rows {', '.join(named[:-1])} and {named[-1]}"


def one_of(values: Sequence[str], most: int = 16) -> str:
    """`Use Ocean, Temperate or Arid`; a long list is shortened and says how many there are."""
    if not values:
        return ""
    if len(values) > most:
        return f"Use one of {len(values)} values: {', '.join(values[:most])} ..."
    if len(values) == 1:
        return f"Use {values[0]}"
    return f"Use {', '.join(values[:-1])} or {values[-1]}"
