"""One cell: its content, its format, and its note and rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from localsheets.proto import whole

MAX_CHARACTERS = 50_000
PLAIN: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Fault:
    """An error of a formula.

    Attributes:
        kind: Google's name of the error, "DIVIDE_BY_ZERO".
        message: The text of its tooltip.
    """

    kind: str
    message: str = ""

    @property
    def text(self) -> str:
        """Return the error as the cell shows it."""
        return SIGNS.get(self.kind, "#ERROR!")


SIGNS = {
    "ERROR": "#ERROR!",
    "NULL_VALUE": "#NULL!",
    "DIVIDE_BY_ZERO": "#DIV/0!",
    "VALUE": "#VALUE!",
    "REF": "#REF!",
    "NAME": "#NAME?",
    "NUM": "#NUM!",
    "N_A": "#N/A",
}

Scalar = bool | int | float | str | Fault | None


@dataclass(frozen=True, slots=True)
class Cell:
    """The content of one cell. Cells are never changed, only replaced, so that copies of a tab may share them.

    Attributes:
        value: The entered value; None for nothing and for a formula.
        formula: The formula with its `=`, or None.
        format: The CellFormat that a person gave it.
        note: The note.
        validation: The DataValidationRule.
        runs: Formats of parts of a text.
    """

    value: Scalar = None
    formula: str | None = None
    format: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    validation: Mapping[str, Any] | None = None
    runs: tuple[Mapping[str, Any], ...] = ()

    @property
    def is_empty(self) -> bool:
        """Return True if nothing was entered; the cell may still have a format or a note."""
        return self.value is None and self.formula is None

    @property
    def is_bare(self) -> bool:
        """Return True if the cell has neither content nor format nor anything else."""
        return self.is_empty and not self.format and not self.note and self.validation is None and not self.runs

    @property
    def pattern(self) -> Mapping[str, Any]:
        """Return its NumberFormat, empty for the automatic one."""
        found: Mapping[str, Any] = self.format.get("numberFormat") or PLAIN
        return found

    def entered(self) -> dict[str, Any] | None:
        """Return its userEnteredValue."""
        if self.formula is not None:
            return {"formulaValue": self.formula}
        return extended(self.value)

    def holding(self, value: Scalar = None, formula: str | None = None) -> Cell:
        """Return the cell with another content."""
        return replace(self, value=whole(value), formula=formula, runs=())

    def formatted(self, number_format: Mapping[str, Any] | None) -> Cell:
        """Return the cell with another number format; None keeps the old one."""
        if number_format is None:
            return self
        return replace(self, format={**self.format, "numberFormat": dict(number_format)})


EMPTY = Cell()


def extended(value: Scalar) -> dict[str, Any] | None:
    """Return a value as an ExtendedValue."""
    if value is None:
        return None
    if isinstance(value, Fault):
        return {"errorValue": {"type": value.kind, "message": value.message}}
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, str):
        return {"stringValue": value}
    return {"numberValue": whole(value)}


def content(found: Mapping[str, Any] | None) -> tuple[Scalar, str | None]:
    """Return value and formula of an ExtendedValue that someone wrote; an empty text is nothing."""
    if not found:
        return None, None
    if (formula := found.get("formulaValue")) is not None:
        return (None, formula) if formula.startswith("=") and len(formula) > 1 else (formula or None, None)
    for name in ("numberValue", "boolValue"):
        if name in found:
            return whole(found[name]), None
    return found.get("stringValue") or None, None
