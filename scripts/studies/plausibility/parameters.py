"""Parameters of a calibration: factors on numbers of the tables and of the adapter (`parameters.json`)."""

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
ROOT = Path(__file__).resolve().parents[3]
TABLES = Path("config", "tables", "autoalgo")
DIGITS = 3
"""Significant digits of a scaled number, so that candidates are tried exactly as they would be written."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One factor.

    Args:
        name: The name for people.
        in_adapter: True if it scales numbers of `adapter.json`, False for the tables.
        places: The paths of the numbers, with `/` between their steps.
        least: The minimum of the factor.
        most: The maximum of the factor.
        anchor: The evidence for its numbers.
    """

    name: str
    in_adapter: bool
    places: tuple[str, ...]
    least: float
    most: float
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Space:
    """Parameters with the numbers that they scale.

    Args:
        raw: The tables.
        numbers: The numbers of the adapter.
        schemas: The JSON Schema of each file of the tables, whose bounds apply.
        parameters: The parameters.
    """

    raw: Raw
    numbers: Numbers
    schemas: Mapping[str, Mapping[str, Any]]
    parameters: tuple[Parameter, ...]

    def scaled(self, factors: Sequence[float]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return new numbers by place, of the tables and of the adapter."""
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
        """Return tables and adapter with these factors."""
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
    """Return the parameters with their places in these tables and this adapter.

    Args:
        raw: The tables.
        numbers: The numbers of the adapter.
        content: The content of `parameters.json`; None for the project's own.

    Raises:
        ValueError: A parameter names no place.
    """
    content = content or json.loads(PARAMETERS.read_text(encoding="utf-8"))
    found = []
    for entry in content["parameters"]:
        in_adapter = entry.get("adapter", False)
        if "units" in entry:
            places = list(_of_units(raw, content["groups"], entry["units"], entry["column"]))
        else:
            places = [place for glob in entry["places"] for place in _matching(numbers if in_adapter else raw, glob)]
        if not places:
            raise ValueError(f'{PARAMETERS.name}: "{entry["name"]}" names no number that there is.')
        bounds = (entry["least"], entry["most"])
        found.append(Parameter(entry["name"], in_adapter, tuple(places), *bounds, entry["anchor"]))
    return tuple(found)


def numbers_of(checkout: Path, raw: Raw, numbers: Numbers) -> tuple[Raw, Numbers]:
    """Return the numbers of another checkout in the places of these; what it lacks stays.

    Args:
        checkout: The top folder of the checkout.
        raw: The tables.
        numbers: The numbers of the adapter.

    Raises:
        ValueError: A file cannot be read or is not JSON.
    """
    files = {name: checkout / TABLES / f"{name}.json" for name in raw}
    older = {name: file for name, file in files.items() if file.exists()} or files  # a file may be newer than it
    tables = {name: _read(file) for name, file in older.items()}
    adapters = sorted(checkout.glob(f"scripts/**/plausibility/{ADAPTER.name}"))  # its folder was moved once
    adapter = adapters[0] if adapters else checkout / ADAPTER.relative_to(ROOT)
    return overlaid(raw, tables), overlaid(numbers, _read(adapter))


def overlaid(now: Any, then: Any) -> Any:
    """Return `now` with the numbers that `then` has in the same places; all else stays."""
    if isinstance(now, Mapping) and isinstance(then, Mapping):
        return {key: overlaid(inner, then[key]) if key in then else inner for key, inner in now.items()}
    if isinstance(now, list) and isinstance(then, list):
        return [overlaid(inner, other) for inner, other in zip(now, then, strict=False)] + now[len(then) :]
    return then if _is_number(now) and _is_number(then) else now


def _of_units(raw: Raw, groups: Mapping[str, Any], group: str, column: str) -> Iterator[str]:
    for place, unit in enumerate(raw["units"]["units"]):
        if group_of(unit, groups) == group and column in unit:
            yield from (f"units/units/{place}/{column}{rest}" for rest in _leaves(unit[column]))


def group_of(unit: Mapping[str, Any], groups: Mapping[str, Any]) -> str:
    """Return the first group that a unit fits; blank for none."""
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
            for path, node in found
            for key, inner in _inner(node)
            if step in ("*", key)
        ]
    for path, node in found:
        yield from (path + rest for rest in _leaves(node))


def _leaves(node: Any) -> Iterator[str]:
    """Yield the paths below, from `/`, of every number; remarks have none."""
    if _is_number(node):
        yield ""
    for key, inner in _inner(node):
        yield from (f"/{key}{rest}" for rest in _leaves(inner))


def _inner(node: Any) -> Iterator[tuple[str, Any]]:
    """Yield the content of a table or list by step of a path; nothing for other values."""
    if isinstance(node, Mapping):
        yield from node.items()
    elif isinstance(node, list):
        yield from ((str(place), inner) for place, inner in enumerate(node))


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise ValueError(f"{path}: not a readable JSON file: {why}.") from error


def _is_number(node: Any) -> bool:
    return isinstance(node, int | float) and not isinstance(node, bool)


def number_at(content: Any, place: str) -> float:
    """Return the number at a place.

    Raises:
        KeyError, IndexError: There is no such place.
    """
    for step in place.split("/"):
        content = content[int(step) if isinstance(content, list) else step]
    return float(content)


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
