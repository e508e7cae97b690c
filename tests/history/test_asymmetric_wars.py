"""Wars of unlike arms and numbers: what the file promises of its rows, and that the engine stays believable on them."""

from __future__ import annotations

import csv
import functools

import pytest
from plausibility.adapter import adapter_numbers
from plausibility.cases import read_scenarios
from plausibility.evaluation import Bench, changed
from plausibility.metrics import Metrics

from tests.history.rows import BATTLES, DATA, SCENARIOS, arena, library

FILE = DATA / "asymmetric_wars.csv"
RUNS = 50
RAW = library().raw("autoalgo")
BOUNDS = {
    "scenario.accuracy": (0.65, 1.0),
    "scenario.mean_p": (0.62, 0.85),
    "scenario.absurd": (0.0, 0.12),
    "scenario.band": (0.35, 1.0),
    "scenario.band_2x": (0.55, 1.0),
}
"""Metric to least and most: wider than other seeds carry it, too narrow for what is broken below."""


def rows(file: str = FILE.name) -> list[dict[str, str]]:
    with (DATA / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


ONE_ARM = {
    f"units/units/{place}/{column}": value
    for place, unit in enumerate(RAW["units"]["units"])
    if any(unit.get("Power", ()))
    for column, value in (("Power", [1, 1, 1]), ("Dispersion", 1))
    if column in unit
}
"""Every armed unit hits as hard as any other."""


@functools.cache
def measured(*, has_one_arm: bool = False) -> Metrics:
    raw = changed(RAW, ONE_ARM) if has_one_arm else RAW
    bench = Bench(scenarios=read_scenarios(FILE), arena=arena())
    return bench.evaluate(raw, adapter_numbers(), runs=RUNS, with_curve=False).metrics


def test_every_row_names_two_sources_and_is_in_no_other_file() -> None:
    others = {(row["name"], row["year"]) for file in (BATTLES, SCENARIOS) for row in rows(file.name)}

    assert len(rows()) >= 15
    for row in rows():
        assert len(row["sources"].split("; ")) >= 2, row["name"]
        assert 1500 <= int(row["year"]) <= 1900
        assert (row["name"], row["year"]) not in others


def test_rows_need_no_substitutions() -> None:
    assert Bench(scenarios=read_scenarios(FILE), arena=arena()).notes == []


def test_most_wars_have_few_against_many() -> None:
    ratios = [float(row["att_size"]) / float(row["def_size"]) for row in rows()]

    assert sum(max(ratio, 1 / ratio) >= 3 for ratio in ratios) >= 20


@pytest.mark.parametrize("key", BOUNDS)
def test_results_of_asymmetric_wars_stay_plausible(key: str) -> None:
    least, most = BOUNDS[key]

    assert least <= measured()[key] <= most


def test_arms_without_effect_are_detected() -> None:
    found = measured(has_one_arm=True)

    assert [key for key, (least, most) in BOUNDS.items() if not least <= found[key] <= most]
