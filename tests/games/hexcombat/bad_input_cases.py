"""Mistakes in the tabs of `hexcombat`, and the line a moderator then sees, beside those of `mistakes.txt`."""

# ruff: noqa: E501 - what is shown stands here as it is shown

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scripts.support.bad_input import Arrange, Case, spoiled
from scripts.support.moderator import Rows


def in_turn_4(*requests: Mapping[str, Any]) -> Arrange:
    """A game of hex combats in its fourth turn, with these requests."""

    def change(rows: Rows) -> None:
        rows["Combat Requests"] = [{"Request": f"H-{id}", "Ready": True, **row} for id, row in enumerate(requests, 1)]
        for side in rows["Hex Sides"]:
            side["Turn"] = 4

    return spoiled(change, "hexcombat")


CASES: tuple[Case, ...] = (
    Case(
        "Combat Requests",
        "A combat of a turn that is over",
        "'Combat Requests'!C2 (H-1, Turn): the order is for turn 3, which is over. Enter the current turn to have it ruled now, or clear Ready. [REQ-10]",
        in_turn_4({"Turn": 3, "Attacker": "5th Armoured", "Defender": "44th Rifles"}),
    ),
    Case(
        "Combat Requests",
        "A second new turn in one run",
        "'Combat Requests'!C3 (H-2, Turn): warning: another row ends turn 4. Enter 5, or clear Ready. [REQ-10]",
        in_turn_4({"Kind": "New turn"}, {"Kind": "New turn"}),
        code=0,
    ),
    Case(
        "Combat Requests",
        "A new turn with an attacker",
        "'Combat Requests'!E2 (H-1, Attacker): a New turn does not use it. Empty the cell, or choose another Kind. [HX-OP-49]",
        in_turn_4({"Kind": "New turn", "Attacker": "5th Armoured"}),
    ),
)
