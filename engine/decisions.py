"""Decisions of a moderator about draws and results of one ruling, as a ruleset reads them (OVR-11, OVR-12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

DecidedValue = str | bool | int | float
"""The value of a decided result."""


@dataclass(frozen=True, slots=True)
class DecidableResult:
    """A result that a moderator may decide."""

    names: tuple[str, ...]  # Its spellings, the first one being the name that the ruleset uses
    # The allowed words, each spelling with the word that the ruleset uses; empty for a number.
    words: Mapping[str, str] = field(default_factory=dict)
    low: float = 0.0  # The lowest number allowed
    high: float = 0.0  # The highest number allowed
    is_whole: bool = False  # True for whole numbers only
    unit: str = ""  # The unit of numbers, as that of a `Field`


@dataclass(frozen=True, slots=True)
class DecidedDraw:
    """A draw that a moderator set."""

    what: str  # Its name as typed: `hour 7, Normandy right flank, attack`
    value: float  # Its value in [0, 1)
    says: str = ""  # Who decided it and why, for the log


@dataclass(frozen=True, slots=True)
class RulingDecisions:
    """All decisions about one ruling that its ruleset carries out."""

    draws: tuple[DecidedDraw, ...] = ()  # The draws that are set, each once
    # The results that are decided, by the first of their names.
    results: Mapping[str, DecidedValue] = field(default_factory=dict)


UNDECIDED = RulingDecisions()
"""No decisions."""


class WrongDecision(ValueError):
    """Raised for a decision that cannot be carried out.

    Args:
        what: The name of the draw or result: as typed for a draw, the first of its names for a result.
        says: What was found, without the full stop.
        allowed: The hint, where it is not a list.
        is_value: True if the value is wrong, and not the name.
    """

    def __init__(
        self, what: str, says: str, choices: Sequence[str] = (), allowed: str = "", *, is_value: bool = False
    ) -> None:
        self.what, self.says, self.choices = what, says, tuple(choices)
        self.allowed, self.is_value = allowed, is_value
        super().__init__(f"{what}: {says}")
