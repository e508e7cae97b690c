"""An HTTP server on this machine, in threads of its process, which can leave requests without an answer."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self


class LoopbackServer:
    """A server that answers while its `with` block lasts.

    Args:
        silence_s: Most seconds of a request that gets no answer.
    """

    silence_s: float

    def listen(self, handler: type[BaseHTTPRequestHandler], port: int = 0) -> None:
        """Take a port, 0 for any; who asks now is answered from `__enter__` or `serve` on."""
        self._http = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self._http.daemon_threads = True
        self._released = threading.Event()

    @property
    def url(self) -> str:
        """Return the address."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def serve(self) -> None:
        """Serve until interrupted."""
        self._http.serve_forever()

    def wait_in_silence(self) -> None:
        """Wait as long as a request gets no answer."""
        self._released.wait(self.silence_s)

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._released.set()
        self._http.shutdown()
        self._http.server_close()
