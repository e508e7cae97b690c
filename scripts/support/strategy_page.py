"""Recipes of `docs/strategy.md` and `docs/flanks-to-copy.md`, ruled in the wars of a new workbook."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from engine.battle_map import Scene
from scripts.support.workbooks import NOW, SECRET, Rows, read, workbook
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.forms.rulesets import open_forms
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import PassContext, Plan
from sheets_algo.steps import STEPS

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = DOCS / "strategy.md"
PAGES = (PAGE, DOCS / "flanks-to-copy.md")
PICTURE = re.compile(r"!\[[^\]]*\]\((pictures/[\w-]+\.png)\)")


@dataclass(frozen=True, slots=True)
class Recipe:
    """One section of the pages with a picture.

    Args:
        name: Its heading.
        picture: The path of its picture in `docs/`.
        rows: Rows of the tab Flanks, by header; none for the default places.
        seed: The seed with which the log is quoted.
        log: What the log has, in this order.
    """

    name: str
    picture: str
    rows: tuple[dict[str, str], ...]
    seed: int
    log: tuple[str, ...]

    @property
    def request(self) -> str:
        """Return the id of the war that it is for."""
        return self.rows[0]["Request"] if self.rows else "W-0002"


def recipes() -> Iterator[Recipe]:
    """Yield the sections of the pages that have a picture."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    for section in re.split(r"^#+ ", text, flags=re.MULTILINE):
        picture = PICTURE.search(section)
        if picture is None:
            continue
        table = [re.split(r" ?\| ?", line.strip("|")) for line in section.splitlines() if line.startswith("|")]
        rows = tuple(
            {header.strip(): cell.strip() for header, cell in zip(table[0], cells, strict=True)} for cells in table[2:]
        )
        said = re.search(r"^With Seed (\d+) the log has (.*)\.$", section, re.MULTILINE)
        seed, log = (int(said[1]), re.findall("`([^`]+)`", said[2])) if said else (1, [])
        yield Recipe(section.partition("\n")[0], picture[1], rows, seed, tuple(log))


@cache
def _context() -> PassContext:
    library = ConfigLoader()
    forms = open_forms(library)
    return PassContext(forms=forms, fingerprints={form.ruleset_key: "" for form in forms}, secret=SECRET, steps=STEPS)


def ruled(recipe: Recipe) -> Plan:
    """Rule the war of a recipe with its rows, alone, as a new workbook would."""
    rows: Rows = {tab: [dict(row) for row in found] for tab, found in ConfigLoader().example("1066").items()}
    war = next(row for row in rows["War Requests"] if row["Request"] == recipe.request)
    rows["War Requests"] = [war | {"Seed": recipe.seed}]
    rows["Flanks"] = [dict(row) for row in recipe.rows]
    return plan_pass(read(workbook(rows)), _context(), NOW)


def scene_of(recipe: Recipe) -> Scene:
    """Return what its picture shows: the whole battle, of the default places only the start."""
    scene = ruled(recipe).rulings[0].outcome.scenes[0]
    return scene if recipe.rows else replace(scene, subtitle="", moments=scene.moments[:1], winner="")
