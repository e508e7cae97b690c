"""The picture of a battle: every flank at the start, at the decision and at the end (MAP-07, STRAT-08, R-29)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from engine.autoalgo.battle.flank import ground_at
from engine.autoalgo.battle.state import IDLE, INACTIVE, STATUSES, Battle, Ground, Whole
from engine.autoalgo.inputs import SIDES, Belligerent, WarInputs
from engine.autoalgo.names import Names, army_names, counted, side_names, year_text
from engine.autoalgo.records import GENERIC
from engine.autoalgo.setup.army import armies_of, led_by
from engine.autoalgo.setup.deploy import reach_m
from engine.autoalgo.setup.pixels import is_on_water
from engine.autoalgo.setup.strategy import army_table, strategy_message
from engine.autoalgo.setup.strategy_rules import FlankPlan
from engine.autoalgo.setup.tables import Tables
from engine.battle_map import Banner, Mark, Moment, Scene
from engine.receipt import on_one_line
from engine.terrain import Feature


class SceneRecorder:
    """Keeps the places of the flanks while a battle is fought.

    Args:
        battle: The battle, before its first hour.
    """

    def __init__(self, battle: Battle, ground: Ground, names: Names) -> None:
        self._battle, self._ground, self._names = battle, ground, names
        status = [IDLE if men > 0 else INACTIVE for men in battle.men]  # STRAT-05, STRAT-10
        self._moments = [Moment("Before", 0, self._marks(status))]

    def add_hour(self) -> None:
        """Keep the hour that has just been fought if the battle was decided in it (R-29)."""
        if 0 < self._battle.decided_hour == self._battle.hours:
            self._moments.append(Moment("Decision", self._battle.hours, self._marks(self._battle.status)))

    def scene(self, war: WarInputs, legend: Sequence[Feature]) -> Scene:
        """Return the scene of the battle, which is over."""
        end = Moment("After", self._battle.hours, self._marks(self._battle.status))
        earlier = [moment for moment in self._moments if moment.hour < end.hour or moment.name == "Before"]
        attacker, defender = side_names(war)
        return Scene(
            title=f"{on_one_line(war.name)}, {year_text(war.year)}",
            subtitle=f"{on_one_line(war.location.name)}: {self._course()}",
            terrain=war.terrain,
            legend=tuple(legend),
            km_per_pixel=self._ground.metres / 1000.0,
            moments=(*earlier, end),
            attacker=_banner(attacker, war.attacker),
            defender=_banner(defender, war.defender),
            winner=SIDES[self._battle.winner],
        )

    def _marks(self, status: Sequence[int] | Whole) -> tuple[Mark, ...]:
        battle, ground = self._battle, self._ground
        return tuple(
            Mark(
                side=SIDES[battle.side[number]],
                label=label,
                x=float(battle.x_m[number]) / ground.metres,
                y=float(battle.y_m[number]) / ground.metres,
                size=int(battle.men[number]),
                status=STATUSES[status[number]],
                ships=int(battle.ships[number]) if self._is_afloat(number) else None,
                army=self._names.armies[number],
            )
            for number, label in enumerate(self._names.flanks)
        )

    def _is_afloat(self, flank: int) -> bool:
        code = ground_at(self._ground, self._battle.x_m[flank], self._battle.y_m[flank])
        return bool(self._ground.is_water[code])

    def _course(self) -> str:
        """Return the hours of the decision and of the end (R-13, R-29)."""
        battle, hours = self._battle, counted(self._battle.hours, "hour")
        if not battle.decided_hour:
            return f"the attack was abandoned after {hours}" if battle.hours else "decided before the first hour"
        return f"decided in hour {battle.decided_hour}, over after {hours}"


def planned_scene(war: WarInputs, tables: Tables, wrong: Collection[tuple[int, int, int]] = ()) -> Scene:
    """Return the scene of a war before its battle, whatever is wrong with its flanks, without those off the map.

    Args:
        wrong: Flanks that are marked beside those that the strategy's check refuses, as numbers of side, army there
            and flank of it.
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
    attacker, defender = side_names(war)
    first, second = ("; ".join(text for of, text in notes if of == side) for side in (0, 1))
    return Scene(
        title=f"{on_one_line(war.name)}, {year_text(war.year)}",
        subtitle=f"{on_one_line(war.location.name)}: as it is planned",
        terrain=war.terrain,
        legend=tuple(tables.terrain),
        km_per_pixel=tables.strategy.km_per_pixel,
        moments=(Moment("Before", 0, tuple(marks)),),
        attacker=replace(_banner(attacker, war.attacker), note=first),
        defender=replace(_banner(defender, war.defender), note=second),
    )


def _reach_px(army: Belligerent, plan: FlankPlan, tables: Tables) -> float:
    """Return the farthest reach of the weapons of a flank in pixels of the map, 0 if it has none (UD-04)."""
    men = (*plan.counts, plan.crew)
    reaches = [reach_m(unit) for unit, count in zip(army.units, men, strict=True) if unit is not None and count > 0]
    return max(0.0, *reaches) / 1000 / tables.strategy.km_per_pixel if reaches else 0.0


def _banner(nation: str, side: Belligerent) -> Banner:
    return Banner(nation, "" if side.military.name == GENERIC else on_one_line(side.military.name))
