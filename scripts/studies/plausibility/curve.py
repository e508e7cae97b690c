"""Equal-quality curve: identical armies that differ only in numbers and the defender's posture."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from plausibility.adapter import Numbers
from plausibility.cases import Army, Case
from plausibility.fights import Arena, Raw
from plausibility.metrics import CURVE

MIDDLE = 25_000
"""Geometric mean of both armies, so that each has 10,000 to 60,000 men."""
POSTURES = {"HD": "none", "PD": "Earthenworks", "FD": "Trenches"}
"""Mobile defences of the defender by posture."""

LINE = Army(
    name="Line",
    size=MIDDLE,
    types=("Line infantry (flintlock)", "Sabre cavalry", "Smoothbore field gun"),
    shares=(0.77, 0.18, 0.05),
    civilization="Industrial",
)
"""Average army of 1690 to 1850."""


def even(id: str, ratio: float = 1.0, *, middle: int = MIDDLE, **changes: object) -> Case:
    """Return a case of two average armies on rolling ground.

    Args:
        id: The id of the case.
        ratio: The ratio of attackers to defenders.
        middle: The geometric mean of both.
        **changes: Other fields of the case.
    """
    sizes = [round(middle * math.sqrt(share)) for share in (ratio, 1 / ratio)]
    case = Case(
        id=id,
        name=id,
        year=1800,
        terrain="Hill",
        attacker=replace(LINE, name="Red", size=sizes[0]),
        defender=replace(LINE, name="Blue", size=sizes[1]),
    )
    return replace(case, **changes)  # type: ignore[arg-type]  # the fields' own types


def curve_of(
    arena: Arena, raw: Raw, numbers: Numbers, runs: int, seed: int, postures: Sequence[str] = ("HD", "PD", "FD")
) -> Mapping[str, Mapping[float, float]]:
    """Return the attacker's chance by posture and ratio."""
    cases = [
        even(f"{posture} {ratio:.3f}", ratio, posture=posture, mobile_defences=POSTURES[posture])
        for posture in postures
        for ratio in CURVE
    ]
    odds = iter([prediction.p_attacker for prediction in arena.predict(raw, numbers, cases, runs, seed)])
    return {posture: {ratio: next(odds) for ratio in CURVE} for posture in postures}
