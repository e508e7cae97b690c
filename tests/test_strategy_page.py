"""What `docs/strategy.md` says: its rows are ruled, its places are the program's, its pictures are of these battles."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from scripts.support.strategy_page import DOCS, PAGE, Recipe, recipes, ruled, scene_of
from scripts.support.workbooks import forms
from sheets_algo.pictures import draw
from sheets_algo.template import template

HOME = Path(__file__).parents[1]
TEXT = PAGE.read_text(encoding="utf-8")
STRATEGY = json.loads((HOME / "config/tables/autoalgo/strategy.json").read_text(encoding="utf-8"))
ALL = tuple(recipes())
WITH_ROWS = [recipe for recipe in ALL if recipe.rows]


def test_the_recipes_that_the_page_promises_are_there() -> None:
    promised = ["A siege", "A pillage", "An ambush", "A host on the march", "A battle at sea", "Two lines"]

    assert [recipe.name for recipe in WITH_ROWS] == promised
    assert {row["Maneuver"] for recipe in WITH_ROWS for row in recipe.rows} == {
        *("Normal", "Position", "Feigned Retreat", "Pillaging")
    }


@pytest.mark.parametrize("recipe", WITH_ROWS, ids=lambda recipe: recipe.name)
def test_a_recipe_is_ruled_as_it_stands_and_the_log_is_as_quoted(recipe: Recipe) -> None:
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


def test_the_places_and_the_scale_of_the_page_are_those_of_the_table() -> None:
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


def test_the_guide_of_a_new_workbook_says_where_flanks_stand_and_where_to_read_on() -> None:
    (spec,) = (spec for spec in template(forms()[:1], {}, empty=True).tabs if spec.name == "Guide")
    lines = [str(row[0].value) for row in spec.rows if row]
    told = lines[lines.index("Where do flanks stand?") + 1 :][:4]

    assert "25 pixels are 6.25 km" in told[0]
    assert "attacker stands with left at 190, 182, centre at 200, 182, right at 210, 182" in told[1]
    assert "defender with left at 190, 218" in told[2]
    assert "docs/strategy.md" in told[3]
