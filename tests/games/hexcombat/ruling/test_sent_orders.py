"""Hex combats are typed by moderators alone (TRN-10)."""

from __future__ import annotations

from scripts.support.workbooks import check, example, forms, grids, read
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.sent_orders import FORM, TURNS


def test_trn_10_a_game_without_players_accepts_no_sent_orders() -> None:
    rows = example("hexcombat")
    rows[TURNS] = [{"Turn": 1, "Orders From": FORM}]

    told = [str(problem) for problem in check(read(MemoryWorkbook(grids(rows))), forms())]

    says = "the orders of hexcombat name no player, so players cannot send them. Clear the cell. [TRN-10]"
    assert any(says in text for text in told)
