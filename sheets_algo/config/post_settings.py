"""Channels of the setting `[[post]]`: destination, content and the place of the secret.

A secret itself, such as the address of a webhook, is never in a settings file: the channel names the environment
variable or the file that holds it. No message repeats a value that could be one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any

from engine.columns import loosely
from engine.suggest import nearest
from sheets_algo.plugins import CHANNELS, BadPlugin, load, plugins
from sheets_algo.workbook.stores import is_file_name

NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 _-]{0,38}[A-Za-z0-9])?")
PLACEHOLDERS = ("{request}", "{war}")
NATION = "{nation}"
API_ADDRESS = re.compile(r"(https://[^\s/?#@]+|http://(127\.0\.0\.1|localhost)(:\d+)?)(/[^\s?#]*)?/api\.php")
"""The address of a wiki's api.php: encrypted, or on this machine."""
SITE_ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(:\d+)?(/[A-Za-z0-9._~%-]+)*/?")
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
Reader = Callable[[Any, Path], Any]
"""Converts the value of an option, from a folder that relative paths count from; a ValueError says what is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelKind:
    """A kind of channel, declared by an entry point of the group `sheets_algo.channels` under the name of `to`."""

    opens: str  # The factory of a channel from its `ChannelSettings`, as `package.module:name`
    needed: tuple[str, ...] = ()  # The required options
    optional: tuple[str, ...] = ()  # The optional ones, without `COMMON`
    # Options that only this kind has, each with the function that reads its value, as in `READERS`.
    own: Mapping[str, Reader] = field(default_factory=dict)


def channel_kind(to: str) -> ChannelKind:
    """Return the kind of channel with a name.

    Raises:
        BadPlugin: It cannot be loaded.
    """
    kind: ChannelKind = load(plugins(CHANNELS)[to])
    return kind


def read_channels(value: Any, folder: Path) -> tuple[ChannelSettings, ...]:
    """Return the channels of a settings file.

    Raises:
        ValueError: A channel cannot be used; the text names the channel and the option, and repeats no secret.
    """
    if not isinstance(value, list) or not all(isinstance(table, dict) for table in value):
        raise ValueError(f"this is not a list of channels. Begin each one with a line [[post]] in {_FILE}.")
    channels: dict[str, ChannelSettings] = {}
    for number, table in enumerate(value, start=1):
        channel = _channel(f"channel {number}", table, folder)
        if loosely(channel.name) in channels:
            raise ValueError(f'channel {number}: name: a channel before it is called "{channel.name}" too. Rename one.')
        channels[loosely(channel.name)] = channel
    return tuple(channels.values())


_FILE = "sheets-algo.toml"


def _channel(where: str, table: Mapping[str, Any], folder: Path) -> ChannelSettings:
    name, to = table.get("name"), table.get("to")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise ValueError(f"{where}: name: give it a name of up to 40 letters, digits, spaces, - and _.")
    where = f'channel "{name}"'
    if not isinstance(to, str) or to not in (kinds := plugins(CHANNELS)):
        raise ValueError(f"{where}: to: use {_listed(kinds)}.")
    try:
        kind = channel_kind(to)
    except BadPlugin as fault:
        raise ValueError(f"{where}: to: {fault}") from fault
    allowed = tuple(dict.fromkeys((*kind.needed, *kind.optional, *kind.own, *COMMON)))
    options: dict[str, Any] = {}
    for option, value in table.items():
        if option not in allowed:
            raise ValueError(f"{where}: {_unknown(option, allowed, to)}")
        try:
            options[option] = {**kind.own, **READERS}[option](value, folder)
        except ValueError as error:
            raise ValueError(f"{where}: {option}: {error}") from None
    if missing := [option for option in kind.needed if option not in options]:
        raise ValueError(f"{where}: {missing[0]}: a channel to {to} needs it.")
    is_secret = "secret_env" in allowed
    if is_secret and ("secret_env" in options) == ("secret_file" in options):
        raise ValueError(
            f"{where}: say once where its secret is kept: secret_env names an environment variable, secret_file a file."
        )
    if "thread" in options and (
        other := "channel" if "channel" in options else "threads" if options.get("threads") else ""
    ):
        raise ValueError(f"{where}: thread: it cannot be used with {other}. A bot takes the id of a thread as channel.")
    if "tags" in options and not options.get("threads"):
        raise ValueError(f"{where}: tags: threads of forums have tags: write threads = true too.")
    if "tags" in options and "channel" not in options and not all(tag.isdecimal() for tag in options["tags"]):
        raise ValueError(f"{where}: tags: a webhook cannot look up the names of tags: enter their ids, or use a bot.")
    of_kind = {option: options.pop(option) for option in [*options] if option not in READERS}
    return ChannelSettings(**options, own=of_kind)


def _unknown(option: str, allowed: tuple[str, ...], to: str) -> str:
    if option in ("secret", "webhook", "password", "token", "url") and "secret_env" in allowed:
        return f"{option}: a secret does not stand here: put it into a file, and name that with secret_file."
    near = nearest(option, allowed)
    hint = f'Did you mean "{near}"?' if near else f"There are {', '.join(allowed)}."
    return f'a channel to {to} has no "{option}". {hint}'


def _listed(values: Mapping[str, Any]) -> str:
    *others, last = values
    return f"{', '.join(others)} or {last}" if others else last


def _text(value: Any, folder: Path) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("enter a text.")
    return value


def _texts(value: Any, folder: Path) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(item, str) and item for item in value):
        raise ValueError('enter a list of texts as ["...", "..."].')
    return tuple(value)


def workbook_in(name: str, folder: Path) -> str:
    """Return a path in a settings file as relative to that file; a URL stays as it is."""
    return str(folder / Path(name).expanduser()) if is_file_name(name) else name


def _workbooks(value: Any, folder: Path) -> tuple[str, ...]:
    return tuple(workbook_in(name, folder) for name in _texts(value, folder))


def _yes_or_no(value: Any, folder: Path) -> bool:
    if not isinstance(value, bool):
        raise ValueError("enter true or false.")
    return value


def _variable(value: Any, folder: Path) -> str:
    if not isinstance(value, str) or not VARIABLE.fullmatch(value):
        raise ValueError("enter the name of an environment variable, such as WAR_ROOM_SECRET, not the secret itself.")
    return value


def _digits(value: Any, folder: Path) -> str:
    if not isinstance(value, str) or not re.fullmatch("[0-9]{1,25}", value):
        raise ValueError('enter the id as text: "1234567890".')
    return value


def _tags(value: Any, folder: Path) -> tuple[str, ...]:
    if len(tags := _texts(value, folder)) > TAGS_MOST:
        raise ValueError(f"enter at most {TAGS_MOST} tags.")
    return tags


def _template(value: Any, folder: Path) -> Path:
    return folder / Path(_text(value, folder)).expanduser()


def _site(value: Any, folder: Path) -> str:
    if not isinstance(value, str) or not SITE_ADDRESS.fullmatch(value):
        raise ValueError("enter the address of the site's folder, as https://wars.example.org/season-3.")
    return value.rstrip("/")


def _api(value: Any, folder: Path) -> str:
    if not isinstance(value, str) or not API_ADDRESS.fullmatch(value):
        raise ValueError("enter the address of the wiki's api.php, as https://wiki.example.org/w/api.php.")
    return value


def _page(value: Any, folder: Path) -> str:
    title = _text(value, folder)
    left = title
    for name in PLACEHOLDERS:
        left = left.replace(name, "")
    if left != title and not left.strip(" -"):
        raise ValueError("enter a title with words of its own before {request} or {war}: Wars/{request}.")
    if re.search(r"[#<>\[\]|{}\n]", left):
        raise ValueError("enter the title of a page; of the signs { and } only {request} and {war} can be used.")
    return title


def _nation_page(value: Any, folder: Path) -> str:
    title = _text(value, folder)
    left = title.replace(NATION, "")
    if left == title or re.search(r"[#<>\[\]|{}\n]", left):
        raise ValueError("enter a title with {nation} in it, such as {nation} or Nations/{nation}.")
    return title


def _word(value: Any, folder: Path) -> str:
    word = _text(value, folder)
    if re.search(r"[#<>\[\]|{}=\n]", word):
        raise ValueError("enter the name of a template or a parameter, without braces.")
    return word.strip()


def _file(value: Any, folder: Path) -> Path:
    if not isinstance(value, str) or not value.strip() or "://" in value or "\n" in value:
        raise ValueError("enter the path of a file that holds the secret, not the secret itself.")
    return folder / Path(value).expanduser()


TAGS_MOST = 5
"""Maximum number of tags of a thread."""
COMMON = ("name", "to", "workbooks", "rulesets", "motives", "undos", "odds", "site", "template")
"""Options of every channel."""


def _option(read: Reader, default: Any = MISSING) -> Any:
    """Declare an option of a channel: the reader of its value, and its default."""
    return field(default=default, metadata={"read": read})


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelSettings:
    """One channel of the setting `[[post]]`."""

    name: str = _option(_text)  # Its name in the tab Posts
    to: str = _option(_text)  # The name of its kind
    rulesets: tuple[str, ...] = _option(_texts, ())  # The rulesets whose receipts are posted; empty for all
    motives: tuple[str, ...] = _option(_texts, ())  # The motives of the wars whose receipts are posted; empty for all
    # The workbooks whose receipts are posted, files and addresses; empty for all.
    workbooks: tuple[str, ...] = _option(_workbooks, ())
    undos: bool = _option(_yes_or_no, True)  # True if a ruling that is undone is corrected
    odds: bool = _option(_yes_or_no, False)  # True if a war is announced with its odds when they are ready
    replay: bool = _option(_yes_or_no, False)  # True if the replay page is attached
    # True if a ruling that changes who holds land is posted with the map of the game in place of that of its battle.
    map: bool = _option(_yes_or_no, False)
    # The address of the season's site, to whose page of the war a post links; blank for no link.
    site: str = _option(_site, "")
    # The template of a post's text; None for the receipt.
    template: Path | None = _option(_template, None)
    secret_env: str = _option(_variable, "")  # The environment variable that holds the secret; blank if a file holds it
    # The file that holds the secret; None if an environment variable holds it.
    secret_file: Path | None = _option(_file, None)
    command: tuple[str, ...] = _option(_texts, ())  # The program that is given each post, with its arguments
    thread: str = _option(_digits, "")  # The id of a thread of Discord; blank for the channel itself
    threads: bool = _option(_yes_or_no, False)  # True if each war has a thread of Discord of its own
    standing: bool = _option(_yes_or_no, False)  # True if the channel has a message with the standings
    # The tags of a forum that its threads get, by name; of a webhook, which cannot look them up, by id.
    tags: tuple[str, ...] = _option(_tags, ())
    channel: str = _option(_digits, "")  # The id of a channel of Discord to which a bot posts; blank for a webhook
    address: str = _option(_api, "")  # The address of a wiki's api.php
    user: str = _option(_text, "")  # The name of a bot password: `Account@name`
    # The title of the page to which receipts are added; of a page for each with `{request}` or `{war}` in it.
    page: str = _option(_page, "")
    bot: bool = _option(_yes_or_no, True)  # True if the account must have the right `bot`
    picture: bool = _option(_yes_or_no, False)  # True if the map of a battle is uploaded to the wiki
    # The title of a nation's page on the wiki, with `{nation}` in it; blank if none is updated.
    nation_page: str = _option(_nation_page, "")
    nation_template: str = _option(_word, "Nation")  # The name of the template on it
    nation_stability: str = _option(_word, "stability")  # Its parameter for the nation's Stability
    nation_war: str = _option(_word, "last war")  # Its parameter for the last war
    own: Mapping[str, Any] = field(default_factory=dict)  # The values of the options that only its kind has
    hidden: frozenset[str] = frozenset()  # The environment variables that hold secrets of channels

    @property
    def is_page_each(self) -> bool:
        """Return True if each receipt has a page of its own."""
        return any(name in self.page for name in PLACEHOLDERS)


READERS: Mapping[str, Reader] = {
    declared.name: declared.metadata["read"] for declared in fields(ChannelSettings) if declared.metadata
}
"""Reader of the value of each option."""
