"""Tabs of people's own under the keys of the rules, as they are planned and written (DB-17)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.autoalgo.records import Military
from scripts.support.workbooks import forms
from sheets_algo.database.changes import Changes
from sheets_algo.database.records import Database
from sheets_algo.forms.autoalgo.columns import MilitaryRow, NationRow
from sheets_algo.ruling.passes.writer import obstacles
from sheets_algo.ruling.requests.program_cells import AddedRow
from sheets_algo.workbook.changes import AppendRow, ChangeSet
from sheets_algo.workbook.errors import RefusedChange, StaleWorkbook
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.own_columns import translated
from tests.helpers.tabs import key, keys

TABS: dict[str, list[list[Any]]] = {
    "Countries": [["Country", "Pop. (k)", "Army (k)"], ["Aland", 1800, 7.5], ["Borland", 700, "8"]],
    "Columns": [
        ["Your Tab", "Your Header", "Tab", "Column", "Factor"],
        ["Countries", "Country", "Nations", "Name"],
        ["Countries", "Country", "Militaries", "Name"],
        ["Countries", "Country", "Militaries", "Nation"],
        ["Countries", "Pop. (k)", "Nations", "Population", 1000],
        ["Countries", "Army (k)", "Militaries", "Size", 1000],
    ],
}


def opened(tabs: dict[str, list[list[Any]]]) -> tuple[MemoryWorkbook, Any, Database]:
    store = MemoryWorkbook(tabs)
    workbook = translated(store)
    snapshot = workbook.read(keys("Nations", "Militaries"))
    return store, (workbook, snapshot), Database(snapshot, (NationRow, MilitaryRow), forms()[0].vocabulary)


def test_db_17_numbers_are_read_and_written_in_the_units_of_the_rules() -> None:
    store, (workbook, snapshot), database = opened(TABS)
    armies, nations = database.table(MilitaryRow), database.table(NationRow)
    assert [row.value("size") for row in armies] == [7500, 8000]
    assert [row.value("population") for row in nations] == [1_800_000, 700_000]
    changes = Changes()
    changes.set(armies.rows[0], "size", 5279)
    changes.set(armies.rows[1], "size", 8000)
    changes.set(nations.rows[0], "stability", 92.5)
    changes.set(armies.rows[0], "keep", 7500)

    workbook.commit(snapshot, changes.finish(None))

    assert store.rows("Countries") == [
        ("Country", "Pop. (k)", "Army (k)", "Stability", "Keep"),
        ("Aland", 1800, 5.279, 92.5, 7500),
        ("Borland", 700, 8),
    ], "columns that two tabs of the rules lack do not meet in one place"


def test_a_cell_changed_meanwhile_is_not_overwritten() -> None:
    store, (workbook, snapshot), database = opened(TABS)
    changes = Changes()
    changes.set(database.table(MilitaryRow).rows[0], "size", 5279)
    store.type_in("Countries", 2, 3, 6)
    with pytest.raises(StaleWorkbook):
        workbook.commit(snapshot, changes.finish(None))
    assert store.rows("Countries")[1][2] == 6


def test_changed_columns_count_from_the_next_read() -> None:
    store, (workbook, _), _ = opened(TABS)
    store.type_in("Columns", 6, 5, 100)
    table = Database(workbook.read(keys("Militaries")), (MilitaryRow,), forms()[0].vocabulary).table(MilitaryRow)
    assert [row.value("size") for row in table] == [750, 800]
    store.delete_tab("Columns")
    assert workbook.read(keys("Nations", "Militaries")).sheets == {}


def test_no_row_is_added_to_a_tab_mapped_to_another_tab_s_rows() -> None:
    _, (workbook, snapshot), database = opened(TABS)
    added = AddedRow(MilitaryRow, "Rebels", {"name": "Rebels", "nation": "Aland", "size": 900})
    state: Any = None
    problem = next(iter(obstacles(state, forms()[0], database, [added], ())))
    assert str(problem).startswith(f"Countries: the ruling adds a row of {Military.tab.name}, whose rows are those of")
    with pytest.raises(RefusedChange, match="a row for Militaries cannot be added"):
        workbook.commit(snapshot, ChangeSet(rows=(AppendRow(key("Militaries"), ("Rebels",)),)))
    workbook.commit(snapshot, ChangeSet(rows=(AppendRow(key("Nations"), ("Rebels", 9)),)))
