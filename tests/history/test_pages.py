"""The page on plausibility: what the script replaces, and that its figures are there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from plausibility.adapter import adapter_numbers
from plausibility.evaluation import Bench
from plausibility.targets import TARGETS
from plausibility_pages import FOLDER, PAGE, filled, metrics_table, scenarios_table

from tests.history.rows import arena, battles, scenarios

TEXT = "Before.\n\n<!-- figures: one -->\n\nold\n\n<!-- end -->\n\n<!-- figures: two -->\n\n<!-- end -->\nAfter.\n"


def test_only_text_between_markers_is_replaced() -> None:
    made = filled(filled(TEXT, "one", r"new \1"), "two", "more")

    assert made == TEXT.replace("old", r"new \1").replace("two -->\n\n", "two -->\n\nmore\n\n")
    assert filled(filled(made, "one", "old"), "two", "x") == filled(filled(TEXT, "one", "old"), "two", "x")


def test_a_page_without_its_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="the markers of three stand there 0 times"):
        filled(TEXT, "three", "new")


def test_the_page_names_existing_metrics_and_pictures() -> None:
    before = json.loads((FOLDER / "before.json").read_text(encoding="utf-8"))["metrics"]
    page = PAGE.read_text(encoding="utf-8")

    assert before.keys() <= {target.key for target in TARGETS}
    for picture in ("calibration", "losses", "durations", "curve"):
        assert f"](plausibility/{picture}.svg)" in page
        assert (FOLDER / f"{picture}.svg").exists()


def test_an_evaluation_gives_tables_and_reproducible_pictures(tmp_path: Path) -> None:
    from plausibility.plots import draw  # with matplotlib, a second of each process that collects tests

    bench = Bench(battles()[::5], scenarios()[:2], arena=arena())
    found = bench.evaluate(bench.arena.library.raw("autoalgo"), adapter_numbers(), runs=2)
    pictures = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        pictures.append([file.read_text(encoding="utf-8") for file in draw(found, bench.battles, tmp_path / name)])

    assert pictures[0] == pictures[1]
    assert all("<svg" in picture for picture in pictures[0])
    assert "| Marathon | 490 BC | " in scenarios_table(bench, found)
    assert "| `B.brier` | Brier score | 0.50 | **" in metrics_table({"B.brier": 0.5}, found.metrics)
