"""Orders of `stories.txt`: the order as it is typed, the rows of the game, and everything that becomes of them.

Rows that are not named are those of `games.py`: Anna and Bola, an army each, at a base each.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from engine.ciais.inputs import CiaisInputs, CiaisOrder
from engine.rng import Rng
from tests.games.ciais.engine.games import CIAIS, game, player, reading, site, unit, unit_type
from tests.helpers.order_pages import answered, chapters

PAGE = Path(__file__).with_name("stories.txt")
MADE: dict[str, Any] = {"players": player, "types": unit_type, "units": unit, "sites": site}


def value_of(example: Any, text: str) -> Any:
    text = text.replace("_", " ")
    if isinstance(example, bool):
        return text == "yes"
    try:
        return text if isinstance(example, str) else int(text)
    except ValueError:
        return float(text) if text.lstrip("-").replace(".", "", 1).isdigit() else None if text == "none" else text


def replaced(record: Any, cells: list[str]) -> Any:
    typed = dict(cell.split("=", 1) for cell in cells)
    return dataclasses.replace(record, **{name: value_of(getattr(record, name), text) for name, text in typed.items()})


def order_of(text: str) -> tuple[CiaisInputs, int]:
    """The inputs of a line, and its seed."""
    head, *groups = text.split("; ")
    kind, *cells = head.split()
    inputs, seed = game(replaced(CiaisOrder(kind=kind.replace("_", " ")), cells)), 1
    for group in groups:
        name, _, typed = group.partition(": ")
        if name == "seed":
            seed = int(typed)
        elif name == "settings":
            settings = tuple(reading(place, value_of(0, value)) for place, value in map(halves, typed.split()))
            inputs = dataclasses.replace(inputs, settings=tuple(one for part in settings for one in part))
        elif name in MADE:
            rows = [row.split() for row in typed.split(" & ") if row]
            made = tuple(replaced(MADE[name](named.replace("_", " ")), more) for named, *more in rows)
            inputs = dataclasses.replace(inputs, **{name: made})
        else:
            inputs = replaced(inputs, [f"{name}={typed}"])
    return inputs, seed


def halves(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value


def outcome(text: str) -> str:
    """The receipt, the cells that change, who has won, and the rules that had a say."""
    inputs, seed = order_of(text)
    ruled = CIAIS.resolve(inputs, Rng(seed))
    parts = [f"{block.heading}, {line.label}: {line.text}" for block in ruled.receipt.blocks for line in block.lines]
    parts += [f"{each.row}, {each.field} {each.before} → {each.after}" for each in ruled.updates]
    parts += [f"winner {ruled.winner or 'none'} {ruled.figures['Winner']}"]
    parts.append(" ".join(dict.fromkeys(event.id for event in ruled.events)))
    return " | ".join((ruled.summary, *parts))


@pytest.mark.parametrize("chapter", chapters(PAGE))
def test_each_order_of_the_page_ends_as_it_says(chapter: str) -> None:
    lines = chapters(PAGE)[chapter]

    assert [answered(line, outcome) for line in lines] == lines
