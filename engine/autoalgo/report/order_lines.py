"""Lines of the receipt about a side's orders before the battle: its ambushes (R-118)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.autoalgo.battle.state import AMBUSH
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.names import counted
from engine.autoalgo.setup.strategy import flank_table
from engine.autoalgo.setup.tables import Tables
from engine.receipt import Line


def order_lines(war: WarInputs, side: int, tables: Tables) -> Iterator[Line]:
    """Yield the lines of one side; none without such orders."""
    hidden = [plan for plan in flank_table(war, side, tables) if plan.maneuver == AMBUSH and plan.men]
    if hidden and tables.constants.r_118.pixels:
        men = sum(plan.men for plan in hidden)
        who = f"{counted(len(hidden), 'flank')} of {men:,} men"
        yield Line("Ambush", f"{who}, in cover until the first blow")
