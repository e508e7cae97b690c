"""Damage done on purpose to what a commit adds: the check of the edited copy names every kind of it."""

import re
import tracemalloc
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest

from sheets_algo.workbook.changes import AppendRow, ChangeSet, NewTab, Picture, SetCell
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.template_spec import CellCheck, CellSpec, ColumnSpec, Style, TabSpec, Tint
from sheets_algo.workbook.xlsx.edit.patch import Patch, make_patch
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.verify.verify import check
from tests.helpers.tabs import key
from tests.workbook.xlsx.small import S, opened, rows, sheet, table, workbook
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
    tabs=(NewTab(key("Log"), ("What", "When")),),
    cells=(SetCell(S, 1, 2, "Soldiers"), SetCell(S, 2, 4, "text")),
    rows=(AppendRow(S, ("France", 5)), AppendRow(key("Log"), ("war", 1066))),
    pictures=(Picture(key("Log"), png(), row=3), Picture(key("Log"), png("blue"), row=9)),
)
# Kind of damage to where it is done (part, pattern, replacement) and to what the check says of it.
DAMAGE: Mapping[str, tuple[str, str, str, str]] = {
    "row twice": (SHEET, '(<row r="3".*?</row>)', r"\1\1", "S: its rows are not in their order"),
    "cell twice": (SHEET, '(<c r="B3".*?</c>)', r"\1\1", "S: the cells of row 3 are not in their order"),
    "text in a row": (SHEET, '(<row r="3".*?)(</row>)', r"\1junk\2", "S: row 3 has a text beside its cells"),
    "text after a row": (SHEET, '(<row r="3".*?</row>)', r"\1junk", "S: row 3 has a text beside its cells"),
    "text before the rows": (SHEET, "<sheetData>", r"\g<0>junk", "S: its element sheetData is not as it was"),
    "formula beside the value": (SHEET, "(<v>5</v>)", r"<f>2+3</f>\1", "S!B3 is not as planned"),
    "second value": (SHEET, "(<v>5</v>)", r"\1\1", "S!B3 is not as planned"),
    "rich text": (SHEET, "(<t>text</t>)", r"<r>\1</r>", "S!D2 is not as planned"),
    "style beyond the list": (SHEET, '(<c r="D2")', r'\1 s="4"', "S!D2 is not as planned"),
    "table too high": (TABLE, "A1:B3", "A1:B1003", "table1.xml: its first tag is not as it was"),
    "filter lower than its table": (TABLE, 'Filter ref="A1:B3"', 'Filter ref="A1:B2"', "its element autoFilter is not"),
    "column under another name": (TABLE, '"Soldiers"', '"France"', "table1.xml: its element tableColumns is not"),
    "comment lost": (TABLE, "<!-- before -->", "", "the text around its first element is not as it was"),
    "comment inside lost": (TABLE, "<!-- inside -->", "", "table1.xml: its element tableColumns is not"),
    "comment of a tab lost": (SHEET, "<!-- last -->", "", "S: the text around its first element is not as it was"),
    "instruction lost": (TABLE, "<[?]after[?]>", "", "the text around its first element is not as it was"),
    "encoding": (SHEET, 'encoding="UTF-8"', 'encoding="us-ascii"', "S: the text around its first element is not"),
    "not well-formed": (LOG, "</sheetViews>", "", "a part is not well-formed XML"),
    "wrong picture": (DRAWING, 'embed="rId2"', 'embed="rId1"', "Log does not show its pictures as planned"),
    "no such picture": (DRAWING, 'embed="rId2"', 'embed="rId3"', "Log does not show its pictures as planned"),
    "anchors gone": (DRAWING, "<xdr:oneCellAnchor.*</xdr:oneCellAnchor>", "", "Log does not show its pictures"),
    "picture elsewhere": (DRAWING, "<xdr:row>8<", "<xdr:row>7<", "Log does not show its pictures as planned"),
    "damaged picture": (MEDIA, "IDAT", "IDAX", "Log does not show its pictures as planned"),
    "drawing of no tab": (LOG, "<drawing .*?/>", "", "Log: it does not show its drawing"),
    "index beyond the styles": (LOG, '(<c r="A1")', r'\1 s="4"', "Log!A1 is not as planned"),
    "order of elements": (
        LOG,
        "(<sheetViews.*sheetViews>)(<sheetF[^>]*>)",
        r"\2\1",
        "Log: its element sheetViews is not as it was",
    ),
    "element that no tab has": (LOG, "(<pageMargins)", r"<junk/>\1", "Log: its element pageMargins is not as it was"),
    "row of a new tab twice": (LOG, '(<row r="2".*</row>)', r"\1\1", "its rows are not in their order"),
    "cell of a new tab twice": (LOG, '(<c r="B2".*?</c>)', r"\1\1", "the cells of row 2 are not in their order"),
    "formula in a new tab": (LOG, "(<v>1066</v>)", r"<f>2+3</f>\1", "Log!B2 is not as planned"),
    "relationship twice": (DRAWN, "(<Relationship .*?/>)", r"\1\1", "drawing1.xml has two relationships rId1"),
    "relationship id of another": (DRAWN, "rId2", "rId1", "drawing1.xml has two relationships rId1"),
    "relationship to nothing": (LINKS, "drawing1", "drawing9", "leads to xl/drawings/drawing9.xml, which is not there"),
}

