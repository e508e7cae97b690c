"""Turns of hex combats: an order New turn ends the current one, and every row belongs to a turn (HX-OP-49)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from scripts.support.workbooks import (
    OPTIONS,
    SECRET,
    Rows,
    check,
    column,
    forms,
    messages,
    pass_context,
    read,
    run,
    undo,
    workbook,
)
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.corrections import CannotUndo
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.games.hexcombat.ruling.test_rulings import LATER, OVER, requests, unit
from tests.helpers.lapses import spoilt
from tests.helpers.turns import ruled, take_back, type_in

NEW: dict[str, Any] = {"Kind": "New turn"}
INTERCEPTED = {"Defender": "7th AA Column", "Interceptors": "401 Squadron@1"}
STUKAS, SCOUTS = (INTERCEPTED | {"Attacker": name} for name in ("3rd Stukas", "2nd Scouts"))
MARKS = ("Hits", "Intercepted this turn", "Supported this turn", "Turn")


def game(*cells: dict[str, Any], turn: int | None = 3, units: dict[str, dict[str, Any]] | None = None) -> Rows:
    """The example's board in a turn, with other requests and some cells of units changed."""
    rows = requests(*cells)
    for side in rows["Hex Sides"]:
        side["Turn"] = turn
    for row in rows["Hex Units"]:
        row.update((units or {}).get(row["Unit"], {}))
    return rows


def statuses(book: MemoryWorkbook) -> list[str]:
    return [status for _, status, _ in messages(run(book))]


def test_hx_op_49_a_new_turn_advances_all_sides() -> None:
    book = workbook(game(NEW))

    [(_, status, message)] = messages(run(book))

    assert (status, message) == ("Done", "Turn 4 begins; 3 units change")
    assert column(book, "Hex Sides", "Turn") == [4, 4]
    assert column(book, "Combat Requests", "Result") == [message]


def test_hx_op_49_the_first_new_turn_ends_its_typed_turn_or_turn_1() -> None:
    named, blank = workbook(game(NEW | {"Turn": 7}, turn=None)), workbook(game(NEW, turn=None))

    assert statuses(named) == statuses(blank) == ["Done"]
    assert (column(named, "Hex Sides", "Turn"), column(blank, "Hex Sides", "Turn")) == ([8, 8], [2, 2])


def test_hx_op_49_the_latest_turn_of_any_side_counts() -> None:
    rows = game(NEW)
    rows["Hex Sides"][0]["Turn"] = None
    rows["Hex Sides"][1]["Turn"] = 5
    book = workbook(rows)

    assert statuses(book) == ["Done"]
    assert column(book, "Hex Sides", "Turn") == [6, 6]


def test_hx_op_49_an_old_workbook_gets_the_columns_of_turns() -> None:
    rows = requests(NEW, STUKAS)
    heads = {tab: [header for header in rows[tab][0] if header != "Turn"] for tab in ("Hex Sides",)}
    book = workbook(rows, heads)

    assert statuses(book) == ["Done", "Done"]
    assert column(book, "Hex Sides", "Turn") == [2, 2]
    assert unit(book, "401 Squadron", *MARKS[1:]) == (True, None, 2)


def test_hx_op_49_without_a_new_turn_the_turn_is_only_printed() -> None:
    rows = game(*(OVER | {"Turn": turn} for turn in (5, 2)), STUKAS, turn=None)
    book = workbook(rows)

    assert statuses(book) == ["Done"] * 3
    assert column(book, "Hex Units", "Turn") == [None] * len(rows["Hex Units"])


def test_hx_op_49_a_refused_row_without_turns_stores_no_turn() -> None:
    book = workbook(requests(OVER | {"Defender": None, "Turn": 5}))

    assert statuses(book) == ["Invalid"]
    assert column(book, "Combat Requests", "Ready Since") == [None]


def test_hx_op_49_only_the_current_turn_may_be_typed() -> None:
    book = workbook(game(*(OVER | {"Turn": turn} for turn in (2, 3, 4)), OVER, NEW | {"Turn": 4}))

    found = messages(run(book))

    assert [status for _, status, _ in found] == ["Invalid", "Done", "Waiting", "Done", "Waiting"]
    assert "Turn): the order is for turn 2, which is over. Enter the current turn" in found[0][2]
    assert {found[number][2] for number in (2, 4)} == {"Waits for turn 4; the game is in turn 3"}


def test_a_blank_turn_is_the_current_one_on_the_receipt() -> None:
    plan = run(workbook(game(OVER, NEW, OVER)))

    items = (ruling.outcome.receipt.text().splitlines() for ruling in plan.rulings)
    assert [next(line for line in lines if line.startswith("  Turn: ")) for lines in items] == [
        "  Turn: 3",
        "  Turn: 3 is over, 4 begins",
        "  Turn: 4",
    ]


def test_a_turn_ended_twice_in_a_run_ends_once() -> None:
    for turn in (3, None):
        book = workbook(game(NEW, NEW, turn=turn))
        found = [run(book), run(book)]

        assert [[status for _, status, _ in messages(plan)] for plan in found] == [["Done", "Lapsed"]] * 2
        assert all(f": H-1 ends turn {turn or 1}. Type a new" in messages(plan)[1][2] for plan in found)


