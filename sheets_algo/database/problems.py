"""Problems of cells, each with its address, the found value and the allowed ones (DB-08); numbers in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import Any

from engine.columns import column, tab_of
from sheets_algo.database.cell_text import as_text
from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.values import Plain

CELL_MOST = 16_000
"""Most characters of a long text in one cell; XLSX allows 32,767 UTF-16 units, of which a character may take two."""


def count(number: int, what: str) -> str:
    """Return a count with its noun: `1 request`, `1,000 requests`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def counted(problems: Sequence[Problem], joined: str = ", ") -> str:
    """Return a count of errors, warnings and, if there are any, notes: `1 error, 0 warnings`."""
    numbers = Counter(problem.severity for problem in problems)
    severities = [severity for severity in Severity if severity is not Severity.NOTE or numbers[severity]]
    return joined.join(count(numbers[severity], severity.value) for severity in severities)


def enumeration(names: Sequence[str]) -> str:
    """Return names as an enumeration: `Nations, Militaries and Units`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def shorten_list(items: Sequence[str], most: int, more: str = "and {:,} more") -> tuple[str, ...]:
    """Return the first items, and `more` with the number of omitted ones."""
    return (*items[:most], *([more.format(len(items) - most)] if len(items) > most else ()))


def value_text(value: Plain) -> str:
    """Return a cell's value as text, `blank` for an empty one."""
    return as_text(value) or "blank"


def cell_text(lines: Sequence[object], more: str) -> str:
    """Join lines for one cell; a last line counts those that do not fit.

    Args:
        lines: The lines, the most important first.
        more: The last line, with `{}` for the number of lines left out.
    """
    kept: list[str] = []
    room = CELL_MOST - len(more) - 20
    for line in map(str, lines):
        if room < len(line):
            kept.append(more.format(len(lines) - len(kept)))
            break
        room -= len(line) + 1
        kept.append(line)
    return "\n".join(kept)


def message(problems: Sequence[Problem], first: str = "", remarks: Sequence[str] = ()) -> str:
    """Return a request's Message: the result if any, remarks, and a line for each problem, errors first."""
    lines = [line for line in (first, *remarks) if line]
    each = sorted(dict.fromkeys(problems), key=lambda problem: problem.severity is not Severity.ERROR)
    return cell_text([*lines, *each], "... and {} more; the command check names them")


def amount(value: float) -> str:
    """Return a number for a table: `1,234`, `8.5`, `1.36`."""
    if value == round(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:,.1f}" if abs(value) >= 10 else f"{value:.2f}".rstrip("0").rstrip(".")


def year_text(year: int) -> str:
    """Return a year as people write it."""
    return f"{year}" if year >= 0 else f"{-year} BC"


CellName = tuple[str, str, str]
"""A cell of the database by tab, name of the row and header."""


@dataclass(frozen=True, slots=True)
class LapseCause:
    """The cells that make an order impossible."""

    cells: tuple[CellName, ...]
    lasts: bool = False  # True if it counts whenever a ruling wrote them; False if only in the turn of the order
    # True if an order used something up whatever its luck, so that `check` reports it in advance.
    is_used_up: bool = False
    # The value at the beginning of the turn under which the order was possible; None for any.
    least: float | None = None


@dataclass(frozen=True, slots=True)
class CauseKind:
    """A kind of cause, which a ruleset declares once."""

    record: type  # The record class of the database tab
    attributes: Sequence[str]  # The attributes of the cells
    lasts: bool = False  # As in `LapseCause`
    is_used_up: bool = False  # As in `LapseCause`
    # Returns the reason why the record of the row is out of the game, a clause; blank if it is not. None: it never is.
    gone: Callable[[Any], str] | None = None

    def of(self, name: str, least: float | None = None) -> LapseCause:
        """Return the cause in the row with a name."""
        tab = tab_of(self.record).name
        headers = (column(self.record, attribute).header for attribute in self.attributes)
        return LapseCause(tuple((tab, name, header) for header in headers), self.lasts, self.is_used_up, least)


