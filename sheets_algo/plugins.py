"""Plug-ins: rulesets, channels and stores that installed packages declare as entry points.

Those of this program are declared in its `pyproject.toml` in the same way.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from engine.errors import ExpectedError

RULESETS = "sheets_algo.rulesets"
CHANNELS = "sheets_algo.channels"
STORES = "sheets_algo.stores"
"""The groups of entry points."""


class BadPlugin(ExpectedError):
    """A plug-in that cannot be used; the text names it and says what to do."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Plugin:
    """An entry point that an installed package declares."""

    group: str  # Its group
    name: str  # Its name
    value: str  # What it names: a package, or `package.module:Class`


@cache
def plugins(group: str) -> Mapping[str, Plugin]:
    """Return the plug-ins of a group by name, in alphabetical order.

    Raises:
        BadPlugin: Two packages declare the same name, or this program's own are not declared.
    """
    by_name: dict[str, Plugin] = {}
    for plugin in sorted(_declared(group), key=lambda plugin: plugin.name):
        if (other := by_name.setdefault(plugin.name, plugin)) != plugin:
            raise BadPlugin(
                f'Two packages declare "{plugin.name}" in {group}: {other.value} and {plugin.value}. Uninstall one.'
            )
    if not any(plugin.value.startswith("sheets_algo.") for plugin in by_name.values()):
        home = Path(__file__).parents[1]
        raise BadPlugin(
            f"This installation of sheets-algo is older than its code: it declares nothing in {group}. Install it"
            f" again: pip install --editable {home}"
        )
    return by_name


def _declared(group: str) -> Iterator[Plugin]:
    """Yield the entry points of a group in the installed packages, of which the first of a name counts.

    `importlib.metadata` does the same, and importing it takes longer than some commands of this program may lose.
    """
    packages: set[str] = set()
    for folder in map(Path, sys.path):
        for path in sorted(folder.glob("*.dist-info/entry_points.txt")):
            package = path.parent.name.partition("-")[0]
            if package not in packages:
                packages.add(package)
                yield from _of_group(path.read_text(encoding="utf-8"), group)


def _of_group(declarations: str, group: str) -> Iterator[Plugin]:
    """Yield the entry points of a group in the content of an `entry_points.txt`."""
    section = ""
    for line in map(str.strip, declarations.splitlines()):
        if line.startswith("["):
            section = line.strip("[ ]")
        elif section == group and "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            yield Plugin(group, name.strip(), value.strip())


def folder_of(plugin: Plugin) -> Path:
    """Return the folder of the package that a plug-in names; the package is not imported.

    Raises:
        BadPlugin: There is no such package.
    """
    try:
        return package_folder(plugin.value)
    except (ImportError, ValueError) as error:
        raise BadPlugin(
            f'"{plugin.name}" in {plugin.group} names {plugin.value}, which is not a package here. Install it again.'
        ) from error


def package_folder(name: str) -> Path:
    """Return the folder of a package, which is not imported; those around it are.

    Raises:
        ImportError: There is no such package.
        ValueError: A package cannot have such a name.
    """
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ImportError(name)
    return Path(next(iter(spec.submodule_search_locations)))


def load(plugin: Plugin) -> Any:
    """Import what a plug-in names.

    Raises:
        BadPlugin: It cannot be imported.
    """
    return load_name(plugin.value, f'"{plugin.name}" in {plugin.group}')


def load_name(value: str, declared_by: str) -> Any:
    """Import what a text such as `package.module:Class` names.

    Raises:
        BadPlugin: It cannot be imported.
    """
    try:
        return resolve_name(value)
    except (ImportError, AttributeError, ValueError) as error:
        raise BadPlugin(f"{declared_by} names {value}, which cannot be loaded ({error}).") from error
