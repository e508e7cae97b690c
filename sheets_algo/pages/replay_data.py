"""The data of a replay page: a battle hour by hour as JSON, small enough for hundreds of hours and flanks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.battle_map import Rgb, Scene
from engine.recording import HourlyChance, Recording
from engine.ruleset import Event
from sheets_algo.database.colours import hex_of
from sheets_algo.pictures.ground import MapView
from sheets_algo.pictures.strokes import banner_of

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
