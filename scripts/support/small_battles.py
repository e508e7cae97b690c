"""Small battles with round numbers, for tests of single rules.

A `Field` is a deployed battle whose variables are set to numbers that are easy to calculate with: Efficiency 0.5,
Limitation 0.64, Defense 0, Effectiveness 1, no fortunes; every draw of its hours is 0.5 unless a test sets another.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from engine.autoalgo.battle.draw_ids import BATTLE_PURPOSES
from engine.autoalgo.battle.events import Events, Happening, blank_events, happenings
from engine.autoalgo.battle.hour import begin, blank_orders, fight_hour
from engine.autoalgo.battle.state import Battle, Orders, Tunables
from engine.autoalgo.battle.traits import traits_of
from engine.autoalgo.fight.kernel import BatchSpec, Kernel, draw_fortunes
from engine.autoalgo.inputs import Belligerent, FlankOrder, WarInputs
from engine.autoalgo.records import Location, Unit
from engine.autoalgo.series.compile import compiled_kernel
from engine.autoalgo.setup.deploy import deploy
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.variables import side_variables
from engine.rng import Rng
from engine.terrain import TerrainMap
from scripts.support.pinned_tables import tables
from sheets_algo.forecasts.machine_code import numba_compiler

FEATURES = {feature.name: code for code, feature in enumerate(tables().terrain)}
SOLDIER = tables().units["Soldier"]
BARGES = tables().units["Barges"]
YEAR = 1600


def unit(**changes: object) -> Unit:
    """Return a Soldier with some columns changed."""
    return replace(SOLDIER, **changes)  # type: ignore[arg-type]  # the columns' own types


ARCHER = unit(
    name="Archer", long_range=150.0, medium_range=60.0, short_range=1.5, power=(0.3, 0.5, 0.2), tactical_training=4.0
)
GALLEY = unit(name="Galley", speed=9.0, long_range=150.0, power=(0.5, 0.9, 0.9), defense=0.2, capacity=150)


def terrain(feature: str = "Plain") -> TerrainMap:
    """Return a map of one feature only; a test may change a copy."""
    return ground_of_codes(np.full((400, 400), FEATURES[feature], np.uint8))


def ground_of_codes(codes: NDArray[np.uint8]) -> TerrainMap:
    """Return a map of these codes."""
    return TerrainMap("Test", codes, sha256(codes.tobytes()).hexdigest())


def army(
    name: str = "A",
    size: int = 9_000,
    *,
    types: Sequence[Unit | None] = (SOLDIER, None, None),
    shares: Sequence[float] = (1.0, 0.0, 0.0),
    ship: Unit = BARGES,
    ships: int = 0,
    flanks: Sequence[FlankOrder] = (),
    disease: str = "none",
) -> Belligerent:
    """Return one side: the generic nation with a military of its own."""
    military = replace(
        tables().defaults.military,
        nation=(name,),
        name=f"Army of {name}",
        size=size,
        infantry_proportion=shares[0],
        cavalry_proportion=shares[1],
        artillery_proportion=shares[2],
        transport=ship.name,
        ship_number=ships,
    )
    return Belligerent(
        nation=replace(tables().defaults.nation(YEAR), name=name, endemic_disease=disease),
        military=military,
        units=(types[0], types[1], types[2], ship),
        flanks=tuple(flanks),
    )


def fleet(name: str = "A", ships: int = 30, ship: Unit = GALLEY, flanks: Sequence[FlankOrder] = ()) -> Belligerent:
    """Return a military without land types (MD-08), fully manned."""
    return army(
        name,
        ships * ship.capacity,
        types=(None, None, None),
        shares=(0.0, 0.0, 0.0),
        ship=ship,
        ships=ships,
        flanks=flanks,
    )


def war(
    attacker: Belligerent | None = None,
    defender: Belligerent | None = None,
    *,
    ground: TerrainMap | None = None,
    location: Location | None = None,
) -> WarInputs:
    """Return a war of two sides on a plain in a generic location."""
    return WarInputs(
        name="Skirmish",
        year=YEAR,
        motive="Conquest",
        attacker=attacker or army("A"),
        defender=defender or army("B"),
        location=location or tables().defaults.location,
        terrain=ground or terrain(),
    )


def line(*maneuvers: str, y: float, apart: float = 10) -> tuple[FlankOrder, ...]:
    """Return flanks side by side, evenly manned."""
    return tuple(FlankOrder(x=190 + apart * flank, y=y, maneuver=maneuver) for flank, maneuver in enumerate(maneuvers))


@dataclass
class Field:
    """A battle with all that its steps need."""

    battle: Battle
    tunables: Tunables
    orders: Orders
    events: Events
    draws: NDArray[np.float64]
    heard: list[Happening] = field(default_factory=list)

    def hour(self) -> list[Happening]:
        """Fight one hour with the field's draws; return its events."""
        self.events.used[0] = 0
        fight_hour(self.battle, self.orders, self.tunables, self.draws, self.events)
        return self.drain()

    def update_traits(self) -> None:
        """Compute the traits of the flanks from changed units."""
        units, constants, ground = self.tunables.units, self.tunables.constants, self.tunables.traits.ground
        self.tunables = self.tunables._replace(traits=traits_of(self.battle, units, constants, ground))

    def drain(self) -> list[Happening]:
        """Return the events since the last call, and clear them."""
        happened = list(happenings(self.events))
        self.events.used[0] = 0
        self.heard += happened
        return happened

    def put(self, flank: int, x_m: float, y_m: float) -> None:
        """Place a flank, in metres."""
        self.battle.x_m[flank] = x_m
        self.battle.y_m[flank] = y_m


