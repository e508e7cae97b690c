"""The map of the game of a workbook: its drawing, the areas of its places, and who holds them (MAP-09)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sheets_algo.config.maps import BadMap, read_world, world_file
from sheets_algo.database.problems import Problem
from sheets_algo.forms.capabilities import MapForm, WorldRows
from sheets_algo.forms.databases import open_database
from sheets_algo.runtime.session.session import OpenWorkbook, Session

if TYPE_CHECKING:
    from sheets_algo.pictures.areas import Areas, Pixels

Holders = Mapping[str, tuple[str, str]]
"""The owner and the occupier of each place by its name; blank for nobody."""


@dataclass(frozen=True, slots=True)
class GameMap:
    """A map of the game that can be drawn."""

    rows: WorldRows
    drawing: Pixels
    areas: Areas

    def picture(self, title: str, year: str, holders: Holders, *, widest: int = 4000, is_bare: bool = False) -> bytes:
        """Return the map as a PNG; arguments as of `draw_world`."""
        from sheets_algo.pictures.world_map import WorldScene, draw_world

        on_map = {name: pair for name, pair in holders.items() if name in self.areas.names}
        scene = WorldScene(title, year, on_map, self.rows.colours, self.rows.capitals)
        return draw_world(self.drawing, self.areas, scene, widest=widest, is_bare=is_bare)


def world_rows(book: OpenWorkbook) -> WorldRows:
    """Return what the rows of the workbook say about the map; no places if it has none."""
    form = next((form for form in book.forms if isinstance(form, MapForm)), None)
    return form.world(open_database(book.snapshot, [form])) if form else WorldRows()


def open_world(session: Session, book: OpenWorkbook) -> GameMap | None:
    """Return the map of the game; None if no place has a pixel.

    Raises:
        BadMap: The drawing is missing, or cannot be used.
    """
    rows = world_rows(book)
    if not rows.places:
        return None
    from sheets_algo.pictures.areas import areas_of  # numpy and Pillow: most passes draw no map

    folders = [folder for folder in (session.own_maps, session.library.maps_folder) if folder]
    drawing = read_world(world_file(session.world_map, folders))
    return GameMap(rows, drawing, areas_of(drawing, rows.places))


def world_problems(session: Session, book: OpenWorkbook) -> Iterator[Problem]:
    """Yield a warning for each place whose area is not as its row says; none of them holds a ruling."""
    rows = world_rows(book)
    for row in rows.rows.values():
        blank = [attribute for attribute in ("map_x", "map_y") if row.is_blank(attribute)]
        if len(blank) == 1:
            yield row.warning(blank[0], "MAP-09", "one of Map X and Map Y is blank")
    try:
        world = open_world(session, book)
    except BadMap as error:
        yield rows.rows[rows.places[0].name].warning("map_x", "MAP-09", str(error).removesuffix("."))
        return
    for name, fault in world.areas.faults.items() if world else ():
        yield rows.rows[name].warning("map_x", "MAP-09", fault)
