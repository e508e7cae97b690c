"""Every number that a ruling can write, in every column and beside every cell, is read as the same number (NUM-03)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from engine.columns import ColumnPlace, Field, Kind, column, columns
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.database.cells import read_value
from sheets_algo.database.changes import Changes
from sheets_algo.database.tables import Row, Table
from sheets_algo.database.typed_numbers import certain, is_share
from sheets_algo.forms.autoalgo.columns import FlankRow
from sheets_algo.forms.rulesets import open_forms
from sheets_algo.workbook.snapshot import Sheet
from sheets_algo.workbook.values import PerCent, Value

NUMBERS = (-1e6, -1, 0, 0.005, 0.12, 0.3, 0.5, 0.999, 1, 1.5, 7, 12.5, 29, 99.9, 100, 12_345.678, 1e6)
HELD: tuple[Value, ...] = (None, 3, PerCent(0.2), "20 %")
"""Values that the cell, or the one below it, holds before."""


def numeric_columns() -> Iterator[tuple[type, str, Field]]:
    """All numeric columns of all rulesets, also those with results, but for Seed, which people alone type."""
    found = {}
    for form in open_forms(ConfigLoader()):
        for record in form.records():
            for attribute, field in columns(record):
                if field.kind in (Kind.NUMBER, Kind.WHOLE) and field.place is not ColumnPlace.CONTROL:
                    found[record, attribute] = field
    return ((record, attribute, field) for (record, attribute), field in found.items())


COLUMNS = tuple(numeric_columns())


def numbers_of(field: Field) -> Iterator[float]:
    low, high = (-1e6 if field.low is None else field.low), (1e6 if field.high is None else field.high)
    for number in (*NUMBERS, low, high):
        if low <= number <= high and (field.kind is Kind.NUMBER or number == int(number)):
            yield int(number) if field.kind is Kind.WHOLE else float(number)


def test_num_03_written_numbers_are_read_back_unchanged() -> None:
    checked, wrong = 0, []
    for before, beside, (record, attribute, field) in product(HELD, HELD, COLUMNS):
        if is_share(before) and not field.has_shares:
            continue  # which is refused before anything is ruled
        for number in numbers_of(field):
            table = Table(record, Sheet("Tab", {1: [field.header], 2: [before], 3: [beside]}))
            row, changes = Row(table, 2), Changes()
            value = certain(field, number)

            changes.set(row, attribute, value)
            table.write(2, attribute, value)

            [cell] = [change.value for change in changes.finish(None).cells] or [before]
            cell = PerCent(cell) if isinstance(before, PerCent) and isinstance(cell, float) else cell
            memory = next(value for name, _, value in row.values() if name == attribute)
            kept = Table(record, Sheet("Tab", {1: [field.header], 2: [cell], 3: [beside]}))
            read = [read_value(field, found, {}) for found in (cell, memory)]
            checked += 1
            if [*read, row.value(attribute), Row(kept, 2).value(attribute)] != [number] * 4:
                wrong.append((before, beside, field.header, number, cell, read))
    assert wrong == []
    assert checked > 6_000  # the columns of the core alone


def test_num_03_columns_that_refuse_doubtful_numbers_are_in_per_cent() -> None:
    assert {field.is_in_per_cent for _, _, field in COLUMNS if field.shares} == {True}


def test_r_124_written_counts_are_read_back_unchanged() -> None:
    """A cell in the format of per cent keeps it: it gets the number of a share, and men as a text."""
    field, wrong = column(FlankRow, "infantry"), []
    for value, before, beside in product((0, 1, 7, 4_200, "0 %", "40 %", "33.3330 %", "100 %"), HELD, HELD):
        row, changes = Row(Table(FlankRow, Sheet("Tab", {1: [field.header], 2: [before], 3: [beside]})), 2), Changes()

        changes.set(row, "infantry", value)

        [cell] = [change.value for change in changes.finish(None).cells] or [before]
        is_shown_as_share = isinstance(before, PerCent) and isinstance(cell, float)
        if read_value(field, PerCent(cell) if is_shown_as_share else cell, {}) != read_value(field, value, {}):
            wrong.append((value, before, beside, cell))
    assert wrong == []
