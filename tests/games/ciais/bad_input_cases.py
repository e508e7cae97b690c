"""Mistakes in the tabs of `ciais`, and the line a moderator then sees, beside those of `mistakes.txt`."""

# ruff: noqa: E501 - what is shown stands here as it is shown

from __future__ import annotations

from scripts.support.bad_input import Case, spoiled
from scripts.support.moderator import Rows


def two_attacks(rows: Rows) -> None:
    """Anna's army, whose cooldown is 1, wins a battle and begins another one in the same round."""
    battle = {"Player": "Anna", "Order": "Battle", "Attacker unit": "1st Army", "Ready": True}
    rows["CiAIS Requests"] = [
        battle | {"Request": "C-1", "Defender unit": "Lagos Guard", "Roll": 1},
        battle | {"Request": "C-2", "Defender unit": "Gulf Squadron"},
    ]


CASES: tuple[Case, ...] = (
    Case(
        "CiAIS Requests",
        "An attack before the cooldown is over",
        "'CiAIS Requests'!E3 (C-2, Attacker unit): warning: 1st Army attacked in round 3 and waits until round 5. [CI-OP-26]",
        spoiled(two_attacks, "ciais"),
        code=0,
    ),
)
