"""Description of a record class's tab: width, style and input checks of its columns, and the notes on their headers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.columns import ColumnPlace, Field, Kind, ValueList, columns, columns_in_view, tab_of
from engine.columns import column as field_of
from engine.ruleset import Plain
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.cells import allowed_values
from sheets_algo.database.headers import key_of
from sheets_algo.forms.base import Form, Legend
from sheets_algo.forms.settings_tab import SettingRow
from sheets_algo.ruling.receipts.receipt_rows import ReceiptRow
from sheets_algo.template.choices import ROWS, Choices
from sheets_algo.template.looks import GREEN, GREY, MOST_EXACT, NAVY, cell_style, heading, tints
from sheets_algo.workbook.template_spec import CellCheck, CellSpec, ColumnSpec, TabSpec

WIDEST = 40.0
"""Maximum width, in characters, of a column whose width depends on its content."""
LEAST = {Kind.CHOICES: 18, Kind.REFERENCE: 18, Kind.REFERENCES: 18, Kind.TEXT: 18, Kind.NUMBERS: 16}
"""Minimum width, in characters, of a column that people fill, by kind; 9 for any other kind."""
OF_PROGRAM = {
    "Message": 100,
    "Ordered": 40,
    "Missing": 40,
    "Receipt": 60,
    "Text": 90,
    "War": 26,
    "Seed": 22,
    "Ruled At": 22,
    "Time": 22,
    "Event": 20,
}
"""Width, in characters, of the program's columns by header; 14 for any other, 9 for a whole number."""
NUMBERS = (Kind.NUMBER, Kind.WHOLE, Kind.COUNT)
ROOMY = 10_000_000
"""Number that fits into a column without an upper bound."""
OF_REQUEST = 22
"""Width, in characters, of a request's result columns."""
SMALL = 9
"""Font size, in points, of a Message."""
LINE, LINES = 15.0, 62.0
"""Heights, in points, of a row of one line, and of five lines of a Message: a few problems, or the result, each side's
strategy and some warnings.

LibreOffice does not fit the row heights of a file to their content, so request rows have room for a message from the
start, and a receipt, which has some forty lines, is limited to one.
"""
SIZED_RECEIPTS = 500
"""Number of rows of Receipts that are limited to one line."""

Rows = Sequence[Mapping[str, Plain]]
"""Rows of a tab, each with its values by header."""


def record_tab(form: Form[Any], record: type, rows: Rows, choices: Choices, *, is_open: bool) -> TabSpec:
    """Return the description of the tab that a record class declares.

    Args:
        rows: The initial rows, with headers of the record only.
    """
    in_view = columns_in_view(record)
    return TabSpec(
        key=key_of(record),
        columns=[
            replace(_column(form, record, column, rows, choices), is_grouped=name not in in_view)
            for name, column in columns(record)
        ],
        rows=[[CellSpec(row.get(column.header)) for _, column in columns(record)] for row in rows],
        colour=GREEN if record is form.request or record in form.parts else NAVY,
        kept_columns=_kept_columns(record),
        row_height=LINES,
        sized_rows=len(rows) if record is form.request else 0,
        numbered_columns=1 if record is form.request else 0,
        is_open=is_open,
    )


def shared_tab(record: type, lists: Mapping[str, ValueList]) -> TabSpec:
    """Return the description of a tab that people fill and all rulesets share: Overrides (OVR-01), Turns (TRN-01)."""
    return TabSpec(
        key=key_of(record),
        columns=[
            replace(_program_column(column), width=SHARED_WIDTHS[column.header])
            if column.place.is_programs
            else ColumnSpec(
                header=column.header,
                width=SHARED_WIDTHS.get(column.header, 18),
                note=note(column, lists, ()),
                heading=heading(column.place, required=column.required),
                style=cell_style(column),
                checks=_kinds(column, lists),
            )
            for _, column in columns(record)
        ],
        rows=(),
        colour=GREEN,
        kept_columns=1,
        row_height=LINES,
    )


SHARED_WIDTHS = {
    "What": 48,
    "Reason": 60,
    "Turn": 9,
    "Deadline": 24,
    "Announced": 32,
    "Status": 60,
    "Ordered": 30,
    "Missing": 30,
}
"""Width, in characters, of columns of such tabs by header; 18 for any other."""


def _kinds(column: Field, lists: Mapping[str, ValueList]) -> tuple[CellCheck, ...]:
    if column.kind is not Kind.CHOICE:
        return ()
    return (CellCheck(rows=ROWS, source=lists[column.choices].values, says=f"{allowed_values(column, lists)}."),)


def program_tab(record: type, rows: Rows) -> TabSpec:
    """Return the description of a tab that only the program writes."""
    declared = [column for _, column in columns(record)]
    return TabSpec(
        key=key_of(record),
        columns=[_program_column(column) for column in declared],
        rows=[[CellSpec(row.get(column.header)) for column in declared] for row in rows],
        colour=GREY,
        kept_columns=1,
        row_height=LINE,
        sized_rows=SIZED_RECEIPTS if record is ReceiptRow else 0,
    )


