"""A new turn: it clears marks, digs units in and supplies them, without dice (HX-OP-49 ... HX-OP-52)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from engine.columns import columns
from engine.hexcombat.combat.account import Account
from engine.hexcombat.report.receipt import moderators_rulings
from engine.hexcombat.setup.facts import Facts
from engine.hexcombat.setup.fighter import LAND
from engine.hexcombat.setup.inputs import NewTurnInputs
from engine.hexcombat.setup.numbers import div
from engine.hexcombat.setup.records import HexSide, HexUnit, HexUnitType, Terrain
from engine.hexcombat.setup.tables import HexTables
from engine.receipt import Block, ReceiptText, on_one_line
from engine.ruleset import Outcome, Plain, Update

HEADINGS = {
    "HX-OP-50": ("Marks cleared", ("Hits", "Intercepted this turn", "Supported this turn")),
    "HX-OP-51": ("Entrenchment", ("Entrenchment",)),
    "HX-OP-52": ("Supply", ("Ammo", "Fuel")),
}
"""Headings of the receipt, with the columns of Hex Units below them, by rule."""


def begin_turn(inputs: NewTurnInputs, tables: HexTables, account: Account, seed: int) -> Outcome:
    """End a turn and begin the next one, for all sides and all active units."""
    account.begin("")
    account.tell("Turn", f"{inputs.turn} is over, {inputs.turn + 1} begins", "HX-OP-49", "turn", inputs.turn + 1)
    unit_updates = tuple(_unit_updates(inputs, tables.facts))
    _tell_changes(account, unit_updates)
    rulings = Block("Moderator's rulings", tuple(moderators_rulings(inputs, (), seed)))
    summary = new_turn_summary(inputs, tables)
    return Outcome(
        winner="",
        summary=summary,
        receipt=ReceiptText(
            on_one_line(inputs.name), (*account.receipt_blocks(), *((rulings,) if rulings.lines else ()))
        ),
        figures={"Result": summary},
        updates=(*unit_updates, *_side_updates(inputs)),
        events=tuple(account.events),
        is_drawn=False,
    )


def new_turn_summary(inputs: NewTurnInputs, tables: HexTables) -> str:
    """Return `Turn 4 begins; 12 units change`."""
    names = {update.row for update in _unit_updates(inputs, tables.facts)}
    changes = "1 unit changes" if len(names) == 1 else f"{len(names) or 'no'} units change"
    return f"Turn {inputs.turn + 1} begins; {changes}"


def renewed(unit: HexUnit, unit_type: HexUnitType, terrain: Terrain, facts: Facts) -> HexUnit:
    """Return a unit as it begins a turn; lasting suppression and sabotage stay (HX-OP-27, HX-OP-44)."""
    is_land = facts.groups[unit_type.unit_class] == LAND
    percent = 0 if unit.sabotaged else facts.constants.turn_supply  # HX-SAB-6
    return dataclasses.replace(
        unit,
        hits=0,
        intercepted=False,
        supported=False,
        turn=None,
        entrenchment=max(unit.entrenchment, terrain.entrenchment) if is_land else unit.entrenchment,  # HX-OP-51
        ammo=_supplied(unit.ammo, unit_type.max_ammo, percent),
        fuel=_supplied(unit.fuel, unit_type.max_fuel, percent),
    )


def _supplied(left: int | None, most: int, percent: int) -> int | None:
    """Return ammo or fuel after the supply; never less than before, and None if it was full (HX-OP-52)."""
    return None if left is None else max(left, min(most, left + div(percent * most, 100)))


def _unit_updates(inputs: NewTurnInputs, facts: Facts) -> Iterator[Update]:
    types = {unit_type.name: unit_type for unit_type in inputs.types}
    terrains = {terrain.name: terrain for terrain in inputs.terrains}
    for unit in inputs.units:
        after = renewed(unit, types[unit.type], terrains[unit.terrain], facts)
        for attribute, column in columns(HexUnit):
            old, new = getattr(unit, attribute), getattr(after, attribute)
            if old != new:
                yield Update(HexUnit.tab.name, unit.name, column.header, old, new)


def _side_updates(inputs: NewTurnInputs) -> Iterator[Update]:
    for side in inputs.sides:
        if side.turn != inputs.turn + 1:
            yield Update(HexSide.tab.name, side.name, "Turn", side.turn, inputs.turn + 1)


def _tell_changes(account: Account, updates: tuple[Update, ...]) -> None:
    """Record the changes of each unit, rule by rule."""
    for id, (heading, headers) in HEADINGS.items():
        account.begin(heading)
        changes: dict[str, list[str]] = {}
        for update in updates:
            if update.field in headers:
                text = f"{update.field} {_value_text(update.before)} → {_value_text(update.after)}"
                changes.setdefault(update.row, []).append(text)
        for name, texts in changes.items():
            account.tell(name, ", ".join(texts), id, heading.lower())


def _value_text(value: Plain) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
