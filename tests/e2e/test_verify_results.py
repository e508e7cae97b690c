"""The three results of `verify`: equal, different, and cannot be computed, which says nothing about the receipt."""

from __future__ import annotations

import json
import shutil
from html import escape
from pathlib import Path

import openpyxl
import pytest
from PIL import Image

from scripts.support.moderator import BOOK, SECRET, Moderator, Said, only, season, write
from scripts.support.pinned_tables import WORKSHOP
from tests.helpers.sites import pages_of

WITH_SECRET = {"SHEETS_ALGO_SECRET": SECRET}
OWN_MAP = 'there is no terrain map "Vale" here: name its folder with --maps DIR'


@pytest.fixture(scope="module")
def ruled(tmp_path_factory: pytest.TempPathFactory, home: Path) -> Path:
    """A folder with two wars that were ruled, the first on the moderator's own map."""
    folder = tmp_path_factory.mktemp("ruled")
    rows = only(season(), "W-0001", "W-0002")
    rows["War Requests"][0]["Terrain Map"] = "Vale"
    rows |= {tab: lines for tab, lines in only(season("jousts"), "J-0001").items() if tab not in rows}
    write(folder / BOOK, rows)
    _map(folder / "own", (120, 72, 0))
    said = Moderator(folder, home).types("run", BOOK, "--maps", "own", **WITH_SECRET)
    assert said.code == 0, said.out
    return folder


def _map(folder: Path, colour: tuple[int, int, int]) -> None:
    folder.mkdir()
    Image.new("RGB", (400, 400), colour).save(folder / "Vale.png")


@pytest.fixture
def moderator(ruled: Path, tmp_path: Path, home: Path) -> Moderator:
    """A moderator with a copy of that folder."""
    shutil.copytree(ruled, tmp_path / "game")
    return Moderator(tmp_path / "game", home)


def spoil(book: Path, request: str, header: str, old: str, new: str) -> None:
    """Change a text in the receipt of a request."""
    workbook = openpyxl.load_workbook(book)
    heads, *rows = workbook["Receipts"].iter_rows()
    column = {cell.value: cell.column - 1 for cell in heads}
    (row,) = (row for row in rows if row[column["Request"]].value == request and row[column["Part"]].value == 1)
    assert old in row[column[header]].value
    row[column[header]].value = row[column[header]].value.replace(old, new)
    row[column[header]].data_type = "s"
    workbook.save(book)


def results(said: Said) -> dict[str, str]:
    """What `--json` says of each request."""
    return {receipt["request"]: receipt["result"] for receipt in said.data["receipts"]}


def test_without_its_map_a_war_cannot_be_computed_and_the_option_is_named(moderator: Moderator) -> None:
    """RCP-11: it used to be called different, which is what a forgery is called."""
    with_maps = moderator.types("verify", BOOK, "--maps", "own", **WITH_SECRET)
    assert (with_maps.code, with_maps.out.splitlines()[-1]) == (0, "3 of 3 receipts equal.")

    without = moderator.types("verify", BOOK, "--html", "page.html", **WITH_SECRET)

    assert without.code == 2
    assert [line.strip() for line in without.out.splitlines() if "W-0001" in line or "Vale" in line] == [
        "2 W-0001   cannot be computed",
        OWN_MAP,
    ]
    assert without.out.splitlines()[-1] == "2 of 3 receipts equal, 1 cannot be computed."
    page = (moderator.folder / "page.html").read_text("utf-8")
    assert '<span class="badge cannot-be-computed">? cannot be computed</span> <strong>W-0001' in page
    assert f"<p>{escape(OWN_MAP)}</p>" in page
    data = moderator.types("verify", BOOK, "--json", **WITH_SECRET).data
    assert (data["result"], data["exit_code"]) == ("cannot be computed", 2)
    war = data["receipts"][0]
    assert (war["equal"], war["differences"]) == (False, [])
    assert war["missing"] == [{"text": OWN_MAP, "needs": "--maps DIR"}]
    for words in (("replay", BOOK, "W-0001"), ("forecast", BOOK, "W-0001")):
        refused = moderator.types(*words)
        assert (refused.code, OWN_MAP in refused.err) == (2, True)


