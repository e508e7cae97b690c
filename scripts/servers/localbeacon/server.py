"""A host of a beacon on this machine, which can be told to fail."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from typing import Any

from faulty.loopback import LoopbackServer
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
    "drip": "the answer comes byte by byte, one a second, its head too",
    "endless": "the answer never ends",
    "negative": "the round is -1",
    "huge": "the round is 2 to the power of 64",
    "far": "the round is one in a thousand years, with a hash that fits",
    "early": "rounds are given, rightly signed, that come in a year",
    "types": "the number of the round is a text",
    "twice": "each name stands twice in an answer",
    "deep": "an answer is nested four thousand times",
    "nan": "an answer has a number that is none",
    "bytes": "an answer is no UTF-8",
    "packed": "an answer is packed, and much larger unpacked",
    "redirect": "another address is named",
}
"""Faults that a host can be told to have."""
SHIFTS_S = {"late": -60.0, "early": 365 * 86_400.0}
"""The seconds by which a fault moves the time of the latest round."""
NUMBERS: dict[str, Any] = {"negative": -1, "huge": 2**64, "far": 10_000_000_000, "types": "1"}
"""The number of each round by faults."""
DRIP_S = 1.0
"""The seconds between two bytes of an answer that drips."""


def whole(content: bytes, status: HTTPStatus = HTTPStatus.OK, **headers: str) -> bytes:
    """Return an answer with its head, as it goes over the wire."""
    names = {"Content-Length": str(len(content))} | {name.replace("_", "-"): text for name, text in headers.items()}
    lines = [f"HTTP/1.0 {status.value} {status.phrase}", *(f"{name}: {text}" for name, text in names.items()), "", ""]
    return "\r\n".join(lines).encode() + content


@dataclass
class LocalBeacon(LoopbackServer):
    """A host of a beacon.

    Args:
        chain: Its rounds.
        now: Returns the time in Unix seconds.
        fault: One of `FAULTS`, blank for none.
        port: Its port; 0 for any.
        silence_s: The longest time of a request that gets no answer, or no end of it, in seconds.
        reply: Makes the bytes that go over the wire from a path and the content of a sound answer; None makes a sound
            answer of them.
        asked: The paths that were asked for.
    """

    chain: SigningChain = field(default_factory=SigningChain)
    now: Callable[[], float] = time.time
    fault: str = ""
    port: int = 0
    silence_s: float = 30.0
    reply: Callable[[str, bytes], bytes] | None = None
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.listen(_handler(self), self.port)
        self._other = SigningChain(f"not {self.chain.seed}", self.chain.genesis_time, self.chain.period, "another")

    def pieces(self, path: str) -> Iterator[bytes]:
        """Yield what goes over the wire when a path is asked for, piece by piece."""
        if self.fault == "silent":
            self.wait_in_silence()
        if self.fault in ("silent", "reset"):
            return
        answer, until = self._wire(path), time.monotonic() + self.silence_s
        if self.fault == "drip":
            for byte in answer:
                yield bytes([byte])
                if self._released.wait(min(DRIP_S, self.silence_s)) or time.monotonic() > until:
                    return
            return
        head = answer.index(b"\r\n\r\n")
        yield answer[: (head + len(answer)) // 2] if self.fault == "half" else answer
        while self.fault == "endless" and not self._released.is_set() and time.monotonic() < until:
            yield b" " * 65_536

    def _wire(self, path: str) -> bytes:
        """Return the whole answer to a path."""
        found = self.answer(path)
        content = json.dumps(found).encode()
        if found is not None and self.reply:
            return self.reply(path, content)
        match self.fault:
            case "500":
                return whole(b"{}", HTTPStatus.INTERNAL_SERVER_ERROR)
            case "page":
                return whole(b"<html>Please sign in</html>")
            case "redirect":
                return whole(b"", HTTPStatus.FOUND, Location=f"{self.url}/elsewhere{path}")
        if found is None:
            return whole(b'{"error":"not found"}', HTTPStatus.NOT_FOUND)
        match self.fault:
            case "twice":
                content = content[:-1] + b"," + content[1:]
            case "deep":
                content = content[:-1] + b',"more":' + b"[" * 4_000 + b"]" * 4_000 + b"}"
            case "nan":
                content = content[:-1] + b',"more":NaN}'
            case "bytes":
                content = content[:-1] + b',"more":"\xff"}'
            case "packed":
                return whole(gzip.compress(content + b" " * 5_000_000), Content_Encoding="gzip")
            case "endless":
                return whole(content, Content_Length=str(10**12))
        return whole(content)

    def answer(self, path: str) -> dict[str, Any] | None:
        """Return the answer to a path, None if there is none."""
        chain = self._other if self.fault == "chain" else self.chain
        match path.strip("/").split("/"):
            case [hash, "info"] if hash == self.chain.hash:
                return chain.info()
            case [hash, "public", name] if hash == self.chain.hash:
                latest = chain.latest(self.now() + SHIFTS_S.get(self.fault, 0.0))
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
        return chain.round(number) | ({"round": NUMBERS[self.fault]} if self.fault in NUMBERS else {})


def _handler(beacon: LocalBeacon) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            beacon.asked.append(self.path)
            self.close_connection = True
            with suppress(OSError):  # whoever asked has gone
                for piece in beacon.pieces(self.path):
                    self.wfile.write(piece)

        def do_POST(self) -> None:
            """Set the fault: `POST /_control/fault` with its name as text, nothing for none."""
            name = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            is_known = self.path == "/_control/fault" and name in ("", *FAULTS)
            beacon.fault = name if is_known else beacon.fault
            self.send_response(HTTPStatus.OK if is_known else HTTPStatus.BAD_REQUEST)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *words: object) -> None:
            """Print nothing."""

    return Handler
