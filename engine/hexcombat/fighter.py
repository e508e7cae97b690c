"""A unit in a combat: the working copy that every step changes (HX-DEF-22)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.hexcombat.facts import Constants, Facts
from engine.hexcombat.inputs import NO_MISSION, RECON, Ground, Piece
from engine.hexcombat.records import ACTIVE, MOST, MOST_STORES, UnitType

ATTACKER, DEFENDER, SUPPORT = "Attacker", "Defender", "Support"
"""Roles; a supporting unit is neither Attacker nor Defender (HX-OP-47)."""
LAND, AIR, NAVAL = "Land", "Air", "Naval"
"""Groups of classes (HX-DEF-04): Land and Naval units are ground units (HX-DEF-05) and share the ground (HX-DEF-06)."""


@dataclass(slots=True, eq=False)
class Fighter:
    """A unit's state in one combat; only these few numbers change.

    Args:
        piece: As it came.
        role: Attacker, Defender or Support.
        values: Its numbers: of its type, or of its transport when it is mounted (HX-OP-32).
        traits: Leaders, attributes and attachments by name.
        kinds: Its class and its group.
        ground: Where it stands.
        ground_traits: What the rules know that ground by: its name and its traits.
        has_moved: Before this combat.
        mission: None, WildWeasel or Recon.
        start_bars: Experience bars before this combat (HX-CRI-2).
        bars: Experience bars now (HX-DEF-08, HX-OP-22).
        strength: SP.
        suppressed: SP that do not fire, lasting ones among them.
        lasting: Suppressed beyond this combat (HX-OP-27).
    """

    piece: Piece
    role: str
    values: UnitType
    traits: frozenset[str]
    kinds: frozenset[str]
    ground: Ground
    ground_traits: frozenset[str]
    has_moved: bool
    mission: str
    start_bars: int
    bars: int
    strength: int
    suppressed: int
    lasting: int
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
    beside: tuple[Fighter, ...] = ()
    kills_taken: int = 0
    suppression_taken: int = 0
    has_fired: bool = False
    attacks: Mapping[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The unit's."""
        return self.piece.unit.name

    @property
    def side(self) -> str:
        """Whom it fights for."""
        return self.piece.unit.side

    @property
    def start_ammo(self) -> int:
        """Ammo before this combat; a blank cell means all that the type carries."""
        unit = self.piece.unit
        return self.piece.type.max_ammo if unit.ammo is None else unit.ammo

    @property
    def start_fuel(self) -> int:
        """Fuel before this combat, as its ammo."""
        unit = self.piece.unit
        return self.piece.type.max_fuel if unit.fuel is None else unit.fuel

    @property
    def unsuppressed(self) -> int:
        """SP that fire (HX-DEF-07)."""
        return self.strength - self.suppressed

    @property
    def is_active(self) -> bool:
        """Whether it is still there."""
        return self.status == ACTIVE

    @property
    def uses_ammo(self) -> bool:
        """A type without Max ammo never runs out."""
        return self.piece.type.max_ammo > 0

    @property
    def has_ammo(self) -> bool:
        """Whether it can fire once more."""
        return self.ammo > 0 or not self.uses_ammo

    @property
    def uses_fuel(self) -> bool:
        """A type without Max fuel needs none."""
        return self.piece.type.max_fuel > 0

    @property
    def flies_recon(self) -> bool:
        """HX-LOS-1."""
        return self.mission == RECON

    @property
    def can_move(self) -> bool:
        """HX-RET-3: a move allowance, and fuel where it is needed."""
        return self.values.movement > 0 and (self.fuel > 0 or not self.uses_fuel)

    def attack_at(self, enemy: Fighter) -> int:
        """The attack value for the enemy's kind of target (HX-ODD-A1)."""
        return self.attacks[enemy.values.target]

    def can_fire_at(self, enemy: Fighter, distance: int, reach: int | None = None) -> bool:
        """HX-DEF-21, HX-OP-26: ammo, somebody left to fire, an attack value, and near enough.

        Args:
            enemy: The target.
            distance: Hexes between the two.
            reach: Its range where a rule gives it another (HX-AD-2).
        """
        furthest = max(1, self.values.range) if reach is None else reach
        return self.has_ammo and self.unsuppressed > 0 and self.attack_at(enemy) > 0 and distance <= furthest

    def fired(self) -> None:
        """HX-UPD: every fire costs a shot."""
        self.has_fired = True
        self.spend_ammo()

    def spend_ammo(self) -> None:
        """One shot, where it uses ammo."""
        if self.uses_ammo:
            self.ammo = max(0, self.ammo - 1)

    def suffer(self, killed: int, suppressed: int) -> None:
        """HX-UPD, HX-OP-21: losses of one fire; a hit loosens entrenchment and is counted.

        Args:
            killed: At most its strength.
            suppressed: At most what is left of it.
        """
        self.strength -= killed
        self.suppressed = min(self.suppressed + suppressed, self.strength)
        self.lasting = min(self.lasting, self.strength)
        self.kills_taken += killed
        self.suppression_taken += suppressed
        if killed or suppressed:
            self.struck()

    def struck(self) -> None:
        """HX-OP-21: entrenchment less 1, one hit more."""
        self.entrenchment = max(0, self.entrenchment - 1)
        self.hits = min(self.hits + 1, MOST)

    def suppress_lastingly(self, points: int) -> int:
        """HX-BOM-5: suppressed until a moderator clears it; returns how many points were still free for it."""
        before = self.lasting
        self.lasting = min(self.lasting + points, self.strength)
        self.suppressed = min(self.suppressed + points, self.strength)
        self.suppression_taken += self.lasting - before
        return self.lasting - before

    def learn(self, experience: int, constants: Constants) -> int:
        """HX-UPD: more experience and, maybe, bars; returns the bars gained."""
        before = self.bars
        self.experience = min(self.experience + experience, MOST_STORES)
        self.bars = bars(self.experience, constants)
        return self.bars - before


