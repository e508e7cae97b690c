"""The places of the map of the game, as the page knows them on which their pixels are clicked (MAP-09)."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import ExpectedError
from sheets_algo.boards.board_rows import EditedMeanwhile
from sheets_algo.config.maps import BadMap, read_world
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.changes import Changes
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.capabilities import MapForm
from sheets_algo.forms.databases import open_database
from sheets_algo.runtime.session.session import OpenWorkbook, Session
from sheets_algo.runtime.session.world import world_drawing

PIXEL = ("map_x", "map_y")
Pixel = tuple[int, int] | None


class NoPlaces(ExpectedError):
    """A workbook without places that a map could show."""

    exit_code = 1


def picker_data(session: Session, book: OpenWorkbook) -> dict[str, Any]:
    """Return the data of the page: the drawing, its size, and each place with the texts of its two cells.

    Raises:
        BadMap: The drawing is missing or damaged.
        NoPlaces: No row could have a pixel.
    """
    table = _table(book)
    file = world_drawing(session)
    height, width = read_world(file).shape[:2]
    try:
        drawing = base64.b64encode(file.read_bytes()).decode()
    except OSError as error:
        raise BadMap(f"{file.name} cannot be read ({error.strerror}).") from error
    rows = [row for row in table if row.name]
    return {
        "title": session.workbook.name,
        "drawing": f"data:image/png;base64,{drawing}",
        "size": [width, height],
        "places": [{"row": row.number, "name": row.name, "before": _texts(row)} for row in rows],
        "cell": str(rows[0].cell("map_x")),
    }


def pixel_changes(book: OpenWorkbook, before: Mapping[str, Sequence[str]], after: Mapping[str, Pixel]) -> Changes:
    """Return the changes that type pixels, by the name of the place; None empties both cells.

    Args:
        before: The texts of the two cells as the page read them, by the name of the place.

    Raises:
        EditedMeanwhile: A cell has changed since, or its place is gone.
        NoPlaces: No row could have a pixel.
    """
    changes, table = Changes(), _table(book)
    rows = {row.name: row for row in table}
    for name, pixel in after.items():
        if (row := rows.get(name)) is None:
            raise EditedMeanwhile(f"{table.title}: {name} is gone; nothing is saved. Load the page again.")
        if _texts(row) != list(before.get(name, ())):
            raise EditedMeanwhile(
                f"{row.cell('map_x')}: somebody changed the pixel of {name} meanwhile; nothing is saved. Load the page"
                " again."
            )
        for attribute, value in zip(PIXEL, pixel or (None, None), strict=True):
            changes.set(row, attribute, value)
    return changes


def _table(book: OpenWorkbook) -> Table:
    form = next((form for form in book.forms if isinstance(form, MapForm)), None)
    table = form.place_table(open_database(book.snapshot, [form])) if form else None
    if table is None or not any(row.name for row in table):
        raise NoPlaces("There is no place yet: fill in a row of Locations.")
    if not set(PIXEL) <= table.places.keys():
        raise NoPlaces(
            f"{table.title} has no columns Map X and Map Y: type both headers into free cells of its row"
            f" {table.header_row}."
        )
    return table


def _texts(row: Row) -> list[str]:
    return [as_text(row.value(attribute)) for attribute in PIXEL]
