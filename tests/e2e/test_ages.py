"""NAT-29: a first war of two nations with an Age each, in a workbook as `init` makes it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import openpyxl

from scripts.support.moderator import BOOK, Moderator, row_of
from scripts.support.pinned_tables import WORKSHOP

TYPED = {
    "Nations": [
        {"Name": "Athens", "Population": 300_000, "Year Founded": -508, "Year Crisis": -510, "Age": "Classical Greece"},
        {"Name": "Persia", "Population": 9_000_000, "Year Founded": -550, "Year Crisis": -522,
         "Age": "achaemenid Persia"},
    ],
    "Militaries": [
        {"Nation": "Athens", "Name": "Hoplites", "Size": 10_000},
        {"Nation": "Persia", "Name": "Host of Datis", "Size": 20_000, "Cavalry Type": 0},
    ],
    "Locations": [{"Name": "Marathon", "Terrain": "Plain"}],
    "War Requests": [
        {"War": "Battle", "Year": -490, "Attacker": "Persia", "Defender": "Athens", "Location": "Marathon",
         "Ready": True},
    ],
}  # fmt: skip
FILLED = (
    "Attacker, Militaries, blank and by the Age Achaemenid Persia: Infantry Type Persian archer-spearman; Infantry"
    " Proportion 1; Transport Trireme."
)


def types_cells(path: Path, change: object = None) -> None:
    book = openpyxl.load_workbook(path)
    for tab, rows in TYPED.items():
        places = {cell.value: cell.column for cell in book[tab][1]}
        for number, cells in enumerate(rows, start=2):
            for header, value in cells.items():
                book[tab].cell(number, places[header]).value = value
    if change:
        places = {cell.value: cell.column for cell in book["Nations"][1]}
        book["Nations"].cell(3, places["Age"]).value = change
    book.save(path)


def test_a_war_by_ages_is_ruled_explained_and_verified_after_the_age_changes(moderator: Moderator) -> None:
    person = replace(moderator, config=None)  # the ages of the release
    assert person.types("init", "--empty", BOOK).code == 0
    path = person.folder / BOOK
    types_cells(path)

    checked = person.types("check", BOOK)
    before = person.types("explain", BOOK, "W-0001").out
    assert (checked.code, checked.out.count("[NAT-29]")) == (0, 4), checked.out
    assert person.types("run", BOOK).code == 0
    ruled = row_of(path, "War Requests", "Request", "W-0001")
    types_cells(path, "Napoleonic")

    again, verified = person.types("run", BOOK), person.types("verify", BOOK)

    assert (again.code, row_of(path, "War Requests", "Request", "W-0001")) == (0, ruled)
    assert verified.code == 0, verified.out
    assert "1 of 1 receipt equal." in verified.out + verified.err
    after = person.types("explain", BOOK, "W-0001").out
    assert FILLED in before.splitlines()
    assert FILLED in after.splitlines()
    assert "Napoleonic" not in after


def test_an_age_may_name_an_unknown_unit_until_a_war_needs_it(moderator: Moderator) -> None:
    """As where a moderator's own catalogue has other units; one in the tab Units is enough."""
    file = moderator.folder / "rules" / "tables" / "autoalgo" / "ages.json"
    file.parent.mkdir(parents=True)
    ages = json.loads((WORKSHOP / "tables" / "autoalgo" / "ages.json").read_text())["ages"]
    ages[0] |= {"name": "Classical Greece", "Infantry Type": "Hoplite of ours"}
    file.write_text(json.dumps({"ages": [ages[0], ages[1] | {"name": "Achaemenid Persia"}]}))
    person = replace(moderator, config=moderator.folder / "rules")
    assert person.types("init", "--empty", BOOK).code == 0
    types_cells(person.folder / BOOK)

    said = person.types("check", BOOK)

    names = (
        'blank, and the Age names "Hoplite of ours", which is not a unit here. Enter a unit, or another Age. [NAT-29]'
    )
    assert f"Militaries!E2 (Hoplites, Infantry Type): {names}" in said.out
    book = openpyxl.load_workbook(person.folder / BOOK)
    book["Units"]["A2"] = "Hoplite of ours"
    book.save(person.folder / BOOK)
    assert person.types("run", BOOK).code == 0
