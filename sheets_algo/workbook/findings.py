"""Findings about a workbook: one line each, with the remedy."""

from __future__ import annotations

import os
import shlex
import stat
from dataclasses import dataclass
from enum import Enum
from pathlib import Path


class State(Enum):
    """Severity of a finding; a warning does not prevent rulings."""

    OK = "ok"
    WARN = "warn"
    FAIL = "FAIL"


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of one check."""

    state: State  # The severity
    about: str  # The subject, in a word or two
    text: str  # One or two sentences: the finding and the remedy

    def __str__(self) -> str:
        """Return the finding as one line."""
        return f"{self.state.value:<5} {self.about:<12} {self.text}"


def ok(about: str, text: str) -> Finding:
    """Return a finding that all is well."""
    return Finding(State.OK, about, text)


def warn(about: str, text: str) -> Finding:
    """Return a finding that a person should read, or a check that could not run."""
    return Finding(State.WARN, about, text)


def fail(about: str, text: str) -> Finding:
    """Return a finding that prevents rulings until it is fixed."""
    return Finding(State.FAIL, about, text)


def permission_problem(file: Path, danger: str) -> str:
    """Return a clause that others can read a file, with the danger and the command that fixes it; blank if not."""
    mode = stat.S_IMODE(file.stat().st_mode)
    if os.name != "posix" or not mode & 0o077:
        return ""
    return (
        f"{file} can be read or changed by others (mode {mode:04o}), {danger}: run chmod 600 {shlex.quote(str(file))}"
    )
