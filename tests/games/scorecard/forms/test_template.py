"""The tabs of a new workbook for wars by score."""

from __future__ import annotations

from sheets_algo.workbook.template_spec import ColumnSpec
from tests.helpers.templates import whole


def head(tab: str, header: str) -> ColumnSpec:
    """Return a column of a tab."""
    (spec,) = (spec for spec in whole().tabs if spec.name == tab)
    return next(column for column in spec.columns if column.header == header)


def test_the_note_of_a_list_gives_the_points_of_each_value() -> None:
    assert "- Next to it: 4 points" in head("Score Sides", "Location").note


def test_a_time_of_day_is_stored_as_text() -> None:
    assert head("Score Sides", "Declared at").style.format == "@"
