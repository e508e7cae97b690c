"""Scripts whose figures stand in the documents still measure: each runs once, as small as it can be."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

STUDIES = Path(__file__).parents[1] / "scripts" / "studies"


@pytest.mark.parametrize(
    ("words", "row"),
    [
        (("bench.py", "--rows", "20", "--requests", "1", "--repeat", "1"), "| 20 | 1 | "),
        (("bench-rulesets", "scorecard", "--requests", "1"), "| scorecard | 1 | 0 | "),
    ],
)
def test_a_study_prints_its_table(words: tuple[str, ...], row: str) -> None:
    said = subprocess.run([sys.executable, STUDIES / words[0], *words[1:]], capture_output=True, text=True)

    assert (said.returncode, said.stderr) == (0, "")
    heads, _, figures = said.stdout.splitlines()
    assert figures.startswith(row)
    assert figures.count("|") == heads.count("|")
