"""A host of a beacon on this machine, which can be told to fail."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from localbeacon.chain import SigningChain, round_of

FAULTS = {
    "late": "rounds come a minute late",
    "wrong": "the randomness is not the SHA-256 of the signature",
    "other": "another round is given than was asked for",
    "lying": "the signature is that of another round, with its randomness",
    "chain": "the host signs with another key, and says so",
    "silent": "no answer comes",
    "reset": "the connection ends without an answer",
    "half": "half of an answer comes",
    "500": "an error is answered",
    "page": "a web page is answered, as by a Wi-Fi that wants a login",
}
"""Faults that a host can be told to have."""
LATE_S = 60


@dataclass
class LocalBeacon:
    """A host of a beacon.

    Args:
        chain: Its rounds.
        now: Returns the time in Unix seconds.
        fault: One of `FAULTS`, blank for none.
        port: Its port; 0 for any.
        silence_s: The longest time of a request that gets no answer, in seconds.
        asked: The paths that were asked for.
    """

    chain: SigningChain = field(default_factory=SigningChain)
    now: Callable[[], float] = time.time
    fault: str = ""
    port: int = 0
    silence_s: float = 30.0
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._http = ThreadingHTTPServer(("127.0.0.1", self.port), _handler(self))
        self._http.daemon_threads = True
        self._released = threading.Event()
        self._other = SigningChain(f"not {self.chain.seed}", self.chain.genesis_time, self.chain.period, "another")

    @property
    def url(self) -> str:
        """Return its address."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> LocalBeacon:
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._released.set()
        self._http.shutdown()
        self._http.server_close()

    def serve(self) -> None:
        """Serve until interrupted."""
        self._http.serve_forever()

    def wait_in_silence(self) -> None:
        """Wait as long as a request gets no answer."""
        self._released.wait(self.silence_s)

    def answer(self, path: str) -> dict[str, Any] | None:
        """Return the answer to a path, None if there is none."""
        chain = self._other if self.fault == "chain" else self.chain
        match path.strip("/").split("/"):
            case [hash, "info"] if hash == self.chain.hash:
                return chain.info()
            case [hash, "public", name] if hash == self.chain.hash:
                latest = chain.latest(self.now() - (LATE_S if self.fault == "late" else 0))
                number = latest if name in ("latest", "0") else int(name) if name.isdecimal() else 0
                return self._round(chain, number) if 1 <= number <= latest else None
        return None

    def _round(self, chain: SigningChain, number: int) -> dict[str, Any]:
        match self.fault:
            case "wrong":
                return chain.round(number) | {"randomness": chain.round(number + 1)["randomness"]}
            case "other":
                return chain.round(number + 1)
            case "lying":
                return round_of(number, chain.signature(number + 1))
        return chain.round(number)


def _handler(beacon: LocalBeacon) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            beacon.asked.append(self.path)
            if beacon.fault == "silent":
                beacon.wait_in_silence()
            if beacon.fault in ("silent", "reset"):
                self.close_connection = True
                return
            status, content = self._answered()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if beacon.fault == "half" else content)
            self.close_connection = True

        def do_POST(self) -> None:
            """Set the fault: `POST /_control/fault` with its name as text, nothing for none."""
            name = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            is_known = self.path == "/_control/fault" and name in ("", *FAULTS)
            beacon.fault = name if is_known else beacon.fault
            self.send_response(HTTPStatus.OK if is_known else HTTPStatus.BAD_REQUEST)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def _answered(self) -> tuple[HTTPStatus, bytes]:
            if beacon.fault == "500":
                return HTTPStatus.INTERNAL_SERVER_ERROR, b"{}"
            if beacon.fault == "page":
                return HTTPStatus.OK, b"<html>Please sign in</html>"
            found = beacon.answer(self.path)
            if found is None:
                return HTTPStatus.NOT_FOUND, b'{"error":"not found"}'
            return HTTPStatus.OK, json.dumps(found).encode()

        def log_message(self, format: str, *words: object) -> None:
            """Print nothing."""

    return Handler
