"""Settings: numbers and words of the tables that one workbook replaces (SET-03).

A path in the tables is named by its steps, as the files spell them: file, keys, and for a list entry its own name or
else its position counted from 0, e.g. `ordered/lists/Trade/feeds/Economy/values/Minor`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, TypeVar

from engine.columns import loosely
from engine.config_value import REMARKS, TableError, suggestion
from engine.receipt import Line
from engine.ruleset import Event
from engine.suggest import WordList

Tables = TypeVar("Tables")
Raw = Mapping[str, Any]
"""A ruleset's tables as parsed: content by file name without extension."""
ALIKE = 0.7
"""Minimum similarity of a suggested name: among a thousand, some are a little like any word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting in force, frozen with the ruling (SET-04)."""

    name: str  # The full name of the path
    value: int | float | str  # The value that replaces the tables' own
    since: str = ""  # The date from which it is in force, `year 1500` (SET-07); blank for a setting of the workbook
    # The release's value, for a value of the moderator's own tables; None for others.
    released: int | float | str | None = None

    @property
    def origin(self) -> str:
        """Return the source of the value, for a sentence: `in this workbook`, `from year 1500`."""
        if self.released is not None:
            return "in own tables"
        return f"from {self.since}" if self.since else "in this workbook"

    @property
    def receipt_line(self) -> str:
        """Return the setting as a line of a receipt's section for the moderator's rulings (SET-06)."""
        since = f" (from {self.since})" if self.since else ""
        since = since if self.released is None else f" (in the release {self.released})"
        return f"Setting {self.name.rpartition('/')[2]}: {self.value}{since}"


@dataclass(frozen=True, slots=True)
class ConfigPath:
    """A path in the tables whose value a setting may replace."""

    name: str  # The full name
    path: tuple[str | int, ...]  # The file, keys and list positions that lead to the value
    value: int | float | str  # The tables' own value
    words: tuple[str, ...] = ()  # The words allowed there; empty for a number

    @property
    def steps(self) -> tuple[str, ...]:
        """Return the name's steps in their form for comparison."""
        return steps(self.name)


def steps(name: str) -> tuple[str, ...]:
    """Return a name's steps in their form for comparison, ignoring case, spaces and the length of dashes."""
    return tuple(loosely(step) for step in name.replace("–", "-").split("/"))


class ConfigPaths:
    """All paths whose values settings may replace.

    Args:
        words: The allowed words by full name, for the few paths that hold a word instead of a number.
    """

    def __init__(self, raw: Raw, words: Mapping[str, tuple[str, ...]]) -> None:
        paths = [
            ConfigPath(name, path, value, words.get(name, ()))
            for name, path, value in _leaves(raw)
            if _is_number(value) or name in words
        ]
        self.by_name = {path.name: path for path in paths}
        self._by_last: dict[str, list[ConfigPath]] = {}
        for path in paths:
            self._by_last.setdefault(path.steps[-1], []).append(path)

    def find(self, typed: str) -> tuple[ConfigPath, ...]:
        """Return the paths that match a typed name: exactly one if it is clear, none or several otherwise.

        Steps other than the last may be left out while the rest fits only one path: `fortune/side` is
        `strategy/fortune/side`. A full name always means that path, even if it would fit others.
        """
        typed_steps = steps(typed)
        candidates = [path for path in self._by_last.get(typed_steps[-1], ()) if _in_order(typed_steps, path.steps)]
        exact = [path for path in candidates if path.steps == typed_steps]
        return tuple(exact or candidates)

    def shortest(self, path: ConfigPath) -> str:
        """Return the shortest ending of a path's name that is unambiguous."""
        parts = path.name.split("/")
        ends = ("/".join(parts[-count:]) for count in range(1, len(parts)))
        return next((end for end in ends if self.find(end) == (path,)), path.name)

    def nearest(self, typed: str) -> str:
        """Return the name most similar to a typed one, with as many steps if that is unambiguous; blank if none is."""
        count = len(steps(typed))
        full_names = {"/".join(path.name.split("/")[-count:]): path.name for path in self.by_name.values()}
        closest = WordList(full_names | dict.fromkeys(self.by_name, "")).nearest(typed, ALIKE)
        return closest if not closest or len(self.find(closest)) == 1 else full_names[closest]


