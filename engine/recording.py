"""A battle hour by hour, as numbers: what a page shows that lets people watch it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.forecast import Odds, Shift


@dataclass(frozen=True, slots=True)
class Actor:
    """One flank of a recorded battle.

    Args:
        side: `Attacker` or `Defender`.
        label: The flank's label.
        names: The flank's names in sentences: `England, left flank` and `England's left flank`.
        types: Its types of men, each with its share; constant during a battle.
    """

    side: str
    label: str
    names: tuple[str, ...]
    types: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Blow:
    """An attack of one flank on another.

    Args:
        flank: Index of the flank that attacks.
        target: Index of the flank that is attacked.
        killed: Number of men killed.
    """

    flank: int
    target: int
    killed: int


@dataclass(frozen=True, slots=True)
class Chapter:
    """A decisive moment of a battle.

    Args:
        hour: Hours since the battle began.
        name: What it is, without saying who gained by it: `First blow`.
        text: What happened, in a sentence.
    """

    hour: int
    name: str
    text: str


@dataclass(frozen=True, eq=False, slots=True)
class Recording:
    """A battle of `n` flanks from before its first hour to its end, silent hours too: `f` frames, hour 0 first.

    Args:
        actors: The flanks.
        x: Pixels from the map's left edge as in `Mark`, shape (f, n).
        y: Pixels from the map's top edge, shape (f, n).
        men: Men present, shape (f, n).
        ships: Ships afloat, -1 for a flank on land, shape (f, n).
        morale: Share of the morale at the start, shape (f, n).
        status: Index into `statuses`, shape (f, n).
        target: Index of the nearest enemy flank at the decision of the hour, -1 for none, shape (f, n).
        blows: The attacks of each frame.
        statuses: The names of the statuses.
        routine: Kinds of events that happen in most hours, so that nobody looks for the next one.
        folded: Kinds of events on the luck that was drawn once for the whole battle (R-28), for few readers.
        chapters: The decisive moments from hour 0 to the end; the first says who attacks whom, the last who has won.
    """

    actors: tuple[Actor, ...]
    x: NDArray[np.float32]
    y: NDArray[np.float32]
    men: NDArray[np.int32]
    ships: NDArray[np.int32]
    morale: NDArray[np.float32]
    status: NDArray[np.int8]
    target: NDArray[np.int16]
    blows: tuple[tuple[Blow, ...], ...]
    statuses: tuple[str, ...]
    routine: frozenset[str] = frozenset()
    folded: frozenset[str] = frozenset()
    chapters: tuple[Chapter, ...] = ()


@dataclass(frozen=True, slots=True)
class Chances:
    """The chances of a battle.

    Args:
        battles: The number of battles that each is counted over.
        line: The chances, the first before the first hour, the last when it was decided.
    """

    battles: int
    line: tuple[HourlyChance, ...]


@dataclass(frozen=True, slots=True)
class HourlyChance:
    """The attacker's chance to win as it was at one hour of a battle, over battles that go on from there.

    Args:
        hour: Hours since the battle began.
        odds: The share of battles that the attacker won.
        shift: The change since the chance before, over the same luck; None for the first.
    """

    hour: int
    odds: Odds
    shift: Shift | None
