"""Points of an army, with which a moderator compares armies, and unusual arms (R-117, MIL-16)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.autoalgo.battle.state import DEFENDER
from engine.autoalgo.inputs import Belligerent, WarInputs
from engine.autoalgo.setup.army import (
    belligerent,
    has_boats,
    has_land_types,
    has_own_ships,
    has_water,
    is_at_sea,
    ship_number,
    ships_present,
    slot_counts,
)
from engine.autoalgo.setup.tables import Tables
from engine.receipt import counted


def points_of(own: Belligerent, tables: Tables) -> float | None:
    """Return the points of an army's men, or of the ships of a fleet of crews (R-117).

    Nothing else of the army counts: neither its ships nor training and leaders, nor budget, works and ground. It is
    None if a unit differs from the one of that name in the catalogue, or has no points there.
    """
    if has_land_types(own):
        counted = [(unit, men) for unit, men in zip(own.units, slot_counts(own), strict=False) if men]
    else:
        counted = [(own.units[3], ship_number(own))]
    total = 0.0
    for unit, number in counted:
        if unit is None or unit.name not in tables.points or tables.units.get(unit.name) != unit:
            return None
        total += number * tables.points[unit.name]
    return total


def shares_of(own: Belligerent, tables: Tables) -> tuple[float, float]:
    """Return an army's shares in the artillery slot, and of riders of beasts or chariots in any slot (MIL-16)."""
    men = slot_counts(own)
    beasts = sum(
        number for unit, number in zip(own.units, men, strict=False) if unit is not None and unit.name in tables.beasts
    )
    artillery = 0 if own.units[2] is None or own.units[2].name in tables.beasts else men[2]
    return artillery / max(sum(men), 1), beasts / max(sum(men), 1)


def mix_text(war: WarInputs, side: int, tables: Tables) -> str:
    """Return the strengths not counted in the points, in words, each after a comma.

    These are ships beside an army (R-117), artillery, beasts (MIL-16) and, if it defends, works.
    """
    own = belligerent(war, side)
    parts = [*ships_text(war, side, tables)]
    shares = zip(shares_of(own, tables), ("artillery", "beasts"), strict=True)
    parts += [f"{share:.0%} {name}" for share, name in shares if share > 0]
    if side == DEFENDER and tables.field_works(own.military) > 0.0:
        parts.append(own.military.mobile_defenses)
    return "".join(f", {part}" for part in parts)


def ships_text(war: WarInputs, side: int, tables: Tables) -> Iterator[str]:
    """Yield the ships beside an army on Water, with their owner and the rule; unarmed ones at sea only."""
    own = belligerent(war, side)
    ship, ships = own.units[3], ships_present(war, side, tables)
    is_afloat = has_land_types(own) and has_water(war.terrain, tables)
    if ship is None or not ships or not is_afloat or not (any(ship.power) or is_at_sea(war, tables)):
        return
    what = f"{ships:,} {'' if any(ship.power) else 'unarmed '}{ship.name}"
    if has_boats(war, side, tables):
        yield f"{what} {'' if has_own_ships(own) else 'hired '}to cross, which do not fight [R-122]"
    elif has_own_ships(own):
        yield f"{what} of its own [MIL-12]"
    else:
        yield f"{what} hired for {counted(own.military.size, 'man', 'men')} [MD-05]"
