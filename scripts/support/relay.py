"""Relays: ports of this machine that lead to others, and that can be cut as a network is."""

from __future__ import annotations

import asyncio
import functools
import threading
from contextlib import suppress
from urllib.parse import urlsplit

HOST = "127.0.0.1"


class Relay:
    """A port that leads to another one. While it is cut, nothing gets through and neither end is told.

    Args:
        url: The address that it leads to: `tcp://127.0.0.1:8786`.

    Attributes:
        url: Its own address.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._port, self._whole = parts.port, asyncio.Event()
        self._whole.set()
        self._server = asyncio.run_coroutine_threadsafe(asyncio.start_server(self._carry, HOST, 0), _loop()).result()
        self.url = f"{parts.scheme}://{HOST}:{self._server.sockets[0].getsockname()[1]}"

    def cut(self) -> None:
        """Let nothing through."""
        _loop().call_soon_threadsafe(self._whole.clear)

    def mend(self) -> None:
        """Let everything through, first what has waited."""
        _loop().call_soon_threadsafe(self._whole.set)

    def close(self) -> None:
        """Accept nothing more."""
        _loop().call_soon_threadsafe(self._server.close)
        self.mend()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._whole.wait()
        try:
            further_reader, further_writer = await asyncio.open_connection(HOST, self._port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(self._pump(reader, further_writer), self._pump(further_reader, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while content := await reader.read(1 << 16):
                await self._whole.wait()
                writer.write(content)
                await writer.drain()
        await self._whole.wait()
        writer.close()


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return loop
