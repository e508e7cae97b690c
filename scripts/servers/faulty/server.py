"""A server on this machine that can be told to fail: the base of servers that stand in for services."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qsl, urlsplit

from faulty.loopback import LoopbackServer

LOST = ("reset", "half", "silence")
"""The kinds of faults in which no whole answer arrives."""
KINDS = (*LOST, "500", "503", "page")
"""The kinds of faults that every server has: a lost answer, an error, or the page of a Wi-Fi that wants a login."""
WHEN = ("before", "after", "late")
SILENCE_S = 30.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A request.

    Args:
        method: `GET`, `POST` ...
        path: The path, without the query.
        query: The query.
        headers: The headers, with names in small letters.
        body: The body.
    """

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer."""

    status: int
    content: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Fault:
    """A fault of the next requests that match.

    Args:
        kind: One of the server's `kinds`.
        when: "before": the request is not carried out. "after": it is, and then the answer goes wrong. "late": the
            answer goes wrong now, and the request is carried out when the next one has been.
        times: The number of requests that it still hits.
        match: A text that `METHOD path` of the request contains.
        after: The number of matching requests that it leaves alone first.
    """

    kind: str
    when: str = "before"
    times: int = 1
    match: str = ""
    after: int = 0


class FaultyServer(LoopbackServer, ABC):
    """A server with a script of faults; requests are carried out one at a time.

    Args:
        silence_s: Most seconds of a request that gets no answer.
    """

    kinds: tuple[str, ...] = KINDS

    def __init__(self, silence_s: float = SILENCE_S) -> None:
        self.faults: list[Fault] = []
        self.asked: list[Asked] = []
        self._late: list[Asked] = []
        self.silence_s = silence_s
        self._lock = threading.RLock()
        self.listen(_handler(self))

    @abstractmethod
    def carry_out(self, asked: Asked) -> Answer:
        """Carry a request out, and return the answer."""

    def error(self, kind: str) -> Answer:
        """Return the answer of a fault that is no lost answer."""
        if kind == "page":
            return Answer(200, b"<html>Please sign in</html>", {"Content-Type": "text/html"})
        return Answer(int(kind), b"<html>upstream connect error</html>", {"Content-Type": "text/html"})

    def fail(self, kind: str, when: str = "before", times: int = 1, match: str = "") -> None:
        """Let the next requests that match go wrong; arguments as of `Fault`."""
        assert kind in self.kinds, kind
        assert when in WHEN, when
        self.faults.append(Fault(kind, when, times, match))

    def fail_at(self, kind: str, number: int, when: str = "before", match: str = "") -> None:
        """Let one request go wrong: that with this number, from 1, of those that match; arguments as of `fail`."""
        self.fail(kind, when, 1, match)
        self.faults[-1].after = number - 1

    def answer(self, asked: Asked) -> tuple[Answer, str]:
        """Return the answer to a request, and the kind of the lost answer, blank if it arrives."""
        with self._lock:
            self.asked.append(asked)
            late, self._late = self._late, []
            fault = self._fault_of(asked)
            if fault is None:
                answer = self.carry_out(asked)
                for other in late:
                    self.carry_out(other)
                return answer, ""
            self._late = [*late, asked] if fault.when == "late" else late
            done = self.carry_out(asked) if fault.when == "after" else Answer(200, b"{}")
            return (done, fault.kind) if fault.kind in LOST else (self.error(fault.kind), "")

    def carry_out_late(self) -> None:
        """Carry out the requests whose time has not come yet."""
        with self._lock:
            late, self._late = self._late, []
            for asked in late:
                self.carry_out(asked)

    def _fault_of(self, asked: Asked) -> Fault | None:
        for fault in self.faults:
            if fault.match in f"{asked.method} {asked.path}":
                if fault.after:
                    fault.after -= 1
                    continue
                fault.times -= 1
                if not fault.times:
                    self.faults.remove(fault)
                return fault
        return None


def _handler(server: FaultyServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            parts = urlsplit(self.path)
            headers = {name.lower(): text for name, text in self.headers.items()}
            body = self.rfile.read(int(headers.get("content-length", 0)))
            asked = Asked(self.command, parts.path, dict(parse_qsl(parts.query)), headers, body)
            answer, lost = server.answer(asked)
            self.close_connection = True
            if lost == "silence":
                server.wait_in_silence()
            if lost in ("silence", "reset"):
                return
            phrase = HTTPStatus(answer.status).phrase
            sent = {"Content-Length": str(len(answer.content)), "Connection": "close", **answer.headers}
            head = "\r\n".join(
                [f"HTTP/1.1 {answer.status} {phrase}", *(f"{name}: {text}" for name, text in sent.items())]
            )
            wire = f"{head}\r\n\r\n".encode() + answer.content
            with suppress(OSError):  # whoever asked has gone
                self.wfile.write(wire[: len(wire) // 2] if lost == "half" else wire)

        do_GET = do_POST = do_PATCH = do_DELETE = _answer  # noqa: N815 - named by the base class

        def log_message(self, format: str, *words: object) -> None:
            """Print nothing."""

    return Handler
