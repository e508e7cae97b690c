"""A campaign's own sheet: other tabs and headers, which the tab Columns assigns to those of the rules (DB-17)."""

from __future__ import annotations

import openpyxl
import pytest

from scripts.support.moderator import BOOK, shown, write_grids

COUNTRIES = [
    ["Our campaign, 1066"],
    [],
    ["Country", "Player name", "Pop. (k)", "Army (k)", "Founded", "Crisis", "Gold"],
    ["England", "Anna", 1800, 7.5, 927, 1016, 50],
    ["Normandy", "Bo", 700, "8", 911, 1047, 20],
]
PROVINCES = [["Province", "Holder"], ["Sussex", "England"]]
COLUMNS = [
    ["Your Tab", "Your Header", "Tab", "Column", "Factor"],
    ["Countries", "Country", "Nations", "Name"],
    ["Countries", "Country", "Militaries", "Nation"],
    ["Countries", "Country", "Militaries", "Name"],
    ["Countries", "Player name", "Nations", "Player"],
    ["Countries", "Pop. (k)", "Nations", "Population", 1000],
    ["Countries", "Army (k)", "Militaries", "Size", 1000],
    ["Countries", "Founded", "Nations", "Year Founded"],
    ["Countries", "Crisis", "Nations", "Year Crisis"],
    ["Countries", "Gold"],
    ["Provinces", "Province", "Locations", "Name"],
    ["Provinces", "Holder", "Locations", "Owner"],
]
OWN = {"Countries": COUNTRIES, "Provinces": PROVINCES, "Columns": COLUMNS}
WAR = {
    "War": "Hastings",
    "Year": 1066,
    "Attacker": "Normandy",
    "Defender": "England",
    "Location": "Sussex",
    "Ready": True,
}
ARMY, CRISIS, GOLD, STABILITY = 3, 5, 6, 7
"""Places, from 0, in a row of a country."""


def asks(path, **cells):
    """Type a war into a file, ready."""
    book = openpyxl.load_workbook(path)
    sheet = book["War Requests"]
    places = {cell.value: cell.column for cell in sheet[1]}
    for header, value in {**WAR, **cells}.items():
        sheet.cell(2, places[header]).value = value
    book.save(path)


def edit(path, change):
    book = openpyxl.load_workbook(path)
    change(book)
    book.save(path)


def countries(path):
    return [list(row) for row in openpyxl.load_workbook(path)["Countries"].values]


@pytest.fixture
def campaign(moderator):
    """A campaign's file with a war that is ready."""
    write_grids(moderator.book, OWN)
    made = moderator.types("init", BOOK)
    assert made.code == 0, made.err
    assert not {"Nations", "Militaries", "Locations"} & {*openpyxl.load_workbook(moderator.book).sheetnames}
    asks(moderator.book)
    return moderator


def test_db_17_a_war_is_ruled_from_and_into_people_s_own_tabs(campaign):
    before = countries(campaign.book)
    checked = campaign.types("check", BOOK)
    assert checked.out.endswith("No problems.\n"), checked.out
    assert "(8000/8000)" in checked.out, "in thousands, though a text"

    assert campaign.types("run", BOOK).code == 0

    after = countries(campaign.book)
    assert [row[:ARMY] for row in after] == [row[:ARMY] for row in before]
    assert [row[ARMY + 1 : STABILITY] for row in after] == [row[ARMY + 1 : STABILITY] for row in before]
    assert after[2][STABILITY:] == ["Stability"], "the one column that theirs lacked, at the right"
    assert 0 < after[3][ARMY] < 7.5
    assert 0 < float(after[4][ARMY]) < 8
    ruled = campaign.types("verify", BOOK)
    assert (ruled.code, "1 of 1 receipt equal." in ruled.out) == (0, True)
    assert campaign.types("run", BOOK).out.startswith("Nothing"), "exactly once"

    undone = campaign.types("undo", BOOK, "W-0001")
    assert undone.code == 0, undone.err
    assert [float(row[ARMY]) for row in countries(campaign.book)[3:]] == [7.5, 8]


def test_messages_name_people_s_own_tab_and_header(campaign):
    edit(campaign.book, lambda book: book["Countries"].__setitem__("F4", "soon"))
    checked = campaign.types("check", BOOK)
    assert "Countries!F4 (England, Crisis):" in checked.out
    assert "Nations!" not in checked.out


STATES = {
    "a renamed header": (lambda sheet: sheet.__setitem__("D3", "Troops (k)"), 'D3: says "Troops (k)", where the tab'),
    "a header that is gone": (lambda sheet: sheet.delete_cols(6), 'no column "Crisis", where the tab "Columns" has'),
    "another title": (lambda sheet: setattr(sheet, "title", "States"), "Countries: the tab is missing that stands for"),
}


