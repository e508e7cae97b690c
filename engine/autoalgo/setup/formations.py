"""Formations: the places of several flanks in one row of a strategy (STRAT-13).

The strategy board places flanks in the same formations; a test compares both for every number of flanks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from engine.elementary import sine

GAP = 10.0
"""Pixels from one flank to the next, as between the default flanks (STRAT-01)."""

Place = tuple[float, float]
"""Of an offset: to the east and toward the enemy; of a place: X and Y. Both are in pixels."""


def _row(count: int, ahead: float = 0.0) -> list[Place]:
    return [(place - (count - 1) / 2, ahead) for place in range(count)]


def _outward(place: int, count: int) -> float:
    """Return the distance of a place in a row from its middle, 0 to 1."""
    return abs(place - (count - 1) / 2) / ((count - 1) / 2) if count > 1 else 0.0


def _bent(count: int, bend: Callable[[int], float]) -> list[Place]:
    return [(x, bend(place)) for place, (x, _) in enumerate(_row(count))]


def _wedge(count: int) -> list[Place]:
    return _bent(count, lambda place: -_outward(place, count) * count / 4)


def _crescent(count: int) -> list[Place]:
    return _bent(count, lambda place: _outward(place, count) * _outward(place, count) * count / 5)


def _refused_flank(count: int) -> list[Place]:
    return _bent(count, lambda place: -max(0.0, place - count / 2) / 2)


def _two_lines(count: int) -> list[Place]:
    return [*_row(math.ceil(count / 2)), *_row(count // 2, -1.0)]


def _two_lines_and_a_reserve(count: int) -> list[Place]:
    reserve = max(1, math.floor(count / 6 + 0.5)) if count > 3 else 0
    return [*_two_lines(count - reserve), *_row(reserve, -2.0)]


def _reserve(count: int) -> list[Place]:
    behind = max(1, math.floor(count / 4 + 0.5)) if count > 1 else 0
    return [*_row(count - behind), *_row(behind, -1.0)]


def _ring(count: int) -> list[Place]:
    radius = 1 / (2 * sine(1 / (2 * count))) if count > 1 else 0.0
    return [(radius * sine(place / count), radius * sine(place / count + 0.25)) for place in range(count)]


_SHAPES: dict[str, tuple[str, Callable[[int], list[Place]]]] = {
    "line": ("Beside each other.", _row),
    "column": ("Behind each other.", lambda count: [(0.0, x) for x, _ in _row(count)]),
    "wedge": ("The middle ahead, each flank farther out a little behind.", _wedge),
    "crescent": ("The wings ahead, round the enemy.", _crescent),
    "refused flank": ("A line whose eastern half bends back.", _refused_flank),
    "two lines": ("Half in the first line, half behind it.", _two_lines),
    "two lines and a reserve": ("Two lines, and a sixth behind both.", _two_lines_and_a_reserve),
    "ring": ("All round a place.", _ring),
    "reserve": ("A line, and a quarter behind it.", _reserve),
}
FORMATIONS = {name: meaning for name, (meaning, _) in _SHAPES.items()}
"""The meaning of each formation, by its name."""


def formation_places(
    name: str, count: int, middle: Place, *, ahead: int, last: int, rows: tuple[float, float]
) -> list[Place]:
    """Return the places of the flanks of a formation, to a tenth of a pixel (STRAT-13).

    A formation wider than its room is compressed, and one across the room's edge is moved.

    Args:
        name: One of `FORMATIONS`.
        count: Number of flanks, at least 1.
        middle: X and Y of the formation's middle.
        ahead: 1 if the enemy is farther down on the map, -1 if farther up.
        last: The greatest X on the map.
        rows: The least and the greatest Y where its side may start (R-116).
    """
    offsets = _SHAPES[name][1](count)
    ends = (0.0, float(last)), rows
    extents = [max(along) - min(along) for along in zip(*offsets, strict=True)]
    room = min(GAP, *((high - low) / extent for (low, high), extent in zip(ends, extents, strict=True) if extent), GAP)
    places = [(middle[0] + aside * room, middle[1] + ahead * forward * room) for aside, forward in offsets]
    shifts = [_shift(along, *end) for along, end in zip(zip(*places, strict=True), ends, strict=True)]
    return [(_within(x + shifts[0], *ends[0]), _within(y + shifts[1], *ends[1])) for x, y in places]


def _shift(along: Sequence[float], low: float, high: float) -> float:
    return max(0.0, low - min(along)) - max(0.0, max(along) - high)


def line_places(count: int, first: Place, end: Place) -> list[Place]:
    """Return places at equal distances from one place to another, to a tenth of a pixel; one flank is in the middle."""
    shares = [place / (count - 1) for place in range(count)] if count > 1 else [0.5]
    (x, y), (end_x, end_y) = first, end
    return [(_tenth(x + share * (end_x - x)), _tenth(y + share * (end_y - y))) for share in shares]


def _within(value: float, low: float, high: float) -> float:
    return min(max(_tenth(value), low), high)


def _tenth(value: float) -> float:
    """Round to a tenth, a twentieth up, also if rounding errors put it just below."""
    return math.floor(10 * value + 0.5 + 1e-6) / 10
