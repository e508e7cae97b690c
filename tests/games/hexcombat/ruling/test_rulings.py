"""Hex combats in a pass: each on the board as the ones before leave it, written back, taken back, ruled alike again."""

from __future__ import annotations

from typing import Any

from scripts.support.workbooks import (
    OPTIONS,
    SECRET,
    Rows,
    column,
    example,
    forms,
    messages,
    pass_context,
    read,
    run,
    undo,
    workbook,
)
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.tabs import key, keys

LATER = "2026-03-02T00:00:00Z"
DATABASE = ("Hex Units", "Hex Unit Types", "Hex Sides", "Hex Facilities", "Hex Settings")


def requests(*cells: dict[str, Any]) -> Rows:
    """The example's board with other requests."""
    rows = example("hexcombat")
    rows["Combat Requests"] = [{"Request": f"H-{number}", "Ready": True} | row for number, row in enumerate(cells, 1)]
    return rows


def unit(book: MemoryWorkbook, name: str, *headers: str) -> tuple[Any, ...]:
    """Cells of a unit's row."""
    at = column(book, "Hex Units", "Unit").index(name)
    return tuple(column(book, "Hex Units", header)[at] for header in headers)


OVER = {"Attacker": "5th Armoured", "Defender": "44th Rifles"}


def test_a_ruling_writes_the_request_and_the_board() -> None:
    """HX-EX-26: 3 infantry are overrun by 10 tanks; the tanks' blank ammo of 8 is 7 now."""
    rows = requests(OVER)
    next(row for row in rows["Hex Units"] if row["Unit"] == "44th Rifles").update({"Strength": 3, "Entrenchment": 0})
    book = workbook(rows)

    run(book)

    assert column(book, "Combat Requests", "Status") == ["Done"]
    assert unit(book, "44th Rifles", "Strength", "Status") == (0, "Destroyed")
    assert unit(book, "5th Armoured", "Strength", "Ammo", "Status") == (10, 7, None)


def test_each_combat_sees_results_of_earlier_ones() -> None:
    """After the overrun nobody can attack the infantry again, and 6 shots later the tanks have none left."""
    rows = requests(OVER, OVER, {"Attacker": "5th Armoured", "Defender": "9th Panzers", "Range": 1})
    for row in rows["Hex Units"]:
        if row["Unit"] == "44th Rifles":
            row.update({"Strength": 3, "Entrenchment": 0})
        if row["Unit"] == "5th Armoured":
            row["Ammo"] = 1

    found = messages(run(workbook(rows)))

    assert [status for _, status, _ in found] == ["Done", "Invalid", "Invalid"]
    assert "44th Rifles is destroyed. Name a unit whose Status is Active. [HX-OP-45]" in found[1][2]
    assert "5th Armoured cannot attack: it has no ammo. [HX-DEF-21]" in found[2][2]


def test_hx_int_a_fighter_intercepts_once_a_turn() -> None:
    attack = {"Defender": "7th AA Column", "Interceptors": "401 Squadron@1"}
    rows = requests(attack | {"Attacker": "3rd Stukas"}, attack | {"Attacker": "2nd Scouts"})

    first, second = messages(run(workbook(rows)))

    assert (first[1], second[1]) == ("Done", "Invalid")
    assert "401 Squadron cannot intercept: it has intercepted this turn." in second[2]


def test_invariant_2_a_forecast_changes_no_database_cell() -> None:
    rows = requests(OVER | {"Action": "Forecast"})
    book = workbook(rows)
    before = book.read(keys(*DATABASE))

    [(_, status, message)] = messages(run(book))

    assert (status, message.splitlines()[0]) == (
        "Waiting",
        "By formula: 44th Rifles: 5 killed; 5th Armoured: 1 killed; SIMULTANEOUS",
    )
    assert all(book.read(keys(*DATABASE)).sheet(key(tab)) == before.sheet(key(tab)) for tab in DATABASE)


def test_rulings_write_only_their_own_cells() -> None:
    rows = example("hexcombat")
    book = workbook(rows)
    before = book.read(keys(*DATABASE))
    run(book)
    after = book.read(keys(*DATABASE))

    for tab in ("Hex Unit Types", "Hex Settings"):
        assert after.sheet(key(tab)) == before.sheet(key(tab))
    for header in ("Unit", "Side", "Type", "Mounted", "Terrain", "Hex", "Leaders", "Attachments"):
        assert column(book, "Hex Units", header) == [row.get(header) for row in rows["Hex Units"]]


def test_hx_op_53_a_ruling_stores_the_supporters_from_the_map() -> None:
    """The battery that fired has been moved away since, and the ruling still comes out alike."""
    rows = requests({"Attacker": "2nd Armoured", "Defender": "716th Rifles"})
    book = workbook(rows)
    [(_, status, message)] = messages(run(book))
    at = 2 + column(book, "Hex Units", "Unit").index("84th Battery")
    header = list(book.read(keys("Hex Units")).sheets[key("hex units")].rows[1]).index("Hex") + 1
    book.type_in("Hex Units", at, header, "30,30")

    form = next(form for form in forms() if form.key == "hexcombat")
    [ruling] = read_receipts(read(book)).rulings

    assert status == "Done"
    assert message.endswith("\nFire support, from the map: 84th Battery@2")
    assert unit(book, "84th Battery", "Ammo", "Supported this turn") == (5, True)
    assert verify(ruling, form, pass_context().fingerprints["hexcombat"], SECRET, OPTIONS).differences == ()


def test_undo_restores_the_board() -> None:
    """Blank cells are blank again."""
    rows = example("hexcombat")
    rows["Combat Requests"] = rows["Combat Requests"][:1]
    book = workbook(rows)
    before = book.read(keys("Hex Units")).sheet(key("Hex Units"))
    run(book)
    assert book.read(keys("Hex Units")).sheet(key("Hex Units")) != before

    snapshot = read(book)
    _, changes = undo(snapshot, forms(), "H-0001", LATER)
    book.commit(snapshot, changes)

    for header in ("Strength", "Experience", "Ammo", "Hits", "Entrenchment", "Supported this turn"):
        assert column(book, "Hex Units", header) == [row.get(header) for row in rows["Hex Units"]]
