"""The board's script judges a strategy as the program does, in the same words (STRAT-06, STRAT-07, STRAT-12, R-34)."""

from __future__ import annotations

import json
import random
import subprocess
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from engine.autoalgo.inputs import Belligerent, FlankOrder, WarInputs
from engine.autoalgo.setup.army import apportion, slot_counts, split_evenly
from engine.autoalgo.setup.formations import FORMATIONS, formation_places
from engine.autoalgo.setup.strategy import flank_table, strategy_message, strategy_rules
from scripts.support.browser import node
from scripts.support.pinned_tables import shipped_tables
from scripts.support.small_battles import ARCHER, FEATURES, SOLDIER, army, fleet, ground_of_codes, war
from tests.helpers.example_budget import BUDGET

JUDGE = Path(__file__).with_name("judge_boards.mjs")
NOTHING: dict[str, Any] = {"boards": [], "totals": [], "weights": [], "middles": []}
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
