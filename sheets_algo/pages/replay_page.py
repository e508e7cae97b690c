"""The replay page of a ruling: one HTML file with the battle hour by hour, its receipt and its luck.

It makes no requests, wherever it is opened.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from engine.battle_map import Moment, Rgb, Scene
from engine.receipt import Block, Line
from engine.recording import Chances, Chapter, HourlyChance, Recording
from engine.ruleset import Event, Outcome
from sheets_algo.database.colours import hex_of
from sheets_algo.forms.capabilities import SecretForm
from sheets_algo.pages.html import asset, digest_of, rendered, script_json, script_of
from sheets_algo.pages.site_page import Preview
from sheets_algo.pictures.ground import MapView, ground_png, tinted, view_of
from sheets_algo.pictures.places import draw_places
from sheets_algo.pictures.preview import Curve, draw_preview
from sheets_algo.pictures.side_colours import side_colours
from sheets_algo.pictures.strokes import INK, SIDE_COLOURS, banner_of
from sheets_algo.replays.luck_report import opening_odds
from sheets_algo.ruling.plan import Ruling
from sheets_algo.ruling.requests.decisions import KIND


def replay_page(
    ruling: Ruling,
    luck: Sequence[Event] = (),
    chances: Chances | None = None,
    picture: str = "",
    links: Sequence[tuple[str, str]] = (),
) -> str:
    """Return the page of a ruling as HTML; equal arguments give equal bytes.

    In a game with secrets it shows public results only, without the number of the receipt, which counts the orders of
    others.

    Args:
        picture: The address of the picture that links to the page show, of `replay_preview`; blank for none.
        links: Name and address of other pages of its site.
    """
    outcome, receipt = ruling.outcome, ruling.outcome.receipt
    values: dict[str, Any] = {"title": receipt.title, "links": links}
    if isinstance(ruling.form, SecretForm):
        known = tuple(news.block for news in outcome.news({}) if not news.reader)
        values["preview"] = Preview(receipt.title, "").tags()
        return _rendered(values | {"blocks": known or (Block("", (Line("", "Nothing of this is public."),)),)})
    line = _with_opening(chances.line, luck) if chances else ()
    values |= {
        "preview": Preview(receipt.title, _in_a_sentence(outcome, line), picture).tags(),
        "mark": ruling.mark,
        "blocks": receipt.all_blocks,
        "luck": luck,
    }
    if outcome.recording is not None and outcome.scenes:
        battles = chances.battles if chances else 0
        return _rendered(values | _hour_by_hour(outcome, outcome.recording, outcome.scenes[0], line, battles))
    values |= {"subtitle": outcome.summary, "events": outcome.events}
    if outcome.places is not None:
        text = f"Map: {', '.join(piece.label for piece in outcome.places.pieces)}"
        values |= {"places": _data_uri(draw_places(outcome.places, SIDE_COLOURS)), "places_text": text}
    return _rendered(values)


def replay_preview(ruling: Ruling, luck: Sequence[Event] = (), chances: Chances | None = None) -> bytes:
    """Return the preview picture of a replay page: the attacker's chance hour by hour, as a PNG.

    The arguments are those of `replay_page`, of a ruling with hours.
    """
    outcome = ruling.outcome
    (scene,) = outcome.scenes
    line = _with_opening(chances.line, luck) if chances else ()
    last = max(1, max((chance.hour for chance in line), default=1))
    curve = Curve("", INK, [(chance.hour / last, chance.odds.share) for chance in line])
    areas = [(banner_of(scene, side).nation, colour) for side, colour in side_colours(scene).items()]
    return draw_preview(scene.title, _in_a_sentence(outcome, line), [curve] if line else (), areas)


def _in_a_sentence(outcome: Outcome, line: Sequence[HourlyChance]) -> str:
    """Return the result of a battle and the hour that turned it: `Hour 9 turned it against England: 69 % to 12 %`."""
    if outcome.recording is None:
        return outcome.summary
    end = outcome.recording.chapters[-1].text
    step = turning_step(line)
    if step is None:
        return end
    before, after = (chance.odds.share for chance in step)
    scene = outcome.scenes[0]
    loser, shares = (scene.defender, (1 - before, 1 - after)) if after > before else (scene.attacker, (before, after))
    fall = " to ".join(f"{100 * share:.0f} %" for share in shares)
    return f"Hour {step[1].hour:,} turned it against {loser.nation}: {fall}. {end}"


def _with_opening(line: Sequence[HourlyChance], luck: Sequence[Event]) -> Sequence[HourlyChance]:
    """Return the chances; the first comes from the lines on luck (FC-06), if these have it."""
    opening = opening_odds(luck)
    return (replace(line[0], odds=opening), *line[1:]) if opening else line


def _hour_by_hour(
    outcome: Outcome, recording: Recording, scene: Scene, line: Sequence[HourlyChance], battles: int
) -> dict[str, Any]:
    view = _view(recording, scene)
    ground, features = ground_png(scene, view)
    attacker = scene.attacker.nation
    recording = replace(recording, chapters=with_turning_point(recording.chapters, line, attacker))
    colours = side_colours(scene)
    chance_text = f"of {attacker}, had it gone on from each hour under other luck: {battles:,} battles each; band: 95 %"
    events = [event for event in outcome.events if event.hour is not None]  # settings are on the receipt (SET-06)
    return {
        "title": scene.title,
        "subtitle": scene.subtitle,
        "map": _data_uri(ground),
        "map_text": f"Terrain around the battle: {', '.join(feature.name for feature in features)}",
        "legend": [(feature.name, hex_of(tinted(feature.rgb))) for feature in features],
        "sides": [_side(scene, side, colours[side]) for side in SIDES],
        "hours": len(recording.men) - 1,
        "many": len(recording.actors) > MANY,
        "has_ships": bool((recording.ships >= 0).any()),
        "chance_text": chance_text if line else "",
        "decisions": [event for event in outcome.events if event.kind == KIND and event.hour],
        "chapters": recording.chapters,
        "leaps": [_leap(*pair, attacker) for pair in pairwise(line) if is_great_change(pair[1])],
        "data": script_json(replay_data(recording, scene, view, colours, events, line)),
    }


def turning_step(line: Sequence[HourlyChance]) -> tuple[HourlyChance, HourlyChance] | None:
    """Return the chances before and after the greatest change, the first of equals (FC-28).

    The first of several changes is left out, since it comes from the fortunes of the day. None if the greatest is of
    fewer than ten points.
    """
    steps = [*pairwise(line)][1:] or [*pairwise(line)]
    step = max(steps, key=_points_moved, default=None)
    return step if step and _points_moved(step) >= GREAT else None


def _points_moved(step: tuple[HourlyChance, HourlyChance]) -> float:
    return round(abs(step[1].odds.share - step[0].odds.share), 6)


def with_turning_point(chapters: Sequence[Chapter], line: Sequence[HourlyChance], attacker: str) -> tuple[Chapter, ...]:
    """Return the chapters with the turning point, the hour in which the chance moved most (FC-28)."""
    step = turning_step(line)
    if step is None:
        return tuple(chapters)
    change = _leap(*step, attacker)["text"]
    point = Chapter(step[1].hour, "Turning point", f"{change[0].upper()}{change[1:]}.")
    begin, *between, end = chapters
    return (begin, *sorted((*between, point), key=lambda chapter: chapter.hour), end)


def _side(scene: Scene, side: str, colour: Rgb) -> Mapping[str, Any]:
    banner = banner_of(scene, side)
    return {
        "nation": banner.nation,
        "army": banner.army,
        "title": ", ".join(filter(None, (banner.nation, banner.army))),
        "colour": hex_of(colour),
        "won": scene.winner == side,
        "men": f"{sum(mark.size for mark in scene.before if mark.side == side):,}",
    }


def _leap(earlier: HourlyChance, later: HourlyChance, attacker: str) -> Mapping[str, Any]:
    before, after = (f"{100 * chance.odds.share:.0f}" for chance in (earlier, later))
    return {"hour": later.hour, "text": f"the chance of {attacker} went from {before} to {after} %"}


FIGHTING = "Ready"
"""The status of the flanks that a map must show (STRAT-10)."""


def _view(recording: Recording, scene: Scene) -> MapView:
    """Return the view around the fight: the starts, and the places of fighting flanks; fleeing ones may leave it."""
    fights = recording.status[1:] == recording.statuses.index(FIGHTING)
    places = np.unique(np.rint(np.stack([recording.x[1:][fights], recording.y[1:][fights]], axis=1)), axis=0)
    marks = tuple(replace(scene.before[0], x=x, y=y) for x, y in places.tolist())
    return view_of(replace(scene, moments=(scene.moments[0], Moment("", 1, marks))))


def _data_uri(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


MANY = 24
"""Number of flanks from which their table has fixed widths, so that a step is fast."""


def _rendered(values: Mapping[str, Any]) -> str:
    absent = dict.fromkeys(
        (
            "mark",
            "subtitle",
            "map",
            "places",
            "luck",
            "events",
            "data",
            "chapters",
            "leaps",
            "decisions",
        ),
        "",
    )
    script = script_of("replay.js") if "data" in values else None
    return rendered("replay.html", _style(), script, {**absent, **values})


def _style() -> Markup:
    return Markup("".join(map(asset, ("page.css", "replay.css"))))


@cache
def replay_digest() -> str:
    """Return a digest of the template, the style and the script, which tells when pages must be rewritten."""
    return digest_of("\0".join((asset("replay.html"), script_of("replay.js"), _style())))


SIDES = ("Attacker", "Defender")
STEPS_A_PIXEL = 20
"""Positions are rounded to a twentieth of the map's pixel, half a pixel of the screen."""
MORALE_STEPS = 1000
RUN_LEAST = 3
"""Minimum number of unchanged hours that are written as a count."""
_NUMBER = r"\d{1,3}(?:,\d{3})+|\d+"
DIGITS_MOST = 15
"""Maximum number of digits that JavaScript computes exactly."""


