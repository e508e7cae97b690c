"""How often each strategy of a dishonest moderator turns the winner of a war, and how often nothing shows it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

from scripts.support.fairness.games import Other, begun, honest_results, target_of
from scripts.support.fairness.season import Season, outcome_of
from scripts.support.fairness.strategies import Deed, Strategy, honest

OTHER = {"Attacker": "Defender", "Defender": "Attacker"}


@dataclass
class Measured:
    """What a strategy came to.

    Args:
        wars: The wars that were played.
        flipped: The seasons of those that he turned.
        silent: The seasons of those that he turned and that nothing shows.
        traces: Where the others are shown.
    """

    wars: int = 0
    flipped: list[int] = field(default_factory=list)
    silent: list[int] = field(default_factory=list)
    traces: Counter[str] = field(default_factory=Counter)


def measure(strategy: Strategy, numbers: Iterable[int], *, enough: float = math.inf) -> Measured:
    """Play a strategy in seasons, each once honestly and once for the other winner.

    Args:
        strategy: The strategy.
        numbers: The numbers of the seasons.
        enough: The seasons after which no more are played once a war was turned.
    """
    found = Measured()
    for number in numbers:
        if found.flipped and found.wars >= enough:
            break
        season, want = _begun(strategy, number), _wanted(strategy, number)
        request = strategy.play(season, want)
        ruling = season.receipts.ruling_of(request)
        found.wars += 1
        if ruling is None or season.receipts.is_undone(ruling) or outcome_of(ruling) != want:
            continue
        traces = [*season.traces(ruling)]
        found.flipped.append(number)
        found.silent += [] if traces else [number]
        found.traces.update(traces)
    return found


def _wanted(strategy: Strategy, number: int) -> str:
    """Return the result that he wants, another one than the honest one."""
    if strategy.game:
        return Other(honest_results(strategy.game, number)[target_of(strategy.game, number)])
    return OTHER.get(_honest(number, strategy.number, strategy.wars, strategy.start), "Attacker")


@cache
def _honest(number: int, round: int, wars: int, start: Deed) -> str:
    """Return the winner of a season in which nobody does anything."""
    return honest(_started(number, wars, start), round)


def _begun(strategy: Strategy, number: int) -> Season:
    if strategy.game:
        return begun(strategy.game, number)
    return _started(number, strategy.wars, strategy.start)


def _started(number: int, wars: int, start: Deed) -> Season:
    season = Season.begun(number, wars)
    start(season)
    return season