def test_a_changed_map_is_not_blamed_on_the_receipt(moderator: Moderator) -> None:
    _map(moderator.folder / "other", (0, 0, 255))

    said = moderator.types("verify", BOOK, "W-0001", "--maps", "other", **WITH_SECRET)

    assert said.code == 2
    assert 'the terrain map "Vale" here is another picture than the one this war was fought on' in said.out
    assert said.out.splitlines()[-1] == "0 of 1 receipt equal, 1 cannot be computed."
    (moderator.folder / "other/Vale.png").write_bytes(b"\x89PNG")
    spoilt = moderator.types("verify", BOOK, "W-0001", "--maps", "other", **WITH_SECRET)
    assert spoilt.code == 2
    assert "Vale.png is not a picture; a terrain map must be a PNG: name another folder with --maps DIR" in spoilt.out


@pytest.mark.parametrize("change", ["a number", "a word"])
def test_under_other_tables_a_war_cannot_be_computed(moderator: Moderator, change: str) -> None:
    """A word of the inputs that the tables lack used to end verify with a traceback."""
    tables = moderator.folder / "config/tables/autoalgo"
    shutil.copytree(WORKSHOP / "tables/autoalgo", tables)
    if change == "a number":
        constants = json.loads((tables / "constants.json").read_text("utf-8"))
        constants["UNIT-11"]["training_scale"] = 20
        (tables / "constants.json").write_text(json.dumps(constants), "utf-8")
    else:
        for file in tables.iterdir():
            file.write_text(file.read_text("utf-8").replace('"Medieval"', '"Middle Ages"'), "utf-8")
    wars = ("W-0001", "W-0002")

    said = moderator.types("verify", BOOK, *wars, "--maps", "own", "--config", "config", "--json", **WITH_SECRET)

    assert (said.code, results(said)) == (2, dict.fromkeys(wars, "cannot be computed"))
    (missing,) = said.data["receipts"][1]["missing"]
    assert missing["needs"] == "--config DIR"
    assert missing["text"].startswith("the tables here are not those that it was ruled with (Rules Fingerprint ")
    checked = moderator.types("check", BOOK, "--maps", "own", "--config", "config")
    assert "was ruled by other tables than those here" in checked.out
    assert "or if they have another format, use the program that ruled it. [RCP-11]" in checked.out
    for command in ("replay", "explain"):
        refused = moderator.types(command, BOOK, "W-0002", "--maps", "own", "--config", "config")
        assert (refused.code, refused.out) == (2, "")
        assert "cannot be played again: the tables here are not those that it was ruled with" in refused.err


@pytest.mark.parametrize(
    ("header", "old", "new", "says"),
    [
        ("Inputs", '"name":"Vale"', '"name":"Hill"', "its inputs are not those whose fingerprint it has"),
        ("Seed Source", "season", "me", 'the seed source "me" is neither season nor given'),
        ("Seed", "", "1", "the seed is not the one that the season secret gives for these inputs"),
    ],
)
def test_an_edited_receipt_is_different_even_without_its_map(
    moderator: Moderator, header: str, old: str, new: str, says: str
) -> None:
    spoil(moderator.book, "W-0001", header, old, new)

    said = moderator.types("verify", BOOK, "W-0001", **WITH_SECRET)

    assert said.code == 1
    lines = [line.strip() for line in said.out.splitlines()]
    assert lines[0].startswith("2 W-0001   DIFFERENT")
    assert says in lines
    assert lines[-1].endswith("equal, 1 different.") or "season secret at hand" in lines[1]


