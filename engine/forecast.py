"""Statistics of many battles of one war: odds with their error, quantiles, shares, and the effect of a change.

Nothing is drawn here. Equal battles give equal figures to the last bit, however they were split into chunks: sums are
exact (`math.fsum`) and quantiles are numbers that occurred.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Real = NDArray[np.float64]
Whole = NDArray[np.int64]
Which = NDArray[np.bool_]
HEADLINES_MOST = 3
"""Maximum number of headlines of rules that name none."""
T = TypeVar("T")

ATTACKER, DEFENDER, NOBODY = 0, 1, -1
"""Codes of `Replicates.winner`."""
PERCENTS = (5, 25, 50, 75, 95)
"""The percentages of the quantiles."""
Z = 1.959963984540054
"""The number of standard deviations around 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One number of every battle."""

    values: Real  # The numbers, shape (n,); NaN where a battle has no such number (no contact, no hour of contact)
    unit: str  # The unit: `men`, `hours` ...


@dataclass(frozen=True, slots=True)
class Kinds:
    """One word of every battle."""

    codes: Whole  # Indices into the names, shape (n,); -1 for none
    names: tuple[str, ...]  # The words in the order in which a table shows them


@dataclass(frozen=True, slots=True)
class Replicates:
    """Results of many battles of one war; the n-th battle of a seed is always the same."""

    # 0 for the attacker, 1 for the defender, -1 for nobody, shape (n,); None where the rules know no winner.
    winner: Whole | None
    numbers: Mapping[str, Measure]  # Measures by name: `Attacker killed`
    words: Mapping[str, Kinds]  # Kinds by name: `Occupation`. Without a winner there is at least one number or word.
    headlines: tuple[str, ...] = ()  # The names of the numbers for a short answer

    @property
    def headline_names(self) -> Sequence[str]:
        """Return the names of a headline's numbers; the first few if the rules name none and know no winner."""
        return self.headlines or (() if self.winner is not None else tuple(self.numbers)[:HEADLINES_MOST])

    def __len__(self) -> int:
        return len(next(self._columns()))

    def first(self, count: int) -> Replicates:
        """Return the first `count` battles as replicates."""
        return self.where(slice(count))

    def where(self, index: slice | Which) -> Replicates:
        """Return the battles selected by a slice, or by a boolean array of shape (n,)."""
        return Replicates(
            None if self.winner is None else self.winner[index],
            {name: Measure(measure.values[index], measure.unit) for name, measure in self.numbers.items()},
            {name: Kinds(kinds.codes[index], kinds.names) for name, kinds in self.words.items()},
            self.headlines,
        )

    def _columns(self) -> Iterator[Whole | Real]:
        if self.winner is not None:
            yield self.winner
        yield from (measure.values for measure in self.numbers.values())
        yield from (kinds.codes for kinds in self.words.values())


def rounded(values: Real, decimals: int) -> Real:
    """Return each number as `round` does, to the nearest decimal fraction of the number that it is exactly."""
    scaled = values * 10.0**decimals
    results: Real = np.rint(scaled) / 10.0**decimals
    for place in np.flatnonzero(np.abs(np.abs(scaled - np.trunc(scaled)) - 0.5) < 1e-6):  # which side is not certain
        results[place] = round(float(values[place]), decimals)
    return results


def joined(parts: Sequence[Replicates]) -> Replicates:
    """Return consecutive parts as one; at least one part is required."""
    first = parts[0]
    winners = [part.winner for part in parts if part.winner is not None]
    return Replicates(
        np.concatenate(winners) if winners else None,
        {
            name: Measure(np.concatenate([part.numbers[name].values for part in parts]), measure.unit)
            for name, measure in first.numbers.items()
        },
        {
            name: Kinds(np.concatenate([part.words[name].codes for part in parts]), kinds.names)
            for name, kinds in first.words.items()
        },
        first.headlines,
    )


@dataclass(frozen=True, slots=True)
class Odds:
    """A share of battles with the Wilson interval that holds the true share in 95 cases of 100."""

    share: float  # The share, 0 to 1
    low: float  # The interval's lower bound
    high: float  # The interval's upper bound

    @property
    def error(self) -> float:
        """Return the distance to the farther bound, so that share ± error holds all of the interval."""
        return max(self.high - self.share, self.share - self.low)


