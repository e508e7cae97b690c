"""A picture as coloured cells: every cell gets its colour, what stood there goes, and one request holds it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from sheets_algo.workbook.base import Mosaic, Picture
from sheets_algo.workbook.google.cell_pictures import rectangles, requests
from sheets_algo.workbook.google.styles import colour, ink_on
from tests.sheets_server.server import LocalSheets

MOST = 2_000_000
WHITE, SEA, CYAN = "FFFFFF", "73A4FF", "00FFFF"


def kinds(made: Sequence[dict[str, Any]]) -> list[str]:
    return [kind for request in made for kind in request]


def picture(*mosaics: Mosaic) -> Picture:
    return Picture("Battle Map", b"", title="Hastings", mosaics=mosaics, legend=((CYAN, "Attacker"), (SEA, "Water")))


def noise(seed: int, colours: Sequence[str], size: int = 100) -> Mosaic:
    dice = random.Random(seed)
    cells = [[dice.choice(colours) for _ in range(size)] for _ in range(size)]
    return Mosaic("Noise", cells, {(row, 5): f"Flank {row}" for row in range(99)})


@pytest.mark.parametrize(
    "colours",
    [
        [f"{red:02X}{green:02X}{blue:02X}" for red in (100, 129) for green in (77, 202) for blue in (55, 254)],
        [WHITE, SEA],
        [WHITE],
    ],
    ids=["eight colours", "two", "one"],
)
def test_two_maps_of_the_worst_ground_are_below_two_megabytes(colours: list[str]) -> None:
    made = requests(7, 1000, 26, picture(noise(1, colours), noise(2, colours)))

    assert len(json.dumps({"requests": made})) < MOST


def test_ground_in_large_pieces_takes_few_requests() -> None:
    """A sea of 30 rows above land, a lake of 10 by 10 in it: 1 + the land's 4 pieces around the lake + the lake."""
    land = [[WHITE] * 64 for _ in range(34)]
    for row in land[10:20]:
        row[20:30] = [SEA] * 10
    colours = [[SEA] * 64] * 30 + land

    pieces = rectangles(colours)

    assert sorted(pieces) == [
        (0, 30, 0, 64, SEA),
        (30, 40, 0, 64, WHITE),
        (40, 50, 0, 20, WHITE),
        (40, 50, 20, 30, SEA),
        (40, 50, 30, 64, WHITE),
        (50, 64, 0, 64, WHITE),
    ]


@pytest.mark.parametrize("seed", range(5))
def test_rectangles_cover_every_cell_once(seed: int) -> None:
    colours = noise(seed, [WHITE, SEA, CYAN], 20).colours
    covered: dict[tuple[int, int], str] = {}
    for top, bottom, start, end, rgb in rectangles(colours):
        for cell in ((row, column) for row in range(top, bottom) for column in range(start, end)):
            assert cell not in covered
            covered[cell] = rgb

    assert covered == {(row, column): colours[row][column] for row in range(20) for column in range(20)}


def test_every_level_survives_both_ways_of_making_eight_bits_of_a_share() -> None:
    """0.5 comes back as 127 / 255: cut off, not rounded."""
    shares = [colour(f"00{level:02X}00").get("green", 0) for level in range(256)]

    assert [int(share * 255) for share in shares] == [round(share * 255) for share in shares] == [*range(256)]


def test_ink_reads_on_every_side_and_ground() -> None:
    assert [ink_on(rgb) for rgb in (WHITE, SEA, CYAN, "FF0000")] == ["000000"] * 4
    assert [ink_on(rgb) for rgb in ("000000", "730000", "007373", "C80000")] == ["FFFFFF"] * 4


def test_labels_are_texts_whatever_they_begin_with() -> None:
    made = requests(
        7, 1000, 26, Picture("Battle Map", b"", title="=1+1", mosaics=(Mosaic("a", [[WHITE]], {(0, 0): "=2"}),))
    )

    written = [
        cell["userEnteredValue"]
        for request in made
        for row in request.get("updateCells", {}).get("rows", ())
        for cell in row["values"]
        if "userEnteredValue" in cell
    ]
    assert written == [{"stringValue": "=1+1"}, {"stringValue": "a"}, {"stringValue": "=2"}]


