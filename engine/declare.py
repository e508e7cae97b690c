"""Declarations of table files: a record class declares a file, and each of its fields an entry.

The reader below and the JSON Schemas that editors use (`schema --editor` writes them) come from these declarations::

    @table("motive", "Motive")
    class Motives:
        '''Points for what the army is told it fights for (SC-05).'''

        motives: Mapping[str, Motive] = entry(ListOf(Motive, key="motive"), "The strongest first.", "SC-05")

An annotation says what Python makes of a value: Fraction and Decimal are exact, and `bool` reads yes and no.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, TypeVar, cast, dataclass_transform, get_args, get_origin, get_type_hints

from engine import decimals, exact
from engine.columns import Field, Kind, ValueList, columns, tab_of
from engine.config_value import REMARKS, Slips, TableError, at, quote, slip, suggestion

Known = Mapping[str, Collection[str]] | None
"""The allowed names by the description of them in a message (`a letter of SC-04`); None where a file is read without
those that its names come from, and each name is allowed."""
Schema = dict[str, Any]
Record = TypeVar("Record")

MOST = 1_000_000
"""No number of a table without a bound of its own is greater."""


class Shape(ABC):
    """Type of the values that are allowed in one place of a table."""

    @abstractmethod
    def schema(self) -> Schema:
        """Return the JSON Schema of the allowed values."""

    @abstractmethod
    def read(self, value: Any, known: Known) -> Any:
        """Convert a value of a file to the value that the rules use.

        Raises:
            TableError: It is not allowed; the error has all slips in it.
        """


@dataclass(frozen=True)
class Number(Shape):
    """A whole or any number from `low` to `high`, or greater than `above`.

    Instead, one of some `words` is allowed; the word `none` and, where allowed, JSON's null are read as None.
    """

    low: float | None = None
    high: float | None = None
    above: float | None = None
    whole: bool = False
    words: tuple[str, ...] = ()
    none: str = ""
    null: bool = False

    def schema(self) -> Schema:
        kind = "integer" if self.whole else "number"
        number = {"type": [kind, "null"] if self.null else kind}
        number |= _given(minimum=self.low, exclusiveMinimum=self.above, maximum=self.high)
        return {"anyOf": [{"enum": self._words}, number]} if self._words else number

    def read(self, value: Any, known: Known) -> Any:
        if type(value) is int or type(value) is float:
            if self.whole and value != int(value):
                raise slip(not_allowed(value, KINDS["integer"]))
            if (
                (self.low is not None and value < self.low)
                or (self.high is not None and value > self.high)
                or (self.above is not None and value <= self.above)
            ):
                raise slip(not_allowed(value, bounds(self.low, self.above, self.high)))
            return int(value) if self.whole else value
        if (value is None and self.null) or (self.none and value == self.none):
            return None
        if isinstance(value, str) and self._words:
            return Choice(tuple(self._words)).read(value, known)
        kind = KINDS["integer" if self.whole else "number"]
        raise slip(not_allowed(value, f"{kind} or null" if self.null else kind))

    @property
    def _words(self) -> list[str]:
        return [*self.words, self.none] if self.none else [*self.words]


@dataclass(frozen=True)
class Text(Shape):
    """A text that is not empty; `among` says what it must be the name of: `a level of SC-02`."""

    pattern: str | None = None
    longest: int | None = None
    among: str = ""

    def schema(self) -> Schema:
        return {"type": "string", "minLength": 1, **_given(maxLength=self.longest, pattern=self.pattern)}

    def read(self, value: Any, known: Known) -> str:
        if not isinstance(value, str):
            raise slip(not_allowed(value, KINDS["string"]))
        if self.among and known is not None:
            is_one(value, known[self.among], self.among)
        if not value:
            raise slip(f"{quote(value)} is empty; a value is required here.")
        if self.longest and len(value) > self.longest:
            raise slip(f"{quote(value)} has {len(value)} characters. Use at most {self.longest}.")
        if self.pattern and not re.search(self.pattern, value):
            raise slip(f"{quote(value)} is not written as it must be: {self.pattern}.")
        return value


@dataclass(frozen=True)
class Choice(Shape):
    """One of a few words or numbers, or `true` alone."""

    words: tuple[str | int | bool, ...]

    def schema(self) -> Schema:
        return {"const": True} if self.words == (True,) else {"enum": [*self.words]}

    def read(self, value: Any, known: Known) -> Any:
        if value not in self.words or isinstance(value, bool) != isinstance(self.words[0], bool):
            raise slip(f"{quote(value)} is not allowed. {suggestion(str(value), [str(word) for word in self.words])}")
        return value


@dataclass(frozen=True)
class ListOf(Shape):
    """A list, read as a tuple; with the `key` where each row has a name of its own, as name to row.

    `about` says what one entry is, where that needs words; a value may occur twice only where it `repeats`.
    """

    item: Shape | type
    least: int = 0
    most: int | None = None
    key: str = ""
    about: str = ""
    repeats: bool = False

    def schema(self) -> Schema:
        limits = _given(minItems=self.least or None, maxItems=self.most, uniqueItems=None if self.repeats else True)
        return {"type": "array", "items": _explained(_shape(self.item).schema(), self.about), **limits}

    def read(self, value: Any, known: Known) -> Any:
        if not isinstance(value, list):
            raise slip(not_allowed(value, KINDS["array"]))
        shape, slips, values, names = _shape(self.item), Slips(), [], {}
        if len(value) < self.least or (self.most is not None and len(value) > self.most):
            slips.add(slip(f"{len(value)} entries are not allowed. Use {counts(self.least, self.most)}."))
        for position, element in enumerate(value):
            with slips.at(position):
                values.append(shape.read(element, known))
                if self.key:
                    if element[self.key] in names:
                        raise slip(f"{quote(element[self.key])} is there twice.", self.key)
                    names[element[self.key]] = values[-1]
        if not (self.key or self.repeats) and any(
            element in value[:position] for position, element in enumerate(value)
        ):
            slips.add(slip(f"a value is there twice in {quote(value)}."))
        slips.end()
        return names if self.key else tuple(values)


@dataclass(frozen=True)
class MapOf(Shape):
    """Any names, each with a value; `among` says what a name must be: `a value of Climate`. `least` is None or 1."""

    item: Shape | type
    least: int | None = None
    among: str = ""
    about: str = ""

    def schema(self) -> Schema:
        item = _explained(_shape(self.item).schema(), self.about)
        return {"type": "object", "additionalProperties": item, **_given(minProperties=self.least)}

    def read(self, value: Any, known: Known) -> dict[str, Any]:
        if not _object(value) and self.least:
            raise slip(f"{quote(value)} is empty; a value is required here.")
        shape, slips, values = _shape(self.item), Slips(), {}
        for name, inner in value.items():
            with slips.at(name):
                if self.among and known is not None:
                    is_one(name, known[self.among], self.among)
                values[name] = shape.read(inner, known)
        slips.end()
        return values


@dataclass(frozen=True)
class Entry(Shape):
    """A place with what it is for, the record's attribute (blank: as in the file), and what Python `makes` of it."""

    shape: Shape
    about: str
    attribute: str = ""
    required: bool = True
    makes: Callable[[Any], Any] | None = None

    def schema(self) -> Schema:
        return _explained(self.shape.schema(), self.about)

    def read(self, value: Any, known: Known) -> Any:
        content = self.shape.read(value, known)
        return self.makes(content) if self.makes and not isinstance(content, str | None) else content