@pytest.mark.parametrize(("change", "says"), STATES.values(), ids=STATES)
def test_a_wrong_mapping_blocks_the_war_and_is_reported(campaign, change, says):
    edit(campaign.book, lambda book: change(book["Countries"]))
    checked, ran = campaign.types("check", BOOK), campaign.types("run", BOOK)
    assert (checked.code, ran.code) == (1, 1)
    assert says in checked.out
    assert "[DB-17]" in checked.out
    assert [row["Kind"] for row in shown(campaign.book, "Receipts")] == ["Season"]


def test_inserted_columns_formulas_and_moved_rows_change_nothing(campaign):
    def change(book):
        sheet = book["Countries"]
        sheet.insert_cols(1)
        sheet.insert_rows(4)
        sheet["D6"] = "=350*2"

    edit(campaign.book, change)
    ran = campaign.types("run", BOOK, "--recalc")
    assert ran.code == 0, ran.out
    assert openpyxl.load_workbook(campaign.book)["Countries"]["D6"].value == "=350*2"


def test_a_formula_among_the_armies_is_not_overwritten(campaign):
    edit(campaign.book, lambda book: book["Countries"].__setitem__("D4", "=15/2"))
    ran = campaign.types("run", BOOK, "--recalc")
    assert "D4" in ran.out + ran.err
    assert openpyxl.load_workbook(campaign.book)["Countries"]["D4"].value == "=15/2"


def test_a_protected_tab_of_people_s_own_is_not_written(campaign):
    edit(campaign.book, lambda book: setattr(book["Countries"].protection, "sheet", True))
    before = countries(campaign.book)
    ran = campaign.types("run", BOOK)
    assert ran.code == 1
    assert "Countries" in ran.out + ran.err
    assert countries(campaign.book) == before
    assert next(row["Status"] for row in shown(campaign.book, "War Requests")) == "Invalid"


SLIPS = {
    "no tab": (["Countries", "Gold", "Nation", "GDP"], '"Nation" is no tab of the rules. Did you mean "Nations"?'),
    "no column": (["Countries", "Gold", "Nations", "Populaton"], 'no column of Nations. Did you mean "Population"?'),
    "two headers": (["Countries", "Gold", "Nations", "Name"], "Nations, Name has a column already (row 2)."),
    "two tabs": (["Provinces", "Holder", "Nations", "Capital"], "Nations is in another tab already."),
    "no number": (["Countries", "Gold", "Nations", "GDP", "many"], "the Factor is no number above 0."),
    "blank": ([None, None, "Nations", "GDP"], "it does not say which tab and header of your own are meant."),
}


@pytest.mark.parametrize(("row", "says"), SLIPS.values(), ids=SLIPS)
def test_a_wrong_row_of_columns_is_refused_with_its_row(campaign, row, says):
    edit(campaign.book, lambda book: book["Columns"].append(row))
    checked = campaign.types("check", BOOK)
    assert checked.code == 1
    assert "Columns!13:13: " in checked.err
    assert says in checked.err
    assert campaign.types("run", BOOK).code == 1


def test_a_tab_called_columns_with_other_content_is_ignored(moderator):
    write_grids(moderator.book, {"Columns": [["Doric", "Ionic"], [1, 2]]})
    assert moderator.types("init", "--empty", BOOK).code == 0
    assert moderator.types("check", BOOK).code == 0


def test_own_headers_work_at_google(online):
    id = online.server.make("Campaign", OWN)
    made = online.types("init", id)
    assert made.code == 0, made.err
    assert not {"Nations", "Militaries", "Locations"} & {*online.server.tabs(id)}
    heads = online.server.tab(id, "War Requests")[0]
    online.server.type(id, "'War Requests'!A2", [[{**WAR, "Request": "W-0001"}.get(header, "") for header in heads]])
    checked = online.types("check", id)
    assert checked.out.endswith("No problems.\n"), checked.out

    properties = {"sheetId": online.server.tabs(id)["Countries"], "title": "States"}
    online.server.user(id, [{"updateSheetProperties": {"properties": properties, "fields": "title"}}])
    assert "Countries: the tab is missing that stands for Nations" in online.types("check", id).out
    properties["title"] = "Countries"
    online.server.user(id, [{"updateSheetProperties": {"properties": properties, "fields": "title"}}])

    ran = online.types("run", id)
    assert ran.code == 0, ran.err
    rows = online.server.tab(id, "Countries")
    assert rows[2][STABILITY] == "Stability"
    assert 0 < float(rows[3][ARMY]) < 7.5
    assert 0 < float(rows[4][ARMY]) < 8
    assert [row[GOLD] for row in rows[2:]] == ["Gold", 50, 20]
    assert online.types("verify", id).code == 0


PROPOSED = """\
Tab Countries looks like Nations and Militaries:
  Country     = Name and Militaries.Nation and Militaries.Name
  Player name = Player
  Pop. (k)    = Population, times 1,000
  Army (k)    = Militaries.Size, times 1,000
  Founded     = Year Founded
  Crisis      = Year Crisis
  1 column stays yours: Gold
Tab Provinces looks like Locations:
  Province = Name
  Holder   = Owner
  Pop      = Local Population
"""
UNASSIGNED = {"Countries": COUNTRIES, "Provinces": [["Province", "Holder", "Pop"], ["Sussex", "England", 90_000]]}


