"""Working copy of a unit, changed by every step of a combat (HX-DEF-22)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.hexcombat.setup.facts import Facts, HexConstants
from engine.hexcombat.setup.inputs import NO_MISSION, RECON, HexGround, Piece
from engine.hexcombat.setup.records import ACTIVE, MOST, MOST_STORES, HexUnitType

ATTACKER, DEFENDER, SUPPORT = "Attacker", "Defender", "Support"
"""Roles; a supporting unit is neither Attacker nor Defender (HX-OP-47)."""
LAND, AIR, NAVAL = "Land", "Air", "Naval"
"""Groups of classes (HX-DEF-04): Land and Naval units are ground units (HX-DEF-05) and share the ground (HX-DEF-06)."""


@dataclass(slots=True, eq=False)
class Fighter:
    """State of a unit in one combat."""

    piece: Piece  # The unit before the combat
    role: str  # The role: Attacker, Defender or Support
    values: HexUnitType  # The values of its type, or of its transport when it is mounted (HX-OP-32)
    traits: frozenset[str]  # The names of its leaders, attributes and attachments
    kinds: frozenset[str]  # Its class and its group
    ground: HexGround  # The ground under the unit
    ground_traits: frozenset[str]  # The name and the traits of that ground's terrain
    has_moved: bool  # True if it moved before this combat
    mission: str  # The mission: None, WildWeasel or Recon
    start_bars: int  # The experience bars before this combat (HX-CRI-2)
    bars: int  # The experience bars now (HX-DEF-08, HX-OP-22)
    strength: int  # The strength points (SP)
    suppressed: int  # The SP that do not fire, including those lastingly suppressed
    lasting: int  # The SP suppressed beyond this combat (HX-OP-27)
    experience: int
    ammo: int
    fuel: int
    entrenchment: int
    hits: int
    is_sabotaged: bool
    has_intercepted: bool
    has_supported: bool
    status: str
    displaced: str
    game_turn: int | None = None  # The game's current turn, None in a game without turns (HX-OP-49)
    beside: tuple[Fighter, ...] = ()
    kills_taken: int = 0
    suppression_taken: int = 0
    has_fired: bool = False
    attacks: Mapping[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Return the unit's name."""
        return self.piece.unit.name

    @property
    def side(self) -> str:
        """Return the name of the unit's side."""
        return self.piece.unit.side

    @property
    def start_ammo(self) -> int:
        """Return the ammo before this combat; a blank cell means a full load."""
        unit = self.piece.unit
        return self.piece.type.max_ammo if unit.ammo is None else unit.ammo

    @property
    def start_fuel(self) -> int:
        """Return the fuel before this combat; a blank cell means a full tank."""
        unit = self.piece.unit
        return self.piece.type.max_fuel if unit.fuel is None else unit.fuel

    @property
    def marks_turn(self) -> int | None:
        """Return the turn of the unit's marks, None without marks; without turns that of its cell (HX-OP-50)."""
        if self.game_turn is None:
            return self.piece.unit.turn
        return self.game_turn if self.hits or self.has_intercepted or self.has_supported else None

    @property
    def unsuppressed(self) -> int:
        """Return the SP that fire (HX-DEF-07)."""
        return self.strength - self.suppressed

    @property
    def is_active(self) -> bool:
        """Return True if the unit is still in the game."""
        return self.status == ACTIVE

    @property
    def uses_ammo(self) -> bool:
        """Return True if the unit can run out of ammo; a type without Max ammo cannot."""
        return self.piece.type.max_ammo > 0

    @property
    def has_ammo(self) -> bool:
        """Return True if the unit can fire once more."""
        return self.ammo > 0 or not self.uses_ammo

    @property
    def uses_fuel(self) -> bool:
        """Return True if the unit needs fuel; a type without Max fuel needs none."""
        return self.piece.type.max_fuel > 0

    @property
    def flies_recon(self) -> bool:
        """Return True if the unit flies a Recon mission (HX-LOS-1)."""
        return self.mission == RECON

    @property
    def can_move(self) -> bool:
        """Return True if the unit has a move allowance, and fuel if it needs any (HX-RET-3)."""
        return self.values.movement > 0 and (self.fuel > 0 or not self.uses_fuel)

    def attack_at(self, enemy: Fighter) -> int:
        """Return the attack value for the enemy's kind of target (HX-ODD-A1)."""
        return self.attacks[enemy.values.target]

    def can_fire_at(self, enemy: Fighter, distance: int, reach: int | None = None) -> bool:
        """Return True if ammo, unsuppressed SP, an attack value and range suffice for a fire (HX-DEF-21, HX-OP-26).

        Args:
            reach: The range, if a rule overrides the unit's own (HX-AD-2).
        """
        furthest = max(1, self.values.range) if reach is None else reach
        return self.has_ammo and self.unsuppressed > 0 and self.attack_at(enemy) > 0 and distance <= furthest

    def record_fire(self) -> None:
        """Mark the unit as having fired and spend a shot (HX-UPD)."""
        self.has_fired = True
        self.spend_ammo()

    def spend_ammo(self) -> None:
        """Spend one shot, if the unit uses ammo."""
        if self.uses_ammo:
            self.ammo = max(0, self.ammo - 1)

    def take_losses(self, killed: int, suppressed: int) -> None:
        """Apply the losses of one fire; a hit reduces entrenchment and is counted (HX-UPD, HX-OP-21).

        Args:
            killed: The SP killed, at most the strength.
            suppressed: The SP suppressed, at most the remaining strength.
        """
        self.strength -= killed
        self.suppressed = min(self.suppressed + suppressed, self.strength)
        self.lasting = min(self.lasting, self.strength)
        self.kills_taken += killed
        self.suppression_taken = min(self.suppression_taken + suppressed, self.strength)  # HX-LOS-6
        if killed or suppressed:
            self.record_hit()

    def record_hit(self) -> None:
        """Reduce entrenchment by 1 and count a hit (HX-OP-21)."""
        self.entrenchment = max(0, self.entrenchment - 1)
        self.hits = min(self.hits + 1, MOST)

    def suppress_lastingly(self, points: int) -> int:
        """Suppress points until a moderator clears them, and return the number newly suppressed (HX-BOM-5)."""
        before = self.lasting
        self.lasting = min(self.lasting + points, self.strength)
        self.suppressed = min(self.suppressed + points, self.strength)
        self.suppression_taken = min(self.suppression_taken + self.lasting - before, self.strength)  # HX-LOS-6
        return self.lasting - before

    def learn(self, experience: int, constants: HexConstants) -> int:
        """Add experience and return the number of bars gained (HX-UPD)."""
        before = self.bars
        self.experience = min(self.experience + experience, MOST_STORES)
        self.bars = bars(self.experience, constants)
        return self.bars - before