def odds(count: int, runs: int) -> Odds:
    """Return the odds of an event that occurred in `count` of `runs` battles (Wilson 1927).

    Raises:
        ValueError: `runs` is less than 1.
    """
    if runs < 1:
        raise ValueError("no battles, no odds")
    share = count / runs
    spread = 1 + Z * Z / runs
    middle = (share + Z * Z / (2 * runs)) / spread
    half = Z * math.sqrt(share * (1 - share) / runs + Z * Z / (4 * runs * runs)) / spread
    low = 0.0 if count == 0 else middle - half
    high = 1.0 if count == runs else middle + half
    return Odds(share, low, high)


@dataclass(frozen=True, slots=True)
class Spread:
    """The distribution of a number."""

    unit: str  # The number's unit
    battles: int  # The count of battles that have such a number
    mean: float  # The mean; NaN when no battle has the number
    # The values at 5, 25, 50, 75 and 95 %, all numbers that occurred; empty when no battle has the number.
    quantiles: tuple[float, ...]


def spread(measure: Measure) -> Spread:
    """Return the distribution of a measure."""
    known = np.sort(measure.values[~np.isnan(measure.values)])
    count = len(known)
    if count == 0:
        return Spread(measure.unit, 0, math.nan, ())
    # The smallest value that at least `percent` % of the battles do not exceed, in integer arithmetic without rounding.
    quantiles = tuple(float(known[max(0, -(-count * percent // 100) - 1)]) for percent in PERCENTS)
    return Spread(measure.unit, count, math.fsum(known.tolist()) / count, quantiles)


@dataclass(frozen=True, slots=True)
class Winners(Generic[T]):
    """One value for each possible winner."""

    attacker: T  # The value for the attacker
    defender: T  # The value for the defender
    undecided: T  # The value for battles without a winner

    @property
    def each(self) -> tuple[T, T, T]:
        """Return the values for attacker, defender and undecided."""
        return self.attacker, self.defender, self.undecided


@dataclass(frozen=True, slots=True)
class Forecast:
    """Statistics of many battles."""

    runs: int  # The number of battles
    winners: Winners[Odds] | None  # The odds of each winner; None where the rules know no winner
    numbers: Mapping[str, Spread]  # Distributions by name
    words: Mapping[str, Mapping[str, Odds]]  # The odds of each word that occurred, in the table's order, by name

    @property
    def error(self) -> float:
        """Return the greatest error of the winners' odds, 0 to 1; without a winner, that of any share."""
        if self.winners is None:
            return error_at_most(self.runs)
        return max(share.error for share in self.winners.each)


def error_at_most(runs: int) -> float:
    """Return the error at odds of one half over `runs` battles, an upper bound for nearly all shares."""
    return odds(runs // 2, runs).error


def summed_up(replicates: Replicates) -> Forecast:
    """Return the forecast of at least one battle."""
    runs = len(replicates)
    return Forecast(
        runs,
        None if replicates.winner is None else Winners(*(odds(count, runs) for count in wins(replicates.winner))),
        {name: spread(measure) for name, measure in replicates.numbers.items()},
        {name: _shares(kinds, runs) for name, kinds in replicates.words.items()},
    )


def wins(winner: Whole) -> tuple[int, int, int]:
    """Return the number of wins of the attacker, of the defender and of neither."""
    attacker, defender = (int(np.count_nonzero(winner == side)) for side in (ATTACKER, DEFENDER))
    return attacker, defender, len(winner) - attacker - defender


def favourite(winner: Whole) -> int:
    """Return the code of the most frequent winner; a tie goes to the defender first, then to the attacker."""
    attacker, defender, nobody = wins(winner)
    return max((defender, 2, DEFENDER), (attacker, 1, ATTACKER), (nobody, 0, NOBODY))[2]


def typical(battles: Replicates) -> int:
    """Return the number of the most typical battle: won by the favourite, near the medians, with common words.

    Its distance is that of its headline numbers from their medians, by rank, and how rare its words are.
    """
    winner = battles.winner
    kept = np.arange(len(battles)) if winner is None else np.flatnonzero(winner == favourite(winner))
    distance = np.zeros(len(kept))
    for name in battles.headline_names:
        ranks = np.argsort(np.argsort(battles.numbers[name].values[kept], kind="stable"), kind="stable")
        distance += np.abs(ranks - (len(kept) - 1) // 2) / len(kept)
    for kinds in battles.words.values():
        codes = kinds.codes[kept]
        distance += 1 - np.count_nonzero(codes[:, None] == codes, axis=1) / len(kept)
    return int(kept[np.argmin(distance)])


def extremes(battles: Replicates) -> tuple[int, ...]:
    """Return the numbers of the battles in which a headline number is greatest, or one of two words is rare.

    The typical battle says least about these.
    """
    usual = typical(battles)
    numbers = [battles.numbers[name].values for name in battles.headline_names]
    extreme = [int(np.argmax(np.where(np.isnan(values), -math.inf, values))) for values in numbers]
    for kinds in battles.words.values():
        if len(kinds.names) == 2 and not any(kinds.codes[number] != kinds.codes[usual] for number in extreme):
            extreme += np.flatnonzero(kinds.codes != kinds.codes[usual])[:1].tolist()
    return tuple(dict.fromkeys(number for number in extreme if number != usual))


def _shares(kinds: Kinds, runs: int) -> Mapping[str, Odds]:
    counts = [int(np.count_nonzero(kinds.codes == code)) for code in range(len(kinds.names))]
    return {name: odds(count, runs) for name, count in zip(kinds.names, counts, strict=True) if count}


@dataclass(frozen=True, slots=True)
class Shift:
    """The change of a share or a mean."""

    change: float  # The value after the change minus the value before
    error: float  # Half the width of the interval that holds the true change in 95 cases of 100

    @property
    def is_sure(self) -> bool:
        """Return True if the change is greater than its error."""
        return abs(self.change) > self.error


@dataclass(frozen=True, slots=True)
class Difference:
    """The effect of a change of the inputs, under common random numbers."""

    runs: int  # The number of pairs of battles; both battles of a pair have the same draws
    winners: Winners[Shift] | None  # Shifts of the odds, 0 to 1; None where the rules know no winner
    numbers: Mapping[str, Shift]  # Shift of the mean by name, over the pairs in which both battles have such a number


def difference(before: Replicates, after: Replicates) -> Difference:
    """Compare the battles before and after a change, pair by pair.

    Raises:
        ValueError: The numbers of battles differ or are 0.
    """
    if len(before) != len(after) or len(before) == 0:
        raise ValueError(f"{len(before)} and {len(after)} battles make no pairs")
    shared = [name for name in before.numbers if name in after.numbers]
    return Difference(
        len(before),
        _shifted(before.winner, after.winner),
        {name: shift_of_mean(before.numbers[name].values, after.numbers[name].values) for name in shared},
    )


def _shifted(before: Whole | None, after: Whole | None) -> Winners[Shift] | None:
    if before is None or after is None:
        return None
    return Winners(*(shift_of_share(before == side, after == side) for side in (ATTACKER, DEFENDER, NOBODY)))


def shift_of_share(before: Which, after: Which) -> Shift:
    """Return the shift of a share over paired booleans.

    The error is that of Bonett and Price (2012), which is never 0, not even for equal pairs.
    """
    pairs = len(before)
    gained, lost = int(np.count_nonzero(after & ~before)), int(np.count_nonzero(before & ~after))
    up, down = (gained + 1) / (pairs + 2), (lost + 1) / (pairs + 2)
    error = Z * math.sqrt((up + down - (up - down) * (up - down)) / (pairs + 2))
    return Shift((gained - lost) / pairs, error)


def shift_of_mean(before: Real, after: Real) -> Shift:
    """Return the shift of a mean over paired numbers; NaN when fewer than two pairs have both."""
    has_both = ~(np.isnan(before) | np.isnan(after))
    changes: list[float] = (after[has_both] - before[has_both]).tolist()
    pairs = len(changes)
    if pairs < 2:
        return Shift(math.nan, math.nan)
    mean = math.fsum(changes) / pairs
    variance = math.fsum((change - mean) * (change - mean) for change in changes) / (pairs - 1)
    return Shift(mean, Z * math.sqrt(variance / pairs))


def percentile(values: Real, value: float) -> float:
    """Return the percentage of battles with a lower number, equal ones counted half; NaN if none has the number."""
    known = values[~np.isnan(values)]
    if len(known) == 0:
        return math.nan
    below, equal = int(np.count_nonzero(known < value)), int(np.count_nonzero(known == value))
    return 100 * (below + equal / 2) / len(known)
