"""The map of the game of a workbook: its drawing, and the areas and holders of its places (MAP-09)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sheets_algo.config.maps import BadMap, read_world, world_file
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.problems import Problem, year_text
from sheets_algo.forms.capabilities import MapForm, WorldRows
from sheets_algo.forms.databases import open_database
from sheets_algo.ruling.plan import Ruling
from sheets_algo.ruling.receipts.receipts import Change, Receipts, StoredReceipt
from sheets_algo.runtime.session.session import OpenWorkbook, Session
from sheets_algo.workbook.changes import ChangeSet, NewTab, Picture
from sheets_algo.workbook.template_spec import MAP_CAPTION, WORLD_MAP

if TYPE_CHECKING:
    from sheets_algo.pictures.areas import Areas, Pixels

Holders = Mapping[str, tuple[str, str]]
"""The owner and the occupier of each place by its name; blank for none."""
LAND_TAB, LAND_COLUMNS = "Locations", ("Owner", "Occupied By")
"""Tab and columns of the holders of a place."""


@dataclass(frozen=True)
class GameMap:
    """A map of the game that can be drawn."""

    rows: WorldRows
    file: Path  # The blank drawing

    @property
    def key(self) -> str:
        """Return the key of the areas' dependencies."""
        stat = self.file.stat()
        return f"{self.file.name} {stat.st_size} {stat.st_mtime_ns} {self.rows.places}"

    @cached_property
    def _drawn(self) -> tuple[Pixels, Areas]:
        from sheets_algo.pictures.areas import areas_of  # numpy and Pillow: most passes draw no map

        drawing = read_world(self.file)
        return drawing, areas_of(drawing, self.rows.places)

    @property
    def areas(self) -> Areas:
        """Return the areas of the places.

        Raises:
            BadMap: The drawing cannot be used.
        """
        return self._drawn[1]

    def picture(self, title: str, year: str, holders: Holders, *, widest: int = 4000, is_bare: bool = False) -> bytes:
        """Return the map as a PNG; arguments as of `draw_world`.

        Raises:
            BadMap: The drawing cannot be used.
        """
        from sheets_algo.pictures.world_map import WorldScene, draw_world

        drawing, areas = self._drawn
        on_map = {name: pair for name, pair in holders.items() if name in areas.names}
        scene = WorldScene(title, year, on_map, self.rows.colours, self.rows.capitals)
        return draw_world(drawing, areas, scene, widest=widest, is_bare=is_bare)


def world_rows(book: OpenWorkbook) -> WorldRows:
    """Return the rows of the map; no places if the workbook has none."""
    form = next((form for form in book.forms if isinstance(form, MapForm)), None)
    return form.world(open_database(book.snapshot, [form])) if form else WorldRows()


def holders_after(rows: WorldRows, receipt: StoredReceipt, receipts: Receipts) -> Holders:
    """Return the holders of each place after a receipt: the cells as they are, without what later receipts wrote."""
    holders = dict(rows.holders)
    for seq in sorted((seq for seq in receipts.by_seq if seq > receipt.seq), reverse=True):
        for change in land_changes(receipts.by_seq[seq]):
            pair = [*holders.get(change.row, ("", ""))]
            pair[LAND_COLUMNS.index(change.field)] = as_text(change.before)
            holders[change.row] = (pair[0], pair[1])
    return holders


def land_changes(receipt: StoredReceipt) -> list[Change]:
    """Return the changes of a receipt to the owners and occupiers of places."""
    return [change for change in receipt.changes if change.tab == LAND_TAB and change.field in LAND_COLUMNS]


def open_world(session: Session, rows: WorldRows) -> GameMap | None:
    """Return the map of the game; None if no place has a pixel.

    Raises:
        BadMap: The drawing is missing.
    """
    if not rows.places:
        return None
    return GameMap(rows, world_drawing(session))


def world_drawing(session: Session) -> Path:
    """Return the file of the blank drawing.

    Raises:
        BadMap: It is missing.
    """
    folders = [folder for folder in (session.own_maps, session.library.maps_folder) if folder]
    return world_file(session.world_map, folders)


def world_problems(session: Session, book: OpenWorkbook) -> Iterator[Problem]:
    """Yield a warning for each place whose area contradicts its row; none blocks a ruling."""
    rows = world_rows(book)
    for row in rows.rows.values():
        blank = [attribute for attribute in ("map_x", "map_y") if row.is_blank(attribute)]
        if len(blank) == 1:
            yield row.warning(blank[0], "MAP-09", "one of Map X and Map Y is blank")
    try:
        world = open_world(session, rows)
        faults = world.areas.faults if world else {}
    except BadMap as error:
        yield rows.rows[rows.places[0].name].warning("map_x", "MAP-09", str(error).removesuffix("."))
        return
    for name, fault in faults.items():
        yield rows.rows[name].warning("map_x", "MAP-09", fault)


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
