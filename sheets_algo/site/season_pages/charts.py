"""Charts: figures of a receipt as bars, and figures of nations over a season as lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import msgspec

from sheets_algo.forms.capabilities import ChartForm
from sheets_algo.pages.bar_chart import bar_chart
from sheets_algo.pages.receipt_markup import read_receipt
from sheets_algo.pages.site_page import shortened_name
from sheets_algo.pages.stability_chart import COLOURS, stability_chart
from sheets_algo.pictures.preview import season_picture
from sheets_algo.season.records import RulingRecord
from sheets_algo.site.paging import NAME, Data
from sheets_algo.site.season_index import SeasonIndex, program
from sheets_algo.site.site_file import SEASON_PICTURE, SiteFile, key_of


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