NOTES, SHAPES, LISTS = "xl/comments1.xml", "xl/drawings/vmlDrawing1.vml", "xl/worksheets/sheet3.xml"
BOOK, TYPES, STYLES = "xl/workbook.xml", "[Content_Types].xml", "xl/styles.xml"
WARS = TabSpec(
    key=key("Wars"),
    columns=[
        ColumnSpec(header="War", width=30, note="Its name.", heading=Style(bold=True, fill="1F3A5F")),
        ColumnSpec(header="Begins", width=12, note="A day.", style=Style(format="yyyy-mm-dd")),
        ColumnSpec(
            header="Status",
            width=9,
            checks=[CellCheck(rows=(2, 9), source=("Ready", "Ruled"))],
            tints=[Tint("Ruled", "00FF00", "000000")],
        ),
    ],
    rows=[[CellSpec("Hastings"), CellSpec(None), CellSpec("Ready")]],
)
HIDDEN = TabSpec(key=key("Lists"), columns=[ColumnSpec(header="Words", width=20)], is_hidden=True)
COPIES = ChangeSet(
    tabs=tuple(NewTab(tab.key, tab.top_row, tab) for tab in (WARS, HIDDEN)),
    cells=(SetCell(S, 1, 1, 5),),
    rows=(AppendRow(key("Wars"), (" a war", 5)),),
    pictures=(Picture(key("Wars"), png(), row=4),),
)
_CHANGED, _WORKBOOK = "is not as it was", "the workbook: its entry of the tab"
_NAMES = "the workbook: the names of its new tabs are"
DAMAGE_TO_COPIES: Mapping[str, tuple[str, str, str, str]] = {
    "listed hidden": (BOOK, 'sheetId="2"', r'\g<0> state="hidden"', f"{_WORKBOOK} Wars is not"),
    "listed visible": (BOOK, ' state="hidden"', "", f"{_WORKBOOK} Lists is not"),
    "sheetId of another": (BOOK, 'sheetId="3"', 'sheetId="1"', f"{_WORKBOOK} Lists is not"),
    "sheetId of another new one": (BOOK, 'sheetId="3"', 'sheetId="2"', f"{_WORKBOOK} Lists is not"),
    "no sheetId": (BOOK, ' sheetId="3"', "", f"{_WORKBOOK} Lists is not"),
    "parts exchanged": (BOOK, 'r:id="rId2"(.*)r:id="rId3"', r'r:id="rId3"\1r:id="rId2"', "Wars"),
    "names lost": (BOOK, "<definedNames>.*</definedNames>", "", f"{_NAMES} missing"),
    "name lost": (BOOK, "<definedName .*?</definedName>", "", f"{_NAMES} not"),
    "name too many": (BOOK, "(<definedName .*?</definedName>)", r"\1\1", f"{_NAMES} not"),
    "name of another tab": (BOOK, 'localSheetId="1"', 'localSheetId="0"', f"{_NAMES} not"),
    "other rows repeated": (BOOK, "[$]1:[$]1", "$1:$2", f"{_NAMES} not"),
    "text beside a name": (BOOK, "(<definedName .*?</definedName>)", r"\1junk", f"{_NAMES} not"),
    "no calculation asked": (BOOK, "<calcPr.*?/>", "", "the workbook does not ask for a calculation"),
    "calculation refused": (BOOK, 'OnLoad="1"', 'OnLoad="0"', "the workbook"),
    "type of a tab": (TYPES, "(sheet2.xml[^>]*)worksheet", r"\1comments", "sheet2.xml has the content type .*comments"),
    "no type of a tab": (
        TYPES,
        "<Override [^>]*sheet3.xml[^>]*>",
        "",
        "sheet3.xml has the content type application/xml",
    ),
    "type of notes": (TYPES, "comments[+]xml", "table+xml", "comments1.xml has the content type .*table"),
    "type of a drawing": (TYPES, "drawing[+]xml", "chart+xml", "drawing1.xml has the content type .*chart"),
    "type of pictures": (TYPES, "image/png", "text/plain", "has the content type text/plain"),
    "date for a number": (STYLES, '(.*)<xf numFmtId="0"', r'\1<xf numFmtId="14"', "styles: their cellXfs are not"),
    "date format": (STYLES, '"yyyy-mm-dd"', '"0.00"', "the styles: their numFmts are not"),
    "number of a built-in format": (STYLES, "164", "14", "the styles: their numFmts are not"),
    "font beyond the list": (STYLES, '(.*)fontId="4"', r'\1fontId="9"', "the styles: their cellXfs are not"),
    "fill of another": (STYLES, '(.*)fillId="3"', r'\1fillId="1"', "the styles: their cellXfs are not"),
    "font": (STYLES, '<b val="1" /><sz', "<sz", "the styles: their fonts are not"),
    "colour of a rule": (STYLES, "0000FF00", "00FF0000", "the styles: their dxfs are not"),
    "format too many": (STYLES, "(<dxf>.*</dxf>)", r"\1\1", "the styles: their dxfs are not"),
    "count of formats": (
        STYLES,
        '<cellXfs count="8"',
        '<cellXfs count="4"',
        "the styles: their cellXfs are counted wrongly",
    ),
    "count of fonts": (STYLES, '<fonts count="5"', '<fonts count="9"', "the styles: their fonts are counted wrongly"),
    "space of a text": (LOG, ' xml:space="preserve"', "", "Wars!A3 is not as planned"),
    "widths": (LOG, 'width="30"', 'width="3"', f"Wars: its element cols {_CHANGED}"),
    "style of a column": (LOG, 'style="6" min="2"', 'style="5" min="2"', f"Wars: its element cols {_CHANGED}"),
    "pane": (LOG, 'ySplit="1"', 'ySplit="2"', f"Wars: its element sheetViews {_CHANGED}"),
    "validation": (LOG, "Ready,Ruled", "Ready", f"Wars: its element dataValidations {_CHANGED}"),
    "rule of another colour": (LOG, 'dxfId="0"', 'dxfId="1"', f"Wars: its element conditionalFormatting {_CHANGED}"),
    "page": (LOG, "landscape", "portrait", f"Wars: its element pageSetup {_CHANGED}"),
    "header in another style": (LOG, 'r="A1" s="7"', 'r="A1" s="5"', "Wars!A1 is not as planned"),
    "cell of the template": (LOG, "<t>Hastings", "<t>Fulford", "Wars!A2 is not as planned"),
    "cell too many": (LOG, '(<row r="2">.*?)</row>', r'\1<c r="D2"><v>1</v></c></row>', "Wars!D2 is not as planned"),
    "row too many": (
        LOG,
        "</sheetData>",
        r'<row r="7"><c r="A7"><v>1</v></c></row>\g<0>',
        "Wars: row 7 has other attributes",
    ),
    "blank row too many": (LOG, "</sheetData>", r'<row r="7"/>\g<0>', "Wars: row 7 has other attributes"),
    "row lost": (LOG, '<row r="2">.*?</row>', "", "Wars: row 2 has other attributes"),
    "height of a row": (LOG, 'ht="32"', 'ht="9"', "Wars: row 1 has other attributes"),
    "notes not shown": (LOG, "<legacyDrawing[^>]*>", "", f"Wars: its element legacyDrawing {_CHANGED}"),
    "notes of a drawing": (LOG, "(<legacyDrawing[^>]*)rId2", r"\1rId3", f"Wars: its element legacyDrawing {_CHANGED}"),
    "note moved": (NOTES, 'ref="B1"', 'ref="B9"', "the part xl/comments1.xml is not as in its template"),
    "note of other words": (NOTES, "A day.", "A year.", "the part xl/comments1.xml is not as in its template"),
    "shape of a note moved": (SHAPES, "Column>1<", "Column>2<", "vmlDrawing1.vml is not as in its template"),
    "picture of no size": (DRAWING, 'cx="381000" cy="285750"', 'cx="0" cy="0"', "Wars does not show its pictures"),
    "picture moved a little": (DRAWING, "<xdr:rowOff>0", "<xdr:rowOff>9", "Wars does not show its pictures"),
    "picture hidden": (DRAWING, "<xdr:cNvPr ", r'\g<0>hidden="1" ', "Wars does not show its pictures"),
    "picture turned": (DRAWING, "<a:xfrm>", '<a:xfrm rot="5400000">', "Wars does not show its pictures"),
    "picture cropped": (DRAWING, "<a:stretch>", r'<a:srcRect l="50000"/>\g<0>', "Wars does not show its pictures"),
    "picture of another shape": (DRAWING, '"rect"', '"ellipse"', "Wars does not show its pictures"),
    "text in a row of a new tab": (LOG, '<row r="2">', r"\g<0>junk", "Wars: row 2 has a text beside its cells"),
    "text before the rows of a new tab": (LOG, "<sheetData>", r"\g<0>junk", "Wars: its element sheetData is not"),
    "comment in a new tab": (LOG, "<sheetData>", r"\g<0><!-- war -->", "Wars: it has a comment or an instruction"),
    "shape beside the picture": (
        DRAWING,
        "</xdr:wsDr>",
        r"<xdr:absoluteAnchor/>\g<0>",
        "Wars does not show its pictures",
    ),
    "relationship to the outside": (
        LINKS,
        "</Relationships>",
        r'<Relationship Id="rId9" Type="x/hyperlink" Target="http://x/" TargetMode="External"/>\g<0>',
        "sheet2.xml.rels leads out of the file, to http://x/",
    ),
    "relationship to another tab": (
        LINKS,
        "</Relationships>",
        r'<Relationship Id="rId9" Type="x/worksheet" Target="sheet1.xml"/>\g<0>',
        "the tab Wars does not have the parts of its template",
    ),
    "tab of two relationships": (
        "xl/_rels/workbook.xml.rels",
        "</Relationships>",
        r'<Relationship Id="rId9" Type="x/worksheet" Target="worksheets/sheet2.xml"/>\g<0>',
        "the part xl/worksheets/sheet2.xml is shown twice",
    ),
    "relationship lost": (LINKS, "<Relationship Id=.rId1.*?/>", "", "the part xl/comments1.xml is shown nowhere"),
}


