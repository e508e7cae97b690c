"""Orders of `stories.txt`: the order as it is typed, its dice, the rows it reads, and everything that becomes of them.

Rows that are not named are those of `courts.py`; a cell of several names has `+` between them, tiers have `/`.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from engine.realm.setup.inputs import FreeName, OrderInputs, TargetFacts
from engine.realm.setup.records import RealmPlace, RealmUnitType
from engine.rng import Rng
from engine.settings import Setting
from tests.games.realm.engine.courts import ORDERS, city, hero, nation, near, order, realm, unit
from tests.helpers.order_pages import answered, chapters

PAGE = Path(__file__).with_name("stories.txt")
NOTHING: dict[str, Any] = {"happiness": 0.0, "tax_rate": 0, "population": 0, "leaders": (), "treasury": 0, "legions": 0}
MADE: dict[str, Any] = {
    "realm": realm,
    "nation": lambda name: nation(name=name),
    "target_realm": realm,
    "leaders": hero,
    "units": unit,
    "cities": city,
    "near": near,
    "realms": realm,
    "nations": lambda name: nation(name=name),
    "types": lambda name: RealmUnitType(name=name),
    "places": lambda name: RealmPlace(name=name),
    "free": lambda stem: FreeName(stem=stem, number=1),
    "secrets": lambda name: TargetFacts(realm=name, **NOTHING),
}
ONE = ("realm", "nation", "target_realm", "secrets")


def value_of(name: str, example: Any, text: str) -> Any:
    text = text.replace("_", " ")
    if name in ("enemies", "commanders") or (name == "units" and "/" in text):
        return tuple(tuple(tier.split("+")) for tier in text.split("/") if tier)
    if isinstance(example, bool):
        return text == "yes"
    if isinstance(example, tuple):
        return tuple(text.split("+")) if text else ()
    if isinstance(example, str) or text == "none":
        return None if text == "none" else text
    number = text.lstrip("-").replace(".", "", 1).isdigit()
    return (float(text) if "." in text else int(text)) if number else text


def replaced(record: Any, cells: list[str]) -> Any:
    typed = dict(cell.split("=", 1) for cell in cells)
    values = {name: value_of(name, getattr(record, name), text) for name, text in typed.items()}
    return dataclasses.replace(record, **values)


def order_of(text: str) -> tuple[OrderInputs, int]:
    """The inputs of a line, and its seed."""
    head, *groups = text.split("; ")
    kind, *cells = head.split()
    inputs, seed = replaced(order(kind.replace("_", " ")), cells), 1
    for group in groups:
        name, _, typed = group.partition(": ")
        made: Any
        if name == "seed":
            seed = int(typed)
            continue
        if name == "fixed":
            made = order(fixed=typed.replace(", ", "; ")).fixed
        elif name == "settings":
            places = (part.rpartition("=") for part in typed.split())
            made = tuple(Setting(name=place, value=value_of("", 0, value)) for place, _, value in places)
        else:
            rows = [row.split() for row in typed.split(" & ") if row]
            made = tuple(replaced(MADE[name](named.replace("_", " ")), more) for named, *more in rows)
            made = (made[0] if made else None) if name in ONE else made
        inputs = dataclasses.replace(inputs, **{name: made})
    return inputs, seed


def outcome(text: str) -> str:
    """The result, the message to the other realm, the log, and all cells that change."""
    inputs, seed = order_of(text)
    ruled = ORDERS.resolve(inputs, Rng(seed))
    parts = [ruled.summary, str(ruled.figures["Target message"]), *(event.brief_line() for event in ruled.events)]
    parts += [f"{each.row}, {each.field} {each.before} → {each.after}" for each in ruled.updates]
    parts += [f"new row {dict(row.values)}" for row in ruled.rows]
    return " | ".join(filter(None, parts))


@pytest.mark.parametrize("chapter", chapters(PAGE))
def test_each_order_of_the_page_ends_as_it_says(chapter: str) -> None:
    lines = chapters(PAGE)[chapter]

    assert [answered(line, outcome) for line in lines] == lines