@dataclass(frozen=True)
class FixedKeys(Shape):
    """Certain names and no others, in the file's order; the numbers under a rule lie flat beside the other entries."""

    entries: Mapping[str, Entry | FixedKeys]

    def schema(self) -> Schema:
        inner = {name: _explained(shape.schema(), "" if isinstance(shape, Entry) else f"{NUMBERS_OF}{name}.")
                 for name, shape in self.entries.items()}  # fmt: skip
        required = [name for name, shape in self.entries.items() if isinstance(shape, FixedKeys) or shape.required]
        return {"type": "object", "additionalProperties": False, "required": required, "properties": inner}

    def read(self, value: Any, known: Known) -> dict[str, Any]:
        slips, values = Slips(), dict[str, Any]()
        for name, inner in _object(value).items():
            with slips.at(name):
                shape = self.entries.get(name)
                if shape is None:
                    raise slip(f"{quote(name)} is not allowed here. {suggestion(name, self.entries)}")
                content = shape.read(inner, known)
                values |= {shape.attribute or name: content} if isinstance(shape, Entry) else content
        for name, shape in self.entries.items():
            if name not in value and (isinstance(shape, FixedKeys) or shape.required):
                slips.add(slip(f"{quote(name)} is missing."))
        slips.end()
        return values


