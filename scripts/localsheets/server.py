"""The server as a whole: the door and its control behind one address, on uvicorn."""

from __future__ import annotations

import socket
from pathlib import Path

import uvicorn
from localsheets.control import Control
from localsheets.desk import Desk
from localsheets.disk import save
from localsheets.door import Door
from localsheets.wire import Wire
from starlette.applications import Starlette
from starlette.routing import Mount


class Server:
    """A desk on a port of its own.

    Args:
        host: Where it listens.
        port: 0 for any free one.
        folder: Where snapshots go when it ends, if anywhere.

    Attributes:
        url: `http://127.0.0.1:4711`
    """

    def __init__(self, desk: Desk, host: str = "127.0.0.1", port: int = 0, folder: Path | None = None) -> None:
        self.desk = desk
        self.folder = folder
        wire = Wire()
        self.door = Door(desk, wire)
        control = Control(self.door, self.save, self.stop)
        self._socket = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
        # Answers go out as headers and body; without this each one waits 40 ms for the client to acknowledge the first.
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        name = f"[{host}]" if ":" in host else host
        self.url = f"http://{name}:{self._socket.getsockname()[1]}"
        config = uvicorn.Config(
            Starlette(routes=[*control.routes(), Mount("/", app=self.door)]),
            http=wire.protocol,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            date_header=False,
            server_header=False,
            timeout_keep_alive=240,
            h11_max_incomplete_event_size=1 << 20,  # a batchGet of many ranges has a long address
        )
        self._uvicorn = uvicorn.Server(config)
        self._uvicorn.handle_exit = lambda sig, frame: self.stop()  # type: ignore[method-assign]

    def run(self) -> None:
        """Serve until told to stop; then keep what there is."""
        self._uvicorn.run(sockets=[self._socket])
        self._socket.close()
        self.save()

    def stop(self) -> None:
        """End soon: waiting requests are let go or cut."""
        self.door.stopping.set()
        self._uvicorn.should_exit = True
        self._uvicorn.force_exit = True

    def save(self) -> list[str]:
        """Write the snapshots; the ids of what was saved."""
        return save(self.desk.store, self.folder) if self.folder else []
