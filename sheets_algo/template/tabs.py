"""From a record class to the columns of its tab: width, look, note, what the cells take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.fields import Field, Kind, Place, columns, tab_of
from engine.outcome import Plain
from sheets_algo.forms.base import Form
from sheets_algo.template.choices import CHECKED_ROWS, FIRST_ROW, Choices
from sheets_algo.template.looks import GREEN, GREY, MOST_EXACT, NAVY, below, heading, tints
from sheets_algo.template.notes import PROGRAMS, note
from sheets_algo.template.parts import Cell, Check, Column, Tab
from sheets_algo.values import shown, wanted

WIDE: Mapping[str, float] = {"Message": 64, "Receipt": 60, "Text": 90}
"""Columns that hold sentences."""
WIDEST = 40.0
"""Of a column that only its content makes wide."""

Rows = Sequence[Mapping[str, Plain]]
"""Rows of a tab, header to value."""


def record_tab(form: Form[Any], record: type, rows: Rows, choices: Choices) -> Tab:
    """The tab that a record class declares.

    Args:
        form: Whose tab it is.
        record: The record class.
        rows: What it holds from the start; only headers of the record.
        choices: Gives the drop-downs.
    """
    return Tab(
        name=tab_of(record).name,
        columns=[_column(form, record, column, rows, choices) for _, column in columns(record)],
        rows=[[Cell(row.get(column.header)) for _, column in columns(record)] for row in rows],
        colour=GREEN if record is form.request or record in form.parts else NAVY,
        kept_columns=_kept(record),
    )


def program_tab(record: type, rows: Rows) -> Tab:
    """A tab that only the program writes.

    Args:
        record: Its record class.
        rows: What it holds from the start.
    """
    declared = [column for _, column in columns(record)]
    return Tab(
        name=tab_of(record).name,
        columns=[_plain_column(column, rows, note(column, {}, ())) for column in declared],
        rows=[[Cell(row.get(column.header)) for column in declared] for row in rows],
        colour=GREY,
        kept_columns=1,
    )


def _column(form: Form[Any], record: type, column: Field, rows: Rows, choices: Choices) -> Column:
    lists = form.vocabulary.lists
    return Column(
        header=column.header,
        width=_width(column, lists[column.choices].values if column.kind is Kind.CHOICE else (), rows),
        note=note(column, lists, form.legends()),
        heading=heading(column.place, required=column.required),
        style=below(column),
        checks=tuple(_checks(form, record, column, choices)),
        tints=tints(column),
    )


def _plain_column(column: Field, rows: Rows, words: str) -> Column:
    return Column(
        header=column.header,
        width=_width(column, (), rows),
        note=words,
        heading=heading(column.place),
        style=below(column),
        checks=tuple(_hint()),
    )


def _checks(form: Form[Any], record: type, column: Field, choices: Choices) -> Iterator[Check]:
    """What the cells of a column take.

    A file cannot protect single columns with no more than a warning: a protected sheet would stop people, and the
    program as well. So the program's columns are tinted and say what they are when somebody selects a cell.
    """
    rows = (FIRST_ROW, FIRST_ROW + CHECKED_ROWS - 1)
    if column.place.is_programs:
        yield from _hint()
    elif column.kind is Kind.YES_NO:
        # Neither a check mark of Excel's nor one of Google's survives the other program; TRUE and FALSE do, and one
        # click makes check marks of them in Google Sheets.
        yield Check(rows=rows, source=("TRUE", "FALSE"), says=f"{wanted(column, form.vocabulary.lists)}.")
    elif column.kind in (Kind.CHOICE, Kind.REFERENCE, Kind.REFERENCES):
        yield from choices.checks(form, record, column)
    elif column.kind in (Kind.NUMBER, Kind.WHOLE) and (column.high is None or column.high <= MOST_EXACT):
        yield Check(
            rows=rows,
            low=column.low,
            high=column.high,
            is_whole=column.kind is Kind.WHOLE,
            says=f"{wanted(column, form.vocabulary.lists)}.",
        )


def _hint() -> Iterator[Check]:
    yield Check(rows=(FIRST_ROW, FIRST_ROW + CHECKED_ROWS - 1), hint=PROGRAMS)


def _kept(record: type) -> int:
    """The id and the name of a request, or the name of any other row, stay in view."""
    first = [column for _, column in columns(record) if column.place is Place.FIRST]
    key = tab_of(record).key
    names = [name for name, _ in columns(record)]
    return 2 if first else names.index(key) + 1 if key in names[:2] else 1


def _width(column: Field, values: Sequence[str], rows: Rows) -> float:
    """Characters: room for the header's longest word, for every value, and for what stands there from the start."""
    if column.header in WIDE:
        return WIDE[column.header]
    held = [_as_seen(column, row.get(column.header)) for row in rows]
    content = max(map(len, (*values, *held)), default=0) + 2
    word = max(map(len, column.header.split())) + 3
    return min(WIDEST, max(_least(column), word, content))


def _least(column: Field) -> float:
    match column.kind:
        case Kind.REFERENCE | Kind.REFERENCES:
            return 9 if column.header == "Request" else 18
        case Kind.TEXT if column.place is Place.FIRST or column.header in ("Request", "Status", "Kind", "Rule"):
            return 10
        case Kind.TEXT:
            return 18
        case Kind.NUMBERS:
            return 16
        case _:
            return 9


def _as_seen(column: Field, value: Plain) -> str:
    if column.kind in (Kind.NUMBER, Kind.WHOLE) and isinstance(value, int | float) and column.unit != "year":
        return f"{value:,}" + ("$" if "dollar" in column.unit else "")
    return shown(value)
