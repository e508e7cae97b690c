"""Odds: attack and defence of two units in a fire, line by line (HX-ODD)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.hexcombat.setup.conditions import CombatScene
from engine.hexcombat.setup.fighter import Fighter
from engine.hexcombat.setup.lines import LineChange, apply
from engine.hexcombat.setup.tables import HexTables

A_CANNOT, P_CANNOT = frozenset(("A attack",)), frozenset(("P attack",))


@dataclass(frozen=True, slots=True)
class CombatOdds:
    """Attack and defence of both units of a fire (HX-DEF-02, HX-DEF-09, HX-DEF-10)."""

    own_attack: int  # EffAtk of A, the unit that fires; 0 when it cannot fire, while EffDef is computed (HX-OP-25)
    own_defence: int  # EffDef of A
    enemy_attack: int  # EffAtk of P, the unit fired at
    enemy_defence: int  # EffDef of P
    steps: tuple[LineChange, ...] = ()  # The lines that computed them

    @property
    def turned(self) -> CombatOdds:
        """Return the same odds from P's view, for firing back."""
        return CombatOdds(self.enemy_attack, self.enemy_defence, self.own_attack, self.own_defence)


def odds(a: Fighter, p: Fighter, scene: CombatScene, tables: HexTables, reach: int | None = None) -> CombatOdds:
    """Compute the odds of A firing at P.

    Args:
        reach: A's range, if a rule overrides it (HX-AD-2).
    """
    frozen = frozenset[str]()
    if not a.can_fire_at(p, scene.distance, reach):
        frozen |= A_CANNOT
    if not p.can_fire_at(a, scene.distance):
        frozen |= P_CANNOT
    numbers = scene.numbers = {"A attack": 0, "A defence": 0, "P attack": 0, "P defence": 0}
    steps = apply(tables.odds, a, p, scene, frozen)
    return CombatOdds(
        numbers["A attack"], numbers["A defence"], numbers["P attack"], numbers["P defence"], tuple(steps)
    )
