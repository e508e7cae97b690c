"""Settings: flags go before environment variables, those before `sheets-algo.toml` beside the workbook or at home."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from engine.words import nearest
from sheets_algo.workbook.base import WorkbookError

FILE = "sheets-algo.toml"
PREFIX = "SHEETS_ALGO_"


class BadSetting(WorkbookError):
    """A setting that cannot be used; the text says which file or variable, what was found, what is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a moderator may set once instead of typing it.

    Args:
        config: Own tables, laid out like `config/`.
        maps: Own terrain maps.
        log_lines: Most lines of one ruling in the Log tab.
    """

    config: Path | None = None
    maps: Path | None = None
    log_lines: int = 500


def settings(folder: Path, flags: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings in force.

    Args:
        folder: The workbook's.
        flags: As typed; None where a flag was not given.
        environment: SHEETS_ALGO_CONFIG, SHEETS_ALGO_MAPS, SHEETS_ALGO_LOG_LINES.

    Raises:
        BadSetting: A value that cannot be used.
    """
    found: dict[str, Any] = {}
    for file in (_home_file(), folder / FILE):
        found |= _read(file)
    for name in _names():
        if environment.get(PREFIX + name.upper()):
            found[name] = _checked(PREFIX + name.upper(), name, environment[PREFIX + name.upper()], Path())
    return Settings(**(found | {name: value for name, value in flags.items() if value is not None}))


def _names() -> tuple[str, ...]:
    return tuple(it.name for it in fields(Settings))


def _home_file() -> Path:
    from platformdirs import user_config_path

    return user_config_path("sheets-algo") / FILE


def _read(file: Path) -> dict[str, Any]:
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadSetting(f"{file}: cannot be read as settings ({error}).") from error
    for name in content:
        if name not in _names():
            near = nearest(name, _names())
            hint = f'Did you mean "{near}"?' if near else f"There are {', '.join(_names())}."
            raise BadSetting(f'{file}: there is no setting "{name}". {hint}')
    return {name: _checked(f"{file}: {name}", name, value, file.parent) for name, value in content.items()}


def _checked(where: str, name: str, value: Any, folder: Path) -> Any:
    if name == "log_lines":
        lines = str(value)
        if not lines.isdecimal() or not 1 <= int(lines) <= 100_000:
            raise BadSetting(f'{where}: "{value}" is not a number of lines. Enter a whole number from 1 to 100,000.')
        return int(lines)
    if not isinstance(value, str):
        raise BadSetting(f'{where}: "{value}" is not a folder. Enter a path as text.')
    path = folder / Path(value).expanduser()
    if not path.is_dir():
        raise BadSetting(f"{where}: there is no folder {path}. Enter the path of one.")
    return path
