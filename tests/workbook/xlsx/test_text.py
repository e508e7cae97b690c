"""What a text becomes in a cell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheets_algo.workbook.cell_limits import LONGEST, TooLong, cell_text
from sheets_algo.workbook.changes import ChangeSet, SetCell
from sheets_algo.workbook.xlsx.file.text import cell_xml, plain
from tests.workbook.xlsx.door import opened, patched, values
from tests.workbook.xlsx.small import S, rows, sheet, workbook

HAZARDS = [
    "== Battle of Sedan ==",
    "=France",
    '=HYPERLINK("http://example.org","click")',
    '{| class="wikitable" |}',
    "'''bold'''",
    "+5",
    "-5",
    "@everyone",
    "007",
    "3-4",
    "TRUE",
    "#N/A",
    "#REF!",
    "_x000D_",
    "_x0041_x0042_",
    "a & <b> ]]> \"c\" 'd'",
    "  outer spaces  ",
    "two\nlines\tand a tab",
    "⚔ 𝔊 é e\u0301 שלום",
]


def test_a_text_is_stored_as_text_and_reads_back() -> None:
    for text in HAZARDS:
        package = opened(workbook({"S": sheet(rows({"A": "1"}))}))

        _, after = patched(package, ChangeSet(cells=(SetCell(S, 1, 1, text),)))

        assert values(after) == {"A1": text}


@pytest.mark.parametrize(
    ("text", "kept", "replaced"),
    [
        ("a\r\nb\rc", "a\nb\nc", 0),
        ("bell\x07 nul\x00", "bell\u2407 nul\u2400", 2),
        ("half \ud800", "half \ufffd", 1),
        ("\ufffe\uffff", "\ufffd\ufffd", 2),
        ("plain", "plain", 0),
    ],
)
def test_invalid_characters_become_visible(text: str, kept: str, replaced: int) -> None:
    assert cell_text(text).text == kept
    assert cell_text(text).replaced == replaced


@pytest.mark.parametrize("text", ["x" * LONGEST, "𝔊" * (LONGEST // 2) + "x"])
def test_the_longest_text_fits(text: str) -> None:
    assert cell_text(text).text == text


@pytest.mark.parametrize("text", ["x" * (LONGEST + 1), "𝔊" * (LONGEST // 2 + 1)])
def test_a_longer_text_is_refused_and_never_cut(text: str) -> None:
    with pytest.raises(TooLong, match="32,768"):
        cell_text(text)


@given(st.text(max_size=60))
def test_any_text_survives_escaping(text: str) -> None:
    kept = cell_text(text).text

    assert plain(cell_xml(kept)).replace("_x005F_", "_") == kept.replace("_x005F_", "_")


def test_comments_and_sections_are_resolved() -> None:
    assert plain(b"a&lt;<!-- & -->&#98;<![CDATA[<&amp;>]]>&#x63;<?pi?>") == "a<b<&amp;>c"
