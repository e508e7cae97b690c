"""The board's script divides men, reads shares and places formations as the program does (R-124, STRAT-13)."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from engine.autoalgo.inputs import Count, FlankOrder
from engine.autoalgo.setup.army import COLUMNS, apportion, column_counts, shares_fit, split_evenly, typed_counts
from engine.autoalgo.setup.formations import FORMATIONS, formation_places
from engine.columns import column
from engine.share import Share
from scripts.support.browser import node
from sheets_algo.database.cells import read_value
from sheets_algo.forms.autoalgo.columns import FlankRow

SCRIPT = Path(__file__).with_name("board_numbers.mjs")
NOTHING: dict[str, Any] = {name: [] for name in ("totals", "weights", "middles", "sides", "drafts")}


def in_node(asked: dict[str, Any]) -> dict[str, Any]:
    """Return what the scripts answer in one process."""
    done = subprocess.run(
        [node(), SCRIPT], input=json.dumps(NOTHING | asked), capture_output=True, text=True, check=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_page_and_program_divide_equally() -> None:
    numbers = random.Random(1)
    totals = [[numbers.randint(0, 10_000), numbers.randint(1, 99)] for _ in range(200)]
    weights = [[numbers.randint(0, 9_999), [numbers.randint(0, 9) for _ in range(7)]] for _ in range(500)]

    found = in_node({"totals": totals, "weights": weights})

    assert found["split"] == [split_evenly(total, parts) for total, parts in totals]
    assert found["shared"] == [apportion(total, parts) for total, parts in weights]


def random_cell(numbers: random.Random) -> Count:
    """Return a count as people type it: mostly a share, in which shares of a column seldom sum to the whole."""
    return numbers.choice((None, numbers.randint(0, 900), Share(numbers.randint(0, 100)), Share(numbers.random() * 30)))


def cell_of(count: Count) -> int | str:
    return "" if count is None else count if isinstance(count, int) else str(count)


@pytest.mark.parametrize("by_men", [True, False])
def test_r_124_r_58_page_and_program_interpret_typed_counts_equally(by_men: bool) -> None:
    numbers = random.Random(124)
    wholes = [[numbers.randint(0, 20_000) for _ in COLUMNS] for _ in range(300)]
    sides = []
    for _ in wholes:
        flanks = numbers.randint(1, 9)
        is_even = [numbers.random() < 0.3 for _ in COLUMNS]
        typed = [[None if even else random_cell(numbers) for _ in range(flanks)] for even in is_even]
        if numbers.random() < 0.5:  # the sum of these is the whole
            shares = apportion(1_000, [numbers.randint(1, 9) for _ in range(flanks)])
            typed[numbers.randrange(4)] = [Share(share / 10) for share in shares]
        sides.append(typed)

    asked = [
        [[[cell_of(cell) for cell in cells] for cells in typed], whole, by_men]
        for typed, whole in zip(sides, wholes, strict=True)
    ]
    found = in_node({"sides": asked})["counted"]

    for typed, whole, counted in zip(sides, wholes, found, strict=True):
        orders = [FlankOrder(**dict(zip(COLUMNS, cells, strict=True))) for cells in zip(*typed, strict=True)]
        assert counted == typed_counts(orders, whole, by_men)


@pytest.mark.parametrize("by_men", [True, False])
def test_r_124_r_58_the_shares_of_a_board_equal_the_counts_on_it(by_men: bool) -> None:
    """Blank cells that mean the same; else shares that sum to the whole and are read as the program reads them."""
    numbers = random.Random(7)
    drafts = []
    for _ in range(300):
        flanks = numbers.randint(1, 12)
        whole = [numbers.choice((0, 3, 9, 250, 7_001, 1_234_567, 15_000_000)) for _ in COLUMNS]
        weights = [[numbers.choice((0, 1, 1, 1, 2, 40)) for _ in range(flanks)] for _ in COLUMNS]
        columns = [
            numbers.choice((apportion(total, own), split_evenly(total, flanks)))
            if sum(own)
            else split_evenly(total, flanks)
            for total, own in zip(whole, weights, strict=True)
        ]
        drafts.append((columns, whole))

    asked = [
        [[dict(zip(COLUMNS, counts, strict=True)) for counts in zip(*columns, strict=True)], whole, by_men]
        for columns, whole in drafts
    ]
    found = in_node({"drafts": asked})["typed"]

    read = [read_value(column(FlankRow, "infantry"), cell, {}) for cell in ("40 %", "33.33 %", 7)]
    assert read == [Share(40), Share(33.33), 7]
    blanks = 0
    for (columns, whole), typed in zip(drafts, found, strict=True):
        rows = [
            [None if cell == "" else read_value(column(FlankRow, "infantry"), cell, {}) for cell in cells]
            for cells in typed
        ]
        men = [sum(flank) for flank in zip(*columns[:3], strict=True)]
        for name, counts, orders, total in zip(COLUMNS, columns, rows, whole, strict=True):
            assert shares_fit(orders)
            weights = men if by_men and name == "ships" else []
            assert column_counts(orders, total, weights) == counts
            is_blank = orders == [None] * len(orders)
            assert is_blank == (not any(counts) or counts == column_counts([None] * len(orders), total, weights))
            blanks += is_blank
    assert 300 < blanks < 900


def test_strat_13_rows_and_board_place_every_formation_equally() -> None:
    """For each number of flanks, in the middle and at the edges of the map, with the enemy on either side."""
    middles = [
        {"count": count, "x": x, "y": y, "ahead": ahead, "rows": rows}
        for count in range(1, 100)
        for x, y, ahead, *rows in (
            (200, 182, 1, 0, 198),
            (200.5, 218.25, -1, 202, 399),
            (3, 396, -1, 202, 399),
            (399, 0, 1, 0, 198),
            (200, 182, 1, 0, 399),
        )
    ]
    placed = in_node({"middles": middles})["placed"]

    assert set(placed) == set(FORMATIONS)
    for name in FORMATIONS:
        for middle, found in zip(middles, placed[name], strict=True):
            x, y, low, high = middle["x"], middle["y"], *middle["rows"]
            ahead = int(middle["ahead"])
            places = formation_places(name, middle["count"], (x, y), ahead=ahead, last=399, rows=(low, high))
            assert all(low <= place[1] <= high for place in places)
            assert [list(place) for place in places] == found, (name, middle)
