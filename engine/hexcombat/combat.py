"""One combat while it is fought: the units, what has been found out so far, whether it is over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.hexcombat.account import Account
from engine.hexcombat.conditions import Scene
from engine.hexcombat.fate import Fate
from engine.hexcombat.fighter import ATTACKER, DEFENDER, SUPPORT, Fighter, fighter
from engine.hexcombat.inputs import FAIR, SURPRISE, CombatInputs, Piece
from engine.hexcombat.records import DESTROYED
from engine.hexcombat.tables import Tables


@dataclass(slots=True)
class Combat:
    """The state of a combat; steps change it in place (HX-NC-03).

    Args:
        inputs: What was asked.
        tables: The workbook's own numbers in their places.
        fate: Dice or expectation.
        account: Hears everything.
        units: Everybody who takes part, by name: one working copy each (HX-DEF-22).
        attacker: The Attacker.
        enemy: The Defender; None where a barrage finds nobody.
        is_over: Nothing more happens, but what happened is written down (HX-NC-17).
        is_close_combat: HX-DEF-14.
        is_rugged_defence: HX-RUG-6.
        sequence: Who fired first; blank without an exchange.
        fires: Supporting fires so far.
        ending: What ended it, for the result: `evaded`.
        prestige_lost: HX-STR-1.
        is_blown: HX-STR-4.
    """

    inputs: CombatInputs
    tables: Tables
    fate: Fate
    account: Account
    units: dict[str, Fighter]
    attacker: Fighter
    enemy: Fighter | None
    is_over: bool = False
    is_close_combat: bool = False
    is_rugged_defence: bool = False
    sequence: str = ""
    fires: int = 0
    ending: str = ""
    prestige_lost: int = 0
    is_blown: bool = False

    @property
    def defender(self) -> Fighter:
        """The Defender, where there must be one.

        Raises:
            ValueError: There is none.
        """
        if self.enemy is None:
            raise ValueError("nobody stands in the hex that is attacked (HX-BAR-1)")
        return self.enemy

    @property
    def is_surprise(self) -> bool:
        """HX-DEF-13: whether the Attacker ran into a hidden unit."""
        return self.inputs.kind == SURPRISE

    @property
    def is_bad_weather(self) -> bool:
        """HX-DEF-16."""
        return self.inputs.weather != FAIR

    def scene(self) -> Scene:
        """What is around the Attacker and the Defender."""
        return Scene(
            facts=self.tables.facts,
            distance=self.inputs.range,
            is_bad_weather=self.is_bad_weather,
            is_surprise=self.is_surprise,
            is_close_combat=self.is_close_combat,
            is_rugged_defence=self.is_rugged_defence,
            attack_range=self.inputs.range,
        )

    def says(self, switch: str) -> bool:
        """Whether a switch of the tables is on between Attacker and Defender."""
        return self.tables.says(switch, self.attacker, self.defender, self.scene())

    def unit(self, piece: Piece) -> Fighter:
        """The working copy of a unit that supports."""
        return self.units[piece.unit.name]

    def kill(self, it: Fighter, status: str, id: str, why: str) -> None:
        """A unit is gone; without its Attacker or Defender a combat is over."""
        it.status = status
        self.account.tell(it.name, f"{status.lower()}{f': {why}' if why else ''}", id, "status", None, it)
        self.end("")

    def bury(self, it: Fighter) -> None:
        """HX-RES-5: a unit without strength is killed."""
        if it.is_active and it.strength <= 0:
            self.kill(it, DESTROYED, "HX-RES-5", "no strength left")

    def end(self, ending: str) -> None:
        """Nothing more happens."""
        self.is_over = True
        self.ending = self.ending or ending


def deploy(inputs: CombatInputs, tables: Tables, fate: Fate, account: Account) -> Combat:
    """Fresh working copies of everybody (HX-NC-03).

    Args:
        inputs: One combat.
        tables: The workbook's own numbers in their places.
        fate: Dice or expectation.
        account: Hears everything.

    Raises:
        ValueError: A unit is mounted on nothing; the form never lets that through.
    """
    facts = tables.facts
    attacker = fighter(inputs.attacker, ATTACKER, facts, has_moved=inputs.attacker_moved, mission=inputs.mission)
    enemy = None
    if inputs.defender is not None:
        enemy = fighter(inputs.defender, DEFENDER, facts, mission=inputs.defender_mission)
    units = {it.name: it for it in (attacker, enemy) if it}
    for piece in _others(inputs):
        if piece.unit.name not in units:
            units[piece.unit.name] = fighter(piece, SUPPORT, facts)
    attacker.beside = tuple(units[piece.unit.name] for piece in inputs.beside_attacker)
    if enemy:
        enemy.beside = tuple(units[piece.unit.name] for piece in inputs.beside_defender)
    return Combat(inputs, tables, fate, account, units, attacker, enemy)


def _others(inputs: CombatInputs) -> Iterable[Piece]:
    for supporters in (
        inputs.interceptors,
        inputs.air_defence,
        inputs.fire_support,
        inputs.naval_support,
        inputs.counter_battery,
    ):
        yield from (it.piece for it in supporters)
    yield from inputs.beside_attacker
    yield from inputs.beside_defender
