"""Limits on the strategy of a side, and the check of its flanks (STRAT-06, STRAT-07)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.receipt import counted

Place = tuple[float, float]
"""x to the right and y down, in pixels."""


NAMED = 5
"""Maximum number of flanks named in a warning."""


@dataclass(frozen=True, slots=True)
class FlankPlan:
    """One flank before the battle."""

    label: str  # The flank's name
    x: float  # Pixels from the left edge; whole numbers are the centres of pixels
    y: float  # Pixels from the top edge, likewise
    counts: tuple[int, int, int]  # Men in the infantry, cavalry and artillery slot
    crew: int  # Men of the ships' crews in a military without land types (STRAT-04), otherwise 0
    ships: int  # Number of ships
    maneuver: str  # Name of the maneuver (STRAT-11)
    army: int = 0  # Place of its army on its side, 0 the leader's

    @property
    def infantry(self) -> int:
        """Return the men in the infantry slot."""
        return self.counts[0]

    @property
    def cavalry(self) -> int:
        """Return the men in the cavalry slot."""
        return self.counts[1]

    @property
    def artillery(self) -> int:
        """Return the men in the artillery slot."""
        return self.counts[2]

    @property
    def men(self) -> int:
        """Return the flank's size (STRAT-04); a flank of size 0 is Inactive (STRAT-05)."""
        return self.counts[0] + self.counts[1] + self.counts[2] + self.crew


@dataclass(frozen=True, slots=True)
class Total:
    """Limits on the sums of a side's flanks."""

    id: str  # Id of the rule
    kind: str  # Name in the message: `Inf`
    column: str  # The function that returns the addend of each flank
    expected: int  # The sum
    tolerance: int  # The tolerance


@dataclass(frozen=True, slots=True)
class Limit:
    """Limits on each flank."""

    id: str  # Id of the rule
    header: str  # Header of the wrong cell
    column: str  # The flank's number
    allowed: str  # The allowed values, in words
    low: float = 0  # Least number
    high: float | None = None  # Greatest number; None for none
    on_water: bool = False  # True if a flank with ships must stand on Water instead
    free: str = ""  # Maneuver of flanks exempt from the limits


@dataclass(frozen=True, slots=True)
class Ambush:
    """The places where a flank in ambush may start: in cover, away from the enemy, in any half (R-118)."""

    maneuver: str  # Name of the order
    apart: float  # Least pixels to an enemy flank that has men
    place: str  # The allowed places, in words with the nearest one in braces
    nowhere: str  # The same on a map without such a place
    id: str = "R-118"
    header: str = "Y"
    column: str = "y"


@dataclass(frozen=True, slots=True)
class StrategyRules:
    """Limits on the strategy of one side."""

    men: int  # The men who take part (STRAT-06)
    crew: int  # The men of crews, divided over the ships; 0 in a military with land types (STRAT-04)
    flanks_most: int
    flanks_allowed: str  # The same in words
    more_hit_harder: bool  # True where a side's hits increase with its flanks, without R-85
    totals: tuple[Total, ...]  # The totals to check (STRAT-07)
    size: Total  # The total to check if all others are right
    limits: tuple[Limit, ...]  # The limits of each flank, in the order of the checks
    ambush: Ambush | None = None  # None where a flank may start anywhere
    allied: int = 0  # Flanks of the other armies of the side


@dataclass(frozen=True, slots=True)
class StrategyProblem:
    """One error in a strategy, which prevents the battle."""

    id: str  # Id of the violated rule
    # `Size`, `Inf`, `Cav`, `Art` or `Navy` for a total; the column's header for a cell; `Flanks` for the number of
    # flanks.
    kind: str
    excess: str  # `too many` or `too few` for a total, otherwise blank
    value: float  # The wrong total, coordinate or count
    allowed: str  # The allowed values, a number for a total, otherwise words
    flank: int | None = None  # Number of the flank on its side, from 0; None for the whole side


@dataclass(frozen=True, slots=True)
class StrategyMessage:
    """The result of the check of one side's strategy."""

    text: str  # `Good (7000/7000)`, or messages like `Invalid Cav (2400/2450)`, joined by semicolons
    flanks: int  # Number of flanks
    # Errors in the strategy, which prevent the battle (STRAT-07); empty if it is valid.
    problems: tuple[StrategyProblem, ...]
    warnings: tuple[str, ...]  # Warnings in sentences, which do not prevent the battle


