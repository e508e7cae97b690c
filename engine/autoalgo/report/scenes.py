"""The picture of a battle: the place of every flank at the start and at the end (MAP-07, STRAT-08)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.autoalgo.battle.state import IDLE, INACTIVE, STATUSES, Battle, Ground
from engine.autoalgo.inputs import SIDES, WarInputs
from engine.autoalgo.names import on_one_line, side_names, year_text
from engine.battle_map import Mark, Scene
from engine.terrain import Feature


def scene(war: WarInputs, battle: Battle, ground: Ground, labels: Sequence[str], legend: Sequence[Feature]) -> Scene:
    """Return the scene of a battle, with the flanks before and after it.

    Args:
        war: The war's inputs, for the map and the names.
        battle: The battle after its last hour.
        ground: The battle's map, for the scale.
        labels: Labels of the flanks, shape (flanks,).
        legend: Terrain features in the order of the map's codes.
    """
    attacker, defender = side_names(war)
    flanks = range(len(labels))
    return Scene(
        title=f"{on_one_line(war.name)}, {year_text(war.year)}",
        subtitle=f"{attacker} attacks {defender} in {on_one_line(war.location.name)}",
        terrain=war.terrain,
        legend=tuple(legend),
        km_per_pixel=ground.metres / 1000.0,
        before=tuple(_before(battle, ground, labels[number], number) for number in flanks),
        after=tuple(_after(battle, ground, labels[number], number) for number in flanks),
    )


def _before(battle: Battle, ground: Ground, label: str, number: int) -> Mark:
    return Mark(
        side=SIDES[battle.side[number]],
        label=label,
        x=float(battle.start_x_m[number]) / ground.metres,
        y=float(battle.start_y_m[number]) / ground.metres,
        size=int(battle.men_start[number]),
        status=STATUSES[IDLE if battle.men_start[number] > 0 else INACTIVE],  # STRAT-05, STRAT-10
    )


def _after(battle: Battle, ground: Ground, label: str, number: int) -> Mark:
    return Mark(
        side=SIDES[battle.side[number]],
        label=label,
        x=float(battle.x_m[number]) / ground.metres,
        y=float(battle.y_m[number]) / ground.metres,
        size=int(battle.men[number]),
        status=STATUSES[battle.status[number]],
    )
