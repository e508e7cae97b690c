"""A workbook in which people have tabs of their own with names of the program's (DB-04)."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
from zipfile import ZipFile

import openpyxl
import pytest

from scripts.support.moderator import BOOK, COMMAND, shown, write_grids
from tests.helpers.tabs import key

PEOPLES = {
    "Nations": [["Name", "Player", "Gold"], ["Aland", "Anna", 50], ["Borland", "Bo", 20]],
    "Units": [["Name", "Speed", "Power", "Defense", "Cost"], ["Spearman", 9, 99, 99, 12]],
    "Leaders": [["Leader", "House"], ["Anna", "Aland"]],
    "Turns": [["Week", "Weather"], [1, "rain"]],
    "Log": [["Date", "Note"], ["2026-01-01", "Anna joined"]],
    "Receipts": [["Shop", "Amount"], ["Tea", 3]],
    "Forecasts": [["Week", "Sky"], [1, "grey"]],
    "Battle Map": [["Hex", "Owner"], ["0101", "Aland"]],
    "Lists": [["Colours"], ["red"]],
    "Choices": [["Player", "Vote"], ["Anna", "yes"]],
    "Guide": [["Be nice."], ["Bring tea."]],
    "Pending": [["Task", "State"], ["Write", "open"]],
    "Posts": [["Day", "Words"], ["Monday", "hello"]],
}
MADE = ("Nations", "Units", "Leaders", "Turns", "Log", "Receipts", "Forecasts", "Battle Map")
"""Those of which init makes one for the program."""
GAME = {
    "Nations (algo)": [
        {"Name": name, "Population": 1_000_000, "Year Founded": 900, "Year Crisis": 1000}
        for name in ("Aland", "Borland")
    ],
    "Militaries": [{"Nation": name, "Name": f"{name} Host", "Size": 5000} for name in ("Aland", "Borland")],
    "Locations": [{"Name": "Ford"}],
    "War Requests": [{"War": "W", "Year": 1066, "Attacker": "Aland", "Defender": "Borland", "Location": "Ford"}],
}


def sentence(name):
    return (
        f'The tab "{name}" is not the program\'s: it stays as it is and is not read; the program\'s is "{name} (algo)".'
    )


def parts(path):
    """The content of each tab's part by title, as bytes, in the order of the workbook."""
    titles = openpyxl.load_workbook(path, read_only=True).sheetnames
    with ZipFile(path) as book:
        return {title: book.read(f"xl/worksheets/sheet{number}.xml") for number, title in enumerate(titles, start=1)}


def play(path, game=GAME):
    """Type a war into the program's tabs, ready."""
    book = openpyxl.load_workbook(path)
    for tab, rows in game.items():
        places = {cell.value: cell.column for cell in book[tab][1]}
        for number, row in enumerate(rows, start=2):
            for header, value in (row | ({"Ready": True} if "War" in row else {})).items():
                book[tab].cell(number, places[header]).value = value
    book.save(path)


