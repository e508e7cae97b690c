"""Notes on headers, with meaning, range, default, allowed values and rule id of a column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.columns import Field, Kind, ValueList
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.cells import allowed_values
from sheets_algo.forms.base import Legend

MOST_VALUES = 30
"""The maximum number of values that a note names; a longer list is seen in the drop-down list."""
PROGRAMS = "The program writes this column; what is typed here is lost."


def note(column: Field, lists: Mapping[str, ValueList], legends: Sequence[Legend]) -> str:
    """Return the note of one column's header (RCPT-03 for results, inputs 2 for values).

    Args:
        legends: The ruleset's legends, of which those that name the header are added.
    """
    return "\n".join(_paragraphs(column, lists, legends))


def _paragraphs(column: Field, lists: Mapping[str, ValueList], legends: Sequence[Legend]) -> Iterator[str]:
    if column.note:
        yield column.note
    if column.place.is_programs:
        yield PROGRAMS
    else:
        yield " ".join(filter(None, (_range(column, lists), _blank(column))))
    if column.kind in (Kind.CHOICE, Kind.CHOICES):
        values = lists[column.choices].values
        yield from (
            _values(lists[column.choices])
            if len(values) <= MOST_VALUES
            else (f"{len(values)} values, in the drop-down list.",)
        )
    for legend in legends:
        if column.header in legend.columns:
            yield from ("", f"{legend.title}:", *legend.lines)
    yield f"[{column.id}]"


def _range(column: Field, lists: Mapping[str, ValueList]) -> str:
    """Return the allowed range, blank if the note or the list of values states it already."""
    if column.kind in (Kind.TEXT, Kind.CHOICE):
        return ""
    if column.kind is Kind.CHOICES:
        return "" if "semicolons" in column.note else "Separate several with semicolons."
    if column.high is not None and f"{_number(column, column.low)} to {_number(column, column.high)}" in column.note:
        return ""
    return f"{allowed_values(column, lists)}."


def _blank(column: Field) -> str:
    if column.required:
        return "Required."
    if column.default in (None, "", ()):
        return "May be blank."
    return f"Blank means {_default(column)}."


def _default(column: Field) -> str:
    default: Any = column.default
    if isinstance(default, bool):
        return "yes" if default else "no"
    if isinstance(default, tuple):
        return "; ".join(f"{part:g}" for part in default)
    return default if isinstance(default, str) else _number(column, default)


def _values(allowed: ValueList) -> Iterator[str]:
    """Yield a line for every allowed value, with its meaning if the tables have one."""
    for value in allowed.values:
        meaning = allowed.meanings.get(value, "")
        yield f"- {value}: {meaning}" if meaning else f"- {value}"


def _number(column: Field, number: float | None) -> str:
    if number is None:
        return ""
    return as_text(number) if column.unit == "year" or number != int(number) else f"{int(number):,}"
