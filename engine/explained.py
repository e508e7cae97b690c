"""A number and the terms it was made of (VAR-05): log and `explain` print this record, nothing computes it twice."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """One contribution to a number.

    Args:
        input: What went in, as the rules name it: `Training/10`, `Fortifications`, `Military Type–Religion`.
        found: The value the input had: `Curtain Walls`, `7`, `Professional, Christianity`.
        value: The number that stands for it, after clamping (VAR-04).
        weight: Its weight in the average; 1 in a product.
    """

    input: str
    found: str
    value: float
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Explained:
    """A number, what it is called, how it was made.

    Args:
        name: As the rules spell it: `Efficiency, infantry`.
        id: The rule id: `VAR-EFF`.
        value: The number the rules go on with.
        terms: Its contributions, in the rules' order.
        how: `average` (weighted), `product` or `sum`.
        bonus: What a leader added (LEAD-B2 ...) or, in a product, multiplied with; None without a leader's part.
        note: Anything else a reader needs, e.g. why it is zero.
    """

    name: str
    id: str
    value: float
    terms: tuple[Term, ...] = ()
    how: str = "average"
    bonus: Term | None = None
    note: str = ""

    def line(self) -> str:
        """One line: `Defense, infantry 0.435 = (Trenches 0.5 ×3 + training 0.5 ×2) / 5 + leader 0.07 [VAR-DEF]`.

        A number that was not made of others, one that was drawn say, has its note alone.
        """
        made = f" = {self._formula()}" if self.terms or self.bonus else ""
        note = f" ({self.note})" if self.note else ""
        return f"{self.name} {number(self.value)}{made} [{self.id}]{note}"

    def _formula(self) -> str:
        if self.how == "average":
            weights = sum(term.weight for term in self.terms)
            inner = " + ".join(f"{label(term)} {number(term.value)} ×{number(term.weight)}" for term in self.terms)
            text = f"({inner}) / {number(weights)}"
        else:
            sign = " × " if self.how == "product" else " + "
            text = sign.join(f"{label(term)} {number(term.value)}" for term in self.terms)
        if self.bonus is None:
            return text
        sign = " × " if self.how == "product" else " + "
        return f"{text}{sign}{label(self.bonus)} {number(self.bonus.value)}"


def label(term: Term) -> str:
    """`Fortifications "Curtain Walls"`, or only the input's name when nothing readable was found."""
    return f'{term.input} "{term.found}"' if term.found else term.input


def number(value: float) -> str:
    """Four significant figures, without trailing zeros or exponents a person would stumble over."""
    if value == 0:
        return "0"
    if abs(value) >= 10_000:
        return f"{value:,.0f}"
    return f"{value:.4g}"