@cache
def copied() -> tuple[Package, Patch]:
    package = opened(workbook({"S": sheet(rows({"A": "1", "B": "=A1|1"}))}))
    return package, make_patch(package, COPIES)


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


def test_planned_additions_are_no_damage() -> None:
    package, made = edited()

    check(package, copy(package, made), CHANGES, made)
    check(copied()[0], copy(*copied()), COPIES, copied()[1])

    assert {LOG, LISTS, NOTES, SHAPES, DRAWING} < set(copied()[1].added)
    assert {SHEET, TABLE} < set(made.changed)
    assert {LOG, DRAWING, DRAWN, LINKS} < set(made.added)


def test_a_new_tab_of_many_rows_is_checked_as_a_stream() -> None:
    """A tree takes ten times the bytes of its part, and was made twice: 1.6 GB for the log of a thousand wars."""
    package = opened(workbook({"S": sheet(rows({"A": "1"}))}))
    lines = tuple(
        AppendRow(key("Log"), (f"line {number} of a log, as long as those of battles are", number))
        for number in range(10_000)
    )
    changes = ChangeSet(tabs=(NewTab(key("Log"), ("What", "When")),), rows=lines)
    made = make_patch(package, changes)
    after, size = copy(package, made), len(made.added[LOG])

    tracemalloc.start()
    try:
        check(package, after, changes, made)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < 6 * size


def test_damage_to_new_parts_is_reported() -> None:
    for kind in DAMAGE:
        is_named(*edited(), CHANGES, DAMAGE[kind])


def test_parts_copied_from_a_template_are_checked_as_strictly_as_others() -> None:
    for kind in DAMAGE_TO_COPIES:
        is_named(*copied(), COPIES, DAMAGE_TO_COPIES[kind])


def is_named(package: Package, made: Patch, changes: ChangeSet, damage: tuple[str, str, str, str]) -> None:
    name, pattern, new, says = damage
    part = next(part for part in (*made.changed, *made.added) if part.startswith(name))
    is_added = part in made.added
    content = made.added[part] if is_added else bytes(made.changed[part])  # type: ignore[arg-type]
    worse, count = re.subn(pattern.encode(), new.encode(), content)
    assert count, content
    added = {**made.added, part: worse} if is_added else made.added
    changed = made.changed if is_added else {**made.changed, part: worse}

    with pytest.raises(RefusedChange, match=rf"^small.xlsx: the edited copy failed its check: .*{says}.*Please report"):
        check(package, copy(package, replace(made, added=added, changed=changed)), changes, made)
