"""Data of a battle map: the terrain, the two sides, and the flanks at some moments of the battle."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.terrain import Feature, TerrainMap

Rgb = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Position and state of one flank at one moment."""

    side: str  # `Attacker` or `Defender`
    label: str  # The flank's label
    x: float  # Pixels from the map's left edge; the centre of pixel 200 is at 200.5
    y: float  # Pixels from the map's top edge; the centre of pixel 200 is at 200.5
    size: int  # Number of men
    status: str  # Idle, Ready, Retreating, Routed or Inactive (STRAT-10)
    ships: int | None = None  # Number of ships afloat; None on land, where ships take no part
    reach: float = 0.0  # Farthest reach of its weapons in pixels, drawn as a circle; 0 for none
    is_wrong: bool = False  # True for a flank that `check` refuses, drawn with a mark
    army: str = ""  # Name of its army; blank for its side's army


@dataclass(frozen=True, slots=True)
class Moment:
    """All flanks at one moment of a battle."""

    name: str  # The moment's name: `Before`, `Decision`, `After`
    hour: int  # Hours since the battle began
    marks: tuple[Mark, ...]  # The flanks, at every moment of a battle the same ones in the same order


@dataclass(frozen=True, slots=True)
class Banner:
    """The name of a side in pictures."""

    nation: str  # The nation's name
    army: str = ""  # Name of its force; blank if it has none
    colour: Rgb | None = None  # Colour of its flag; None for the side's own colour (MAP-07)
    note: str = ""  # Text beside its strength: the rating of its strategy before the battle


@dataclass(frozen=True, eq=False, slots=True)
class Scene:
    """Everything needed to draw one battle (MAP-07, STRAT-08)."""

    title: str  # The war's name, any text
    subtitle: str  # A second line, e.g. the place and the winner
    terrain: TerrainMap  # The map's terrain
    legend: tuple[Feature, ...]  # The features that the terrain's codes stand for
    km_per_pixel: float  # The map's scale (MAP-06)
    # The start, and after any fighting the end; between them the decision, if at another hour.
    moments: tuple[Moment, ...]
    attacker: Banner = Banner("Attacker")  # The attacking side
    defender: Banner = Banner("Defender")  # The defending side
    winner: str = ""  # `Attacker`, `Defender`, or blank without a winner

    def painted(self, colours: Mapping[str, Rgb]) -> Scene:
        """Return the scene with flags in the colours of the nations."""
        attacker, defender = (replace(side, colour=colours.get(side.nation)) for side in (self.attacker, self.defender))
        return replace(self, attacker=attacker, defender=defender)

    @property
    def digest(self) -> str:
        """Return a digest of everything drawn, equal for equal pictures."""
        words = (self.title, self.subtitle, self.km_per_pixel, self.moments, self.attacker, self.defender, self.winner)
        return hashlib.sha256(repr((*words, self.terrain.digest, self.legend)).encode()).hexdigest()

    @property
    def before(self) -> tuple[Mark, ...]:
        """Return the flanks at the start."""
        return self.moments[0].marks

    @property
    def after(self) -> tuple[Mark, ...]:
        """Return the flanks at the end; none before any fighting."""
        return self.moments[-1].marks if len(self.moments) > 1 else ()
