"""What is wrong with a parsed JSON file by its schema, in sentences: what was found, what is allowed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from engine.entry import REMARKS, shown, suggestion

Path = tuple[str | int, ...]


def slips(content: Any, schema: Mapping[str, Any]) -> list[tuple[Path, str]]:
    """Every slip: the names and list positions that lead to it, and a sentence about it; in order of place."""
    errors = Draft202012Validator(schema).iter_errors(content)
    return sorted((it for error in errors for it in _worded(error)), key=lambda it: [str(part) for part in it[0]])


def _worded(error: ValidationError) -> Iterator[tuple[Path, str]]:
    """Place and sentence for each thing that one failed keyword found."""
    path: Path = tuple(error.absolute_path)
    found: Any = error.instance
    rule: Any = error.validator_value
    schema: Any = error.schema
    match error.validator:
        case "additionalProperties":
            names = [name for name in schema.get("properties", {}) if name not in REMARKS]
            for name in found:
                if name not in names and name not in REMARKS:
                    yield (*path, name), f"{shown(name)} has no place here. {suggestion(name, names)}"
        case "required":
            missing = next(name for name in rule if error.message.startswith(repr(name)))
            yield path, f"{shown(missing)} is missing."
        case "type":
            kinds = [rule] if isinstance(rule, str) else rule
            yield path, f"{shown(found)} is not allowed. Use {' or '.join(KINDS[kind] for kind in kinds)}."
        case "enum":
            yield path, f"{shown(found)} is not allowed. {suggestion(str(found), [str(word) for word in rule])}"
        case "minimum" | "maximum" | "exclusiveMinimum":
            yield path, f"{shown(found)} is not allowed. Use {_range(schema)}."
        case "minItems" | "maxItems":
            yield path, f"{len(found)} entries are not allowed. Use {_count(schema)}."
        case "minLength" | "minProperties":
            yield path, f"{shown(found)} is empty; something must stand here."
        case "maxLength":
            yield path, f"{shown(found)} has {len(found)} characters. Use at most {rule}."
        case "pattern":
            yield path, f"{shown(found)} is not written as it must be: {rule}."
        case "uniqueItems":
            yield path, f"something stands twice in {shown(found)}."
        case _:
            yield path, f"{error.message}."


KINDS = {
    "object": "names with values in braces",
    "array": "a list in brackets",
    "string": 'a text in "quotes"',
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}


def _range(schema: Mapping[str, Any]) -> str:
    low, above, high = (schema.get(name) for name in ("minimum", "exclusiveMinimum", "maximum"))
    least = f"above {above:,}" if above is not None else f"{low:,} or more" if low is not None else ""
    if high is None:
        return f"a number {least}"
    if not least:
        return f"a number up to {high:,}"
    return f"a number above {above:,} and up to {high:,}" if above is not None else f"a number from {low:,} to {high:,}"


def _count(schema: Mapping[str, Any]) -> str:
    least, most = schema.get("minItems"), schema.get("maxItems")
    if least == most:
        return f"exactly {least}"
    return f"at least {least}" if most is None else f"{least or 0} to {most}"
