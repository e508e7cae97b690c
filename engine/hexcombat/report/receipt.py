"""The receipt of section 4.4: circumstances, steps in order, and the state of all units afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.hexcombat.combat.combat import Combat
from engine.hexcombat.report.result import fate_of, summary
from engine.hexcombat.setup.fighter import SUPPORT, Fighter
from engine.hexcombat.setup.inputs import NO_FACILITY, NO_MISSION, CombatInputs, HexGround, NewTurnInputs
from engine.hexcombat.setup.numbers import signed
from engine.receipt import Block, Line, ReceiptText, as_sentence, counted, on_one_line
from engine.settings import typed_lines


def receipt(combat: Combat, seed: int) -> ReceiptText:
    """Return the whole receipt; it prints the seed only if the moderator gave it."""
    blocks = [
        Block("", tuple(_circumstances(combat))),
        *combat.account.receipt_blocks(),
        Block("Result", tuple(_result(combat))),
        Block("Moderator's rulings", tuple(moderators_rulings(combat.inputs, combat.inputs.dice, seed))),
    ]
    lined = tuple(block for block in blocks if block.lines)
    return ReceiptText(on_one_line(combat.inputs.name), lined, (as_sentence(summary(combat)),))


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
    yield Line("Range", counted(inputs.range, "hex", "hexes"))
    yield Line("Weather", inputs.weather)
    if inputs.facility != NO_FACILITY:
        owner = f" of {inputs.facility_owner.name}" if inputs.facility_owner else ""
        yield Line("Facility", f"{inputs.facility}{owner}")


def _unit(fighter: Fighter, moved: str) -> str:
    """Return a unit as text: `Panzer III (Germany): Tank, 10 SP, 1 bar, Clear, moved`."""
    bars = counted(fighter.start_bars, "bar")
    lasting = fighter.piece.unit.suppressed
    parts = [
        fighter.piece.type.unit_class,
        f"{fighter.piece.unit.strength} SP" + (f" ({lasting} suppressed)" if lasting else ""),
        bars,
        f"entrenched {fighter.piece.unit.entrenchment}" if fighter.piece.unit.entrenchment else "",
        "mounted" if fighter.piece.unit.mounted else "",
        f"on a {fighter.mission} mission" if fighter.mission != NO_MISSION else "",
        _ground(fighter.ground),
        moved,
    ]
    return f"{fighter.name} ({fighter.side}): {', '.join(part for part in parts if part)}"


def _ground(ground: HexGround) -> str:
    extras = (("bridge", ground.bridge), ("mined", ground.mined), ("blown city", ground.blown_city))
    return " with ".join([ground.terrain.name, *(name for name, is_present in extras if is_present)])


def _result(combat: Combat) -> Iterator[Line]:
    for fighter in combat.units.values():
        changed = list(_changes(fighter))
        if changed or fighter.role != SUPPORT:
            yield Line(fighter.name, ", ".join([_strength(fighter), *changed]))


def _strength(fighter: Fighter) -> str:
    lost = fighter.piece.unit.strength - fighter.strength
    return f"strength {fighter.strength}" + (f" ({signed(-lost)})" if lost else "")


def _changes(fighter: Fighter) -> Iterator[str]:
    unit = fighter.piece.unit
    has_marks = unit.marks_count_in(fighter.game_turn)
    if fighter.lasting != unit.suppressed:
        yield f"{fighter.lasting} suppressed"
    if fighter.experience != unit.experience:
        yield f"experience {fighter.experience} ({signed(fighter.experience - unit.experience)})"
    if fighter.ammo != fighter.start_ammo:
        yield f"ammo {fighter.ammo} ({signed(fighter.ammo - fighter.start_ammo)})"
    if fighter.fuel != fighter.start_fuel:
        yield f"fuel {fighter.fuel} ({signed(fighter.fuel - fighter.start_fuel)})"
    if fighter.entrenchment != unit.entrenchment:
        yield f"entrenchment {fighter.entrenchment}"
    if fighter.hits != (unit.hits if has_marks else 0):
        yield counted(fighter.hits, "hit")
    if fighter.has_intercepted and not (has_marks and unit.intercepted):
        yield "has intercepted"
    if fighter.has_supported and not (has_marks and unit.supported):
        yield "has supported"
    if fate_of(fighter) != "Holds":
        yield fate_of(fighter).lower()


def moderators_rulings(inputs: CombatInputs | NewTurnInputs, dice: Sequence[int], seed: int) -> Iterator[Line]:
    """Yield a line for every number that a moderator gave in place of dice, the map or the tables."""
    if isinstance(inputs, CombatInputs) and inputs.map_range is not None:
        yield Line("", f"Range: {inputs.range}, by the Hex cells {inputs.map_range}")
    if dice:
        yield Line("", f"Dice: {', '.join(map(str, dice))}")
    yield from typed_lines(inputs.settings, seed if inputs.seed_given else None)
