"""Settings tabs: numbers of the tables that one workbook has otherwise, for moderators who have the sheet alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from engine.entry import Slip
from engine.fields import column, loosely, text
from engine.settings import Raw, Setting, Spot, Spots, name_of, overridden
from engine.words import nearest
from sheets_algo.book import Book
from sheets_algo.problems import Problem, one_of
from sheets_algo.tables import Row
from sheets_algo.values import Trouble, readings_of, shown
from sheets_algo.workbook.base import Value

SchemaCheck = Callable[[str, Any], Iterable[tuple[tuple[str | int, ...], str]]]
"""What a schema says of other content of a table file, by its name: place in the file and sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingRow:
    """The columns that every settings tab shares."""

    name: str = text(
        "Setting",
        id="SET-01",
        required=True,
        note="Which number: file and names in the tables, joined by slashes. As much of its end as tells it apart"
        " will do.",
    )
    value: str = text(
        "Value", id="SET-02", required=True, note="What it is in this workbook; within the range that the table allows."
    )


@dataclass(frozen=True, slots=True)
class OwnNumbers:
    """What a settings tab holds.

    Args:
        settings: Those in force, by name; none where anything is wrong.
        problems: Everything that is wrong.
    """

    settings: tuple[Setting, ...] = ()
    problems: tuple[Problem, ...] = ()


class SettingsTab:
    """How one ruleset's settings are read.

    Args:
        record: The record class that declares the tab.
        raw: The tables whose numbers may be set.
        words: Full name to allowed words, of the places in them that hold a word and may be set.
        schema: Checks one changed file.
        build: Makes the ruleset's tables with settings; raises Slip where they do not fit together.
    """

    def __init__(
        self,
        record: type[SettingRow],
        raw: Raw,
        words: Mapping[str, tuple[str, ...]],
        schema: SchemaCheck,
        build: Callable[[Sequence[Setting]], object],
    ) -> None:
        self._record = record
        self._raw = raw
        self._words = words
        self._schema = schema
        self._build = build
        self._read: WeakKeyDictionary[Book, OwnNumbers] = WeakKeyDictionary()

    def read(self, book: Book) -> OwnNumbers:
        """The settings of a workbook; read once, and at no cost where there are none."""
        if book not in self._read:
            self._read[book] = self._freshly_read(book)
        return self._read[book]

    def thawed(self, frozen: Mapping[str, Any]) -> tuple[Setting, ...]:
        """The settings of frozen inputs (SET-04).

        Raises:
            Slip: The tables have no such place any more, or do not fit together with them.
        """
        settings = tuple(Setting(**it) for it in frozen.get("settings", ()))
        self._build(settings)
        return settings

    def _freshly_read(self, book: Book) -> OwnNumbers:
        table = book.table(self._record)
        problems = dict.fromkeys(table.header_problems)
        chosen: dict[str, _Chosen] = {}
        if table.rows:
            spots = Spots(self._raw, self._words)
            for row in table:
                read = book.read(row, self._record)
                problems |= dict.fromkeys(read.problems)
                if read.record is not None:
                    problems |= dict.fromkeys(self._choose(row, read.record.name, spots, chosen))
        problems |= dict.fromkeys(self._out_of_range(chosen))
        if not problems:
            problems |= dict.fromkeys(self._unfit(chosen))
        if problems:
            return OwnNumbers((), tuple(sorted(problems, key=lambda it: (it.cell.row, it.cell.column))))
        return OwnNumbers(_in_force(chosen.values()))

    def _choose(self, row: Row, name: str, spots: Spots, chosen: dict[str, _Chosen]) -> Iterator[Problem]:
        """Add a row to those chosen, or say what is wrong with its cells."""
        attribute = "name"
        try:
            spot = _spot(name, spots)
            if spot.name in chosen:
                says = f"{spot.name} is set in row {chosen[spot.name].row.number} already"
                raise Trouble(says, "Keep one of them")
            attribute = "value"
            typed = row.value("value")
            chosen[spot.name] = _Chosen(row, spot, self._word(typed, spot) if spot.words else self._number(typed, spot))
        except Trouble as trouble:
            yield row.trouble(attribute, column(SettingRow, attribute), trouble)

    def _number(self, typed: Value, spot: Spot) -> int | float:
        readings = _readings(typed)
        if len(readings) > 1:
            readings = [number for number in readings if self._allows(spot, number)] or readings[:1]
        if len(readings) > 1:
            plain = [text if len(readings_of(text)) == 1 else f"{text}0" for text in map(shown, readings)]
            raise Trouble(f'"{shown(typed)}" could mean {" or ".join(map(shown, readings))}', one_of(plain))
        if not readings or not math.isfinite(readings[0]):
            raise Trouble(f'"{shown(typed)}" is not a number', f"Enter a number; the tables have {spot.value}")
        number = readings[0]
        return int(number) if number == int(number) and abs(number) < LARGEST_WHOLE else number

    def _word(self, typed: Value, spot: Spot) -> int | float | str:
        """One of the words; a place may take a number instead, as `none` or a limit."""
        found = shown(typed)
        for word in spot.words:
            if loosely(word) == loosely(found):
                return word
        if any(self._allows(spot, number) for number in _readings(typed)):
            return self._number(typed, spot)
        raise Trouble(f'"{found}" is not allowed', one_of(spot.words), nearest(found, spot.words))

    def _allows(self, spot: Spot, number: float) -> bool:
        changed = overridden(self._raw, [Setting(name=spot.name, value=number)])
        file = str(spot.path[0])
        return not any((file, *path) == spot.path for path, _ in self._schema(file, changed[file]))

    def _out_of_range(self, chosen: Mapping[str, _Chosen]) -> list[Problem]:
        """SET-02: the file with the settings in it keeps to its schema."""
        if not chosen:
            return []  # and the schema library is not even loaded
        changed = overridden(self._raw, _in_force(chosen.values()))
        return [
            it.problem(it.spot.name, what, "SET-02")
            for file in dict.fromkeys(str(it.spot.path[0]) for it in chosen.values())
            for path, what in self._schema(file, changed[file])
            for it in chosen.values()
            if it.spot.path[: len(path) + 1] == (file, *path)
        ]

    def _unfit(self, chosen: Mapping[str, _Chosen]) -> list[Problem]:
        """SET-05: the tables with the settings in them fit together (R-40 and the like)."""
        problems = []
        left = dict(chosen)
        while (slip := self._slip(left)) is not None:
            file = slip.file.removesuffix(".json")
            at = name_of(self._raw, (file, *slip.path))
            # To blame is what makes the slip: without it, it is gone.
            suspects = [name for name, it in left.items() if it.spot.path[0] == file] or [*left]
            to_blame = [name for name in suspects if str(self._slip(_without(left, name))) != str(slip)] or suspects
            for name in to_blame:
                problems.append(left.pop(name).problem(at, slip.what, "SET-05"))
        return problems

    def _slip(self, chosen: Mapping[str, _Chosen]) -> Slip | None:
        try:
            self._build(_in_force(chosen.values()))
        except Slip as slip:
            return slip
        return None


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A row that names a place and gives it a value."""

    row: Row
    spot: Spot
    value: int | float | str

    def problem(self, at: str, what: str, id: str) -> Problem:
        """What is wrong at a place of the tables, said at the setting's cell; with its name where that is another."""
        says, _, allowed = what.removesuffix(".").partition(". ")
        if at != self.spot.name:
            says = f"{at}: {says}"
        return self.row.problem("value", id, says, allowed=allowed)