def overridden(raw: Raw, settings: Iterable[Setting]) -> dict[str, Any]:
    """Return the tables with the settings' values in place; `raw` is not changed.

    Raises:
        TableError: The tables have no such path, or no longer have it.
    """
    changed = dict(raw)
    for setting in settings:
        changed = _with(changed, path_of(raw, setting.name), setting.value)
    return changed


def kept(
    cache: dict[tuple[Setting, ...], Tables], settings: Sequence[Setting], make: Callable[[tuple[Setting, ...]], Tables]
) -> Tables:
    """Return the tables with some settings from a small cache, because each request asks for them."""
    key = tuple(settings)
    if key not in cache:
        tables = make(key)
        if len(cache) >= KEPT_MOST:
            cache.clear()
        cache[key] = tables
    return cache[key]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesetTables(ABC):
    """All tables of a ruleset, of whose numbers a workbook may have its own (SET-03)."""

    raw: Raw = field(repr=False)
    _having: dict[tuple[Setting, ...], Self] = field(default_factory=dict, init=False, repr=False, compare=False)

    files: ClassVar[Collection[str]] = ("constants",)
    """The files whose numbers and words a setting may replace."""

    @classmethod
    @abstractmethod
    def of(cls, raw: Raw) -> Self:
        """Return the tables of the parsed files, content by file name without ending.

        Raises:
            TableError: Something is missing or the files do not fit together; the message names file and place.
        """

    @classmethod
    def settable(cls, raw: Raw) -> dict[str, Any]:
        """Return the entries that a settings tab may replace."""
        return {name: content for name, content in raw.items() if name in cls.files}

    def having(self, settings: Sequence[Setting]) -> Self:
        """Return these tables with the numbers and words of a workbook's settings.

        Raises:
            TableError: A setting names none of them, or they no longer fit together.
        """
        return kept(self._having, settings, self._replaced) if settings else self

    def _replaced(self, settings: Sequence[Setting]) -> Self:
        return self.of({**self.raw, **overridden(self.settable(self.raw), settings)})


def merged(value: Any, changes: Any, path: tuple[str, ...] = ()) -> Any:
    """Return tables with changes, whose keys are spelled as in settings; `value` is not changed.

    Args:
        changes: A mapping of names to changes, or the value that replaces them.

    Raises:
        TableError: The tables have no such path.
    """
    if not isinstance(changes, Mapping):
        return changes
    keys = dict(_children(value))
    changed = value.copy()
    for name, part in changes.items():
        if name not in keys:
            raise TableError("", (*path, name), f"the tables have no {name!r} there. {suggestion(name, keys)}")
        changed[keys[name]] = merged(value[keys[name]], part, (*path, name))
    return changed


def own_numbers(
    raw: Raw, released: Raw, words: Mapping[str, tuple[str, ...]], without: Collection[str] = ()
) -> tuple[Setting, ...]:
    """Return a setting for each value in which a moderator's own tables differ from the release (SET-06).

    Tables with more than OWN_MOST differences are rules of their own, whose differences the Season row lists.

    Args:
        words: As for `ConfigPaths`.
    """
    files = [file for file in raw if file not in without and raw[file] != released.get(file, raw[file])]
    theirs, ours = ({name: value for file in files for name, _, value in _leaves(of[file], (file,))}
                    for of in (raw, released))  # fmt: skip
    changes = tuple(
        Setting(name=name, value=value, released=ours[name])
        for name, value in theirs.items()
        if value != ours.get(name, value) and (name in words or (_is_number(value) and _is_number(ours[name])))
    )
    return changes if len(changes) <= OWN_MOST else ()


