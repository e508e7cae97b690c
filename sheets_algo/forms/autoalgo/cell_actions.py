"""The action of wars that changes cells of people: Switch sides (REQ-14)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.autoalgo.inputs import SIDES
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Edit, Row
from sheets_algo.forms.autoalgo.columns import SWITCH_SIDES, FlankRow
from sheets_algo.forms.base import CellAction
from sheets_algo.forms.request_columns import request_id
from sheets_algo.forms.row_reader import RowReader


def switch_sides(form: object, row: Row, database: Database) -> Sequence[Edit]:
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
    for flank in reading.rows_of(FlankRow, request_id(row)):
        read = database.read(flank, FlankRow)
        if (side := read.values.get("side")) is not None:
            edits.append(Edit(flank, "side", SIDES[1 - SIDES.index(side)]))
        else:
            reading.add(*(problem for problem in read.problems if problem.cell == flank.cell("side")))
    reading.finish()
    return [edit for edit in edits if as_text(edit.row.value(edit.attribute)) != as_text(edit.value)]


def switched(form: object, row: Row, database: Database) -> str:
    """Return who attacks whom, as the row says it."""
    return f"Sides are switched: {as_text(row.value('attacker'))} attacks {as_text(row.value('defender'))}"


CELL_ACTIONS = {SWITCH_SIDES: CellAction("REQ-14", "sides", switch_sides, switched)}
