"""Phases of a state's secular cycle and of its generations, and the age of a person (DATE, LEAD-08)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.declare import entry, record
from engine.shapes import Number, Text


@record
class Phase:
    """One phase of the secular cycle."""

    name: str = entry(Text(), "Its name.")
    first: int = entry(Number(0, whole=True), "Years at which it begins.", "from")
    end: int | None = entry(
        Number(1, whole=True, null=True), "Years at which the next one begins; null for the last.", "to"
    )
    rank: int = entry(Number(1, whole=True), "1 is best; the numbers must keep to it.")
    stability: float = entry(Number(0, 1), "What it stands for in Innate Stability.", "Innate Stability")
    disease: float = entry(Number(above=0), "Its part in the resistance to disease (DATE-05).", "Disease")


@record
class Generation(Phase):
    """One phase of the generations."""

    economy: float = entry(Number(0, 1), "What it stands for in Economy.", "Economy")


def phase_of(phases: Sequence[Phase], year: int, since: int) -> Phase:
    """Return the phase in `year`, counted from the founding or crisis in `since` (DATE-02, DATE-03).

    Phases are half-open: the year in which one ends belongs to the next (DATE-04, R-09).

    Raises:
        ValueError: `since` is after `year`, which the checks of workbooks exclude.
    """
    years = year - since
    for phase in phases:
        if phase.first <= years and (phase.end is None or years < phase.end):
            return phase
    raise ValueError(f"No phase in {year} for what began in {since}: it must not begin later (DATE-04).")


def resistance(generation: Phase, secular_cycle: Phase, least: float, most: float) -> float:
    """Return the resistance to disease: Generation · Secular cycle, from `least` to `most` (DATE-05, R-42)."""
    return min(max(generation.disease * secular_cycle.disease, least), most)


def age(year: int, birth_year: int | None, assumed: int) -> int:
    """Return the age in whole years, `assumed` if the birth year is None or after `year` (LEAD-08)."""
    return assumed if birth_year is None or birth_year > year else year - birth_year
