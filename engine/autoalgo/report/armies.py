"""Armies in the database after a war: what a season subtracts from them, or tells moderators to subtract (R-94)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.autoalgo.aftermath.result import Aftermath
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.names import on_one_line
from engine.autoalgo.records import GENERIC, Military
from engine.autoalgo.setup.strategy import belligerent
from engine.ruleset import Update

MILITARIES, SIZE, SHIP_NUMBER, TRANSPORT = "Militaries", "Size", "Ship Number", "Transport"
"""Tab of the armies, and its columns that a ruling may change."""


def army_updates(war: WarInputs, aftermath: Aftermath) -> Iterator[Update]:
    """Yield the changes of the armies' rows: men lost, and ships sunk of a Ship Number that was typed (R-94).

    A generic army has no row. An army on both sides bears both losses. One that lost its last ship has no Transport
    any more, since a Ship Number of 0 would stand for as many of these ships as it needs (MD-05).
    """
    totals: dict[Military, tuple[int, int]] = {}
    for side, losses in enumerate(aftermath.losses):
        military = belligerent(war, side).military
        lost, sunk = totals.get(military, (0, 0))
        totals[military] = (lost + losses.lost, sunk + losses.sunk)
    for military, (lost, sunk) in totals.items():
        if military.name == GENERIC:
            continue
        if lost:
            yield Update(MILITARIES, military.label, SIZE, military.size, max(0, military.size - lost))
        if sunk and military.ship_number:
            afloat = max(0, military.ship_number - sunk)
            yield Update(MILITARIES, military.label, SHIP_NUMBER, military.ship_number, afloat)
            if not afloat:
                yield Update(MILITARIES, military.label, TRANSPORT, military.transport, None)


def losses_sentences(updates: Sequence[Update], is_committed: bool) -> dict[str, str]:
    """Return the last sentence of the account by what a season does with losses; none where nothing was lost.

    Args:
        updates: The changes of the armies' rows.
        is_committed: True if the ruling may change the database (STAB-05).
    """
    if not updates:
        return {}
    changed = [f"{_cell(update)} {_shown(update.before)} → {_shown(update.after)}" for update in updates]
    subtracted = [
        f"{update.before - update.after:,} from {_cell(update)}"
        for update in updates
        if isinstance(update.before, int) and isinstance(update.after, int)
    ]
    told = f"To be subtracted in {MILITARIES}: {'; '.join(subtracted)}."
    return {"tell": told, "apply": f"Changed in {MILITARIES}: {'; '.join(changed)}." if is_committed else told}


def _cell(update: Update) -> str:
    return f"{update.field} of {on_one_line(update.row)}"


def _shown(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else on_one_line(str(value or "blank"))
