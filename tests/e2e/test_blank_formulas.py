"""Formulas that show nothing, in files that LibreOffice saved and at Google (DB-01)."""

from __future__ import annotations

import pytest

from scripts.support.moderator import BOOK, only, season, shown, write
from tests.e2e.test_cells import rewritten

SAYS = "is not blank, but holds a formula that shows nothing: "
IMPORT = '=IFERROR(IMPORTRANGE("1x","Cities!F2:F9"),"")'


def one_war():
    return only(season(), "W-0004")


def test_a_blank_formula_in_a_file_does_not_make_a_war_without_works(moderator):
    """As LibreOffice and Excel save it: a text without letters."""
    rows = one_war()
    place = next(row for row in rows["Locations"] if row["Name"] == "Manzikert")
    place["Fortifications"] = "Still on its way"
    write(moderator.book, rows)
    formula = "<f>IFERROR(1/0,&quot;&quot;)</f><v></v>"
    texts = [f"<is><t>{place['Fortifications']}</t></is>"]
    rewritten(moderator.book, "Locations", {f't="inlineStr">{text}': f't="str">{formula}' for text in texts})

    for command, code in (("check", 1), ("run", 1)):
        said = moderator.types(command, BOOK)
        assert (said.code, f"(Manzikert, Fortifications): {SAYS}=IFERROR(1/0" in said.out) == (code, True)
    assert [row["Status"] for row in shown(moderator.book, "War Requests")][3] == "Invalid"


@pytest.fixture
def fetched(online):
    """A spreadsheet in which the walls of the first two places are fetched by one formula; its id and their cells."""
    rows = one_war()
    rows["Locations"].sort(key=lambda row: row["Name"] != "Manzikert")
    for row in rows["Locations"]:
        row.pop("Fortifications", None)
    id = online.make(rows)
    heads = online.server.tab(id, "Locations")[0]
    letter = chr(ord("A") + heads.index("Fortifications"))
    return online, id, f"Locations!{letter}"


def test_a_watcher_waits_for_one_poll_and_then_names_cell_and_formula(fetched):
    online, id, column = fetched
    online.tick(id, "W-0004", ready=False)
    online.server.type(id, f"{column}2", [[IMPORT]])
    with online.watches(id) as watching:
        watching.hears("Watched every")
        online.tick(id, "W-0004")
        watching.until(lambda: online.column(id, "Status")[3] == "Waiting")
        watching.until(lambda: online.column(id, "Status")[3] == "Invalid")
        assert f"{column}2 (Manzikert, Fortifications): {SAYS}{IMPORT}" in online.column(id, "Message")[3]
        assert online.rulings(id) == []

        online.server.type(id, f"{column}2", [[""]])  # nothing that a look at values shows
        watching.until(lambda: online.rulings(id) == ["W-0004"])


def test_a_place_below_a_blank_import_waits_too(fetched):
    online, id, column = fetched
    rows = online.server.tab(id, "Locations")
    online.server.type(id, "Locations!A2", [[rows[2][0]]])
    online.server.type(id, "Locations!A3", [["Manzikert"]])
    online.server.type(id, f"{column}2", [[IMPORT]])

    assert online.types("check", id).code == 1
    assert online.types("run", id).code == 1
    assert f"{column}3 (Manzikert, Fortifications): {SAYS}{IMPORT}" in online.column(id, "Message")[3]

    online.server.type(id, f"{column}2", [['=IF(1=1,"Castle","")']])
    assert online.types("run", id).code == 0
    assert online.rulings(id) == ["W-0004"]
