"""The live demo of scripts/demo: a local spreadsheet server, a person, a watcher. Standard library only."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DEVELOPERS_BIN = ROOT / ".venv" / "bin"
TAB = "War Requests"
PATIENCE_S = 60.0
FIRST, SECOND = "Hastings", "Manzikert"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
SETTINGS = """\
credentials = "key.json"
folder = "."
interval = 2
workbooks = ["{address}"]
"""


class NotHappened(Exception):
    """Raised when a step does not happen within a minute; the text is a sentence."""


def play(folder: Path, bin: Path = DEVELOPERS_BIN) -> int:
    """Play the demo in a new folder; return 0 on success, else 1 after a sentence on stderr.

    Args:
        folder: The folder, which is made anew.
        bin: The folder with the installed command and its Python.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        with server(folder, bin) as url:
            story(url, folder, bin)
    except NotHappened as error:
        print(f"\nscripts/demo: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def story(url: str, folder: Path, bin: Path) -> None:
    """Play from an empty spreadsheet to receipts.

    Raises:
        NotHappened: A step did not happen.
    """
    account = json.loads((folder / "key.json").read_text(encoding="utf-8"))["client_email"]
    sheet = Sheet(url, str(ask(f"{url}/_control/spreadsheets", {"title": "1066"})["id"]))
    (folder / "sheets-algo.toml").write_text(SETTINGS.format(address=sheet.address), encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SHEETS_ALGO_")}
    program = Program(bin / "sheets-algo", folder, environment | {"SHEETS_ALGO_API_URL": url})

    say(f"A server that answers as Google Sheets does runs on this computer: {url}. Nothing leaves it.")
    say(f"Somebody has made an empty spreadsheet, 1066, and shared it with the program's account:\n{account}")
    say("The program sets up its tabs, with five wars as examples:")
    program.run("init", sheet.address)
    ready = sheet.column("Ready")
    sheet.type(f"{ready}2:{ready}{len(sheet.rows)}", [[False]] * (len(sheet.rows) - 1))

    say("It watches, as it would on a computer that is always on. Lines of the watcher begin with a bar:")
    with program.watching() as watcher:
        watcher.until("Watched every", "The watcher did not begin to watch")
        say(f"No war is ready. Somebody ticks Ready beside {FIRST}.")
        seconds = sheet.tick(FIRST, "Done")
        watcher.until(f"({FIRST}", f"The watcher did not tell of {FIRST}")
        say(f"{seconds:.1f} seconds later the row says Done. The receipt, in wiki markup:\n\n{sheet.receipt(FIRST)}")

        say(f"Somebody misspells the defender of {SECOND}, and ticks Ready.")
        right = sheet.cell(SECOND, "Defender")
        sheet.write(SECOND, "Defender", right[:-1])
        sheet.tick(SECOND, "Invalid")
        watcher.until("is refused", f"The watcher did not tell of {SECOND}")
        say(f"Nothing is guessed. The row says Invalid, and in Message:\n{sheet.cell(SECOND, 'Message')}")
        say("The name is mended; nothing else has to be done.")
        sheet.write(SECOND, "Defender", right)
        sheet.until(SECOND, "Done")
        watcher.until(f"({SECOND}", f"The watcher did not tell of {SECOND}")
        say(f"The row says Done: {sheet.cell(SECOND, 'Message').splitlines()[0]}")

        say("The watcher is told to stop. (Killed in the middle of a war, it would have done no harm.)")
        watcher.stop()

    say("Are the receipts what the inputs and the season secret give? They are computed again:")
    program.run("verify", sheet.address)
    (folder / "1066.xlsx").write_bytes(sheet.download())
    say("What it left behind:")
    for what, pattern in PLACES:
        for path in sorted(folder.glob(pattern)):
            print(f"{what:13}{os.path.relpath(path)}")
    print("\nWith a spreadsheet of yours at Google: docs/google.md")


PLACES = (
    ("its values", "1066.xlsx"),
    ("map picture", "*/pictures/*.png"),
    ("log", "*/logs/*.txt"),
    ("settings", "sheets-algo.toml"),
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """Spreadsheet as a person sees it, without Google's limits."""

    url: str
    id: str

    @property
    def address(self) -> str:
        """Return the address that a browser shows."""
        return f"https://docs.google.com/spreadsheets/d/{self.id}/edit"

    @property
    def rows(self) -> list[list[Any]]:
        """Return the header and the rows of requests that have a war."""
        header, *rows = self.tab(TAB)
        war = header.index("War")
        return [header, *(row for row in rows if len(row) > war and row[war])]

    def tab(self, title: str) -> list[list[Any]]:
        """Return all values of a tab."""
        found: list[list[Any]] = ask(f"{self.url}/_control/tab/{self.id}", {"title": title})["values"]
        return found

    def column(self, header: str) -> str:
        """Return the letter of a column."""
        return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[self.rows[0].index(header)]

    def row(self, war: str) -> int:
        """Return the number of a war's row, from 1."""
        return next(number for number, row in enumerate(self.rows, 1) if war in row[self.rows[0].index("War")])

    def cell(self, war: str, header: str) -> str:
        """Return the text of a cell."""
        row, place = self.rows[self.row(war) - 1], self.rows[0].index(header)
        return str(row[place]) if place < len(row) else ""

    def type(self, cells: str, values: list[list[Any]]) -> None:
        """Type values into a range of the tab of requests."""
        ask(f"{self.url}/_control/user/{self.id}", {"range": f"'{TAB}'!{cells}", "values": values})

    def write(self, war: str, header: str, value: Any) -> None:
        """Type a value into one cell."""
        self.type(f"{self.column(header)}{self.row(war)}", [[value]])

    def tick(self, war: str, status: str) -> float:
        """Tick Ready and wait for a status; return the seconds it took."""
        start = time.monotonic()
        self.write(war, "Ready", True)
        self.until(war, status)
        return time.monotonic() - start

    def until(self, war: str, status: str) -> None:
        """Wait until the row shows a status."""

        def failed() -> str:
            return f'{war} is not {status}: its Status is "{self.cell(war, "Status")}"'

        wait(lambda: self.cell(war, "Status") == status, failed)

    def receipt(self, war: str) -> str:
        """Return the wiki text of a war's receipt."""
        header, *rows = self.tab("Receipts")
        return next(str(row[header.index("Receipt")]) for row in rows if war in str(row[header.index("War")]))

    def download(self) -> bytes:
        """Download the spreadsheet as a file of Microsoft Excel."""
        address = f"{self.url}/drive/v3/files/{self.id}/export?mimeType={XLSX}"
        request = urllib.request.Request(address, headers={"Authorization": "Bearer somebody"})
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return bytes(answer.read())


@dataclass(frozen=True, slots=True)
class Program:
    """The installed command, called in a folder."""

    path: Path
    folder: Path
    environment: dict[str, str]

    def run(self, *words: str) -> None:
        """Print the command, run it and let it print.

        Raises:
            NotHappened: It failed; its own message is shown.
        """
        print(f"$ sheets-algo {' '.join(words)}", flush=True)
        done = subprocess.run([self.path, *words], cwd=self.folder, env=self.environment, check=False)
        if done.returncode:
            raise NotHappened(f"sheets-algo {words[0]} ended with exit code {done.returncode}.")

    @contextmanager
    def watching(self) -> Iterator[Watcher]:
        """Run a watcher in a process of its own within the context."""
        print("$ sheets-algo watch", flush=True)
        command = [self.path, "watch", "--heartbeat", "heartbeat.json"]
        with subprocess.Popen(
            command, cwd=self.folder, env=self.environment, stderr=subprocess.PIPE, encoding="utf-8", errors="replace"
        ) as process:
            watcher = Watcher(process)
            try:
                yield watcher
            finally:
                terminate(process)
                watcher._reader.join()


@dataclass(slots=True)
class Watcher:
    """Running `sheets-algo watch`, whose lines are printed as they come."""

    process: subprocess.Popen[str]
    lines: list[str] = field(default_factory=list)
    _reader: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.append(line)
            print(f"  | {line}", end="", flush=True)

    def until(self, words: str, failure: str) -> None:
        """Wait until a line contains some words."""
        wait(lambda: any(words in line for line in self.lines), lambda: failure, self.process)

    def stop(self) -> None:
        """Stop the watcher with SIGTERM.

        Raises:
            NotHappened: It did not end, or ended with an error.
        """
        self.process.send_signal(signal.SIGTERM)
        wait(lambda: self.process.poll() is not None, lambda: "The watcher did not stop")
        if self.process.returncode:
            raise NotHappened(f"The watcher ended with exit code {self.process.returncode}.")


@contextmanager
def server(folder: Path, bin: Path) -> Iterator[str]:
    """Run the server in a process of its own within the context; yield its address."""
    command = [bin / "python", ROOT / "scripts" / "sheets_server.py", "--port", "0", "--key", folder / "key.json"]
    log = folder / "server.log"
    with log.open("w") as stream:
        process = subprocess.Popen(command, stdout=stream, stderr=subprocess.STDOUT)
    try:
        wait(lambda: log.read_text().startswith("http"), lambda: f"The server did not start; see {log}", process)
        yield log.read_text().split()[0]
    finally:
        terminate(process)


def terminate(process: subprocess.Popen[Any]) -> None:
    """Terminate a process and wait for its end."""
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def wait(
    has_happened: Callable[[], bool], failure: Callable[[], str], process: subprocess.Popen[Any] | None = None
) -> None:
    """Wait until something has happened.

    Raises:
        NotHappened: A minute is over, or the process that was to do it has ended.
    """
    until = time.monotonic() + PATIENCE_S
    while not has_happened():
        if time.monotonic() > until:
            raise NotHappened(f"{failure()} after {PATIENCE_S:.0f} seconds.")
        if process is not None and process.poll() is not None and not has_happened():
            raise NotHappened(f"{failure()}; it ended with exit code {process.returncode}.")
        time.sleep(0.1)


def ask(url: str, body: dict[str, Any]) -> dict[str, Any]:
    """POST to the control interface of the server and return its answer.

    Raises:
        NotHappened: The server refuses.
    """
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            content: dict[str, Any] = json.load(answer)
            return content
    except urllib.error.HTTPError as error:
        raise NotHappened(f"The server refuses {url}: {error.read().decode()}") from error


def say(text: str) -> None:
    """Print one step of the demo."""
    print(f"\n{text}", flush=True)
