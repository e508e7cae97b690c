"""Plainly spelled rows, which the parser does not see, read as the parser reads them: it reads a part given whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from xml.parsers import expat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheets_algo.workbook.addresses import a1, letters
from sheets_algo.workbook.values import Value
from sheets_algo.workbook.xlsx.file import xml
from sheets_algo.workbook.xlsx.file.areas import Area
from sheets_algo.workbook.xlsx.file.cells import CellDecoder
from sheets_algo.workbook.xlsx.file.guard import Limits
from sheets_algo.workbook.xlsx.read import plainrows
from sheets_algo.workbook.xlsx.read.rows import scan
from tests.helpers.example_budget import LAW
from tests.workbook.xlsx.hostile import MAIN

LIMITS = Limits(rows=100, columns=200)
DECODER = CellDecoder(("zero", "one & a half", "  "), ("", "date", "time"), uses_1904=False)
PLAIN = [
    *("<v>7</v>", "<v>-0.5</v>", "<v>1e400</v>", "<v> 12 </v>", "<v>x&amp;y</v>", "<v>2</v>"),
    *("<is><t>text</t></is>", '<is><t xml:space="preserve"> a &lt;b&gt;\n_x0041_</t></is>', "<is><t>ä€𝄞</t></is>"),
    *("<f>A1&amp;B2</f><v>3</v>", '<f aca="false">SUM(A1)</f><v>4</v>', '<f t="shared" si="0"/><v>5</v>'),
    *('<f t="shared" ref="A1:A9" si="0">B1*2</f><v>6</v>', '<f t="array" ref="A1:B2">C1</f><v>7</v>'),
]
ODD = [
    *("<v></v>", "<v/>", "<is><t/></is>", "<v>1</v><v>2</v>", "<v>1<!-- x -->2</v>", "<v><![CDATA[3]]></v>", "text"),
    *("<v>a&#65;b</v>", "<v>a>b</v>", "<v>a]]>b</v>", "<v>\x01</v>", "<v>5</w>", "<v>\r\n6</v>"),
    *("<v>&none;</v>", "<f>B1</f>", '<f t="shared" si="0"/>', '<f t="array" ref="A1:B2">C1</f>', "<v>\ufffe</v>"),
    *(
        "<is><r><t>a</t></r><r><t>b</t></r><rPh><t>z</t></rPh></is>",
        "<is><t>a</t></v>",
        '<v xml:space="preserve">8</v>',
    ),
    *('<row r="3"><c r="A3"><v>9</v></c></row>', '<f t="x" t="y">A1</f><v>1</v>'),
]
ATTRIBUTES = ["", "", ' t="s"', ' s="1"', ' s="2" t="n"', ' t="b"', ' t="str"', ' t="e"', ' t="inlineStr"', " t='str'"]
ODD_ATTRIBUTES = [
    ' xmlns="urn:x"',
    ' t="&#115;"',
    " T='s'",
    ' t="s" t="s"',
    ' x:t="s"',
    '\n s="1"',
    ' s="9" t="\ts"',
    " t",
]
BETWEEN = [
    "<!-- ",
    " -->",
    "\n",
    "<row/>",
    '<row r="70"/>',
    "<extLst>",
    "</extLst>",
    "<x>",
    "</x>",
    "<![CDATA[",
    "]]>",
    "?>",
]


def read(pieces: Sequence[bytes], limits: Limits = LIMITS) -> tuple[dict[int, list[Value]], Sequence[Area]] | str:
    try:
        rows, merged = scan(pieces, DECODER, limits, None)
    except xml.Refused:
        return "refused"
    return {number: list(cells) for number, cells in rows.items()}, merged


@st.composite
def sheets(draw: st.DrawFn) -> bytes:
    """Worksheets of mostly plain rows, alike in a few spellings, with oddities of every kind among them."""
    spellings = draw(st.lists(st.sampled_from(ATTRIBUTES), min_size=1, max_size=2))
    spans = draw(st.sampled_from(["", "", ' spans="1:9"', ' xmlns="urn:x"']))
    rows = [f'<row r="{number}"{spans}><c r="A{number}"{spellings[0]}/></row>' for number in (1, 2)]
    number = 2
    for _ in range(draw(st.integers(1, 12))):
        number += draw(st.sampled_from([1] * 12 + [0, -1, 2, 60]))
        cells = []
        column = 0
        for _ in range(draw(st.integers(0, 4))):
            column += draw(st.sampled_from([1] * 6 + [2, 5, 30, 0]))
            content = draw(st.sampled_from(PLAIN if draw(st.integers(0, 20)) else ODD))
            spelled = draw(st.sampled_from(spellings if draw(st.integers(0, 20)) else ODD_ATTRIBUTES))
            address = a1(max(number, 1), max(column, 1))
            if not draw(st.integers(0, 40)):
                address = draw(st.sampled_from(["A9", "B", "ZZZ1"]))
            end = f">{content}</c>" if draw(st.integers(0, 5)) else "/>"
            cells.append(f'<c r="{address}"{spelled}{end}')
        rows.append(f'<row r="{number}"{spans}>{"".join(cells)}</row>')
        if not draw(st.integers(0, 7)):
            rows.append(draw(st.sampled_from(BETWEEN)))
    body = "".join(rows).encode()
    if not draw(st.integers(0, 4)):
        at = draw(st.integers(0, len(body) - 1))
        byte = draw(st.sampled_from([b"", b"<", b">", b'"', b"&", b"\xff", b" ", b"1"]))
        body = body[:at] + byte + body[at + 1 :]
    return body


@settings(LAW, max_examples=LAW.max_examples * 4)
@given(
    content=sheets(),
    size=st.integers(20, 400),
    encoding=st.sampled_from(["UTF-8", "utf-8", "iso-8859-1"]),
)
def test_a_part_in_pieces_reads_as_a_whole(content: bytes, size: int, encoding: str) -> None:
    head = f'<?xml version="1.0" encoding="{encoding}"?><worksheet xmlns="{MAIN}"><sheetData>'.encode()
    content += b"</sheetData></worksheet>"

    pieces = [head, *(content[at : at + size] for at in range(0, len(content), size))]

    assert read(pieces) == read([head + content])


@pytest.mark.parametrize("last", [5, 64])
def test_rows_spelled_as_usual_do_not_reach_the_parser(last: int, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = 0
    feed = xml.feed

    def counted(parser: expat.XMLParserType, chunks: Iterable[bytes]) -> None:
        def listed() -> Iterator[bytes]:
            nonlocal parsed
            for chunk in chunks:
                parsed += len(chunk)
                yield chunk

        feed(parser, listed())

    monkeypatch.setattr(xml, "feed", counted)
    lines = "".join(
        f'<row r="{n}" spans="1:{last}"><c r="A{n}" t="inlineStr"><is><t>a &amp; b</t></is></c>'
        + (f'<c r="C{n}" s="1"><v>{n}</v></c>' if n % 3 else f'<c r="C{n}" s="1"/>' if n % 2 else "")
        + f'<c r="D{n}"><f>C{n}*2</f><v>{n * 2}</v></c><c r="{letters(last)}{n}"/></row>'
        for n in range(1, 10_001)
    )
    content = f'<worksheet xmlns="{MAIN}"><sheetData>{lines}</sheetData></worksheet>'.encode()

    found, _ = scan([content[at : at + 50_000] for at in range(0, len(content), 50_000)], DECODER, Limits(), None)

    assert len(found) == 10_000
    assert found[9_998] == ("a & b", None, date(1927, 5, 16), 19_996)
    assert found[9_999] == ("a & b", None, None, 19_998)
    assert parsed < len(content) / 10


def row(number: int, attributes: str = "", text: str = "<v>1</v>", of_the_row: str = ' spans="1:9"') -> str:
    return f'<row r="{number}"{of_the_row}><c r="A{number}" t="str"{attributes}>{text}</c><c r="B{number}"/></row>'


UNUSUAL: dict[str, str] = {
    "another namespace of a row": row(5, of_the_row=' xmlns="urn:x"') + row(6, of_the_row=' xmlns="urn:x"'),
    "another namespace of a cell": row(5, ' xmlns="urn:x"') + row(6, ' xmlns="urn:x"'),
    "an attribute twice": row(5) + row(6, ' s="1" s="1"'),
    "an attribute twice in a row": row(5) + row(6, of_the_row=' spans="1:9" spans="1:9"'),
    "an unknown prefix": row(5) + row(6, ' x:y="1"'),
    "an entity in an attribute": "".join(f'<row r="{n}"><c r="A{n}" t="&#115;"><v>1</v></c></row>' for n in (5, 6)),
    "a tab in an attribute": "".join(f'<row r="{n}"><c r="A{n}" t="\ts"><v>1</v></c></row>' for n in (5, 6, 7)),
    "a line break in an attribute": "".join(f'<row r="{n}"><c r="A{n}" t="b\n"><v>1</v></c></row>' for n in (5, 6)),
    "a type in an attribute's value": "".join(
        f'<row r="{n}"><c r="A{n}" p="\'t=\'s"><v>1</v></c></row>' for n in (5, 6)
    ),
    "an attribute that ends in t": "".join(f'<row r="{n}"><c r="A{n}" ht="s"><v>1</v></c></row>' for n in (5, 6)),
    "a row again": row(5) + row(4, text="<v>2</v>") + row(6),
    "the same row again": row(5) + row(5, text="<v>2</v>") + row(6),
    "a row after its number was skipped": row(8) + row(6, text="<v>2</v>") + row(9),
    "the last row": row(100),
    "a row too many": row(101),
    "row 0": row(0),
    "a number with zeros": row(5).replace('r="5"', 'r="05"'),
    "a cell of another row": row(5) + row(6).replace("A6", "A9") + row(9),
    "a cell of another row below": row(5) + row(6).replace("A6", "A9") + row(8) + row(9, text="<v>2</v>"),
    "no row and a number": row(5) + '<row r="x"><c r="A1" t="str"><v>2</v></c></row>' + row(6).replace("A6", "?"),
    "cells twice": row(5) + row(6).replace("B6", "A6"),
    "cells beyond the pattern": "".join(f'<row r="{n}"><c r="BL{n}"><v>1</v></c></row>' for n in (5, 6)),
    "far cells": "".join(f'<row r="{n}"><c r="BM{n}"><v>1</v></c></row>' for n in (5, 6)),
    "a column that was never there": row(5) + row(6).replace("B6", "H6") + row(7),
    "blank rows": "".join(f'<row r="{n}" spans="1:9"></row><row r="{n + 1}" spans="1:9"/>' for n in (5, 7, 9)),
    "blank texts": "".join(row(n, text=f"<v>{text}</v>") for n, text in ((5, ""), (6, ""), (7, " "))),
    "false, zero and nothing": "".join(
        f'<row r="{n}"><c r="A{n}"><v>1</v></c><c r="B{n}" t="b"><v>0</v></c><c r="C{n}"/></row>'
        f'<row r="{n + 1}"><c r="A{n + 1}"><v>0</v></c></row>'
        for n in (5, 7, 9)
    ),
    "a comment of rows": row(5) + "<!-- " + row(6) + row(7) + " -->" + row(8),
    "CDATA of rows": row(5) + "<![CDATA[" + row(6) + "]]>" + row(8),
    "an extension of rows": row(5) + "<extLst>" + row(6) + row(7) + "</extLst>" + row(8),
    "a row in a cell": row(5) + f'<row r="6"><c r="A6">{row(7)}<v>3</v></c></row>' + row(8),
    "rows after the rows": row(5) + f'</sheetData><sheetData>{row(6)}</sheetData><mergeCells><mergeCell ref="A1:B2"/>'
    "</mergeCells><sheetData>" + row(7),
    "carriage returns": row(5, text="<v>a\r\nb\rc</v>") * 1 + row(6, text="<v>a\rb</v>"),
    "a control character": row(5) + row(6, text="<v>\x01</v>"),
    "no character": row(5) + row(6, text="<v>\ufffe</v>"),
    "characters by number": row(5, text="<v>&#65;&#x42;</v>") + row(6, text="<v>&amp;lt;</v>"),
    "an unknown entity": row(5) + row(6, text="<v>&none;</v>"),
    "not UTF-8": row(5) + row(6, text="<v>\udcff</v>"),
    "shared formulas": '<row r="5"><c r="A5"><f t="shared" ref="A5:A9" si="0">B1&amp;"x"</f><v>6</v></c></row>'
    '<row r="6"><c r="A6"><f t="shared" si="0"/><v>7</v></c></row>'
    '<row r="7"><c r="A7"><f t="shared" si="0"/></c></row>',
    "an array formula without a result": '<row r="5"><c r="A5"><f t="array" ref="A5:A9" si="0">B1</f></c></row>'
    + row(6)
    + row(7),
    "a formula with a number that is not shared": '<row r="5"><c r="A5"><f si="0">B1</f><v>6</v></c></row>'
    '<row r="6"><c r="A6"><f t="shared" si="0"/></c></row>',
    "a data table": "".join(
        f'<row r="{n}"><c r="A{n}"><f t="dataTable" ref="A5:B6">B1</f><v>6</v></c></row>' for n in (5, 6)
    ),
    "not closed": row(5) + row(6).replace("</c>", "") + row(7),
    "closed otherwise": row(5) + row(6).replace("</v>", "</w>") + row(7),
    "a comment that spells the last row badly": "<!-- " + row(4, ' s="1" s="1"') + " -->" + row(6, ' s="1" s="1"'),
    "an angle bracket in an attribute": row(5) + row(6, ' s="<"') + row(7),
    "a quote that does not end": row(5) + row(6, ' s="1') + row(7),
}


def test_unusual_rows_among_plain_ones_read_as_the_parser_reads_them() -> None:
    for kind in UNUSUAL:
        unusual = UNUSUAL[kind].encode(errors="surrogateescape").replace(b"</row>", b"</row>\0").split(b"\0")
        head = f'<worksheet xmlns="{MAIN}"><sheetData>{row(1)}{row(2)}'.encode()
        rows = [*(row(number).encode() for number in (3, 4)), *unusual, row(90).encode()]
        pieces = [head, *rows, b"</sheetData></worksheet>"]

        assert read(pieces) == read([b"".join(pieces)])


@pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-8-sig", "windows-1252"])
def test_plain_rows_of_other_encodings_are_left_to_the_parser(encoding: str) -> None:
    head = f'<?xml version="1.0" encoding=\'{encoding}\'?><worksheet xmlns="{MAIN}"><sheetData>'.encode()
    rows = [row(number, text="<v>\xc3\xa4</v>").encode("latin-1") for number in range(1, 9)]
    pieces = [head, *rows, b"</sheetData></worksheet>"]

    assert read(pieces) == read([b"".join(pieces)])


def test_a_row_with_a_cell_far_to_the_right_widens_no_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pattern of 200 columns costs more than the parser, and one of 16,384 far more."""
    widths: list[int] = []
    pattern = plainrows._pattern

    def noted(width: int) -> re.Pattern[str]:
        widths.append(width)
        return pattern(width)

    monkeypatch.setattr(plainrows, "_pattern", noted)
    lines = [
        f'<row r="{n}"><c r="A{n}"><v>1</v></c><c r="{letters(200)}{n}"><v>{n}</v></c></row>' for n in range(1, 20)
    ]
    pieces = [f'<worksheet xmlns="{MAIN}"><sheetData>', *lines, "</sheetData></worksheet>"]

    rows = scan([piece.encode() for piece in pieces], DECODER, LIMITS, None)[0]

    assert [row[-1] for row in rows.values()] == list(range(1, 20))
    assert widths
    assert max(widths) <= plainrows.MOST_COLUMNS


