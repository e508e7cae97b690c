"""Forecasts told: lines for people, data for programs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine.forecast import PERCENTS, Difference, Forecast, Odds, Replicates, Shift, Spread

NAME_WIDTH, CELL_WIDTH = 36, 9
HEADLINES_MOST = 3
SIDES = ("attacker", "defender", "undecided")
"""As programs are told who may win."""


def points(share: float, digits: int = 1) -> str:
    """A share in per cent: `62.4 %`."""
    return f"{100 * share:.{digits}f} %"


def amount(value: float) -> str:
    """A number of a table: `1,234`, `8.5`, `1.36`."""
    if value == round(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:,.1f}" if abs(value) >= 10 else f"{value:.2f}".rstrip("0").rstrip(".")


def forecast_lines(found: Forecast) -> Iterator[str]:
    """Odds, distributions and shares; a number that was 0 in every battle is left out."""
    for name, odds in outcomes(found):
        yield f"  {name:<{NAME_WIDTH}}{points(odds.share):>{CELL_WIDTH}}   {_interval(odds)}"
    yield f"  {'':<{NAME_WIDTH}}" + "".join(f"{f'{percent} %':>{CELL_WIDTH}}" for percent in PERCENTS)
    for name, it in found.numbers.items():
        if it.mean or any(it.quantiles):
            cells = "".join(f"{amount(value):>{CELL_WIDTH}}" for value in it.quantiles)
            yield f"  {_named(name, it):<{NAME_WIDTH}}{cells}{_how_many(it, found.runs)}"
    for name, shares in found.words.items():
        said = ", ".join(f"{word} {points(odds.share)}" for word, odds in shares.items())
        yield f"  {name:<{NAME_WIDTH}} {said}"


def outcomes(found: Forecast) -> Iterator[tuple[str, Odds]]:
    """Who may win, by name; nobody only where that happened, and no name where the rules know no winner."""
    if found.winners is None:
        return
    yield "Attacker wins", found.winners.attacker
    yield "Defender wins", found.winners.defender
    if found.winners.undecided.share:
        yield "Nobody wins", found.winners.undecided


def headline(found: Forecast, battles: Replicates) -> str:
    """A short answer from the figures alone: `Treasury 1,200 (800 to 1,450); Revolt none 80 %`."""
    its = ((name, found.numbers[name].quantiles) for name in headlines_of(battles))
    numbers = [f"{name} {amount(it[2])} ({amount(it[0])} to {amount(it[-1])})" for name, it in its if it]
    likely = [(name, max(shares.items(), key=lambda it: it[1].share)) for name, shares in found.words.items() if shares]
    words = [f"{name} {word} {points(odds.share, 0)}" for name, (word, odds) in likely]
    return "; ".join((*numbers, *words))


def headlines_of(battles: Replicates) -> Sequence[str]:
    """The numbers of a short answer; the first few where the ruleset names none and knows no winner."""
    return battles.headlines or (() if battles.winner is not None else tuple(battles.numbers)[:HEADLINES_MOST])


def _interval(it: Odds) -> str:
    return f"{100 * it.low:.1f} to {points(it.high)}"


def _named(name: str, it: Spread) -> str:
    return f"{name} ({it.unit})" if it.unit not in ("", "men") and it.unit not in name.casefold() else name


def _how_many(it: Spread, runs: int) -> str:
    return "" if it.battles == runs else f"   in {points(it.battles / runs)} of battles"


def difference_lines(found: Difference) -> Iterator[str]:
    """What a change makes of the odds and of the means."""
    if found.winners is not None:
        yield f"  {'Attacker wins':<{NAME_WIDTH}}{shifted_points(found.winners.attacker)}"
        yield f"  {'Defender wins':<{NAME_WIDTH}}{shifted_points(found.winners.defender)}"
    for name, it in found.numbers.items():
        if not math.isnan(it.change) and (it.change or it.error):
            yield f"  {name + ', mean':<{NAME_WIDTH}}{amount_of(it)}"


def shifted_points(it: Shift) -> str:
    """`+12.4 ± 2.1 points`."""
    return f"{100 * it.change:+.1f} ± {100 * it.error:.1f} points"


def amount_of(it: Shift) -> str:
    """`-310 ± 40`."""
    sign = "+" if it.change >= 0 else "-"
    return f"{sign}{amount(abs(it.change))} ± {amount(it.error)}"


def forecast_data(found: Forecast) -> dict[str, Any]:
    """A forecast for `--json`: shares from 0 to 1; no odds where the rules know no winner."""
    sides = found.winners.each if found.winners else ()
    return {
        "runs": found.runs,
        "error": found.error,
        "odds": {name: odds_data(it) for name, it in zip(SIDES, sides, strict=True)} if sides else None,
        "numbers": {name: _spread_data(it) for name, it in found.numbers.items()},
        "words": {name: {word: odds_data(it) for word, it in shares.items()} for name, shares in found.words.items()},
    }


def odds_data(it: Odds) -> dict[str, float]:
    """A share with its interval."""
    return {"share": it.share, "low": it.low, "high": it.high}


def _spread_data(it: Spread) -> dict[str, Any]:
    quantiles = dict(zip(map(str, PERCENTS), it.quantiles, strict=False))
    return {
        "unit": it.unit,
        "battles": it.battles,
        "mean": None if math.isnan(it.mean) else it.mean,
        "quantiles": quantiles,
    }


def difference_data(found: Difference) -> dict[str, Any]:
    """A difference for `--json`: shares from 0 to 1, means in their units."""
    sides = found.winners.each if found.winners else ()
    return {
        "runs": found.runs,
        "odds": _shifts(zip(SIDES, sides, strict=True)) if sides else None,
        "means": _shifts((name, it) for name, it in found.numbers.items() if not math.isnan(it.change)),
    }


def _shifts(shifts: Iterable[tuple[str, Shift]]) -> Mapping[str, dict[str, float]]:
    return {name: {"change": it.change, "error": it.error} for name, it in shifts}
