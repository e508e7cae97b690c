"""Settings: flags go before environment variables, those before `sheets-algo.toml` beside the workbook or at home.

A Google spreadsheet has no folder of its own: for it the file in the current folder takes the place of the one beside.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from math import isfinite
from pathlib import Path
from typing import Any, Literal

from engine.suggest import nearest
from sheets_algo.config.post_settings import ChannelSettings, read_channels, workbook_in
from sheets_algo.workbook.atomic_file import atomic_write
from sheets_algo.workbook.errors import BadSetting

FILE = "sheets-algo.toml"
PREFIX = "SHEETS_ALGO_"
LONGEST_INTERVAL = 86_400.0
MOST_REQUESTS = 1_000
TITLE_MOST = 80
HOST = re.compile(r"https://[^\s/?#]+(/[^\s?#]*)?|http://(127\.0\.0\.1|localhost|\[::1\])(:\d+)?/?", re.IGNORECASE)
"""Addresses of a beacon's hosts: encrypted, or on this machine."""
TABLE = re.compile(rb"""^[ \t]*\[\[[ \t]*["']?post["']?[ \t]*\]\]""", re.MULTILINE)
"""The beginning of a table in a settings file; there are no others."""


def _whole(what: str, most: int) -> Callable[[Any, Path], int]:
    def read(value: Any, folder: Path) -> int:
        text = str(value)
        if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= most):
            raise ValueError(f'"{value}" is not a number of {what}. Enter a whole number from 1 to {most:,}.')
        return int(text)

    return read


def _yes_or_no(value: Any, folder: Path) -> bool:
    text = str(value).strip().casefold()
    if text not in ("true", "false"):
        raise ValueError(f'"{value}" is neither true nor false. Enter one of them.')
    return text == "true"


def _word(*words: str) -> Callable[[Any, Path], str]:
    def read(value: Any, folder: Path) -> str:
        if value not in words:
            raise ValueError(f'"{value}" is not allowed. Use {" or ".join(words)}.')
        return str(value)

    return read


def _rule_set(value: Any, folder: Path) -> str:
    if value not in ("history", "source"):
        raise ValueError(f'there are no rules of the name "{value}". Use history or source.')
    return str(value)


def _beacons(value: Any, folder: Path) -> tuple[str, ...]:
    names = _names(value, "hosts. Enter their addresses", "https://...")
    for name in names:
        if not HOST.fullmatch(name):
            raise ValueError(f'"{name}" is not the address of a host. Enter it as https://api.drand.sh.')
    return tuple(names)


def _interval(value: Any, folder: Path) -> float:
    try:
        seconds = float(str(value))
    except ValueError:
        seconds = 0.0
    if not (isfinite(seconds) and 2 <= seconds <= LONGEST_INTERVAL):
        raise ValueError(f'"{value}" is not an interval. Enter a number of seconds from 2 to {LONGEST_INTERVAL:,.0f}.')
    return seconds


def _path(value: Any, what: str, folder: Path) -> Path:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f'"{value}" is not a {what}. Enter a path as text.')
    return folder / Path(value).expanduser()


def _map_file(value: Any, folder: Path) -> str:
    """Return the name of a map, or the whole path of a file beside the settings file."""
    path = _path(value, "map", folder)
    return str(path) if path.is_file() else str(value)


def _existing(value: Any, folder: Path) -> Path:
    path = _path(value, "folder", folder)
    if not path.is_dir():
        raise ValueError(f"the folder {path} does not exist. Enter the path of a folder.")
    return path


def _to_be_made(value: Any, folder: Path) -> Path:
    path = _path(value, "folder", folder)
    if path.exists() and not path.is_dir():
        raise ValueError(f"{path} is a file. Enter the path of a folder; it is made when it is needed.")
    return path


def _chain_file(value: Any, folder: Path) -> Path:
    return _path(value, "file that describes a beacon", folder)


def _key_files(value: Any, folder: Path) -> Path | tuple[Path, ...]:
    if isinstance(value, list) and value:
        return tuple(_path(name, "key file", folder) for name in value)
    return _path(value, "key file", folder)


def _names(value: Any, what: str, example: str = "...") -> list[str]:
    """Return the texts of a list, or of a text with commas between them."""
    names = re.split(r"[,\n]", value) if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError(f'"{value}" is not a list of {what} as ["{example}", "{example}"].')
    return [name.strip() for name in names if name.strip()]


def _workbooks(value: Any, folder: Path) -> tuple[str, ...]:
    return tuple(workbook_in(name, folder) for name in _names(value, "workbooks. Enter URLs or paths"))


