"""Serialisation of wars for other processes and machines, and their execution there."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

import engine
from engine.forecast import Replicates
from engine.ruleset import MachineCode, Ruleset
from sheets_algo.forecasts.machine_code import MANY, can_compile, compile_ruleset
from sheets_algo.forecasts.questions import ForecastWar


def _rules() -> str:
    home = Path(engine.__file__).parent
    sources = {path.relative_to(home).as_posix(): path.read_text(encoding="utf-8") for path in home.rglob("*.py")}
    return sha256(repr(sorted(sources.items())).encode()).hexdigest()[:16]


RULES = _rules()
"""Hash of the engine's sources (hexadecimal); versions with the same hash fight the same battles."""
KEPT_MOST = 8
"""Maximum number of rulesets that a process keeps unpickled."""

_kept: dict[tuple[bytes, bool, bool], tuple[Ruleset[Any], MachineCode, str]] = {}
_unpacking = Lock()


class RulesMismatch(Exception):
    """Raised when this process has another version of the rules than the sender."""


@dataclass(frozen=True, slots=True)
class Job:
    """One war with all that its battles need, numbers and map included; calling it fights some of them."""

    rules: str  # The sender's `RULES`
    ruleset: bytes  # The pickled ruleset, with the sender's tables
    inputs: bytes  # The pickled inputs
    seed: int  # The seed of the battles
    battles: int  # The maximum number of battles to be fought in all
    is_fast: bool  # True if the sender wants machine code

    def __call__(self, first: int, count: int) -> Replicates:
        """Fight `count` battles from number `first` on.

        Raises:
            RulesMismatch: The rules here are not the sender's.
        """
        ruleset, code, _ = self._load()
        return ruleset.series(pickle.loads(self.inputs), self.seed, code)(first, count)

    def get_ready(self) -> str:
        """Compile the ruleset; return why machine code was wanted but cannot be used, as a clause.

        Raises:
            RulesMismatch: The rules here are not the sender's.
        """
        return self._load()[2]

    def _load(self) -> tuple[Ruleset[Any], MachineCode, str]:
        """Return the ruleset and its machine code, made once per process, and why there is none if there should be."""
        if self.rules != RULES:
            raise RulesMismatch
        key = (self.ruleset, self.is_fast, self.battles >= MANY)
        with _unpacking:  # otherwise two threads would compile the same ruleset
            if key not in _kept:
                if len(_kept) == KEPT_MOST:
                    _kept.clear()
                ruleset: Ruleset[Any] = pickle.loads(self.ruleset)
                code, reason = MachineCode(), ""
                if self.is_fast and can_compile():
                    reason = compile_ruleset(ruleset, pickle.loads(self.inputs), self.battles, code)
                elif self.is_fast:
                    reason = "SHEETS_ALGO_FAST is 0 there"
                _kept[key] = ruleset, code, reason
            return _kept[key]


def pack_job(war: ForecastWar, battles: int) -> Job:
    """Return a war as a job that can be sent."""
    return Job(RULES, pickle.dumps(war.form.ruleset), pickle.dumps(war.inputs), war.seed, battles, can_compile())


def identity(job: Job) -> Job:
    """Return the job unchanged; called on a worker, it makes Dask keep the job there."""
    return job