FEW = 16
"""Where there are no more settings than that, a message names them all."""


def _spot(name: str, spots: Spots) -> Spot:
    found = spots.find(name)
    if not found:
        few = [spots.shortest(spot) for spot in spots.by_name.values()] if len(spots.by_name) <= FEW else []
        allowed = one_of(few) or f"Name a number by file and names in the tables, as {next(iter(spots.by_name))}"
        raise Trouble(f'"{name}" is not a setting', allowed, spots.nearest(name))
    if len(found) > 1:
        names = [spot.name for spot in found]
        some = f"{', '.join(names[:3])} and {len(names) - 3} more" if len(names) > 4 else ", ".join(names)
        raise Trouble(f'"{name}" could mean {some}', "Name it with more of the steps before it")
    return found[0]


def _readings(typed: Value) -> list[float | int]:
    if isinstance(typed, int | float) and not isinstance(typed, bool):
        return [typed]
    return readings_of(shown(typed))


LARGEST_WHOLE = 2**53
"""From here on not every whole number is one of a spreadsheet."""


def _in_force(chosen: Iterable[_Chosen]) -> tuple[Setting, ...]:
    """SET-04: by name, so that the order of the rows changes nothing; the tables' own numbers are no settings."""
    differing = [Setting(name=it.spot.name, value=it.value) for it in chosen if it.value != it.spot.value]
    return tuple(sorted(differing, key=lambda it: it.name))


def _without(chosen: Mapping[str, _Chosen], name: str) -> dict[str, _Chosen]:
    return {other: it for other, it in chosen.items() if other != name}
