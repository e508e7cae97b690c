"""Damage done on purpose to what a commit touches: the check of the edited copy names every kind of it."""

import io
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from sheets_algo.workbook.changes import AppendRow, ChangeSet, NewTab, Picture, SetCell
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.xlsx import XlsxWorkbook
from sheets_algo.workbook.xlsx.edit import patch
from sheets_algo.workbook.xlsx.edit.patch import Patch, make_patch
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.verify.verify import check
from tests.helpers.tabs import key, keys
from tests.workbook.xlsx.small import MAIN, PACKAGE, RELATIONS, TYPES, S, opened, part, sheet, table, workbook
from tests.workbook.xlsx.test_newparts import png

SHEET, BOOK, TYPE_LIST = "xl/worksheets/sheet1.xml", "xl/workbook.xml", "[Content_Types].xml"
LINKS, TABLE, DRAWING = "xl/worksheets/_rels/sheet1.xml.rels", "xl/tables/table1.xml", "xl/drawings/drawing1.xml"
DRAWN = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"

HEAD = (
    '<dimension ref="A1:E9"/><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" '
    'activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>'
    '<cols><col min="1" max="1" width="30" customWidth="1"/></cols>'
)
ROWS = (
    '<row r="1" ht="40" customHeight="1"><c r="A1" s="1" t="inlineStr"><is><t>Nation</t></is></c>'
    '<c r="B1" t="inlineStr"><is><t>Men</t></is></c><c r="C1"><v>7</v></c></row>'
    '<row r="2" spans="1:4"><c r="A2" t="inlineStr"><is><t>England</t></is></c><c r="B2" s="3"><v>100</v></c>'
    '<c r="C2"><f>B2*2</f><v>200</v></c><c r="D2"><f>C1+1</f><v>8</v></c></row>'
    '<row r="4" hidden="1"><c r="A4" s="2"><v>44197</v></c><c r="B4"><f>SUM(A4)</f><v>44197</v></c></row>'
    '<row r="9"><c r="E9"><v>1</v></c></row>'
)
TAIL = (
    '<sheetProtection sheet="1" objects="1"/><mergeCells count="1"><mergeCell ref="D4:E5"/></mergeCells>'
    '<conditionalFormatting sqref="B2:B9"><cfRule type="cellIs" dxfId="0" priority="1" operator="lessThan">'
    "<formula>9</formula></cfRule></conditionalFormatting>"
    '<dataValidations count="1"><dataValidation type="list" sqref="A2:A9"><formula1>"a,b"</formula1></dataValidation>'
    '</dataValidations><hyperlinks><hyperlink ref="A4" location="T!A1"/></hyperlinks>'
    '<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>'
    '<pageSetup orientation="landscape"/><drawing r:id="rId2"/><legacyDrawing r:id="rId3"/>'
    '<tableParts count="1"><tablePart r:id="rId1"/></tableParts><extLst><ext uri="{05C60535}"><a/></ext></extLst>'
)
# Kind of damage to what is damaged (part, old, new) and to what the check says of it.
DAMAGE: Mapping[str, tuple[str, str, str, str]] = {
    "style": (SHEET, 'r="A4" s="2"', 'r="A4" s="0"', "S!A4 is not as planned"),
    "style of a written cell": (SHEET, 'r="B2" s="3"', 'r="B2" s="1"', "S!B2 is not as planned"),
    "style of an untouched row": (SHEET, 'r="A1" s="1"', 'r="A1"', "S!A1 is not as planned"),
    "formula": (SHEET, "<f>C1+1</f>", "<f>C1+2</f>", "S!D2 is not as planned"),
    "formula becomes its value": (SHEET, "<f>SUM(A4)</f>", "", "S!B4 is not as planned"),
    "result of a formula": (SHEET, "</f><v>8</v>", "</f><v>9</v>", "S!D2 is not as planned"),
    "result dropped beside the plan": (SHEET, "</f><v>8</v>", "</f>", "S!D2 is not as planned"),
    "outdated result kept": (SHEET, "<f>B2*2</f>", "<f>B2*2</f><v>200</v>", "S!C2 is not as planned"),
    "number": (SHEET, '<c r="C1"><v>7</v>', '<c r="C1"><v>8</v>', "S!C1 is not as planned"),
    "text": (SHEET, "<t>Men</t>", "<t>Man</t>", "S!B1 is not as planned"),
    "space in a text": (SHEET, "<t>Men</t>", "<t>Men </t>", "S!B1 is not as planned"),
    "name of an element": (SHEET, "<f>C1+1</f>", "<is>C1+1</is>", "S!D2 is not as planned"),
    "cell lost": (SHEET, '<c r="E9"><v>1</v></c>', "", "S!E9 is not as planned"),
    "cell added": (SHEET, '<row r="9">', '<row r="9"><c r="A9"><v>1</v></c>', "S!A9 is not as planned"),
    "row lost": (SHEET, '<row r="9"><c r="E9"><v>1</v></c></row>', "", "row 9 has other attributes"),
    "row height": (SHEET, 'ht="40"', 'ht="15"', "row 1 has other attributes"),
    "row shown": (SHEET, ' hidden="1"', "", "row 4 has other attributes"),
    "column width": (SHEET, 'width="30"', 'width="9"', "its element cols is not as it was"),
    "columns lost": (SHEET, HEAD[HEAD.index("<cols>") :], "", "its element cols is not as it was"),
    "pane": (SHEET, 'ySplit="1"', 'ySplit="3"', "its element sheetViews is not"),
    "dimension": (SHEET, 'ref="A1:E10"', 'ref="A1:B2"', "its element dimension is not"),
    "page set-up": (SHEET, "landscape", "portrait", "its element pageSetup is not"),
    "protection": (SHEET, '<sheetProtection sheet="1" objects="1"/>', "", "its element sheetProtection is not"),
    "conditional format": (SHEET, "<formula>9<", "<formula>8<", "its element conditionalFormatting is not"),
    "validation": (SHEET, '"a,b"', '"a,c"', "its element dataValidations is not"),
    "merge": (SHEET, "D4:E5", "D4:E6", "its element mergeCells is not"),
    "link": (SHEET, "T!A1", "T!A2", "its element hyperlinks is not"),
    "drawing": (SHEET, '<drawing r:id="rId2"/>', "", "its element drawing is not"),
    "comments": (SHEET, '<legacyDrawing r:id="rId3"/>', "", "its element legacyDrawing is not"),
    "table": (SHEET, '<tablePart r:id="rId1"/>', "", "its element tableParts is not"),
    "extension": (SHEET, "{05C60535}", "{05C60536}", "its element extLst is not"),
    "order of elements": (
        SHEET,
        '<drawing r:id="rId2"/><legacyDrawing r:id="rId3"/>',
        '<legacyDrawing r:id="rId3"/><drawing r:id="rId2"/>',
        "its element drawing is not",
    ),
    "order of cells": (
        SHEET,
        '<c r="B1" t="inlineStr"><is><t>Men</t></is></c><c r="C1"><v>7</v></c>',
        '<c r="C1"><v>7</v></c><c r="B1" t="inlineStr"><is><t>Men</t></is></c>',
        "the cells of row 1 are not in their order",
    ),
    "order of rows": (
        SHEET,
        '<row r="9"><c r="E9"><v>1</v></c></row><row r="10"><c r="A10"><v>5</v></c></row>',
        '<row r="10"><c r="A10"><v>5</v></c></row><row r="9"><c r="E9"><v>1</v></c></row>',
        "its rows are not in their order",
    ),
    "namespace": (SHEET, f' xmlns:r="{RELATIONS}"', f' xmlns:r="{RELATIONS}x"', "its first tag is not as it was"),
    "not well-formed": (SHEET, "</mergeCells>", "", "not well-formed"),
    "name": (BOOK, "S!$A$1", "S!$A$2", "the workbook: its element definedNames is not"),
    "tab renamed": (BOOK, 'name="T"', 'name="U"', "the workbook: its element sheets is not"),
    "tab hidden": (
        BOOK,
        '<sheet name="T"',
        '<sheet state="hidden" name="T"',
        "the workbook: its element sheets is not",
    ),
    "calculation by hand": (BOOK, 'calcId="9"', 'calcId="9" calcMode="manual"', "its element calcPr is not"),
    "content type": (TYPE_LIST, "styles+xml", "theme+xml", "its entry styles.xml is not as planned"),
    "relationship": (LINKS, "comments1", "comments2", "leads to xl/comments2.xml, which is not there"),
    "table's filter": (TABLE, '<autoFilter ref="A1:B2"/>', "", "table1.xml: its element autoFilter is not"),
    "table's column": (TABLE, 'name="Men"', 'name="Women"', "table1.xml: its element tableColumns is not"),
    "somebody's picture": (
        DRAWING,
        "<xdr:absoluteAnchor>",
        "<xdr:absoluteAnchor><a/>",
        "its element absoluteAnchor is",
    ),
}


