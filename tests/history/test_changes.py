"""What the calibration changed: the numbers of another checkout, and each change taken back alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from plausibility.adapter import ADAPTER, adapter_numbers
from plausibility.changes import Change, changes
from plausibility.evaluation import Bench, changed
from plausibility.parameters import ROOT, TABLES, Parameter, numbers_of
from plausibility_pages import changes_table

from tests.history.rows import arena, battles, library

RAW, NUMBERS = library().raw("autoalgo"), adapter_numbers()
DICE = Parameter("dice", False, ("constants/ATK-04/luck_most",), 0.5, 2, "the source")
TRAINING = Parameter("training", True, ("training/a_point", "training/middle"), 0.5, 2, "the rows")
LIMITS = Parameter("limits", False, ("strategy/hours_most",), 0.5, 2)


def found(**before: float) -> list[Change]:
    """Changes against these numbers of the tables, a point of training of 1 and a middle of 4."""
    bench = Bench(battles()[:4], arena=arena())
    then = changed(RAW, {place.replace("__", "/"): value for place, value in before.items()})
    then_adapter = changed(NUMBERS, {"training/a_point": 1.0, "training/middle": 4})
    parameters = (DICE, TRAINING, LIMITS)
    return list(changes(bench, (RAW, NUMBERS), (then, then_adapter), parameters, runs=2, seed=0))


def test_what_did_not_change_is_left_out() -> None:
    listed = found(strategy__hours_most=30)

    assert [change.parameter.name for change in listed] == ["training", "limits"]
    assert listed[1].was == 30
    assert listed[1].factor == pytest.approx(RAW["strategy"]["hours_most"] / 30)


def test_the_factor_is_the_median_of_all_its_numbers() -> None:
    """Two numbers: the middle of both ratios."""
    (training,) = found()
    ratios = (NUMBERS["training"]["a_point"] / 1.0, NUMBERS["training"]["middle"] / 4)

    assert training.factor == pytest.approx(sum(ratios) / 2)


def test_one_number_alone_is_taken_back() -> None:
    """With dice that never kill, nobody loses a man; the other changes do not matter to that."""
    still = found(**{"constants__ATK-04__luck_most": 1e-9})[0]

    assert still.parameter is DICE
    assert still.was == 1e-9
    assert still.put_back["loss.bias"] < 0.1


def test_what_cannot_stand_alone_has_no_metrics() -> None:
    """Elite below Regular: the tables refuse it."""
    elite = "ordered/lists/Soldier Type/feeds/Effectiveness/values/Elite"
    parameters = (Parameter("elite", False, (elite,), 0.5, 2),)
    bench = Bench(battles()[:1], arena=arena())
    (change,) = changes(bench, (RAW, NUMBERS), (changed(RAW, {elite: 1.0}), NUMBERS), parameters, runs=1, seed=0)

    assert change.put_back == {}
    assert "| elite | 1, " in changes_table({}, [change])


def test_a_line_for_each_change() -> None:
    metrics = dict.fromkeys(
        ("B.auc", "B.accuracy", "loss.factor", "duration.factor", "scenario.accuracy", "scenario.band_2x"), 0.5
    ) | {"curve.inside": 1.0}
    table = changes_table(metrics, [Change(TRAINING, 1.0, 1.95, 1.6, metrics), Change(DICE, 4.0, 5.0, 1.25, metrics)])

    worth = "0.50 | 0.50 | 0.50 | 0.50 | 0.50 | 0.50 | 1.00"
    assert f"| training | 1, 1.95 (× 1.6) | {worth} | the rows |" in table
    assert f"| dice | 4, 5 | {worth} | the source |" in table


def test_numbers_of_another_checkout(tmp_path: Path) -> None:
    (tmp_path / TABLES).mkdir(parents=True)
    for name, content in (dict(RAW) | {"weights": {"major": 3, "moderate": 2, "gone": 1}}).items():
        (tmp_path / TABLES / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    adapter = tmp_path / ADAPTER.relative_to(ROOT)
    adapter.parent.mkdir(parents=True)
    adapter.write_text(json.dumps({"training": {"a_point": 1}}), encoding="utf-8")
    raw, numbers = numbers_of(tmp_path, RAW, NUMBERS)

    assert raw["weights"] == {**RAW["weights"], "major": 3, "moderate": 2}
    assert raw["units"] == RAW["units"]
    assert numbers["training"] == {**NUMBERS["training"], "a_point": 1}
    assert numbers["leaders"] == NUMBERS["leaders"]


def test_a_folder_without_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"ages\.json: not a readable JSON file"):
        numbers_of(tmp_path, RAW, NUMBERS)