def replay_data(
    recording: Recording,
    scene: Scene,
    view: MapView,
    colours: Mapping[str, Rgb],
    events: Sequence[Event],
    chances: Sequence[HourlyChance],
) -> dict[str, Any]:
    """Return the data of the page's script as plain lists and numbers; `colours` are those of the sides."""
    return {
        "hours": len(recording.men) - 1,
        "view": [view.left, view.top, view.side],
        "km": scene.km_per_pixel,
        "steps": STEPS_A_PIXEL,
        "sides": [[banner_of(scene, side).nation, hex_of(colours[side])] for side in SIDES],
        "flanks": [[SIDES.index(actor.side), actor.label, actor.types] for actor in recording.actors],
        "statuses": recording.statuses,
        "x": changes_of(np.rint(recording.x * STEPS_A_PIXEL)),
        "y": changes_of(np.rint(recording.y * STEPS_A_PIXEL)),
        "men": changes_of(recording.men),
        "ships": changes_of(recording.ships),
        "morale": changes_of(np.rint(recording.morale * MORALE_STEPS)),
        "status": changes_of(recording.status),
        "target": changes_of(recording.target),
        "blows": [
            [number for blow in frame for number in (blow.flank, blow.target, blow.killed)] for frame in recording.blows
        ],
        "chapters": [[chapter.hour, chapter.name, chapter.text] for chapter in recording.chapters],
        "known": next(moment.hour for moment in scene.moments if moment.name != "Before"),
        "chances": [_chance(chance) for chance in chances],
        **_sentences(recording, events),
    }