def test_hx_op_57_a_second_attack_in_a_turn_is_ruled_with_a_warning() -> None:
    book = workbook(game(OVER, OVER, NEW, OVER))
    says = '"5th Armoured" attacks in turn 3 already, in row 2 (H-1). [HX-OP-57]'

    for _ in range(2):
        found = messages(run(book))
        assert [status for _, status, _ in found][:3] == ["Done"] * 3
        assert [says in text for _, _, text in found] == [False, True, False, False]


def limits_told(**cells: Any) -> list[str]:
    """What check says of the board, on which 5th Armoured has these cells."""
    book = workbook(game(units={"5th Armoured": cells}))
    return [str(problem) for problem in check(read(book), [form for form in forms() if form.key == "hexcombat"])]


def test_improbable_unit_values_give_warnings() -> None:
    assert limits_told(Strength=15, Ammo=8, Fuel=60) == []
    strength, ammo = limits_told(Strength=30, Ammo=50)
    assert "warning: 30 is more than the 15 of a unit with all bars. [HX-DEF-07]" in strength
    assert "warning: 50 is more than the 8 that a Medium Tank can carry. [HX-DEF-21]" in ammo


def test_hx_op_58_two_units_on_one_hex_give_a_warning() -> None:
    [crowd] = limits_told(Hex="4,5")
    assert "warning: 5th Armoured and 2nd Armoured stand on one hex, 4,5. Move one of them. [HX-OP-58]" in crowd
    assert limits_told(Hex="4,5", Displaced="Retreated") == limits_told(Hex="4,5", Type="Fighter") == []


def test_hx_op_50_marks_end_with_their_turn() -> None:
    """A fighter intercepts once a turn; in the new turn again, and its mark says of which turn it is."""
    book = workbook(game(STUKAS, NEW, SCOUTS))

    assert statuses(book) == ["Done"] * 3
    assert unit(book, "401 Squadron", *MARKS[1:]) == (True, None, 4)


def test_req_12_a_new_turn_waits_for_a_refused_combat() -> None:
    for turn in (3, None):
        book = workbook(game(STUKAS, SCOUTS, NEW, turn=turn))

        assert statuses(book) == ["Done", "Invalid", "Waiting"]
        assert (
            f"Turn {turn or 1} does not end yet: 1 order fits, 1 to mend (H-2: 401 Squadron"
            in messages(run(book))[2][2]
        )
        assert column(book, "Combat Requests", "Ready Since")[1] == (turn or 1)


def test_hx_op_50_a_mark_of_an_earlier_turn_counts_as_cleared() -> None:
    """A moderator has raised the turn by hand; a mark without a turn is of the current one."""
    old, now = ({"401 Squadron": {"Intercepted this turn": True, "Turn": turn}} for turn in (2, None))
    earlier, current = workbook(game(STUKAS, units=old)), workbook(game(STUKAS, units=now))

    assert (statuses(earlier), statuses(current)) == (["Done"], ["Invalid"])
    assert unit(earlier, "401 Squadron", "Intercepted this turn", "Turn") == (True, 3)


def test_hx_op_50_a_new_turn_clears_marks_and_leaves_the_rest() -> None:
    marked = {"Hits": 2, "Intercepted this turn": True, "Supported this turn": True, "Turn": 3}
    other = {"Suppressed": 4, "Sabotaged": True, "Displaced": "Retreated"}
    units = {"5th Armoured": marked | other, "44th Rifles": marked | {"Status": "Destroyed"}}
    book = workbook(game(NEW, units=units))

    run(book)

    assert unit(book, "5th Armoured", *MARKS) == (0, False, False, None)
    assert unit(book, "5th Armoured", *other) == tuple(other.values())
    assert unit(book, "44th Rifles", *MARKS) == tuple(marked.values())


def test_hx_op_51_hx_op_52_units_dig_in_and_are_supplied() -> None:
    rows = game(NEW, units={"21st Rifles": {"Entrenchment": 1, "Ammo": 2}, "2nd Armoured": {"Ammo": 7, "Fuel": 10}})
    rows["Hex Settings"].append({"Setting": "turn_supply", "Value": 50})
    book = workbook(rows)

    run(book)

    assert unit(book, "21st Rifles", "Entrenchment", "Ammo") == (3, 6)
    assert unit(book, "2nd Armoured", "Entrenchment", "Ammo", "Fuel") == (None, 8, 40)


def test_a_new_turn_does_not_depend_on_the_order_of_rows() -> None:
    rows = game(NEW, units={"44th Rifles": {"Hits": 1}, "21st Rifles": {"Hits": 2}})
    shuffled = {tab: random.Random(5).sample(cells, len(cells)) for tab, cells in rows.items()}

    [one], [other] = (run(workbook(book)).rulings for book in (rows, shuffled))

    assert (one.outcome, one.receipt.seed) == (other.outcome, other.receipt.seed)


