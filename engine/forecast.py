"""What many battles of one war tell: odds with their error, quantiles, shares, and what a change makes of them.

Nothing is drawn here. Equal battles give equal figures to the last bit, in whatever chunks they were fought: sums are
exact (`math.fsum`), quantiles are numbers that occurred.
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
It = TypeVar("It")

ATTACKER, DEFENDER, NOBODY = 0, 1, -1
"""Codes of `Replicates.winner`."""
PERCENTS = (5, 25, 50, 75, 95)
"""Of the quantiles."""
Z = 1.959963984540054
"""Standard deviations within which 95 % of a normal distribution lie."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of every battle.

    Args:
        values: Shape (n,); NaN where a battle has no such number (no contact, no hour of contact).
        unit: `men`, `hours` ...
    """

    values: Real
    unit: str


@dataclass(frozen=True, slots=True)
class Kinds:
    """A word of every battle.

    Args:
        codes: Which of the names, shape (n,); -1 for none.
        names: In the order in which a table shows them.
    """

    codes: Whole
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Replicates:
    """What became of many battles of one war; the n-th of a seed is always the same battle.

    Args:
        winner: 0 the attacker, 1 the defender, -1 nobody, shape (n,); None where the rules know no winner.
        numbers: Name to measure: `Attacker killed`.
        words: Name to kinds: `Occupation`. Without a winner there is at least one number or word.
        headlines: The numbers that a short answer tells.
    """

    winner: Whole | None
    numbers: Mapping[str, Measure]
    words: Mapping[str, Kinds]
    headlines: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(next(self._columns()))

    def first(self, count: int) -> Replicates:
        """The first so many."""
        return self._picked(slice(count))

    def where(self, chosen: Which) -> Replicates:
        """Those that are chosen, shape (n,)."""
        return self._picked(chosen)

    def _picked(self, index: slice | Which) -> Replicates:
        return Replicates(
            None if self.winner is None else self.winner[index],
            {name: Measure(it.values[index], it.unit) for name, it in self.numbers.items()},
            {name: Kinds(it.codes[index], it.names) for name, it in self.words.items()},
            self.headlines,
        )

    def _columns(self) -> Iterator[Whole | Real]:
        if self.winner is not None:
            yield self.winner
        yield from (it.values for it in self.numbers.values())
        yield from (it.codes for it in self.words.values())


def joined(parts: Sequence[Replicates]) -> Replicates:
    """Parts that follow one another as one; at least one of them."""
    first = parts[0]
    winners = [part.winner for part in parts if part.winner is not None]
    return Replicates(
        np.concatenate(winners) if winners else None,
        {
            name: Measure(np.concatenate([part.numbers[name].values for part in parts]), it.unit)
            for name, it in first.numbers.items()
        },
        {
            name: Kinds(np.concatenate([part.words[name].codes for part in parts]), it.names)
            for name, it in first.words.items()
        },
        first.headlines,
    )


@dataclass(frozen=True, slots=True)
class Odds:
    """A share of battles, and the Wilson interval that holds the true share in 95 cases of 100.

    Args:
        share: 0 to 1.
        low: Of the interval.
        high: Of the interval.
    """

    share: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the interval's width."""
        return (self.high - self.low) / 2