def _column(form: Form[Any], record: type, column: Field, rows: Rows, choices: Choices) -> ColumnSpec:
    lists = form.vocabulary.lists
    note_text = note(column, lists, form.legends())
    if column.place.is_programs:
        program_column = _program_column(column, note_text)
        if record in form.database:
            return replace(program_column, width=WIDEST)
        width = OF_REQUEST if record is form.request and column.place is ColumnPlace.RESULT else program_column.width
        width = width if record is form.request else min(width, WIDEST)
        style = replace(program_column.style, wraps=True)
        if column.header == "Message":
            style = replace(style, size=SMALL)
        return replace(program_column, width=width, style=style, tints=tints(column))
    return ColumnSpec(
        header=column.header,
        width=_width(column, lists[column.choices].values if column.kind is Kind.CHOICE else (), rows),
        note=note_text,
        heading=heading(column.place, required=column.required),
        style=cell_style(column),
        checks=tuple(_checks(form, record, column, choices)),
        aliases=column.aliases,
    )


def _program_column(column: Field, note_text: str = "") -> ColumnSpec:
    """Return the description of a column that the program writes.

    Such columns are tinted and have a hint on selection instead of being protected: a file cannot protect columns with
    no more than a warning, and a protected sheet would stop people and the program.
    """
    return ColumnSpec(
        header=column.header,
        width=OF_PROGRAM.get(column.header, 9 if column.kind is Kind.WHOLE else 14),
        note=note_text or note(column, {}, ()),
        heading=heading(column.place),
        style=cell_style(column),
        checks=(CellCheck(rows=ROWS, hint=PROGRAMS),),
        aliases=column.aliases,
        is_programs=True,
    )


def _checks(form: Form[Any], record: type, column: Field, choices: Choices) -> Iterator[CellCheck]:
    """Yield the input checks of a column that people fill."""
    if column.kind is Kind.YES_NO:
        # Checkboxes of Excel and Google Sheets do not survive the other program; TRUE and FALSE do, and one click makes
        # them checkboxes in Google Sheets. There is no checkbox where a blank cell means yes, since an unticked box
        # looks like a no.
        says = f"{allowed_values(column, form.vocabulary.lists)}."
        yield CellCheck(rows=ROWS, source=("TRUE", "FALSE"), is_box=not column.default, says=says)
    elif column.kind in (Kind.CHOICE, Kind.REFERENCE, Kind.REFERENCES) or _names_setting(record, column):
        yield from choices.checks(form, record, column)
    elif column.kind in NUMBERS and _is_bounded(column):
        yield CellCheck(
            rows=ROWS,
            low=0 if column.or_zero else column.low,
            high=column.high,
            is_whole=column.kind is Kind.WHOLE,
            says=f"{allowed_values(column, form.vocabulary.lists)}.",
        )


def _names_setting(record: type, column: Field) -> bool:
    return issubclass(record, SettingRow) and column.header == field_of(SettingRow, "name").header


def _is_bounded(column: Field) -> bool:
    """Return True if a spreadsheet can check the range of a column, which it cannot for numbers kept as text."""
    if column.kind is Kind.COUNT:  # a share may be a text
        return False
    return (column.low, column.high) != (None, None) and (column.high is None or column.high <= MOST_EXACT)


def _kept_columns(record: type) -> int:
    """Return the number of frozen columns: id and name of a request, name of any other row."""
    first = [column for _, column in columns(record) if column.place is ColumnPlace.FIRST]
    key = tab_of(record).key
    names = [name for name, _ in columns(record)]
    return 2 if first else names.index(key) + 1 if key in names[:2] else 1


def _width(column: Field, values: Sequence[str], rows: Rows) -> float:
    """Return a width, in characters, that fits the header's longest word, every value and the initial content.

    To avoid ###, the bounds of a column fit too; without an upper one, ten millions.
    Longer numbers than a spreadsheet keeps are texts.
    """
    least = 9 if column.header == "Request" else LEAST.get(column.kind, 9)
    highest = ROOMY if column.high is None else column.high
    numbers = (column.low, highest) if column.kind in NUMBERS and highest <= MOST_EXACT else ()
    initial = [_displayed(column, value) for value in (*numbers, *(row.get(column.header) for row in rows))]
    content = max(map(len, (*values, *initial)), default=0) + 2
    word = max(map(len, column.header.split())) + 3
    return min(WIDEST, max(least, word, content))


def _displayed(column: Field, value: Plain) -> str:
    if column.kind in NUMBERS and isinstance(value, int | float) and column.unit != "year":
        return f"{value:,}" + ("$" if "dollar" in column.unit else "")
    return as_text(value)


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
