"""Armies in the database after a war: the losses that a season subtracts, or lists for moderators (R-94)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.autoalgo.aftermath.result import Aftermath
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.records import Military
from engine.autoalgo.setup.army import armies_of, army_places
from engine.casualties import Casualties
from engine.receipt import on_one_line
from engine.ruleset import Event, Update

MILITARIES, SIZE, SHIP_NUMBER, TRANSPORT = "Militaries", "Size", "Ship Number", "Transport"
"""Tab of the armies, and the columns that a ruling may change."""


FATES = ("killed", "wounded", "captured", "missing", "died", "returned")
"""Fields of both losses and casualties."""


def army_updates(war: WarInputs, aftermath: Aftermath) -> Iterator[Update]:
    """Yield the changes of the armies' rows: men lost, and ships sunk of a typed Ship Number (R-94).

    The wounded who return at once do not count (R-125).
    A generic army has no row. An army on both sides bears both losses. One that lost its last ship loses its Transport,
    because a Ship Number of 0 would mean as many of these ships as needed (MD-05).
    """
    totals: dict[Military, tuple[int, int]] = {}
    for (side, place), losses in zip(army_places(war), aftermath.by_army or aftermath.losses, strict=True):
        military = armies_of(war, side)[place].military
        lost, sunk = totals.get(military, (0, 0))
        totals[military] = (lost + losses.lost - losses.returned, sunk + losses.sunk)
    for military, (lost, sunk) in totals.items():
        if not military.nation:
            continue
        if lost:
            yield Update(MILITARIES, military.label, SIZE, military.size, max(0, military.size - lost))
        if sunk and military.ship_number:
            afloat = max(0, military.ship_number - sunk)
            yield Update(MILITARIES, military.label, SHIP_NUMBER, military.ship_number, afloat)
            if not afloat:
                yield Update(MILITARIES, military.label, TRANSPORT, military.transport, None)


def casualties(war: WarInputs, aftermath: Aftermath) -> Iterator[Casualties]:
    """Yield the casualties of each army with a row, the attacker's first (R-125)."""
    for (side, place), losses in zip(army_places(war), aftermath.by_army or aftermath.losses, strict=True):
        military = armies_of(war, side)[place].military
        if military.nation:
            yield Casualties(army=military.label, **{fate: getattr(losses, fate) for fate in FATES})


def army_events(updates: Iterable[Update], hour: int) -> Iterator[Event]:
    """Yield an event for each change of an army's row, for moderators, who enter it themselves in some seasons.

    Args:
        hour: The hour of the occupation's end.
    """
    for update in updates:
        text = f"{update.field} of {on_one_line(update.row)}: {_text(update.before)} → {_text(update.after)}"
        yield Event(hour, "", "", "army after the war", None, "R-94", text)


def _text(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else on_one_line(str(value or "blank"))
