"""Shares of the army in the counts of Flanks, as people type them (R-124, NUM-03)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.autoalgo.setup.strategy import flank_table
from scripts.support.smallest_war import ruling, war, war_form, war_rows
from scripts.support.workbooks import Rows, column, messages, problems, run, workbook
from sheets_algo.workbook.values import PerCent
from tests.forms.test_board_links import link
from tests.ruling.test_lapsed_orders import receipts


def rows(*infantry: object, **more: Any) -> list[dict[str, Any]]:
    return [{"Side": "Attacker", "Maneuver": "Normal", "Infantry": cell} | more for cell in infantry]


def men(sheet: Rows, side: int = 0) -> list[int]:
    """The infantry of each flank of a side in the first war."""
    tables = war_form().tables  # type: ignore[attr-defined]
    return [plan.infantry for plan in flank_table(war(sheet), side, tables)]


@pytest.mark.parametrize(
    "cells",
    [
        ("40 %", "40%", "20 %"),
        (PerCent(0.4), PerCent(0.4), PerCent(0.2)),
        (" 40\u00a0% ", PerCent(0.4), "20,0 %"),
        ("80 %", "20 %"),
    ],
)
def test_r_124_a_share_may_be_text_or_a_per_cent_cell(cells: tuple[object, ...]) -> None:
    found = men(war_rows(*rows(*cells)))

    assert found[-1] == 1_800
    assert sum(found) == 9_000


def test_r_124_rounded_thirds_count_as_thirds() -> None:
    assert men(war_rows(*rows(*[PerCent(1 / 3)] * 3))) == [3_000, 3_000, 3_000]
    assert men(war_rows(*rows("33 %", "33 %", "33 %"))) == [3_000, 3_000, 3_000]


@pytest.mark.parametrize(
    ("cell", "id", "says"),
    [
        ("110 %", "R-124", '"110 %" is not a share from 0 % to 100 %'),
        ("-5 %", "R-124", '"-5 %" is not a share from 0 % to 100 %'),
        (PerCent(42), "R-124", '"4200 %" is not a share from 0 % to 100 %'),
        ("half %", "R-124", '"half %" is not a share from 0 % to 100 %'),
        ("33,333 %", "FLR-06", "could mean 33.333 % or 33333 %. Type 33.3330 %. [FLR-06]"),
        (0.4, "FLR-06", "0.4 is not a whole number. Enter a whole number of at least 0, or a share such as 40 %"),
    ],
)
def test_r_124_an_invalid_share_is_refused_at_its_cell(cell: object, id: str, says: str) -> None:
    made = run(workbook(war_rows(*rows(cell))))

    assert problems(made) == [("Flanks!F2", id)]
    assert says in messages(made)[0][2]


@pytest.mark.parametrize("unread", ["2,00", "33,333 %", "many"])
def test_strat_07_counts_are_not_added_up_beside_one_that_cannot_be_read(unread: str) -> None:
    """Its number is unknown, and with it what the side lacks."""
    made = run(workbook(war_rows(*rows(unread, 6_000, 1_000))))

    assert problems(made) == [("Flanks!F2", "FLR-06")]
    assert problems(run(workbook(war_rows(*rows(2_000, 5_000, 1_000))))) == [("Flanks!F2", "STRAT-07")]
    nobodys = rows(2_000)[0] | {"Side": "Atacker"}
    assert problems(run(workbook(war_rows(nobodys, *rows(6_000, 1_000))))) == [("Flanks!B2", "FLR-02")]


def test_r_124_the_advice_for_a_doubtful_share_is_followed() -> None:
    for cell in ("33,333 %", "49.995 %"):
        message = messages(run(workbook(war_rows(*rows(cell, "50.0050 %")))))[0][2]
        typed = message.partition("Type ")[2].partition(". [")[0]
        rest = f"{100 - float(typed.removesuffix(' %')):.4f} %"
        assert sum(men(war_rows(*rows(typed, rest)))) == 9_000


def test_strat_13_a_row_for_many_flanks_divides_its_share() -> None:
    wall = {"Side": "Attacker", "Flank": "wall", "Flanks": 7, "Infantry": "60 %"}

    found = men(war_rows(wall, *rows("40 %", Flank="guard")))

    assert found[-1] == 3_600
    assert sum(found[:7]) == 5_400
    assert max(found[:7]) - min(found[:7]) <= 1


def test_war_16_another_army_can_reuse_a_strategy_s_shares() -> None:
    sheet = war_rows(*rows("70 %", "30 %", Strategy="wings"))
    other = {"Request": "W-2", "Attacker": "Right", "Defender": "Left", "Attacker Strategy": "wings"}
    sheet["War Requests"].insert(0, sheet["War Requests"][0] | other)
    sheet["Militaries"][1]["Size"] = 777

    assert men(sheet) == [544, 233]


def test_war_16_a_link_may_have_shares() -> None:
    flanks = [["", 120, 150, "75 %", "", "", "", "Normal"], ["", 240, 150, "25 %", "", "", "", "Normal"]]

    assert men(war_rows(Attacker_Strategy=link(rows=flanks))) == [6_750, 2_250]


def test_r_124_a_ruled_row_stays_done_after_the_army_changes() -> None:
    """D16: what was typed is compared, not what it stood for."""
    for cells in (("40 %", "60 %"), (None, None), (4_000, 5_000)):
        book = workbook(war_rows(*rows(*cells)))
        assert run(book).rulings
        sizes = book.rows("Militaries")[0].index("Size") + 1
        book.type_in("Militaries", 2, sizes, 5_000)

        made = run(book)

        assert not made.rulings
        assert column(book, "War Requests", "Status") == ["Done"]


def test_r_124_a_receipt_s_inputs_keep_shares_for_replay() -> None:
    from sheets_algo.replays.replay import verify

    book = workbook(war_rows(*rows("40 %", "60 %")))
    run(book)
    found = receipts(book).ruling_of("W-1")
    assert found is not None

    assert found.inputs.count('"infantry":{"per_cent":') == 2
    assert verify(found, war_form(), found.rules_fingerprint, None).is_equal


def test_r_124_all_notations_of_an_even_division_fight_alike() -> None:
    blank, shared = (ruling(war_rows(*rows(*cells), Seed=7)).outcome for cells in ((None, None), ("50 %", "50 %")))

    assert blank.receipt == shared.receipt
    assert blank.events == shared.events
