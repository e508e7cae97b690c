"""A live board in a process of its own, and a client that sends what no browser would send."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from scripts.support.moderator import Moderator
from scripts.support.patience import PATIENCE_S, wait_until
from scripts.support.warm_start import WarmProcess


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def data(self) -> Any:
        return json.loads(self.text)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.text.splitlines()]


@dataclass(slots=True)
class Served:
    """A board that is served, and the key of the tab that has opened it."""

    process: WarmProcess | subprocess.Popen[bytes]
    address: str
    key: str = ""

    @property
    def host(self) -> str:
        return urlsplit(self.address).netloc

    def asks(self, method: str, path: str, body: Any = None, **more: str | None) -> Answer:
        """Send a request as the page does; `more` are other headers, with `_` for `-`, or None to leave one out."""
        headers = {"Host": self.host, "X-Board-Key": self.key, "Sec-Fetch-Site": "same-origin"}
        headers |= {"Content-Type": "application/json"} if method == "POST" else {}
        for name, value in more.items():
            header = "-".join(word.capitalize() for word in name.split("_"))
            headers.pop(header, None)
            headers |= {} if value is None else {header: value}
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE_S)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            content = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
            for name, value in (headers | {"Content-Length": str(len(content))}).items():
                connection.putheader(name, value)
            connection.endheaders(content)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, found, answer.read().decode())
        finally:
            connection.close()

    @property
    def token(self) -> str:
        """Token in the first address."""
        return urlsplit(self.address).fragment.partition("=")[2]

    def opens(self) -> Answer:
        """Open the board, as the page at the first address does."""
        answer = self.asks("POST", "/open", x_board_token=self.token)
        if answer.status == 200:
            self.key = answer.data["key"]
        return answer

    def board(self, request: str) -> Any:
        """Return the data of a board."""
        answer = self.asks("GET", f"/board?request={request}")
        assert answer.status == 200, answer
        return answer.data

    def saves(self, request: str, side: str, rows: Sequence[Sequence[Any]], version: str) -> Answer:
        return self.asks("POST", "/rows", {"request": request, "side": side, "rows": rows, "version": version})


def rows_of(board: Any, side: int, **changes: Any) -> list[list[Any]]:
    """Return the rows of an army of a board, the first flank with other values."""
    names = ("label", "x", "y", "infantry", "cavalry", "artillery", "ships", "maneuver")
    own = board["sides"][side]
    flanks = [dict(flank) for flank in own["flanks"]]
    flanks[0] |= changes
    army = [own["military"]] if own["military"] else []
    return [[board["request"]["id"], own["name"], *(flank[name] for name in names), *army] for flank in flanks]


@contextmanager
def served(moderator: Moderator, workbook: str, *words: str, **more: str) -> Iterator[Served]:
    """Serve the boards of a workbook; the server is stopped as by Ctrl+C, and has to end well."""
    out, err = moderator.folder / "board.txt", moderator.folder / "board-errors.txt"
    process = moderator.starts(["board", workbook, *words, "--no-browser"], more, out, err)
    try:

        def is_served() -> bool:
            assert process.poll() is None, err.read_text()
            return "http" in (out.read_text() if out.exists() else "")

        wait_until(is_served, err.read_text)
        yield Served(process, next(line for line in out.read_text().splitlines() if line.startswith("http")))
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PATIENCE_S) == 0, err.read_text()
        assert "Traceback" not in err.read_text()
    finally:
        process.kill()
        process.wait()
