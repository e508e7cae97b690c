"""Wording of counts and cell values in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sheets_algo.database.cell_text import as_text
from sheets_algo.database.problems import Problem, Severity
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
