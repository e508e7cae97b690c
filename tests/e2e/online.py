"""A moderator whose spreadsheet lies at Google, played by the local server; the program is the installed one."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from openpyxl.utils import get_column_letter

from scripts.support.moderator import Moderator, Said
from scripts.support.patience import PATIENCE_S, wait_until
from scripts.support.sheets_server import LocalSheets
from scripts.support.warm_start import WarmProcess
from scripts.support.workbooks import SECRET, grids
from sheets_algo.runtime.session import season_secret

URL = "https://docs.google.com/spreadsheets/d/{}/edit#gid=0"
WARS = "War Requests"


@dataclass(frozen=True, slots=True)
class Online:
    """A folder with a key, and a server."""

    moderator: Moderator
    server: LocalSheets
    url: str = ""

    def make(
        self, rows: Mapping[str, Sequence[Mapping[str, Any]]], title: str = "Season", *, begins: bool = True
    ) -> str:
        """A spreadsheet that a person filled in and shared, with or without a season that has begun; its id."""
        tabs = grids(rows)
        if not begins:
            del tabs["Receipts"]
        id = self.server.make(title, tabs)
        if begins:
            season_secret.keep(self.moderator.folder / "state" / id, SECRET)
        return id

    @property
    def newcomer(self) -> Online:
        """The same with the shipped numbers and example, as after an installation."""
        return replace(self, moderator=replace(self.moderator, config=None))

    def types(self, *words: str | Path, **more: str) -> Said:
        """Run a command."""
        return self.moderator.types(*words, **(self.environment | more))

    def watches(self, *words: str, **more: str) -> AbstractContextManager[Watching]:
        """A watcher of spreadsheets."""
        return watching(self.moderator, words, self.environment | more)

    @property
    def environment(self) -> dict[str, str]:
        """What makes the program talk to the server."""
        return {
            "SHEETS_ALGO_API_URL": self.url or self.server.url,
            "SHEETS_ALGO_CREDENTIALS": str(self.server.key_file(self.moderator.folder)),
            "SHEETS_ALGO_FOLDER": "state",
        }

    def column(self, id: str, header: str, tab: str = WARS) -> list[Any]:
        """What stands below a header now."""
        heads, *rows = self.server.tab(id, tab)
        place = heads.index(header)
        return [row[place] if place < len(row) else "" for row in rows]

    def tick(self, id: str, request: str, ready: bool = True) -> None:
        """A person ticks Ready, or removes the tick."""
        heads, *rows = self.server.tab(id, WARS)
        row = [cells[0] for cells in rows].index(request) + 2
        letter = chr(ord("A") + heads.index("Ready"))
        self.server.type(id, f"'{WARS}'!{letter}{row}", [[ready]])

    def set(self, id: str, tab: str, row: int, header: str, value: Any) -> None:
        """A person types into a cell."""
        letter = get_column_letter(self.server.tab(id, tab)[0].index(header) + 1)
        self.server.type(id, f"'{tab}'!{letter}{row}", [[value]])

    def rulings(self, id: str) -> list[str]:
        """The requests that have a receipt, in the order of their receipts."""
        heads, *rows = self.server.tab(id, "Receipts")
        kind, request = heads.index("Kind"), heads.index("Request")
        return [row[request] for row in rows if row[kind] == "Ruling"]


@contextmanager
def nobody_there() -> Iterator[str]:
    """An address at which nobody answers; its port is taken, so that no other server gets it."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


@contextmanager
def watching(moderator: Moderator, words: Sequence[str], environment: Mapping[str, str]) -> Iterator[Watching]:
    """A watcher in a process of its own, every two seconds; killed at the end if it still lives."""
    out = moderator.folder / f"watch-{len([*moderator.folder.glob('watch-*.txt')]) + 1}.txt"
    process = moderator.starts(["watch", "--interval", "2", *words], environment, out, out)
    try:
        yield Watching(process, out)
    finally:
        process.kill()
        process.wait()


@dataclass(frozen=True, slots=True)
class Watching:
    """A running watcher and what it says."""

    process: WarmProcess | subprocess.Popen[bytes]
    out: Path

    @property
    def lines(self) -> list[str]:
        """Sentences so far, without their times."""
        return [line.partition(" ")[2] for line in self._whole_lines()]

    @property
    def objects(self) -> list[dict[str, Any]]:
        """Of `--log-json`."""
        return [json.loads(line) for line in self._whole_lines()]

    def _whole_lines(self) -> list[str]:
        """All lines but one that is just being written."""
        return self.out.read_text().rpartition("\n")[0].splitlines()

    def hears(self, words: str) -> str:
        """Wait for a line with these words."""
        found: list[str] = []

        def is_said() -> bool:
            found[:] = [line for line in self.lines if words in line]
            return bool(found)

        self.until(is_said)
        return found[0]

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds."""

        def is_so() -> bool:
            if holds():
                return True
            assert self.process.poll() is None, f"it ended ({self.process.poll()}): {self.out.read_text()}"
            return False

        wait_until(is_so, lambda: f"it says: {self.out.read_text()}")

    def stops(self, number: int = signal.SIGTERM) -> int:
        """Send a signal; the exit code."""
        self.process.send_signal(number)
        return self.process.wait(timeout=PATIENCE_S)
