"""A moderator's own maps: `init --maps` names their folder, and later commands know it."""

from __future__ import annotations

import json
from pathlib import Path

import openpyxl
from PIL import Image

from scripts.support.moderator import BOOK, shown

FILE = "sheets-algo.toml"
FIRST_TRY = {"War": "First try", "Year": 1200, "Terrain Map": "Vale", "Ready": True}
FIRST_TRY |= dict.fromkeys(("Attacker", "Defender", "Location"), "default")


def draw(folder: Path) -> None:
    folder.mkdir(parents=True)
    Image.new("RGB", (400, 400), (120, 72, 0)).save(folder / "Vale.png")


def enter(book: Path) -> None:
    """Enter a war on the map Vale."""
    workbook = openpyxl.load_workbook(book)
    sheet = workbook["War Requests"]
    for cell in sheet[1]:
        if cell.value in FIRST_TRY:
            sheet.cell(2, cell.column, FIRST_TRY[cell.value])
    workbook.save(book)


def test_a_war_on_a_map_of_the_configured_folder_needs_no_option(moderator):
    """From another folder too: the setting is beside the workbook, and its path counts from there."""
    draw(moderator.folder / "game" / "my maps")
    book = Path("game", BOOK)

    made = moderator.types("init", "--empty", "--maps", "game/my maps", book)
    again = moderator.types("init", "--maps", "game/my maps", book)
    enter(moderator.folder / book)

    known = 'has the setting maps = "my maps", so that later commands know the folder.'
    assert made.out.splitlines()[-1] == f"game/{FILE} {known}"
    assert again.out == f"Nothing to do: {BOOK} has every tab.\n"
    assert (moderator.folder / "game" / FILE).read_text() == 'maps = "my maps"\n'
    assert moderator.types("check", book).out.endswith("No problems.\n")
    assert "1 request ruled" in moderator.types("run", book).out


def test_other_settings_stay_and_a_distant_folder_is_named_by_its_whole_path(moderator, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("other") / "elsewhere"
    draw(elsewhere)
    (moderator.folder / FILE).write_bytes(b"# ours\r\nlog_lines = 90")

    tried = moderator.types("init", "--empty", "--dry-run", "--maps", elsewhere, BOOK)
    before = (moderator.folder / FILE).read_bytes()
    made = moderator.types("init", "--empty", "--json", "--maps", elsewhere, BOOK)

    line = f'maps = "{elsewhere}"'
    assert f"{FILE} would get the setting {line}, " in tried.out
    assert before == b"# ours\r\nlog_lines = 90"
    assert made.data["settings_file"] == FILE
    assert (moderator.folder / FILE).read_bytes() == before + f"\n{line}\n".encode()


def test_a_configured_folder_is_not_replaced(moderator):
    draw(moderator.folder / "old")
    draw(moderator.folder / "new")
    (moderator.folder / FILE).write_text('maps = "old"\n')

    said = moderator.types("init", "--empty", "--maps", "new", BOOK)

    says = f'{FILE} names another folder of maps, old, and stays as it is. For this one, write there: maps = "new"'
    assert said.out.splitlines()[-1] == says
    assert (moderator.folder / FILE).read_text() == 'maps = "old"\n'


def test_the_current_folder_keeps_the_setting_of_a_spreadsheet(online):
    draw(online.moderator.folder / "own")
    id = online.make({"War Requests": [{"Request": "W-0001"} | FIRST_TRY]})

    said = online.types("init", "--empty", "--maps", "own", id)

    known = 'has the setting maps = "own", so that later commands that are typed in this folder know the folder.'
    assert said.out.splitlines()[-1] == f"{FILE} {known}"
    assert (online.moderator.folder / FILE).read_text().splitlines()[-1] == 'maps = "own"'
    assert online.types("check", id).out.endswith("No problems.\n")


def test_an_unusable_picture_stops_no_board(moderator):
    folder = moderator.folder / "my maps"
    draw(folder)
    (folder / "Broken.png").write_bytes((folder / "Vale.png").read_bytes()[:90])
    Image.new("RGB", (40, 40)).save(folder / "Photo.png", "JPEG")
    moderator.types("init", "--maps", "my maps", BOOK)

    assert moderator.types("board", BOOK, "W-0001", "--html", "board.html").code == 0

    page = (moderator.folder / "board.html").read_text()
    data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    maps = {each["name"]: (bool(each["codes"]), each["why"]) for each in data["maps"]}
    assert maps["Broken"] == (False, "Broken.png is damaged or cut short and cannot be used as a terrain map")
    assert maps["Photo"] == (False, "Photo.png is a JPEG picture; a terrain map must be a PNG")
    assert maps["Vale"] == (True, "")


def test_map_04_a_map_that_replaces_a_released_one_is_named_with_both_digests(moderator):
    """A battle on other ground under a known name looked like one on the release's."""
    draw(moderator.folder / "maps")
    (moderator.folder / "maps" / "Vale.png").rename(moderator.folder / "maps" / "Plain.png")
    moderator.types("init", "--empty", "--maps", "maps", BOOK)
    enter(moderator.folder / BOOK)
    workbook = openpyxl.load_workbook(moderator.folder / BOOK)
    headers = [cell.value for cell in workbook["War Requests"][1]]
    workbook["War Requests"].cell(2, headers.index("Terrain Map") + 1, "Plain")
    workbook.save(moderator.folder / BOOK)
    assert "1 request ruled" in moderator.types("run", BOOK).out

    verified = moderator.types("verify", BOOK)

    assert "1 of 1 receipt equal." in verified.out
    line = next(line for line in verified.out.splitlines() if line.startswith("autoalgo: map Plain: "))
    assert ", in the release " in line
    receipts = [row["Receipt"] for row in shown(moderator.folder / BOOK, "Receipts")]
    assert "map Plain: " in receipts[0]
    assert "=== Decided by people ===\n* Fought on a map of the season's own: map Plain: " in receipts[1]
    assert "1 on maps of the season's own (W-0001)" in verified.out
