"""From a record class to the columns of its tab: width, look, note, what the cells take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.fields import Field, Kind, Place, columns, tab_of
from engine.outcome import Plain
from sheets_algo.forms.base import Form
from sheets_algo.receipts import ReceiptRow
from sheets_algo.template.choices import ROWS, Choices
from sheets_algo.template.looks import GREEN, GREY, MOST_EXACT, NAVY, below, heading, tints
from sheets_algo.template.notes import PROGRAMS, note
from sheets_algo.template.parts import Cell, Check, Column, Tab
from sheets_algo.values import shown, wanted

WIDEST = 40.0
"""Characters of a column that only its content makes wide."""
LEAST = {Kind.CHOICES: 18, Kind.REFERENCE: 18, Kind.REFERENCES: 18, Kind.TEXT: 18, Kind.NUMBERS: 16}
"""Characters that a column of people's has room for at least, by what is typed there; 9 for any other."""
OF_PROGRAM = {"Message": 64, "Receipt": 60, "Text": 90, "War": 26, "Seed": 22, "Ruled At": 22, "Time": 22, "Event": 20}
"""Characters of the program's columns, whose content comes later; 14 for any other, 9 for a count."""
OF_REQUEST = 22
"""Characters of a request's results."""
LINE, LINES = 15.0, 46.0
"""Points of a row of one line, and of three: a Message has one for the result and one for each side's strategy.

LibreOffice does not fit the rows of a file to what stands in them, so request rows have room for a message from the
start; and a receipt, which has some forty lines, is kept to one.
"""
SIZED_RECEIPTS = 500
"""Rows of Receipts that are kept to one line."""

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
        row_height=LINES,
        sized_rows=len(rows) if record is form.request else 0,
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
        columns=[_programs_column(column) for column in declared],
        rows=[[Cell(row.get(column.header)) for column in declared] for row in rows],
        colour=GREY,
        kept_columns=1,
        row_height=LINE,
        sized_rows=SIZED_RECEIPTS if record is ReceiptRow else 0,
    )


def _column(form: Form[Any], record: type, column: Field, rows: Rows, choices: Choices) -> Column:
    lists = form.vocabulary.lists
    words = note(column, lists, form.legends())
    if column.place.is_programs:
        made = _programs_column(column, words)
        if record in form.database:
            return replace(made, width=WIDEST)
        width = OF_REQUEST if record is form.request and column.place is Place.RESULT else made.width
        return replace(made, width=width, style=replace(made.style, wraps=True), tints=tints(column))
    return Column(
        header=column.header,
        width=_width(column, lists[column.choices].values if column.kind is Kind.CHOICE else (), rows),
        note=words,
        heading=heading(column.place, required=column.required),
        style=below(column),
        checks=tuple(_checks(form, record, column, choices)),
        aliases=column.aliases,
    )


def _programs_column(column: Field, words: str = "") -> Column:
    """A column of the program's.

    A file cannot protect columns with no more than a warning: a protected sheet would stop people, and the program as
    well. So these columns are tinted and say what they are when somebody selects a cell.
    """
    return Column(
        header=column.header,
        width=OF_PROGRAM.get(column.header, 9 if column.kind is Kind.WHOLE else 14),
        note=words or note(column, {}, ()),
        heading=heading(column.place),
        style=below(column),
        checks=(Check(rows=ROWS, hint=PROGRAMS),),
        aliases=column.aliases,
        is_programs=True,
    )


def _checks(form: Form[Any], record: type, column: Field, choices: Choices) -> Iterator[Check]:
    """What the cells of a column of people's take."""
    if column.kind is Kind.YES_NO:
        # Neither a check mark of Excel's nor one of Google's survives the other program; TRUE and FALSE do, and one
        # click makes check marks of them in Google Sheets. A box that nobody has ticked looks like a no: where a blank
        # cell means yes there is none.
        says = f"{wanted(column, form.vocabulary.lists)}."
        yield Check(rows=ROWS, source=("TRUE", "FALSE"), is_box=not column.default, says=says)
    elif column.kind in (Kind.CHOICE, Kind.REFERENCE, Kind.REFERENCES):
        yield from choices.checks(form, record, column)
    elif column.kind in (Kind.NUMBER, Kind.WHOLE) and _is_bounded(column):
        yield Check(
            rows=ROWS,
            low=column.low,
            high=column.high,
            is_whole=column.kind is Kind.WHOLE,
            says=f"{wanted(column, form.vocabulary.lists)}.",
        )


def _is_bounded(column: Field) -> bool:
    """Whether a spreadsheet can tell a number that is out of range: not where the numbers have to be text."""
    return (column.low, column.high) != (None, None) and (column.high is None or column.high <= MOST_EXACT)


def _kept(record: type) -> int:
    """The id and the name of a request, or the name of any other row, stay in view."""
    first = [column for _, column in columns(record) if column.place is Place.FIRST]
    key = tab_of(record).key
    names = [name for name, _ in columns(record)]
    return 2 if first else names.index(key) + 1 if key in names[:2] else 1


def _width(column: Field, values: Sequence[str], rows: Rows) -> float:
    """Characters: room for the header's longest word, for every value, and for what stands there from the start."""
    least = 9 if column.header == "Request" else LEAST.get(column.kind, 9)
    held = [_as_seen(column, row.get(column.header)) for row in rows]
    content = max(map(len, (*values, *held)), default=0) + 2
    word = max(map(len, column.header.split())) + 3
    return min(WIDEST, max(least, word, content))


def _as_seen(column: Field, value: Plain) -> str:
    if column.kind in (Kind.NUMBER, Kind.WHOLE) and isinstance(value, int | float) and column.unit != "year":
        return f"{value:,}" + ("$" if "dollar" in column.unit else "")
    return shown(value)
