"""Flanks in ambush: where they may start, and how they fight (R-118)."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from engine.autoalgo.battle.draw_ids import AMBUSH_FOUND
from engine.autoalgo.battle.events import FOUND
from engine.autoalgo.battle.state import AMBUSH, MANEUVERS, NORMAL
from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.inputs import Belligerent, FlankOrder, WarInputs
from engine.autoalgo.resolve import Autoalgo
from engine.autoalgo.setup.deploy import deploy
from engine.autoalgo.setup.strategy import strategy_message
from engine.autoalgo.setup.strategy_rules import StrategyProblem
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.variables import side_variables
from engine.rng import Rng
from engine.terrain import TerrainMap
from scripts.support.pinned_tables import SHIPPED, raw_tables, shipped_tables
from scripts.support.small_battles import (
    FEATURES,
    army,
    deploy_war,
    field_of,
    fight,
    ground_of_codes,
    terrain,
    war,
)
from tests.helpers import machine_code

KNOWN = shipped_tables()
NUMBERS = KNOWN.constants.r_118


def hiding(flank_y: float, x: float = 200, **more: object) -> FlankOrder:
    return FlankOrder(x=x, y=flank_y, maneuver=AMBUSH, **more)  # type: ignore[arg-type]


def wood(feature: str = "Forest") -> TerrainMap:
    """Return a plain with one wood beyond the defender's line: X 190 to 209, Y 240 to 259."""
    codes = np.full((400, 400), FEATURES["Plain"], np.uint8)
    codes[240:260, 190:210] = FEATURES[feature]
    return ground_of_codes(codes)


def problems(inputs: WarInputs, side: int = 0) -> tuple[StrategyProblem, ...]:
    return strategy_message(inputs, side, KNOWN).problems


def ambushed(y: float, ground: TerrainMap, x: float = 200, enemies: tuple[FlankOrder, ...] = ()) -> WarInputs:
    """Return a war whose attacker has two flanks in the north and one in ambush."""
    own = [FlankOrder(x=190, y=182), FlankOrder(x=210, y=182), hiding(y, x)]
    return war(army("A", flanks=own), army("B", flanks=enemies), ground=ground)


@pytest.mark.parametrize(
    ("feature", "y", "nearest"),
    [
        ("Forest", 250, ""),
        ("Cliffs", 240, ""),
        ("High ground", 259.4, ""),
        ("Forest", 239, "X 200, Y 240"),
        ("Forest", 300, "X 200, Y 259"),
        ("Forest", 390, "X 200, Y 259"),
        ("Water", 250, "nothing on this map hides an ambush"),
        ("Plain", 250, "nothing on this map hides an ambush"),
        ("Plain", 182, "nothing on this map hides an ambush"),
        ("Forest", 182, "X 200, Y 240"),
        ("Forest", 400, "X 200, Y 259"),
    ],
)
def test_r_118_an_ambush_may_lie_in_cover_in_either_half(feature: str, y: float, nearest: str) -> None:
    found = problems(ambushed(y, wood(feature)))
    assert [(problem.id, problem.kind, problem.flank) for problem in found] == ([("R-118", "Y", 2)] if nearest else [])
    assert all(nearest in problem.allowed for problem in found)


@pytest.mark.parametrize(
    ("enemy_y", "enemy_men", "is_refused"),
    [(246, 9_000, False), (246.5, 9_000, True), (250, 9_000, True), (250, 0, False)],
)
def test_r_118_an_ambush_keeps_four_pixels_from_enemies_who_have_men(
    enemy_y: float, enemy_men: int, is_refused: bool
) -> None:
    """A row without men keeps nobody away, or ninety of them would close every wood."""
    guards = (FlankOrder(x=200, y=enemy_y, infantry=enemy_men), FlankOrder(x=300, y=218, infantry=9_000 - enemy_men))
    found = problems(ambushed(250, wood(), enemies=guards))
    assert bool(found) is is_refused
    if found:
        x, y = (float(part.split()[1]) for part in found[0].allowed.split(",")[:2])
        assert math.dist((x, y), (200, enemy_y)) >= NUMBERS.pixels
        assert not problems(ambushed(y, wood(), x=x, enemies=guards)), "the place that it names is allowed"


def test_r_118_a_defender_lies_in_ambush_too() -> None:
    defender = army("B", flanks=[FlankOrder(x=190, y=218), hiding(150)])
    assert not problems(war(army("A"), defender, ground=terrain("Forest")), 1)
    assert [problem.id for problem in problems(war(army("A"), defender), 1)] == ["R-118"]


def test_r_118_the_source_has_no_cover_and_no_limits_of_place() -> None:
    raw = raw_tables(config=SHIPPED)
    raw["strategy"]["rules"] = "source"
    known = Tables.of(raw)
    inputs = ambushed(300, terrain())
    assert not strategy_message(inputs, 0, known).problems
    variables = side_variables(inputs, 0, known), side_variables(inputs, 1, known)
    battle, _ = deploy(inputs, variables, known)
    assert battle.morale[2] == battle.morale[1] == battle.morale_start[2]


OPEN = raw_tables(config=SHIPPED)
OPEN["terrain"]["roles"]["cover"].append("Plain")
BARE = Tables.of(OPEN)
"""Tables by which a plain hides an ambush, so that ground decides nothing."""
TYPES = (BARE.units["Hoplite"], None, None)


def host(name: str, *flanks: FlankOrder) -> Belligerent:
    return army(name, 10_000, types=TYPES, flanks=flanks)


def three(y: float, maneuver: str = "Normal") -> list[FlankOrder]:
    return [FlankOrder(x=x, y=y, maneuver=maneuver) for x in (190, 200, 210)]


