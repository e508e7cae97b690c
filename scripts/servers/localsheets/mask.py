"""Field masks: the part of an answer that is wanted, or of a record that is to be changed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from localsheets.errors import ApiError, bad_mask, invalid
from localsheets.messages import SCHEMA
from localsheets.proto import camel

Mask = dict[str, Any]
"""Names and the masks below them; an empty mask means everything."""

_TOKEN = re.compile(r"[^,()./\s]+|[,()./]")


def parse(text: str, kind: str) -> Mask:
    """Return the mask of `a.b.c`, `a/b/c`, `a,b` or `a(b,c)`, for a message of that kind.

    Raises:
        ApiError: 400 for a name that the message does not have, or for an unclosed bracket.
    """
    tokens = _TOKEN.findall(text)
    mask, rest = _list(tokens, 0)
    if rest != len(tokens):
        raise bad_mask(text)
    return _checked(mask, kind, "")


def unchecked(text: str) -> Mask:
    """Return a mask for answers whose messages are not listed; unknown names select nothing."""
    return _list(_TOKEN.findall(text), 0)[0]


def select(mask: Mask, value: Any) -> Any:
    """Return the part of an answer that a mask selects."""
    if not mask or "*" in mask:
        return value
    if isinstance(value, list):
        return [select(mask, item) for item in value]
    if not isinstance(value, Mapping):
        return value
    return {name: select(mask[name], item) for name, item in value.items() if name in mask}


def wants(mask: Mask, *path: str) -> bool:
    """Return True if anything at a path is selected."""
    for name in path:
        if not mask or "*" in mask:
            return True
        if name not in mask:
            return False
        mask = mask[name]
    return True


def below(mask: Mask, *path: str) -> Mask:
    """Return the mask at a path that is selected."""
    for name in path:
        if not mask or "*" in mask:
            return {}
        mask = mask[name]
    return mask


def for_update(text: str | None, kind: str) -> Mask:
    """Return the mask of an update, which has to name something; a colour and its style count as one.

    Raises:
        ApiError: 400 if it is missing or names an unknown field.
    """
    if not text:
        raise invalid("At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)")
    try:
        return _with_twins(parse(text, kind))
    except ApiError as error:
        raise invalid(
            error.details[0]["fieldViolations"][0]["description"] if error.details else error.message
        ) from error


def merged(target: Mapping[str, Any], source: Mapping[str, Any], mask: Mask) -> dict[str, Any]:
    """Return a record with the masked fields of another; those that the other lacks are removed."""
    if not mask or "*" in mask:
        return dict(source)
    result = dict(target)
    for name, inner in mask.items():
        if inner and "*" not in inner and not isinstance(source.get(name), list):
            changed = merged(result.get(name) or {}, source.get(name) or {}, inner)
            result[name] = changed
            if not changed:
                del result[name]
        elif name in source:
            result[name] = source[name]
        else:
            result.pop(name, None)
    return result


def _list(tokens: list[str], at: int) -> tuple[Mask, int]:
    mask: Mask = {}
    while at < len(tokens) and tokens[at] != ")":
        if tokens[at] == ",":
            at += 1
            continue
        at = _path(tokens, at, mask)
    return mask, at


def _path(tokens: list[str], at: int, mask: Mask) -> int:
    """Parse one item of a list into the mask; return its end."""
    name = camel(tokens[at]) if tokens[at] not in "().,/" else ""
    is_new = name not in mask
    inner: Mask = mask.setdefault(name, {})
    at += 1
    if at < len(tokens) and tokens[at] in "./":
        if is_new or inner:
            return _path(tokens, at + 1, inner) if at + 1 < len(tokens) else at + 1
        return _path(tokens, at + 1, {}) if at + 1 < len(tokens) else at + 1
    if at < len(tokens) and tokens[at] == "(":
        found, at = _list(tokens, at + 1)
        if is_new or inner:
            inner.update(found)
        return at + 1
    inner.clear()
    return at


def _checked(mask: Mask, kind: str, path: str) -> Mask:
    for name, inner in mask.items():
        here = f"{path}.{name}" if path else name
        if name == "*" or kind == "any":
            continue
        field = SCHEMA.field(kind, name)
        if field is None:
            raise bad_mask(here)
        if inner and field.kind not in SCHEMA.messages and field.kind != "any":
            raise bad_mask(f"{here}.{next(iter(inner))}")
        _checked(inner, field.kind, here)
    return mask


def _with_twins(mask: Mask) -> Mask:
    found = {name: _with_twins(inner) for name, inner in mask.items()}
    for name, inner in mask.items():
        twin = (
            name.removesuffix("Style")
            if name.endswith("olorStyle")
            else f"{name}Style"
            if name.endswith("olor")
            else ""
        )
        if twin and twin not in found:
            found[twin] = {} if twin.endswith("Style") or not inner else _with_twins(inner)
            found[name] = {}
    return found
