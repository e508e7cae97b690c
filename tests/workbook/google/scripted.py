"""A real HTTP server that answers as a test tells it, and keeps what it was asked; a clock that only waits move."""

from __future__ import annotations

import json
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID

from sheets_algo.workbook.errors import Interrupted
from sheets_algo.workbook.google.http.backoff import Pace

EMAIL = "clerk@example-wars.iam.gserviceaccount.com"


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    headers: Mapping[str, str]
    body: str


Answer = Callable[[BaseHTTPRequestHandler], None]


def answer(status: int, content: str, kind: str = "application/json; charset=UTF-8", **headers: str) -> Answer:
    def send(handler: BaseHTTPRequestHandler) -> None:
        body = content.encode()
        handler.send_response_only(status)
        if "Date" not in headers:
            handler.send_header("Date", handler.date_time_string())
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return send


def data(content: Any = None) -> Answer:
    """An answer that is one to `content`; by default to a read of nothing, and to a write of one request."""
    return answer(200, json.dumps({"replies": [{}]} if content is None else content))


def error(status: int, message: str = "", *details: Mapping[str, Any]) -> Answer:
    return answer(status, json.dumps({"error": {"code": status, "message": message, "details": list(details)}}))


def page(status: int, title: str) -> Answer:
    text = f"<!DOCTYPE html><html><head><title>{title}</title></head><body>&nbsp;</body></html>"
    return answer(status, text, "text/html; charset=UTF-8")


def half(handler: BaseHTTPRequestHandler) -> None:
    """An answer that breaks off."""
    handler.wfile.write(
        b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"sheets": ['
    )
    handler.close_connection = True


def reset(handler: BaseHTTPRequestHandler) -> None:
    """The connection is torn down without an answer."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.close_connection = True


def silence(handler: BaseHTTPRequestHandler) -> None:
    """No answer until the client has gone."""
    handler.connection.settimeout(10)
    handler.rfile.read(1)
    handler.close_connection = True


def trickle(handler: BaseHTTPRequestHandler) -> None:
    """A byte now and then, for ever: no single read of the socket runs out of time."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")
    try:
        while not handler.server.is_over.wait(0.02):  # type: ignore[attr-defined]
            handler.wfile.write(b" ")
    except OSError:
        pass
    handler.close_connection = True


TOKEN = "ya29.c.tested-token"


def token(text: str = TOKEN, seconds: int = 3599) -> Answer:
    return data({"access_token": text, "expires_in": seconds, "token_type": "Bearer"})


@dataclass
class Server:
    """What the next requests are answered with: for a token by `tokens`, else by `answers`; the last one stays."""

    url: str
    answers: list[Answer] = field(default_factory=lambda: [data()])
    tokens: list[Answer] = field(default_factory=lambda: [token()])
    asked: list[Asked] = field(default_factory=list)

    def sent(self) -> list[Asked]:
        """The requests for data."""
        return [request for request in self.asked if request.path != "/token"]

    def next(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        answers = self.tokens if asked.path == "/token" else self.answers
        return answers.pop(0) if len(answers) > 1 else answers[0]


@contextmanager
def serving(tls: ssl.SSLContext | None = None) -> Iterator[Server]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            server.next(
                Asked(self.command, self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            )(self)

        do_GET = do_POST  # noqa: N815

        def log_message(self, format: str, *args: Any) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True
        is_over = threading.Event()

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that went away is what these tests are about."""

    with Quiet(("127.0.0.1", 0), Handler) as listening:
        server = Server(f"http{'s' if tls else ''}://127.0.0.1:{listening.server_port}")
        if tls:
            listening.socket = tls.wrap_socket(listening.socket, server_side=True)
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            listening.is_over.set()
            listening.shutdown()
            thread.join()


@cache
def private_key() -> str:
    """A key of a service account that does not exist."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    form = serialization.PrivateFormat.PKCS8
    return key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()).decode()


def self_signed(folder: Path) -> ssl.SSLContext:
    """A certificate that nobody vouches for."""
    key = serialization.load_pem_private_key(private_key().encode(), None)
    assert isinstance(key, rsa.RSAPrivateKey)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "key.pem").write_text(private_key())
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    return context


def key_info(url: str) -> dict[str, str]:
    return {
        "type": "service_account",
        "project_id": "example-wars",
        "private_key_id": "0f" * 20,
        "private_key": private_key(),
        "client_email": EMAIL,
        "client_id": "1066",
        "token_uri": f"{url}/token",
    }


def key_file(folder: Path, url: str, **changed: Any) -> Path:
    file = folder / "key.json"
    file.write_text(json.dumps({**key_info(url), **changed}))
    return file


class Clock:
    """Time that passes by waiting alone.

    Args:
        chance: What every draw shows.
    """

    def __init__(self, chance: float = 1.0) -> None:
        self.time = 1000.0
        self.waits: list[float] = []
        self.pace = Pace(now=lambda: self.time, wait=self._wait, chance=lambda: chance)
        self.then: Callable[[], None] = lambda: None

    def _wait(self, seconds: float, stop: threading.Event | None) -> None:
        self.waits.append(seconds)
        self.time += seconds
        self.then()
        if stop is not None and stop.is_set():
            raise Interrupted
