"""The connections under HTTP, which can lose an answer on the way."""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

Address = tuple[str, int]


class Wire:
    """The open connections by the caller's address."""

    def __init__(self) -> None:
        self._open: dict[Address, asyncio.Transport] = {}
        wire = self

        class Protocol(H11Protocol):
            """uvicorn's protocol, which records when a connection opens and closes."""

            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                super().connection_made(transport)  # type: ignore[arg-type]
                if self.client:
                    wire._open[self.client] = self.transport

            def connection_lost(self, exc: Exception | None) -> None:
                if self.client:
                    wire._open.pop(self.client, None)
                super().connection_lost(exc)

        self.protocol = Protocol

    def reset(self, scope: dict[str, Any]) -> None:
        """Cut the connection so that the caller sees `Connection reset by peer`."""
        if transport := self._open.get(tuple(scope["client"])):
            raw = transport.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # close() then sends RST
            transport.abort()

    def close(self, scope: dict[str, Any]) -> None:
        """Close the connection after what was sent so far."""
        if transport := self._open.get(tuple(scope["client"])):
            transport.close()
