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
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, cast, dataclass_transform

from engine.columns import ValueList
from engine.config_value import KINDS, REMARKS, TableError, TableErrors, as_object, at, not_allowed, table_error
from engine.row_shapes import Words
from engine.shapes import Choice, Entry, FixedKeys, Known, Number, RecordOf, Schema, Shape, body_of

Record = TypeVar("Record")


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
    """Declare a field with a value list: its name, its meaning, and the allowed words, if not any."""
    return entry(Words(name, allowed), about)


def described(shape: Shape, abouts: Mapping[str, str]) -> FixedKeys:
    """Return the description of names of the same shape, each with its meaning."""
    return FixedKeys({name: Entry(shape, about) for name, about in abouts.items()})


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(entry, words, field))
def record(cls: type[Record]) -> type[Record]:
    """Decorate a class whose fields are entries of a record."""
    return dataclass(frozen=True, slots=True, kw_only=True)(cls)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(entry, words, field))
def table(
    file: str, title: str, definitions: Mapping[str, Schema] = MappingProxyType({})
) -> Callable[[type[Record]], type[Record]]:
    """Decorate a class as the record of a table file; `definitions` are shared parts of its schema."""

    def made(cls: type[Record]) -> type[Record]:
        declared: Any = record(cls)
        declared.table = TableFile(file, title, definitions)
        return declared  # type: ignore[no-any-return]

    return made


def read_table(cls: type[Record], raw: Mapping[str, Any], known: Known = MappingProxyType({})) -> Record:
    """Return the record of a table file.

    Raises:
        TableError: The file is missing or has mistakes, all of which are in the error.
    """
    name = table_of(cls).file
    with at(file=f"{name}.json"):
        if name not in raw:
            raise table_error("the file is missing.")
        content, errors = dict(as_object(raw[name])), TableErrors()
        for remark in REMARKS:
            if not isinstance(content.pop(remark, ""), str):
                with errors.at(remark):
                    raise table_error(not_allowed(raw[name][remark], KINDS["string"]))
        with errors.at():
            content_record = RecordOf(cls).read(content, known)
        errors.end()
        return cast(Record, content_record)


def table_errors(cls: type, raw: Mapping[str, Any], *, by_itself: bool = False) -> tuple[TableError, ...]:
    """Return the errors of a table file that are visible without the other files, in the order of their places.

    Args:
        by_itself: True for errors of single values only, without contradictions between values.
    """
    try:
        read_table(cls, raw, None)
    except TableError as error:
        errors = [each for each in error.errors if not (by_itself and each.contradicts)]
        return tuple(sorted(errors, key=lambda each: [str(step) for step in each.path]))
    return ()


def settable_words(cls: type) -> dict[str, tuple[str, ...]]:
    """Return the paths of a table file whose words a setting may replace (SET-03), with the allowed words."""
    return dict(_word_places(table_of(cls).file, body_of(cls)[1]))


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
    declared, schema = table_of(cls), body_of(cls)[1].schema()
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
    """Return the allowed names of choice columns: from `a value of Unit type` to the values."""
    return {f"a value of {name}": value_list.values for name, value_list in lists.items()}
