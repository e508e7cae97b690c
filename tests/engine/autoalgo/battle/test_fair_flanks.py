"""The worth of a flank by its share of the men of its side (R-85)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis.strategies import integers, lists

from engine.autoalgo.battle.attack import apply_losses, attack
from engine.autoalgo.battle.decision import decide
from engine.autoalgo.battle.events import ATTACK, PANIC, ROUTED, Events, Happening, blank_events
from engine.autoalgo.constants import Strat04
from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.fight.kernel import fight_all
from engine.autoalgo.inputs import FlankOrder
from engine.autoalgo.resolve import Autoalgo
from engine.autoalgo.setup.tables import Tables
from engine.rng import Rng
from scripts.support.pinned_tables import TACTICS, tables, tables_with
from scripts.support.small_battles import SOLDIER, Field, army, duel, field_of, line, war, with_numbers

FAIR = tables_with({}, without=[rule for rule in TACTICS if rule != "R-85"])


def hits(counts: Sequence[int], numbers: Tables = FAIR) -> list[float]:
    """Return the hits of each flank of a side in a round, where one of three with 3,300 men has sqrt(3,300)."""
    orders = [FlankOrder(infantry=men, x=200, y=190) for men in counts]
    field = Battlefield.of(war(army("A", sum(counts), flanks=orders), army("B")), numbers, 1)
    own = field.battle.side == 0
    return np.sqrt(field.battle.men_start[own] * field.tunables.traits.weight[own]).tolist()


@given(lists(integers(0, 9_900), min_size=1, max_size=99).filter(any))
@example([3_300] * 3)
@example([9_892, *[1] * 8])
def test_r_85_no_division_of_the_men_changes_the_hits_of_a_side(counts: list[int]) -> None:
    found = hits(counts)

    assert sum(found) == pytest.approx(3 * sqrt(sum(counts) / 3))
    assert found == pytest.approx([sum(found) * men / sum(counts) for men in counts])


def events_of(numbers: Tables, counts: tuple[int, int, int]) -> Events:
    orders = tuple(FlankOrder(infantry=men, x=190 + 10 * place, y=199) for place, men in enumerate(counts))
    field = Battlefield.of(war(army("A", flanks=orders), army("B", flanks=line(*["Normal"] * 3, y=201))), numbers, 5)
    stage = field.stage(0, 1, events=blank_events(300))
    fight_all(*stage)
    return stage.events


def test_r_85_three_even_flanks_fight_as_in_the_source_bit_for_bit() -> None:
    counts = 3_000, 3_000, 3_000
    fair, source = events_of(FAIR, counts), events_of(tables(), counts)

    assert fair.used[0] > 20
    assert [array.tobytes() for array in fair] == [array.tobytes() for array in source]


def broken(kills: int = 10, shaken: float = 700.0) -> tuple[Field, list[Happening]]:
    """Break the second of four flanks of 250 men with 500 points of morale each; return the events."""
    defender = army("B", 1_000, flanks=line(*["Normal"] * 4, y=201))
    field = with_numbers(field_of(war(army("A", flanks=line("Normal", y=200)), defender)), "r_85", flanks=3)
    field.battle.morale[1:] = field.battle.morale_start[1:] = 500.0
    field.orders.target[0] = 2
    constants = field.tunables.constants
    field.tunables = field.tunables._replace(constants=constants._replace(strat_04=Strat04(1.0)))
    apply_losses(field.battle, field.orders, field.tunables, 0, kills, shaken, field.events, 1)
    return field, field.drain()


def test_r_85_panic_spreads_from_a_broken_flank_to_the_nearest() -> None:
    """10 fall and 700 lose heart of 500: the other 210 are of the first of two flanks that are equally near."""
    field, events = broken()

    assert field.battle.morale[1:].tolist() == [290.0, 0.0, 500.0, 500.0]
    (panic,) = (event for event in events if event.kind == PANIC)
    assert (panic.flank, panic.target, panic.shaken) == (1, 2, 210.0)


def test_r_85_panic_breaks_at_most_one_more_flank() -> None:
    field, events = broken(shaken=2_000.0)

    assert field.battle.morale[1:].tolist() == [0.0, 0.0, 500.0, 500.0]
    assert [event.kind for event in events] == [ATTACK, ROUTED, PANIC, ROUTED]


@pytest.mark.parametrize(("kills", "left"), [(250, 480.0), (249, 481.0)])
def test_r_85_dead_men_are_not_demoralised(kills: int, left: float) -> None:
    """Of a flank of 250 no more than 250 fall, however many hits there are."""
    assert broken(kills, shaken=270.0)[0].battle.morale[1] == left
    assert broken(9_999, shaken=270.0)[0].battle.morale[1] == 480.0


def test_r_85_the_log_reports_panic_with_its_numbers() -> None:
    muskets = (replace(SOLDIER, psychology=20.0), None, None)
    sides = (
        army("A", 9_000, types=muskets, flanks=line(*["Normal"] * 6, y=199, apart=5)),
        army("B", 9_000, types=muskets, flanks=line(*["Normal"] * 3, y=201)),
    )
    events = [event for seed in range(3) for event in Autoalgo(FAIR).resolve(war(*sides), Rng(seed)).events]
    told = [event for event in events if event.kind == "panic"]

    assert told
    assert all("flank" in event.text and " break: " in event.text and event.id == "R-85" for event in told)
    (line_of,) = (term.line() for term in told[0].calculations())
    assert line_of.startswith("morale taken beyond that of ")


@pytest.mark.parametrize(("numbers", "told"), [(FAIR, True), (tables(), False)])
def test_r_85_the_line_of_a_blow_names_the_factor(numbers: Tables, told: bool) -> None:
    sides = (
        army("A", 9_000, flanks=line(*["Normal"] * 6, y=199, apart=1)),
        army("B", 9_000, flanks=line(*["Normal"] * 3, y=201)),
    )
    outcome = Autoalgo(numbers).resolve(war(*sides), Rng(1))
    blows = [term.line() for event in outcome.events for term in event.calculations() if "Power" in term.line()]

    assert blows
    assert any("root of its weight 0.707" in blow and "R-85" in blow for blow in blows) == told


def test_r_85_flanks_without_men_do_not_count() -> None:
    orders = [FlankOrder(infantry=3_000) for _ in range(3)] + [FlankOrder(infantry=0) for _ in range(5)]
    field = Battlefield.of(war(army("A", flanks=orders), army("B")), FAIR, 1)

    assert field.tunables.traits.weight.tolist() == [*[1.0] * 3, *[0.0] * 5, *[1.0] * 3]


@pytest.mark.parametrize("enemies", [10_000, 10])
def test_r_85_a_flank_rests_less_after_a_blow_beyond_need(enemies: int) -> None:
    """The types rest for two rounds, or before ten men for as much less as their blow could have killed more."""
    could_kill = rested(10_000)[1]
    rounds, _ = rested(enemies)

    assert could_kill > 20
    assert rounds == pytest.approx(2.0 * min(enemies / could_kill, 1.0))
    assert rested(enemies, flanks=0)[0] == 2.0


def rested(enemies: int, flanks: int = 3) -> tuple[float, float]:
    """Return the rounds of rest after a blow on so many enemies, and the men killed by it."""
    field = with_numbers(duel(army("A", 10_000), army("B", enemies), apart_m=0.0), "r_85", flanks=flanks)
    field.tunables.units.power[1] = 0.0
    field.tunables.units.rebound[0, 0] = 2.0
    decide(field.battle, field.orders, field.tunables, field.draws, 1)
    attack(field.battle, field.orders, field.tunables, field.draws, field.events, 1)
    return float(field.battle.rests_until[0, 0] - 1.0), float(field.battle.killed[1])