def test_init_reports_own_tabs_and_adds_the_program_s_beside_them_in_a_file(moderator):
    write_grids(moderator.book, PEOPLES)
    before, files = parts(moderator.book), moderator.files()

    refused = moderator.types("init", "--empty", BOOK)

    assert refused.code == 2
    for name in MADE:
        assert sentence(name) in refused.err
    assert "Add --rename to agree." in refused.err
    assert moderator.files() == files

    made = moderator.types("init", "--empty", "--rename", BOOK)

    assert made.code == 0
    assert {*made.out.splitlines()[: len(MADE)]} == {*map(sentence, MADE)}
    after = parts(moderator.book)
    assert {title: after[title] for title in before} == before
    assert moderator.types("init", BOOK).out == f"Nothing to do: {BOOK} has every tab.\n"
    sources = {
        match
        for title in ("War Requests", "Militaries", "Nations (algo)")
        for match in re.findall(rb"<formula1>([^<]*)</formula1>", after[title])
    }
    assert any(b"'Nations (algo)'!" in source for source in sources)
    assert not any(re.search(rb"(?<![\w'])(Nations|Units|Leaders|Lists|Choices)!", source) for source in sources)
    assert b"'Choices (algo)'!" in after["Choices (algo)"]

    play(moderator.book)
    checked = moderator.types("check", BOOK)
    assert checked.code == 0, checked.out
    for name in MADE:
        assert (
            checked.out.count(f'a tab of your own, of which nothing is read; the program\'s is "{name} (algo)".') == 1
        )
    assert 'Pending: a tab of your own, of which nothing is read; the program makes "Pending (algo)"' in checked.out
    assert checked.out.endswith("No problems.\n")
    assert "ok    tabs         Units: a tab of your own" in moderator.types("doctor", BOOK).out

    values = {name: list(openpyxl.load_workbook(moderator.book)[name].values) for name in PEOPLES}
    assert moderator.types("run", BOOK).code == 0
    assert [row["Kind"] for row in shown(moderator.book, "Receipts (algo)")] == ["Season", "Ruling"]
    assert len(shown(moderator.book, "Log (algo)")) > 10
    assert {name: list(openpyxl.load_workbook(moderator.book)[name].values) for name in PEOPLES} == values
    assert moderator.types("verify", BOOK).code == 0


def test_init_adds_tabs_beside_people_s_own_at_google(online):
    id = online.server.make("Season", PEOPLES)

    def theirs():
        fields = "sheets(properties,data,protectedRanges,conditionalFormats,columnGroups,developerMetadata)"
        return online.server.show(id, fields=fields, ranges=[f"'{title}'" for title in PEOPLES])["sheets"]

    before = theirs()
    refused = online.types("init", "--empty", id)
    assert refused.code == 2
    assert sentence("Units") in refused.err
    assert list(online.server.tabs(id)) == [*PEOPLES]

    made = online.types("init", "--empty", "--rename", id)

    assert made.code == 0, made.err
    assert theirs() == before
    own = {f"{name} (algo)" for name in (*MADE, "Lists", "Choices", "Guide")}
    assert own <= set(online.server.tabs(id))
    assert online.types("init", id).out == "Nothing to do: Season has every tab.\n"

    for tab, rows in GAME.items():
        heads = online.server.tab(id, tab)[0]
        for number, row in enumerate(rows, start=2):
            cells = row | ({"Request": "W-0001", "Ready": True} if tab == "War Requests" else {})
            online.server.type(id, f"'{tab}'!A{number}", [[cells.get(header, "") for header in heads]])
    checked = online.types("check", id)
    assert 'Units: a tab of your own, of which nothing is read; the program\'s is "Units (algo)".' in checked.out
    assert checked.out.endswith("No problems.\n")

    guide = [" ".join(map(str, row)) for row in online.server.tab(id, "Guide (algo)")]
    assert any("the program's are" in line and "Units (algo)" in line for line in guide)

    rename(online, id, "Nations (algo)", "Our realms")
    assert online.types("run", id).code == 0
    assert online.column(id, "Kind", "Receipts (algo)") == ["Season", "Ruling"]
    assert online.column(id, "Stability", "Our realms")[0] != ""
    assert "Pending (algo)" in online.server.tabs(id)
    assert theirs() == before

    helpers = ("Lists (algo)", "Choices (algo)", "Guide (algo)")
    download = {title: online.server.tab(id, title) for title in online.server.tabs(id) if title not in helpers}
    download["Nations (algo)"] = download.pop("Our realms")
    write_grids(online.moderator.folder / "copy.xlsx", download)
    copied = online.moderator.types("check", "copy.xlsx")
    assert 'Nations: a tab of your own, of which nothing is read; the program\'s is "Nations (algo)".' in copied.out
    assert copied.out.endswith("\n0 errors, 1 warning.\n"), "its season secret is elsewhere"


def rename(online, id, title, other):
    """Give a tab another title, as a person does."""
    properties = {"sheetId": online.server.tabs(id)[title], "title": other}
    online.server.user(id, [{"updateSheetProperties": {"properties": properties, "fields": "title"}}])


