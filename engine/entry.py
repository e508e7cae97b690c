"""Reading a table file with its places, so that a slip in it is reported like a cell: file, path, found, allowed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, TypeVar

from engine.fields import Field, Kind, ValueList, columns, tab_of
from engine.words import nearest

Record = TypeVar("Record")
Value = TypeVar("Value")


class Slip(ValueError):
    """Something in a table file is not as it must be.

    Args:
        file: `variables.json`.
        path: Keys and list positions that lead to the place.
        what: The sentence after the place: what was found and what is allowed.
    """

    def __init__(self, file: str, path: tuple[str | int, ...], what: str) -> None:
        self.file = file
        self.path = path
        self.what = what
        super().__init__(f"{place(file, path)}: {what}")


@dataclass(frozen=True, slots=True)
class Entry:
    """A value in a table file and its place there.

    Args:
        file: File name, as in a message.
        value: What JSON holds there.
        path: Keys and list positions that lead there.
    """

    file: str
    value: Any
    path: tuple[str | int, ...] = ()

    def __getitem__(self, key: str) -> Entry:
        """The entry under a key.

        Raises:
            Slip: There is none.
        """
        fields = self._fields()
        if key not in fields:
            raise self.slip(f"{shown(key)} is missing.")
        return Entry(self.file, fields[key], (*self.path, key))

    def items(self) -> Iterator[tuple[str, Entry]]:
        """Each key with its entry, in the file's order; words about the file (`$schema`, `about`) are left out."""
        for key, value in self._fields().items():
            if key not in REMARKS:
                yield key, Entry(self.file, value, (*self.path, key))

    def each(self) -> Iterator[Entry]:
        """The entries of a list."""
        if not isinstance(self.value, list):
            raise self.slip(f"{shown(self.value)} is not a list.")
        for position, value in enumerate(self.value):
            yield Entry(self.file, value, (*self.path, position))

    def number(self) -> float:
        """The number here."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            raise self.slip(f"{shown(self.value)} is not a number.")
        return self.value

    def whole(self) -> int:
        """The whole number here."""
        value = self.number()
        if value != int(value):
            raise self.slip(f"{shown(self.value)} is not a whole number.")
        return int(value)

    def text(self) -> str:
        """The text here."""
        if not isinstance(self.value, str):
            raise self.slip(f"{shown(self.value)} is not a text.")
        return self.value

    def one_of(self, allowed: Collection[str], what: str) -> str:
        """The text here, one of those allowed; `what` names what it must be: `a term`."""
        found = self.text()
        self.known(found, allowed, what)
        return found

    def known(self, found: str, allowed: Collection[str], what: str) -> None:
        """Nothing, if a key or text of this entry is one of those allowed.

        Raises:
            Slip: It is not; the message names the nearest.
        """
        if found not in allowed:
            raise self.slip(f"{shown(found)} is not {what}. {suggestion(found, allowed)}")

    def slip(self, what: str) -> Slip:
        """The error that points here."""
        return Slip(self.file, self.path, what)

    def _fields(self) -> dict[str, Any]:
        if not isinstance(self.value, dict):
            raise self.slip(f"{shown(self.value)} is not an object with names.")
        return self.value


REMARKS = ("$schema", "about")
"""Keys of a table file that no rule reads."""


def place(file: str, path: tuple[str | int, ...]) -> str:
    """`variables.json#/VAR-DEF/major/1`: a file and, as a JSON pointer, a place in it."""
    return file + ("#" + "".join(f"/{part}" for part in path) if path else "")


def shown(value: object) -> str:
    """A value as its file spells it, cut where it is long."""
    words = _spelled(value)
    return words if len(words) <= 60 else words[:57] + "..."


def suggestion(found: str, allowed: Collection[str]) -> str:
    """`Did you mean "fortifications"?`, or what is allowed when nothing is near."""
    near = nearest(found, allowed)
    if near:
        return f"Did you mean {shown(near)}?"
    if not allowed:
        return "Nothing is allowed here."
    *most, last = (shown(word) for word in allowed)
    return f"Use {', '.join(most)} or {last}." if most else f"Use {last}."


def _spelled(value: object) -> str:
    """JSON, without its module: the rules open no files."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{value}"'
        case list():
            return f"[{', '.join(_spelled(it) for it in value)}]"
        case dict():
            return "{" + ", ".join(f'"{name}": {_spelled(it)}' for name, it in value.items()) + "}"
        case _:
            return str(value)


