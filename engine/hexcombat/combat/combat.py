"""State of one combat while it is fought."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.hexcombat.combat.account import Account
from engine.hexcombat.combat.fate import ChanceSource
from engine.hexcombat.setup.conditions import CombatScene
from engine.hexcombat.setup.facts import Facts
from engine.hexcombat.setup.fighter import ATTACKER, DEFENDER, SUPPORT, Fighter, fighter
from engine.hexcombat.setup.inputs import FAIR, LISTS, SURPRISE, CombatInputs, Piece
from engine.hexcombat.setup.records import DESTROYED
from engine.hexcombat.setup.tables import HexTables


@dataclass(slots=True)
class Combat:
    """State of a combat, changed in place by its steps (HX-NC-03)."""

    inputs: CombatInputs  # The combat's inputs
    tables: HexTables  # The tables, with the workbook's settings in place
    fate: ChanceSource  # The source of chance: dice or expectation
    account: Account  # The record of the combat
    units: dict[str, Fighter]  # A working copy of each unit that takes part, by name (HX-DEF-22)
    attacker: Fighter
    enemy: Fighter | None  # The Defender; None for a barrage on an empty hex
    is_over: bool = False  # True once no further step is carried out; earlier results count (HX-NC-17)
    is_close_combat: bool = False  # True in close combat (HX-DEF-14)
    is_rugged_defence: bool = False  # True in rugged defence (HX-RUG-6)
    sequence: str = ""  # The order of fire; blank without an exchange
    fires: int = 0  # The number of supporting fires so far
    ending: str = ""  # The reason for the end, for the result: `evaded`
    prestige_lost: int = 0  # The prestige lost (HX-STR-1)
    is_blown: bool = False  # True if the facility was blown up (HX-STR-4)

    @property
    def defender(self) -> Fighter:
        """Return the Defender of a combat that must have one.

        Raises:
            ValueError: There is no Defender.
        """
        if self.enemy is None:
            raise ValueError("nobody stands in the hex that is attacked (HX-BAR-1)")
        return self.enemy

    @property
    def is_surprise(self) -> bool:
        """Return True if the Attacker ran into a hidden unit (HX-DEF-13)."""
        return self.inputs.kind == SURPRISE

    @property
    def is_bad_weather(self) -> bool:
        """Return True in bad weather (HX-DEF-16)."""
        return self.inputs.weather != FAIR

    def scene(self) -> CombatScene:
        """Return the scene of the Attacker and the Defender."""
        return CombatScene(
            facts=self.tables.facts,
            distance=self.inputs.range,
            is_bad_weather=self.is_bad_weather,
            is_surprise=self.is_surprise,
            is_close_combat=self.is_close_combat,
            is_rugged_defence=self.is_rugged_defence,
            attack_range=self.inputs.range,
        )

    def says(self, switch: str) -> bool:
        """Return True if a switch of the tables is on between Attacker and Defender."""
        return self.tables.says(switch, self.attacker, self.defender, self.scene())

    def unit(self, piece: Piece) -> Fighter:
        """Return the working copy of a supporting unit."""
        return self.units[piece.unit.name]

    def kill(self, fighter: Fighter, status: str, id: str, why: str) -> None:
        """Remove a unit from the game, which ends the combat."""
        fighter.status = status
        self.account.tell(fighter.name, f"{status.lower()}{f': {why}' if why else ''}", id, "status", None, fighter)
        self.end("")

    def kill_if_spent(self, fighter: Fighter) -> None:
        """Kill a unit without strength (HX-RES-5)."""
        if fighter.is_active and fighter.strength <= 0:
            self.kill(fighter, DESTROYED, "HX-RES-5", "no strength left")

    def end(self, ending: str) -> None:
        """End the combat."""
        self.is_over = True
        self.ending = self.ending or ending


def combatants(inputs: CombatInputs, facts: Facts) -> tuple[Fighter, Fighter | None]:
    """Return fresh working copies of the Attacker and of the Defender, None for an empty hex."""
    turn, defender = inputs.game_turn, inputs.defender
    attacker = fighter(
        inputs.attacker, ATTACKER, facts, has_moved=inputs.attacker_moved, mission=inputs.mission, game_turn=turn
    )
    if defender is None:
        return attacker, None
    return attacker, fighter(defender, DEFENDER, facts, mission=inputs.defender_mission, game_turn=turn)


def deploy(inputs: CombatInputs, tables: HexTables, fate: ChanceSource, account: Account) -> Combat:
    """Set up a combat with fresh working copies of all units (HX-NC-03).

    Raises:
        ValueError: A mounted unit has no transport, which the input checks exclude.
    """
    attacker, enemy = combatants(inputs, tables.facts)
    units = {unit.name: unit for unit in (attacker, enemy) if unit}
    for piece in _others(inputs):
        if piece.unit.name not in units:
            units[piece.unit.name] = fighter(piece, SUPPORT, tables.facts, game_turn=inputs.game_turn)
    attacker.beside = tuple(units[piece.unit.name] for piece in inputs.beside_attacker)
    if enemy:
        enemy.beside = tuple(units[piece.unit.name] for piece in inputs.beside_defender)
    return Combat(inputs, tables, fate, account, units, attacker, enemy)


def _others(inputs: CombatInputs) -> Iterable[Piece]:
    for name in LISTS:
        yield from (supporter.piece for supporter in getattr(inputs, name))
    yield from inputs.beside_attacker
    yield from inputs.beside_defender
