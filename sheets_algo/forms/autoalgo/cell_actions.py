"""Actions of wars that change cells of people: Switch sides (REQ-14) and Refit (REQ-23)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from engine.autoalgo.inputs import SIDES, WarInputs
from engine.autoalgo.setup.army import army_places, led_by
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Edit, Row
from sheets_algo.forms.autoalgo.columns import REFIT, SWITCH_SIDES, FlankRow
from sheets_algo.forms.autoalgo.war_reader import ArmyRows, WarReader
from sheets_algo.forms.base import CellAction
from sheets_algo.forms.row_reader import RowReader


class WarPlacer(Protocol):
    """The form of wars."""

    def placed(self, row: Row, database: Database) -> tuple[WarReader, WarInputs, ArmyRows]:
        """Read one war with its flanks, and the row of each flank by side and army."""


def switch_sides(form: WarPlacer, row: Row, database: Database) -> Sequence[Edit]:
    """Return the cells that change when the sides of a war change places (REQ-14).

    These are each pair of columns such as `Attacker Military` and `Defender Military`, and the Side of each flank,
    which stays where it stands on the map.

    Raises:
        Rejected: A flank has a Side that cannot be read.
    """
    reading, edits = RowReader(database), []
    for attribute in (name for name, declared in row.table.columns if not declared.place.is_programs):
        other = attribute.replace("attacker", "defender")
        if other != attribute:
            own, enemy = (as_text(row.value(name)) or None for name in (attribute, other))
            edits += [Edit(row, attribute, enemy), Edit(row, other, own)]
    for flank in reading.rows_of(FlankRow, row):
        read = database.read(flank, FlankRow)
        if (side := read.values.get("side")) is not None:
            edits.append(Edit(flank, "side", SIDES[1 - SIDES.index(side)]))
        else:
            reading.add(*(problem for problem in read.problems if problem.cell == flank.cell("side")))
    reading.finish()
    return [edit for edit in edits if as_text(edit.row.value(edit.attribute)) != as_text(edit.value)]


def refit(form: WarPlacer, row: Row, database: Database) -> Sequence[Edit]:
    """Return the counts of flanks that change so that those of both sides fit the armies (REQ-23).

    Raises:
        Rejected: The war has errors, or the counts that do not fit are not in rows of its own.
    """
    reading, war, rows = form.placed(row, database)
    edits: list[Edit] = []
    for side, place in army_places(war):
        counts = reading.counts(row, led_by(war, side, place), side, rows[SIDES[side]][place])
        if counts.wrong and counts.are_own and counts.rows:
            edits += counts.edits()
        elif counts.wrong:
            reading.add(counts.problem)
    reading.finish()
    return edits


def switched(form: WarPlacer, row: Row, database: Database) -> str:
    """Return attacker and defender in the row."""
    return f"Sides are switched: {as_text(row.value('attacker'))} attacks {as_text(row.value('defender'))}"


def refitted(form: WarPlacer, row: Row, database: Database) -> str:
    """Return the strategy messages of both sides, blank if the counts of one do not fit its army.

    Raises:
        Rejected: The war has errors.
    """
    reading, war, rows = form.placed(row, database)
    counts = [
        reading.counts(row, led_by(war, side, place), side, rows[SIDES[side]][place])
        for side, place in sorted(army_places(war))
    ]
    reading.finish()
    if any(each.wrong for each in counts):
        return ""
    return "Counts fit: " + ", ".join(f"{each.label} {each.strategy.text}" for each in counts)


CELL_ACTIONS = {
    SWITCH_SIDES: CellAction("REQ-14", "sides", switch_sides, switched),
    REFIT: CellAction("REQ-23", "counts", refit, refitted),
}
