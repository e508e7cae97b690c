"""Combats of `stories.txt`: the units as they are typed, the dice, and everything that becomes of them.

A unit is a type of `battles.py`, with `!` and other values of the type, then its own cells:
`TANK!range=2 strength=4 leaders=First_Strike+Resilience on=City`. The dice are all that are rolled, `1*10` ten times.
"""

from __future__ import annotations

import dataclasses
import re
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from engine.hexcombat.combat.combat import Combat
from engine.hexcombat.setup.fighter import Fighter
from engine.hexcombat.setup.inputs import LISTS, CombatInputs, HexGround, Piece, Supporter
from engine.hexcombat.setup.records import Facility, HexSide, HexUnit, HexUnitType
from tests.games.hexcombat.engine import battles
from tests.games.hexcombat.engine.battles import TABLES, expected, setting, strictly
from tests.helpers.order_pages import answered, chapters

PAGE = Path(__file__).with_name("stories.txt")
BESIDE = ("beside_attacker", "beside_defender")


def value_of(example: Any, text: str) -> Any:
    if isinstance(example, bool):
        return text == "yes"
    if isinstance(example, tuple):
        return tuple(text.replace("_", " ").split("+"))
    return int(text) if text.lstrip("-").isdigit() and not isinstance(example, str) else text.replace("_", " ")


def replaced(record: Any, pairs: list[str]) -> Any:
    typed = dict(pair.split("=") for pair in pairs)
    return dataclasses.replace(record, **{name: value_of(getattr(record, name), text) for name, text in typed.items()})


def type_of(text: str) -> HexUnitType:
    name, *changes = text.split("!")
    found: HexUnitType = replaced(getattr(battles, name), changes)
    return found


def ground_of(text: str) -> HexGround:
    terrain, *flags = text.split("+")
    return HexGround(terrain=TABLES.facts.terrains[terrain.replace("_", " ")], **dict.fromkeys(flags, True))


def piece_of(text: str, name: str, side: str) -> tuple[Piece, int]:
    """The unit, and its distance if it is listed."""
    kind, *cells = text.split()
    given = dict(cell.split("=", 1) for cell in cells)
    distance, on, carrier = int(given.pop("distance", 1)), given.pop("on", "Clear"), given.pop("transport", "")
    type, transport = type_of(kind), type_of(carrier) if carrier else None
    unit = HexUnit(name=name or type.name, side=side, type=type.name)
    unit = replaced(unit, [f"{key}={value}" for key, value in given.items()])
    if transport:
        unit = dataclasses.replace(unit, mounted=True, transport=transport.name)
    return Piece(unit=unit, type=type, ground=ground_of(on), transport=transport), distance


def combat_of(text: str) -> CombatInputs:
    units, *options = text.split("; ")
    own, _, enemy = units.partition(" > ")
    attacker, _ = piece_of(own, f"{type_of(own.split()[0]).name} A", "Red")
    defender = piece_of(enemy, f"{type_of(enemy.split()[0]).name} D", "Blue")[0] if enemy else None
    ground = defender.ground if defender else ground_of("Clear")
    asked = CombatInputs(name="Combat", attacker=attacker, defender=defender, target=ground)
    for option in options:
        name, _, typed = option.partition(": ")
        made: Any = typed
        if name in LISTS:
            made = tuple(Supporter(piece=unit, distance=far) for unit, far in map(listed, typed.split(" & ")))
        elif name in BESIDE:
            made = tuple(listed(part)[0] for part in typed.split(" & "))
        elif name == "settings":
            places = (part.rpartition("=") for part in typed.split())
            made = tuple(setting(place, value_of(0, value)) for place, _, value in places)
        elif name == "target":
            made = ground_of(typed)
        elif name == "facility_owner":
            name_of_side, *cells = typed.split()
            made = replaced(HexSide(name=name_of_side), cells)
        elif name == "facility_row":
            made = replaced(Facility(hex="3,4", facility="Bridge", owner="Blue"), typed.split())
        else:
            made = value_of(getattr(asked, name), typed)
        asked = dataclasses.replace(asked, **{name: made})
    return asked


def listed(text: str) -> tuple[Piece, int]:
    return piece_of(text, "Helper", "Blue")


def dice_of(text: str) -> list[int]:
    runs = [run.partition("*") for run in text.split()]
    return [int(die) for die, _, many in runs if die != "none" for _ in range(int(many or 1))]


def text_of(found: Combat) -> str:
    """The numbers, the decisions, every unit that changed, and the rules that had a say."""
    parts = []
    for what, numbers in groupby(found.account.explained, lambda each: re.split("[,;]", each.note or each.name)[0]):
        parts.append(f"{what} {' '.join(str(number.value) for number in numbers)}")
    events = found.account.events
    parts += [found.sequence, *(["close combat"] if found.is_close_combat else [])]
    parts += [event.text for event in events if event.kind in ("chance", "status", "retreat", "stands", "odds")]
    parts += filter(None, map(changes, found.units.values()))
    parts += [f"ends: {found.ending}"] if found.ending else []
    parts += [f"prestige −{found.prestige_lost}"] if found.prestige_lost else []
    parts += ["blown up"] if found.is_blown else []
    parts.append(" ".join(dict.fromkeys(event.id.removeprefix("HX-") for event in events if event.kind != "odds")))
    return " | ".join(filter(None, parts))


def changes(unit: Fighter) -> str:
    """The unit with what has become of it, if anything has."""
    row = unit.piece.unit
    before = {name: getattr(row, name) for name in ("strength", "suppressed", "experience", "entrenchment", "hits")}
    before |= {"lasting": row.suppressed, "ammo": unit.start_ammo, "fuel": unit.start_fuel, "bars": unit.start_bars}
    before |= {"is_sabotaged": row.sabotaged, "has_intercepted": row.intercepted, "has_supported": row.supported}
    before |= {"status": row.status, "displaced": row.displaced, "marks_turn": row.turn}
    before |= dict.fromkeys(("kills_taken", "suppression_taken", "has_fired"), 0)
    after = {name: getattr(unit, name) for name in before}
    texts = [
        f"{name} {int(new) if isinstance(new, bool) else new}" for name, new in after.items() if new != before[name]
    ]
    return f"{unit.name} {', '.join(texts)}" if texts else ""


def outcome(text: str) -> str:
    """Return the outcome of a combat, by its dice or by formula."""
    typed, dice = text.split(" || ")
    asked = combat_of(typed)
    return text_of(strictly(asked, *dice_of(dice)) if dice != "by formula" else expected(asked))


@pytest.mark.parametrize("chapter", chapters(PAGE))
def test_each_combat_of_the_page_ends_as_it_says(chapter: str) -> None:
    lines = chapters(PAGE)[chapter]

    assert [answered(line, outcome) for line in lines] == lines


def test_lines_below_a_heading_without_a_rule_are_played(tmp_path: Path) -> None:
    page = tmp_path / "stories.txt"
    page.write_text("# a tank\nTANK > INF || none || ends\n\n# HX-AD: none\nTB > INF || 1 || ends\n", "utf-8")

    assert chapters(page) == {"a tank": ["TANK > INF || none || ends"], "HX-AD": ["TB > INF || 1 || ends"]}
