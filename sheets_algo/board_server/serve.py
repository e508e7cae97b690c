"""The server of the command `board`: a free port of this computer, open to one browser."""

from __future__ import annotations

import contextlib
import logging
import socket
import webbrowser
from collections.abc import Callable
from types import FrameType

import uvicorn

from sheets_algo.board_server.app import board_app
from sheets_algo.board_server.guard import Guard
from sheets_algo.board_server.live_boards import LiveBoards
from sheets_algo.runtime.session.session import Session


class _Server(uvicorn.Server):
    """A server without error messages for answers that Ctrl+C cuts off."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        logging.getLogger("uvicorn.error").disabled = True
        super().handle_exit(sig, frame)


def serve(session: Session, first: str, write_line: Callable[[str], None], *, opens: bool) -> None:
    """Serve the boards of a workbook until Ctrl+C.

    Args:
        write_line: Receives the address that opens the board.

    Raises:
        ExpectedError: The workbook cannot be read, or has no such board.
        Rejected: The first war has errors that no board can show.
    """
    boards = LiveBoards(session)
    if first:
        boards.read(first)
    elif not boards.requests():
        write_line("There is no war yet: fill in a row of requests, and choose it in the board.")
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        guard = Guard(board_app(boards, first), listening.getsockname()[1])
        write_line(guard.first_address)
        if opens:
            webbrowser.open(guard.first_address)
        config = uvicorn.Config(
            guard, log_level="error", access_log=False, server_header=False, lifespan="off", timeout_graceful_shutdown=1
        )
        with contextlib.suppress(KeyboardInterrupt):
            _Server(config).run(sockets=[listening])