def before() -> Package:
    """A workbook with one of everything that a person would miss."""
    links = "".join(
        f'<Relationship Id="rId{number}" Type="{RELATIONS}/{kind}" Target="../{target}"/>'
        for number, (kind, target) in enumerate(
            [("table", "tables/table1.xml"), ("drawing", "drawings/drawing1.xml"), ("comments", "comments1.xml")], 1
        )
    )
    more = {
        LINKS: f'<Relationships xmlns="{PACKAGE}">{links}</Relationships>',
        DRAWING: f'<xdr:wsDr xmlns:xdr="{DRAWN}"><xdr:absoluteAnchor></xdr:absoluteAnchor></xdr:wsDr>',
        "xl/comments1.xml": f'<comments xmlns="{MAIN}"/>',
    }
    return opened(
        workbook(
            {"S": sheet(ROWS, head=HEAD, tail=TAIL), "T": sheet("")},
            tables={"S": table("List", "A1:B2", "Nation", "Men")},
            names='<definedName name="one">S!$A$1</definedName>',
            workbook_tail='<calcPr calcId="9"/>',
            more=more,
        )
    )


CHANGES = ChangeSet(
    tabs=(NewTab(key("Log"), ("What",)),),
    cells=(SetCell(S, 2, 2, 90), SetCell(S, 2, 5, "text")),
    rows=(AppendRow(S, (5,)),),
    pictures=(Picture(S, png()),),
    forced=True,
)


