"""The server as a whole: the door and its control behind one address, on uvicorn."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path
from types import FrameType

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
        desk: The desk that answers.
        host: The address to listen at.
        port: The port; 0 for any free one.
        folder: The folder for snapshots when the server ends, if any.

    Attributes:
        url: The server's address, `http://127.0.0.1:4711`.
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
        self._uvicorn = _Uvicorn(config, self.stop)

    def run(self) -> None:
        """Serve until told to stop, then save the state."""
        self._uvicorn.run(sockets=[self._socket])
        self._socket.close()
        self.save()

    def stop(self) -> None:
        """Stop soon: waiting requests are released or cut."""
        self.door.stopping.set()
        self._uvicorn.end()

    def save(self) -> list[str]:
        """Write the snapshots; return the ids of what was saved."""
        return save(self.desk.store, self.folder) if self.folder else []


class _Uvicorn(uvicorn.Server):
    """uvicorn's server, which ends at once when told to; the original checks ten times a second."""

    def __init__(self, config: uvicorn.Config, on_signal: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_signal = on_signal
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended = asyncio.Event()

    def end(self) -> None:
        self.should_exit = self.force_exit = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._ended.set)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._on_signal()

    async def main_loop(self) -> None:
        self._loop = asyncio.get_running_loop()
        if not await self.on_tick(0):
            await self._ended.wait()