def test_a_later_tab_of_people_s_own_blocks_its_dependents(moderator):
    """The program's Units was renamed, and a price list has its name now: two facts at once."""
    assert moderator.types("init", "--empty", BOOK).code == 0
    book = openpyxl.load_workbook(moderator.book)
    book["Nations"].title = "Countries"
    book.create_sheet("Nations").append(["Player", "Gold"])
    book["Log"].title = "Old diary"
    book.create_sheet("Log").append(["Date", "Note"])
    book.save(moderator.book)

    checked = moderator.types("check", BOOK)
    assert checked.code == 1
    assert (
        "Nations: has the name, but not the columns, of the program's Nations, so nothing of it is read." in checked.out
    )
    refused = moderator.types("init", "--rename", BOOK)
    assert refused.code == 1
    says = 'the tab "Countries" looks like Nations (algo), which would be made beside it, empty. Rename it to'
    assert f'{says} "Nations (algo)"' in refused.err

    book = openpyxl.load_workbook(moderator.book)
    book["Countries"].title = "Nations (algo)"
    book.save(moderator.book)
    assert moderator.types("init", "--rename", BOOK).out.splitlines()[0] == sentence("Log")
    play(moderator.book)
    assert moderator.types("check", BOOK).code == 0
    assert moderator.types("run", BOOK).code == 0
    assert len(shown(moderator.book, "Log (algo)")) > 10
    assert key("Nations (algo)") == key("nations")


def test_a_workbook_made_for_the_program_begins_with_its_tabs(moderator):
    """Few columns, and some of their own; only the price list is no tab of units."""
    tabs = {
        name.removesuffix(" (algo)"): [[*rows[0], "Notes"], *map(list, map(dict.values, rows))]
        for name, rows in GAME.items()
    }
    tabs["War Requests"] = [
        ["Request", "Ready", *GAME["War Requests"][0]],
        ["W-0001", True, *GAME["War Requests"][0].values()],
    ]
    write_grids(moderator.book, tabs | {"Units": [["Unit", "Price"], ["Spearman", 12]]})
    checked = moderator.types("check", BOOK)
    assert "Type sheets-algo init WORKBOOK first" in checked.out
    assert "Units: has the name, but not the columns, of the program's Units" in checked.out

    made = moderator.types("init", "--rename", BOOK)

    assert made.out.splitlines()[0] == sentence("Units")
    assert made.out.count("is not the program's") == 1
    assert moderator.types("run", BOOK).code == 0
    assert [row["Status"] for row in shown(moderator.book, "War Requests")] == ["Done"]


def test_a_tab_with_the_name_of_another_game_s_requests_adds_no_game(moderator):
    assert moderator.types("init", "--empty", BOOK).code == 0
    book = openpyxl.load_workbook(moderator.book)
    book.create_sheet("Round Requests").append(["Who", "Wants"])
    book.save(moderator.book)

    says = 'a tab of your own, of which nothing is read; the program makes "Round Requests (algo)" when it needs one.'
    assert moderator.types("check", BOOK).out == f"'Round Requests': {says}\nNo problems.\n"
    assert moderator.types("init", BOOK).out == f"Nothing to do: {BOOK} has every tab.\n"


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 2)])
def test_init_asks_for_confirmation_on_a_terminal(moderator, answer, code):
    write_grids(moderator.book, {"Log": PEOPLES["Log"]})
    ours, theirs = pty.openpty()
    words = [COMMAND, "init", "--empty", BOOK]
    streams = {"stdin": theirs, "stdout": subprocess.PIPE, "stderr": theirs}
    process = subprocess.Popen(words, cwd=moderator.folder, env=moderator.environment({}), **streams)
    os.close(theirs)
    said = b""
    while b"[y/N]" not in said:
        assert select.select([ours], [], [], 60)[0], said
        said += os.read(ours, 4096)
    os.write(ours, f"{answer}\n".encode())

    out, _ = process.communicate(timeout=60)

    assert process.returncode == code
    assert sentence("Log") in " ".join(said.decode().split())
    assert ("Log (algo)" in openpyxl.load_workbook(moderator.book).sheetnames) == (code == 0)
    assert (f"{BOOK} is completed" in out.decode()) == (code == 0)
