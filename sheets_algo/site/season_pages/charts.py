"""Charts: figures of a receipt as bars, and figures of nations over a season as lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import msgspec
from markupsafe import Markup, escape

from sheets_algo.forms.capabilities import ChartForm, PairedBars
from sheets_algo.pages.site_page import read_receipt, shortened_name
from sheets_algo.pictures.preview import season_picture
from sheets_algo.season.records import RulingRecord
from sheets_algo.site.paging import NAME, SEASON_PICTURE, Data, SiteFile, key_of
from sheets_algo.site.season_index import SeasonIndex, program


def bars(index: SeasonIndex, ruling: RulingRecord, *, is_short: bool = False) -> Data | None:
    """Return the figures of a receipt as bars, with `is_short` those of the first page; None for none."""
    form = index.season.book.form(ruling.ruleset)
    figures = form.bars(read_receipt(ruling.receipt).blocks) if isinstance(form, ChartForm) else None
    if figures is None:
        return None
    if is_short:
        figures = replace(figures, rows=() if figures.total else figures.rows[:COLOURS])
    return bar_chart(figures)


def stability_lines(index: SeasonIndex, nation: str = "") -> Data:
    """Return the chart of the nations with the most wars, or of one; without lines if nothing changed."""
    return _lines(index, "Stability", index.stability, nation)


def season_picture_file(index: SeasonIndex, text: str) -> SiteFile:
    """Return the picture of the season, the chart of Stability, for link previews of pages without one."""
    lines = {name: index.stability[name] for name in _most_wars(index, index.stability)}
    key = key_of(msgspec.json.encode((program(), index.title, text, lines)))
    return SiteFile(SEASON_PICTURE, key, lambda: season_picture(index.title, text, lines))


def courses(index: SeasonIndex) -> Iterator[Data]:
    """Yield the charts of figures that rulings write, for forms with such a figure."""
    for form in (form for form in index.season.book.forms if isinstance(form, ChartForm)):
        title, column = form.course
        steps: dict[str, list[tuple[int, float]]] = {}
        for ruling in index.rulings if column else ():
            if ruling.ruleset != form.key or ruling.is_undone:
                continue
            for change in index.season.receipt(ruling).changes:
                if change.field == column and isinstance(change.before, int | float):
                    course = steps.setdefault(change.row, [(0, float(change.before))])
                    course.append((index.ordinals[ruling.seq], float(change.after or 0)))
        if any(len(course) > 2 for course in steps.values()):  # bars show a single change
            yield {"title": title, **_lines(index, title, steps)}


def _lines(index: SeasonIndex, title: str, steps: Mapping[str, Sequence[tuple[int, float]]], nation: str = "") -> Data:
    """Return a chart of the lines of the nations with the most wars, or of one."""
    known = {name: course for name, course in steps.items() if nation in ("", name)}
    chosen = _most_wars(index, known)
    if not chosen:
        return {"lines": []}
    shown_names = [shortened_name(name, NAME) for name in chosen]
    text = f"{title} of {', '.join(shown_names)} from the first ruling to the last"
    ends = len(index.ordinals) - 1
    return {
        "lines": [
            {
                "nation": short,
                "colour": index.colours.get(name, "currentColor"),
                "page": index.nation_pages.get(name, ""),
                "now": f"{steps[name][-1][1]:g}",
            }
            for name, short in zip(chosen, shown_names, strict=True)
        ],
        "svg": str(stability_chart({name: steps[name] for name in chosen}, ends, text, index.ticks, index.colours)),
        "dates": [] if index.ticks else [index.rulings[0].time[:10], index.rulings[-1].time[:10]],
        "others": len(known) - len(chosen),
    }


def _most_wars(index: SeasonIndex, names: Iterable[str]) -> list[str]:
    """Return the nations with the most wars, for a chart."""
    return sorted(names, key=lambda name: (-len(index.nations.get(name, ())), name))[:COLOURS]


COLOURS = 6
"""Maximum number of lines: each has a colour of Okabe and Ito in the style sheet, and a dash of its own."""
POINTS_MOST = 300
"""Maximum number of steps of a line; of more, an even selection with the last one is drawn."""
WIDTH, HEIGHT = 1000, 200
NAME_MOST = 14
"""Maximum number of characters of the name at the end of a line; the legend below has all of it."""
TICK_LEAST = 0.15
"""Minimum distance of labels on the time axis, as a share of it; of closer ones, the later one stays."""
LABEL = 8.0
"""Height of such a name in per cent of the chart on a phone."""
GRID = (10, 20, 25, 50, 100)
"""Distances of grid lines; a chart takes the smallest that needs at most `LINES` lines."""
LINES = 5

Steps = Sequence[tuple[int, float]]
"""Number of the ruling, from 0, and the value from it on; the first is the value before."""


def stability_chart(
    lines: Mapping[str, Steps],
    rulings: int,
    text: str,
    ticks: Mapping[int, str] = MappingProxyType({}),
    colours: Mapping[str, str] = MappingProxyType({}),
) -> Markup:
    """Return a chart as HTML: SVG elements of its labels, its lines, the names at their ends, and the time.

    Args:
        lines: Up to `COLOURS` lines by name, in the order of their colours.
        rulings: The number of rulings on the horizontal axis.
        text: A description of the chart for screen readers.
        ticks: Labels of the horizontal axis by the number of the ruling.
        colours: The colour of each line, as CSS writes it.
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
    times = []
    nearest = float("inf")
    for ruling, label in sorted(ticks.items(), reverse=True):
        if nearest - ruling < rulings * TICK_LEAST:
            continue
        nearest = ruling
        x = f"{100 * ruling / max(1, rulings):.1f}%"
        anchor = "start" if ruling < rulings / 10 else "end" if ruling > rulings * 9 / 10 else "middle"
        grid.append(f'<line class="rule" x1="{x}" x2="{x}" y1="4%" y2="96%"/>')
        times.append(f'<text class="{anchor}" x="{x}" y="0.9em">{escape(label)}</text>')
    drawn = []
    for place, (name, steps) in enumerate(lines.items()):
        points: list[str] = []
        before: float | None = None
        for ruling, value in _fewer(steps):
            points += [f"{across(ruling)},{down(before)}"] if before is not None else []
            points.append(f"{across(ruling)},{down(value)}")
            before = value
        points.append(f"{WIDTH},{down(before or 0.0)}")
        stroke = escape(colours.get(name, "currentColor"))
        drawn.append(f'<polyline class="line c{place + 1}" stroke="{stroke}" points="{" ".join(points)}"/>')
    shares = [4 + 92 * (high - steps[-1][1]) / (high - low) for steps in lines.values()]
    ends = [
        f'<text class="start" x="0" y="{share:.1f}%" dy="4">{escape(shortened_name(name, NAME_MOST))}</text>'
        for name, share in zip(lines, _apart(shares), strict=True)
    ]
    return Markup(
        '<div class="stability" role="img" aria-label="{}"><svg aria-hidden="true">{}</svg>'
        '<svg aria-hidden="true">{}'
        '<svg x="0" y="4%" width="100%" height="92%" viewBox="0 0 {} {}" preserveAspectRatio="none">{}</svg>'
        '</svg><svg class="ends" aria-hidden="true">{}</svg><svg class="times" aria-hidden="true">{}</svg></div>'
    ).format(
        text, *(Markup("".join(part)) for part in (labels, grid)), WIDTH, HEIGHT,
        *(Markup("".join(part)) for part in (drawn, ends, times)),
    )  # fmt: skip


