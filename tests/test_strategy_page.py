"""What `docs/strategy.md` says: its rows are ruled, its places are the program's, its pictures are of these battles."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from scripts.support.pinned_tables import shipped_tables
from scripts.support.strategy_page import DOCS, PAGE, Recipe, recipes, ruled, scene_of
from scripts.support.workbooks import forms
from sheets_algo.forms.autoalgo.place_legend import place_legend
from sheets_algo.pictures import draw
from sheets_algo.template import template

HOME = Path(__file__).parents[1]
TEXT = PAGE.read_text(encoding="utf-8")
STRATEGY = json.loads((HOME / "config/tables/autoalgo/strategy.json").read_text(encoding="utf-8"))
ALL = tuple(recipes())
WITH_ROWS = [recipe for recipe in ALL if recipe.rows]


def test_the_promised_recipes_are_on_the_page() -> None:
    promised = ["A siege", "A pillage", "An ambush", "A host on the march", "A battle at sea", "Two lines"]

    assert [recipe.name for recipe in WITH_ROWS] == promised
    assert {row["Maneuver"] for recipe in WITH_ROWS for row in recipe.rows} == {
        *("Normal", "Position", "Feigned Retreat", "Pillaging")
    }


@pytest.mark.parametrize("recipe", WITH_ROWS, ids=lambda recipe: recipe.name)
def test_a_recipe_is_ruled_as_documented_with_the_quoted_log(recipe: Recipe) -> None:
    plan = ruled(recipe)

    (answer,) = plan.findings.answers
    assert [str(problem) for problem in answer.problems if problem.is_error] == []
    assert {row["Flank"] for row in recipe.rows} <= {mark.label for mark in scene_of(recipe).before}
    events = iter(plan.rulings[0].outcome.events)
    assert recipe.log
    for wanted in recipe.log:
        assert any(wanted == event.kind or wanted in event.text for event in events), wanted


@pytest.mark.parametrize("recipe", ALL, ids=lambda recipe: recipe.picture)
def test_a_picture_shows_its_battle(recipe: Recipe) -> None:
    """Fonts may be drawn a little otherwise by another version of Pillow; `scripts/docs` draws the pictures anew."""
    kept, made = pixels((DOCS / recipe.picture).read_bytes()), pixels(draw(scene_of(recipe)))

    assert kept.shape == made.shape
    assert np.abs(kept.astype(np.int16) - made).mean() < 2
    assert (DOCS / recipe.picture).stat().st_size < 100_000


def pixels(png: bytes) -> NDArray[np.uint8]:
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))


def test_the_places_and_the_scale_of_the_page_equal_the_table() -> None:
    default = next(recipe for recipe in ALL if not recipe.rows)
    placed = {(mark.side, mark.label): (mark.x - 0.5, mark.y - 0.5) for mark in scene_of(default).before}

    for side, sentence in zip(("Attacker", "Defender"), re.findall(r"stands in the\s[^.]*\.", TEXT), strict=True):
        told = re.findall(r"(left|centre|right) at (\d+), (\d+)", sentence)
        assert {(side, label): (float(x), float(y)) for label, x, y in told} == {
            place: at for place, at in placed.items() if place[0] == side
        }
    further = [re.search(rf"(\d+), (\d+) \({side}\)", TEXT) for side in ("attacker", "defender")]
    assert [[int(found[1]), int(found[2])] for found in further if found] == list(STRATEGY["new_flank"].values())
    scale = re.findall(r"^\| (\d+) \| ([\d.]+) (k?m) \|", TEXT, re.MULTILINE)
    assert "25" in [pixels for pixels, _, _ in scale]
    for count, length, unit in scale:
        assert int(count) * STRATEGY["km_per_pixel"] == float(length) / (1 if unit == "km" else 1000)


def test_every_maneuver_is_explained() -> None:
    meanings = json.loads((HOME / "config/tables/autoalgo/values.json").read_text(encoding="utf-8"))
    told = re.findall(r"^\| ([\w ]+) \| \w[^|]* \|[^|]*\|[^|]*\|$", TEXT, re.MULTILINE)

    assert set(meanings["unordered"]["Maneuver"]) <= set(told)


def test_the_guide_of_a_new_workbook_shows_the_places_of_flanks() -> None:
    """An installed user has no docs/: the map is in cells, as Google Sheets shows no picture without an address."""
    (spec,) = (spec for spec in template(forms()[:1], {}, empty=True).tabs if spec.name == "Guide")
    lines = [[cell.value for cell in row] for row in spec.rows]
    first = lines.index(["Where do flanks stand?"]) + 1

    assert "25 pixels are 6.25 km" in str(lines[first][0])
    drawn = {label: " ".join(str(text).split()) for label, text in lines[first + 1 : first + 8]}
    assert drawn == {
        "North, Y 0": "100 km from X 0 to X 399",
        "Y 170": "● each further flank, X 200",
        "Attacker, Y 182": "● left, X 190 ● centre, X 200 ● right, X 210",
        "Y 200": "9 km from line to line",
        "Defender, Y 218": "■ left, X 190 ■ centre, X 200 ■ right, X 210",
        "Y 230": "■ each further flank, X 200",
        "South, Y 399": "",
    }
    fills = [cell.style.fill for row in spec.rows[first + 1 : first + 8] for cell in row if cell.style]
    assert len(fills) == 14
    assert all(fills)
    said = [str(line[0]) for line in lines if line]
    assert any("sheets-algo board WORKBOOK  opens the map of each war" in line for line in said)
    assert any("sheets-algo board WORKBOOK W-0002 --png map.png" in line for line in said)
    assert not [line for line in said if "docs/" in line]


def test_the_map_of_the_guide_follows_the_tables() -> None:
    """The pinned ones have no halves (R-116), and a table of one's own may turn the lines round."""
    rules = shipped_tables().strategy
    halves = place_legend(rules)
    turned = place_legend(replace(rules, attackers=rules.defenders, defenders=rules.attackers))

    assert (halves.labels[4], halves.lines[4]) == ("Y 198 to 202", "9 km from line to line; nobody starts here")
    assert [label for label in turned.labels if "Attacker" in label or "Defender" in label] == [
        "Defender, Y 182",
        "Attacker, Y 218",
    ]
    assert turned.colours[1] == halves.colours[7]  # the north is the defender's then
