"""What a text becomes in a cell."""

import pytest

from sheets_algo.workbook.cell_limits import LONGEST, TooLong, cell_text
from tests.helpers.rows import each


@each(
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


@each("text", ["x" * LONGEST, "𝔊" * (LONGEST // 2) + "x"])
def test_the_longest_text_fits(text: str) -> None:
    assert cell_text(text).text == text


@each("text", ["x" * (LONGEST + 1), "𝔊" * (LONGEST // 2 + 1)])
def test_a_longer_text_is_refused_and_never_cut(text: str) -> None:
    with pytest.raises(TooLong, match="32,768"):
        cell_text(text)
