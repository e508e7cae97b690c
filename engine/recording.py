"""A battle hour by hour, as numbers: what a page shows that lets people watch it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.forecast import Odds, Shift


@dataclass(frozen=True, slots=True)
class Actor:
    """One flank of a recorded battle."""

    side: str  # `Attacker` or `Defender`
    label: str  # The flank's label
    names: tuple[str, ...]  # The flank's names in sentences: `England, left flank` and `England's left flank`
    types: tuple[tuple[str, float], ...]  # Its types of men, each with its share; constant during a battle


@dataclass(frozen=True, slots=True)
class Blow:
    """An attack of one flank on another."""

    flank: int  # Index of the flank that attacks
    target: int  # Index of the flank that is attacked
    killed: int  # Number of men killed


@dataclass(frozen=True, slots=True)
class Chapter:
    """A decisive moment of a battle."""

    hour: int  # Hours since the battle began
    name: str  # What it is, without saying who gained by it: `First blow`
    text: str  # What happened, in a sentence


@dataclass(frozen=True, eq=False, slots=True)
class Recording:
    """A battle of `n` flanks from before its first hour to its end, silent hours too: `f` frames, hour 0 first."""

    actors: tuple[Actor, ...]  # The flanks
    x: NDArray[np.float32]  # Pixels from the map's left edge as in `Mark`, shape (f, n)
    y: NDArray[np.float32]  # Pixels from the map's top edge, shape (f, n)
    men: NDArray[np.int32]  # Men present, shape (f, n)
    ships: NDArray[np.int32]  # Ships afloat, -1 for a flank on land, shape (f, n)
    morale: NDArray[np.float32]  # Share of the morale at the start, shape (f, n)
    status: NDArray[np.int8]  # Index into `statuses`, shape (f, n)
    target: NDArray[np.int16]  # Index of the nearest enemy flank at the decision of the hour, -1 for none, shape (f, n)
    blows: tuple[tuple[Blow, ...], ...]  # The attacks of each frame
    statuses: tuple[str, ...]  # The names of the statuses
    # Kinds of events that happen in most hours, so that nobody looks for the next one.
    routine: frozenset[str] = frozenset()
    # Kinds of events on the luck that was drawn once for the whole battle, for few readers.
    folded: frozenset[str] = frozenset()
    # The decisive moments from hour 0 to the end; the first says who attacks whom, the last who has won.
    chapters: tuple[Chapter, ...] = ()


@dataclass(frozen=True, slots=True)
class Chances:
    """The chances of a battle."""

    battles: int  # The number of battles that each is counted over
    line: tuple[HourlyChance, ...]  # The chances, the first before the first hour, the last when it was decided


@dataclass(frozen=True, slots=True)
class HourlyChance:
    """The attacker's chance to win as it was at one hour of a battle, over battles that go on from there."""

    hour: int  # Hours since the battle began
    odds: Odds  # The share of battles that the attacker won
    shift: Shift | None  # The change since the chance before, over the same luck; None for the first
