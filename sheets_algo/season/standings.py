"""Standings of a season: wins and losses of each nation, and the part of luck in them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.receipt import without_markup
from sheets_algo.forms.base import COMPARISON_BATTLES
from sheets_algo.season.records import NationRecord, RulingRecord

SIDES = ("Attacker", "Defender")


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRecord:
    """A nation's wars of a season under one ruleset."""

    nation: str  # The name of the nation
    ruleset: str  # The ruleset of the wars
    wars: int  # Wars that were ruled and not undone
    won: int  # Wars that it won
    as_attacker: int  # Wars that it began
    as_defender: int  # Wars in which it was attacked
    men_lost: int | None  # Its losses in men; None if the ruleset counts none
    men_inflicted: int | None  # Men that its enemies lost, likewise
    stability_then: float | None  # Its Stability before the first change of the season; None if nothing changed it
    stability_now: float | None  # Its Stability after the last one, likewise
    # The sum of result (1 or 0) minus win chance over the wars whose log has a chance; None if no log does. Above 0
    # it had luck.
    wins_above_expectation: float | None
    error: float | None  # The standard error of that sum under pure luck


@dataclass(frozen=True, slots=True)
class _Part:
    """A nation's part in one war."""

    is_attacker: bool
    is_won: bool
    lost: int | None
    inflicted: int | None
    chance: float | None


def standings(rulings: Iterable[RulingRecord], nations: Iterable[NationRecord]) -> Iterator[StandingRecord]:
    """Yield the standing of each nation: by ruleset, most wins first, then fewest wars, then by name."""
    parts: dict[tuple[str, str], list[_Part]] = {}
    for ruling in rulings:
        if ruling.is_undone:
            continue
        lost = (ruling.attacker_lost, ruling.defender_lost)
        sided = [(side, nation) for side in (0, 1) for nation in ruling.nations[side]]
        for side, nation in sided:
            is_won = ruling.winner == SIDES[side]
            chance = ruling.win_chance if ruling.winner else None
            part = _Part(
                is_attacker=side == 0,
                is_won=is_won,
                lost=ruling.lost_by.get(nation, lost[side]),
                inflicted=lost[1 - side],
                chance=chance if is_won or chance is None else 1 - chance,
            )
            parts.setdefault((ruling.ruleset, nation), []).append(part)
    history = list(nations)
    records = [_standing(nation, ruleset, wars, history) for (ruleset, nation), wars in parts.items()]
    yield from sorted(records, key=lambda row: (row.ruleset, -row.won, row.wars, row.nation))


def _standing(nation: str, ruleset: str, wars: Sequence[_Part], history: Sequence[NationRecord]) -> StandingRecord:
    stability = [record for record in history if (record.ruleset, record.nation) == (ruleset, nation)]
    chances = [(war.is_won, war.chance) for war in wars if war.chance is not None]
    return StandingRecord(
        nation=nation,
        ruleset=ruleset,
        wars=len(wars),
        won=sum(war.is_won for war in wars),
        as_attacker=sum(war.is_attacker for war in wars),
        as_defender=sum(not war.is_attacker for war in wars),
        men_lost=_total(war.lost for war in wars),
        men_inflicted=_total(war.inflicted for war in wars),
        stability_then=stability[0].before if stability else None,
        stability_now=stability[-1].after if stability else None,
        # A sum just below 0 is not shown as -0.00.
        wins_above_expectation=round(sum(won - chance for won, chance in chances), 2) + 0.0 if chances else None,
        error=round(math.sqrt(sum(_variance(chance) for _, chance in chances)), 2) if chances else None,
    )


def _variance(chance: float) -> float:
    """Return the variance of a win; a result that never occurred in a hundred battles still has a chance (Laplace)."""
    least = 1 / (COMPARISON_BATTLES + 2)
    share = min(max(chance, least), 1 - least)
    return share * (1 - share)


def _total(numbers: Iterable[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None


COLUMNS: dict[str, Callable[[StandingRecord], str]] = {
    "Nation": lambda row: row.nation,
    "Wars": lambda row: str(row.wars),
    "Won": lambda row: str(row.won),
    "As attacker": lambda row: str(row.as_attacker),
    "As defender": lambda row: str(row.as_defender),
    "Men lost": lambda row: _count(row.men_lost),
    "Men inflicted": lambda row: _count(row.men_inflicted),
    "Stability": lambda row: _change(row.stability_then, row.stability_now),
    "Wins above expectation": lambda row: _luck(row.wins_above_expectation, row.error),
}
"""Columns of a table of standings, and the text of their cells."""


def wikitable(rows: Sequence[StandingRecord]) -> list[str]:
    """Return the lines of a sortable wikitable."""
    lines = ['{| class="wikitable sortable"', "! " + " !! ".join(COLUMNS)]
    for row in rows:
        lines += ["|-", "| " + " || ".join(without_markup(text(row)) for text in COLUMNS.values())]
    return [*lines, "|}"]


def text_table(rows: Sequence[StandingRecord]) -> list[str]:
    """Return the lines of a table for a terminal, names to the left and numbers to the right."""
    cells = [list(COLUMNS), *([text(row) for text in COLUMNS.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(cell.rjust(width) if place else cell.ljust(width) for place, (cell, width) in enumerate(line))
        for line in (list(zip(texts, widths, strict=True)) for texts in cells)
    ]


def _count(number: int | None) -> str:
    return "" if number is None else f"{number:,}"


def _change(before: float | None, after: float | None) -> str:
    return "" if before is None or after is None else f"{before:g} → {after:g}"


def _luck(sum_of_luck: float | None, error: float | None) -> str:
    return "" if sum_of_luck is None else f"{sum_of_luck:+.2f} ± {error:.2f}"
