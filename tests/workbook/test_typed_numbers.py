"""Every numeric column of every ruleset × every way to type a number × both backends (NUM-01, NUM-02, NUM-03).

Columns come from the declarations, so a new one is covered by itself. Each cell is read as what it shows or is refused
in a sentence; it never counts as another number.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from engine.columns import ColumnPlace, Field, Kind, columns, tab_of
from engine.share import Share
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.database.cell_text import ReadError
from sheets_algo.database.cells import read_value
from sheets_algo.database.headers import columns_to_format
from sheets_algo.forms.rulesets import open_forms
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.xlsx import XlsxWorkbook
from tests.helpers.tabs import key, keys
from tests.workbook.google.season import Season

PLAIN = "General"


@dataclass(frozen=True)
class Way:
    """A cell, and what a person sees in it.

    Args:
        content: What the cell holds.
        shows: The numbers that a person may take it for; none if it is no number.
        is_per_cent: True if a per cent sign stands behind the number.
        format: Its number format.
    """

    content: str | float
    shows: tuple[str, ...]
    is_per_cent: bool = False
    format: str = PLAIN

    @property
    def is_text(self) -> bool:
        return isinstance(self.content, str)


def typed(text: str, *shows: str) -> Way:
    return Way(text, shows, "%" in text)


WAYS = (
    *(Way(number, (repr(number),)) for number in (0, 1, 2, 30, 30.0, 0.3, 0.005, 12.5, 99.5, 1000, 1.234, 1234)),
    *(Way(number, (repr(number),)) for number in (-5, -0.3)),
    Way(1234, ("1234",), format="#,##0"),
    Way(1.234, ("1.234",), format="0.000"),
    Way(30, ("30",), format='0"%"'),
    Way(0.3, ("0.3",), format='0.0" %"'),
    Way(0.3, ("30",), is_per_cent=True, format="0%"),
    Way(0.07, ("7",), is_per_cent=True, format="0%"),
    Way(0.29, ("29",), is_per_cent=True, format="0.00%"),
    Way(0.003, ("0.3",), is_per_cent=True, format="0.0%"),
    Way(0.125, ("12.5",), is_per_cent=True, format="0.0 %;[Red]-0.0 %"),
    Way(1, ("100",), is_per_cent=True, format="0%"),
    Way(30, ("3000",), is_per_cent=True, format="0%"),
    Way(-0.05, ("-5",), is_per_cent=True, format="0%"),
    Way(0, ("0",), is_per_cent=True, format="0%"),
    *(typed(f"30{space}%", "30") for space in ("", " ", "\u00a0", "\u202f", "\u2009")),
    *(typed(text, text) for text in ("0", "30", "0.3", "12.5", "1234", "-5", "1234.5")),
    *(typed(text, "0.3") for text in ("0,3", ",3", "0.30", "0,3 %", "0.3%")),
    typed("−5 %", "-5"),
    typed("12,5 %", "12.5"),
    *(typed(f"1{mark}000", "1000", "1") for mark in ",."),
    *(typed(f"1{mark}234", "1234", "1.234") for mark in ",."),
    *(typed(f"1{mark}000", "1000") for mark in (" ", "\u00a0", "\u2009", "\u202f", "'", "’", "_")),
    *(typed(text, "1234567") for text in ("1,234,567", "1.234.567", "1 234 567", "1'234'567")),
    *(typed(text, "1234.5") for text in ("1,234.5", "1.234,5", "1 234,5", "1\u202f234,5", "1'234.5")),
    typed("1,234 %", "1234", "1.234"),
    typed("7e3", "7000"),
    *(typed(text) for text in ("12%%", "1,23,4", "% 30", "30 per cent", "thirty", "1_5", "12:30", "1/2")),
)  # fmt: skip
ROWS = tuple(enumerate(WAYS, start=2))


@dataclass(frozen=True)
class Column:
    """A numeric column that people fill, with the value lists of its ruleset."""

    record: type
    field: Field
    lists: Any


def numeric_columns() -> Iterator[Column]:
    found = {}
    for form in open_forms(ConfigLoader()):
        for record in form.records():
            for _, field in columns(record):
                is_number = field.kind in (Kind.NUMBER, Kind.NUMBERS) or field.is_whole or field.numeric
                if is_number and field.place in (ColumnPlace.PERSON, ColumnPlace.CONTROL):
                    found[tab_of(record).name, field.header] = Column(record, field, form.vocabulary.lists)
    return iter(found.values())


COLUMNS = tuple(numeric_columns())
TABS = {tab_of(column.record).name: column.record for column in COLUMNS}


def headers(tab: str) -> list[Field]:
    return [column.field for column in COLUMNS if tab_of(column.record).name == tab]


def content(way: Way, field: Field) -> str | float:
    """What is typed: a list of numbers gets the same one in each place."""
    if field.kind is Kind.NUMBERS and way.is_text:
        return "; ".join([str(way.content)] * field.count)
    return way.content


def cells(tab: str) -> list[list[Any]]:
    fields = headers(tab)
    return [[field.header for field in fields], *([content(way, field) for field in fields] for way in WAYS)]


def in_a_file(folder: Path) -> Snapshot:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for tab in TABS:
        sheet = book.create_sheet(tab)
        for row in cells(tab):
            sheet.append(row)
        for number, way in ROWS:
            for cell in sheet[number]:
                cell.number_format = way.format
    book.save(folder / "season.xlsx")
    return XlsxWorkbook(folder / "season.xlsx").read(keys(*TABS))


def in_google(_: Path) -> Snapshot:
    season = Season.begun({tab: cells(tab) for tab in TABS})
    season.person(
        *(
            {
                "repeatCell": {
                    "range": {"sheetId": season.sheet_id(tab), "startRowIndex": number - 1, "endRowIndex": number},
                    "cell": {"userEnteredFormat": {"numberFormat": {"type": "NUMBER", "pattern": way.format}}},
                    "fields": "userEnteredFormat.numberFormat",
                }
            }
            for tab in TABS
            for number, way in ROWS
            if way.format != PLAIN
        )
    )
    workbook = season.workbook()
    snapshot = workbook.read(keys(*TABS))
    return workbook.with_details(snapshot, columns_to_format(snapshot, TABS.values()))


def meant(way: Way, field: Field) -> float | None:
    """The one number that the rules find in a cell; None if they refuse it."""
    shown = way.shows
    if field.kind is Kind.COUNT and way.is_per_cent:  # a share of the army
        return float(shown[0]) if len(shown) == 1 and 0 <= float(shown[0]) <= 100 else None
    if field.is_whole and len(shown) == 2:
        shown = shown[:1]  # a whole number is not typed with decimals
    if len(shown) != 1 or (field.kind is Kind.NUMBERS and not way.is_text):
        return None
    number = float(Fraction(shown[0]) / (1 if not way.is_per_cent or field.unit == "per cent" else 100))
    if way.is_per_cent and number and not field.has_shares:
        return None
    is_plain_share = 0 < number < 1 and not way.is_text and not way.is_per_cent
    low, high = (
        (-float("inf") if field.low is None else field.low),
        (float("inf") if field.high is None else field.high),
    )
    is_allowed = low <= number <= high or (field.or_zero and number == 0)
    if not is_allowed or (field.is_whole and number != int(number)) or (field.shares and is_plain_share):
        return None
    return number


def read(column: Column, value: Any) -> float | str:
    """The number that a cell is read as, or the sentence of its refusal."""
    try:
        found = read_value(column.field, value, column.lists)
    except ReadError as error:
        return f"{error.says}. {error.allowed}."
    if isinstance(found, Share):
        return found.per_cent
    numbers = set(found) if isinstance(found, tuple) else {found}
    return float(numbers.pop()) if len(numbers) == 1 else repr(found)


@pytest.mark.parametrize("backend", [in_a_file, in_google])
def test_num_01_each_cell_is_read_as_shown_or_refused(backend: Callable[[Path], Snapshot], tmp_path):
    snapshot = backend(tmp_path)

    wrong = []
    for column in COLUMNS:
        tab = tab_of(column.record).name
        sheet = snapshot.sheet(key(tab))
        assert sheet is not None
        place = headers(tab).index(column.field)
        for number, way in ROWS:
            found, expected = read(column, sheet.rows[number][place]), meant(way, column.field)
            is_right = len(found) > 20 if isinstance(found, str) else found == expected
            if not is_right or isinstance(found, str) != (expected is None):
                wrong.append((tab, column.field.header, way.content, way.format, found, expected))
    assert wrong == []


def test_num_03_a_column_with_a_per_cent_sign_in_its_header_is_in_per_cent():
    signed = {column.field.header: column.field.is_in_per_cent for column in COLUMNS if "%" in column.field.header}

    assert "Tax %" in signed
    assert all(signed.values()), signed