@cache
def edited() -> tuple[Package, Patch]:
    package = before()
    return package, make_patch(package, CHANGES)


def copy(package: Package, made: Patch) -> bytes:
    file = io.BytesIO()
    package.write(file, made.changed, made.removed, made.added)
    return file.getvalue()


def damaged(made: Patch, name: str, old: str, new: str) -> Patch:
    content = (made.changed.get(name) or before().part(name)).decode()
    assert content.count(old) == 1, content
    return replace(made, changed={**made.changed, name: content.replace(old, new).encode()})


def test_planned_differences_are_no_damage() -> None:
    package, made = edited()

    check(package, copy(package, made), CHANGES, made)

    assert {SHEET, BOOK, TYPE_LIST, DRAWING} <= set(made.changed)


@pytest.mark.parametrize("between", ["", "\n", " "])
def test_a_changed_row_is_found_among_equal_rows(
    between: str,
) -> None:
    rows = (f'<row r="{n}"><c r="A{n}"><v>{n}</v></c></row>{between}' for n in range(1, 1_001))
    package = opened(workbook({"S": sheet("".join(rows))}))
    changes = ChangeSet(cells=(SetCell(S, 500, 1, "another length"),))
    made = make_patch(package, changes)
    worse = damaged(made, SHEET, "<v>901</v>", "<v>902</v>")

    check(package, copy(package, made), changes, made)

    with pytest.raises(RefusedChange, match="S!A901 is not as planned"):
        check(package, copy(package, worse), changes, worse)


def test_a_tab_with_unordered_rows_is_edited_and_compared() -> None:
    rows = [f'<row r="{n}"><c r="A{n}"><v>{n}</v></c><c r="B{n}"><f>A{n}</f><v>{n}</v></c></row>' for n in (5, 2, 9)]
    package = opened(workbook({"S": sheet("".join(rows))}))
    changes = ChangeSet(cells=(SetCell(S, 2, 1, 20), SetCell(S, 7, 1, 70)), rows=(AppendRow(S, (100,)),))
    made = make_patch(package, changes)
    after = copy(package, made)

    check(package, after, changes, made)
    assert [int(number) for number in re.findall('<row r="([0-9]+)"', part(opened(after)))] == [5, 2, 7, 9, 10]
    worse = damaged(made, SHEET, "<v>5</v></c><c", "<v>6</v></c><c")
    with pytest.raises(RefusedChange, match="S!A5 is not as planned"):
        check(package, copy(package, worse), changes, worse)


