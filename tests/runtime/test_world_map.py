"""The map of the game by commands: what check warns of, the tab World Map, and the map of any year (MAP-09)."""

from __future__ import annotations

import base64
import json
import sys
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from PIL import Image

from scripts.support.moderator import BOOK, Moderator, only, season, write
from sheets_algo.commands.opening import new_session
from sheets_algo.posting.content import PostExtras, receipt_post
from sheets_algo.runtime.session.session import opened
from sheets_algo.runtime.session.world import GameMap, holders_after, world_rows
from sheets_algo.workbook.stores import find

PIXELS = {"York and the Ouse": (50, 50), "Southeast England": (150, 50)}


@pytest.fixture
def moderator(tmp_path: Path, home: Path) -> Moderator:
    """A war for the southeast of England, on a map of two islands."""
    player = Moderator(tmp_path / "game", home)
    player.folder.mkdir()
    rows: dict[str, Any] = {**only(season(), "W-0002")}
    for row in rows["Locations"]:
        x, y = PIXELS.get(row["Name"], (None, None))
        row |= {"Map X": x, "Map Y": y, "Owner": "England" if x else None, "Occupied By": None}
    write(player.book, rows)
    drawing = Image.new("RGB", (200, 100), (200, 220, 235))
    for left in (20, 120):
        drawing.paste("black", (left, 20, left + 60, 80))
        drawing.paste("white", (left + 2, 22, left + 58, 78))
    drawing.save(player.folder / "island.png")
    (player.folder / "sheets-algo.toml").write_text('world_map = "island.png"')
    return player


def test_the_tab_shows_the_map_after_changes_of_land_in_any_year(moderator: Moderator) -> None:
    checked = moderator.types("check", BOOK).out
    assert checked.splitlines()[-1] == "No problems.", checked
    assert moderator.types("run", BOOK).code == 0

    book = openpyxl.load_workbook(moderator.book)
    row = next(row for row in book["Locations"].iter_rows(values_only=True) if row[0] == "Southeast England")
    assert "Normandy" in row
    assert len(book["World Map"]._images) == 1  # type: ignore[attr-defined]
    pictures = []
    for year in ("1066", "1065"):
        [file] = [line for line in moderator.types("season", BOOK, "--map", year).out.splitlines() if "map  " in line]
        with Image.open(moderator.folder / file.removeprefix("map").strip()) as picture:
            pictures.append(picture.convert("RGB").crop((0, 100, 1000, 500)).tobytes())
    assert pictures[0] != pictures[1]


KEEP = "import sys; open(sys.argv[1], 'wb').write(sys.stdin.buffer.read()); print('kept')"
"""A program that keeps the post that it is given."""


def test_a_post_shows_the_map_as_the_ruling_left_it_where_land_changes_hands(moderator: Moderator) -> None:
    settings, channels = moderator.folder / "sheets-algo.toml", []
    for name, options in (("battle", ""), ("world", "map = true\n")):
        command = json.dumps([sys.executable, "-c", KEEP, f"{name}.json"])
        channels.append(f'[[post]]\nname = "{name}"\nto = "command"\ncommand = {command}\n{options}')
    settings.write_text("\n".join([settings.read_text(), *channels]))
    assert moderator.types("run", BOOK, "--no-post").code == 0
    [file] = [line for line in moderator.types("season", BOOK, "--map", "1066").out.splitlines() if "map  " in line]
    assert moderator.types("post", BOOK).code == 0

    def land(picture: Image.Image) -> bytes:
        island = (picture.width // 2, 100, picture.width, picture.height - 120)
        return picture.convert("RGB").crop(island).tobytes()

    posted = {}
    for name in ("battle", "world"):
        png = base64.b64decode(json.loads((moderator.folder / f"{name}.json").read_text())["picture"])
        posted[name] = Image.open(BytesIO(png))
    with Image.open(moderator.folder / file.removeprefix("map").strip()) as drawn:
        assert posted["world"].size == drawn.size != posted["battle"].size
        assert land(posted["world"]) == land(drawn)


@pytest.mark.parametrize("inputs", ["no JSON", "[]", ""])
def test_a_post_shows_the_map_despite_edited_inputs(moderator: Moderator, inputs: str) -> None:
    assert moderator.types("run", BOOK).code == 0
    session = new_session(workbook=find(str(moderator.book)), config=moderator.config)
    book = opened(session)
    ruling = book.receipts.ruling_of("W-0002")
    assert ruling is not None
    world = GameMap(world_rows(book), moderator.folder / "island.png")
    post = receipt_post(book, replace(ruling, inputs=inputs), PostExtras(world=world))
    assert post.picture.startswith(b"\x89PNG")


def test_what_a_ruling_left_is_known_after_it_is_undone(moderator: Moderator) -> None:
    assert moderator.types("run", BOOK).code == 0
    assert moderator.types("undo", BOOK, "W-0002").code == 0
    book = opened(new_session(workbook=find(str(moderator.book)), config=moderator.config))
    ruling = book.receipts.ruling_of("W-0002")
    assert ruling is not None
    rows = world_rows(book)
    left = holders_after(rows, ruling, book.receipts)
    assert (left["Southeast England"], rows.holders["Southeast England"]) == (("England", "Normandy"), ("England", ""))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "island.png is empty; a map of the game must be a PNG."),
        (b"\xff\xd8\xff\xe0", "island.png is a JPEG picture; a map of the game must be a PNG."),
        (None, 'There is no map of the game "island.png": put the PNG into '),
    ],
    ids=["empty", "JPEG", "missing"],
)
def test_a_bad_drawing_is_a_warning_and_blocks_no_ruling(
    moderator: Moderator, content: bytes | None, says: str
) -> None:
    file = moderator.folder / "island.png"
    file.unlink()
    if content is not None:
        file.write_bytes(content)

    checked = moderator.types("check", BOOK)

    assert says in checked.out
    assert checked.out.splitlines()[-1] == "0 errors, 1 warning."
    assert moderator.types("run", BOOK).code == 0
    drawn = moderator.types("season", BOOK, "--map", "1066")
    assert (drawn.code, says in drawn.err) == (2, True)
