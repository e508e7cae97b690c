"""Subjects of commits: `area: imperative`, at most 72 characters."""

from __future__ import annotations

import pytest

from scripts.support.subjects import faults


@pytest.mark.parametrize(
    ("subject", "wrong"),
    [
        ("xlsx: keep ports reserved after a test server ends", []),
        ("board, picker: write the cell that was clicked", []),
        ("board: a button for each army", ["'a' is no verb of subjects.py"]),
        ("board: nobody draws twice", ["'nobody' is no verb of subjects.py"]),
        ("Mend the board", ["no area before a colon"]),
        ("board: draw " + "x" * 61, ["73 characters, at most 72"]),
    ],
)
def test_a_subject_names_an_area_and_begins_with_a_verb(subject: str, wrong: list[str]) -> None:
    assert faults(subject) == wrong
