"""The script as a person runs it."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from scripts.support.warm_start import run_script
from tests.helpers.machine_code import caches
from tests.history.rows import BATTLES, SCENARIOS

SCRIPT = Path(__file__).resolve().parent.parent.parent / "scripts" / "studies" / "history.py"


def run(*words: object, ok: int = 0) -> CompletedProcess[str]:
    done = run_script(SCRIPT, *words, XDG_CACHE_HOME=caches())
    assert done.returncode == ok, done.stderr
    return done


def some(tmp_path: Path, *, rows: int = 4, without: tuple[str, ...] = (), **changes: str) -> Path:
    """A file of the first battles, without some columns, with other cells in the first row."""
    with BATTLES.open(encoding="utf-8", newline="") as lines:
        cells = list(csv.DictReader(lines))[:rows]
    cells[0] |= changes
    file = tmp_path / "some.csv"
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, [name for name in cells[0] if name not in without], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(cells)
    return file


def test_predictions_are_written_for_every_track(tmp_path: Path) -> None:
    out = tmp_path / "predictions.csv"
    told = run(some(tmp_path), "--runs", 3, "--out", out).stdout
    with out.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))

    assert "B.brier" in told
    assert [row["track"] for row in rows] == ["A"] * 4 + ["B"] * 4 + ["C"] * 4
    assert list(rows[0])[:6] == [
        "battle_id", "track", "p_attacker_win", "att_loss_frac_median", "def_loss_frac_median", "duration_hours",
    ]  # fmt: skip
    assert all(0 <= float(row["p_attacker_win"]) <= 1 and float(row["duration_hours"]) > 0 for row in rows)


def test_missing_outcomes_are_accepted(tmp_path: Path) -> None:
    hidden = ("winner", "att_losses", "def_losses", "att_loss_frac", "def_loss_frac", "duration_hours", "advance_km")
    out = tmp_path / "predictions.csv"
    run(some(tmp_path, without=hidden), "--runs", 2, "--track", "B", "--out", out, "--json")

    assert len(out.read_text(encoding="utf-8").splitlines()) == 1 + 4


def test_the_same_seed_gives_the_same_file_and_another_seed_another(tmp_path: Path) -> None:
    file, texts = some(tmp_path), []
    for seed in (1, 1, 2):
        out = tmp_path / "out.csv"
        run(file, "--runs", 3, "--track", "A", "--seed", seed, "--out", out)
        texts.append(out.read_text(encoding="utf-8"))

    assert texts[0] == texts[1] != texts[2]


def test_scenarios_run_alone_and_with_the_curve(tmp_path: Path) -> None:
    out, curve = tmp_path / "scenarios.csv", tmp_path / "curve.csv"
    told = json.loads(run("--scenarios", SCENARIOS, "--runs", 2, "--out", out, "--curve", curve, "--json").stdout)
    with out.open(encoding="utf-8", newline="") as lines:
        rows = {row["scenario_id"]: row for row in csv.DictReader(lines)}
    with curve.open(encoding="utf-8", newline="") as lines:
        points = list(csv.DictReader(lines))

    assert "scenario.accuracy" in told["metrics"]
    assert len(rows) == 29
    assert rows["malta-1565"]["duration_days"] != rows["malta-1565"]["duration_hours"] == ""
    assert float(rows["salamis-0480bc"]["att_ships_lost"]) >= 0
    assert list(points[0]) == ["posture", "ratio", "p_attacker_win"]
    assert len(points) == 3 * 8


def test_folds_partition_the_rows(tmp_path: Path) -> None:
    told = json.loads(run(some(tmp_path, rows=30), "--runs", 2, "--track", "B", "--folds", 3, "--json").stdout)

    assert len(told["folds"]["B.brier"]["each"]) == 3


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"att_size": "many"}, 'some.csv, line 2, column att_size: "many" is not a number.'),
        ({"att_size": "0"}, "some.csv, line 2, column att_size: 0 is not allowed; use a number from 1 to 1.5e+07."),
        (
            {"winner": "nobody"},
            'some.csv, line 2, column winner: "nobody" is not allowed; use attacker, defender, draw.',
        ),
        ({"battle_id": "cdb90-003"}, 'some.csv, line 3, column battle_id: "cdb90-003" stands in line 2 already'),
        ({"posture": "XX"}, 'some.csv, line 2, column posture: "XX" is not allowed; use WD, HD, PD, FD.'),
        ({"year": ""}, "some.csv, line 2, column year: it is blank; every row needs it."),
    ],
)
def test_a_wrong_cell_is_reported(tmp_path: Path, changes: dict[str, str], says: str) -> None:
    assert says in run(some(tmp_path, **changes), "--runs", 1, ok=2).stderr


def test_a_row_longer_than_the_header_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "long.csv"
    file.write_text("battle_id,year,att_size,def_size\nx,1700,1,000,2000\n", encoding="utf-8")

    assert "long.csv, line 2: it has more cells than the header has columns." in run(file, ok=2).stderr


def test_unknown_words_are_reported_with_their_substitutes(tmp_path: Path) -> None:
    file = some(tmp_path, rows=1, att_cav_type="Rhenish hussars", terrain_map="Swamp", climate="temperate")
    said = run(file, "--runs", 1, "--track", "A").stderr

    assert '"Rhenish hussars" is no unit of the catalogue; taken for Hussar.' in said
    assert 'Terrain "Swamp" is not in the list of the engine; taken for Plain.' in said
    assert "temperate" not in said


def test_invalid_options_are_reported_in_a_sentence() -> None:
    cases = [
        ((), "name a file of battles, or --scenarios, --curve or --orderings"),
        (("nowhere.csv",), "nowhere.csv: the file cannot be read: No such file or directory."),
        ((SCENARIOS,), "there is no column battle_id, which such a file begins with."),
        ((BATTLES, "--runs", "0"), '"0" is not a whole number from 1 upwards'),
        ((BATTLES, "--seed", "-1"), '"-1" is not a whole number from 0 upwards'),
    ]
    assert [
        (words, says, run(*words, ok=2).stderr) for words, says in cases if says not in run(*words, ok=2).stderr
    ] == []
