"""The number of flanks under `flanks` = fair (R-85)."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from engine.autoalgo.battle.attack import apply_losses
from engine.autoalgo.battle.events import ATTACK, PANIC, ROUTED, Events, Happening, blank_events
from engine.autoalgo.battle.state import Battle, Tunables
from engine.autoalgo.constants import Strat04
from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.fight.kernel import fight_all
from engine.autoalgo.inputs import FlankOrder
from engine.autoalgo.resolve import Autoalgo
from engine.autoalgo.setup.tables import Tables
from engine.rng import Rng
from scripts.support.pinned_tables import TACTICS, tables, tables_with
from scripts.support.small_battles import SOLDIER, Field, army, field_of, line, war

FAIR = tables_with({}, without=[rule for rule in TACTICS if rule != "R-85"])


def deployed(flanks: int, men: int = 9_900, numbers: Tables = FAIR) -> tuple[Battle, Tunables]:
    """Return a battle of so many even flanks against three."""
    sides = army("A", men, flanks=line(*["Normal"] * flanks, y=190, apart=1)), army("B", men)
    field = Battlefield.of(war(*sides), numbers, 1)
    return field.battle, field.tunables


def hits(flanks: int) -> float:
    """Return the hits of a side of even flanks in a round, where one of three with 3,300 men has sqrt(3,300)."""
    battle, tunables = deployed(flanks)
    own = battle.side == 0
    return float(np.sqrt(battle.men_start[own]).sum() * tunables.units.of_flanks[0])


def test_r_85_hits_do_not_grow_with_the_number_of_flanks() -> None:
    cases = [1, 2, 3, 4, 6, 9, 12, 99]
    assert [
        (flanks, hits(flanks)) for flanks in cases if hits(flanks) != pytest.approx(3 * sqrt(3_300), rel=1e-3)
    ] == []


def events_of(numbers: Tables, counts: tuple[int, int, int]) -> Events:
    orders = tuple(FlankOrder(infantry=men, x=190 + 10 * place, y=199) for place, men in enumerate(counts))
    field = Battlefield.of(war(army("A", flanks=orders), army("B", flanks=line(*["Normal"] * 3, y=201))), numbers, 5)
    stage = field.stage(0, 1, events=blank_events(300))
    fight_all(*stage)
    return stage.events


@pytest.mark.parametrize("counts", [(3_000, 3_000, 3_000), (7_000, 1_950, 50)])
def test_r_85_three_flanks_fight_as_in_the_source_bit_for_bit(counts: tuple[int, int, int]) -> None:
    fair, source = events_of(FAIR, counts), events_of(tables(), counts)

    assert fair.used[0] > 20
    assert [array.tobytes() for array in fair] == [array.tobytes() for array in source]


def broken(ratio: float, kills: int = 10, shaken: float = 700.0) -> tuple[Field, list[Happening]]:
    """Break the second of four flanks of 250 men with 500 points of morale each; return the events."""
    defender = army("B", 1_000, flanks=line(*["Normal"] * 4, y=201))
    field = field_of(war(army("A", flanks=line("Normal", y=200)), defender))
    field.battle.morale[1:] = field.battle.morale_start[1:] = 500.0
    field.tunables.units.flank_ratio[1] = ratio
    field.orders.target[0] = 2
    constants = field.tunables.constants
    field.tunables = field.tunables._replace(constants=constants._replace(strat_04=Strat04(1.0)))
    apply_losses(field.battle, field.orders, field.tunables, 0, kills, shaken, field.events, 1)
    return field, field.drain()


def test_r_85_panic_spreads_from_a_broken_flank_to_the_nearest() -> None:
    """10 fall and 700 lose heart of 500: the other 210 are of the first of two flanks that are equally near."""
    field, events = broken(ratio=4 / 3)

    assert field.battle.morale[1:].tolist() == [290.0, 0.0, 500.0, 500.0]
    (panic,) = (event for event in events if event.kind == PANIC)
    assert (panic.flank, panic.target, panic.shaken) == (1, 2, 210.0)


def test_r_85_panic_breaks_at_most_one_more_flank() -> None:
    field, events = broken(ratio=4 / 3, shaken=2_000.0)

    assert field.battle.morale[1:].tolist() == [0.0, 0.0, 500.0, 500.0]
    assert [event.kind for event in events] == [ATTACK, ROUTED, PANIC, ROUTED]


@pytest.mark.parametrize(("kills", "left"), [(250, 480.0), (249, 481.0)])
def test_r_85_dead_men_are_not_demoralised(kills: int, left: float) -> None:
    """Of a flank of 250 no more than 250 fall, however many hits there are."""
    assert broken(4 / 3, kills, shaken=270.0)[0].battle.morale[1] == left
    assert broken(4 / 3, 9_999, shaken=270.0)[0].battle.morale[1] == 480.0


def test_r_85_the_log_reports_panic_with_its_numbers() -> None:
    muskets = (replace(SOLDIER, psychology=20.0), None, None)
    sides = (
        army("A", 9_000, types=muskets, flanks=line(*["Normal"] * 6, y=199, apart=5)),
        army("B", 9_000, types=muskets, flanks=line(*["Normal"] * 3, y=201)),
    )
    events = [event for seed in range(3) for event in Autoalgo(FAIR).resolve(war(*sides), Rng(seed)).events]
    told = [event for event in events if event.kind == "panic"]

    assert told
    assert all("A's flank" in event.text and " break: " in event.text and event.id == "R-85" for event in told)
    (line_of,) = (term.line() for term in told[0].calculations())
    assert line_of.startswith("morale taken beyond that of A's flank")


@pytest.mark.parametrize(("numbers", "told"), [(FAIR, True), (tables(), False)])
def test_r_85_the_line_of_a_blow_names_the_factor(numbers: Tables, told: bool) -> None:
    sides = (
        army("A", 9_000, flanks=line(*["Normal"] * 6, y=199, apart=1)),
        army("B", 9_000, flanks=line(*["Normal"] * 3, y=201)),
    )
    outcome = Autoalgo(numbers).resolve(war(*sides), Rng(1))
    blows = [term.line() for event in outcome.events for term in event.calculations() if "Power" in term.line()]

    assert blows
    assert any("flanks 0.707" in blow and "R-85" in blow for blow in blows) == told


def test_r_85_flanks_without_men_do_not_count() -> None:
    orders = [FlankOrder(infantry=3_000) for _ in range(3)] + [FlankOrder(infantry=0) for _ in range(5)]
    field = Battlefield.of(war(army("A", flanks=orders), army("B")), FAIR, 1)

    assert field.tunables.units.of_flanks.tolist() == [1.0, 1.0]
    assert field.tunables.units.flank_ratio.tolist() == [1.0, 1.0]


def test_r_85_decoys_lower_the_hits_of_the_whole_side() -> None:
    """Three flanks behind three of one man hit less than without them."""
    orders = [FlankOrder(infantry=1) for _ in range(3)] + [FlankOrder(infantry=2_999) for _ in range(3)]
    field = Battlefield.of(war(army("A", flanks=orders), army("B")), FAIR, 1)

    assert field.tunables.units.of_flanks[0] == pytest.approx(sqrt(1 / 2))
