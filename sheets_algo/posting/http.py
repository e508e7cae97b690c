"""Requests to channels: one time limit for the whole answer, and errors that tell whether anything was sent."""

from __future__ import annotations

import json
import logging
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import requests
import urllib3

from sheets_algo.posting.channel import NotSent, Unanswered
from sheets_algo.workbook.google.http.backoff import within

Result = TypeVar("Result")

TIMEOUT_S = 60.0
"""Maximum seconds for a request, from the name of the host to the last byte of the answer."""
CONNECT_S = 10.0
LONGEST = 1_000_000
"""Maximum bytes of an answer."""
PIECE = 10_000
RETRY_MOST_S = 86_400.0
"""Maximum pause that a service can request, in seconds."""
NOT_CONNECTED = (
    urllib3.exceptions.NewConnectionError,
    urllib3.exceptions.NameResolutionError,
    urllib3.exceptions.ConnectTimeoutError,
    ssl.SSLCertVerificationError,
)
"""Errors before a byte of the request is sent."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer of a service."""

    status: int
    headers: Mapping[str, str]  # The headers, whatever the case of their names
    content: bytes  # The body

    @property
    def read(self) -> Mapping[str, Any] | list[Any] | None:
        """Return the JSON object or list of the body; None if it is neither."""
        try:
            read = json.loads(self.content)
        except (ValueError, RecursionError):
            return None
        return read if isinstance(read, dict | list) else None

    @property
    def data(self) -> Mapping[str, Any]:
        """Return the JSON object of the body; empty if it is not an object."""
        read = self.read
        return read if isinstance(read, dict) else {}

    @property
    def retry_after_s(self) -> float | None:
        """Return the pause that the service requests in seconds, from the body or the header."""
        for value in (self.data.get("retry_after"), self.headers.get("Retry-After")):
            try:
                seconds = float(value)  # type: ignore[arg-type] # what cannot be converted raises
            except (TypeError, ValueError):
                continue
            if seconds >= 0:
                return min(seconds, RETRY_MOST_S)
        return None


def ask(service: str, method: str, url: str, timeout_s: float = TIMEOUT_S, **request: Any) -> Reply:
    """Send a request once; follow no redirect.

    Args:
        service: The name of the service for messages, which do not show the address.
        method: `GET`, `POST` ...
        timeout_s: Most seconds for all of it.
        request: Further arguments of `requests.request`.

    Raises:
        NotSent: There was no connection, so nothing was sent.
        Unanswered: The answer is missing or incomplete, so the request may have been carried out.
    """
    hide_addresses()
    answer = in_time(lambda: _answer(method, url, timeout_s, request), timeout_s)
    if answer is None:
        raise Unanswered(f"{service} did not answer within {timeout_s:g} seconds.")
    if isinstance(answer, Reply):
        return answer
    if any(isinstance(cause, NOT_CONNECTED) for cause in _causes(answer)):
        raise NotSent(f"There is no connection to {service} ({type(answer).__name__}).") from None
    if isinstance(answer, requests.exceptions.InvalidURL | requests.exceptions.InvalidSchema):
        raise NotSent(f"The address of {service} cannot be used.") from None
    raise Unanswered(f"The answer of {service} broke off ({type(answer).__name__}).") from None


def hide_addresses() -> None:
    """Keep libraries from logging addresses, which may be secrets."""
    for name in ("apprise", "mwclient", "urllib3.connection", "urllib3.connectionpool", "urllib3.response"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def in_time(work: Callable[[], Result], timeout_s: float) -> Result | Exception | None:
    """Return the result of a function, or its error; None if it takes too long and continues in the background."""
    try:
        return within(work, timeout_s, None)
    except TimeoutError:
        return None
    except Exception as error:
        return error


def _answer(method: str, url: str, timeout_s: float, request: Mapping[str, Any]) -> Reply:
    limits = (CONNECT_S, timeout_s)
    # Without the `auth`, a .netrc file would add a password of the person.
    with requests.request(
        method, url, stream=True, allow_redirects=False, timeout=limits, auth=lambda sent: sent, **request
    ) as response:
        content, end = b"", time.monotonic() + timeout_s
        for piece in response.iter_content(PIECE):
            content += piece
            if len(content) > LONGEST or time.monotonic() > end:
                raise requests.exceptions.ContentDecodingError
        return Reply(response.status_code, response.headers, content)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and those behind it: requests hides that of urllib3 in its arguments."""
    causes: list[BaseException] = []
    waiting = [error]
    while waiting:
        cause = waiting.pop()
        if isinstance(cause, BaseException) and cause not in causes:
            causes.append(cause)
            yield cause
            waiting += [cause.__cause__, cause.__context__, getattr(cause, "reason", None)]
            waiting += [item for item in cause.args if isinstance(item, BaseException)]