def judge(
    rules: StrategyRules,
    flanks: Sequence[FlankPlan],
    enemies: int,
    is_water: Callable[[float, float], bool],
    cover: Callable[[Place], Place | None],
) -> StrategyMessage:
    """Check one side's strategy and return all its problems and warnings (STRAT-06, STRAT-07, STRAT-12, R-34, R-118).

    Args:
        is_water: Returns True for a place on Water.
        cover: Returns the cover nearest to a place, the place itself if it is cover.
    """
    totals = [problem for total in rules.totals for problem in _wrong_total(total, flanks)]
    totals = totals or _wrong_total(rules.size, flanks)
    good = f"Good ({sum(flank.men for flank in flanks)}/{rules.men})"
    invalid = [f"Invalid {wrong.kind} ({wrong.value:.0f}/{wrong.allowed})" for wrong in totals]
    cells = [*_too_many(rules, flanks)]
    for number, flank in enumerate(flanks):
        cells += [problem for limit in rules.limits if not limit.on_water for problem in _outside(limit, flank, number)]
        cells += _in_the_open(rules.ambush, flank, number, cover)
    for limit in rules.limits:
        if limit.on_water:  # a problem with a cell is reported at the cell, the text is about totals only
            cells += [
                StrategyProblem(limit.id, limit.header, "", getattr(flank, limit.column), limit.allowed, number)
                for number, flank in enumerate(flanks)
                if flank.ships > 0 and not is_water(flank.x, flank.y)
            ]
    return StrategyMessage(
        "; ".join(invalid) or good, len(flanks), (*totals, *cells), tuple(_warnings(rules, flanks, enemies))
    )


def _wrong_total(total: Total, flanks: Sequence[FlankPlan]) -> list[StrategyProblem]:
    value = sum(getattr(flank, total.column) for flank in flanks)
    if abs(value - total.expected) <= total.tolerance:
        return []
    excess = "too many" if value > total.expected else "too few"
    return [StrategyProblem(total.id, total.kind, excess, value, str(total.expected))]


def _too_many(rules: StrategyRules, flanks: Sequence[FlankPlan]) -> list[StrategyProblem]:
    number = len(flanks) + rules.allied
    if number <= rules.flanks_most:
        return []
    last = min(rules.flanks_most, len(flanks) - 1)
    return [StrategyProblem("STRAT-01", "Flanks", "", number, rules.flanks_allowed, last)]


def _in_the_open(
    ambush: Ambush | None, flank: FlankPlan, number: int, cover: Callable[[Place], Place | None]
) -> list[StrategyProblem]:
    """Return the problem of a flank in ambush without cover, or too near to an enemy (R-118)."""
    if ambush is None or flank.maneuver != ambush.maneuver:
        return []
    nearest = cover((flank.x, flank.y))
    if nearest == (flank.x, flank.y):
        return []
    allowed = ambush.place.format(x=f"{nearest[0]:g}", y=f"{nearest[1]:g}") if nearest else ambush.nowhere
    return [StrategyProblem(ambush.id, ambush.header, "", flank.y, allowed, number)]


def _outside(limit: Limit, flank: FlankPlan, number: int) -> list[StrategyProblem]:
    value = getattr(flank, limit.column)
    if limit.free and flank.maneuver == limit.free:
        return []
    if limit.low <= value and (limit.high is None or value <= limit.high):
        return []
    return [StrategyProblem(limit.id, limit.header, "", value, limit.allowed, number)]


def _warnings(rules: StrategyRules, flanks: Sequence[FlankPlan], enemies: int) -> list[str]:
    """Return the warnings about many flanks (R-34) and flanks that will not fight."""
    warnings = []
    if len(flanks) != enemies and rules.more_hit_harder:
        numbers = f"{counted(len(flanks), 'flank')} against {enemies}"
        warnings.append(f"{numbers}: the side with more hits harder with the same men. [R-34]")
    empty = [flank for flank in flanks if flank.men == 0]
    if names := [f"{flank.label} (ships: {flank.ships})" if flank.ships else flank.label for flank in empty]:
        warnings.append(f"Flanks without men, which are Inactive: {_listed(names)}. [STRAT-05]")
    return warnings


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
