"""Damage done on purpose to what a commit adds: the check of the edited copy names every kind of it."""

import re
import tracemalloc
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest

from sheets_algo.workbook.changes import AppendRow, ChangeSet, NewTab, Picture, SetCell
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.xlsx.edit.patch import Patch, make_patch
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.verify.verify import check_cells, check_content, check_new_parts
from tests.workbook.xlsx.small import opened, rows, sheet, table, workbook
from tests.workbook.xlsx.test_differences import copy
from tests.workbook.xlsx.test_newparts import png

SHEET, TABLE, LOG = "xl/worksheets/sheet1.xml", "xl/tables/table1.xml", "xl/worksheets/sheet2.xml"
DRAWING, DRAWN, LINKS = (
    "xl/drawings/drawing1.xml",
    "xl/drawings/_rels/drawing1.xml.rels",
    "xl/worksheets/_rels/sheet2.xml.rels",
)
MEDIA = "xl/media/sheets-algo-"
CHANGES = ChangeSet(
    tabs=(NewTab("Log", ("What", "When")),),
    cells=(SetCell("S", 1, 2, "Soldiers"), SetCell("S", 2, 4, "text")),
    rows=(AppendRow("S", ("France", 5)), AppendRow("Log", ("war", 1066))),
    pictures=(Picture("Log", png(), row=3), Picture("Log", png("blue"), row=9)),
)
# Kind of damage to where it is done (part, pattern, replacement) and to what the check says of it.
DAMAGE: Mapping[str, tuple[str, str, str, str]] = {
    "row twice": (SHEET, '(<row r="3".*?</row>)', r"\1\1", "S: its rows are not in their order"),
    "cell twice": (SHEET, '(<c r="B3".*?</c>)', r"\1\1", "S: the cells of row 3 are not in their order"),
    "formula beside the value": (SHEET, "(<v>5</v>)", r"<f>2+3</f>\1", "S!B3 is not as planned"),
    "second value": (SHEET, "(<v>5</v>)", r"\1\1", "S!B3 is not as planned"),
    "rich text": (SHEET, "(<t [^>]*>text</t>)", r"<r>\1</r>", "S!D2 is not as planned"),
    "style beyond the list": (SHEET, '(<c r="D2")', r'\1 s="4"', "S!D2 is not as planned"),
    "table too high": (TABLE, "A1:B3", "A1:B1003", "table1.xml: its first tag is not as it was"),
    "filter lower than its table": (TABLE, 'Filter ref="A1:B3"', 'Filter ref="A1:B2"', "its element autoFilter is not"),
    "column under another name": (TABLE, '"Soldiers"', '"France"', "table1.xml: its element tableColumns is not"),
    "comment lost": (TABLE, "<!-- before -->", "", "what stands around its first element is not as it was"),
    "comment inside lost": (TABLE, "<!-- inside -->", "", "table1.xml: its element tableColumns is not"),
    "comment of a tab lost": (SHEET, "<!-- last -->", "", "S: what stands around its first element is not as it was"),
    "instruction lost": (TABLE, "<[?]after[?]>", "", "what stands around its first element is not as it was"),
    "encoding": (SHEET, 'encoding="UTF-8"', 'encoding="us-ascii"', "S: what stands around its first element is not"),
    "not well-formed": (LOG, "</sheetViews>", "", "the part xl/worksheets/sheet2.xml is not well-formed"),
    "wrong picture": (DRAWING, 'embed="rId2"', 'embed="rId1"', "Log does not show its pictures as planned"),
    "no such picture": (DRAWING, 'embed="rId2"', 'embed="rId3"', "drawing1.xml refers to rId3, which is not there"),
    "anchors gone": (DRAWING, "<xdr:oneCellAnchor.*</xdr:oneCellAnchor>", "", "Log does not show its pictures"),
    "picture elsewhere": (DRAWING, "<xdr:row>8<", "<xdr:row>7<", "Log does not show its pictures as planned"),
    "damaged picture": (MEDIA, "IDAT", "IDAX", "Log does not show its pictures as planned"),
    "drawing of no tab": (LOG, "<drawing .*?/>", "", "Log: it does not show its drawing"),
    "index beyond the styles": (LOG, '(<c r="A1") s="1"', r'\1 s="4"', "sheet2.xml has a style 4, of 4"),
    "order of elements": (LOG, "(<sheetViews.*sheetViews>)(<sheetF[^>]*>)", r"\2\1", "sheet2.xml are not in their"),
    "element that no tab has": (LOG, "(<pageMargins)", r"<junk/>\1", "sheet2.xml are not in their order"),
    "row of a new tab twice": (LOG, '(<row r="2".*</row>)', r"\1\1", "its rows are not in their order"),
    "cell of a new tab twice": (LOG, '(<c r="B2".*?</c>)', r"\1\1", "the cells of row 2 are not in their order"),
    "formula in a new tab": (LOG, "(<v>1066</v>)", r"<f>2+3</f>\1", "Log!B2 is not as planned"),
    "relationship twice": (DRAWN, "(<Relationship .*?/>)", r"\1\1", "drawing1.xml has two relationships rId1"),
    "relationship id of another": (DRAWN, "rId2", "rId1", "drawing1.xml has two relationships rId1"),
    "relationship to nothing": (LINKS, "drawing1", "drawing9", "leads to xl/drawings/drawing9.xml, which is not there"),
}