def test_an_edited_result_is_different_and_a_missing_tab_is_reported(moderator: Moderator) -> None:
    spoil(moderator.book, "W-0002", "Receipt", "Hastings", "Hustings")
    workbook = openpyxl.load_workbook(moderator.book)
    del workbook["Joust Requests"]
    workbook.save(moderator.book)

    said = moderator.types("verify", BOOK, "--json", **WITH_SECRET)

    assert said.code == 1
    assert results(said) == {"W-0001": "cannot be computed", "W-0002": "different", "J-0001": "cannot be computed"}
    assert said.data["receipts"][-1]["missing"][0]["text"].startswith("the request tab of jousts is missing")
    assert moderator.types("verify", BOOK, **WITH_SECRET).out.splitlines()[-1] == (
        "Each receipt for itself: 0 of 3 receipts equal, 1 different, 2 cannot be computed."
    )


def test_the_site_reports_the_same_until_the_map_exists(moderator: Moderator) -> None:
    words = ("season", BOOK, "--site", "public", "--verify")
    site, page = moderator.folder / "public", "wars/w-0001.html"

    assert moderator.types(*words, **WITH_SECRET).code == 0
    assert f"Cannot be computed: {OWN_MAP}." in pages_of(site)[page].text

    assert moderator.types(*words, "--maps", "own", **WITH_SECRET).code == 0
    assert "Equal: the same inputs and seed give this receipt again." in pages_of(site)[page].text


def test_a_missing_map_is_reported_with_the_searched_folder(moderator):
    (moderator.folder / "valleys").mkdir()
    rows = season()
    rows["War Requests"][0]["Terrain Map"] = "Vale"
    write(moderator.book, rows)
    said = moderator.types("check", BOOK, "--maps", "valleys")
    assert 'Terrain Map): "Vale" is not allowed. Use Channel, ' in said.out
    assert "or Sea; own maps were looked for in the folder valleys (--maps, or the setting maps). [WAR-09]" in said.out


def delete(book: Path, seq: int, *, is_thorough: bool) -> None:
    """Delete a receipt; a thorough person also deletes its lines of the Log and what the row of the war shows."""
    workbook = openpyxl.load_workbook(book)
    heads, *receipts = workbook["Receipts"].iter_rows(values_only=True)
    request = next(row[heads.index("Request")] for row in receipts if row[0] == seq)
    for tab in ("Receipts", "Log") if is_thorough else ("Receipts",):
        for row in reversed(range(2, workbook[tab].max_row + 1)):
            if workbook[tab].cell(row, 1).value == seq:
                workbook[tab].delete_rows(row)
    for tab in ("War Requests", "Joust Requests") if is_thorough else ():
        heads, *rows = workbook[tab].iter_rows()
        for row in rows:
            for head, cell in zip(heads, row, strict=True):
                is_told = row[0].value == request and head.value in ("Ruled At", "Status", "Message")
                cell.value = None if is_told else cell.value
    workbook.save(book)


def test_rcp_19_a_player_detects_a_deleted_ruling_in_his_file(moderator: Moderator, tmp_path: Path) -> None:
    """Numbers and links tell of one in the middle; Log and rows of the last one; then only a head that was noted."""
    head = (
        moderator.types("verify", BOOK, "--maps", "own").out.partition("The head of the receipts is ")[2].split(";")[0]
    )
    game = moderator.folder

    def found(seq: int, *words: str, is_thorough: bool = False) -> Said:
        player = Moderator(tmp_path / f"player {seq} {is_thorough} {len(words)}", tmp_path / "home of the player")
        player.folder.mkdir()
        shutil.copy(game / BOOK, player.folder / BOOK)
        delete(player.folder / BOOK, seq, is_thorough=is_thorough)
        return player.types("verify", BOOK, "--maps", str(game / "own"), *words)

    middle = found(3, is_thorough=True)
    assert (middle.code, "Receipts: receipt 3 is gone; " in middle.out) == (1, True)
    last = found(4)
    assert last.code == 1
    assert "Log has lines of receipt 4 (J-0001), which is gone. 'Joust Requests'!" in last.out
    assert "(J-0001) shows a ruling of " in last.out
    assert found(4, is_thorough=True).code == 0
    noted = found(4, "--head", head, is_thorough=True)
    assert (noted.code, f"No receipt has the head {head}" in noted.out) == (1, True)
