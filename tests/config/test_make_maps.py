"""The maps that come with the program: drawn by their script, like their names, and fair to both sides."""

from __future__ import annotations

from collections import deque
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from itertools import product
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from scripts.support.warm_start import run_script
from sheets_algo.config.maps import MapFolder, read_world
from tests.helpers.real_terrain import LEGEND, MAPS, NAMED, ROOT, STRATEGY

SCRIPT = ROOT / "scripts" / "make-maps"
PLAIN, WATER, FOREST, CLIFFS, HIGH = range(5)
AFLOAT = ("Sea", "Channel")  # where both sides begin on water
COASTS = ("Normal Coast", "Hard Coast")
SIDES = ("attacker", "defender")
DIVIDED = ("Normal River", "River with Bridge")  # where a river runs between the sides

Codes = NDArray[np.uint8]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    loader = SourceFileLoader("make_maps", str(SCRIPT))
    spec = spec_from_loader("make_maps", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def maps() -> dict[str, Codes]:
    folder = MapFolder(MAPS, LEGEND)
    return {name: folder.load(name).codes for name in NAMED}


def share(codes: Codes, *features: int) -> float:
    return float(np.isin(codes, features).mean())


def places(side: str) -> list[tuple[int, int]]:
    return [(x, y) for x, y in STRATEGY["positions"][side]]


def ground_around(codes: Codes, side: str, reach: int) -> NDArray[np.int64]:
    """Pixels of each feature within `reach` of a side's default places, shape (features,)."""
    rows, columns = np.indices(codes.shape)
    near = np.zeros(codes.shape, bool)
    for x, y in places(side):
        near |= (columns - x) ** 2 + (rows - y) ** 2 <= reach**2
    return np.bincount(codes[near], minlength=len(LEGEND))


def reachable(codes: Codes, start: tuple[int, int], barred: set[int], limit: int) -> bool:
    """Whether the middle can be walked to from a place without the barred ground, staying within `limit` of it."""
    seen, queue = {start}, deque([start])
    while queue:
        x, y = queue.popleft()
        if abs(x - 200) <= 1 and abs(y - 200) <= 1:
            return True
        for there in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            inside = max(abs(there[0] - 200), abs(there[1] - 200)) <= limit
            if inside and there not in seen and int(codes[there[1], there[0]]) not in barred:
                seen.add(there)
                queue.append(there)
    return False


# The script


def test_the_script_draws_exactly_the_maps_in_the_folder(script: ModuleType, maps: dict[str, Codes]) -> None:
    assert [name for name in NAMED if not np.array_equal(script.landscape(name), maps[name])] == []


def test_map_01_02_a_map_is_400_by_400_in_the_legends_colours() -> None:
    sizes, colours = {}, {}
    for name in NAMED:
        with Image.open(MAPS / f"{name}.png") as image:
            sizes[name] = image.size
            colours[name] = {colour for _, colour in image.convert("RGB").getcolors() or ()}

    assert sizes == dict.fromkeys(NAMED, (400, 400))
    known = {feature.rgb for feature in LEGEND}
    assert {name: found - known for name, found in colours.items() if not found or found - known} == {}


def test_the_script_writes_the_requested_maps(tmp_path: Path) -> None:
    out = tmp_path / "new"
    run_script(SCRIPT, "Sea", "Hard Coast", "--out", out).check_returncode()

    assert MapFolder(out, LEGEND).names == ("Hard Coast", "Sea")
    for name in ("Sea", "Hard Coast"):
        assert (out / f"{name}.png").read_bytes() == (MAPS / f"{name}.png").read_bytes()


def test_the_script_draws_the_blank_map_of_the_example(tmp_path: Path) -> None:
    run_script(SCRIPT, "1066", "--out", tmp_path).check_returncode()

    assert np.array_equal(read_world(tmp_path / "world" / "1066.png"), read_world(MAPS / "world" / "1066.png"))


def test_the_script_has_help_and_names_unknown_maps(tmp_path: Path) -> None:
    usage = run_script(SCRIPT, "--help")
    wrong = run_script(SCRIPT, "Swamp", "--out", tmp_path)

    assert "--out" in usage.stdout
    assert wrong.returncode == 2
    assert 'no landscape "Swamp"; there are Plain, Hill,' in wrong.stderr


# Like their names (MAP-05)


def test_map_05_a_pass_is_a_gap_between_cliffs(maps: dict[str, Codes]) -> None:
    row = maps["Mountain Pass"][200]
    gap = np.flatnonzero(row != PLAIN)
    west, east = gap[gap < 200].max(), gap[gap > 200].min()

    assert row[west] == row[east] == CLIFFS
    assert 30 < east - west < 90
    assert share(row[: west - 10], HIGH, CLIFFS) > 0.9


def test_map_05_a_channel_is_water_between_shores(maps: dict[str, Codes]) -> None:
    codes = maps["Channel"]

    assert share(codes[0], WATER) == share(codes[-1], WATER) == 0
    assert (codes == WATER).any(axis=0).all()
    assert not reachable(codes, (200, 0), {WATER}, limit=199)


def test_map_05_a_river_has_no_crossing_but_its_bridge(maps: dict[str, Codes]) -> None:
    north = (200, 182)
    for name in DIVIDED:
        assert (maps[name] == WATER).any(axis=0).sum() >= 390, "the river runs from edge to edge"
    assert not reachable(maps["Normal River"], north, {WATER}, limit=199)
    assert reachable(maps["River with Bridge"], north, {WATER}, limit=20)
    without = maps["River with Bridge"].copy()
    without[180:220, 195:205] = WATER
    assert count_areas(without != WATER, at_least=10_000) == 2


def count_areas(mask: NDArray[np.bool_], at_least: int) -> int:
    """Connected areas of at least that many pixels."""
    left = {(int(y), int(x)) for y, x in np.argwhere(mask)}
    areas = 0
    while left:
        queue, size = [left.pop()], 0
        while queue:
            y, x = queue.pop()
            size += 1
            for there in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                if there in left:
                    left.remove(there)
                    queue.append(there)
        areas += size >= at_least
    return areas


# Fair to both sides


def test_the_central_hundred_pixels_are_symmetric(maps: dict[str, Codes]) -> None:
    """Invariants 8 and 23: swap the sides, turn (on coasts mirror) the map, and it is the same battlefield."""
    middles = {name: maps[name][150:251, 150:251] for name in NAMED}
    turned = {name: middle[::-1] if name in COASTS else middle[::-1, ::-1] for name, middle in middles.items()}

    assert [name for name in NAMED if not np.array_equal(middles[name], turned[name])] == []


def test_both_sides_start_on_equal_ground(maps: dict[str, Codes]) -> None:
    """Within 1, 4, 7.5 and 20 km of the default places every feature weighs the same, to 3 % of the area."""

    def differ(name: str, reach: int) -> bool:
        attacker, defender = (ground_around(maps[name], side, reach) for side in SIDES)
        return not np.abs(attacker - defender).max() <= 0.03 * attacker.sum()

    assert [found for found in product(NAMED, (4, 16, 30, 80)) if differ(*found)] == []


def test_north_and_south_have_equal_terrain(maps: dict[str, Codes]) -> None:
    """To 2 % of the area within 25 km of the middle, to 8 % on the whole map."""
    uneven = []
    for name, (reach, tolerance) in product(NAMED, ((100, 0.02), (199, 0.08))):
        square = maps[name][200 - reach : 201 + reach, 200 - reach : 201 + reach]
        for feature in range(len(LEGEND)):
            north, south = share(square[:reach], feature), share(square[-reach:], feature)
            if not abs(north - south) <= tolerance:
                uneven.append((name, reach, LEGEND[feature].name))

    assert uneven == []


def test_strat_12_default_places_are_on_land_or_all_afloat(maps: dict[str, Codes]) -> None:
    def stand_well(name: str, side: str) -> bool:
        ground = WATER if name in AFLOAT else PLAIN
        return all((maps[name][y - 2 : y + 3, x - 2 : x + 3] == ground).all() for x, y in places(side))

    assert [found for found in product(NAMED, SIDES) if not stand_well(*found)] == []


def test_every_start_is_connected_to_the_middle(maps: dict[str, Codes]) -> None:
    """Each flank can walk to the middle without climbing or swimming, except that rivers part the sides."""
    cut_off = []
    for name in NAMED:
        codes = maps[name]
        barred = {CLIFFS} if name in AFLOAT else {CLIFFS, WATER}
        if name == "Normal River":
            codes = np.where((codes == WATER) & (np.abs(np.arange(400) - 200) < 12)[:, None], PLAIN, codes)
        starts = (place for side in SIDES for place in places(side))
        cut_off += [(name, place) for place in starts if not reachable(codes, place, barred, limit=30)]

    assert cut_off == []
