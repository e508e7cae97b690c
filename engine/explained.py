"""A weighted average, product or sum with its terms, for the log and `explain` (VAR-05)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from engine.calculation import LONG, WHOLE, Calculation, written


@dataclass(frozen=True, slots=True)
class Term:
    """One contribution to a number."""

    input: str  # The input's name in the rules: `Training/10`, `Fortifications`, `Military Type–Religion`
    found: str  # The input's value: `Curtain Walls`, `7`, `Professional, Christianity`
    value: float  # The number of the input, after clamping (VAR-04)
    weight: float = 1.0  # The weight in the average; 1 in a product


@dataclass(frozen=True, slots=True)
class Explanation:
    """A number with its name and its terms."""

    name: str  # The name in the rules: `Efficiency, infantry`
    id: str  # The rule id: `VAR-EFF`
    value: float  # The result
    terms: tuple[Term, ...] = ()  # The contributions, in the rules' order
    how: str = "average"  # The way they are combined: `average` (weighted), `product` or `sum`
    # A leader's contribution (LEAD-B2 ...), added, or multiplied in a product; None without a leader.
    bonus: Term | None = None
    note: str = ""  # A remark, e.g. why the number is zero

    def data(self) -> Mapping[str, object]:
        """Return the number as data: name, rule id, result, and terms."""
        return asdict(self)

    def line(self) -> str:
        """Return one line: `Defense, infantry 0.435 = (Trenches 0.5 ×3 + training 0.5 ×2) / 5 + leader 0.07 [VAR-DEF]`.

        A number without terms, e.g. one that was drawn, is followed only by its note.
        """
        formula = f" = {self._formula()}" if self.terms or self.bonus else ""
        note = f" ({self.note})" if self.note else ""
        return f"{self.name} {number(self.value)}{formula} [{self.id}]{note}"

    def _formula(self) -> str:
        if self.how == "average":
            weights = sum(term.weight for term in self.terms)
            summands = " + ".join(f"{label(term)} {number(term.value)} ×{number(term.weight)}" for term in self.terms)
            text = f"({summands}) / {number(weights)}"
        else:
            sign = " × " if self.how == "product" else " + "
            text = sign.join(f"{label(term)} {number(term.value)}" for term in self.terms)
        if self.bonus is None:
            return text
        sign = " × " if self.how == "product" else " + "
        return f"{text}{sign}{label(self.bonus)} {number(self.bonus.value)}"


Explained = Explanation | Calculation
"""A number with its derivation: its terms, or the keys by which it is computed."""


def label(term: Term) -> str:
    """Return `Fortifications "Curtain Walls"`, or only the input's name when its value is blank."""
    return f'{term.input} "{term.found}"' if term.found else term.input


def number(value: float) -> str:
    """Return the number with four significant figures, or all of a longer whole one, as receipts write it."""
    return written(value, WHOLE if abs(value) >= LONG else ",.4g")
