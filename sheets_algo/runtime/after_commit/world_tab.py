"""The tab World Map: the map of the game after a pass that changes holders of land (MAP-09)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from sheets_algo.config.maps import BadMap
from sheets_algo.database.wording import year_text
from sheets_algo.ruling.plan import Ruling
from sheets_algo.runtime.session.session import OpenWorkbook, Session
from sheets_algo.runtime.session.world import GameMap, Holders, open_world, world_rows
from sheets_algo.workbook.changes import ChangeSet, NewTab, Picture
from sheets_algo.workbook.template_spec import MAP_CAPTION, WORLD_MAP

WIDEST = 1600
"""Maximum width in pixels of the picture in a workbook."""


def add_world_map(changes: ChangeSet, workbook: OpenWorkbook, session: Session, rulings: Sequence[Ruling]) -> ChangeSet:
    """Return the changes with the map of the game, and its tab if it is missing; the same if no land changes hands.

    A map that cannot be drawn blocks no ruling: `check` reports its problem.
    """
    try:
        world = open_world(session, world_rows(workbook)) if rulings else None
        holders = _holders_after(changes, world) if world else {}
        if world is None or holders == world.rows.holders:
            return changes
        years = [json.loads(ruling.receipt.inputs).get("year") for ruling in rulings]
        year = year_text(max(years)) if years and all(isinstance(each, int) for each in years) else ""
        png = world.picture(session.title, year, holders, widest=WIDEST)
    except BadMap:
        return changes
    snapshot = workbook.snapshot
    key = snapshot.key(WORLD_MAP)
    picture = Picture(
        key, png, text=f"{MAP_CAPTION} the game{f' in {year}' if year else ''}; season --map draws any year."
    )
    tabs = () if snapshot.sheet(key) else (NewTab(key, ()),)
    return replace(changes, tabs=(*changes.tabs, *tabs), pictures=(*changes.pictures, picture))


def _holders_after(changes: ChangeSet, world: GameMap) -> Holders:
    """Return owner and occupier of each place once the changes are written."""
    holders = dict(world.rows.holders)
    for name, row in world.rows.rows.items():
        places = [row.cell(attribute).column for attribute in ("owner", "occupied_by")]
        for cell in changes.cells:
            if (cell.tab, cell.row) == (row.table.key, row.number) and cell.column in places and cell.column:
                pair = [*holders[name]]
                pair[places.index(cell.column)] = str(cell.value or "")
                holders[name] = (pair[0], pair[1])
    return holders
