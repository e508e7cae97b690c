"""The board's script judges a strategy as the program does, in the same words (STRAT-06, STRAT-07, STRAT-12, R-34)."""

from __future__ import annotations

import json
import random
import subprocess
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from engine.autoalgo.inputs import Belligerent, Count, FlankOrder, WarInputs
from engine.autoalgo.setup.army import apportion, slot_counts, split_evenly
from engine.autoalgo.setup.counts import COLUMNS, column_counts, shares_fit, typed_counts
from engine.autoalgo.setup.formations import FORMATIONS, formation_places
from engine.autoalgo.setup.strategy import flank_table, strategy_message, strategy_rules
from engine.columns import column
from engine.share import Share
from scripts.support.browser import node
from scripts.support.pinned_tables import shipped_tables
from scripts.support.small_battles import ARCHER, FEATURES, SOLDIER, army, fleet, ground_of_codes, war
from sheets_algo.database.cells import read_value
from sheets_algo.forms.autoalgo.columns import FlankRow
from tests.helpers.example_budget import BUDGET

JUDGE = Path(__file__).with_name("judge_boards.mjs")
NOTHING: dict[str, Any] = {name: [] for name in ("boards", "totals", "weights", "middles", "sides", "drafts")}
BOARDS = round(1_000 * BUDGET)
SHORE = 200
"""The column from which on the map is water."""
WOOD = 300
"""The row from which on the land is forest."""


GUARDS = [FlankOrder(x=x, y=y) for x, y in ((190, 218), (100, 301), (60.5, 330.25))]
"""The enemy's flanks, two of them in the wood."""


def in_node(asked: dict[str, Any]) -> dict[str, Any]:
    """Return what the scripts answer in one process."""
    done = subprocess.run(
        [node(), JUDGE], input=json.dumps(NOTHING | asked), capture_output=True, text=True, check=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def shore() -> Any:
    codes = np.full((400, 400), FEATURES["Plain"], np.uint8)
    codes[WOOD:] = FEATURES["Forest"]
    codes[:, SHORE:] = FEATURES["Water"]
    return ground_of_codes(codes)


def random_side(numbers: random.Random) -> Belligerent:
    """Return a side with flanks that are right, or wrong in one way or another."""
    kind = numbers.randrange(4)
    if kind == 0:
        own = fleet(ships=numbers.randint(1, 40))
    elif kind == 1:
        own = army(size=numbers.randint(150, 9_000), ships=numbers.choice((0, 5)))
    else:
        own = army(size=numbers.randint(300, 9_000), types=(SOLDIER, None, ARCHER), shares=(0.6, 0.0, 0.4))
    number = numbers.choice((1, 2, 3, 4, 7, 12, 12, 99, 100))
    counts = [split_evenly(total, number) for total in slot_counts(own)]
    most = numbers.choice((198, 198, 399))
    flanks = [
        FlankOrder(
            label=numbers.choice(("", "left", "{label}", "ש")),
            x=numbers.choice((float(numbers.randint(0, 399)), numbers.uniform(150, 250))),
            y=float(numbers.randint(0, most)),
            infantry=counts[0][place],
            cavalry=counts[1][place],
            artillery=counts[2][place],
            maneuver=numbers.choice((*["Normal"] * 9, "Ambush")),
        )
        for place in range(number)
    ]
    for _ in range(numbers.choice((0, 0, 1, 2))):
        place = numbers.randrange(number)
        name, value = numbers.choice(
            (("x", -1.0), ("x", 400.0), ("y", 1e6), ("cavalry", 20), ("infantry", 0), ("infantry", 9_999), ("ships", 3))
        )
        flanks[place] = replace(flanks[place], **{name: value})
    return replace(own, flanks=tuple(flanks))


def board_of(inputs: WarInputs) -> dict[str, Any]:
    """Return a board as the page has it."""
    flanks = [
        {name: getattr(plan, name) for name in ("x", "y", "infantry", "cavalry", "artillery", "ships", "maneuver")}
        | {"label": order.label}
        for plan, order in zip(flank_table(inputs, 0, shipped_tables()), inputs.attacker.flanks, strict=True)
    ]
    rules = asdict(strategy_rules(inputs, 0, shipped_tables()))
    enemies = [{"x": plan.x, "y": plan.y} for plan in flank_table(inputs, 1, shipped_tables())]
    return {"rules": rules, "flanks": flanks, "enemies": enemies, "shore": SHORE, "wood": WOOD}


def test_page_and_program_agree_on_every_flank_total_and_message_of_random_boards() -> None:
    numbers = random.Random(1066)
    wars = [war(random_side(numbers), army("B", flanks=GUARDS), ground=shore()) for _ in range(BOARDS)]
    found = [strategy_message(inputs, 0, shipped_tables()) for inputs in wars]
    boards = [board_of(inputs) for inputs in wars]

    judged = in_node({"boards": boards})["judged"]

    for mine, page in zip(found, judged, strict=True):
        assert page["text"] == mine.text
        assert page["problems"] == [asdict(problem) for problem in mine.problems]
        assert page["warnings"] == [warning for warning in mine.warnings if "[R-111]" not in warning], "of one side"
    wrong = sum(bool(message.problems) for message in found)
    assert 0.3 * BOARDS < wrong < 0.9 * BOARDS
    kinds = {problem.kind for message in found for problem in message.problems}
    assert kinds >= {"Inf", "Navy", "X", "Y", "Cavalry", "Flanks"}
    assert {problem.id for message in found for problem in message.problems} >= {"R-116", "R-118"}


def test_page_and_program_divide_alike() -> None:
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


def test_r_124_page_and_program_count_what_is_typed_alike() -> None:
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
        [[[cell_of(cell) for cell in cells] for cells in typed], whole]
        for typed, whole in zip(sides, wholes, strict=True)
    ]
    found = in_node({"sides": asked})["counted"]

    for typed, whole, counted in zip(sides, wholes, found, strict=True):
        orders = [FlankOrder(**dict(zip(COLUMNS, cells, strict=True))) for cells in zip(*typed, strict=True)]
        assert counted == typed_counts(orders, whole)


def test_r_124_the_shares_that_a_board_writes_stand_for_the_counts_on_it() -> None:
    """Blank cells for an even division; else shares that sum to the whole and are read as the program reads them."""
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
        [[dict(zip(COLUMNS, counts, strict=True)) for counts in zip(*columns, strict=True)], whole]
        for columns, whole in drafts
    ]
    found = in_node({"drafts": asked})["typed"]

    read = [read_value(column(FlankRow, "infantry"), cell, {}) for cell in ("40 %", "33.33 %", 7)]
    assert read == [Share(40), Share(33.33), 7]
    blanks = 0
    for (columns, whole), typed in zip(drafts, found, strict=True):
        for counts, cells, total in zip(columns, typed, whole, strict=True):
            orders = [None if cell == "" else read_value(column(FlankRow, "infantry"), cell, {}) for cell in cells]
            assert shares_fit(orders)
            assert column_counts(orders, total) == counts
            is_blank = all(cell == "" for cell in cells)
            assert is_blank == (counts == split_evenly(total, len(counts)))
            blanks += is_blank
    assert 300 < blanks < 900


def test_strat_13_a_row_and_the_board_place_every_formation_alike() -> None:
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
