"""The script that tries the writer on a folder of workbooks."""

import shutil
from pathlib import Path
from subprocess import CompletedProcess

from scripts.support.warm_start import run_script
from tests.workbook.xlsx.small import sheet, workbook

ROOT = Path(__file__).parents[3]
SAMPLES = Path(__file__).parent / "samples"


def run(*arguments: str) -> CompletedProcess[str]:
    return run_script(ROOT / "scripts" / "xlsx-corpus", *arguments)


def test_the_corpus_script_edits_the_samples_and_counts_refusals_by_reason() -> None:
    done = run(str(SAMPLES), "--all-tabs")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "30   46.9%  edited (cells)" in done.stdout
    assert "31   48.4%  edited (row, tab and pictures)" in done.stdout
    assert "1    1.6%  refused: the tab is protected (cells)" in done.stdout
    assert "1    1.6%  refused: a formula calls this column of the table Table#" in done.stdout


def test_the_corpus_script_changes_no_file_and_names_foreign_ones(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.xlsx", tmp_path / "deep" / "bad.xlsx"
    bad.parent.mkdir()
    bad.write_text("a,b\n1,2\n")
    shutil.copy(SAMPLES / "checkboxes.xlsx", good)
    before = good.read_bytes()

    done = run(str(tmp_path), "--verbose")

    assert done.returncode == 0
    assert "edited" in done.stdout
    assert "deep/bad.xlsx: not opened: " in done.stderr
    assert good.read_bytes() == before
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["bad.xlsx", "deep", "good.xlsx"]


def test_a_slow_file_in_openpyxl_does_not_stop_the_corpus_script(tmp_path: Path) -> None:
    """A merged column makes openpyxl build an object of each of its million cells, twice."""
    tail = '<mergeCells count="1"><mergeCell ref="B1:B1048576"/></mergeCells>'
    (tmp_path / "merged.xlsx").write_bytes(workbook({"S": sheet("", tail=tail)}))

    done = run(str(tmp_path), "--seconds", "2")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "1   50.0%  edited, openpyxl needs more than 2 s (row, tab and pictures)" in done.stdout


def test_the_corpus_script_has_help() -> None:
    assert "--libreoffice" in run("--help").stdout
