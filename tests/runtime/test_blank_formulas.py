"""Formulas that show nothing, perhaps only as long as they load: no blank cell, whose default would count (DB-01)."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.support.workbooks import Rows, column, example, grids, library
from sheets_algo.runtime.run.pass_context import WatchState
from sheets_algo.runtime.run.run_pass import run_pass
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.values import BlankFormula, Value

WARS = "War Requests"
LOADING = BlankFormula('=IFERROR(IMPORTRANGE("1x","Cities!F2"),"")')
SAYS = 'is not blank, but holds a formula that shows nothing: =IFERROR(IMPORTRANGE("1x","Cities!F2"),"")'


def hastings() -> Rows:
    rows = example("1066")
    rows[WARS] = [row for row in rows[WARS] if row["War"] == "Hastings"]
    rows["Flanks"] = [{"Request": "W-0002", "Side": "Attacker", "Label": "Left"}]
    return rows


class Watched:
    """A workbook that a watcher looks at, pass by pass."""

    def __init__(self, rows: Rows, folder: Path, state: WatchState | None = None) -> None:
        self.book = MemoryWorkbook(grids(rows))
        self.state = state or WatchState()
        self.session = Session(workbook=self.book, folder=folder, library=library(), draws_pictures=False)

    def type_in(self, tab: str, name: str, header: str, value: Value) -> None:
        heads, *rows = self.book.rows(tab)
        row = next(number for number, cells in enumerate(rows, start=2) if name in cells)
        self.book.type_in(tab, row, heads.index(header) + 1, value)

    def looks(self) -> tuple[Value, Value]:
        """Make a pass; return Status and Message of the first request."""
        run_pass(self.session, state=self.state)
        return column(self.book, WARS, "Status")[0], column(self.book, WARS, "Message")[0]


CELLS = [
    (WARS, "Hastings", "Motive", "Conquest"),
    (WARS, "Hastings", "Action", "Rule"),
    (WARS, "Hastings", "Seed", 7),
    (WARS, "Hastings", "Attacker Military", "William's Army"),
    ("Locations", "Southeast England", "Fortifications", "Castle"),
    ("Nations", "England", "Stability", 60),
    ("Leaders", "Harold Godwinson", "Attack", 5),
    ("Flanks", "W-0002", "X", 100),
]


@pytest.mark.parametrize(("tab", "name", "header", "value"), CELLS, ids=[case[2] for case in CELLS])
def test_a_row_with_a_blank_formula_waits_for_one_poll_and_reports_it(tab, name, header, value, tmp_path) -> None:
    """A walled city was fought in the open, since its walls were still being fetched."""
    watched = Watched(hastings(), tmp_path)
    watched.type_in(tab, name, header, LOADING)

    status, text = watched.looks()
    assert (status, str(text).endswith("shows nothing yet; the next look says so if it still does not")) == (
        "Waiting",
        True,
    )
    for _ in range(2):
        status, text = watched.looks()
        assert (status, f"{header}): {SAYS}" in str(text)) == ("Invalid", True)

    watched.type_in(tab, name, header, value)
    assert [watched.looks()[0] for _ in range(2)] == ["Waiting", "Done"]

    watched.type_in(tab, name, header, LOADING)  # it is fetched anew
    assert watched.looks()[0] == "Done"


def test_a_formula_with_a_value_at_the_second_poll_is_ruled_at_the_third(tmp_path) -> None:
    watched = Watched(hastings(), tmp_path)
    watched.type_in("Locations", "Southeast England", "Fortifications", LOADING)
    assert watched.looks()[0] == "Waiting"
    watched.type_in("Locations", "Southeast England", "Fortifications", "Castle")
    assert [watched.looks()[0] for _ in range(2)] == ["Waiting", "Done"]


def test_a_single_run_reports_it_at_once_with_working_advice(tmp_path) -> None:
    watched = Watched(hastings(), tmp_path, WatchState(known=None))
    watched.type_in(WARS, "Hastings", "Motive", LOADING)

    status, text = watched.looks()
    assert status == "Invalid"
    assert str(text).endswith(
        f'Motive): {SAYS}. Let it show "Conquest", the default, or another value, or clear the cell. [DB-01]'
    )
    watched.type_in(WARS, "Hastings", "Motive", None)
    assert watched.looks()[0] == "Done"


@pytest.mark.parametrize(
    ("tab", "name", "header"),
    [
        (WARS, "Hastings", "Part of"),
        ("Nations", "Norway", "Stability"),
        ("Locations", "York", "Fortifications"),
    ],
)
def test_an_irrelevant_formula_may_be_blank(tab, name, header, tmp_path) -> None:
    rows = hastings()
    rows["Locations"].append({"Name": "York"})
    watched = Watched(rows, tmp_path, WatchState(known=None))
    watched.type_in(tab, name, header, LOADING)

    assert watched.looks()[0] == "Done"


def test_rows_with_only_blank_formulas_are_ignored(tmp_path) -> None:
    """A template of formulas for the next two hundred wars is harmless."""
    rows = hastings()
    rows[WARS] += [
        {
            "Request": f"W-{number:04}",
            **dict.fromkeys(("War", "Attacker", "Defender", "Ready"), BlankFormula('=IF(1,"")')),
        }
        for number in range(100, 110)
    ]
    rows["Nations"].append(dict.fromkeys(("Name", "Population"), BlankFormula("=Old!A9")))
    watched = Watched(rows, tmp_path, WatchState(known=None))

    assert watched.looks()[0] == "Done"
    assert column(watched.book, WARS, "Status")[1:] == [None] * 10


def test_a_header_that_is_loading_may_be_that_of_a_column(tmp_path) -> None:
    """={"Fortifications"; IMPORTRANGE(...)} in row 1 shows no header until it is loaded."""
    watched = Watched(hastings(), tmp_path)
    watched.book.type_in("Locations", 1, watched.book.rows("Locations")[0].index("Fortifications") + 1, LOADING)
    assert watched.looks()[0] == "Waiting"
    status, text = watched.looks()
    assert (status, "may be the header of a column" in str(text)) == ("Invalid", True)