def _title(value: Any, folder: Path) -> str:
    if not isinstance(value, str) or len(text := " ".join(value.split())) > TITLE_MOST:
        raise ValueError(f'"{value}" is not a title. Enter a text of at most {TITLE_MOST} characters.')
    return text


def _rulesets(value: Any, folder: Path) -> tuple[str, ...]:
    return tuple(_names(value, "rulesets. Enter their names"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """Declaration of a setting, the source of reader, `--help`, error texts and docs/reference/settings.md."""

    default: Any
    # Reads its value, from a folder that relative paths count from; a ValueError says what is wrong.
    read: Callable[[Any, Path], Any]
    about: str  # Its meaning, for `--help` and the page on settings
    example: str  # A value as it is written in a settings file
    is_fixed: bool = False  # True if it counts when `init` begins a season, whose row stores it

    @property
    def help(self) -> str:
        """Return meaning and default, as `--help` shows them."""
        return self.about if self.default in (None, "", ()) else f"{self.about} Default: {self.default}."


def _setting(
    default: Any, read: Callable[[Any, Path], Any], about: str, example: str = "", *, is_fixed: bool = False
) -> Any:
    """Return the field of a setting; the example of a number, a word or a switch is its default."""
    written = example or (str(default).lower() if isinstance(default, bool) else json.dumps(default))
    return field(
        default=default,
        metadata={DECLARED: Declaration(default=default, read=read, about=about, example=written, is_fixed=is_fixed)},
    )


DECLARED = "declaration"
"""Key of a field's declaration in its metadata."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of a moderator, from files, environment variables and flags; each declares its meaning."""

    config: Path | None = _setting(None, _existing, "Folder with your own tables, laid out like config/.", '"my-rules"')
    maps: Path | None = _setting(None, _existing, "Folder with your own terrain maps (PNG files).", '"my-maps"')
    world_map: str = _setting(
        "1066",
        _map_file,
        "Map of the game: a PNG in the folder world of your maps, or beside this file.",
        '"europe.png"',
    )
    log_lines: int = _setting(500, _whole("lines", 100_000), "Most lines of one ruling in the tab Log.")
    how_lucky: bool = _setting(True, _yes_or_no, "A ruling's log ends with how lucky it was.")
    pictures: bool = _setting(
        True, _yes_or_no, "Draw each ruling's map into pictures/; the last one is in the workbook in any case."
    )
    replays: bool = _setting(False, _yes_or_no, "Write a replay page of each ruling into replays/, and on the site.")
    title: str = _setting("", _title, "Title of the season on its site; blank for the years of its wars.")
    boards: bool = _setting(
        False, _yes_or_no, "Offer strategy boards of announced wars, on the site and inside a spreadsheet."
    )
    site: Path | None = _setting(
        None, _to_be_made, "Folder of the season's site, which run, undo and watch keep current.", '"public"'
    )
    site_hides: tuple[str, ...] = _setting(
        (), _rulesets, "Rulesets of which the site shows neither logs, replays nor odds; all for all.", '["all"]'
    )
    losses: Literal["tell", "apply"] = _setting(
        "apply",
        _word("tell", "apply"),
        "Rulings subtract losses from the armies (apply), or only say what to subtract (tell).",
        is_fixed=True,
    )
    dead_leaders: Literal["warn", "refuse"] = _setting(
        "refuse",
        _word("warn", "refuse"),
        "A war waits if its leader is dead (refuse), or he leads with a warning (warn).",
        is_fixed=True,
    )
    rules: Literal["history", "source"] = _setting(
        "history",
        _rule_set,
        "Rule set by which wars are fought: history, held against real battles, or source, as it was printed.",
        is_fixed=True,
    )
    luck: Literal["secret", "beacon"] = _setting(
        "secret",
        _word("secret", "beacon"),
        "What decides the season: its secret, or also a public beacon that nobody can foresee.",
        is_fixed=True,
    )
    beacons: tuple[str, ...] = _setting(
        (), _beacons, "Hosts of the beacon, asked in this order; default: those of drand.", '["https://api.drand.sh"]'
    )
    beacon_chain: Path | None = _setting(
        None, _chain_file, "File that describes another beacon than drand quicknet.", '"chain.json"', is_fixed=True
    )
    credentials: Path | tuple[Path, ...] | None = _setting(
        None, _key_files, "Key file of the Google service account; a list of several shares the load.", '"key.json"'
    )
    folder: Path | None = _setting(
        None, _to_be_made, "Folder for logs, pictures and secrets of Google spreadsheets.", '"my-game"'
    )
    interval: float = _setting(15, _interval, "Seconds from one look of watch to the next, at least 2.")
    requests: int = _setting(
        45, _whole("requests a minute", MOST_REQUESTS), "Most reads, and most writes, of Google a minute."
    )
    workbooks: tuple[str, ...] = _setting(
        (), _workbooks, "Files and addresses that watch looks at when it is given none.", '["season.xlsx"]'
    )
    adopt: bool = _setting(
        False, _yes_or_no, "Watch too what people share with the Google account, when its owner ticks the box in Guide."
    )
    post_after_run: bool = _setting(
        True, _yes_or_no, "A run ends by posting what waits for the channels, for a minute."
    )
    post: tuple[ChannelSettings, ...] = _setting(
        (), read_channels, "Channels to which receipts are posted, each a table [[post]]."
    )

    @property
    def data_folder(self) -> Path:
        """Return `folder`, or the user's folder for data of programs; it need not exist."""
        if self.folder is not None:
            return self.folder
        from platformdirs import user_data_path

        return user_data_path("sheets-algo")


DECLARATIONS: Mapping[str, Declaration] = {item.name: item.metadata[DECLARED] for item in fields(Settings)}
"""Declaration of each setting, by its name."""


def settings(folder: Path, flags: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings in force.

    Args:
        folder: The workbook's, or the current one.
        flags: As typed; None where a flag was not given.
        environment: SHEETS_ALGO_CONFIG, SHEETS_ALGO_INTERVAL and so on; SHEETS_ALGO_WORKBOOKS has commas between them.

    Raises:
        BadSetting: A value that cannot be used.
    """
    values: dict[str, Any] = {}
    for file in dict.fromkeys((_home_file(), folder / FILE)):
        values |= _read(file)
    for name in DECLARATIONS:
        if environment.get(PREFIX + name.upper()):
            values[name] = _checked(PREFIX + name.upper(), name, environment[PREFIX + name.upper()], Path())
    for name, value in flags.items():
        if value is not None:
            values[name] = _checked(f"--{name}", name, value, Path()) if isinstance(value, str) else value
    return Settings(**values)


def maps_line(folder: Path, maps: Path) -> str:
    """Return the line of a settings file in `folder` that names a folder of maps.

    A folder inside is named relative to the file, so that both can be moved together; any other by its whole path.
    """
    inside, outer = maps.resolve(), folder.resolve()
    path = inside.relative_to(outer) if inside.is_relative_to(outer) else inside
    return f"maps = {json.dumps(path.as_posix(), ensure_ascii=False)}"


def add_maps(folder: Path, maps: Path, *, dry: bool) -> Path | None:
    """Add the setting `maps` to the settings file of a folder, unless the file has it.

    It comes before the first table, `[[post]]`: after it, the line would be an option of that table.

    Returns:
        The folder of maps that the file names already; None if the file has no such setting, and it is added.

    Raises:
        BadSetting: The file cannot be read as settings.
        OSError: It cannot be written.
    """
    file = folder / FILE
    former: Path | None = _read(file).get("maps")
    if former is None and not dry:
        text = file.read_bytes() if file.exists() else b""
        table = TABLE.search(text)
        head, rest = (text[: table.start()], text[table.start() :]) if table else (text, b"")
        break_ = b"" if not head or head.endswith(b"\n") else b"\n"
        with atomic_write(file) as new:
            new.write_bytes(head + break_ + maps_line(folder, maps).encode() + b"\n" + rest)
    return former


def _home_file() -> Path:
    from platformdirs import user_config_path

    return user_config_path("sheets-algo") / FILE


HOW_TO_WRITE = (
    'Write texts in quotation marks, with commas between them, and / instead of a backslash: folder = "C:/my-game".'
)
"""Advice on the usual mistakes in a first settings file."""


def _read(file: Path) -> dict[str, Any]:
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8-sig"))  # editors on Windows add a byte order mark
    except FileNotFoundError:
        return {}
    except tomllib.TOMLDecodeError as error:
        raise BadSetting(f"{file}: cannot be read as settings ({error}). {HOW_TO_WRITE}") from error
    except UnicodeDecodeError as error:
        raise BadSetting(f"{file}: cannot be read as settings: save it with the encoding UTF-8.") from error
    except OSError as error:
        raise BadSetting(f"{file}: cannot be read as settings ({error}).") from error
    for name in content:
        if name not in DECLARATIONS:
            near = nearest(name, DECLARATIONS)
            hint = f'Did you mean "{near}"?' if near else f"There are {', '.join(DECLARATIONS)}."
            raise BadSetting(f'{file}: there is no setting "{name}". {hint}')
    return {name: _checked(f"{file}: {name}", name, value, file.parent) for name, value in content.items()}


def _checked(where: str, name: str, value: Any, folder: Path) -> Any:
    try:
        return DECLARATIONS[name].read(value, folder)
    except ValueError as error:
        raise BadSetting(f"{where}: {error}") from error
