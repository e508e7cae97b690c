"""A war on its way to another process or machine, and what is done with it there."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

import engine
from engine.forecast import Replicates
from engine.outcome import Ruleset
from sheets_algo.forecasts.asked import Asked
from sheets_algo.forecasts.haste import MANY, hastened, is_wanted


def _rules() -> str:
    home = Path(engine.__file__).parent
    sources = {path.relative_to(home).as_posix(): path.read_text(encoding="utf-8") for path in home.rglob("*.py")}
    return sha256(repr(sorted(sources.items())).encode()).hexdigest()[:16]


RULES = _rules()
"""Differs between versions of the program whose battles might differ (hexadecimal)."""
KEPT_MOST = 8
"""Rulesets that a process keeps unpacked."""

_kept: dict[tuple[bytes, bool, bool], tuple[Ruleset[Any], str]] = {}
_unpacking = Lock()


class OtherRules(Exception):
    """The battles would be fought by another version of the rules."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """One war with all that its battles need, numbers and map included; called, it fights some.

    Args:
        rules: `RULES` of the sender.
        ruleset: Pickled, with the sender's tables.
        inputs: Pickled.
        seed: Of its battles.
        battles: How many are to be fought at most, in all.
        is_fast: Whether the sender wants machine code.
    """

    rules: str
    ruleset: bytes
    inputs: bytes
    seed: int
    battles: int
    is_fast: bool

    def __call__(self, first: int, count: int) -> Replicates:
        """Battles number `first` and so on.

        Raises:
            OtherRules: The rules here are not the sender's.
        """
        ruleset, _ = self._unpacked()
        return ruleset.replicates(pickle.loads(self.inputs), self.seed, first, count)

    def get_ready(self) -> str:
        """Compile what has to be; why Python fights its battles here although nobody asked for it, a clause.

        Raises:
            OtherRules: The rules here are not the sender's.
        """
        return self._unpacked()[1]

    def _unpacked(self) -> tuple[Ruleset[Any], str]:
        """The ruleset, unpacked and made fast once a process, and why it is not fast if it should be."""
        if self.rules != RULES:
            raise OtherRules
        key = (self.ruleset, self.is_fast, self.battles >= MANY)
        with _unpacking:  # or two threads would compile the same
            if key not in _kept:
                if len(_kept) == KEPT_MOST:
                    _kept.clear()
                ruleset: Ruleset[Any] = pickle.loads(self.ruleset)
                why_not = ""
                if self.is_fast and is_wanted():
                    why_not = hastened(ruleset, pickle.loads(self.inputs), self.battles)
                elif self.is_fast:
                    why_not = "SHEETS_ALGO_FAST is 0 there"
                _kept[key] = ruleset, why_not
            return _kept[key]


def packed(war: Asked, battles: int) -> Parcel:
    """A war, ready to be sent.

    Args:
        war: What shall be fought.
        battles: As in `Parcel`.
    """
    return Parcel(RULES, pickle.dumps(war.form.ruleset), pickle.dumps(war.inputs), war.seed, battles, is_wanted())


def held(parcel: Parcel) -> Parcel:
    """The parcel, to be kept where it is."""
    return parcel
