"""Settings: numbers and words of the tables that one workbook has otherwise (SET-03).

A place in the tables is named by the steps that lead to it, as the files spell them: file, keys, and in a list the
entry's own name, or else its position counted from 0. `ordered/lists/Trade/feeds/Economy/values/Minor` is such a name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.entry import REMARKS, Slip, suggestion
from engine.fields import loosely
from engine.outcome import Event
from engine.words import nearest

Raw = Mapping[str, Any]
"""A ruleset's tables as parsed: file name without ending to content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting in force: it goes before the tables' own number and is frozen with what is ruled (SET-04).

    Args:
        name: The place's full name.
        value: What stands there instead.
    """

    name: str
    value: int | float | str


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in the tables that a setting may fill.

    Args:
        name: Its full name.
        path: File, keys and list positions that lead to it.
        value: What the tables hold there.
        words: The words allowed there; empty where it is a number.
    """

    name: str
    path: tuple[str | int, ...]
    value: int | float | str
    words: tuple[str, ...] = ()

    @property
    def steps(self) -> tuple[str, ...]:
        """The name's parts as they are compared: without regard to capitals, spaces and the length of a dash."""
        return steps(self.name)


def steps(name: str) -> tuple[str, ...]:
    """A name's parts as they are compared; of a typed one too."""
    return tuple(loosely(step) for step in name.replace("–", "-").split("/"))


class Spots:
    """Every place that settings may fill.

    Args:
        raw: The tables.
        words: Full name to allowed words, of the few places that hold a word instead of a number.
    """

    def __init__(self, raw: Raw, words: Mapping[str, tuple[str, ...]]) -> None:
        found = [spot for file, content in raw.items() for spot in _spots(content, (file,), (file,), words)]
        self.by_name = {spot.name: spot for spot in found}
        self._by_last: dict[str, list[Spot]] = {}
        for spot in found:
            self._by_last.setdefault(spot.steps[-1], []).append(spot)

    def find(self, typed: str) -> tuple[Spot, ...]:
        """The places that a typed name may mean: one if it is well typed, none or several if it is not.

        Steps may be left out as long as the rest fits one place alone; the last one may not: `fortune/side` is
        `strategy/fortune/side`. A full name means that place, whatever else it would fit.
        """
        asked = steps(typed)
        fitting = [spot for spot in self._by_last.get(asked[-1], ()) if _in_order(asked, spot.steps)]
        exact = [spot for spot in fitting if spot.steps == asked]
        return tuple(exact or fitting)

    def shortest(self, spot: Spot) -> str:
        """The shortest end of a place's name that tells it apart."""
        parts = spot.name.split("/")
        ends = ("/".join(parts[-count:]) for count in range(1, len(parts)))
        return next((end for end in ends if self.find(end) == (spot,)), spot.name)

    def nearest(self, typed: str) -> str:
        """The name most like a typed one, with as many steps where that tells a place apart; blank if none is."""
        count = len(steps(typed))
        ends = {"/".join(spot.name.split("/")[-count:]): spot.name for spot in self.by_name.values()}
        near = nearest(typed, ends | dict.fromkeys(self.by_name, ""))
        return near if not near or len(self.find(near)) == 1 else ends[near]


def overridden(raw: Raw, settings: Iterable[Setting]) -> dict[str, Any]:
    """The tables with settings in their places; `raw` itself stays as it is.

    Args:
        raw: The tables.
        settings: With full names.

    Raises:
        Slip: The tables have no such place (any more).
    """
    changed = dict(raw)
    for setting in settings:
        changed = _with(changed, path_of(raw, setting.name), setting.value)
    return changed


def path_of(raw: Raw, name: str) -> tuple[str | int, ...]:
    """File, keys and list positions of a full name.

    Raises:
        Slip: The tables have no such place.
    """
    place: Any = raw
    path: list[str | int] = []
    rest = name
    while rest:
        keys = dict(_children(place))
        # A key may hold a slash itself, so the longest that fits is taken.
        key = max((key for key in keys if f"{rest}/".startswith(f"{key}/")), key=len, default=None)
        if key is None:
            step = rest.split("/")[0]
            raise Slip("settings", (name,), f'the tables have no "{step}" there. {suggestion(step, keys)}')
        path.append(keys[key])
        place = place[keys[key]]
        rest = rest[len(key) + 1 :]
    return tuple(path)


def name_of(raw: Raw, path: Iterable[str | int]) -> str:
    """The name of a place: of `(generations, phases, 1, from)` it is `generations/phases/awakening/from`."""
    place: Any = raw
    names = []
    for key in path:
        names += [name for name, own in _children(place) if own == key]
        place = place[key]
    return "/".join(names)


def told(raw: Raw, settings: Iterable[Setting]) -> Iterator[Event]:
    """SET-06: an event for each setting, before anything happens; the log begins with them."""
    for setting in settings:
        own: Any = raw
        for key in path_of(raw, setting.name):
            own = own[key]
        amount = None if isinstance(setting.value, str) else setting.value
        text = f"{setting.name} is {setting.value} in this workbook, not {own} as in the tables"
        yield Event(None, "", "", SETTING, amount, "SET-06", text)


SETTING = "setting"
"""Kind of such an event."""


def _spots(
    value: Any, names: tuple[str, ...], path: tuple[str | int, ...], words: Mapping[str, tuple[str, ...]]
) -> Iterator[Spot]:
    for child, key in _children(value):
        yield from _spots(value[key], (*names, child), (*path, key), words)
    name = "/".join(names)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number or name in words:
        yield Spot(name, path, value, words.get(name, ()))


def _children(value: Any) -> Iterator[tuple[str, str | int]]:
    """Name and key of each part, remarks left out; a number or text has none."""
    if isinstance(value, Mapping):
        yield from ((key, key) for key in value if key not in REMARKS)
    elif isinstance(value, list):
        own = [_own_name(entry) for entry in value]
        counts = Counter(own)
        for position, name in enumerate(own):
            yield (name if name and counts[name] == 1 else str(position)), position


def _own_name(entry: Any) -> str:
    """What an entry of a list is called: its name, wherever that stands in it, else its first text."""
    fields = entry if isinstance(entry, Mapping) else {}
    texts = {key.casefold(): text for key, text in fields.items() if isinstance(text, str)}
    return texts.get("name") or next(iter(texts.values()), "")


def _in_order(asked: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether all that was asked stands in the whole, in that order."""
    left = iter(whole)
    return all(step in left for step in asked)


def _with(container: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """A copy with another value at the end of a path; what lies beside the path is shared."""
    if not path:
        return value
    copy = container.copy()
    copy[path[0]] = _with(container[path[0]], path[1:], value)
    return copy