NUMBERS_OF = "Numbers of "
"""Beginning of the description of a rule's numbers; the JSON Schemas add the rule's text."""


@dataclass(frozen=True)
class RecordOf(Shape):
    """Type of a record class made by `record`; its `__post_init__` checks conditions between entries.

    Or of a named tuple, which compiled code takes: each field is annotated with its type, shape and meaning.
    """

    record: type

    def schema(self) -> Schema:
        return _explained(_body(self.record)[1].schema(), (self.record.__doc__ or "").partition("\n")[0])

    def read(self, value: Any, known: Known) -> Any:
        only, shape = _body(self.record)
        values = shape.read(value, known)
        try:
            return self.record(**({only: values} if only else values))
        except TableError as error:
            for one in error.slips:
                one.contradicts = True
            raise


@dataclass(frozen=True)
class RowOf(Shape):
    """A row of a tab, by column headers: the built-in entries of what a workbook has in a tab too."""

    record: type  # The tab's record class; columns not named take their default
    # Headers whose values are not in the file and are taken as they are.
    given: Mapping[str, Any] = field(default_factory=dict)
    ignore: str = ""  # A header that only people read
    most: float = float("inf")  # No number is greater
    text: Shape = Text()  # The shape of a text
    # Tab that a reference names a row of, to what its name must be: `a unit`.
    names: Mapping[str, str] = field(default_factory=dict)

    def schema(self) -> Schema:
        by_header = {column.header: column for _, column in columns(self.record) if column.header not in self.given}
        required = [header for header, column in by_header.items() if column.required]
        inner = {header: _explained(self._of(column).schema(), column.note) for header, column in by_header.items()}
        if self.ignore:
            inner[self.ignore] = _explained(Text().schema(), "For people; no rule reads it.")
        return {"type": "object", "additionalProperties": False, "required": required, "properties": inner}

    def read(self, value: Any, known: Known) -> Any:
        declared = self._declared
        values = {declared[header][0]: given for header, given in self.given.items()}
        slips = Slips()
        for header, cell in _object(value).items():
            with slips.at(header):
                if header == self.ignore:
                    Text().read(cell, known)
                    continue
                is_one(header, declared, f"a column of {tab_of(self.record).name}")
                attribute, _, shape = declared[header]
                values[attribute] = shape.read(cell, known)
        for attribute, column, _ in declared.values():
            if column.required and attribute not in values and column.header not in value:
                slips.add(slip(f"{quote(column.header)} is missing."))
        slips.end()
        return self.record(**values)

    @functools.cached_property
    def _declared(self) -> Mapping[str, tuple[str, Field, Shape]]:
        """Return the attribute, the column and the shape of the cells of each header, once for all rows."""
        return {column.header: (attribute, column, self._of(column)) for attribute, column in columns(self.record)}

    def _of(self, column: Field) -> Shape:
        high = None if column.high is None else min(column.high, self.most)
        match column.kind:
            case Kind.NUMBER | Kind.WHOLE:
                return Number(column.low, high, whole=column.kind is Kind.WHOLE)
            case Kind.NUMBERS:
                return ListOf(Number(column.low, high), column.count, column.count, repeats=True)
            case Kind.CHOICE:
                return Text(among=f"a value of {column.choices}")
            case _:
                return Text(among=self.names[column.to]) if column.to in self.names else self.text


@dataclass(frozen=True)
class Words(Shape):
    """A list of words with their meanings, read as a value list; with `words` those, no more and no less."""

    name: str
    words: tuple[str, ...] = ()

    @functools.cached_property
    def _rows(self) -> ListOf:
        value = Entry(Choice(self.words) if self.words else NAME, "As the column spells it.")
        row = FixedKeys({"value": value, "meaning": Entry(NAME, "One sentence for people who fill in the sheet.")})
        return ListOf(row, len(self.words) or 1, len(self.words) or None, "value")

    def schema(self) -> Schema:
        return self._rows.schema()

    def read(self, value: Any, known: Known) -> ValueList:
        meanings = {word: row["meaning"] for word, row in self._rows.read(value, known).items()}
        return ValueList(self.name, tuple(meanings), meanings)


NAME = Text(r"^\S(.*\S)?$", 200)
"""A name or sentence without blanks around it."""
YES_NO = Choice(("yes", "no"))