def deploy_war(inputs: WarInputs, seed: int = 1, numbers: Tables | None = None) -> tuple[Battle, Tunables]:
    """Return the battle as a ruling begins it, with the fortunes of the day."""
    numbers = numbers or tables()
    variables = side_variables(inputs, 0, numbers), side_variables(inputs, 1, numbers)
    battle, tunables = deploy(inputs, variables, numbers)
    day = numbers.strategy
    none = np.zeros(0, np.int64), np.zeros(0)
    batch = BatchSpec(*none, day.fortune_side, day.fortune_flank, day.fortune_panic, seed, 0, -1)
    draw_fortunes(battle, batch, Rng(seed).block(0, battle.side.shape[0], BATTLE_PURPOSES))
    return battle, tunables


def fight(
    battle: Battle, tunables: Tunables, rng: Rng, on_hour: Callable[[Events, Orders], None] = lambda *_: None
) -> None:
    """Fight a battle hour by hour; `on_hour` is called before the first hour and after each."""
    flanks = battle.side.shape[0]
    events, orders = blank_events(flanks, with_terms=True), blank_orders(flanks)
    begin(battle, tunables.end_rules, events)
    on_hour(events, orders)
    while battle.winner < 0:
        events.used[0] = 0
        fight_hour(battle, orders, tunables, rng.block(battle.hours + 1, flanks, BATTLE_PURPOSES), events)
        on_hour(events, orders)


def with_numbers(field: Field, rule: str, **numbers: float) -> Field:
    """Set numbers of a rule in a field, and return it: `with_numbers(field, "r_54", applies=0)`."""
    constants = field.tunables.constants
    changed = getattr(constants, rule)._replace(**numbers)
    field.tunables = field.tunables._replace(constants=constants._replace(**{rule: changed}))
    return field


def field_of(inputs: WarInputs | None = None, numbers: Tables | None = None) -> Field:
    """Return the battle at its begin, with the round numbers of this module."""
    battle, tunables = deploy_war(inputs or war(), numbers=numbers)
    flanks = battle.side.shape[0]
    tunables.units.efficiency[:] = 0.5
    tunables.units.limitation[:] = 0.64
    tunables.units.defense[:] = 0.0
    tunables.units.open_defense[:] = 0.0
    tunables.units.effectiveness[:] = 1.0
    battle.fortune_side[:] = 1.0
    battle.fortune_flank[:] = 1.0
    battle.fortune_panic[:] = 1.0
    battle.morale[:] = battle.men * 20.0
    battle.morale_start[:] = battle.men * 20.0
    events = blank_events(flanks)
    begin(battle, tunables.end_rules, events)
    draws = np.full((BATTLE_PURPOSES, flanks), 0.5)
    field = Field(battle, tunables, blank_orders(flanks), events, draws)
    field.update_traits()
    return field


def duel(
    attacker: Belligerent | None = None, defender: Belligerent | None = None, apart_m: float = 1_000.0, **more: object
) -> Field:
    """Return one flank against one in the middle of the map, `apart_m` metres apart, the attacker in the north."""
    one = (FlankOrder(x=200, y=200),)
    sides = [attacker or army("A"), defender or army("B")]
    sides = [side if side.flanks else replace(side, flanks=one) for side in sides]
    duel_field = field_of(war(sides[0], sides[1], **more))  # type: ignore[arg-type]
    duel_field.put(1, duel_field.battle.x_m[0], duel_field.battle.y_m[0] + apart_m)
    return duel_field


def fight_war(
    inputs: WarInputs, seed: int = 1, hear: Callable[[Battle, list[Happening]], None] | None = None
) -> tuple[Battle, Tunables, list[Happening]]:
    """Fight a whole battle as a ruling does; `hear` is called after every hour in which something happened."""
    battle, tunables = deploy_war(inputs, seed)
    heard: list[Happening] = []

    def listen(events: Events, orders: Orders) -> None:
        hour = list(happenings(events))
        heard.extend(hour)
        if hear is not None and hour:
            hear(battle, hour)

    fight(battle, tunables, Rng(seed), listen)
    return battle, tunables, heard


@contextmanager
def machine_code() -> Iterator[Kernel]:
    """Provide the kernel as machine code, in a cache of its own; a study ends with a sentence where there is none."""
    with TemporaryDirectory() as cache:
        kernel = compiled_kernel(numba_compiler(cache))
        if kernel.why_not:
            sys.exit(f"no machine code here: {kernel.why_not}")
        yield kernel
