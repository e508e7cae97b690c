"""Requests for access tokens: limited in time, never repeated silently, with a message for each way to fail."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

import requests
from google.auth import exceptions
from google.auth.transport import requests as transport

from sheets_algo.workbook.google.http.errors import LATER, Fault, RequestFate, cleaned, connection_fault
from sheets_algo.workbook.google.http.sessions import CONNECT_S, is_local, session

HOW = "docs/google.md says how to make a service account and its key."

_TOKENS = "Google's token service"
_NO_TOKEN = Fault(
    RequestFate.UNSENT,
    f"{_TOKENS} answered with something that is not a token: a proxy may be in between; try again later.",
)


class TokenRequest(transport.Request):
    """The transport that google-auth sends its requests with.

    Args:
        timeout: The longest time to wait for an answer, in seconds.
        on_answer: The function called with the headers of each answer.
    """

    def __init__(self, timeout: float, on_answer: Callable[[Mapping[str, str]], object]) -> None:
        super().__init__(session(""))
        self._timeout = timeout
        self._on_answer = on_answer

    def __call__(
        self,
        url: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: object = None,
        **kwargs: Any,
    ) -> Any:
        """Send one request and return the answer.

        Raises:
            TransportError: The service answered with a status that may pass (408, 429, 5xx).
        """
        self.session.trust_env = not is_local(url)
        times = (CONNECT_S, self._timeout)
        # The request holds the account's signature: it must not be redirected.
        answer = super().__call__(url, method, body, headers, times, allow_redirects=False, **kwargs)  # type: ignore[no-untyped-call]
        self._on_answer(answer.headers)
        if answer.status >= 500 or answer.status in (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS):
            raise _ServiceError(answer.status)
        return answer


def token_fault(error: Exception, account: str, source: str, clock_offset_s: float | None, timeout: float) -> Fault:
    """Return the fault that says why there is no token.

    Args:
        error: The exception that google-auth raised.
        source: The place of the credentials.
        clock_offset_s: The seconds by which this machine's clock is ahead of Google's, None if unknown.
        timeout: The seconds that were waited for an answer.

    Raises:
        OSError: `error` itself, if neither the network nor a setting caused it.
    """
    match error:
        case _ServiceError():
            return Fault(RequestFate.UNSENT, f"{_TOKENS} is in trouble ({error.status}): {LATER}")
        case exceptions.GoogleAuthError(__cause__=requests.RequestException() as cause):
            return _unsent(connection_fault(cause, _TOKENS, timeout))
        case exceptions.GoogleAuthError():
            return _refusal(error, account, source, clock_offset_s)
        case OSError():
            return _unsent(connection_fault(error, _TOKENS, timeout))
        case _:  # an answer that google-auth cannot parse: a sign-in page, for example
            return _NO_TOKEN


def _unsent(fault: Fault) -> Fault:
    """Return the fault as one that may be retried: a request for a token may always be sent again."""
    return replace(fault, fate=RequestFate.UNSENT) if fault.fate is RequestFate.UNKNOWN else fault


def _refusal(error: exceptions.GoogleAuthError, account: str, source: str, clock_offset_s: float | None) -> Fault:
    reason = _reason(error)
    folded = reason.casefold()
    if "no access token" in folded:
        return _NO_TOKEN
    if "short-lived token" in folded or "reasonable timeframe" in folded:
        clock = _clock_error(clock_offset_s)
        sentence = f"Google refuses a token for {account}, because the clock of this machine {clock}: set it."
    elif "invalid jwt signature" in folded:
        sentence = f"Google does not know the key of {account} ({source}) any more: make a new key. {HOW}"
    elif "account not found" in folded or "invalid_client" in folded or "disabled_client" in folded:
        sentence = f"The account {account} was deleted or disabled: enable it, or make another one. {HOW}"
    elif "expired or revoked" in folded or "invalid_rapt" in folded or "reauth" in folded:
        sentence = f"The login ({source}) has ended: run `gcloud auth application-default login` again."
    elif getattr(error, "retryable", False):
        return Fault(RequestFate.UNSENT, f"{_TOKENS} is in trouble: {LATER}", reason)
    else:
        detail = f": {reason.rstrip('.')}." if reason else "."
        sentence = f"Google gives no token to {account}{detail} Check the credentials ({source})."
    return Fault(RequestFate.FINAL, sentence, reason)


def _reason(error: exceptions.GoogleAuthError) -> str:
    """Return Google's reason: the message of the answer if it is JSON as the APIs write it, else google-auth's text."""
    text, *answers = error.args or ("",)
    for answer in answers:
        try:
            return cleaned(str((json.loads(answer) if isinstance(answer, str) else answer)["error"]["message"]))
        except (ValueError, KeyError, TypeError):
            continue
    return cleaned(str(text))


def _clock_error(offset_s: float | None) -> str:
    if offset_s is None or abs(offset_s) < 60:
        return "seems to be wrong"
    return f"is {_duration(abs(offset_s))} {'fast' if offset_s > 0 else 'slow'}"


def _duration(seconds: float) -> str:
    for name, length in (("days", 86_400), ("hours", 3600)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {name}"
    return f"{seconds / 60:.0f} minutes"


class _ServiceError(exceptions.TransportError):
    """A temporary error of the token service.

    Raised here because google-auth would otherwise retry by itself, three times, without heeding a stop.
    """

    def __init__(self, status: int) -> None:
        super().__init__(f"{status}")  # type: ignore[no-untyped-call]
        self.status = status
