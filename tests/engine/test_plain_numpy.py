"""The stand-in for numpy: every operation beside numpy's own, and all golden rulings in a process that has no numpy."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from engine import plain_numpy, rng, terrain
from scripts.support.golden_cases import golden_cases, kept_receipt
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.config.maps import plain_png, read_png
from tests.helpers.games import facts_by_game

HOME = Path(__file__).parents[2]

WITHOUT_NUMPY = """
import json, sys
from pathlib import Path

sys.modules["PIL"] = sys.modules["numpy"] = None  # an import of them fails
from engine import plain_numpy

plain_numpy.install()
import engine.autoalgo.resolve
from scripts.support.golden_cases import current_receipt, golden_cases
from tests.engine.test_plain_numpy import close, of_forecasts

closed = [name for name, module in [*sys.modules.items()] if of_forecasts(name) and close(module)]
receipts = {str(case): current_receipt(case, Path(sys.argv[1])) for case in golden_cases()}
loaded = [name for name in sys.modules if name.startswith(("numpy.", "PIL.")) and name != "numpy.typing"]
json.dump({"receipts": receipts, "loaded": loaded, "closed": closed}, sys.stdout)
"""


FORECASTS = ("forecast", "replicates", "chances", "series")
"""Modules and folders of `engine/` of which no ruling is made, so that they may use all of numpy."""


def of_forecasts(name: str) -> bool:
    """Return True for the dotted name of a module that no ruling enters."""
    first, *parts = name.split(".")
    return first == "engine" and not {*parts}.isdisjoint(FORECASTS)


def close(module: ModuleType) -> int:
    """Let every function of a module fail when it is called, methods too; return how many there are."""

    def entered(*_: Any, **__: Any) -> None:
        raise AssertionError("a ruling entered a module of forecasts")

    own = [value for value in vars(module).values() if getattr(value, "__module__", None) == module.__name__]
    members = [member for value in own if isinstance(value, type) for member in vars(value).values()]
    plain = (getattr(value, "__func__", value) for value in (*own, *members))
    functions = [value for value in plain if isinstance(value, FunctionType) and not value.__code__.co_freevars]
    for function in functions:
        function.__code__ = entered.__code__
    return len(functions)


def test_golden_rulings_are_equal_without_numpy_and_pillow(tmp_path: Path) -> None:
    for picture in ConfigLoader().maps_folder.glob("*.png"):
        (tmp_path / picture.name).write_bytes(plain_png(read_png(picture)))
    command = [sys.executable, "-c", WITHOUT_NUMPY, str(tmp_path)]
    done = subprocess.run(command, cwd=HOME, capture_output=True, text=True, check=False, env=dict(os.environ))
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["loaded"] == []
    assert {"engine.forecast", "engine.autoalgo.series.forecast"} <= {*found["closed"]}
    assert found["receipts"] == {str(case): kept_receipt(case) for case in golden_cases()}
    assert {Path(case).parent.name for case in found["receipts"]} >= {"autoalgo", *facts_by_game("LAYERS")}


def both(made: Callable[[Any], Any]) -> None:
    """Make the same with numpy and with its stand-in, and compare the numbers, their kinds and the shape."""
    ours, theirs = made(plain_numpy), made(np)
    if isinstance(theirs, np.ndarray):
        assert (ours.tolist(), ours.shape, ours.dtype.name) == (theirs.tolist(), theirs.shape, theirs.dtype.name)
    else:
        assert ours == theirs


whole = some.integers(-1000, 1000)
real = some.floats(-1e6, 1e6)
"""Numbers of a battle."""


@given(values=some.lists(real, min_size=1, max_size=6), other=real, counts=some.lists(whole, min_size=6, max_size=6))
def test_arithmetic_has_numpys_bits_and_kinds(values: list[float], other: float, counts: list[int]) -> None:
    counts = counts[: len(values)]
    both(lambda numpy: numpy.array(values) + other)
    both(lambda numpy: numpy.array(values) * numpy.array(counts) - numpy.array(values))
    both(lambda numpy: numpy.array(counts) * other)
    both(lambda numpy: numpy.array(counts) + 1)
    both(lambda numpy: numpy.array(counts) / 3.0)
    both(lambda numpy: numpy.array(values).astype(numpy.float32))
    both(lambda numpy: numpy.array(values).astype(numpy.int64))
    both(lambda numpy: numpy.array(counts).astype(numpy.int8))
    both(lambda numpy: (numpy.array(values) > other) & (numpy.array(counts) != 3))
    both(lambda numpy: numpy.where(numpy.array(counts) > 0, numpy.array(values), -1))
    both(lambda numpy: numpy.argsort(numpy.array(values), kind="stable"))
    both(lambda numpy: int(numpy.argmin(numpy.array(values))))
    both(lambda numpy: int(numpy.array(counts).sum()))
    both(lambda numpy: numpy.array(counts)[numpy.array(counts) > 0])


@given(rows=some.integers(1, 5), columns=some.integers(1, 5), row=some.integers(-1, 0), fill=whole)
def test_parts_of_arrays_share_their_numbers(rows: int, columns: int, row: int, fill: int) -> None:
    def changed(numpy: Any) -> Any:
        table = numpy.arange(rows * columns).reshape(rows, columns)
        table[row][columns - 1] = fill  # through a row
        table[0, 0] += 7
        table[:1, 1:] = numpy.array([fill + 1])
        table[[0, rows - 1], 0] = fill + 2
        table[:, :1][:] = table[:, :1] * 2
        return table

    both(changed)
    both(lambda numpy: changed(numpy)[:, None, 0])
    both(lambda numpy: changed(numpy)[::-1][0])
    both(lambda numpy: changed(numpy)[changed(numpy) > 3])
    both(lambda numpy: changed(numpy)[numpy.array([0, row])])
    both(lambda numpy: numpy.stack([changed(numpy), changed(numpy)]))
    both(lambda numpy: numpy.nonzero(changed(numpy) > 3)[0])
    both(lambda numpy: numpy.nonzero(changed(numpy) > 3)[1])
    both(lambda numpy: numpy.unique(changed(numpy), return_inverse=True)[0])
    both(lambda numpy: numpy.unique(changed(numpy), return_inverse=True)[1])
    both(lambda numpy: numpy.isin(changed(numpy), [1, fill]))
    both(lambda numpy: changed(numpy)[:, None] - numpy.arange(columns))


@pytest.mark.parametrize("key", [5, -6, (0, 9), (-3, 0), slice(None)])
def test_an_index_out_of_range_raises_like_numpy(key: Any) -> None:
    for numpy in (plain_numpy, np):
        table = numpy.arange(10).reshape(2, 5) if isinstance(key, tuple) else numpy.arange(5)
        with pytest.raises((IndexError, ValueError)):
            table[key] = [1, 2] if isinstance(key, slice) else 1


@pytest.mark.parametrize("seed", [0, 1066, 2**64 - 1])
def test_the_draws_of_an_hour_equal_numpy_s(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    theirs = rng.Rng(seed).block(7, 6, 5).tolist()
    monkeypatch.setattr(rng, "np", plain_numpy)
    assert rng.Rng(seed).block(7, 6, 5).tolist() == theirs


def test_a_map_with_ties_of_colours_equals_numpy_s(monkeypatch: pytest.MonkeyPatch) -> None:
    legend = [terrain.Feature(str(rgb), rgb, 1.0, 1.0, 1.0) for rgb in ((0, 0, 0), (20, 0, 0), (255, 255, 255))]
    colours = bytes(np.random.default_rng(1).integers(0, 256, 30 * 20 * 3, np.uint8)) + bytes([10, 0, 0] * 20)
    maps = []
    for numpy in (np, plain_numpy):
        monkeypatch.setattr(terrain, "np", numpy)
        found = terrain.terrain_map("M", numpy.frombuffer(colours, numpy.uint8).reshape(31, 20, 3), legend, 32)
        with pytest.raises((ValueError, TypeError)):
            found.codes[0, 0] = 1
        maps.append((found.digest, found.codes.tolist()))
    assert maps[0] == maps[1]
    assert {code for row in maps[0][1] for code in row} == {0, 1, 2}


@pytest.mark.parametrize(
    "made",
    [
        lambda: plain_numpy.array([0.1, 0.2]).sum(),
        lambda: plain_numpy.argsort(plain_numpy.array([1.0]), kind="quicksort"),
        lambda: plain_numpy.array([1], plain_numpy.uint64) + plain_numpy.array([1]),
    ],
    ids=["sum of floats", "order of equals", "signed with unsigned"],
)
def test_operations_with_numpy_s_own_rounding_are_refused(made: Callable[[], Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        made()


def numpy_names(file: Path) -> set[str]:
    """Return the names of numpy that a module uses: `zeros` of `np.zeros`."""
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "np"
    }


def test_plain_numpy_has_every_name_used_by_rulings() -> None:
    """A name that it lacks is found only by the ruling that comes there: on the page on which players verify."""
    home = Path(plain_numpy.__file__).parent
    rulings = [
        file
        for file in home.rglob("*.py")
        if not of_forecasts(".".join(file.relative_to(home.parent).with_suffix("").parts))
    ]
    lacking = {str(file.relative_to(home)): numpy_names(file) - vars(plain_numpy).keys() for file in rulings}

    assert {file: names for file, names in lacking.items() if names} == {}
    assert numpy_names(home / "forecast.py") - vars(plain_numpy).keys(), "so that such names are found"
