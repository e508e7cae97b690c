"""The page on which players verify, opened by one of them from a web server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.helpers.sites import Html


class Server:
    """An HTTP server of a folder, which notes what it is asked for."""

    def __init__(self, folder: Path) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Handler(SimpleHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                asked.append(self.path)

            def end_headers(self) -> None:
                """Let the browser ask again: it guesses from a file's age for how long it need not."""
                self.send_header("Cache-Control", "no-cache")
                super().end_headers()

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder))
        self.address = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@dataclass
class Player:
    """Somebody with a phone on which the page is open.

    Args:
        tab: The page.
        site: The folder of the site.
        server: Its server.
        requests: The addresses that the browser has asked for.
    """

    tab: Any
    site: Path
    server: Server
    requests: list[str] = field(default_factory=list)

    def verifies(self, book: Path, secret: str) -> Html:
        """Choose a workbook, and return the page with the result."""
        self.tab.set_input_files("#file", book)
        self.tab.evaluate("document.querySelector('#form details').open = true")
        self.tab.fill("#secret", secret)
        self.tab.click("#start")
        self.tab.locator("body[data-result]").wait_for()
        return Html(self.tab.content())

    def text(self, place: str) -> str:
        """Return what a place of the page shows."""
        return str(self.tab.locator(place).inner_text())


@contextmanager
def player_at(site: Path, chromium: Any, width: int) -> Iterator[Player]:
    """Serve a site, and open its page in a browser whose window has this width in pixels."""
    server = Server(site)
    context = chromium.new_context(viewport={"width": width, "height": 780}, color_scheme="dark")
    found = Player(context.new_page(), site, server)
    context.on("request", lambda request: found.requests.append(request.url))
    found.tab.goto(f"{server.address}verify/index.html")
    try:
        yield found
    finally:
        context.close()
        server.close()
