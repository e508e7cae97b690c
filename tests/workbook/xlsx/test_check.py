"""Damage done on purpose to an edited copy: whatever is different from the plan, and wherever, the check refuses it."""

import random
import re
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from sheets_algo.workbook.changes import AppendRow, ChangeSet, NewTab, Picture, SetCell
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.template_spec import CellCheck, CellSpec, ColumnSpec, Style, TabSpec, Tint
from sheets_algo.workbook.xlsx import XlsxWorkbook
from tests.helpers.example_budget import BUDGET
from tests.helpers.tabs import key, keys
from tests.workbook.xlsx.apart import opened
from tests.workbook.xlsx.inside import Judged, judged, spoil
from tests.workbook.xlsx.small import MAIN, PACKAGE, RELATIONS, S, png, rows, sheet, table, workbook

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.xls?"))
DRAWN = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
FAILED = re.compile(
    r"^small.xlsx: .*(?:the edited copy failed its check: .*; nothing was written. Please report this"
    r"|That is the edited copy; nothing was written)",
    re.DOTALL,
)

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
EDITS = ChangeSet(
    tabs=(NewTab(key("Log"), ("What", "When")),),
    cells=(SetCell(S, 1, 2, "Soldiers"), SetCell(S, 2, 2, 90), SetCell(S, 2, 5, " text ")),
    rows=(AppendRow(S, ("France", 5)), AppendRow(key("Log"), ("war", 1066))),
    pictures=(Picture(S, png()), Picture(key("Log"), png(), row=3), Picture(key("Log"), png("blue"), row=9)),
    forced=True,
)


def everything(between: str = "") -> bytes:
    """Return a workbook with one of everything that a person would miss.

    Args:
        between: What stands before its rows; after a comment, they are not separated by their tags.
    """
    links = "".join(
        f'<Relationship Id="rId{number}" Type="{RELATIONS}/{kind}" Target="../{target}"/>'
        for number, (kind, target) in enumerate(
            [("table", "tables/table1.xml"), ("drawing", "drawings/drawing1.xml"), ("comments", "comments1.xml")], 1
        )
    )
    more = {
        "xl/worksheets/_rels/sheet1.xml.rels": f'<Relationships xmlns="{PACKAGE}">{links}</Relationships>',
        "xl/drawings/drawing1.xml": f'<d:wsDr xmlns:d="{DRAWN}"><d:absoluteAnchor></d:absoluteAnchor></d:wsDr>',
        "xl/comments1.xml": f'<comments xmlns="{MAIN}"/>',
    }
    listed = table("List", "A1:B2", "Nation", "Men").replace("</tableColumns>", "<!-- inside --></tableColumns>")
    return workbook(
        {"S": sheet(between + ROWS, head=HEAD, tail=TAIL) + "<!-- last -->", "T": sheet("")},
        tables={"S": f"<!-- before -->{listed}<?after?>"},
        names='<definedName name="one">S!$A$1</definedName>',
        workbook_tail='<calcPr calcId="9"/>',
        more=more,
    )


def plain() -> bytes:
    return workbook({"S": sheet(rows({"A": "1", "B": "=A1|1"}))})


def unordered() -> bytes:
    lines = [f'<row r="{n}"><c r="A{n}"><v>{n}</v></c><c r="B{n}"><f>A{n}</f><v>{n}</v></c></row>' for n in (5, 2, 9)]
    return workbook({"S": sheet("".join(lines))})


def prefixed() -> bytes:
    lines = '<x:row r="1"><x:c r="A1"><x:v>1</x:v></x:c></x:row>'
    return workbook({"S": f'<x:worksheet xmlns:x="{MAIN}"><x:sheetData>{lines}</x:sheetData></x:worksheet>'})


BOOKS: Mapping[str, tuple[Callable[[], bytes], ChangeSet]] = {
    "everything": (everything, EDITS),
    "comment before the rows": (lambda: everything("<!-- rows -->"), EDITS),
    "new tabs": (plain, COPIES),
    "unordered": (unordered, ChangeSet(cells=(SetCell(S, 2, 1, 20), SetCell(S, 7, 1, 70)), rows=(AppendRow(S, (9,)),))),
    "prefixed": (prefixed, ChangeSet(rows=(AppendRow(S, (2,)),))),
}

TAG = re.compile(rb"""<(/?)([\w:.-]+)((?:\s+[^\s=>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(/?)>""")
ATTRIBUTE = re.compile(rb"""\s+([^\s=>]+)\s*=\s*("[^"]*"|'[^']*')""")
FREE = re.compile(
    rb"(?:[Ii]d|sheetId)$"
)  # another number that is free does no harm, nor do entries of lists in another order


def elements(part: bytes) -> list[tuple[int, int, int, int]]:
    """Return start, end of the start tag, start of the end tag and end of each element."""
    opened_before, found = list[tuple[int, int]](), []
    for tag in TAG.finditer(re.sub(rb"(?s)<!--.*?-->|<\?.*?\?>", lambda text: b" " * len(text[0]), part)):
        if tag[1]:
            found.append((*opened_before.pop(), tag.start(), tag.end()))
        elif tag[4]:
            found.append((tag.start(), tag.end(), tag.end(), tag.end()))
        else:
            opened_before.append((tag.start(), tag.end()))
    return sorted(found)


Fault = tuple[int, int, bytes]
"""A place of a part from its start to its end, and the bytes that are there instead."""


