"""HX-ODD: what one unit attacks and the other defends with in a fire, line by line."""

from __future__ import annotations

from dataclasses import dataclass

from engine.hexcombat.conditions import Scene
from engine.hexcombat.fighter import Fighter
from engine.hexcombat.lines import Step, apply
from engine.hexcombat.tables import Tables

A_CANNOT, P_CANNOT = frozenset(("A attack",)), frozenset(("P attack",))


@dataclass(frozen=True, slots=True)
class Odds:
    """Attack and defence of both units of a fire (HX-DEF-02, HX-DEF-09, HX-DEF-10).

    Args:
        own_attack: EffAtk of A, the one that fires; 0 when it cannot, while EffDef is worked out (HX-OP-25).
        own_defence: EffDef of A.
        enemy_attack: EffAtk of P, the one fired at.
        enemy_defence: EffDef of P.
        steps: The lines that made them.
    """

    own_attack: int
    own_defence: int
    enemy_attack: int
    enemy_defence: int
    steps: tuple[Step, ...] = ()

    @property
    def turned(self) -> Odds:
        """The same seen by P when it fires back."""
        return Odds(self.enemy_attack, self.enemy_defence, self.own_attack, self.own_defence)


def odds(a: Fighter, p: Fighter, scene: Scene, tables: Tables, reach: int | None = None) -> Odds:
    """The odds of A firing at P.

    Args:
        a: Active unit.
        p: Passive unit.
        scene: What is around them.
        tables: Of the ruleset.
        reach: How far A fires where a rule gives it another range (HX-AD-2).
    """
    frozen = frozenset[str]()
    if not a.can_fire_at(p, scene.distance, reach):
        frozen |= A_CANNOT
    if not p.can_fire_at(a, scene.distance):
        frozen |= P_CANNOT
    numbers = scene.numbers = {"A attack": 0, "A defence": 0, "P attack": 0, "P defence": 0}
    steps = apply(tables.odds, a, p, scene, frozen)
    return Odds(numbers["A attack"], numbers["A defence"], numbers["P attack"], numbers["P defence"], tuple(steps))
