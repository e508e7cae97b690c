"""Plainly spelled rows, which the parser does not see, read as the parser reads them: it reads a part given whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from unittest.mock import patch
from xml.parsers import expat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheets_algo.workbook.base import Value, a1
from sheets_algo.workbook.xlsx import plainrows, xml
from sheets_algo.workbook.xlsx.cells import CellDecoder
from sheets_algo.workbook.xlsx.guard import Limits
from sheets_algo.workbook.xlsx.rows import Range, scan
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


def read(pieces: Sequence[bytes], limits: Limits = LIMITS) -> tuple[dict[int, list[Value]], Sequence[Range]] | str:
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


@settings(LAW, max_examples=LAW.max_examples * 6)
@given(content=sheets(), size=st.integers(20, 400), encoding=st.sampled_from(["UTF-8", "utf-8", "iso-8859-1"]))
def test_a_part_in_pieces_reads_as_a_whole(content: bytes, size: int, encoding: str) -> None:
    head = f'<?xml version="1.0" encoding="{encoding}"?><worksheet xmlns="{MAIN}"><sheetData>'.encode()
    content += b"</sheetData></worksheet>"

    pieces = [head, *(content[at : at + size] for at in range(0, len(content), size))]

    with patch.object(plainrows, "_LEARNING", (1, 3, 6)):  # else long after the few rows of a test
        assert read(pieces) == read([head + content])


def test_rows_spelled_as_usual_do_not_reach_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
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
        f'<row r="{n}" spans="1:3"><c r="A{n}" t="inlineStr"><is><t>a &amp; b</t></is></c>'
        f'<c r="C{n}" s="1"><v>{n}</v></c>'
        f'<c r="D{n}"><f>C{n}*2</f><v>{n * 2}</v></c></row>'
        for n in range(1, 10_001)
    )
    content = f'<worksheet xmlns="{MAIN}"><sheetData>{lines}</sheetData></worksheet>'.encode()

    found, _ = scan([content[at : at + 50_000] for at in range(0, len(content), 50_000)], DECODER, Limits(), None)

    assert len(found) == 10_000
    assert found[9_999] == ("a & b", None, date(1927, 5, 17), 19_998)
    assert parsed < len(content) / 10


def test_limits_hold_for_rows_that_the_parser_does_not_see() -> None:
    lines = [f'<row r="{n}"><c r="A{n}" t="str"><v>{"x" * n}</v></c></row>' for n in range(1, 100)]
    head = f'<worksheet xmlns="{MAIN}"><sheetData>'
    pieces = [line.encode() for line in (head, *lines, "</sheetData></worksheet>")]

    with pytest.raises(xml.Refused, match="a text in it is longer than 50 characters"):
        scan(pieces, DECODER, Limits(text=50), None)
    with pytest.raises(xml.Refused, match="more than 40 cells"):
        scan(pieces, DECODER, Limits(cells=40), None)
    assert scan(pieces, DECODER, Limits(), 3)[0].keys() == {1, 2, 3}