def faults(name: str, part: bytes) -> Iterator[tuple[tuple[object, ...], Fault]]:
    """Yield a fault for each element and attribute; before it, its kind and the names of both."""
    tags = elements(part)
    for start, opened_at, closed_at, end in tags[1:]:
        element = re.split(rb"[\s/>]", part[start:opened_at])[0]
        inside = [(opened_at, opened_at, b"7"), (opened_at, closed_at, b"")]
        after = (b"junk", b"<!-- c -->", b'<row r="9"><c><v>1</v></c></row>', part[start:end])
        for kind, fault in enumerate(
            (
                (start, end, b""),
                *((end, end, new) for new in after),
                *(inside if opened_at < closed_at else ()),
            )
        ):
            yield (name, kind, element), fault
    for start, opened_at, *_ in tags:
        element = re.split(rb"[\s/>]", part[start:opened_at])[0]
        last = part.rfind(b"/" if part[opened_at - 2 : opened_at] == b"/>" else b">", start, opened_at)
        yield (name, "new", element), (last, last, b' hidden="1"')
        for attribute in ATTRIBUTE.finditer(part, start, opened_at):
            if not attribute[1].startswith(b"xmlns"):
                yield (name, "lost", element, attribute[1]), (attribute.start(), attribute.end(), b"")
            if not attribute[1].startswith(b"xmlns") and not FREE.search(attribute[1]):
                at = attribute.end() - 1
                yield (name, "other", element, attribute[1]), (at, at, b"9")
    for (start, _, _, end), (other, _, _, last) in pairwise(tags):
        if other == end and part[start:end] != part[other:last] and not name.endswith((".rels", "Types].xml")):
            yield (name, "moved", part[start:end]), (start, last, part[other:last] + part[start:end])


def accepted(judge: Judged, most: int) -> list[tuple[object, ...]]:
    """Return the faults with which a copy passes its check, of so many; of those of a kind in a part, one is tried."""
    written = {name: judge.package.part(name) for name in judge.package.names if not name.endswith(".png")}
    luck, every = random.Random(1066), dict[tuple[object, ...], list[Fault]]()
    for name, part in written.items():
        for kind, fault in faults(name, part):
            every.setdefault(kind, []).append(fault)
    passed = []
    for kind in luck.sample([*every], min(most, len(every))):
        name, (start, end, new) = str(kind[0]), luck.choice(every[kind])
        try:
            judge.check(judge.package.with_parts({name: written[name][:start] + new + written[name][end:]}))
        except RefusedChange as refusal:
            if FAILED.search(str(refusal)):
                continue
        passed.append(kind)
    return passed


@pytest.mark.parametrize("kind", BOOKS)
def test_a_copy_with_any_fault_fails_the_check(kind: str) -> None:
    make, changes = BOOKS[kind]
    judge = judged(make(), changes)

    judge.check(judge.package.data)

    assert accepted(judge, round(3000 * BUDGET)) == []


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.name)
def test_a_copy_of_a_foreign_workbook_with_any_fault_fails_the_check(file: Path) -> None:
    """With charts, pivot tables, slicers, macros, rich texts, comments, sparklines and links to other workbooks."""
    tab = next(entry.name for entry in opened(file.read_bytes()).sheets if entry.is_worksheet)
    changes = replace(COPIES, cells=(), rows=(AppendRow(key(tab), ("R-1", 12.5, True)), *COPIES.rows), forced=True)

    assert accepted(judged(file.read_bytes(), changes), round(50 * BUDGET)) == []


def test_a_number_of_a_built_in_format_is_not_that_of_a_new_one() -> None:
    judge = judged(plain(), COPIES)
    styles = judge.package.part("xl/styles.xml")

    with pytest.raises(RefusedChange, match="the styles: their numFmts are not as in the template"):
        judge.check(judge.package.with_parts({"xl/styles.xml": styles.replace(b"164", b"14")}))


def test_a_copy_with_a_damaged_archive_fails_the_check() -> None:
    judge = judged(everything(), EDITS)
    data, names = judge.package.data, judge.package.names
    media = next(name for name in names if name.endswith(".png"))
    kept = judge.package.part("xl/styles.xml")
    middle = data.index(b"xl/media/") + 60

    for copy in (
        *(data[:-cut] for cut in (1, 30, 2000)),
        data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :],
        judge.package.with_parts({}, ["xl/comments1.xml"]),
        judge.package.with_parts({}, (), {"xl/surplus.xml": b"<a/>"}),
        judge.package.with_parts({media: png("green")}),
        judge.package.with_parts({"xl/styles.xml": kept + b" "}),
    ):
        with pytest.raises(RefusedChange, match=FAILED):
            judge.check(copy)


def test_a_damaged_copy_never_replaces_the_workbook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "war.xlsx"
    path.write_bytes(everything())
    spoil(monkeypatch, b"landscape", b"portrait")

    book = XlsxWorkbook(path)
    with pytest.raises(RefusedChange, match="S: its element pageSetup is not as it was; nothing was written"):
        book.commit(book.read(keys("S")), ChangeSet(rows=(AppendRow(S, (5,)),), forced=True))

    assert path.read_bytes() == everything()
    assert [entry.name for entry in tmp_path.iterdir() if entry.is_file()] == ["war.xlsx"]


def test_a_new_tab_of_many_rows_is_checked_as_a_stream() -> None:
    """A tree takes ten times the bytes of its part, and was made twice: 1.6 GB for the log of a thousand wars."""
    text = "a line of a log, as long as those of battles are"
    lines = tuple(AppendRow(key("Log"), (f"{text} {number}", number)) for number in range(12_000))
    judge = judged(plain(), ChangeSet(tabs=(NewTab(key("Log"), ("What", "When")),), rows=lines))
    size = len(judge.package.part("xl/worksheets/sheet2.xml"))

    tracemalloc.start()
    try:
        judge.check(judge.package.data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < 5.5 * size