def test_init_proposes_a_mapping_and_writes_it_after_confirmation(moderator):
    write_grids(moderator.book, {**UNASSIGNED, "Rules": [["Be nice."]]})
    files = moderator.files()
    asked = moderator.types("init", BOOK)
    assert (asked.code, moderator.files()) == (2, files)
    assert PROPOSED in asked.err
    assert "Add --yes to take these columns" in asked.err
    assert moderator.types("init", "--dry-run", BOOK).out.startswith(PROPOSED)
    assert moderator.files() == files

    made = moderator.types("init", "--yes", BOOK)

    assert made.code == 0, made.err
    assert made.out.startswith(PROPOSED)
    assert [[cell for cell in row if cell] for row in openpyxl.load_workbook(moderator.book)["Columns"].values][1:] == [
        *COLUMNS[1:10],
        *COLUMNS[10:],
        ["Provinces", "Pop", "Locations", "Local Population"],
    ]
    assert moderator.types("init", BOOK).out == f"Nothing to do: {BOOK} has every tab.\n"
    asks(moderator.book)
    assert moderator.types("run", BOOK).code == 0


def test_init_with_no_leaves_tabs_alone(moderator):
    write_grids(moderator.book, UNASSIGNED)
    made = moderator.types("init", "--no", BOOK)
    assert made.code == 0, made.err
    tabs = openpyxl.load_workbook(moderator.book).sheetnames
    assert "Nations" in tabs
    assert "Columns" not in tabs


def test_missing_columns_of_the_rules_are_added_at_the_right_of_people_s_tab(moderator):
    rows = [row[:5] for row in COUNTRIES[2:]]
    write_grids(moderator.book, {**UNASSIGNED, "Countries": rows})
    made = moderator.types("init", "--yes", BOOK)
    assert "  Added at the right, since the rules need them: Year Crisis\n" in made.out
    assert [row[:5] for row in countries(moderator.book)] == rows
    assert countries(moderator.book)[0][5:] == ["Year Crisis"]
    asks(moderator.book)
    assert "Countries!F2 (England, Year Crisis): required, but empty." in moderator.types("check", BOOK).out


def test_a_columns_tab_of_people_s_own_stays_beside_the_program_s(moderator):
    write_grids(moderator.book, {**UNASSIGNED, "Columns": [["Doric", "Ionic"], [1, 2]]})
    assert moderator.types("init", "--yes", BOOK).code == 0
    book = openpyxl.load_workbook(moderator.book)
    assert [*book["Columns"].values] == [("Doric", "Ionic"), (1, 2)]
    assert book["Columns (algo)"]["A1"].value == "Your Tab"
    asks(moderator.book)
    assert moderator.types("run", BOOK).code == 0


def test_init_proposes_the_same_at_google(online):
    id = online.server.make("Campaign", UNASSIGNED)
    assert PROPOSED in online.types("init", id).err
    assert list(online.server.tabs(id)) == [*UNASSIGNED]
    assert online.types("init", "--yes", id).code == 0
    assert online.server.tab(id, "Columns")[:2] == COLUMNS[:2]
    assert not {"Nations", "Militaries", "Locations"} & {*online.server.tabs(id)}
    assert online.types("check", id).code == 0


@pytest.mark.parametrize(("request_number", "kind"), [(1, "write"), (2, "write"), (2, "read"), (4, "read")])
def test_a_row_inserted_during_the_write_misplaces_nothing(online, request_number, kind):
    """Google writes by coordinates; the write that went astray is repaired in people's own tab."""
    id = online.server.make("Campaign", OWN)
    assert online.types("init", id).code == 0
    heads = online.server.tab(id, "War Requests")[0]
    online.server.type(id, "'War Requests'!A2", [[{**WAR, "Request": "W-0001"}.get(header, "") for header in heads]])
    before = online.server.tab(id, "Countries")
    span = {"sheetId": online.server.tabs(id)["Countries"], "dimension": "ROWS", "startIndex": 3, "endIndex": 4}
    insert = {"insertDimension": {"range": span, "inheritFromBefore": False}}
    online.server.user(id, [insert], before_request=request_number, match=kind)

    online.types("run", id)
    ran = online.types("run", id)

    assert ran.code == 0, ran.out + ran.err
    rows = [row for row in online.server.tab(id, "Countries") if any(row)]
    assert [row[:ARMY] for row in rows] == [row[:ARMY] for row in before if any(row)]
    assert [row[CRISIS:STABILITY] for row in rows[1:]] == [row[CRISIS:STABILITY] for row in before[2:]]
    assert 0 < float(rows[-2][ARMY]) < 7.5
    assert 0 < float(rows[-1][ARMY]) < 8
    assert online.column(id, "Kind", "Receipts") == ["Season", "Ruling"]
    assert online.types("verify", id).code == 0