def bars(experience: int, constants: Constants) -> int:
    """HX-OP-22: a bar for every 100 points, at most 5."""
    return min(constants.max_bars, experience // constants.exp_per_bar)


def fighter(piece: Piece, role: str, facts: Facts, *, has_moved: bool = False, mission: str = NO_MISSION) -> Fighter:
    """A fresh working copy of a unit.

    Args:
        piece: The unit.
        role: Attacker, Defender or Support.
        facts: Of the tables.
        has_moved: A supporting unit counts as not moved (HX-OP-47).
        mission: The unit's own.

    Raises:
        ValueError: It is mounted on nothing (HX-OP-32); the form never lets that through.
    """
    unit, own = piece.unit, piece.type
    values = piece.transport if unit.mounted else own
    if values is None:
        raise ValueError(f"{unit.name} is mounted, but has no transport type (HX-OP-32)")
    attributes = (*own.attributes, *unit.attributes, *(values.attributes if unit.mounted else ()))
    lasting = min(unit.suppressed, unit.strength)
    return Fighter(
        piece=piece,
        role=role,
        values=values,
        traits=frozenset((*unit.leaders, *attributes, *unit.attachments)),
        kinds=frozenset((own.unit_class, facts.groups[own.unit_class])),
        ground=piece.ground,
        ground_traits=facts.ground_traits(piece.ground.terrain.name),
        has_moved=has_moved,
        mission=mission,
        bars=bars(unit.experience, facts.constants),
        start_bars=bars(unit.experience, facts.constants),
        strength=unit.strength,
        suppressed=lasting,
        lasting=lasting,
        experience=unit.experience,
        ammo=own.max_ammo if unit.ammo is None else unit.ammo,
        fuel=own.max_fuel if unit.fuel is None else unit.fuel,
        entrenchment=unit.entrenchment,
        hits=unit.hits,
        is_sabotaged=unit.sabotaged,
        has_intercepted=unit.intercepted,
        has_supported=unit.supported,
        status=unit.status,
        displaced=unit.displaced,
        attacks={
            "Soft": values.soft_attack,
            "Hard": values.hard_attack,
            "Air": values.air_attack,
            "Naval": values.naval_attack,
        },
    )
