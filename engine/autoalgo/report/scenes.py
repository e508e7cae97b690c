"""The picture of a battle: every flank at the start, at the decision and at the end (MAP-07, STRAT-08, R-29)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from engine.autoalgo.battle.state import IDLE, INACTIVE, STATUSES, Battle
from engine.autoalgo.fight.recorded import RecordedBattle
from engine.autoalgo.inputs import SIDES, Belligerent, WarInputs
from engine.autoalgo.names import Names, army_names, side_names, year_text
from engine.autoalgo.records import GENERIC
from engine.autoalgo.setup.army import armies_of, is_on_water, led_by
from engine.autoalgo.setup.deploy import reach_m
from engine.autoalgo.setup.strategy import army_table, strategy_message
from engine.autoalgo.setup.strategy_rules import FlankPlan
from engine.autoalgo.setup.tables import Tables
from engine.battle_map import Banner, Mark, Moment, Scene
from engine.receipt import counted, on_one_line
from engine.terrain import Feature


def battle_scene(war: WarInputs, names: Names, fought: RecordedBattle, legend: Sequence[Feature]) -> Scene:
    """Return the scene of a finished battle."""
    battle, metres = fought.battle, fought.stage.tunables.ground.metres
    last, decided = battle.hours, battle.decided_hour
    status = [IDLE if men > 0 else INACTIVE for men in battle.men_start.tolist()]  # STRAT-05, STRAT-10
    moments = [Moment("Before", 0, _marks(names, fought, 0, status))]
    for name, hour in ("Decision", decided if 0 < decided < last else None), ("After", last):
        if hour is not None:
            moments.append(Moment(name, hour, _marks(names, fought, hour, fought.frames.status[hour].tolist())))
    scene = _scene(war, _course(battle), legend, metres / 1000.0, moments)
    return replace(scene, winner=SIDES[battle.winner])


def _marks(names: Names, fought: RecordedBattle, hour: int, status: Sequence[int]) -> tuple[Mark, ...]:
    frames, metres = fought.frames, fought.stage.tunables.ground.metres
    sides, on_water = fought.battle.side.tolist(), fought.on_water[hour].tolist()
    columns = (frames.x_m, frames.y_m, frames.men, frames.ships)
    x_m, y_m, men, ships = (column[hour].tolist() for column in columns)
    return tuple(
        Mark(
            side=SIDES[sides[number]],
            label=label,
            x=x_m[number] / metres,
            y=y_m[number] / metres,
            size=men[number],
            status=STATUSES[status[number]],
            ships=ships[number] if on_water[number] else None,
            army=names.armies[number],
        )
        for number, label in enumerate(names.flanks)
    )


def _course(battle: Battle) -> str:
    """Return the hours of the decision and of the end (R-13, R-29)."""
    hours = counted(battle.hours, "hour")
    if not battle.decided_hour:
        return f"the attack was abandoned after {hours}" if battle.hours else "decided before the first hour"
    return f"decided in hour {battle.decided_hour}, over after {hours}"


def planned_scene(war: WarInputs, tables: Tables, wrong: Collection[tuple[int, int, int]] = ()) -> Scene:
    """Return the scene of a war before its battle, even with invalid flanks, except those off the map.

    Args:
        wrong: Flanks to mark besides those refused by the strategy's check, as numbers of side, army in it and
            flank in the army.
    """
    marks, notes, size = [], [], tables.strategy.map_pixels
    armies = [(side, place, army) for side in (0, 1) for place, army in enumerate(armies_of(war, side))]
    for side, place, army in armies:
        led = led_by(war, side, place)
        message = strategy_message(led, side, tables)
        notes.append((side, message.text))
        refused = {(side, place, problem.flank) for problem in message.problems} | {*wrong}
        for number, plan in enumerate(army_table(led, side, tables)):
            if not (0 <= plan.x < size and 0 <= plan.y < size):
                continue
            ships = plan.ships if is_on_water(war.terrain, plan.x, plan.y, tables) else None
            mark = Mark(
                side=SIDES[side],
                label=on_one_line(plan.label),
                x=plan.x + 0.5,
                y=plan.y + 0.5,
                size=plan.men,
                status=STATUSES[IDLE if plan.men else INACTIVE],
                ships=ships,
                reach=_reach_px(army, plan, tables),
                is_wrong=(side, place, number) in refused,
                army=army_names(war, side)[place],
            )
            marks.append(mark)
    before = Moment("Before", 0, tuple(marks))
    remarks = ["; ".join(text for of, text in notes if of == side) for side in (0, 1)]
    return _scene(war, "as it is planned", tables.terrain, tables.strategy.km_per_pixel, [before], remarks)


def _scene(
    war: WarInputs,
    state: str,
    legend: Iterable[Feature],
    km_per_pixel: float,
    moments: Iterable[Moment],
    notes: Sequence[str] = ("", ""),
) -> Scene:
    attacker, defender = (
        Banner(name, "" if side.military.name == GENERIC else on_one_line(side.military.name), note=note)
        for name, side, note in zip(side_names(war), (war.attacker, war.defender), notes, strict=True)
    )
    title, subtitle = f"{on_one_line(war.name)}, {year_text(war.year)}", f"{on_one_line(war.location.name)}: {state}"
    return Scene(title, subtitle, war.terrain, tuple(legend), km_per_pixel, tuple(moments), attacker, defender)


def _reach_px(army: Belligerent, plan: FlankPlan, tables: Tables) -> float:
    """Return the farthest reach of a flank's weapons in pixels of the map, 0 without any (UD-04)."""
    men = (*plan.counts, plan.crew)
    reaches = [reach_m(unit) for unit, count in zip(army.units, men, strict=True) if unit is not None and count > 0]
    return max(0.0, *reaches) / 1000 / tables.strategy.km_per_pixel if reaches else 0.0
