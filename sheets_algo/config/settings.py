"""Settings: flags go before environment variables, those before `sheets-algo.toml` beside the workbook or at home.

A Google spreadsheet has no folder of its own: for it the file in the current folder takes the place of the one beside.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, Literal

from engine.suggest import nearest
from sheets_algo.config.post_settings import ChannelSettings, read_channels
from sheets_algo.workbook.atomic_file import atomic_write
from sheets_algo.workbook.errors import BadSetting
from sheets_algo.workbook.registry import is_file_name

FILE = "sheets-algo.toml"
PREFIX = "SHEETS_ALGO_"
LONGEST_INTERVAL = 86_400.0
MOST_REQUESTS = 1_000
TITLE_MOST = 80
HOST = re.compile(r"https://[^\s/?#]+(/[^\s?#]*)?|http://(127\.0\.0\.1|localhost|\[::1\])(:\d+)?/?", re.IGNORECASE)
"""Addresses of a beacon's hosts: encrypted, or on this machine."""
TABLE = re.compile(rb"""^[ \t]*\[\[[ \t]*["']?post["']?[ \t]*\]\]""", re.MULTILINE)
"""The begin of a table in a settings file; there are no others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of a moderator, from files, environment variables and flags.

    Args:
        config: Own tables, laid out like `config/`.
        maps: Own terrain maps.
        log_lines: Most lines of one ruling in the Log tab.
        how_lucky: True if a ruling's log ends with how lucky it was.
        pictures: True if each ruling's map is drawn into `pictures/`; the last one is in the workbook in any case.
        replays: True if each ruling gets a replay page in `replays/`, and on the site.
        site: The folder of the season's site, which `run`, `undo` and `watch` keep current; None for none.
        boards: True if there is a strategy board for each war that is announced and not ruled: on the site, and inside
            a spreadsheet, whose tab Boards is kept.
        title: The title of the season on the site; blank for the name of the workbook.
        site_hides: The rulesets of which the site shows neither logs, replays nor odds, `all` for all.
        losses: Whether rulings of a season that `init` begins subtract losses from the armies (`apply`), or their
            accounts only say what to subtract (`tell`).
        dead_leaders: Whether a war of a season that `init` begins waits if its leader is dead (`refuse`), or he leads
            with a warning (`warn`).
        rules: The rule set by which wars of a season that `init` begins are fought: `history`, with numbers that were
            held against real battles, or `source`, the rules as they were printed.
        luck: What decides the requests of a season that `init` begins: the season secret alone (`secret`), or also a
            round of a public beacon that is promised beforehand (`beacon`).
        beacons: Hosts of the beacon, asked in this order; blank for those of drand.
        beacon_chain: File that describes another beacon than drand quicknet, for a season that `init` begins.
        credentials: Key file of a Google service account.
        folder: The folder for logs, pictures and secrets of Google spreadsheets, each in a folder of its own.
        interval: Seconds between two looks of `watch`, at least 2.
        requests: Most requests to Google a minute, of those that read and of those that write, all workbooks together.
        workbooks: The workbooks that `watch` watches when it is given none.
        post: The channels to which receipts are posted; only a settings file can name some.
    """

    config: Path | None = None
    maps: Path | None = None
    log_lines: int = 500
    how_lucky: bool = True
    pictures: bool = True
    replays: bool = False
    title: str = ""
    boards: bool = False
    site: Path | None = None
    site_hides: tuple[str, ...] = ()
    losses: Literal["tell", "apply"] = "apply"
    dead_leaders: Literal["warn", "refuse"] = "refuse"
    rules: Literal["history", "source"] = "history"
    luck: Literal["secret", "beacon"] = "secret"
    beacons: tuple[str, ...] = ()
    beacon_chain: Path | None = None
    credentials: Path | None = None
    folder: Path | None = None
    interval: float = 15.0
    requests: int = 45
    workbooks: tuple[str, ...] = ()
    post: tuple[ChannelSettings, ...] = ()

    @property
    def data_folder(self) -> Path:
        """Return `folder`, or the user's folder for data of programs; it need not exist."""
        if self.folder is not None:
            return self.folder
        from platformdirs import user_data_path

        return user_data_path("sheets-algo")