def changes_of(numbers: NDArray[Any]) -> list[list[int | str]]:
    """Return for each flank its first number and then the change of each hour; unchanged hours as text: `"12"`.

    Args:
        numbers: Whole numbers, shape (frames, flanks).
    """
    whole = numbers.astype(np.int64).T
    return [_run_lengths([int(row[0]), *np.diff(row).tolist()]) for row in whole]


def _run_lengths(changes: Sequence[int]) -> list[int | str]:
    written: list[int | str] = []
    zeros = 0
    for change in (*changes, None):
        if change == 0:
            zeros += 1
            continue
        written += [str(zeros)] if zeros >= RUN_LEAST else [0] * zeros
        zeros = 0
        if change is not None:
            written.append(change)
    return written


def _chance(chance: HourlyChance) -> list[Any]:
    odds = [round(share, 4) for share in (chance.odds.share, chance.odds.low, chance.odds.high)]
    return [chance.hour, *odds, int(is_great_change(chance))]


GREAT = 0.1
"""Minimum change of a chance that is marked."""


def is_great_change(chance: HourlyChance) -> bool:
    """Return True if the chance has changed by ten points or more, and by more than the error (FC-28)."""
    return chance.shift is not None and chance.shift.is_sure and abs(chance.shift.change) >= GREAT


def _sentences(recording: Recording, events: Iterable[Event]) -> dict[str, Any]:
    """Return the sentences of all events as templates with their varying parts, for brevity.

    A number of a sentence is written as itself, the name of a flank as -1 for the first name, -2 for the second ...
    """
    names = list(dict.fromkeys(name for actor in recording.actors for name in actor.names))
    place = {name: -1 - number for number, name in enumerate(names)}
    longest_first = sorted(map(re.escape, filter(None, names)), key=len, reverse=True)
    # Few places of a sentence begin with the first sign of a name: elsewhere none of the hundreds has to be tried.
    first = "".join({re.escape(name[0]) for name in names if name})
    parts = re.compile(f"(?=[{first}])(?:{'|'.join(longest_first)})|{_NUMBER}" if first else _NUMBER)
    kinds: dict[tuple[Any, ...], int] = {}
    last = len(recording.men) - 1
    hours: dict[int, list[list[int]]] = {}
    for event in events:
        matches = [*parts.finditer(event.text)]
        matches = [match for match in matches if match[0] in place or _is_number(match[0])]
        ends = [0, *(end for match in matches for end in match.span()), len(event.text)]
        words = tuple(event.text[start:end] for start, end in zip(ends[::2], ends[1::2], strict=True))
        weight = 0 if event.kind in recording.routine else 2 if event.kind in recording.folded else 1
        kind = kinds.setdefault((event.id, weight, *words), len(kinds))
        hour = min(event.hour or 0, last)
        values = [place[match[0]] if match[0] in place else _number(match[0]) for match in matches]
        hours.setdefault(hour, []).append([kind, *values])
    return {"names": names, "kinds": [list(kind) for kind in kinds], "events": [*hours.items()]}


def _is_number(text: str) -> bool:
    return len(text) <= DIGITS_MOST and f"{_number(text):,}" == text


def _number(text: str) -> int:
    return int(text.replace(",", ""))