class TableFile(NamedTuple):
    """Data about a table file, which `table` attaches to a class."""

    file: str
    title: str
    definitions: Mapping[str, Schema]


def entry(shape: Shape | type, about: str, name: str = "", *, default: Any = dataclasses.MISSING) -> Any:
    """Declare a field of a record: its allowed values, its meaning, and its name in the file.

    The name may be left out where it is the attribute's, and is `*` where the field is all that the file holds. Where
    the file groups numbers by rule, the rule and a slash come before it. What has no default is required.
    """
    return field(default=default, metadata={"entry": (shape, about, name)})


def words(name: str, about: str, *allowed: str) -> Any:
    """Declare a field with a value list: its name, its meaning, and the words that the rules know, if not any."""
    return entry(Words(name, allowed), about)


def described(shape: Shape, abouts: Mapping[str, str]) -> FixedKeys:
    """Return the description of names that all have the same shape, each with its meaning."""
    return FixedKeys({name: Entry(shape, about) for name, about in abouts.items()})


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(entry, words, field))
def record(cls: type[Record]) -> type[Record]:
    """Make a class whose fields are entries a record."""
    return dataclass(frozen=True, slots=True, kw_only=True)(cls)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(entry, words, field))
def table(
    file: str, title: str, definitions: Mapping[str, Schema] = MappingProxyType({})
) -> Callable[[type[Record]], type[Record]]:
    """Make a class the record of a table file; `definitions` are what its schema names and uses again."""

    def made(cls: type[Record]) -> type[Record]:
        declared: Any = record(cls)
        declared.table = TableFile(file, title, definitions)
        return declared  # type: ignore[no-any-return]

    return made


def read_table(cls: type[Record], raw: Mapping[str, Any], known: Known = MappingProxyType({})) -> Record:
    """Return the record of a table file.

    Raises:
        TableError: The file is missing, or something in it is not allowed; the error has all slips in it.
    """
    name = table_of(cls).file
    with at(file=f"{name}.json"):
        if name not in raw:
            raise slip("the file is missing.")
        content, slips = dict(_object(raw[name])), Slips()
        for remark in REMARKS:
            if not isinstance(content.pop(remark, ""), str):
                with slips.at(remark):
                    raise slip(not_allowed(raw[name][remark], KINDS["string"]))
        with slips.at():
            content_record = RecordOf(cls).read(content, known)
        slips.end()
        return cast(Record, content_record)


def slips_of(cls: type, raw: Mapping[str, Any], *, by_itself: bool = False) -> tuple[TableError, ...]:
    """Return all slips of a table file that can be seen without the other files, in the order of their places.

    Args:
        by_itself: True for the slips of single values only, without contradictions between them.
    """
    try:
        read_table(cls, raw, None)
    except TableError as error:
        slips = [slip for slip in error.slips if not (by_itself and slip.contradicts)]
        return tuple(sorted(slips, key=lambda slip: [str(step) for step in slip.path]))
    return ()


def settable_words(cls: type) -> dict[str, tuple[str, ...]]:
    """Return the places of a table file in which a setting may replace a word (SET-03), and the words allowed there."""
    return dict(_word_places(table_of(cls).file, _body(cls)[1]))


def _word_places(path: str, shape: Shape) -> Iterator[tuple[str, tuple[str, ...]]]:
    match shape:
        case FixedKeys():
            for name, part in shape.entries.items():
                yield from _word_places(f"{path}/{name}", part.shape if isinstance(part, Entry) else part)
        case Choice():
            yield path, cast(tuple[str, ...], shape.words)
        case Number(none=str(word)) if word:
            yield path, (word,)


def schema_of(cls: type) -> Schema:
    """Return the JSON Schema of a table file."""
    declared, schema = table_of(cls), _body(cls)[1].schema()
    remarks: Schema = {name: {"type": "string", "description": about} for name, about in REMARKS.items()}
    schema["properties"] = remarks | schema.get("properties", {})
    schema["description"] = " ".join((cls.__doc__ or "").split())
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": declared.title}
    return head | schema | ({"$defs": dict(declared.definitions)} if declared.definitions else {})


def table_of(cls: type[Any]) -> TableFile:
    """Return the table file that a record class declares."""
    return cast(TableFile, cls.table)


def value_lists(lists: object) -> dict[str, ValueList]:
    """Return the value lists of a record by name; all its fields are value lists."""
    return {
        value_list.name: value_list
        for value_list in (getattr(lists, field.name) for field in dataclasses.fields(cast(Any, lists)))
    }


