"""A page for the host of many games, counters for Prometheus and a check of health, on this computer alone.

They report the state of each workbook and, of its content, only its name.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from prometheus_client import CONTENT_TYPE_LATEST

from sheets_algo.runtime.watch.event_log import iso_time
from sheets_algo.runtime.watch.metrics import exposition
from sheets_algo.runtime.watch.watcher import Watcher
from sheets_algo.workbook.redact import one_line, redact

SICK_S = 600.0
"""Maximum age in seconds of the last successful poll of any workbook for a healthy program."""
HEADS = ("Workbook", "State", "Since", "Why", "Last look that ended well", "Waits", "Rulings", "Mistakes", "Reads left")
STYLE = "body{font:14px sans-serif}td,th{text-align:left;padding:2px 10px}.failing{background:#fdd}"


class HostPage:
    """A server on the loopback interface.

    Args:
        port: The port; 0 for any free one.
        watchers: Function that returns the watchers.

    Raises:
        OSError: The port is taken.
    """

    def __init__(self, port: int, watchers: Callable[[], Sequence[Watcher]]) -> None:
        self._watchers = watchers
        self._began = time.time()
        page = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, kind, body = page.answer(self.path, self.headers.get_all("Host", []))
                self.send_response(status)
                for name, value in (("Content-Type", kind), ("Content-Length", str(len(body)))):
                    self.send_header(name, value)
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def answer(self, path: str, hosts: Sequence[str]) -> tuple[HTTPStatus, str, bytes]:
        """Return status, type and body of the answer to a request; a foreign name may have been pointed here."""
        if [host.lower() for host in hosts] not in ([f"127.0.0.1:{self.port}"], [f"localhost:{self.port}"]):
            return HTTPStatus.MISDIRECTED_REQUEST, "text/plain", b"This is a page of 127.0.0.1.\n"
        watchers = [*self._watchers()]
        match path.partition("?")[0]:
            case "/metrics":
                return HTTPStatus.OK, CONTENT_TYPE_LATEST, exposition(watchers)
            case "/healthz":
                return self._health(watchers)
            case "/":
                return HTTPStatus.OK, "text/html; charset=utf-8", _page(watchers).encode()
        return HTTPStatus.NOT_FOUND, "text/plain", b"There are /, /metrics and /healthz.\n"

    def _health(self, watchers: Sequence[Watcher]) -> tuple[HTTPStatus, str, bytes]:
        """Return 200 unless no poll has succeeded for ten minutes; one failing workbook does not count."""
        last = max([self._began, *(watcher.tally.last_success or 0 for watcher in watchers)])
        states = [watcher.tally.state for watcher in watchers]
        counts = {state: states.count(state) for state in sorted({*states})}
        status = HTTPStatus.OK if time.time() - last < SICK_S else HTTPStatus.SERVICE_UNAVAILABLE
        return status, "application/json", json.dumps({"last_success": iso_time(last), "workbooks": counts}).encode()


def _page(watchers: Sequence[Watcher]) -> str:
    """Return the page: those that fail first, the longest failing before the others."""
    ordered = sorted(watchers, key=lambda watcher: watcher.tally.failing_since or float("inf"))
    heads = "".join(f"<th>{head}</th>" for head in HEADS)
    rows = "\n".join(f'<tr class="{escape(watcher.tally.state)}">{_cells(watcher)}</tr>' for watcher in ordered)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="30">'
        f"<title>sheets-algo</title><style>{STYLE}</style>\n<table>\n<tr>{heads}</tr>\n{rows}\n</table>\n"
    )


def _cells(watcher: Watcher) -> str:
    tally, workbook = watcher.tally, watcher.ref.session.workbook
    cells = (
        workbook.name,
        tally.state,
        iso_time(tally.failing_since) or "",
        tally.trouble,
        iso_time(tally.last_success) or "",
        watcher.waits,
        tally.rulings,
        tally.refused,
        "" if workbook.reads_left is None else workbook.reads_left,
    )
    return "".join(f"<td>{escape(redact(one_line(str(cell))))}</td>" for cell in cells)
