"""What a calibration may change: factors on numbers of the tables and of the adapter (`parameters.json`)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plausibility.adapter import ADAPTER, Numbers
from plausibility.archetypes import slot_of
from plausibility.evaluation import changed
from plausibility.fights import Raw

PARAMETERS = Path(__file__).with_name("parameters.json")
ROOT = Path(__file__).resolve().parent.parent.parent
TABLES = Path("config", "tables", "autoalgo")
DIGITS = 3
"""Significant digits of a number that was scaled: what is tried is what would be written."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One factor.

    Args:
        name: For people.
        in_adapter: Whether it scales numbers of `adapter.json`; else of the tables.
        places: Paths of the numbers, with `/` between their steps.
        least: The factor is never smaller.
        most: Nor larger.
        anchor: What its numbers are held against.
    """

    name: str
    in_adapter: bool
    places: tuple[str, ...]
    least: float
    most: float
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Space:
    """The parameters over the numbers that they start from.

    Args:
        raw: The tables.
        numbers: The adapter's.
        schemas: File of the tables to its JSON Schema, whose bounds no number leaves.
        parameters: What may change.
    """

    raw: Raw
    numbers: Numbers
    schemas: Mapping[str, Mapping[str, Any]]
    parameters: tuple[Parameter, ...]

    def scaled(self, factors: Sequence[float]) -> tuple[dict[str, Any], dict[str, Any]]:
        """New numbers by place, of the tables and of the adapter."""
        tables: dict[str, Any] = {}
        adapter: dict[str, Any] = {}
        for parameter, factor in zip(self.parameters, factors, strict=True):
            for place in parameter.places:
                if parameter.in_adapter:
                    adapter[place] = _rounded(number_at(self.numbers, place) * factor)
                else:
                    low, high = self._bounds(place)
                    tables[place] = min(max(_rounded(number_at(self.raw, place) * factor), low), high)
        return tables, adapter

    def candidate(self, factors: Sequence[float]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Tables and adapter with these factors."""
        tables, adapter = self.scaled(factors)
        return changed(self.raw, tables), changed(self.numbers, adapter)

    def _bounds(self, place: str) -> tuple[float, float]:
        file, *steps = place.split("/")
        schema: Any = self.schemas[file]
        for step in steps:
            known = schema.get("properties", {})
            schema = known[step] if step in known else schema.get("items") or schema.get("additionalProperties") or {}
        return schema.get("minimum", float("-inf")), schema.get("maximum", float("inf"))


def parameters(raw: Raw, numbers: Numbers, content: Mapping[str, Any] | None = None) -> tuple[Parameter, ...]:
    """The parameters with the places that they have in these tables and this adapter.

    Args:
        raw: The tables.
        numbers: The adapter's.
        content: What `parameters.json` holds; the project's without it.

    Raises:
        ValueError: One names no place.
    """
    content = content or json.loads(PARAMETERS.read_text(encoding="utf-8"))
    found = []
    for it in content["parameters"]:
        in_adapter = it.get("adapter", False)
        if "units" in it:
            places = list(_of_units(raw, content["groups"], it["units"], it["column"]))
        else:
            places = [place for glob in it["places"] for place in _matching(numbers if in_adapter else raw, glob)]
        if not places:
            raise ValueError(f'{PARAMETERS.name}: "{it["name"]}" names no number that there is.')
        found.append(Parameter(it["name"], in_adapter, tuple(places), it["least"], it["most"], it["anchor"]))
    return tuple(found)


def numbers_of(checkout: Path, raw: Raw, numbers: Numbers) -> tuple[Raw, Numbers]:
    """The numbers of another checkout in the places of these; what it lacks stays.

    Args:
        checkout: Its top folder.
        raw: Tables.
        numbers: The adapter's.

    Raises:
        ValueError: A file cannot be read or is no JSON.
    """
    tables = {name: _read(checkout / TABLES / f"{name}.json") for name in raw}
    return overlaid(raw, tables), overlaid(numbers, _read(checkout / ADAPTER.relative_to(ROOT)))


def overlaid(now: Any, then: Any) -> Any:
    """`now` with the numbers that `then` has in the same places; words and what `then` lacks stay."""
    if isinstance(now, Mapping) and isinstance(then, Mapping):
        return {key: overlaid(inner, then[key]) if key in then else inner for key, inner in now.items()}
    if isinstance(now, list) and isinstance(then, list):
        return [overlaid(inner, it) for inner, it in zip(now, then, strict=False)] + now[len(then) :]
    return then if _is_number(now) and _is_number(then) else now


def _of_units(raw: Raw, groups: Mapping[str, Any], group: str, column: str) -> Iterator[str]:
    for place, unit in enumerate(raw["units"]["units"]):
        if group_of(unit, groups) == group and column in unit:
            yield from (f"units/units/{place}/{column}{rest}" for rest in _leaves(unit[column]))


def group_of(unit: Mapping[str, Any], groups: Mapping[str, Any]) -> str:
    """The first group that a unit fits; blank when none."""
    for name, group in groups.items():
        if name != "about" and slot_of(unit) == group["slot"]:
            beginnings = tuple(group.get("names", ("",)))
            if unit["Name"].startswith(beginnings):
                return name
    return ""


def _matching(content: Any, glob: str) -> Iterator[str]:
    found: list[tuple[str, Any]] = [("", content)]
    for step in glob.split("/"):
        found = [
            (f"{path}/{key}" if path else key, inner)
            for path, at in found
            for key, inner in _inner(at)
            if step in ("*", key)
        ]
    for path, at in found:
        yield from (path + rest for rest in _leaves(at))


def _leaves(at: Any) -> Iterator[str]:
    """Paths below, from `/`, of every number; remarks have none."""
    if _is_number(at):
        yield ""
    for key, inner in _inner(at):
        yield from (f"/{key}{rest}" for rest in _leaves(inner))


def _inner(at: Any) -> Iterator[tuple[str, Any]]:
    """What a table or a list holds, by step of a path; nothing else holds anything."""
    if isinstance(at, Mapping):
        yield from at.items()
    elif isinstance(at, list):
        yield from ((str(place), inner) for place, inner in enumerate(at))


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise ValueError(f"{path}: not a readable JSON file: {why}.") from error


def _is_number(at: Any) -> bool:
    return isinstance(at, int | float) and not isinstance(at, bool)


def number_at(content: Any, place: str) -> float:
    """The number at a place.

    Raises:
        KeyError, IndexError: There is no such place.
    """
    for step in place.split("/"):
        content = content[int(step) if isinstance(content, list) else step]
    return float(content)


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