def odds(count: int, runs: int) -> Odds:
    """The odds of what happened in `count` of `runs` battles (Wilson 1927).

    Raises:
        ValueError: No battles.
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
    """How a number is distributed.

    Args:
        unit: Of the number.
        battles: That have such a number.
        mean: NaN when none has.
        quantiles: At 5, 25, 50, 75 and 95 %: numbers that occurred; empty when none did.
    """

    unit: str
    battles: int
    mean: float
    quantiles: tuple[float, ...]


def spread(it: Measure) -> Spread:
    """How a measure is distributed."""
    known = np.sort(it.values[~np.isnan(it.values)])
    count = len(known)
    if count == 0:
        return Spread(it.unit, 0, math.nan, ())
    # The least number that at least so many per cent of the battles do not exceed; whole numbers only, no rounding.
    quantiles = tuple(float(known[max(0, -(-count * percent // 100) - 1)]) for percent in PERCENTS)
    return Spread(it.unit, count, math.fsum(known.tolist()) / count, quantiles)


@dataclass(frozen=True, slots=True)
class Winners(Generic[It]):
    """The same of each who may win.

    Args:
        attacker: That the attacker wins.
        defender: That the defender wins.
        undecided: That nobody does.
    """

    attacker: It
    defender: It
    undecided: It

    @property
    def each(self) -> tuple[It, It, It]:
        """In this order."""
        return self.attacker, self.defender, self.undecided


@dataclass(frozen=True, slots=True)
class Forecast:
    """What many battles tell.

    Args:
        runs: How many.
        winners: Odds; None where the rules know no winner.
        numbers: Name to distribution.
        words: Name to the odds of each word that occurred, in the table's order.
    """

    runs: int
    winners: Winners[Odds] | None
    numbers: Mapping[str, Spread]
    words: Mapping[str, Mapping[str, Odds]]

    @property
    def error(self) -> float:
        """Of the least certain of the three odds, 0 to 1; without a winner, of the least certain share there can be."""
        if self.winners is None:
            return error_at_most(self.runs)
        return max(it.error for it in self.winners.each)


def error_at_most(runs: int) -> float:
    """Of any share of so many battles: none is less certain than a half."""
    return odds(runs // 2, runs).error


def summed_up(it: Replicates) -> Forecast:
    """The forecast that battles give; at least one of them."""
    runs = len(it)
    return Forecast(
        runs,
        None if it.winner is None else Winners(*(odds(count, runs) for count in wins(it.winner))),
        {name: spread(measure) for name, measure in it.numbers.items()},
        {name: _shares(kinds, runs) for name, kinds in it.words.items()},
    )


def wins(winner: Whole) -> tuple[int, int, int]:
    """Battles won by the attacker, by the defender, by nobody."""
    attacker, defender = (int(np.count_nonzero(winner == side)) for side in (ATTACKER, DEFENDER))
    return attacker, defender, len(winner) - attacker - defender


def favourite(winner: Whole) -> int:
    """Who wins most often; of equals the defender, then the attacker."""
    attacker, defender, nobody = wins(winner)
    return max((defender, 2, DEFENDER), (attacker, 1, ATTACKER), (nobody, 0, NOBODY))[2]


def _shares(it: Kinds, runs: int) -> Mapping[str, Odds]:
    counts = [int(np.count_nonzero(it.codes == code)) for code in range(len(it.names))]
    return {name: odds(count, runs) for name, count in zip(it.names, counts, strict=True) if count}


@dataclass(frozen=True, slots=True)
class Shift:
    """How much more, or less, a share or a mean is after a change.

    Args:
        change: After minus before.
        error: Half the interval that holds the true change in 95 cases of 100.
    """

    change: float
    error: float

    @property
    def is_sure(self) -> bool:
        """Whether it is more than chance may have made of none."""
        return abs(self.change) > self.error


@dataclass(frozen=True, slots=True)
class Difference:
    """What a change of the inputs makes, under common luck.

    Args:
        runs: Pairs of battles, each pair with the same draws.
        winners: Shifts of the odds, 0 to 1; None where the rules know no winner.
        numbers: Name to shift of its mean, over the pairs in which both battles have such a number.
    """

    runs: int
    winners: Winners[Shift] | None
    numbers: Mapping[str, Shift]


def difference(before: Replicates, after: Replicates) -> Difference:
    """What the battles `after` a change differ in from those `before` it, pair by pair.

    Raises:
        ValueError: They are not equally many, or none.
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
    """Of paired yes or no; its error is that of Bonett and Price (2012), which is never 0, not even of equal pairs."""
    pairs = len(before)
    gained, lost = int(np.count_nonzero(after & ~before)), int(np.count_nonzero(before & ~after))
    up, down = (gained + 1) / (pairs + 2), (lost + 1) / (pairs + 2)
    error = Z * math.sqrt((up + down - (up - down) * (up - down)) / (pairs + 2))
    return Shift((gained - lost) / pairs, error)


def shift_of_mean(before: Real, after: Real) -> Shift:
    """Of paired numbers; NaN when fewer than two pairs have both."""
    both = ~(np.isnan(before) | np.isnan(after))
    changes: list[float] = (after[both] - before[both]).tolist()
    pairs = len(changes)
    if pairs < 2:
        return Shift(math.nan, math.nan)
    mean = math.fsum(changes) / pairs
    variance = math.fsum((it - mean) * (it - mean) for it in changes) / (pairs - 1)
    return Shift(mean, Z * math.sqrt(variance / pairs))


def percentile(values: Real, value: float) -> float:
    """Per cent of the battles with a lower number, equal ones counted half; NaN when none has such a number."""
    known = values[~np.isnan(values)]
    if len(known) == 0:
        return math.nan
    below, equal = int(np.count_nonzero(known < value)), int(np.count_nonzero(known == value))
    return 100 * (below + equal / 2) / len(known)
