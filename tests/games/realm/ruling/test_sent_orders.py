"""Orders that the players of realms write themselves (TRN-11)."""

from __future__ import annotations

from scripts.support.workbooks import column, example, grids
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.sent_orders import AFTER, FORM, TURNS, at, look, says


def test_trn_11_a_player_of_several_realms_names_one() -> None:
    rows = example("realm")
    rows.pop("Rating Requests")
    names = [realm["Realm"] for realm in rows["Realms"]]
    players = ("Ada; ada@x.example, 123456789012345678", "ada@x.example", "bo@x.example")
    for realm, player in zip(rows["Realms"], players, strict=True):
        realm["Player"] = player
    rows["Turn Requests"] = []
    rows[TURNS] = [{"Turn": 12, "Deadline": "2026-03-01 20:00", "Orders From": FORM}]
    heads = ("Timestamp", "Email Address", "Realm", "Order", "Agents", "Target realm", "Fixed rolls")
    spy = ("Slander", 1)
    responses = [
        [at(1), "ADA@x.example", names[1], *spy, names[2], "RL-ESP-1=1"],
        [at(2), "ada@x.example", None, *spy, names[2], None],
        [at(3), "bo@x.example", None, *spy, names[0], None],
        [at(4), "bo@x.example", None, "Process all turns", None, None, None],
        [at(5), "bo@x.example", None, "Award experience", None, None, None],
        [at(6), "bo@x.example", None, "City captured", None, None, None],
        [at(7), "bo@x.example", None, "Battle won", None, names[0], None],
    ]
    book = MemoryWorkbook(grids(rows) | {FORM: [list(heads), *responses]})

    plan = look(book, AFTER)

    assert column(book, "Turn Requests", "Realm") == [names[1], names[2], None]
    assert column(book, "Turn Requests", "Fixed rolls") == [None, None, None]
    told = " ".join(says(plan))
    assert f'"ada@x.example" is the address of more than one realm. Name {names[0]} or {names[1]} in the row' in told
    for order in ("Process all turns", "Award experience", "City captured", "Battle won"):
        assert f'"{order}" is not an order of players. Order it yourself, or delete the row.' in told
