"""The places of the map of the game, as the rows of Locations give them (MAP-09)."""

from __future__ import annotations

from scripts.support.workbooks import example, forms, grids, read
from sheets_algo.forms.capabilities import MapForm
from sheets_algo.forms.databases import open_database
from sheets_algo.workbook.memory import MemoryWorkbook


def test_map_09_only_rows_that_name_a_pixel_or_a_holder_are_read() -> None:
    """A workbook with 50,000 rows of junk was checked in half a minute, since all were read for the map, twice."""
    rows = example("1066")
    rows["Locations"] += [{"Name": f"Parish {number}", "Climate": "junk"} for number in range(500)]
    rows["Locations"] += [{"Name": "York", "Map X": 7, "Map Y": 9}, {"Name": "Kent", "Owner": "England"}]
    [form] = [form for form in forms() if isinstance(form, MapForm)]
    database = open_database(read(MemoryWorkbook(grids(rows))), [form])

    world = form.world(database)

    assert ([place.name for place in world.places], world.holders["Kent"]) == (["York"], ("England", ""))
    assert len(database.rows_read) < 20