@cache
def edited() -> tuple[Package, Patch]:
    listed = table("List", "A1:B2", "Nation", "Men").replace("</tableColumns>", "<!-- inside --></tableColumns>")
    tab = sheet(rows({"A": "Nation", "B": "Men"}, {"A": "England", "B": "100"}), tail='<pageMargins left="1"/>')
    package = opened(
        workbook(
            {"S": tab.replace('"1.0"', '"1.0" encoding="UTF-8"') + "<!-- last -->"},
            tables={"S": f"<!-- before -->{listed}<?after?>"},
        )
    )
    return package, make_patch(package, CHANGES)


def check(package: Package, made: Patch) -> None:
    after = copy(package, made)
    check_new_parts(package.name, package, after, made)
    check_content(package.name, package, after, made)
    check_cells(package.name, after, made.placed)


def test_what_is_planned_is_no_damage() -> None:
    package, made = edited()

    check(package, made)

    assert {SHEET, TABLE} < set(made.changed)
    assert {LOG, DRAWING, DRAWN, LINKS} < set(made.added)


def test_a_new_tab_of_many_rows_is_checked_without_a_tree_of_them() -> None:
    """A tree takes ten times the bytes of its part, and was made twice: 1.6 GB for the log of a thousand wars."""
    package = opened(workbook({"S": sheet(rows({"A": "1"}))}))
    lines = tuple(AppendRow("Log", (f"line {number}", number)) for number in range(10_000))
    made = make_patch(package, ChangeSet(tabs=(NewTab("Log", ("What", "When")),), rows=lines))
    after, size = copy(package, made), len(bytes(made.added[LOG]))  # type: ignore[arg-type]

    tracemalloc.start()
    try:
        check_new_parts(package.name, package, after, made)
        check_content(package.name, package, after, made)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < 6 * size


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_to_what_is_new_is_named(kind: str) -> None:
    name, pattern, new, says = DAMAGE[kind]
    package, made = edited()
    part = next(part for part in (*made.changed, *made.added) if part.startswith(name))
    parts = made.added if part in made.added else made.changed
    worse, count = re.subn(pattern.encode(), new.encode(), bytes(parts[part]))  # type: ignore[arg-type]
    assert count, parts[part]
    damaged = {**parts, part: worse}

    with pytest.raises(RefusedChange, match=rf"^small.xlsx: the edited copy failed its check: .*{says}.*Please report"):
        check(package, replace(made, added=damaged) if parts is made.added else replace(made, changed=damaged))
