"""The receipt of section 4.4: who fought where, each step as it happened, what is left of everybody."""

from __future__ import annotations

from collections.abc import Iterator

from engine.hexcombat.combat import Combat
from engine.hexcombat.fighter import SUPPORT, Fighter
from engine.hexcombat.inputs import NO_FACILITY, NO_MISSION, Ground
from engine.hexcombat.numbers import signed
from engine.hexcombat.result import fate_of, summary
from engine.receipt import Block, Line, Receipt


def receipt(combat: Combat, seed: int) -> Receipt:
    """The whole receipt.

    Args:
        combat: Fought to its end.
        seed: Named only if the moderator gave it.
    """
    blocks = [
        Block("", tuple(_circumstances(combat))),
        *combat.account.receipt_blocks(),
        Block("Result", tuple(_result(combat))),
        Block("Moderator's rulings", tuple(_moderators(combat, seed))),
    ]
    return Receipt(on_one_line(combat.inputs.name), tuple(block for block in blocks if block.lines))


def on_one_line(text: str) -> str:
    """A title from a cell, which may hold line breaks; a heading must not."""
    return " ".join(text.split())


def _circumstances(combat: Combat) -> Iterator[Line]:
    inputs = combat.inputs
    if inputs.turn is not None:
        yield Line("Turn", str(inputs.turn))
    yield Line("Kind", inputs.kind)
    yield Line("Attacker", _unit(combat.attacker, "moved" if inputs.attacker_moved else "not moved"))
    if combat.enemy is not None:
        yield Line("Defender", _unit(combat.enemy, ""))
    else:
        yield Line("Target", _ground(inputs.target))
    yield Line("Range", f"{inputs.range} hex{'' if inputs.range == 1 else 'es'}")
    yield Line("Weather", inputs.weather)
    if inputs.facility != NO_FACILITY:
        owner = f" of {inputs.facility_owner.name}" if inputs.facility_owner else ""
        yield Line("Facility", f"{inputs.facility}{owner}")


def _unit(it: Fighter, moved: str) -> str:
    """`Panzer III (Germany): Tank, 10 SP, 1 bar, Clear, moved`."""
    bars = f"{it.start_bars} bar{'' if it.start_bars == 1 else 's'}"
    lasting = it.piece.unit.suppressed
    parts = [
        it.piece.type.unit_class,
        f"{it.piece.unit.strength} SP" + (f" ({lasting} suppressed)" if lasting else ""),
        bars,
        f"entrenched {it.piece.unit.entrenchment}" if it.piece.unit.entrenchment else "",
        "mounted" if it.piece.unit.mounted else "",
        f"on a {it.mission} mission" if it.mission != NO_MISSION else "",
        _ground(it.ground),
        moved,
    ]
    return f"{it.name} ({it.side}): {', '.join(part for part in parts if part)}"


def _ground(it: Ground) -> str:
    extras = (("bridge", it.bridge), ("mined", it.mined), ("blown city", it.blown_city))
    return " with ".join([it.terrain.name, *(name for name, there in extras if there)])


def _result(combat: Combat) -> Iterator[Line]:
    yield Line("Result", summary(combat))
    for it in combat.units.values():
        changed = list(_changed(it))
        if changed or it.role != SUPPORT:
            yield Line(it.name, ", ".join([_strength(it), *changed]))


def _strength(it: Fighter) -> str:
    lost = it.piece.unit.strength - it.strength
    return f"strength {it.strength}" + (f" ({signed(-lost)})" if lost else "")


def _changed(it: Fighter) -> Iterator[str]:
    unit = it.piece.unit
    if it.lasting != unit.suppressed:
        yield f"{it.lasting} suppressed"
    if it.experience != unit.experience:
        yield f"experience {it.experience} ({signed(it.experience - unit.experience)})"
    if it.ammo != it.start_ammo:
        yield f"ammo {it.ammo} ({signed(it.ammo - it.start_ammo)})"
    if it.fuel != it.start_fuel:
        yield f"fuel {it.fuel} ({signed(it.fuel - it.start_fuel)})"
    if it.entrenchment != unit.entrenchment:
        yield f"entrenchment {it.entrenchment}"
    if it.hits != unit.hits:
        yield f"{it.hits} hit{'' if it.hits == 1 else 's'}"
    if it.has_intercepted and not unit.intercepted:
        yield "has intercepted"
    if it.has_supported and not unit.supported:
        yield "has supported"
    if fate_of(it) != "Holds":
        yield fate_of(it).lower()


def _moderators(combat: Combat, seed: int) -> Iterator[Line]:
    """Every number that a moderator gave in place of luck or the tables."""
    inputs = combat.inputs
    if inputs.dice:
        yield Line("", f"Dice: {', '.join(map(str, inputs.dice))}")
    for setting in inputs.settings:
        yield Line("", f"Setting {setting.name.rpartition('/')[2]}: {setting.value}")
    if inputs.seed_given:
        yield Line("", f"Seed: {seed}")
