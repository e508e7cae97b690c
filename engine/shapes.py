"""Shapes of the values in table files: each reads a value, and describes the allowed ones as JSON Schema."""

from __future__ import annotations

import dataclasses
import functools
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from engine import decimals, exact
from engine.config_value import (
    KINDS,
    TableError,
    TableErrors,
    as_object,
    bounds,
    counts,
    is_one,
    not_allowed,
    quote,
    suggestion,
    table_error,
)
from engine.suggest import misspelt, nearest

Known = Mapping[str, Collection[str]] | None
"""The allowed names by the description of them in a message (`a letter of SC-04`); None where a file is read without
those that its names come from, and each name is allowed."""
Schema = dict[str, Any]
MOST = 1_000_000
"""Upper bound of numbers in tables without a bound of their own."""


class Shape(ABC):
    """Type of the allowed values in one place of a table."""

    @abstractmethod
    def schema(self) -> Schema:
        """Return the JSON Schema of the allowed values."""

    @abstractmethod
    def read(self, value: Any, known: Known) -> Any:
        """Convert a value of a file to the value that the rules use.

        Raises:
            TableError: The value is not allowed; the error has all its mistakes.
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
                raise table_error(not_allowed(value, KINDS["integer"]))
            if (
                (self.low is not None and value < self.low)
                or (self.high is not None and value > self.high)
                or (self.above is not None and value <= self.above)
            ):
                raise table_error(not_allowed(value, bounds(self.low, self.above, self.high)))
            return int(value) if self.whole else value
        if (value is None and self.null) or (self.none and value == self.none):
            return None
        if isinstance(value, str) and self._words:
            return Choice(tuple(self._words)).read(value, known)
        kind = KINDS["integer" if self.whole else "number"]
        raise table_error(not_allowed(value, f"{kind} or null" if self.null else kind))

    @property
    def _words(self) -> list[str]:
        return [*self.words, self.none] if self.none else [*self.words]


@dataclass(frozen=True)
class Text(Shape):
    """A non-empty text; `among` says of which set it must be a member: `a level of SC-02`."""

    pattern: str | None = None
    longest: int | None = None
    among: str = ""

    def schema(self) -> Schema:
        return {"type": "string", "minLength": 1, **_given(maxLength=self.longest, pattern=self.pattern)}

    def read(self, value: Any, known: Known) -> str:
        if not isinstance(value, str):
            raise table_error(not_allowed(value, KINDS["string"]))
        if self.among and known is not None:
            is_one(value, known[self.among], self.among)
        if not value:
            raise table_error(f"{quote(value)} is empty; a value is required here.")
        if self.longest and len(value) > self.longest:
            raise table_error(f"{quote(value)} has {len(value)} characters. Use at most {self.longest}.")
        if self.pattern and not re.search(self.pattern, value):
            raise table_error(f"{quote(value)} is not written as it must be: {self.pattern}.")
        return value


@dataclass(frozen=True)
class Choice(Shape):
    """One of a few words or numbers, or `true` alone."""

    words: tuple[str | int | bool, ...]

    def schema(self) -> Schema:
        return {"const": True} if self.words == (True,) else {"enum": [*self.words]}

    def read(self, value: Any, known: Known) -> Any:
        if value not in self.words or isinstance(value, bool) != isinstance(self.words[0], bool):
            raise table_error(
                f"{quote(value)} is not allowed. {suggestion(str(value), [str(word) for word in self.words])}"
            )
        return value


@dataclass(frozen=True)
class YesNo(Choice):
    """Yes or no, read as true or false."""

    def read(self, value: Any, known: Known) -> bool:
        return bool(super().read(value, known) == "yes")


@dataclass(frozen=True)
class ListOf(Shape):
    """A list, read as a tuple; with `key`, whose value names each row, as name to row.

    `about` describes one entry, if needed; a value may occur twice only with `repeats`.
    """

    item: Shape | type
    least: int = 0
    most: int | None = None
    key: str = ""
    about: str = ""
    repeats: bool = False

    def schema(self) -> Schema:
        limits = _given(minItems=self.least or None, maxItems=self.most, uniqueItems=None if self.repeats else True)
        return {"type": "array", "items": explained(_shape(self.item).schema(), self.about), **limits}

    def read(self, value: Any, known: Known) -> Any:
        if not isinstance(value, list):
            raise table_error(not_allowed(value, KINDS["array"]))
        shape, errors, values, names = _shape(self.item), TableErrors(), [], {}
        if len(value) < self.least or (self.most is not None and len(value) > self.most):
            errors.add(table_error(f"{len(value)} entries are not allowed. Use {counts(self.least, self.most)}."))
        for position, element in enumerate(value):
            with errors.at(position):
                values.append(shape.read(element, known))
                if self.key:
                    if element[self.key] in names:
                        raise table_error(f"{quote(element[self.key])} is there twice.", self.key)
                    names[element[self.key]] = values[-1]
        if not (self.key or self.repeats) and any(
            element in value[:position] for position, element in enumerate(value)
        ):
            errors.add(table_error(f"a value is there twice in {quote(value)}."))
        errors.end()
        return names if self.key else tuple(values)


@dataclass(frozen=True)
class MapOf(Shape):
    """Any names, each with a value; `among` describes the allowed names: `a value of Climate`. `least` is None or 1."""

    item: Shape | type
    least: int | None = None
    among: str = ""
    about: str = ""

    def schema(self) -> Schema:
        item = explained(_shape(self.item).schema(), self.about)
        return {"type": "object", "additionalProperties": item, **_given(minProperties=self.least)}

    def read(self, value: Any, known: Known) -> dict[str, Any]:
        if not as_object(value) and self.least:
            raise table_error(f"{quote(value)} is empty; a value is required here.")
        shape, errors, values = _shape(self.item), TableErrors(), {}
        for name, inner in value.items():
            with errors.at(name):
                if self.among and known is not None:
                    is_one(name, known[self.among], self.among)
                values[name] = shape.read(inner, known)
        errors.end()
        return values


@dataclass(frozen=True)
class Entry(Shape):
    """A place with its purpose, the record's attribute (blank: as in the file), and its conversion to Python."""

    shape: Shape
    about: str
    attribute: str = ""
    required: bool = True
    makes: Callable[[Any], Any] | None = None

    def schema(self) -> Schema:
        return explained(self.shape.schema(), self.about)

    def read(self, value: Any, known: Known) -> Any:
        content = self.shape.read(value, known)
        return self.makes(content) if self.makes and not isinstance(content, str | None) else content


