"""The chance to win hour by hour: a battle that is fought on from the state of any of its hours (FC-28)."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings

from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.fight.kernel import PLAIN
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.series.chances import BATTLES_LEAST, BATTLES_MOST, HOURS_PLAIN, WORK_PLAIN, chances, states
from engine.recording import Chances
from scripts.support.pinned_tables import tables
from scripts.support.small_battles import army, line, war
from tests.helpers.example_budget import BUDGET, LAW
from tests.helpers.random_wars import seeds, wars


@settings(LAW, max_examples=max(3, round(4 * BUDGET)))  # each is fought from many of its hours
@given(inputs=wars(), seed=seeds())
def test_fc_28_a_battle_continued_with_its_own_luck_ends_like_the_ruling(inputs: WarInputs, seed: int) -> None:
    """The state of an hour is all there is: battle 0 of the seed ends from each of them as from the start."""
    start = Battlefield.of(inputs, tables(), seed)
    ruling = start.fight(0, 1).ends

    last = int(ruling.decided[0]) or int(ruling.hours[0])
    kept = states(start, 25, last)
    assert [field.battle.hours for field in kept] == [*range(0, last, 25), last]
    for field in kept:
        assert [column.tolist() for column in field.fight(0, 1).ends] == [column.tolist() for column in ruling]


SHORT = war(army("A", 600), army("B", 600))


def chances_of(inputs: WarInputs) -> Chances:
    found = chances(Battlefield.of(inputs, tables(), 1))
    assert found is not None
    return found


@cache
def short_chances() -> Chances:
    return chances_of(SHORT)


def test_fc_28_chances_begin_with_the_forecast_and_end_with_the_result() -> None:
    found = short_chances()

    winners = Battlefield.of(SHORT, tables(), 1).fight(0, found.battles + 1).ends.winner
    assert found.line[0].odds.share == np.mean(winners[1:] == 0)
    assert 0 < found.line[0].odds.share < 1
    assert (found.line[-1].odds.share == 1) == (winners[0] == 0)
    assert found.line[-1].odds.share in (0, 1)


def test_fc_28_battles_continued_after_the_first_hour_keep_the_ruling_s_fortunes() -> None:
    """Before it nobody knows them; drawn anew in the middle of a battle, they made its chance too timid."""
    start = Battlefield.of(SHORT, tables(), 1)

    def fortunes(field: Battlefield, battle: int) -> list[list[float]]:
        stage = field.stage(battle, 1)
        PLAIN.fight(*stage)
        day = stage.battle
        return [day.fortune_side.tolist(), day.fortune_panic.tolist(), day.fortune_flank.tolist()]

    own = fortunes(start, 0)
    first, *later = states(start, 2, int(start.fight(0, 1).ends.decided[0]))
    assert all(fortunes(field, battle) == own for field in later for battle in (1, 2))
    assert later
    assert fortunes(first, 1) != own


def test_fc_28_the_band_covers_the_share_and_changes_have_an_error() -> None:
    found = short_chances()

    assert [chance.hour for chance in found.line] == sorted({chance.hour for chance in found.line})
    assert all(chance.odds.low <= chance.odds.share <= chance.odds.high for chance in found.line)
    assert found.line[0].shift is None
    for earlier, later in zip(found.line, found.line[1:], strict=False):
        assert later.shift is not None
        assert later.shift.change == pytest.approx(later.odds.share - earlier.odds.share)
        assert later.shift.error > 0


def test_fc_28_python_fights_as_many_battles_as_for_luck_or_none() -> None:
    found = short_chances()
    hours = Battlefield.of(SHORT, tables(), 1).fight(0, 1).ends.hours[0]

    whole = sum(1 - chance.hour / hours for chance in found.line[:-1]) * found.battles
    assert BATTLES_LEAST <= found.battles <= BATTLES_MOST
    assert whole * 6 <= WORK_PLAIN
    assert whole * 6 * hours <= HOURS_PLAIN
    sides = (army(name, 9_000, flanks=line(*["Normal"] * 20, y=y, apart=2)) for name, y in (("A", 182), ("B", 218)))
    assert chances(Battlefield.of(war(*sides), tables(), 1)) is None


def test_fc_28_python_spends_no_more_on_long_battles_than_its_budget(monkeypatch) -> None:
    """A battle that is decided early and goes on for long: a budget of battles alone would take minutes."""
    sides = (army("A", 6_000), army("B", 6_000, flanks=line("Position", "Position", "Position", y=218)))
    inputs = war(*sides)
    ends = Battlefield.of(inputs, tables(), 1).fight(0, 1).ends
    hours = int(ends.hours[0])
    assert 0 < ends.decided[0] < hours / 2
    most = chances_of(inputs).battles

    monkeypatch.setattr("engine.autoalgo.series.chances.HOURS_PLAIN", 6 * hours * 60)
    found = chances_of(inputs)
    whole = sum(1 - chance.hour / hours for chance in found.line[:-1]) * found.battles
    assert BATTLES_LEAST <= found.battles < most
    assert whole <= 60

    monkeypatch.setattr("engine.autoalgo.series.chances.HOURS_PLAIN", 6 * hours * 10)
    assert chances(Battlefield.of(inputs, tables(), 1)) is None