def test_a_grid_of_the_right_size_is_not_sized_again() -> None:
    battle_map = picture(Mosaic("Before", [[WHITE] * 10] * 10))
    first = requests(7, 1000, 26, battle_map)[1]["updateSheetProperties"]
    grid = first["properties"]["gridProperties"]

    again = requests(7, grid["rowCount"], grid["columnCount"], battle_map)[1]["updateSheetProperties"]

    assert "rowCount" in first["fields"]
    assert "rowCount" not in again["fields"]


def test_what_stood_there_goes_before_anything_is_drawn() -> None:
    assert kinds(requests(7, 1000, 26, picture(Mosaic("Before", [[WHITE] * 10] * 10))))[:4] == [
        "unmergeCells",
        "updateSheetProperties",
        "updateCells",
        "updateDimensionProperties",
    ]


@pytest.fixture(scope="module")
def server() -> Iterator[LocalSheets]:
    with LocalSheets() as running:
        yield running


def shown(server: LocalSheets, id: str) -> dict[str, Any]:
    sheet: dict[str, Any] = server.show(id, include_grid_data=True)["sheets"][0]
    return sheet


def cells(sheet: dict[str, Any]) -> list[list[dict[str, Any]]]:
    return [row.get("values", []) for row in sheet["data"][0]["rowData"]]


def painted(cell: dict[str, Any]) -> str:
    found = cell.get("userEnteredFormat", {}).get("backgroundColor", {"red": 1, "green": 1, "blue": 1})
    return "".join(f"{round(found.get(part, 0) * 255):02X}" for part in ("red", "green", "blue"))


def words(cell: dict[str, Any]) -> str:
    said: str = cell.get("userEnteredValue", {}).get("stringValue", "")
    return said


@pytest.mark.parametrize("ground", ["pieces", "noise"])
def test_a_tab_shows_exactly_the_picture_whatever_stood_there(server: LocalSheets, ground: str) -> None:
    sea = [[SEA] * 30 for _ in range(20)]
    sea[4][4:7] = [CYAN] * 3
    first = Mosaic("Before", sea, {(4, 7): "Left"})
    second = first if ground == "pieces" else noise(3, [WHITE, SEA, CYAN, "FF0000"], 99)
    battle_map = Picture("Battle Map", b"", title="=Hastings", mosaics=(first, second), legend=((CYAN, "Attacker"),))
    id = server.make("Game", {"Battle Map": [["what stood"] * 40] * 200})
    tab = server.tabs(id)["Battle Map"]
    yellow = {"userEnteredFormat": {"backgroundColor": {"red": 1, "green": 1}}}
    merged = {"sheetId": tab, "startRowIndex": 2, "endRowIndex": 9, "startColumnIndex": 2, "endColumnIndex": 9}
    server.user(
        id,
        [
            {"repeatCell": {"range": {"sheetId": tab}, "cell": yellow, "fields": "userEnteredFormat"}},
            {"mergeCells": {"range": merged, "mergeType": "MERGE_ALL"}},
        ],
    )
    grid = shown(server, id)["properties"]["gridProperties"]

    server.user(id, requests(tab, grid["rowCount"], grid["columnCount"], battle_map))

    sheet = shown(server, id)
    made = cells(sheet)
    assert "merges" not in sheet
    for left, mosaic in ((0, first), (36, second)):
        for row, colours in enumerate(mosaic.colours, start=2):
            found = made[row][left : left + len(colours)]
            assert [painted(cell) for cell in found] == list(colours)
    texts = {(row, column): words(cell) for row, line in enumerate(made) for column, cell in enumerate(line)}
    marked = {(row + 2, column + 36): label for (row, column), label in second.marks.items()}
    legend = len(second.colours) + 3
    assert {place: text for place, text in texts.items() if text} == {
        (0, 0): "=Hastings",
        (1, 0): "Before",
        (1, 36): second.title,
        (6, 7): "Left",
        **marked,
        (legend, 4): "Attacker",
    }
    assert [painted(cell) for cell in made[legend][:3]] == [CYAN] * 3

    grid = sheet["properties"]["gridProperties"]
    server.user(id, requests(tab, grid["rowCount"], grid["columnCount"], battle_map))
    assert shown(server, id) == sheet