def test_limits_hold_for_rows_that_the_parser_does_not_see() -> None:
    """Of 99 rows, the shortest text has one character, the longest 99."""
    lines = [f'<row r="{n}"><c r="A{n}" t="str"><v>{"x" * n}</v></c></row>' for n in range(1, 100)]
    head = f'<worksheet xmlns="{MAIN}"><sheetData>'
    pieces = [line.encode() for line in (head, *lines, "</sheetData></worksheet>")]

    for length in (50, 98):
        with pytest.raises(xml.Refused, match=f"a text in it is longer than {length} characters"):
            scan(pieces, DECODER, Limits(text=length), None)
    with pytest.raises(xml.Refused, match="more than 98 cells"):
        scan(pieces, DECODER, Limits(cells=98), None)
    assert len(scan(pieces, DECODER, Limits(text=99, cells=99), None)[0]) == 99
    assert len(scan(pieces, DECODER, Limits(rows=99), None)[0]) == 99
    with pytest.raises(xml.Refused, match="more than 98 rows"):
        scan(pieces, DECODER, Limits(rows=98), None)
    assert scan(pieces, DECODER, Limits(), 3)[0].keys() == {1, 2, 3}


def test_values_that_no_longer_fit_are_decoded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plainrows, "_MOST_REMEMBERED", 5)
    rows = [f'<row r="{n}"><c r="A{n}"><v>{n % 9}</v></c><c r="B{n}"/></row>' for n in range(1, 60)]
    pieces = [text.encode() for text in (f'<worksheet xmlns="{MAIN}"><sheetData>', *rows, "</sheetData></worksheet>")]

    assert scan(pieces, DECODER, LIMITS, None)[0] == {n: (n % 9,) for n in range(1, 60)}
