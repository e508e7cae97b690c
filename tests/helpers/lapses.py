"""Rows of orders whose object is out of the game, each with another mistake (REQ-18)."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

from engine.columns import columns, tab_of
from scripts.support.workbooks import Rows, forms
from sheets_algo.forms.capabilities import TurnForm

JUNK = "no such thing; 1e999"
"""A text that hardly any column takes."""


def spoilt(rows: Rows, tab: str, number: int) -> Iterator[tuple[str, Rows]]:
    """Yield the rows with junk in one more cell of an order, each with the cell's header; first without any.

    Args:
        number: The place of the order in its tab.
    """
    form = next(form for form in forms() if tab_of(form.request).name == tab)
    assert isinstance(form, TurnForm)
    yield "", deepcopy(rows)
    for attribute, column in columns(form.request):
        if not (column.place.is_programs or attribute in ("request", "ready", *form.objects)):
            more = deepcopy(rows)
            more[tab][number][column.header] = JUNK
            yield column.header, more