def won(attacker: Belligerent, defender: Belligerent, side: int = 0, battles: int = 400) -> float:
    """Return the share of battles that a side wins."""
    ends = Battlefield.of(war(attacker, defender), BARE, 7).fight(0, battles, machine_code.kernel()).ends
    return float((ends.winner == side).mean())


SPRINGS = (FlankOrder(x=195, y=182), FlankOrder(x=205, y=182), hiding(226))


def test_r_118_an_ambush_behind_men_on_position_is_worth_a_line() -> None:
    """They turn to it (R-81); it won .60 against men who did not."""
    stand = host("B", *three(218, "Position"))
    assert won(host("A", *SPRINGS), stand) == pytest.approx(won(host("A", *three(182)), stand), abs=0.06)


def test_r_118_an_ambush_before_an_advancing_enemy_is_worth_a_line() -> None:
    """By 20,000 battles .51, and a line .50."""
    come = host("B", *three(218))
    assert won(host("A", *SPRINGS), come, battles=4_000) == pytest.approx(0.5, abs=0.03)


CHEAP = {
    "twelve on one pixel": [hiding(226)] * 12,
    "the whole army behind the enemy": [hiding(226, x) for x in (190, 200, 210)],
    "one man behind the enemy": [
        FlankOrder(x=195, y=182, infantry=5_000),
        FlankOrder(x=205, y=182, infantry=4_999),
        hiding(226, infantry=1),
    ],
    "ten decoys of one man": [
        FlankOrder(x=200, y=182, infantry=9_990),
        *(hiding(230, 150 + 10 * place, infantry=1) for place in range(10)),
    ],
    "all but single men": [
        *(hiding(y, x, infantry=3_332) for x, y in ((207, 168), (209, 179), (212, 191))),
        *(FlankOrder(x=x, y=y, infantry=1, maneuver="Position") for x, y in ((169, 172), (206, 180), (226, 171))),
    ],
    "half before the enemy": [hiding(212, 198), hiding(212, 202), FlankOrder(x=200, y=182)],
}


@pytest.mark.parametrize("layout", CHEAP)
@pytest.mark.parametrize("side", [0, 1])
def test_r_118_no_cheap_ambush_wins_by_itself(layout: str, side: int) -> None:
    """Against as many men in three flanks who come, whoever attacks."""
    sides = [host("A", *CHEAP[layout]), host("B", *three(218))]
    if side == 1:
        mirrored = [
            FlankOrder(x=order.x, y=400 - (order.y or 0), infantry=order.infantry, maneuver=order.maneuver)
            for order in CHEAP[layout]
        ]
        sides = [host("B", *three(182)), host("A", *mirrored)]
    assert won(sides[0], sides[1], side, battles=4_000) <= 0.56


def test_r_118_an_ambush_springs_after_the_first_blow_or_six_hours() -> None:
    """Two armies of which nobody comes would wait for ever."""
    waits = [FlankOrder(x=190, y=100, maneuver="Position", infantry=9_990), hiding(300, infantry=10)]
    inputs = war(host("A", *waits), host("B", *three(218, "Position")))
    battle, tunables = deploy_war(inputs, 3, BARE)
    found = []

    def keep(*_: object) -> None:
        found.append(MANEUVERS[battle.maneuver[1]])

    fight(battle, tunables, Rng(3), keep)

    assert found[:9] == [AMBUSH] * 7 + [MANEUVERS[NORMAL]] * 2, "before the first hour, and after each"
    assert battle.first_contact_hour > 6


FRIEND = FlankOrder(x=200, y=150)


@pytest.mark.parametrize("friends", [0, 1, 2, 3, 30])
@pytest.mark.parametrize("is_found", [True, False])
def test_r_118_an_ambush_is_found_by_the_share_of_men_in_it(friends: int, is_found: bool) -> None:
    """Else it is no target before the first blow."""
    field = field_of(war(host("A", *[FRIEND] * friends, hiding(226), hiding(230)), host("B", *three(218))), BARE)
    share = 2 / (friends + 2)
    field.draws[AMBUSH_FOUND, 0] = min(share + 1e-3 * (-1 if is_found else 1), 0.9999)
    events = field.hour()

    found = is_found or friends == 0  # all of it, always
    assert (FOUND in [event.kind for event in events]) == found
    assert field.orders.targets[0] == friends + 2 * found
    assert (MANEUVERS[field.battle.maneuver[friends]] == AMBUSH) != found


def test_r_118_one_man_more_in_ambush_moves_the_odds_by_little() -> None:
    """With half of an army and one man in ambush the enemy turned to it at once, at a cost of five points."""

    def wins(hidden: int) -> float:
        seen = (10_000 - hidden) // 2
        line = [FlankOrder(x=x, y=182, infantry=men) for x, men in ((190, seen), (210, 10_000 - hidden - seen))]
        return won(host("A", *line, hiding(210, infantry=hidden)), host("B", *three(218)), 0, battles=4_000)

    odds = [wins(hidden) for hidden in (4_800, 5_000, 5_001, 5_200)]
    assert max(abs(more - less) for less, more in pairwise(odds)) <= 0.02


def test_r_118_the_receipt_names_an_ambush() -> None:
    outcome = Autoalgo(BARE).resolve(war(host("A", *SPRINGS), host("B", *three(218))), Rng(1))
    lines = [
        (block.heading, line.text) for block in outcome.receipt.blocks for line in block.lines if line.label == "Ambush"
    ]
    assert lines == [("A, attacker", "1 flank of 3,333 men, in cover until it was found, or the first blow")]