def _apart(shares: Sequence[float]) -> list[float]:
    """Return heights in per cent, moved apart so that labels do not lie on each other, in their order."""
    order = sorted(range(len(shares)), key=shares.__getitem__)
    heights = list(shares)
    for place, line in enumerate(order):
        above = heights[order[place - 1]] + LABEL if place else 0.0
        heights[line] = max(heights[line], above)
    lowest = 100.0
    for line in reversed(order):
        heights[line] = lowest = min(heights[line], lowest)
        lowest -= LABEL
    return heights


def _count(values: Sequence[float], distance: int) -> float:
    return -(-max(values) // distance) - min(values) // distance


def _fewer(steps: Steps) -> Steps:
    if len(steps) <= POINTS_MOST:
        return steps
    return [steps[len(steps) * number // POINTS_MOST] for number in range(POINTS_MOST)] + [steps[-1]]


PairRow = tuple[str, float, float]


def bar_chart(bars: PairedBars) -> dict[str, Any]:
    """Return a table for the template: its heads, and rows of cells with a number and a bar in per cent.

    The rows have one scale, and the total has its own; bars of numbers below 0 go to the left.
    """
    return {
        "title": bars.title,
        "series": bars.series,
        "rows": [*_rows(bars.rows), *(_rows([bars.total], is_total=True) if bars.total else ())],
    }


def _rows(rows: Sequence[PairRow], *, is_total: bool = False) -> list[dict[str, Any]]:
    numbers = [number for _, *pair in rows for number in pair]
    low, high = min([0.0, *numbers]), max([0.0, *numbers])
    span = high - low or 1.0

    def cell(number: float) -> dict[str, str]:
        return {
            "text": f"{number:,.2f}".rstrip("0").rstrip(".").replace("-", "−"),
            "x": f"{100 * (min(number, 0.0) - low) / span:.1f}",
            "width": f"{100 * abs(number) / span:.1f}",
        }

    return [{"label": label, "cells": [*map(cell, pair)], "is_total": is_total} for label, *pair in rows]
