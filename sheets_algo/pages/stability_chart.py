"""Line charts of Stability as SVG: steps from ruling to ruling, with labels that keep their size on every screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

COLOURS = 6
"""Lines that a chart may have: each has a colour of Okabe and Ito in the style sheet, and a dash of its own."""
POINTS_MOST = 300
"""Most steps of one line; of more, some are left out evenly, the last one never."""
WIDTH, HEIGHT = 1000, 200
GRID = (10, 20, 25, 50, 100)
"""Distances of the grid's lines, of which the least is taken that needs at most `LINES` of them."""
LINES = 5

Steps = Sequence[tuple[int, float]]
"""Number of the ruling, from 0, and the value from it on; the first is the value before."""


def stability_chart(lines: Mapping[str, Steps], rulings: int, text: str) -> Markup:
    """Return a chart as HTML: an SVG element of its labels, and one of its lines.

    Args:
        lines: Up to `COLOURS` lines by name, in the order of their colours.
        rulings: How many rulings the horizontal axis has.
        text: What the chart shows, for people who cannot see it.
    """
    values = [value for steps in lines.values() for _, value in steps]
    distance = next((each for each in GRID if _count(values, each) <= LINES), GRID[-1])
    low = min(values) // distance * distance
    high = max(-(-max(values) // distance) * distance, low + distance)

    def across(ruling: int) -> str:
        return f"{WIDTH * ruling / max(1, rulings):.0f}"

    def down(value: float) -> str:
        return f"{HEIGHT * (high - value) / (high - low):.1f}"

    labels, grid = [], []
    for number in range(int((high - low) / distance) + 1):
        value = low + number * distance
        share = f"{4 + 92 * (high - value) / (high - low):.1f}%"
        labels.append(f'<text x="100%" y="{share}" dy="4">{value:g}</text>')
        grid.append(f'<line class="rule" x1="0" x2="100%" y1="{share}" y2="{share}"/>')
    drawn = []
    for place, steps in enumerate(lines.values()):
        points: list[str] = []
        before: float | None = None
        for ruling, value in _fewer(steps):
            points += [f"{across(ruling)},{down(before)}"] if before is not None else []
            points.append(f"{across(ruling)},{down(value)}")
            before = value
        points.append(f"{WIDTH},{down(before or 0.0)}")
        drawn.append(f'<polyline class="line c{place + 1}" points="{" ".join(points)}"/>')
    return Markup(
        '<div class="stability" role="img" aria-label="{}"><svg aria-hidden="true">{}</svg>'
        '<svg aria-hidden="true">{}'
        '<svg x="0" y="4%" width="100%" height="92%" viewBox="0 0 {} {}" preserveAspectRatio="none">{}</svg>'
        "</svg></div>"
    ).format(text, Markup("".join(labels)), Markup("".join(grid)), WIDTH, HEIGHT, Markup("".join(drawn)))


def _count(values: Sequence[float], distance: int) -> float:
    return -(-max(values) // distance) - min(values) // distance


def _fewer(steps: Steps) -> Steps:
    if len(steps) <= POINTS_MOST:
        return steps
    return [steps[len(steps) * number // POINTS_MOST] for number in range(POINTS_MOST)] + [steps[-1]]
