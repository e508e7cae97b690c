"""The legend of the places of flanks: the map from north to south, a line of the Guide for each line of flanks."""

from __future__ import annotations

from engine.autoalgo.inputs import SIDES
from engine.autoalgo.setup.places import default_middle, half_of
from engine.autoalgo.setup.table_parts import Strategy
from engine.battle_map import Rgb
from sheets_algo.forms.base import Legend

HALVES: tuple[Rgb, Rgb] = ((227, 237, 246), (251, 234, 219))
LINES: tuple[Rgb, Rgb] = ((169, 199, 228), (240, 190, 148))
"""Colours of the halves of attacker and defender, and of the lines in which their flanks stand."""
BETWEEN: Rgb = (255, 255, 255)
MARKS = "●■"
"""Signs of the flanks of attacker and defender, as in pictures."""
APART = " " * 12


def place_legend(rules: Strategy) -> Legend:
    """Return a drawing of the default places of flanks, from north to south (MAP-06, STRAT-01, R-116)."""
    last, scale = rules.map_pixels - 1, rules.km_per_pixel
    ys = [default_middle(line, rules)[1] for line in (0, 1)]
    north, south = (0, 1) if ys[0] <= ys[1] else (1, 0)
    ends = (half_of(north, rules)[1], half_of(south, rules)[0]) if rules.from_middle else ()
    middle, apart = sum(ys) / 2, abs(ys[0] - ys[1]) * scale
    between = f"Y {' to '.join(f'{y:g}' for y in ends or (middle,))}"
    drawn: list[tuple[float, str, str, Rgb]] = [
        (0, "North, Y 0", f"{rules.map_pixels * scale:g} km from X 0 to X {last}", HALVES[north]),
        (middle, between, f"{apart:g} km from line to line{'; nobody starts here' if ends else ''}", BETWEEN),
        (last, f"South, Y {last}", "", HALVES[south]),
    ]
    for line, places in enumerate((rules.attackers, rules.defenders)):
        flanks = (f"{MARKS[line]} {label}, X {x:g}" for label, (x, _) in zip(rules.default_flanks, places, strict=True))
        x, y = (rules.new_attacker, rules.new_defender)[line]
        drawn.append((ys[line], f"{SIDES[line]}, Y {ys[line]:g}", APART.join(flanks), LINES[line]))
        drawn.append((y, f"Y {y:g}", f"{MARKS[line]} each further flank, X {x:g}", HALVES[line]))
    drawn.sort()
    scaled = f"25 pixels are {25 * scale:g} km"
    above = f"A flank without X and Y stands as drawn here. X counts from the west, Y from the north; {scaled}."
    below = (
        "sheets-algo board WORKBOOK W-0002 --png map.png  draws a war on its map, and so does Action Preview.",
        "The note on the header Maneuver says what each maneuver does.",
    )
    return Legend(
        "Where do flanks stand?",
        (above, *(text for _, _, text, _ in drawn), *below),
        (None, *(colour for *_, colour in drawn), *(None for _ in below)),
        ("", *(label for _, label, _, _ in drawn), *("" for _ in below)),
    )
