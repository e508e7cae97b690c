"""The server of the command `board`: pages and questions over HTTP, on a port of this computer, open to one browser."""

from __future__ import annotations

import contextlib
import logging
import socket
import webbrowser
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Annotated, Any, TypeVar

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from engine.errors import ExpectedError
from sheets_algo.board_server.guard import MAP_PAGE, Guard
from sheets_algo.board_server.live_boards import LiveBoards
from sheets_algo.boards.board_rows import EditedMeanwhile
from sheets_algo.database.problems import Rejected
from sheets_algo.pages.board_page import live_board_page, picker_page
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.redact import one_line


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


BODY_MOST = 1_000_000
"""Maximum bytes of a question."""
Number = Annotated[int, msgspec.Meta(ge=-(10**12), le=10**12)] | Annotated[float, msgspec.Meta(ge=-1e12, le=1e12)]
Text = Annotated[str, msgspec.Meta(max_length=1_000)]
Cell = Text | Number | None
Rows = Annotated[list[list[Cell]], msgspec.Meta(max_length=500)]
"""Rows as a page sends them; the validator limits the number of flanks of a side."""


class BoardQuestion(msgspec.Struct, forbid_unknown_fields=True):
    """A page's question about a draft of a request."""

    request: Text
    sides: dict[Text, Rows]


class Comparison(BoardQuestion, forbid_unknown_fields=True):
    """A comparison of places or maneuvers for one flank."""

    side: Text
    flank: Annotated[int, msgspec.Meta(ge=0)]
    candidates: Annotated[list[dict[Text, Cell]], msgspec.Meta(max_length=400)]


class Save(msgspec.Struct, forbid_unknown_fields=True):
    """Rows to write."""

    request: Text
    side: Text
    rows: Rows
    version: Text


class Pixels(msgspec.Struct, forbid_unknown_fields=True):
    """Pixels of places to be typed, by the name of the place, with the texts that their cells had."""

    before: dict[Text, Annotated[list[Text], msgspec.Meta(min_length=2, max_length=2)]]
    after: Annotated[
        dict[
            Text,
            tuple[Annotated[int, msgspec.Meta(ge=0, le=10**6)], Annotated[int, msgspec.Meta(ge=0, le=10**6)]] | None,
        ],
        msgspec.Meta(max_length=100_000),
    ]


QUESTION = msgspec.json.Decoder(BoardQuestion)
COMPARISON = msgspec.json.Decoder(Comparison)
SAVE = msgspec.json.Decoder(Save)
PIXELS = msgspec.json.Decoder(Pixels)
Asked = TypeVar("Asked", bound=msgspec.Struct)


class BadQuestion(ExpectedError):
    """A malformed question, which no page of this program sends."""


def board_app(boards: LiveBoards, first: str = "") -> Starlette:
    """Return the application.

    Args:
        first: The id of the request that is shown first; blank for the first one that is not ruled.
    """

    def page(request: Request) -> Response:
        return HTMLResponse(live_board_page(first))

    def requests(request: Request) -> Response:
        return JSONResponse(boards.requests())

    def read(request: Request) -> Response:
        return JSONResponse(boards.read(request.query_params.get("request", "")))

    def replay(request: Request) -> Response:
        return HTMLResponse(boards.replay(request.query_params.get("request", "")))

    async def check(request: Request) -> Response:
        asked = await _asked(request, QUESTION)
        return JSONResponse(await run_in_threadpool(boards.check, asked.request, asked.sides))

    async def odds(request: Request) -> Response:
        asked = await _asked(request, QUESTION)
        answers = await run_in_threadpool(boards.odds, asked.request, asked.sides)
        return StreamingResponse(_lines(answers), media_type="application/x-ndjson")

    async def compare(request: Request) -> Response:
        asked = await _asked(request, COMPARISON)
        answers = boards.compare(asked.request, asked.sides, asked.side, asked.flank, asked.candidates)
        return StreamingResponse(_lines(answers), media_type="application/x-ndjson")

    async def save(request: Request) -> Response:
        asked = await _asked(request, SAVE)
        text = await run_in_threadpool(boards.save, asked.request, asked.side, asked.rows, asked.version)
        return JSONResponse({"text": text, "board": await run_in_threadpool(boards.read, asked.request)})

    def map_page(request: Request) -> Response:
        return HTMLResponse(picker_page())

    def places(request: Request) -> Response:
        return JSONResponse(boards.places())

    async def save_places(request: Request) -> Response:
        asked = await _asked(request, PIXELS)
        text = await run_in_threadpool(boards.save_places, asked.before, asked.after)
        return JSONResponse({"text": text, "page": await run_in_threadpool(boards.places)})

    return Starlette(
        routes=[
            Route("/", page),
            Route(MAP_PAGE, map_page),
            Route("/places", places),
            Route("/places", save_places, methods=["POST"]),
            Route("/requests", requests),
            Route("/board", read),
            Route("/replay", replay),
            Route("/check", check, methods=["POST"]),
            Route("/odds", odds, methods=["POST"]),
            Route("/compare", compare, methods=["POST"]),
            Route("/rows", save, methods=["POST"]),
        ],
        exception_handlers={ExpectedError: _error_response, Rejected: _error_response},
    )


def _error_response(request: Request, error: Exception) -> Response:
    """Return the answer to a refused question: a sentence."""
    status = 400 if isinstance(error, BadQuestion) else 409
    return JSONResponse({"text": _sentence(error), "is_edited": isinstance(error, EditedMeanwhile)}, status)


def _sentence(error: Exception) -> str:
    return one_line(str(error.problems[0] if isinstance(error, Rejected) else error))


def _lines(answers: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    try:
        for line in answers:
            yield msgspec.json.encode(line) + b"\n"
    except (Rejected, ExpectedError) as error:
        yield msgspec.json.encode({"text": _sentence(error)}) + b"\n"


async def _asked(request: Request, decoder: msgspec.json.Decoder[Asked]) -> Asked:
    """Parse a question.

    Raises:
        BadQuestion: The body is not a question, or is too long.
    """
    if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
        raise BadQuestion("A question is JSON.")
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > BODY_MOST:
            raise BadQuestion(f"A question has at most {BODY_MOST:,} bytes.")
    try:
        return decoder.decode(body)
    except msgspec.MsgspecError as error:
        raise BadQuestion(f"That is not a question of this page ({one_line(str(error))}).") from error
