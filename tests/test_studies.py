"""Scripts whose figures stand in the documents still measure: each runs once, as small as it can be."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.support.warm_start import run_script

STUDIES = Path(__file__).parents[1] / "scripts" / "studies"


@pytest.mark.parametrize(
    ("words", "row"),
    [
        (("bench.py", "--rows", "20", "--requests", "1", "--repeat", "1"), "| 20 | 1 | "),
        (("bench-rulesets", "jousts", "--requests", "1"), "| jousts | 1 | 0 | "),
    ],
)
def test_a_study_prints_its_table(words: tuple[str, ...], row: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHEETS_ALGO_SECRET")  # that of the tests' seasons

    said = run_script(STUDIES / words[0], *words[1:])

    assert (said.returncode, said.stderr) == (0, "")
    heads, _, figures = said.stdout.splitlines()
    assert figures.startswith(row)
    assert figures.count("|") == heads.count("|")