def test_a_new_turn_verifies_and_can_be_undone() -> None:
    """Undone, the turn is the current one again and its marks count again."""
    rows = game(STUKAS, NEW)
    book = workbook(rows)
    run(book)
    form = next(form for form in forms() if form.key == "hexcombat")
    rulings = read_receipts(read(book)).rulings
    found = [verify(receipt, form, pass_context().fingerprints["hexcombat"], SECRET, OPTIONS) for receipt in rulings]
    assert [verdict.differences for verdict in found] == [(), ()]

    snapshot = read(book)
    book.commit(snapshot, undo(snapshot, forms(), "H-2", LATER)[1])

    assert column(book, "Hex Sides", "Turn") == [3, 3]
    assert unit(book, "401 Squadron", "Intercepted this turn", "Turn") == (True, 3)


def test_a_forecast_of_a_new_turn_is_certain() -> None:
    book = workbook(game(NEW | {"Action": "Forecast"}))

    [(_, status, message)] = messages(run(book))

    assert (status, message.splitlines()[0]) == ("Waiting", "Turn 4 begins; 3 units change")
    assert column(book, "Hex Sides", "Turn") == [3, 3]


def test_hx_op_49_a_new_turn_with_a_unit_is_refused() -> None:
    [(_, status, message)] = messages(run(workbook(game(NEW | {"Attacker": "5th Armoured"}))))

    assert status == "Invalid"
    assert "Attacker): a New turn does not use it. Empty the cell, or choose another Kind. [HX-OP-49]" in message


def test_hx_op_49_the_last_turn_cannot_end() -> None:
    [(_, status, message)] = messages(run(workbook(game(NEW, turn=1_000_000))))

    assert status == "Invalid"
    assert "Turn): turn 1,000,000 is the last one. Use turns below 1,000,000. [HX-OP-49]" in message


def test_a_new_turn_waits_for_readable_units() -> None:
    """Else the marks of that unit would outlive their turn."""
    book = workbook(game(NEW, units={"9th Panzers": {"Ammo": "much"}}))

    [(_, status, message)] = messages(run(book))

    assert status == "Invalid"
    assert 'Ammo): "much" is not a number.' in message
    assert column(book, "Hex Sides", "Turn") == [3, 3]


def test_hx_op_49_a_game_without_sides_has_no_turns() -> None:
    """Else nothing would say that the turn is over."""
    rows = game(NEW) | {"Hex Sides": [], "Hex Units": []}

    [(_, status, message)] = messages(run(workbook(rows)))

    assert status == "Invalid"
    assert "Kind): Hex Sides names no side whose turn could begin. Enter the sides there. [HX-OP-49]" in message


def test_req_12_combats_below_a_refused_new_turn_wait() -> None:
    book = workbook(game(NEW | {"Attacker": "2nd Scouts"}, STUKAS))

    first, second = run(book), run(book)

    assert [status for _, status, _ in messages(first)] == ["Invalid", "Waiting"]
    assert [status for _, status, _ in messages(second)] == ["Invalid", "Waiting"]
    assert messages(first)[1][2].startswith("Waits for ")
    type_in(book, "Combat Requests", "Attacker", 2, None)
    mended = run(book)
    assert ruled(mended) == [id for id, _, _ in messages(mended)]


def test_a_turn_with_later_combats_cannot_be_undone() -> None:
    book = workbook(game(NEW, STUKAS))
    end, combat = (ruling.receipt for ruling in run(book).rulings[:2])

    with pytest.raises(CannotUndo) as refusal:
        take_back(book, end.request)

    says = f"{combat.request} was ruled in a later turn; undo {combat.request} first (receipt {combat.seq})."
    assert str(refusal.value) == says
    take_back(book, combat.request)
    take_back(book, end.request)
    assert statuses(book)[:2] == ["Undone", "Undone"]


def test_req_18_a_combat_of_an_eliminated_unit_lapses() -> None:
    """A game without turns has nothing with which it could lapse."""
    for cells, turn, found in (((OVER, OVER, NEW), 3, "Lapsed"), ((OVER, OVER), None, "Invalid")):
        first, second, *_ = messages(run(workbook(game(*cells, turn=turn, units={"44th Rifles": {"Strength": 1}}))))

        assert (first[1], second[1]) == ("Done", found)
        assert "44th Rifles is" in second[2]


KILLED: dict[str, dict[str, Any]] = {"44th Rifles": {"Strength": 3, "Entrenchment": 0}}


@pytest.mark.parametrize("object", [{"Attacker": "44th Rifles", "Defender": "5th Armoured", "Range": 1}, OVER])
def test_req_18_an_order_of_a_destroyed_unit_lapses_despite_mistakes(object: dict[str, Any]) -> None:
    for header, rows in spoilt(game(OVER, object, NEW, units=KILLED), "Combat Requests", 1):
        found = messages(run(workbook(rows)))

        assert [status for _, status, _ in found] == ["Done", "Lapsed", "Done"], (header, found)
        assert f"44th Rifles is destroyed ({found[0][0]})" in found[1][2]
