"""Commands that a page or a file tells people to type: found in it, and parsed as the command line does."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click

from sheets_algo.cli import main

PROGRAM = "sheets-algo"
ADDRESS = "https://docs.google.com/spreadsheets/d/1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUvWxYz1066hAsT/edit#gid=0"
"""The address that replaces each URL of a page."""
ENDS = {"|", "||", "&&", ">", ">>", "<", ";", "&"}
OTHER_USES = ("systemctl", "journalctl", "docker build", "docker logs", "docker stop")
"""Lines in which the program's name is that of a unit or an image."""


def commands_on(page: Path) -> Iterator[tuple[str, ...]]:
    """Yield every command line of the program in a page's blocks, tables and sentences, without the program's name."""
    text = page.read_text(encoding="utf-8")
    lines = [line for block in re.findall(r"^```\w*\n(.*?)^```$", text, re.M | re.S) for line in block.splitlines()]
    lines += re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))
    for line in lines:
        if PROGRAM in line and not line.startswith(OTHER_USES):
            yield from commands(line)


def commands(line: str) -> Iterator[tuple[str, ...]]:
    """Yield the program's command lines in one line of shell."""
    try:
        words = shlex.split(line.removeprefix("$ "), comments=True)
    except ValueError:  # a message of the program, with an apostrophe
        return
    for at, word in enumerate(words):
        follows = words[at + 1 :]
        if (word == PROGRAM or word.endswith(f"/{PROGRAM}")) and follows:
            end = next((place for place, word in enumerate(follows) if word in ENDS), len(follows))
            yield tuple(follows[:end])


def read(words: tuple[str, ...], folder: Path) -> None:
    """Parse words as the command line does in `folder`; carry out nothing.

    Raises:
        AssertionError: The command line refuses the words.
    """
    address = {"URL": ADDRESS, "$SPREADSHEET": ADDRESS, "${SPREADSHEET}": ADDRESS}
    name, *rest = (address.get(word, word) for word in words)
    if name.startswith("-"):
        assert name in ("--help", "--version"), f"no option {name}"
        return
    assert name in main.commands, f"no command {name}"
    if not rest:
        return  # a sentence about the command
    for word in rest:
        if word.startswith("my-"):
            (folder / word).mkdir(exist_ok=True)
    try:
        with click.Context(main, info_name=PROGRAM) as parent:
            main.commands[name].make_context(name, list(rest), parent=parent)
    except click.ClickException as error:
        raise AssertionError(f"{PROGRAM} {shlex.join(words)}: {error.format_message()}") from error