def bars(experience: int, constants: HexConstants) -> int:
    """Return the experience bars: one for every 100 points, at most 5 (HX-OP-22)."""
    return min(constants.max_bars, experience // constants.exp_per_bar)


def fighter(
    piece: Piece,
    role: str,
    facts: Facts,
    *,
    has_moved: bool = False,
    mission: str = NO_MISSION,
    game_turn: int | None = None,
) -> Fighter:
    """Return a fresh working copy of a unit.

    Args:
        has_moved: True if the unit moved before; a supporting unit counts as not moved (HX-OP-47).
        game_turn: The game's current turn, None in a game without turns; marks of another turn count as cleared.

    Raises:
        ValueError: The unit is mounted without a transport (HX-OP-32), which the input checks exclude.
    """
    unit, unit_type = piece.unit, piece.type
    values = piece.transport if unit.mounted else unit_type
    if values is None:
        raise ValueError(f"{unit.name} is mounted, but has no transport type (HX-OP-32)")
    attributes = (*unit_type.attributes, *unit.attributes, *(values.attributes if unit.mounted else ()))
    lasting = min(unit.suppressed, unit.strength)
    has_marks = unit.marks_count_in(game_turn)
    return Fighter(
        piece=piece,
        role=role,
        values=values,
        traits=frozenset((*unit.leaders, *attributes, *unit.attachments)),
        kinds=frozenset((unit_type.unit_class, facts.groups[unit_type.unit_class])),
        ground=piece.ground,
        ground_traits=facts.ground_traits(piece.ground.terrain),
        has_moved=has_moved,
        mission=mission,
        bars=bars(unit.experience, facts.constants),
        start_bars=bars(unit.experience, facts.constants),
        strength=unit.strength,
        suppressed=lasting,
        lasting=lasting,
        experience=unit.experience,
        ammo=unit_type.max_ammo if unit.ammo is None else unit.ammo,
        fuel=unit_type.max_fuel if unit.fuel is None else unit.fuel,
        entrenchment=unit.entrenchment,
        hits=unit.hits if has_marks else 0,
        is_sabotaged=unit.sabotaged,
        has_intercepted=unit.intercepted and has_marks,
        has_supported=unit.supported and has_marks,
        status=unit.status,
        displaced=unit.displaced,
        game_turn=game_turn,
        attacks={
            "Soft": values.soft_attack,
            "Hard": values.hard_attack,
            "Air": values.air_attack,
            "Naval": values.naval_attack,
        },
    )
