"""What an input may be: a record class declares its tab, each field its column, in one place.

Reader, validation, workbook template, documentation and the `schema` command all come from these declarations::

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Nation:
        '''One row of the Nations tab.'''

        tab: ClassVar[Tab] = Tab("Nations", key="name", about="...")

        name: str = text("Name", required=True, id="NAT-01")
        stability: float = number("Stability", low=0, high=200, default=100, id="NAT-02")
        trade: str = choice("Trade", "Trade", default="Minor", id="NAT-21")
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any


class Kind(Enum):
    """How a cell of a column is read."""

    TEXT = "text"
    NUMBER = "number"
    WHOLE = "whole number"
    CHOICE = "choice"
    CHOICES = "list of choices"
    REFERENCE = "reference"
    REFERENCES = "list of references"
    NUMBERS = "list of numbers"
    YES_NO = "yes or no"
    TIME = "time of day"


class Place(Enum):
    """Where a column stands in a new workbook, and who writes it."""

    FIRST = 0
    PERSON = 1
    CONTROL = 2  # people's columns that every ruleset shares: Action, Seed, Ready
    STATUS = 3  # the program's from here on: Status, Message
    RESULT = 4
    LAST = 5

    @property
    def is_programs(self) -> bool:
        """Whether the program writes the column and people only read it."""
        return self.value >= Place.STATUS.value


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab of the workbook.

    Args:
        name: As people see it.
        key: Attribute that names a row and must be unique; blank where rows have no name.
        about: One sentence for documentation and the template.
        optional: The workbook may lack the tab.
        program_only: Only the program writes it (Receipts, Log).
        one: What a single row is called in a sentence: `nation`, `unit type`.
        exact: Names must match in capitals too (DB-07).
        unique: No two rows may share a name.
    """

    name: str
    key: str = ""
    about: str = ""
    optional: bool = False
    program_only: bool = False
    one: str = "row"
    exact: bool = False
    unique: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One column.

    Args:
        header: As in row 1, spelled as in the rules.
        kind: How its cells are read.
        id: The rule that declares it; printed with every problem.
        note: What it means, one or two sentences: the header's note in the workbook, the text in the docs.
        low: Least number allowed, None for no bound.
        high: Greatest number allowed.
        choices: Name of the value list that a choice or a list of choices comes from.
        to: Tab that a reference names a row of.
        also: Words that a reference accepts besides row names: `default` (DB-10).
        count: How many numbers a list holds, or how many choices at most (0 for any number).
        numeric: A choice may also be typed as a number between `low` and `high`.
        zero_means_none: 0 is accepted and means "none on purpose" (MD-08); the record then holds "0".
        default: What a blank cell means.
        required: A blank cell is a problem.
        lenient: A value that cannot be read counts as blank, with a warning (LDR-03, DB-09).
        aliases: Other spellings of the header.
        longest: Most characters of a text or name, an emoji counted as two, as spreadsheets count.
        place: Where the column stands and who writes it.
        unit: Of the number, for docs: `people`, `km/h`.
    """

    header: str
    kind: Kind
    id: str
    note: str = ""
    low: float | None = None
    high: float | None = None
    choices: str = ""
    to: str = ""
    also: tuple[str, ...] = ()
    count: int = 0
    numeric: bool = False
    zero_means_none: bool = False
    default: Any = None
    required: bool = False
    lenient: bool = False
    aliases: tuple[str, ...] = ()
    longest: int = 2_000
    place: Place = Place.PERSON
    unit: str = ""


@dataclass(frozen=True, slots=True)
class ValueList:
    """The allowed values of a choice, from the tables.

    Args:
        name: As in `Field.choices`.
        values: Canonical spellings in the sheet's order.
        meanings: Canonical spelling to its one-line meaning, where there is one.
        aliases: Other spelling to canonical spelling.
    """

    name: str
    values: tuple[str, ...]
    meanings: Mapping[str, str] = dataclasses.field(default_factory=dict)
    aliases: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def canonical(self, found: str) -> str | None:
        """The allowed value that `found` spells, without regard to capitals and spaces; None if there is none."""
        return _spellings(self.values, tuple(self.aliases.items())).get(loosely(found))


@functools.cache
def _spellings(values: tuple[str, ...], aliases: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return {loosely(other): value for other, value in aliases} | {loosely(value): value for value in values}


def loosely(words: str) -> str:
    """How headers and list values are compared: no capitals, no outer or doubled spaces (inputs 1.6)."""
    return " ".join(words.split()).casefold()


def text(header: str, *, id: str, default: str = "", **more: Any) -> Any:
    """Any text."""
    return _field(header, Kind.TEXT, id=id, default=default, **more)


def number(
    header: str,
    *,
    id: str,
    low: float | None = None,
    high: float | None = None,
    default: float | None = None,
    **more: Any,
) -> Any:
    """A number from low to high."""
    return _field(header, Kind.NUMBER, id=id, low=low, high=high, default=default, **more)


def whole(
    header: str, *, id: str, low: int | None = None, high: int | None = None, default: int | None = None, **more: Any
) -> Any:
    """A whole number from low to high."""
    return _field(header, Kind.WHOLE, id=id, low=low, high=high, default=default, **more)


def choice(header: str, choices: str, *, id: str, default: str | float | None = None, **more: Any) -> Any:
    """One value of a list that the tables hold, ordered or not."""
    return _field(header, Kind.CHOICE, id=id, choices=choices, default=default, **more)


def choices(header: str, choices: str, *, id: str, default: tuple[str, ...] = (), **more: Any) -> Any:
    """Values of a list that the tables hold, each at most once, in one cell; a tuple of texts."""
    return _field(header, Kind.CHOICES, id=id, choices=choices, default=default, **more)


def reference(header: str, to: str, *, id: str, default: str | None = None, **more: Any) -> Any:
    """The name of a row of another tab."""
    return _field(header, Kind.REFERENCE, id=id, to=to, default=default, **more)


def references(header: str, to: str, *, id: str, **more: Any) -> Any:
    """Names of rows of another tab in one cell, with any separator but a comma (DB-05); a tuple of texts."""
    return _field(header, Kind.REFERENCES, id=id, to=to, default=(), **more)


def numbers(header: str, *, id: str, count: int, default: tuple[float, ...], **more: Any) -> Any:
    """So many numbers in one cell; a tuple."""
    return _field(header, Kind.NUMBERS, id=id, count=count, default=default, **more)


def yes_no(header: str, *, id: str, default: bool = False, **more: Any) -> Any:
    """A checkbox or the words yes and no."""
    return _field(header, Kind.YES_NO, id=id, default=default, **more)


def time_of_day(header: str, *, id: str, **more: Any) -> Any:
    """A clock time, kept as the text `HH:MM`; None when blank."""
    return _field(header, Kind.TIME, id=id, **more)


def result(header: str, *, id: str, place: Place = Place.RESULT, kind: Kind = Kind.TEXT, **more: Any) -> Any:
    """A column that the program writes; records read from people never use its value."""
    return _field(header, kind, id=id, place=place, **more)


def _field(header: str, kind: Kind, **more: Any) -> Any:
    declared = Field(header=header, kind=kind, **more)
    return dataclasses.field(default=declared.default, metadata={"field": declared})


def columns(record: type[Any]) -> tuple[tuple[str, Field], ...]:
    """Attribute and column of every declared field, in the order a new workbook has them."""
    hashable: type = record  # mypy takes type[Any] for the class's own instances
    return _columns(hashable)


@functools.cache
def _columns(record: type) -> tuple[tuple[str, Field], ...]:
    declared = [(it.name, it.metadata["field"]) for it in dataclasses.fields(record) if "field" in it.metadata]
    return tuple(sorted(declared, key=lambda pair: pair[1].place.value))


def column(record: type[Any], attribute: str) -> Field:
    """The column of one attribute."""
    return dict(columns(record))[attribute]


def tab_of(record: type[Any]) -> Tab:
    """The tab a record class declares."""
    declared: Tab = record.tab
    return declared
