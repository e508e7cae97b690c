"""A local Sheets server for tests: on a free port, in a thread or in a process of its own."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import requests
from localsheets.desk import Desk
from localsheets.server import Server
from localsheets.store import ROBOT, File
from requests.adapters import HTTPAdapter

from scripts.support.patience import PATIENCE_S, wait_until

MADE_UP = {"Authorization": "Bearer made-up"}
"""A token that a server takes for the usual account's, unless it is strict."""

SCRIPT = Path(__file__).parents[1] / "sheets_server.py"


class LocalSheets:
    """Start it with `with`; steer it through `/_control`, which is never counted.

    Args:
        process: A real process, started as a person would, instead of a thread.
        options: Of `scripts/sheets_server.py`, for a process.

    Attributes:
        url: `http://127.0.0.1:4711`
        desk: What is inside, in a thread of this process.
    """

    def __init__(self, *, process: bool = False, options: Sequence[str] = ()) -> None:
        self.url = ""
        self._in_process = process
        self._options = list(options)
        self._steering = requests.Session()
        self._steering.trust_env = False

    def __enter__(self) -> Self:
        if self._in_process:
            command = [sys.executable, str(SCRIPT), "--port", "0", *self._options]
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert self._process.stdout is not None
            self.url = self._process.stdout.readline().strip()
            if not self.url:
                self._process.communicate(timeout=PATIENCE_S)
                raise RuntimeError("the server did not start; its stderr says why")
        else:
            self.desk = Desk()
            server = Server(self.desk)
            self.url = server.url
            threading.Thread(target=server.run, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(requests.ConnectionError):  # a test has ended it already
            self.control("shutdown", {})
        self._steering.close()
        if self._in_process:  # a thread ends by itself
            with self._process:
                self._process.wait(PATIENCE_S)

    def control(self, path: str, body: Any = None, method: str | None = None) -> Any:
        """POST a body to `/_control/<path>`, GET without one, or another method; the answer.

        Raises:
            AssertionError: The server refused it.
        """
        method = method or ("GET" if body is None else "POST")
        said = self._steering.request(method, f"{self.url}/_control/{path}", json=body, timeout=PATIENCE_S)
        assert said.ok, said.text
        return said.json()

    def key(self, email: str = ROBOT, token_uri: str | None = None) -> dict[str, Any]:
        """A made-up service account."""
        key: dict[str, Any] = self.control("key", {"email": email, "token_uri": token_uri or f"{self.url}/token"})
        return key

    def key_file(self, folder: Path, email: str = ROBOT) -> Path:
        """A new key of its, as a file that is there as a whole for whoever reads it meanwhile."""
        path = folder / f"{email.partition('@')[0]}.json"
        with tempfile.TemporaryDirectory(dir=folder) as name:
            new = Path(name) / path.name
            new.touch(mode=0o600)
            new.write_text(json.dumps(self.key(email)), encoding="utf-8")
            new.replace(path)
        return path

    def make(
        self, title: str, tabs: Mapping[str, Sequence[Sequence[Any]]] | None = None, shares: Sequence[str] = (ROBOT,)
    ) -> str:
        """A person's spreadsheet, shared as editor; its id."""
        made = self.control("spreadsheets", {"title": title, "tabs": tabs or {}, "shares": list(shares)})
        return str(made["id"])

    def copy(self, id: str) -> str:
        """Copy a spreadsheet as File > Make a copy does, with its shares; return the id of the copy."""
        said = self._steering.post(f"{self.url}/drive/v3/files/{id}/copy", json={}, headers=MADE_UP, timeout=PATIENCE_S)
        assert said.ok, said.text
        return str(said.json()["id"])

    def files(self) -> dict[str, File]:
        """A copy of all files as they are now, of a server in this process; `put_back` brings them back."""
        return {id: _copied(file) for id, file in self.desk.store.files.items()}

    def put_back(self, files: Mapping[str, File]) -> None:
        """Bring back the files that there were."""
        self.desk.store.files = {id: _copied(file) for id, file in files.items()}

    def download(self, id: str) -> bytes:
        """Return a spreadsheet as an XLSX file, as File > Download does."""
        asked = {"mimeType": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}
        address = f"{self.url}/drive/v3/files/{id}/export"
        said = self._steering.get(address, params=asked, headers=MADE_UP, timeout=PATIENCE_S)
        assert said.ok, said.text
        return said.content

    def tab(self, id: str, title: str, render: str = "UNFORMATTED_VALUE") -> list[list[Any]]:
        """The values of a tab as they are now."""
        rows: list[list[Any]] = self.control(f"tab/{id}", {"title": title, "render": render})["values"]
        return rows

    def tabs(self, id: str) -> dict[str, int]:
        """Title to sheet id, in order."""
        found: dict[str, int] = self.control(f"tabs/{id}")
        return found

    def show(self, id: str, **asked: Any) -> dict[str, Any]:
        """spreadsheets.get past the counters: `ranges`, `include_grid_data`, `fields`."""
        said: dict[str, Any] = self.control(f"show/{id}", asked)
        return said

    def user(self, id: str, requests: Sequence[Mapping[str, Any]], **when: Any) -> Any:
        """A batchUpdate as a person; now, or with `before_request=k`, `after_request=k`, `match=…`."""
        return self.control(f"user/{id}", {"requests": list(requests), **when})

    def type(self, id: str, range: str, values: Sequence[Sequence[Any]], **when: Any) -> Any:
        """Typed by a person; `when` as of `user`."""
        return self.control(f"user/{id}", {"range": range, "values": [list(row) for row in values], **when})

    def fault(self, kind: str, **how: Any) -> None:
        """Script one: `at=k`, `every=k`, `probability=p`, `match=…`, `when="after"`, `times=n`."""
        self.control("faults", {"kind": kind, **how})

    def clear_faults(self) -> None:
        """Nothing goes wrong from now on."""
        self.control("faults", method="DELETE")

    def counters(self) -> dict[str, dict[str, int]]:
        """Requests by kind, by path, by status; bytes."""
        found: dict[str, dict[str, int]] = self.control("counters")
        return found

    def count(self, kind: str) -> int:
        """Requests of a kind since the last reset."""
        return self.counters()["kinds"].get(kind, 0)

    def reset_counters(self) -> None:
        """Count anew."""
        self.control("counters", {})

    def log(self, after: int = 0) -> list[dict[str, Any]]:
        """The requests so far."""
        found: list[dict[str, Any]] = self.control(f"log?after={after}")
        return found

    def hold(self, **which: Any) -> int:
        """Let a request wait: `at=k`, `match=…`, `when="before"|"after"`; its number, for `caught` and `release`."""
        return int(self.control("hold", which)["hold"])

    def caught(self, number: int, seconds: float = PATIENCE_S / 2) -> int | None:
        """Wait until one is held; which request it is."""
        found: int | None = self.control(f"hold/{number}?seconds={seconds}")["caught"]
        return found

    def release(self, number: int | None = None) -> None:
        """Let one go, or all."""
        self.control("release", {} if number is None else {"hold": number})

    def advance(self, seconds: float) -> None:
        """Move the server's clock."""
        self.control("clock", {"advance": seconds})

    def wait_for(self, requests: int) -> None:
        """Until so many requests have come in since the start."""
        wait_until(lambda: self.log(after=requests - 1), lambda: f"request {requests} did not come")


class AsGoogle(HTTPAdapter):
    """Carries requests for Google's hosts to a local server: mount it on a session, `session.mount("https://", …)`."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        """Send it there, path and all."""
        parts = urlsplit(request.url or "")
        request.url = self._url + parts.path + (f"?{parts.query}" if parts.query else "")
        return super().send(request, *args, **options)


def _copied(file: File) -> File:
    spreadsheet = file.spreadsheet.copy(file.id, file.title) if file.spreadsheet else None
    permissions = [{**permission} for permission in file.permissions]
    return replace(file, spreadsheet=spreadsheet, parents=[*file.parents], permissions=permissions)
