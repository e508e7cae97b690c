"""Counts of flanks as they are typed: blank, numbers, or shares of the army's (STRAT-02, R-58, R-124)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.autoalgo.inputs import Belligerent, Count, FlankOrder
from engine.autoalgo.setup.army import column_counts, ship_number, slot_counts, split_evenly, typed_counts
from engine.autoalgo.setup.strategy import flank_table, strategy_message
from engine.share import WHOLE, Share
from scripts.support.pinned_tables import tables
from scripts.support.small_battles import ARCHER, SOLDIER, army, war

MEN = st.integers(0, 15_000_000)


@st.composite
def whole_shares(draw: st.DrawFn) -> list[Share]:
    """Shares that sum to 100 %, with up to four digits."""
    cuts = sorted(draw(st.lists(st.integers(0, 1_000_000), max_size=98)))
    return [
        Share(round((after - before) / 10_000, 4)) for before, after in zip((0, *cuts), (*cuts, 1_000_000), strict=True)
    ]


def mixed(size: int, *orders: FlankOrder) -> Belligerent:
    return army(size=size, types=(SOLDIER, SOLDIER, ARCHER), shares=(0.5, 0.3, 0.2), ships=9, flanks=orders)


@given(total=MEN, shares=whole_shares())
def test_r_124_shares_of_the_whole_use_exactly_the_army(total: int, shares: list[Share]) -> None:
    counts = column_counts(shares, total)

    assert sum(counts) == total
    for count, share in zip(counts, shares, strict=True):
        assert abs(count - total * share.units / WHOLE) < 1


@given(total=MEN, shares=whole_shares())
def test_r_124_a_greater_share_never_has_fewer_men(total: int, shares: list[Share]) -> None:
    counts = column_counts(shares, total)

    ranked = sorted(zip(shares, counts, strict=True), key=lambda pair: (pair[0].units, pair[1]))
    assert [count for _, count in ranked] == sorted(counts)


@given(total=MEN, flanks=st.integers(1, 99))
def test_r_124_equal_shares_divide_like_blank_cells(total: int, flanks: int) -> None:
    assert column_counts([Share(100 / flanks)] * flanks, total) == column_counts([None] * flanks, total)
    assert column_counts([None] * flanks, total) == split_evenly(total, flanks)


@given(total=MEN, shares=st.lists(st.floats(0, 100), min_size=1, max_size=9))
def test_r_124_shares_with_another_sum_mean_that_part_of_the_army(total: int, shares: list[float]) -> None:
    full = sum(shares)
    assume(not 98.9 < full < 100.1)

    assert sum(column_counts(list(map(Share, shares)), total)) == pytest.approx(total * full / 100, abs=1, rel=1e-6)


@pytest.mark.parametrize(
    ("cells", "counts"),
    [
        ([Share(40), Share(40), Share(20)], [400, 400, 200]),
        ([Share(33), Share(33), Share(33)], [334, 333, 333]),
        ([Share(33.3), Share(33.3), Share(33.3)], [334, 333, 333]),
        ([Share(100 / 6)] * 6, [167, 167, 167, 167, 166, 166]),
        ([Share(100), None, None], [1000, 0, 0]),
        ([Share(0), Share(99.5), Share(0.5)], [0, 995, 5]),
        ([7, None, 3], [7, 0, 3]),
        ([Share(50), 100, None], [500, 100, 0]),
    ],
)
def test_r_124_a_share_is_converted_to_men(cells: list[Count], counts: list[int]) -> None:
    assert column_counts(cells, 1_000) == counts


@pytest.mark.parametrize(("by_men", "by_650", "by_400"), [(False, [5, 4], [5, 4]), (True, [6, 3], [7, 2])])
def test_r_58_a_blank_column_is_even_beside_shares_and_0_beside_numbers(
    by_men: bool, by_650: list[int], by_400: list[int]
) -> None:
    totals = (500, 300, 200, 9)
    by_share = [FlankOrder(infantry=Share(80)), FlankOrder(infantry=Share(20))]
    by_number = [FlankOrder(infantry=400), FlankOrder(infantry=100)]

    assert typed_counts(by_share, totals, by_men) == [[400, 100], [150, 150], [100, 100], by_650]
    assert typed_counts(by_number, totals, by_men) == [[400, 100], [0, 0], [0, 0], by_400]
    assert typed_counts([FlankOrder()] * 2, totals, by_men) == [[250, 250], [150, 150], [100, 100], [5, 4]]


@given(men=st.lists(st.integers(1, 5_000), min_size=1, max_size=20), total=st.integers(0, 500), data=st.data())
def test_r_58_blank_ships_follow_the_men_and_use_what_typed_ones_leave(
    men: list[int], total: int, data: st.DataObject
) -> None:
    typed = data.draw(st.lists(st.none() | st.integers(0, total), min_size=len(men), max_size=len(men)))
    orders = [FlankOrder(infantry=own, ships=ships) for own, ships in zip(men, typed, strict=True)]

    counts = typed_counts(orders, (sum(men), 0, 0, total), ships_by_men=True)[3]

    blank = [flank for flank, ships in enumerate(typed) if ships is None]
    rest = max(total - sum(ships or 0 for ships in typed), 0)
    assert sum(counts[flank] for flank in blank) == (rest if blank else 0)
    assert [counts[flank] for flank in range(len(men)) if flank not in blank] == [
        own for own in typed if own is not None
    ]
    for flank in blank:
        assert abs(counts[flank] - rest * men[flank] / sum(men[other] for other in blank)) < 1


@given(size=st.integers(1_000, 15_000_000), shares=whole_shares())
def test_r_124_a_strategy_of_shares_is_valid_at_every_size(size: int, shares: list[Share]) -> None:
    own = mixed(size, *(FlankOrder(x=200.0, y=180.0, infantry=share, ships=share) for share in shares))
    inputs = war(own)

    assert not strategy_message(inputs, 0, tables()).problems
    plans = flank_table(inputs, 0, tables())
    assert [sum(plan.counts[slot] for plan in plans) for slot in range(3)] == slot_counts(own)
    assert sum(plan.ships for plan in plans) == ship_number(own)


def test_r_124_wrong_sums_and_mixed_numbers_are_refused_at_every_size() -> None:
    """STRAT-07 forgives ten men, which are many in a small army and few in a large one."""
    cases: list[tuple[tuple[Count, Count], list[float]]] = [
        ((Share(60), Share(41)), [101]),
        ((Share(60), Share(38.9)), [98.9]),
        ((Share(50), 1), [50]),
        ((Share(99.9), None), []),
        ((Share(100), 0), []),
    ]
    for size in (100, 1_000, 1_000_000):
        refused = []
        for cells, _ in cases:
            own = mixed(size, *(FlankOrder(infantry=cell) for cell in cells))
            problems = strategy_message(war(own), 0, tables()).problems
            refused.append((cells, [each.value for each in problems if (each.id, each.kind) == ("R-124", "Inf")]))
        assert refused == cases, size


def test_r_124_r_58_blank_ships_take_what_shares_leave_like_numbers_and_men_do_not() -> None:
    """Blanks are filled first, then the sums are checked as if they were typed: one ship of 30 too many is forgiven."""
    cells: list[tuple[Count, Count]] = [(Share(40), None), (12, None), (31, None), (32, None), (31, 0)]
    cells += [(Share(60), Share(40)), (Share(40), Share(40)), (Share(100), None), (Share(40), 5)]
    found = []
    for first, other in cells:
        orders = (FlankOrder(infantry=Share(50), ships=first), FlankOrder(infantry=Share(50), ships=other))
        inputs = war(replace(army(size=3_000, ships=30), flanks=orders))
        message = strategy_message(inputs, 0, tables())
        ships = [plan.ships for plan in flank_table(inputs, 0, tables())]
        found.append((ships, [(problem.id, problem.kind) for problem in message.problems]))

    wrong_sum, wrong_share = [("STRAT-07", "Navy")], [("R-124", "Navy")]
    assert found[:5] == [([12, 18], []), ([12, 18], []), ([31, 0], []), ([32, 0], wrong_sum), ([31, 0], [])]
    assert found[5:7] == [([18, 12], []), ([12, 12], [*wrong_sum, *wrong_share])]
    assert found[7:] == [([30, 0], []), ([12, 5], [*wrong_sum, *wrong_share])]
    men = war(replace(army(size=3_000), flanks=(FlankOrder(infantry=Share(40)), FlankOrder())))
    assert [problem.id for problem in strategy_message(men, 0, tables()).problems] == ["STRAT-07", "R-124"]


def test_r_124_r_112_a_share_of_ships_creates_no_ships() -> None:
    rows = (FlankOrder(infantry=Share(50), ships=Share(50)),) * 2
    inland, fleet = army(size=300, flanks=rows), replace(army(size=300, flanks=rows), military=army(ships=8).military)

    assert [plan.ships for plan in flank_table(war(inland), 0, tables())] == [0, 0]
    assert [plan.ships for plan in flank_table(war(fleet), 0, tables())] == [4, 4]
