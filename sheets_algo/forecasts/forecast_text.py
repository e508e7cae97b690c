"""Formatting of forecasts as lines for people and as data for programs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from engine.forecast import PERCENTS, Difference, Forecast, Odds, Shift, Spread
from engine.forecast import odds as odds_of
from engine.receipt import counted
from sheets_algo.database.problems import amount
from sheets_algo.ruling.forecast.forecast_rows import odds_line, points

NAME_WIDTH, CELL_WIDTH = 36, 9
SIDES = ("attacker", "defender", "undecided")
"""Keys of the possible winners in JSON output."""


def forecast_lines(forecast: Forecast) -> Iterator[str]:
    """Yield lines with odds, distributions and shares, except for numbers that were 0 in every battle."""
    for name, odds in outcomes(forecast):
        yield f"  {name:<{NAME_WIDTH}}{points(odds.share):>{CELL_WIDTH}}   {100 * odds.low:.1f} to {points(odds.high)}"
    if forecast.numbers or forecast.words:
        yield f"  {'':<{NAME_WIDTH}}" + "".join(f"{f'{percent} %':>{CELL_WIDTH}}" for percent in PERCENTS)
    for name, spread in forecast.numbers.items():
        if spread.mean or any(spread.quantiles):
            cells = "".join(f"{amount(value):>{CELL_WIDTH}}" for value in spread.quantiles)
            yield f"  {_name_with_unit(name, spread):<{NAME_WIDTH}}{cells}{_battles_share(spread, forecast.runs)}"
    for name, shares in forecast.words.items():
        text = ", ".join(f"{word} {points(odds.share)}" for word, odds in shares.items())
        yield f"  {name:<{NAME_WIDTH}} {text}"


def outcomes(forecast: Forecast) -> Iterator[tuple[str, Odds]]:
    """Yield the odds of each winner by name, of a draw only if one occurred; none if the rules have no winner."""
    if forecast.winners is None:
        return
    yield "Attacker wins", forecast.winners.attacker
    yield "Defender wins", forecast.winners.defender
    if forecast.winners.undecided.share:
        yield "Nobody wins", forecast.winners.undecided


def _name_with_unit(name: str, spread: Spread) -> str:
    return f"{name} ({spread.unit})" if spread.unit not in ("", "men") and spread.unit not in name.casefold() else name


def _battles_share(spread: Spread, runs: int) -> str:
    return "" if spread.battles == runs else f"   in {points(spread.battles / runs)} of battles"


def difference_lines(difference: Difference) -> Iterator[str]:
    """Yield lines with the differences of odds and means."""
    if difference.winners is not None:
        yield f"  {'Attacker wins':<{NAME_WIDTH}}{shifted_points(difference.winners.attacker)}"
        yield f"  {'Defender wins':<{NAME_WIDTH}}{shifted_points(difference.winners.defender)}"
    for name, shift in difference.numbers.items():
        if not math.isnan(shift.change) and (shift.change or shift.error):
            yield f"  {name + ', mean':<{NAME_WIDTH}}{amount_of(shift)}"


def shifted_points(shift: Shift) -> str:
    """Return a difference of shares in points: `+12.4 ± 2.1 points`."""
    return f"{100 * shift.change:+.1f} ± {100 * shift.error:.1f} points"


def amount_of(shift: Shift) -> str:
    """Return a difference of amounts: `-310 ± 40`."""
    sign = "+" if shift.change >= 0 else "-"
    return f"{sign}{amount(abs(shift.change))} ± {amount(shift.error)}"


def forecast_data(forecast: Forecast) -> dict[str, Any]:
    """Return a forecast for `--json`, with shares from 0 to 1 and no odds if the rules have no winner."""
    sides = forecast.winners.each if forecast.winners else ()
    return {
        "runs": forecast.runs,
        "error": forecast.error,
        "odds": {name: asdict(odds) for name, odds in zip(SIDES, sides, strict=True)} if sides else None,
        "numbers": {name: _spread_data(spread) for name, spread in forecast.numbers.items()},
        "words": {
            name: {word: asdict(item) for word, item in shares.items()} for name, shares in forecast.words.items()
        },
    }


def _spread_data(spread: Spread) -> dict[str, Any]:
    quantiles = dict(zip(map(str, PERCENTS), spread.quantiles, strict=False))
    return {
        "unit": spread.unit,
        "battles": spread.battles,
        "mean": None if math.isnan(spread.mean) else spread.mean,
        "quantiles": quantiles,
    }


def difference_data(difference: Difference) -> dict[str, Any]:
    """Return a difference for `--json`, with shares from 0 to 1 and means in their units."""
    sides = difference.winners.each if difference.winners else ()
    return {
        "runs": difference.runs,
        "odds": {side: asdict(shift) for side, shift in zip(SIDES, sides, strict=True)} if sides else None,
        "means": {name: asdict(shift) for name, shift in difference.numbers.items() if not math.isnan(shift.change)},
    }


def odds_so_far(won: Sequence[int]) -> str:
    """Return the odds of some battles: `attacker wins 60 %, defender wins 40 % (± 13 points, 60 battles)`."""
    battles = sum(won)
    shares = [odds_of(count, battles) for count in won]
    percents = [100 * share.share for share in shares]
    error = 100 * max(share.error for share in shares)
    line = odds_line(dict(zip(("attacker_wins", "defender_wins", "undecided"), percents, strict=True)))
    return f"{line} (± {counted(error, 'point')}, {counted(battles, 'battle')})"
