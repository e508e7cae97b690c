"""JSON as Google's servers read and write it: unknown names refused, zeros and empties left out.

`messages.py` lists what exists. A scalar marked `?` there is written although it is zero; any other zero, false or
empty text is not, and neither is an empty list. A message is written even when nothing is in it.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from localsheets.errors import violations

INT32 = 2**31


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message.

    Attributes:
        kind: "int", "float", "str", "bool", "any", the name of a message, or of an enum.
        is_list: True if the field repeats.
        is_shown: True if a zero is written.
    """

    kind: str
    is_list: bool = False
    is_shown: bool = False


class Schema:
    """Messages and enums, parsed from their listing."""

    def __init__(self, listing: str) -> None:
        self.messages: dict[str, dict[str, Field]] = {}
        self.enums: dict[str, frozenset[str]] = {}
        joined = re.sub(r"\n[ \t]+", " ", listing.strip())
        for line in filter(None, (line.strip() for line in joined.splitlines())):
            name, equals, names = line.partition(" = ")
            if equals:
                self.enums[name] = frozenset(names.split())
                continue
            name, _, fields = line.partition(":")
            self.messages[name] = dict(_field(text) for text in fields.split(",") if text.strip())

    def read(self, kind: str, value: object, path: str = "") -> dict[str, Any]:
        """Return a message from a request's JSON, nulls left out, names in camelCase.

        Raises:
            ApiError: 400 that names every violation.
        """
        problems: list[tuple[str, str]] = []
        found = self._message(kind, value, path, problems)
        if problems:
            raise violations(*problems)
        return found

    def check(self, kind: str, value: object, path: str) -> Any:
        """Return one scalar or enum of a query.

        Raises:
            ApiError: 400 if the value is invalid.
        """
        problems: list[tuple[str, str]] = []
        found = self._one(kind, value, path, problems)
        if problems:
            raise violations(*problems)
        return found

    def write(self, kind: str, value: Mapping[str, Any]) -> dict[str, Any]:
        """Return a message in the form of an answer."""
        fields = self.messages[kind]
        shown: dict[str, Any] = {}
        for name, item in value.items():
            field = fields.get(name)
            if field is None or item is None:
                continue
            if field.is_list:
                if item:
                    shown[name] = [self._written(field.kind, each) for each in item]
            elif field.kind in self.messages or field.is_shown or field.kind == "any" or item:
                shown[name] = self._written(field.kind, item)
        return shown

    def field(self, kind: str, name: str) -> Field | None:
        """Return the field of that name, in either spelling, or None."""
        return self.messages.get(kind, {}).get(camel(name))

    def _written(self, kind: str, item: Any) -> Any:
        return self.write(kind, item) if kind in self.messages else whole(item)

    def _message(self, kind: str, value: object, path: str, problems: list[tuple[str, str]]) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            problems.append((path, f"Invalid value at '{path}' ({_named(kind)}), {_shown(value)}"))
            return {}
        found: dict[str, Any] = {}
        for name, item in value.items():
            field = self.field(kind, name)
            if field is None:
                where = f" at '{path}'" if path else ""
                said = f'Invalid JSON payload received. Unknown name "{name}"{where}: Cannot find field.'
                problems.append((path, said))
            elif item is not None:
                inner = f"{path}.{snake(name)}" if path else snake(name)
                found[camel(name)] = self._item(field, item, inner, problems)
        return found

    def _item(self, field: Field, item: Any, path: str, problems: list[tuple[str, str]]) -> Any:
        if field.kind == "any":
            return item
        if field.is_list:
            if not isinstance(item, list):
                return [self._one(field.kind, item, path, problems)]
            return [self._one(field.kind, each, f"{path}[{number}]", problems) for number, each in enumerate(item)]
        if isinstance(item, list) and field.kind != "list":
            parent, _, name = path.rpartition(".")
            where = f" at '{parent}'" if parent else ""
            said = f'Invalid JSON payload received. Unknown name "{camel(name)}"{where}: '
            problems.append((parent, said + "Proto field is not repeating, cannot start list."))
            return None
        return self._one(field.kind, item, path, problems)

    def _one(self, kind: str, item: Any, path: str, problems: list[tuple[str, str]]) -> Any:
        if kind in self.messages:
            return self._message(kind, item, path, problems)
        names = self.enums.get(kind)
        found = _READERS[kind](item) if names is None else item if item in names else None
        if found is None:
            problems.append((path, f"Invalid value at '{path}' ({_named(kind)}), {_shown(item)}"))
        return found


@functools.cache
def camel(name: str) -> str:
    """Return `start_row_index` as `startRowIndex`."""
    head, *rest = name.split("_")
    return head + "".join(part[:1].upper() + part[1:] for part in rest)


@functools.cache
def snake(name: str) -> str:
    """Return `startRowIndex` as `start_row_index`, the spelling of fields in Google's errors."""
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


def whole(value: Any) -> Any:
    """Return a number without its `.0`, as Google writes it; anything else unchanged."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return int(value)
    return value


def _field(text: str) -> tuple[str, Field]:
    name, kind = text.split()
    is_list = kind.startswith("[")
    return name, Field(kind.strip("[]?"), is_list, kind.endswith("?"))


def _int(item: Any) -> int | None:
    if isinstance(item, str) and re.fullmatch(r"-?\d+", item):
        item = int(item)
    if isinstance(item, bool) or not isinstance(item, int | float) or int(item) != item:
        return None
    return int(item) if -INT32 <= item < INT32 else None


def _float(item: Any) -> float | int | None:
    if isinstance(item, str):
        try:
            return float(item)
        except ValueError:
            return None
    return item if isinstance(item, int | float) and not isinstance(item, bool) else None


_READERS: dict[str, Callable[[Any], Any]] = {
    "int": _int,
    "float": _float,
    "str": lambda item: item if isinstance(item, str) else None,
    "bool": lambda item: item if isinstance(item, bool) else {"true": True, "false": False}.get(str(item)),
    "list": lambda item: item if isinstance(item, list) else None,
}
_SCALARS = {
    "int": "TYPE_INT32",
    "float": "TYPE_DOUBLE",
    "str": "TYPE_STRING",
    "bool": "TYPE_BOOL",
    "list": "type.googleapis.com/google.protobuf.ListValue",
}


def _named(kind: str) -> str:
    return _SCALARS.get(kind) or f"type.googleapis.com/google.apps.sheets.v4.{kind}"


def _shown(value: object) -> str:
    if isinstance(value, Mapping | Sequence) and not isinstance(value, str):
        return "Starting an object on a scalar field"
    return json.dumps(value, ensure_ascii=False)
