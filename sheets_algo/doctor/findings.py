"""What a doctor finds: a line each, good or bad, with the way to mend it."""

from __future__ import annotations

import os
import shlex
import stat
from dataclasses import dataclass
from enum import Enum
from pathlib import Path


class State(Enum):
    """How bad it is: nothing fails with a warning."""

    OK = "ok"
    WARN = "warn"
    FAIL = "FAIL"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Args:
        state: How it is.
        about: What, in a word or two.
        text: One or two sentences: what was found, and what to do about it.
    """

    state: State
    about: str
    text: str

    def __str__(self) -> str:
        """One line."""
        return f"{self.state.value:<5} {self.about:<12} {self.text}"


def ok(about: str, text: str) -> Finding:
    """As it should be."""
    return Finding(State.OK, about, text)


def warn(about: str, text: str) -> Finding:
    """Works, but a person should know; or could not be seen."""
    return Finding(State.WARN, about, text)


def fail(about: str, text: str) -> Finding:
    """Nothing can be ruled until somebody mends it."""
    return Finding(State.FAIL, about, text)


def unguarded(file: Path, danger: str) -> str:
    """That others can read a file, why they must not, and the command that mends it; blank if they cannot."""
    mode = stat.S_IMODE(file.stat().st_mode)
    if os.name != "posix" or not mode & 0o077:
        return ""
    return (
        f"{file} can be read or changed by others (mode {mode:04o}), {danger}: run chmod 600 {shlex.quote(str(file))}"
    )
