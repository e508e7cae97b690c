"""Styles of a new workbook, by writer of a column and by status of a request or flank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.columns import ColumnPlace, Field, Kind
from sheets_algo.workbook.template_spec import Style, Tint

NAVY, GREEN, GREY, PALE = "1F3A5F", "2F6B4F", "6B7280", "F1F2F4"
INK, FAINT, WHITE = "1C1E22", "6E727A", "FFFFFF"
LARGE = "#,##0_)"
"""Number format with a space as wide as a bracket at the right, before text that may follow."""
TRUE_FALSE = '"TRUE";"TRUE";"FALSE"'
"""Number format for truth values, which LibreOffice would show as 1 and save as numbers."""
MOST_EXACT = 2**53
"""Maximum whole number that spreadsheets keep exactly; greater ones have to be text."""

TITLE = Style(bold=True, size=18, ink=NAVY)
HEADING = Style(bold=True, size=13, ink=NAVY)
PLAIN = Style(is_at_top=True)
STRONG = Style(is_at_top=True, bold=True)
_HEADER = Style(bold=True, ink=WHITE, align="center", wraps=True)

REQUEST_STATUSES: Mapping[str, tuple[Tint, str]] = {
    word: (Tint(word, fill, ink), meaning)
    for word, fill, ink, meaning in (
        ("Waiting", "FFF2CC", "7F6000", "seen; it is ruled once nobody has changed it for a while"),
        ("Invalid", "F8CECC", "9C0006", "something is wrong; Message names every cell, and mending it is enough"),
        ("Done", "D5E8D4", "1E5C22", "ruled; the receipt is in Receipts"),
        ("Changed", "FCE4D6", "843C0C", "ruled as another war than the row names now; Message says both ways out"),
        ("Lapsed", "E7E6E6", "3A3838", "its turn ended without it; Message and the receipt of the turn say why"),
        ("Undone", "E1D5E7", "4B2E63", "ruled and taken back"),
        ("Failed", "F4B183", "7F2A00", "the program failed on it and nothing was ruled; run --verbose says how"),
    )
}
FLANK_STATUSES: Mapping[str, tuple[Tint, str]] = {  # the colours that the rules prescribe (STRAT-10)
    word: (Tint(word, fill, ink), meaning)
    for word, fill, ink, meaning in (
        ("Idle", "DAE4FB", "1E5ADC", "before the battle"),
        ("Ready", "DDF2E0", "0F7A22", "still fighting"),
        ("Retreating", "FFE8CC", "B85C00", "leaving the field, in order"),
        ("Routed", "F9D6D5", "C80000", "in flight"),
        ("Inactive", "D9D9D9", "000000", "nobody left, usually captured"),
    )
}


def heading(place: ColumnPlace, *, required: bool = False) -> Style:
    """Return the style of a header: blue for people's columns, green for controls, grey for the program's columns."""
    if place.is_programs:
        return replace(_HEADER, fill=GREY, bold=False, italic=True)
    fill = GREEN if place is ColumnPlace.CONTROL else NAVY
    return replace(_HEADER, fill=fill, bold=required)


def cell_style(column: Field) -> Style:
    """Return the style of the cells below a header; those of the program's columns are tinted."""
    style = Style(is_at_top=True, format=number_format(column), align=_alignment(column))
    return replace(style, fill=PALE) if column.place.is_programs else style


def number_format(column: Field) -> str:
    """Return the number format of a column: years without separators, money with its sign, shares as 0.35.

    A share is never shown as per cent, since 1 in such a cell could mean 1 % as well as the whole.
    """
    if column.kind in (Kind.TEXT, Kind.NUMBERS, Kind.TIME, Kind.COLOUR):
        # The format @ keeps text as typed (3-4, 007, == War ==), but some programs show long texts in it as ####.
        return "General" if column.place.is_programs else "@"
    if column.kind is Kind.YES_NO:
        return TRUE_FALSE
    if not _is_number(column):
        return "General"
    if column.high is not None and column.high > MOST_EXACT:
        return "@"
    if column.unit == "year":
        return "0"
    if "dollar" in column.unit:
        return f'"$"{LARGE}'
    if column.unit.startswith("share"):
        return "0.00"
    return LARGE if _is_large(column) else "General"


def _alignment(column: Field) -> str:
    """Return the alignment of a column: names left, counts right, short values centred, blank for the default."""
    if column.kind in (Kind.CHOICE, Kind.CHOICES, Kind.REFERENCE, Kind.REFERENCES):
        return "left"
    if column.kind is Kind.COUNT:  # including the text 40 %
        return "right"
    if column.kind in (Kind.YES_NO, Kind.TIME) or (_is_number(column) and not _is_large(column)):
        return "center"
    return ""


def _is_number(column: Field) -> bool:
    return column.kind in (Kind.NUMBER, Kind.WHOLE)


def _is_large(column: Field) -> bool:
    """Return True for counts and amounts that may have many digits, which are aligned right."""
    counts = column.kind is Kind.WHOLE or bool(column.unit)  # a score without a unit may be 0.2
    return column.unit in ("people", "ships") or (
        counts and column.high is not None and 10_000 <= column.high <= MOST_EXACT
    )


def tints(column: Field) -> Sequence[Tint]:
    """Return the colours of the statuses that the program shows in a column (STRAT-10)."""
    statuses = {"status": REQUEST_STATUSES, "end status": FLANK_STATUSES}.get(column.header.casefold(), {})
    return [tint for tint, _ in statuses.values()]