@dataclass(frozen=True)
class FixedKeys(Shape):
    """Fixed names, in the file's order; the numbers under a rule lie flat beside the other entries."""

    entries: Mapping[str, Entry | FixedKeys]

    def schema(self) -> Schema:
        inner = {name: explained(shape.schema(), "" if isinstance(shape, Entry) else f"{NUMBERS_OF}{name}.")
                 for name, shape in self.entries.items()}  # fmt: skip
        required = [name for name, shape in self.entries.items() if isinstance(shape, FixedKeys) or shape.required]
        return {"type": "object", "additionalProperties": False, "required": required, "properties": inner}

    def read(self, value: Any, known: Known) -> dict[str, Any]:
        errors, values = TableErrors(), dict[str, Any]()
        for name, inner in as_object(value).items():
            with errors.at(name):
                shape = self.entries.get(name)
                if shape is None:
                    missing = [entry for entry in self.entries if entry not in value]
                    near = nearest(name, missing) or misspelt(name, self.entries)
                    advice = f"Did you mean {quote(near)}?" if near else "Delete it."
                    raise table_error(f"{quote(name)} is not allowed here. {advice}")
                content = shape.read(inner, known)
                values |= {shape.attribute or name: content} if isinstance(shape, Entry) else content
        for name, shape in self.entries.items():
            if name not in value and (isinstance(shape, FixedKeys) or shape.required):
                errors.add(table_error(f"{quote(name)} is missing."))
        errors.end()
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
        return explained(body_of(self.record)[1].schema(), (self.record.__doc__ or "").partition("\n")[0])

    def read(self, value: Any, known: Known) -> Any:
        only, shape = body_of(self.record)
        values = shape.read(value, known)
        try:
            return self.record(**({only: values} if only else values))
        except TableError as error:
            for one in error.errors:
                one.contradicts = True
            raise


NAME = Text(r"^\S(.*\S)?$", 200)
"""A name or sentence without blanks around it."""
YES_NO = Choice(("yes", "no"))


def _shape(shape_or_class: Shape | type) -> Shape:
    return shape_or_class if isinstance(shape_or_class, Shape) else RecordOf(shape_or_class)


def explained(schema: Schema, about: str) -> Schema:
    """Return a schema with a description, if not blank."""
    return schema | {"description": about} if about else schema


def _given(**keywords: Any) -> Schema:
    return {name: value for name, value in keywords.items() if value is not None}


MAKES: Mapping[str, Callable[[Any], Any]] = {"Fraction": exact.exact, "Decimal": decimals.exact, "frozenset": frozenset}
"""Conversion of a value, by the first word of the annotation."""


@functools.cache
def body_of(cls: type) -> tuple[str, Shape]:
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

    An inner tuple has the numbers of a rule: `stab_04` those of STAB-04.
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