def test_an_element_of_another_prefix_behind_the_last_row_is_damage() -> None:
    """It was taken for the end of the row, whose first element alone was compared."""
    rows = '<x:row r="1"><x:c r="A1"><x:v>1</x:v></x:c></x:row>'
    tab = f'<x:worksheet xmlns:x="{MAIN}"><x:sheetData>{rows}</x:sheetData></x:worksheet>'
    package, changes = opened(workbook({"S": tab})), ChangeSet(rows=(AppendRow(S, (2,)),))
    made = make_patch(package, changes)
    worse = damaged(made, SHEET, "</x:sheetData>", '<row r="9"><c><v>1</v></c></row></x:sheetData>')

    check(package, copy(package, made), changes, made)

    with pytest.raises(RefusedChange, match="S: row 2 has other attributes"):
        check(package, copy(package, worse), changes, worse)


def test_a_row_with_a_number_beyond_all_limits_is_damage() -> None:
    package, made = edited()
    worse = damaged(made, SHEET, "</sheetData>", f'<row r="{"9" * 30}"><c><v>1</v></c></row></sheetData>')

    with pytest.raises(RefusedChange, match=r"S: row 9999.* has other attributes"):
        check(package, copy(package, worse), CHANGES, worse)


@pytest.mark.parametrize("kind", DAMAGE)
def test_unplanned_damage_is_reported(kind: str) -> None:
    name, old, new, says = DAMAGE[kind]
    package, made = edited()
    worse = damaged(made, name, old, new)

    with pytest.raises(RefusedChange, match=rf"^small.xlsx: the edited copy failed its check: .*{says}.*Please report"):
        check(package, copy(package, worse), CHANGES, worse)


@pytest.mark.parametrize("kind", [kind for kind, (name, *_) in DAMAGE.items() if name == SHEET])
def test_damage_is_reported_even_if_rows_cannot_be_separated_by_tags(kind: str) -> None:
    """Then the whole tab is parsed."""
    name, old, new, says = DAMAGE[kind]
    whole = before()
    content = whole.part(SHEET).replace(b"<sheetData>", b"<sheetData><!-- rows -->")
    file = io.BytesIO()
    whole.write(file, {SHEET: content})
    package = opened(file.getvalue())
    made = make_patch(package, CHANGES)
    worse = damaged(made, name, old, new)

    check(package, copy(package, made), CHANGES, made)
    with pytest.raises(RefusedChange, match=says):
        check(package, copy(package, worse), CHANGES, worse)


def test_an_unplanned_part_is_not_removed() -> None:
    package, made = edited()
    file = io.BytesIO()
    gone = replace(made, removed=made.removed | {"xl/comments1.xml"})
    package.write(file, gone.changed, gone.removed, gone.added)

    with pytest.raises(RefusedChange, match=r"comments1\.xml, which is removed"):
        check(package, file.getvalue(), CHANGES, gone)


def test_a_damaged_copy_never_replaces_the_workbook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "war.xlsx"
    original = before().data
    path.write_bytes(original)
    book = XlsxWorkbook(path)
    snapshot = book.read(keys("S"))
    monkeypatch.setattr(patch, "make_patch", lambda *args: damaged(make_patch(*args), SHEET, "landscape", "portrait"))

    with pytest.raises(RefusedChange, match="S: its element pageSetup is not as it was; nothing was written"):
        book.commit(snapshot, replace(CHANGES, cells=(SetCell(S, 2, 2, 90, 100),)))

    assert path.read_bytes() == original
    assert [entry.name for entry in tmp_path.iterdir() if entry.is_file()] == ["war.xlsx"]


def test_the_cells_read_back_in_any_surroundings() -> None:
    package, made = edited()
    after = copy(package, made)

    check(package, after, CHANGES, made)
    assert '<c r="B2" s="3"><v>90</v></c>' in part(opened(after))
    assert opened(after).content_type(SHEET) == f"{TYPES}.worksheet+xml"
