"""A battle as a picture: every flank where it began and where it ended (MAP-07, STRAT-08)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.autoalgo.inputs import SIDES, WarInputs
from engine.autoalgo.names import on_one_line, side_names, year_text
from engine.autoalgo.state import IDLE, INACTIVE, STATUSES, Battle, Ground
from engine.scene import Mark, Scene
from engine.terrain import Feature


def scene(war: WarInputs, battle: Battle, ground: Ground, labels: Sequence[str], legend: Sequence[Feature]) -> Scene:
    """The battle's scene, before and after.

    Args:
        war: For the map and the names.
        battle: At its end.
        ground: For the scale.
        labels: Of the flanks, shape (flanks,).
        legend: What the map's codes mean.
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
