"""The search for better numbers: what it may change, how it measures itself, how it writes."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from plausibility import orderings
from plausibility.adapter import adapter_numbers
from plausibility.cases import read_scenarios
from plausibility.evaluation import Bench, Evaluation, merged
from plausibility.fights import Arena
from plausibility.parameters import PARAMETERS, Parameter, Space, group_of, numbers_of, overlaid, parameters
from plausibility.plain import plain_rows
from plausibility.rewriting import rewritten
from plausibility.search import cost, fit

from scripts.support.warm_start import run_script
from tests.helpers import machine_code
from tests.helpers.machine_code import caches
from tests.history.rows import BATTLES, DATA, arena, battles, fought, library, scenarios

ROOT = Path(__file__).resolve().parent.parent.parent
RAW, NUMBERS = library().raw("autoalgo"), adapter_numbers()
PLAIN = DATA / "plain_wars.csv"
SCHEMAS = {
    file.name.split(".")[0]: json.loads(file.read_text(encoding="utf-8"))
    for file in (ROOT / "config" / "schema" / "autoalgo").glob("*.json")
}


def space(*chosen: Parameter) -> Space:
    return Space(RAW, NUMBERS, SCHEMAS, chosen)


def test_every_parameter_has_places_and_no_place_has_two() -> None:
    found = parameters(RAW, NUMBERS)
    places = Counter((parameter.in_adapter, place) for parameter in found for place in parameter.places)

    assert len(found) == len(json.loads(PARAMETERS.read_text(encoding="utf-8"))["parameters"])
    assert max(places.values()) == 1
    assert all(parameter.least < 1 < parameter.most for parameter in found)


def test_every_armed_unit_has_a_group() -> None:
    groups = json.loads(PARAMETERS.read_text(encoding="utf-8"))["groups"]
    alone = [unit["Name"] for unit in RAW["units"]["units"] if "Power" in unit and not group_of(unit, groups)]

    assert alone == []


def test_a_parameter_without_a_place_is_refused() -> None:
    content = {
        "groups": {},
        "parameters": [{"name": "x", "places": ["weights/none"], "least": 0.5, "most": 2, "anchor": ""}],
    }

    with pytest.raises(ValueError, match='"x" names no number that there is'):
        parameters(RAW, NUMBERS, content)


def test_scaled_numbers_are_rounded_and_stay_within_their_schema() -> None:
    """Power is 10 at most, Psychology 1 at least."""
    huge = Parameter("power", False, ("units/units/13/Power/1",), 0.1, 100)
    tiny = Parameter("heart", False, ("units/units/13/Psychology",), 0.001, 2)
    point = Parameter("training", True, ("training/a_point",), 0.1, 2)
    tables, adapter = space(huge, tiny, point).scaled([100.0, 0.001, 1.23456])

    assert tables == {"units/units/13/Power/1": 10, "units/units/13/Psychology": 1}
    assert adapter == {"training/a_point": float(f"{NUMBERS['training']['a_point'] * 1.23456:.3g}")}


def test_numbers_of_another_checkout_take_their_places() -> None:
    now = {"word": "new", "a": [{"b": 1}, {"b": 2}, {"b": 3}], "only now": 4, "flag": True}
    then = {"word": "old", "a": [{"b": 10}, {"b": "ten", "c": 5}], "only then": 6, "flag": 0}

    assert overlaid(now, then) == {"word": "new", "a": [{"b": 10}, {"b": 2}, {"b": 3}], "only now": 4, "flag": True}


def test_the_project_is_left_alone() -> None:
    before = json.dumps(RAW)
    tables, _ = space(Parameter("major", False, ("weights/major",), 0.5, 2)).candidate([1.1])

    assert json.dumps(RAW) == before
    assert tables["weights"]["major"] == float(f"{RAW['weights']['major'] * 1.1:.3g}")


def test_a_checkout_from_before_a_file_was_there_keeps_the_numbers_of_that_file(tmp_path: Path) -> None:
    folder = tmp_path / "config" / "tables" / "autoalgo"
    folder.mkdir(parents=True)
    (folder / "weights.json").write_text(json.dumps(RAW["weights"] | {"major": 7.0}), "utf-8")
    adapter = tmp_path / "scripts" / "studies" / "plausibility" / "adapter.json"
    adapter.parent.mkdir(parents=True)
    adapter.write_text(json.dumps(NUMBERS), "utf-8")

    raw, numbers = numbers_of(tmp_path, RAW, NUMBERS)

    assert raw["weights"]["major"] == 7.0
    assert (raw["source"], numbers) == (RAW["source"], NUMBERS)


def test_numbers_are_replaced_where_they_stand() -> None:
    text = '{\n  "a, [1]": {"b": [1, 2.50,\n 3e1], "c": "4"},   "d": [{"e": -5}, {"e": 6}], "f": true\n}\n'

    assert rewritten(text, {"a, [1]/b/1": 7.5, "a, [1]/b/2": 30, "d/1/e": -0.25}) == (
        '{\n  "a, [1]": {"b": [1, 7.5,\n 3e1], "c": "4"},   "d": [{"e": -5}, {"e": -0.25}], "f": true\n}\n'
    )
    with pytest.raises(ValueError, match=r"x\.json#/a, \[1\]/c: there is no number"):
        rewritten(text, {"a, [1]/c": 1}, "x.json")


def test_folds_part_the_rows_and_their_metrics_come_together() -> None:
    bench = Bench(battles(), scenarios(), arena())
    parts = [bench.only(fold, 5) for fold in range(5)]

    assert sorted(battle.case.id for part in parts for battle in part.battles) == sorted(
        battle.case.id for battle in battles()
    )
    for fold, part in enumerate(parts):
        rest = bench.without(fold, 5)
        assert len(part.battles) + len(rest.battles) == 155
        assert len(part.scenarios) + len(rest.scenarios) == 29


def test_left_out_rows_are_measured_together() -> None:
    """Brier of odds 0.5, 0.5 and 0.9 for attackers who won: 0.25, 0.25 and 0.01."""
    parts = []
    for odds in ((0.5, 0.5), (0.9,)):
        pairs = [fought(p=p) for p in odds]
        bench = Bench(arena=arena())
        bench.battles = [battle for battle, _ in pairs]
        parts.append((bench, Evaluation({}, {"B": [prediction for _, prediction in pairs]}, (), {})))

    assert merged(parts)["B.brier"] == pytest.approx(0.17)


def test_plain_rows_are_fought_parted_and_measured_beside_the_others() -> None:
    """One without the other would be fitted to rows that it is measured on."""
    kernel = machine_code.kernel()
    plain = Bench(scenarios=read_scenarios(PLAIN), arena=Arena(library(), kernel, threads=1, typed=plain_rows))
    bench = Bench(scenarios=scenarios()[:2], arena=arena(), plain=plain)
    parts = [bench.only(fold, 5) for fold in range(5)]
    raw, numbers = library().raw("autoalgo"), adapter_numbers()
    fought = [part.evaluate(raw, numbers, runs=2, with_curve=False) for part in parts]
    whole = bench.evaluate(raw, numbers, runs=2, with_curve=False)

    assert sum(len(part.plain.scenarios) for part in parts if part.plain) == len(plain.scenarios) == 30
    assert [len(found.plain) for found in fought] == [len(part.plain.scenarios) for part in parts if part.plain]
    assert merged(list(zip(parts, fought, strict=True))) == pytest.approx(whole.metrics)
    assert whole.metrics["plain.mean_p"] == pytest.approx(
        plain.evaluate(raw, numbers, runs=2, with_curve=False).metrics["scenario.mean_p"]
    )
    assert cost(bench, whole) > cost(Bench(scenarios=bench.scenarios, arena=arena()), replace(whole, plain=()))


def test_a_search_stays_within_its_bounds_and_never_ends_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    """One ordering is enough for it; all of them are tried in `test_orderings.py`."""
    monkeypatch.setattr(orderings, "CHECKS", (orderings.quality,))
    bench = Bench(battles()[:3], arena=arena())
    power_space = space(Parameter("power", False, ("units/units/12/Power/1",), 0.9, 1.1))
    lines: list[str] = []
    found = fit(bench, power_space, minutes=0, runs=1, seed=1, swarm_size=2, tell=lines.append)

    assert found.generations == len(lines) == 1
    assert 0.9 <= found.factors[0] <= 1.1
    assert found.cost[1] <= found.cost[0]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            (BATTLES, "--folds", "5", "--write"),
            "--folds and --from measure and write nothing",
        ),
        ((BATTLES, "--folds", "1"), "--folds is 2 or more"),
        ((BATTLES, "--only", "xyz"), "--only xyz: no parameter begins so."),
        ((BATTLES, "--from", "/nowhere"), "/nowhere/config/tables/autoalgo/ages.json: not a readable JSON file"),
        (("nowhere.csv",), "nowhere.csv: the file cannot be read: No such file or directory."),
    ],
)
def test_what_cannot_be_searched_is_said_in_a_sentence(words: tuple[object, ...], says: str) -> None:
    done = run_script(ROOT / "scripts" / "studies" / "calibrate.py", *words, XDG_CACHE_HOME=caches())

    assert done.returncode == 2
    assert says in done.stderr