def record_of(
    record: type[Record],
    entry: Entry,
    lists: Mapping[str, ValueList],
    *,
    given: Mapping[str, Any] = MappingProxyType({}),
    ignore: Collection[str] = (),
) -> Record:
    """A record from column headers and values, checked like the rows of its tab; columns not named take their default.

    Args:
        record: Its class.
        entry: Header to value.
        lists: The allowed values of choices, by name.
        given: Headers whose values do not stand in the file and are taken as they are.
        ignore: Headers that no rule reads.

    Raises:
        Slip: A header or value is not allowed, or a required one is missing.
    """
    declared = {it.header: (attribute, it) for attribute, it in columns(record)}
    values = {declared[header][0]: value for header, value in given.items()}
    for header, it in entry.items():
        if header in ignore:
            continue
        it.known(header, declared, f"a column of {tab_of(record).name}")
        attribute, column = declared[header]
        values[attribute] = _cell(it, column, lists)
    for attribute, column in declared.values():
        if column.required and attribute not in values:
            raise entry.slip(f"{shown(column.header)} is missing.")
    return record(**values)


def named(rows: Entry, key: str, read: Callable[[Entry], Value]) -> dict[str, Value]:
    """Name to what a row says, in the file's order.

    Args:
        rows: A list of rows.
        key: Where a row has its name.
        read: Reads one row.

    Raises:
        Slip: A name stands there twice.
    """
    found: dict[str, Value] = {}
    for row in rows.each():
        name = row[key].text()
        if name in found:
            raise row[key].slip(f"{shown(name)} stands there twice.")
        found[name] = read(row)
    return found


def meanings(
    name: str, rows: Entry, key: str = "value", aliases: Mapping[str, str] = MappingProxyType({})
) -> ValueList:
    """A value list whose rows say what each word means.

    Raises:
        Slip: A word stands there twice.
    """
    found = named(rows, key, lambda row: row["meaning"].text())
    return ValueList(name, tuple(found), found, dict(aliases))


def constants_of(record: type[Record], groups: Entry, read: Callable[[str, Entry], Any]) -> Record:
    """A record of single values, whatever rule each stands under in the file.

    Args:
        record: Its dataclass.
        groups: Rule id to names and values.
        read: Reads the value of one name.

    Raises:
        Slip: One is missing, unknown or not allowed.
    """
    declared: type = record
    names = tuple(field.name for field in fields(declared))
    values: dict[str, Any] = {}
    for _, group in groups.items():
        for name, it in group.items():
            it.known(name, names, "a number of these rules")
            values[name] = read(name, it)
    for name in names:
        if name not in values:
            raise groups.slip(f"{shown(name)} is missing.")
    return record(**values)


def _cell(it: Entry, column: Field, lists: Mapping[str, ValueList]) -> Any:
    match column.kind:
        case Kind.NUMBER:
            return _within(it, column, it.number())
        case Kind.WHOLE:
            return int(_within(it, column, it.whole()))
        case Kind.NUMBERS:
            numbers = tuple(_within(part, column, part.number()) for part in it.each())
            if len(numbers) != column.count:
                raise it.slip(f"{len(numbers)} numbers, where {column.header} has {column.count}.")
            return numbers
        case Kind.CHOICE:
            return it.one_of(lists[column.choices].values, f"a value of {column.choices}")
        case _:
            return it.text()


def _within(it: Entry, column: Field, value: float) -> float:
    if (column.low is not None and value < column.low) or (column.high is not None and value > column.high):
        raise it.slip(f"{shown(it.value)} is not allowed. Use a number from {column.low:,} to {column.high:,}.")
    return value