def differences(raw: Raw, released: Raw) -> Iterator[str]:
    """Yield each value in which a moderator's own tables differ from the release: name, theirs and ours (SET-06)."""
    values, released_values = ({name: value for name, _, value in _leaves(tables)} for tables in (raw, released))
    for name in dict.fromkeys((*values, *released_values)):
        if values.get(name) != released_values.get(name):
            value, before = (str(leaves.get(name, "nothing")) for leaves in (values, released_values))
            yield f"{name}: {value}, in the release {before}"


def _leaves(
    value: Any, names: tuple[str, ...] = (), path: tuple[str | int, ...] = ()
) -> Iterator[tuple[str, tuple[str | int, ...], Any]]:
    """Yield full name, path and value of each number, word and switch of tables, without remarks."""
    if not isinstance(value, Mapping | list):
        yield "/".join(names), path, value
    for child, key in _children(value):
        yield from _leaves(value[key], (*names, child), (*path, key))


def path_of(raw: Raw, name: str) -> tuple[str | int, ...]:
    """Return the file, keys and list positions of a full name.

    Raises:
        TableError: The tables have no such path.
    """
    value: Any = raw
    path: list[str | int] = []
    rest = name
    while rest:
        keys = dict(_children(value))
        # A key may itself contain a slash, so the longest match is taken.
        key = max((key for key in keys if f"{rest}/".startswith(f"{key}/")), key=len, default=None)
        if key is None:
            step = rest.split("/")[0]
            raise TableError("settings", (name,), f'the tables have no "{step}" there. {suggestion(step, keys)}')
        path.append(keys[key])
        value = value[keys[key]]
        rest = rest[len(key) + 1 :]
    return tuple(path)


def name_of(raw: Raw, path: Iterable[str | int]) -> str:
    """Return the full name of a path: `(generations, phases, 1, from)` is `generations/phases/awakening/from`."""
    value: Any = raw
    names = []
    for key in path:
        names += [name for name, child in _children(value) if child == key]
        value = value[key]
    return "/".join(names)


def setting_events(raw: Raw, settings: Iterable[Setting]) -> Iterator[Event]:
    """Yield an event for each setting, to be logged before anything else (SET-06)."""
    for setting in settings:
        default: Any = raw
        for key in path_of(raw, setting.name):
            default = default[key]
        where = "tables"
        if setting.released is not None:
            default, where = setting.released, "release"
        amount = None if isinstance(setting.value, str) else setting.value
        text = f"{setting.name} is {setting.value} {setting.origin}, not {default} as in the {where}"
        yield Event(None, "", "", SETTING, amount, "SET-06", text)


def typed_lines(settings: Iterable[Setting], seed: int | None = None) -> Iterator[Line]:
    """Yield the lines of a receipt for settings (SET-06) and, unless it is None, for a seed that was typed."""
    for setting in settings:
        yield Line("", setting.receipt_line)
    if seed is not None:
        yield Line("", f"Seed: {seed}")


OWN_MOST = 30
"""Maximum number of values of own tables on receipts."""
KEPT_MOST = 32
"""Maximum number of cached tables with settings, for programs that run for weeks."""
SETTING = "setting"
"""The kind of a setting's event."""


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _children(value: Any) -> Iterator[tuple[str, str | int]]:
    """Yield name and key of each part, without remarks; a number or text has none."""
    if isinstance(value, Mapping):
        yield from ((key, key) for key in value if key not in REMARKS)
    elif isinstance(value, list):
        names = [_own_name(entry) for entry in value]
        counts = Counter(names)
        for position, name in enumerate(names):
            yield (name if name and counts[name] == 1 else str(position)), position


def _own_name(entry: Any) -> str:
    """Return the name of a list entry: its field `name`, else its first text."""
    fields = entry if isinstance(entry, Mapping) else {}
    texts = {key.casefold(): text for key, text in fields.items() if isinstance(text, str)}
    return texts.get("name") or next(iter(texts.values()), "")


def _in_order(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Return True if `part` is a subsequence of `whole`."""
    rest = iter(whole)
    return all(step in rest for step in part)


def _with(container: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """Return a copy with another value at the end of a path; everything else is shared."""
    if not path:
        return value
    copy = container.copy()
    copy[path[0]] = _with(container[path[0]], path[1:], value)
    return copy
