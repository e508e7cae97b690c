"""Errors of a parsed JSON file by its schema, as sentences that say what was found and what is allowed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from engine.config_value import REMARKS, shown, suggestion
from engine.declare import KINDS, bounds, counts, not_allowed

Path = tuple[str | int, ...]


def slips(content: Any, schema: Mapping[str, Any]) -> list[tuple[Path, str]]:
    """Return every error in order of place: the names and list positions that lead to it, and a sentence."""
    errors = Draft202012Validator(schema).iter_errors(content)
    return sorted(
        (slip for error in errors for slip in _worded(error)), key=lambda slip: [str(part) for part in slip[0]]
    )


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
                    yield (*path, name), f"{shown(name)} is not allowed here. {suggestion(name, names)}"
        case "required":
            missing = next(name for name in rule if error.message.startswith(repr(name)))
            yield path, f"{shown(missing)} is missing."
        case "type":
            kinds = [rule] if isinstance(rule, str) else rule
            yield path, not_allowed(found, " or ".join(KINDS[kind] for kind in kinds))
        case "enum":
            yield path, f"{shown(found)} is not allowed. {suggestion(str(found), [str(word) for word in rule])}"
        case "minimum" | "maximum" | "exclusiveMinimum":
            bound = [schema.get(name) for name in ("minimum", "exclusiveMinimum", "maximum")]
            yield path, not_allowed(found, bounds(*bound))
        case "anyOf" if words := [word for option in rule for word in option.get("enum", ())]:
            if isinstance(found, str):
                yield path, f"{shown(found)} is not allowed. {suggestion(found, words)}"
            else:  # a number beside the words
                yield from (
                    slip for inner in error.context or () if inner.validator != "enum" for slip in _worded(inner)
                )
        case "minItems" | "maxItems":
            yield (
                path,
                f"{len(found)} entries are not allowed. Use {counts(schema.get('minItems'), schema.get('maxItems'))}.",
            )
        case "minLength" | "minProperties":
            yield path, f"{shown(found)} is empty; a value is required here."
        case "maxLength":
            yield path, f"{shown(found)} has {len(found)} characters. Use at most {rule}."
        case "pattern":
            yield path, f"{shown(found)} is not written as it must be: {rule}."
        case "uniqueItems":
            yield path, f"a value is there twice in {shown(found)}."
        case _:
            yield path, f"{error.message}."
