"""Years: the phases of a state and its people, and the age of a person (DATE, LEAD-08)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase of the secular cycle or of the generations.

    Args:
        name: `growth`, `awakening` ...
        first: Years since the founding or the crisis at which it begins.
        end: Years at which it is over; None for the last phase.
        rank: 1 is best.
        disease: Its part in the resistance to disease (DATE-05).
    """

    name: str
    first: int
    end: int | None
    rank: int
    disease: float


def phase_of(phases: Sequence[Phase], year: int, since: int) -> Phase:
    """The phase in `year` when it all began in `since` (DATE-02, DATE-03).

    Phases are half-open: the year in which one ends belongs to the next (DATE-04, R-09).

    Raises:
        ValueError: It began after `year`; a workbook says so at the cell before it comes to this.
    """
    years = year - since
    for phase in phases:
        if phase.first <= years and (phase.end is None or years < phase.end):
            return phase
    raise ValueError(f"No phase in {year} for what began in {since}: it must not begin later (DATE-04).")


def resistance(generation: Phase, secular_cycle: Phase, least: float, most: float) -> float:
    """Generation · Secular cycle, which outbreaks are divided by, kept from `least` to `most` (DATE-05, R-42)."""
    return min(max(generation.disease * secular_cycle.disease, least), most)


def age(year: int, birth_year: int | None, assumed: int) -> int:
    """Age in whole years; `assumed` when the birth year is missing or after `year` (LEAD-08)."""
    return assumed if birth_year is None or birth_year > year else year - birth_year
