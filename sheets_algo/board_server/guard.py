"""Access control of the local server: it answers this browser and its own pages only.

Any page that is open in the browser may send requests to 127.0.0.1, and any program of the computer may, too. So a
request has to name this server as its host, for a foreign name may have been pointed here; it has to carry the key
that the first address buys, once; and one that changes anything has to come from a page of this server. The key is in
a header: a cookie belongs to a host and not to a port, so that another server of the computer would receive it. What a
browser opens itself carries a ticket in its address, made of the key, that is good for this address alone.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
"""Headers of every answer: no other page may show or read it, and no cache may keep it."""

KEY, TOKEN = "x-board-key", "x-board-token"
"""Headers of a page's requests, and of the one that opens the board."""
MAP_PAGE = "/map"
"""Path of the page on which places of the map of the game are clicked."""
AGAIN = "start the board again, and use the address that it prints"


@dataclass(slots=True)
class Guard:
    """An ASGI application that refuses requests from foreign pages."""

    app: ASGIApp  # The application behind it
    port: int  # The port of the server, which listens on 127.0.0.1
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    """Token in the first address; it opens the board once."""
    _key: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    _is_opened: bool = False

    @property
    def hosts(self) -> tuple[str, ...]:
        """Return the host names of this server."""
        return (f"127.0.0.1:{self.port}", f"localhost:{self.port}")

    @property
    def first_address(self) -> str:
        """Return the address that opens the board once."""
        return f"http://{self.hosts[0]}/#token={self.token}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no other scheme is served

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        request = Request(scope)
        answer = self._refusal(request)
        await (answer or self.app)(scope, receive, send_guarded)

    def _refusal(self, request: Request) -> Response | None:
        """Return the refusal of a request; None if it may pass."""
        hosts = request.headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            return _refused(421, f"This server is {self.hosts[0]}, and nothing else.")
        path = request.url.path
        if path in ("/", MAP_PAGE) and request.method in ("GET", "HEAD"):
            return None  # these pages are the same for everybody, and hold nothing of the workbook
        if request.method not in ("GET", "HEAD") and not self._is_from_own_page(request):
            return _refused(403, "Only the board's own page may do that.")
        if path == "/open" and request.method == "POST":
            return self._opened(request)
        ticket = request.query_params.get("ticket", "")
        if path == "/replay" and request.method == "GET" and _is_same(ticket, self._ticket(request)):
            return None
        if not _is_same(request.headers.get(KEY, ""), self._key):
            return _refused(401, f"This page is open to the tab alone in which the board was opened; {AGAIN}.")
        if path == "/ticket" and request.method == "GET":
            return JSONResponse({"ticket": self._ticket(request)})
        return None

    def _opened(self, request: Request) -> Response:
        """Exchange the token of the first address for the key, once."""
        if self._is_opened or not _is_same(request.headers.get(TOKEN, ""), self.token):
            return _refused(401, f"This address opens no board, or has done so before; {AGAIN}.")
        self._is_opened = True
        return JSONResponse({"key": self._key})

    def _ticket(self, request: Request) -> str:
        """Return the ticket for the replay of the request that an address names."""
        named = request.query_params.get("request", "")
        return hmac.new(self._key.encode(), named.encode(), hashlib.sha256).hexdigest()

    def _is_from_own_page(self, request: Request) -> bool:
        """Return True if the browser's headers name a page of this server as the sender (Fetch Metadata, RFC 6454)."""
        site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
        is_own = origin in tuple(f"http://{host}" for host in self.hosts)
        if site is not None:
            return site == "same-origin" and (origin is None or is_own)
        return is_own


def _is_same(given: str, right: str) -> bool:
    return secrets.compare_digest(given.encode(), right.encode())


def _refused(status: int, text: str) -> Response:
    return JSONResponse({"text": text}, status)