def known_values(lists: Mapping[str, ValueList]) -> dict[str, Collection[str]]:
    """Return the allowed names of choice columns: `a value of Unit type` to the values."""
    return {f"a value of {name}": value_list.values for name, value_list in lists.items()}


def is_one(name: str, allowed: Collection[str], what: str) -> None:
    """Refuse a name that is none of those allowed; the message names the nearest."""
    if name not in allowed:
        raise slip(f"{quote(name)} is not {what}. {suggestion(name, allowed)}")


def are_of(names: Sequence[str], allowed: Collection[str], what: str) -> None:
    """Refuse a list with a name that is none of those allowed."""
    slips = Slips()
    for position, name in enumerate(names):
        with slips.at(position):
            is_one(name, allowed, what)
    slips.end()


KINDS = {
    "object": "names with values in braces",
    "array": "a list in brackets",
    "string": 'a text in "quotes"',
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}
"""JSON's kinds of values, as messages call them."""


def not_allowed(value: object, allowed: str) -> str:
    """Return the sentence about a value that is not allowed."""
    return f"{quote(value)} is not allowed. Use {allowed}."


def bounds(low: float | None, above: float | None, high: float | None) -> str:
    """Return the range as text: `a number from 0 to 5`."""
    least = f"above {above:,}" if above is not None else f"{low:,} or more" if low is not None else ""
    if high is None:
        return f"a number {least}"
    if not least:
        return f"a number up to {high:,}"
    return f"a number above {above:,} and up to {high:,}" if above is not None else f"a number from {low:,} to {high:,}"


def counts(least: int | None, most: int | None) -> str:
    """Return the number of entries as text: `exactly 3`."""
    if least == most:
        return f"exactly {least}"
    return f"at least {least}" if most is None else f"{least or 0} to {most}"


def _shape(shape_or_class: Shape | type) -> Shape:
    return shape_or_class if isinstance(shape_or_class, Shape) else RecordOf(shape_or_class)


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise slip(not_allowed(value, KINDS["object"]))
    return value


def _explained(schema: Schema, about: str) -> Schema:
    return schema | {"description": about} if about else schema


def _given(**keywords: Any) -> Schema:
    return {name: value for name, value in keywords.items() if value is not None}


MAKES: Mapping[str, Callable[[Any], Any]] = {"Fraction": exact.exact, "Decimal": decimals.exact, "frozenset": frozenset}
"""Conversion of a value, by the first word of the annotation."""


@functools.cache
def _body(cls: type) -> tuple[str, Shape]:
    """Return the entries of a record class by rule, or the name and shape of its only field."""
    if not dataclasses.is_dataclass(cls):
        return "", _named_tuple(cls)
    entries: dict[str, Any] = {}
    for declared in dataclasses.fields(cls):
        if "entry" in declared.metadata:
            shape, about, path = declared.metadata["entry"]
            under, _, name = path.rpartition("/")
            if name == "*":
                return declared.name, _shape(shape)
            kind = re.split(r"\W", str(declared.type))[0]
            shape = YesNo(shape.words) if kind == "bool" else _shape(shape)
            content = Entry(shape, about, declared.name, declared.default is dataclasses.MISSING, MAKES.get(kind))
            (entries.setdefault(under, FixedKeys({})).entries if under else entries)[name or declared.name] = content
    return "", FixedKeys(entries)


def _named_tuple(cls: type) -> FixedKeys:
    """Return the entries of a named tuple: numbers with shape and meaning in their annotations, or such tuples.

    Another tuple has the numbers of a rule: `stab_04` those of STAB-04.
    """
    entries: dict[str, Entry | FixedKeys] = {}
    for name, kind in get_type_hints(cls, include_extras=True).items():
        if get_origin(kind) is Annotated:
            (makes, shape, about) = get_args(kind)
            entries[name] = Entry(shape, about, name, makes=makes)
        else:
            rule = name.upper().replace("_", "-")
            entries[rule] = Entry(RecordOf(kind), f"{NUMBERS_OF}{rule}.", name)
    return FixedKeys(entries)


@dataclass(frozen=True)
class YesNo(Choice):
    """Yes or no, read as true or false."""

    def read(self, value: Any, known: Known) -> bool:
        return bool(super().read(value, known) == "yes")
