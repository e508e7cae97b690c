"""The way of a request through the program: as CONTRIBUTING.md draws it, and no longer than it was."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from scripts.support.warm_start import run_script

HOME = Path(__file__).parents[1]
MOST = {
    "ruled": (24, 24, 30, 184, 1400),
    "refused": (19, 12, 18, 96, 472),
    "of a turn": (29, 44, 59, 66, 389),
    "under a beacon": (27, 39, 47, 138, 1060),
}
"""The most of each figure of `scripts/studies/request_way.py`; they may fall."""


@cache
def ways() -> tuple[dict[str, tuple[int, ...]], dict[str, list[str]]]:
    """Return the figures of each request, and the modules that it enters, in order."""
    said = run_script(HOME / "scripts" / "studies" / "request_way.py", "--steps")
    assert (said.returncode, said.stderr) == (0, "")
    figures: dict[str, tuple[int, ...]] = {}
    entered: dict[str, dict[str, None]] = {}
    for line in said.stdout.splitlines()[2:]:
        if line.startswith("|"):
            request, *numbers = line.strip("| ").split(" | ")
            figures[request], entered[request] = tuple(map(int, numbers)), {}
        else:
            entered[request][line.partition(":")[0]] = None
    return figures, {request: [*modules] for request, modules in entered.items()}


def test_the_picture_in_contributing_matches_a_ruled_war() -> None:
    text = (HOME / "CONTRIBUTING.md").read_text(encoding="utf-8")
    picture = re.split("^```$", text.partition("### The way of a request")[2], flags=re.MULTILINE)[1]
    ruling = HOME / "sheets_algo" / "ruling"
    drawn = [name for name in re.findall(r"([\w/]+)\.py", picture) if (ruling / f"{name}.py").exists()]

    assert drawn == [module for module in ways()[1]["ruled"] if not module.startswith("steps/")]


def test_the_way_of_a_request_has_not_become_longer() -> None:
    figures, modules = ways()

    assert figures.keys() == MOST.keys()
    for request, most in MOST.items():
        assert figures[request][0] == len(modules[request])
        assert all(number <= bound for number, bound in zip(figures[request], most, strict=True)), figures[request]