def settings(folder: Path, flags: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings in force.

    Args:
        folder: The workbook's, or the current one.
        flags: As typed; None where a flag was not given.
        environment: SHEETS_ALGO_CONFIG, SHEETS_ALGO_INTERVAL and so on; SHEETS_ALGO_WORKBOOKS has commas between them.

    Raises:
        BadSetting: A value that cannot be used.
    """
    found: dict[str, Any] = {}
    for file in dict.fromkeys((_home_file(), folder / FILE)):
        found |= _read(file)
    for name in READERS:
        if environment.get(PREFIX + name.upper()):
            found[name] = _checked(PREFIX + name.upper(), name, environment[PREFIX + name.upper()], Path())
    for name, value in flags.items():
        if value is not None:
            found[name] = _checked(f"--{name}", name, value, Path()) if isinstance(value, str) else value
    return Settings(**found)


def maps_line(folder: Path, maps: Path) -> str:
    """Return the line of a settings file in `folder` that names a folder of maps.

    A folder inside is named relative to the file, so that both can be moved together; any other by its whole path.
    """
    inside, outer = maps.resolve(), folder.resolve()
    path = inside.relative_to(outer) if inside.is_relative_to(outer) else inside
    return f"maps = {json.dumps(path.as_posix(), ensure_ascii=False)}"


def add_maps(folder: Path, maps: Path, *, dry: bool) -> Path | None:
    """Add the setting `maps` to the settings file of a folder, unless the file has it.

    It comes before the first table, `[[post]]`: behind it, the line would be an option of that table.

    Args:
        folder: The folder of the file.
        maps: The folder of maps.
        dry: True to write nothing.

    Returns:
        The folder of maps that the file names already; None if the file has no such setting, and it is added.

    Raises:
        BadSetting: The file cannot be read as settings.
        OSError: It cannot be written.
    """
    file = folder / FILE
    found: Path | None = _read(file).get("maps")
    if found is None and not dry:
        text = file.read_bytes() if file.exists() else b""
        table = TABLE.search(text)
        head, rest = (text[: table.start()], text[table.start() :]) if table else (text, b"")
        break_ = b"" if not head or head.endswith(b"\n") else b"\n"
        with atomic_write(file) as new:
            new.write_bytes(head + break_ + maps_line(folder, maps).encode() + b"\n" + rest)
    return found


def _home_file() -> Path:
    from platformdirs import user_config_path

    return user_config_path("sheets-algo") / FILE


HOW_TO_WRITE = (
    'Write texts in quotation marks, with commas between them, and / instead of a backslash: folder = "C:/my-game".'
)
"""Advice on the usual mistakes in a first settings file."""


def _read(file: Path) -> dict[str, Any]:
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8-sig"))  # editors on Windows sign what they save
    except FileNotFoundError:
        return {}
    except tomllib.TOMLDecodeError as error:
        raise BadSetting(f"{file}: cannot be read as settings ({error}). {HOW_TO_WRITE}") from error
    except UnicodeDecodeError as error:
        raise BadSetting(f"{file}: cannot be read as settings: save it with the encoding UTF-8.") from error
    except OSError as error:
        raise BadSetting(f"{file}: cannot be read as settings ({error}).") from error
    for name in content:
        if name not in READERS:
            near = nearest(name, READERS)
            hint = f'Did you mean "{near}"?' if near else f"There are {', '.join(READERS)}."
            raise BadSetting(f'{file}: there is no setting "{name}". {hint}')
    return {name: _checked(f"{file}: {name}", name, value, file.parent) for name, value in content.items()}


def _checked(where: str, name: str, value: Any, folder: Path) -> Any:
    try:
        return READERS[name](value, folder)
    except ValueError as error:
        raise BadSetting(f"{where}: {error}") from error


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


def _what_of_losses(value: Any, folder: Path) -> str:
    if value not in ("apply", "tell"):
        raise ValueError(f'"{value}" does not say what becomes of losses. Use apply or tell.')
    return str(value)


def _what_of_the_dead(value: Any, folder: Path) -> str:
    if value not in ("refuse", "warn"):
        raise ValueError(f'"{value}" does not say what becomes of wars with dead leaders. Use refuse or warn.')
    return str(value)


def _whose_rules(value: Any, folder: Path) -> str:
    if value not in ("history", "source"):
        raise ValueError(f'there are no rules of the name "{value}". Use history or source.')
    return str(value)


def _luck(value: Any, folder: Path) -> str:
    if value not in ("secret", "beacon"):
        raise ValueError(f'"{value}" is no kind of luck. Use secret or beacon.')
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


def _key_file(value: Any, folder: Path) -> Path:
    return _path(value, "key file", folder)


def _names(value: Any, what: str, example: str = "...") -> list[str]:
    """Return the texts of a list, or of a text with commas between them."""
    names = re.split(r"[,\n]", value) if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError(f'"{value}" is not a list of {what} as ["{example}", "{example}"].')
    return [name.strip() for name in names if name.strip()]


def _workbooks(value: Any, folder: Path) -> tuple[str, ...]:
    return tuple(_workbook(name, folder) for name in _names(value, "workbooks. Enter URLs or paths"))


def _title(value: Any, folder: Path) -> str:
    if not isinstance(value, str) or len(text := " ".join(value.split())) > TITLE_MOST:
        raise ValueError(f'"{value}" is not a title. Enter a text of at most {TITLE_MOST} characters.')
    return text


def _rulesets(value: Any, folder: Path) -> tuple[str, ...]:
    return tuple(_names(value, "rulesets. Enter their names"))


def _workbook(name: str, folder: Path) -> str:
    """Return a path in a settings file as relative to that file; a URL stays as it is."""
    return str(folder / Path(name).expanduser()) if is_file_name(name) else name


READERS: Mapping[str, Callable[[Any, Path], Any]] = {
    "config": _existing,
    "maps": _existing,
    "log_lines": _whole("lines", 100_000),
    "how_lucky": _yes_or_no,
    "pictures": _yes_or_no,
    "replays": _yes_or_no,
    "title": _title,
    "boards": _yes_or_no,
    "site": _to_be_made,
    "site_hides": _rulesets,
    "losses": _what_of_losses,
    "dead_leaders": _what_of_the_dead,
    "rules": _whose_rules,
    "luck": _luck,
    "beacons": _beacons,
    "beacon_chain": _chain_file,
    "credentials": _key_file,
    "folder": _to_be_made,
    "interval": _interval,
    "requests": _whole("requests a minute", MOST_REQUESTS),
    "workbooks": _workbooks,
    "post": read_channels,
}
"""Setting to how its value is read, from a folder that relative paths count from; a ValueError says what is wrong."""
