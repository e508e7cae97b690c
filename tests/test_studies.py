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


def test_the_script_counts_lines_by_folder_and_kind() -> None:
    said = run_script(STUDIES / "lines.py")

    assert (said.returncode, said.stderr) == (0, "")
    cells = [row.strip("| ").replace(",", "").split(" | ") for row in said.stdout.splitlines()[2:] if row[:1] == "|"]
    counts = {folder: [*map(int, numbers)] for folder, *numbers in cells}
    files = [file for folder in ("engine", "sheets_algo") for file in (STUDIES.parents[1] / folder).rglob("*.py")]
    assert counts["all"][0] == sum(len(file.read_text("utf-8").splitlines()) for file in files)
    assert all(lines == sum(kinds) for lines, *kinds in counts.values())