class Severity(Enum):
    """Severity of a problem: an error prevents a request from being ruled, a warning does not.

    A note says that a value changes nothing; only `check` reports notes.
    """

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class CellRef:
    """Address of a cell; of a whole row if `column` is 0, of a whole tab if `row` is 0 too."""

    tab: str
    row: int = 0
    column: int = 0

    def __str__(self) -> str:
        """Return `Locations!C14`, as a spreadsheet's name box accepts it."""
        # A tab named 1066 or AB12 would be read as a number or an address without quotes.
        tab = self.tab if self.tab.isalpha() else "'" + self.tab.replace("'", "''") + "'"
        if not self.row:
            return tab
        return f"{tab}!{a1(self.row, self.column) if self.column else f'{self.row}:{self.row}'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One error or warning about a cell, a row or a tab."""

    cell: CellRef  # The address of the cell
    says: str  # The description of the error, without the full stop: `"Dry" is not allowed`
    id: str  # The id of the violated rule
    row: str = ""  # The row's name: `Manzikert`
    column: str = ""  # The column's header: `Climate`
    value: str = ""  # The invalid value as text
    allowed: str = ""  # The instruction for a correction: `Use Ocean, Temperate or Arid`
    nearest: str = ""  # The allowed value that is most similar, or blank
    severity: Severity = Severity.ERROR  # The severity, error, warning or note
    is_pending: bool = False  # True if the cell may change soon by itself, such as a formula that is loading
    # Its cause in the database, if a ruling may have written it there (REQ-18).
    cause: LapseCause | None = None

    @property
    def is_error(self) -> bool:
        """Return True if the problem prevents the request from being ruled."""
        return self.severity is Severity.ERROR

    def __str__(self) -> str:
        """Return `Locations!C14 (Manzikert, Climate): "Dry" is not allowed. Use Ocean ... or Arctic. [LOC-03]`."""
        names = ", ".join(part for part in (self.row, self.column) if part)
        location = f"{self.cell} ({names})" if names else str(self.cell)
        sentences = [ended(self.says)]
        if self.nearest:
            sentences.append(f'Did you mean "{self.nearest}"?')
        if self.allowed:
            sentences.append(ended(self.allowed))
        severity = "" if self.is_error else f"{self.severity.value}: "
        return f"{location}: {severity}{' '.join(sentences)} [{self.id}]"


class Rejected(Exception):
    """A request that cannot be ruled, with all its problems, warnings included.

    Args:
        dead_leaders: As of `FormResult`.
    """

    def __init__(self, problems: Iterable[Problem], dead_leaders: Iterable[Any] = ()) -> None:
        self.problems = tuple(problems)
        self.dead_leaders = tuple(dead_leaders)
        super().__init__(self.problems)

    def __str__(self) -> str:
        """Return a line for each problem."""
        return "\n".join(map(str, self.problems))


PROBLEMS_TOLD = 200
"""Maximum number of problems that a command or a log lists one by one."""
PROBLEMS_COUNTED = 10_000
"""Maximum number of problems to collect; a file with more is mended in steps."""


def problem_lines(problems: Sequence[object]) -> Iterator[str]:
    """Yield a line for each of the first problems, and one that counts the others."""
    yield from map(str, problems[:PROBLEMS_TOLD])
    if len(problems) > PROBLEMS_TOLD:
        yield f"... and {len(problems) - PROBLEMS_TOLD:,} more."


def ended(sentence: str) -> str:
    """Return a sentence with a full stop, unless it ends with a full stop or question mark."""
    return sentence if sentence.endswith((".", "?")) else sentence + "."


QUOTE_MOST = 80
"""Maximum number of characters of a cell's text in a message."""


def shortened(text: str) -> str:
    """Return a text on one line, cut to `QUOTE_MOST` characters."""
    line = " ".join(text.split())
    return line if len(line) <= QUOTE_MOST else line[: QUOTE_MOST - 3] + "..."


def quoted(text: str) -> str:
    """Return a text in quotation marks, `"Dry"`, cut like `shortened`."""
    return f'"{shortened(text)}"'


ROWS_MOST = 5
"""Maximum number of rows that a message lists by number."""


def rows_named(numbers: Iterable[int], count: int) -> str:
    """Return `row 3`, `rows 3 and 7` or `rows 3, 7, 8, 9, 12 and 988 more`.

    Args:
        numbers: The numbers of the first rows, or of all rows.
    """
    named = [str(number) for number in islice(numbers, ROWS_MOST)]
    if count > len(named):
        named.append(f"{count - len(named):,} more")
    return f"row {named[0]}" if len(named) == 1 else f"rows {', '.join(named[:-1])} and {named[-1]}"


def one_of(values: Sequence[str], most: int = 16) -> str:
    """Return `Use Ocean, Temperate or Arid`; a list of more than `most` values is cut and gives their number."""
    if not values:
        return ""
    if len(values) > most:
        return f"Use one of {len(values)} values: {', '.join(values[:most])} ..."
    if len(values) == 1:
        return f"Use {values[0]}"
    return f"Use {', '.join(values[:-1])} or {values[-1]}"
