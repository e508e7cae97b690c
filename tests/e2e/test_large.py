"""Workbooks as large as they get."""

from __future__ import annotations

import pytest

from scripts.support.moderator import BOOK, only, row_of, season, write
from tests.helpers.example_budget import BUDGET

ROWS = round(min(20_000 * BUDGET, 100_000))


@pytest.mark.slow
def test_a_database_of_many_thousand_rows_is_ruled(moderator):
    """One war among as many locations, and a mistake in the last of them does not concern it."""
    rows = only(season(), "W-0004")
    rows["Locations"] += [{"Name": f"Parish {number}", "Local Population": 400} for number in range(ROWS)]
    rows["Locations"][-1]["Climate"] = "Damp"
    write(moderator.book, rows)

    said = moderator.types("run", BOOK)

    assert said.code == 0, said.err
    assert row_of(moderator.book, "War Requests", "Request", "W-0004")["Status"] == "Done"
    checked = moderator.types("check", BOOK)
    assert checked.code == 1
    assert checked.out.splitlines()[0].startswith(
        f'Locations!C{len(rows["Locations"]) + 1} (Parish {ROWS - 1}, Climate): "Damp" is not allowed.'
    )
