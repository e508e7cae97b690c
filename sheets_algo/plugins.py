"""Plug-ins: rulesets, channels and stores that installed packages declare as entry points.

Those of this program are declared in its `pyproject.toml` in the same way.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, TypeVar

from engine.errors import ExpectedError

RULESETS = "sheets_algo.rulesets"
CHANNELS = "sheets_algo.channels"
STORES = "sheets_algo.stores"
"""The groups of entry points."""

LONGEST_REASON = 300
"""Maximum number of characters of a plug-in's error."""

Opened = TypeVar("Opened")


class BadPlugin(ExpectedError):
    """A plug-in that cannot be used; the text names it and says what to do."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Plugin:
    """An entry point that an installed package declares."""

    group: str  # Its group
    name: str  # Its name
    value: str  # Its target: a package, or `package.module:Class`

    def __str__(self) -> str:
        return f'"{self.name}" in {self.group}'

    @property
    def is_own(self) -> bool:
        """Return True if it comes with this program."""
        return is_own(self.value)


def is_own(value: str) -> bool:
    """Return True if a target such as `package.module:Class` comes with this program."""
    return value.startswith("sheets_algo.")


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
    if not any(plugin.is_own for plugin in by_name.values()):
        home = Path(__file__).parents[1]
        raise BadPlugin(
            f"This installation of sheets-algo is older than its code: it declares nothing in {group}. Install it"
            f" again: pip install --editable {home}"
        )
    return by_name


def open_each(
    group: str, open_plugin: Callable[[Plugin], Opened]
) -> tuple[Mapping[str, Opened], tuple[BadPlugin, ...]]:
    """Open the plug-ins of a group; return the opened ones by name, and the errors of the others.

    Raises:
        BadPlugin: One of this program's own cannot be opened.
    """
    opened: dict[str, Opened] = {}
    faults: list[BadPlugin] = []
    for name, plugin in plugins(group).items():
        try:
            opened[name] = open_plugin(plugin)
        except BadPlugin as fault:
            if plugin.is_own:
                raise
            faults.append(fault)
    return opened, tuple(faults)


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
    """Return the folder of a plug-in's package without importing it.

    Raises:
        BadPlugin: There is no such package.
    """
    with refusing(f"{plugin} names {plugin.value}, which is not a package here"):
        return package_folder(plugin.value)


def package_folder(name: str) -> Path:
    """Return the folder of a package without importing it; its parents are imported.

    Raises:
        ImportError: There is no such package.
        ValueError: A package cannot have such a name.
    """
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ImportError(name)
    return Path(next(iter(spec.submodule_search_locations)))


def load(plugin: Plugin) -> Any:
    """Import the target of a plug-in.

    Raises:
        BadPlugin: It cannot be imported.
    """
    return load_name(plugin.value, str(plugin))


def load_name(value: str, declared_by: str) -> Any:
    """Import a target such as `package.module:Class`.

    Raises:
        BadPlugin: It cannot be imported.
    """
    with refusing(f"{declared_by} names {value}, which cannot be loaded"):
        return resolve_name(value)


@contextmanager
def refusing(says: str) -> Iterator[None]:
    """Turn any error of a plug-in's import into a BadPlugin of one line: `says` and the error."""
    try:
        yield
    except BadPlugin:
        raise
    except (Exception, SystemExit) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST_REASON]
        raise BadPlugin(f"{says} ({reason}). Repair or uninstall its package.") from error
