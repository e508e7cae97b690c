"""Requests for tokens: within a time, never repeated out of sight, and with a sentence for each way to fail."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

import requests
from google.auth import exceptions
from google.auth.transport import requests as transport

from sheets_algo.workbook.google.errors import LATER, Fate, Fault, cleaned, connection_fault
from sheets_algo.workbook.google.sessions import CONNECT_S, is_here, session

HOW = "docs/google.md tells how to make a service account and its key."

_TOKENS = "Google's token service"
_NO_TOKEN = Fault(
    Fate.UNSENT, f"{_TOKENS} answered with something that is no token: a proxy may stand in between; try again later."
)


class TokenRequest(transport.Request):
    """What google-auth asks with.

    Args:
        timeout: Seconds that an answer may take.
        hears: Called with the headers of each answer.
    """

    def __init__(self, timeout: float, hears: Callable[[Mapping[str, str]], object]) -> None:
        super().__init__(session(""))
        self._timeout = timeout
        self._hears = hears

    def __call__(
        self,
        url: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: object = None,
        **kwargs: Any,
    ) -> Any:
        """Send one request and return the answer, unless the service says that it is unwell."""
        self.session.trust_env = not is_here(url)
        times = (CONNECT_S, self._timeout)
        # What is sent speaks for the account: it goes nowhere else.
        answer = super().__call__(url, method, body, headers, times, allow_redirects=False, **kwargs)  # type: ignore[no-untyped-call]
        self._hears(answer.headers)
        if answer.status >= 500 or answer.status in (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS):
            raise _Unwell(answer.status)
        return answer


def token_fault(error: Exception, account: str, source: str, clock_offset_s: float | None, timeout: float) -> Fault:
    """Why there is no token, in a sentence.

    Args:
        error: What google-auth raised, or let through.
        account: Whose token it would be.
        source: Where the credentials come from.
        clock_offset_s: How far our clock is ahead of Google's, if that is known.
        timeout: Seconds that were waited for an answer.

    Raises:
        OSError: `error` itself, if it is neither network nor settings.
    """
    match error:
        case _Unwell():
            return Fault(Fate.UNSENT, f"{_TOKENS} is in trouble ({error.status}): {LATER}")
        case exceptions.GoogleAuthError(__cause__=requests.RequestException() as cause):
            return _unsent(connection_fault(cause, _TOKENS, timeout))
        case exceptions.GoogleAuthError():
            return _refusal(error, account, source, clock_offset_s)
        case OSError():
            return _unsent(connection_fault(error, _TOKENS, timeout))
        case _:  # an answer that is not what google-auth takes for granted: a sign-in page, for example
            return _NO_TOKEN


def _unsent(fault: Fault) -> Fault:
    """A request for a token may always be sent again."""
    return replace(fault, fate=Fate.UNSENT) if fault.fate is Fate.UNKNOWN else fault


def _refusal(error: exceptions.GoogleAuthError, account: str, source: str, clock_offset_s: float | None) -> Fault:
    words = _words(error)
    known = words.casefold()
    if "no access token" in known:
        return _NO_TOKEN
    if "short-lived token" in known or "reasonable timeframe" in known:
        clock = _wrong(clock_offset_s)
        sentence = f"Google refuses a token for {account}, because the clock of this machine {clock}: set it."
    elif "invalid jwt signature" in known:
        sentence = f"Google does not know the key of {account} ({source}) any more: make a new key. {HOW}"
    elif "account not found" in known or "invalid_client" in known or "disabled_client" in known:
        sentence = f"The account {account} was deleted or disabled: enable it, or make another one. {HOW}"
    elif "expired or revoked" in known or "invalid_rapt" in known or "reauth" in known:
        sentence = f"The login ({source}) has ended: run `gcloud auth application-default login` again."
    elif getattr(error, "retryable", False):
        return Fault(Fate.UNSENT, f"{_TOKENS} is in trouble: {LATER}", words)
    else:
        said = f": {words.rstrip('.')}." if words else "."
        sentence = f"Google gives no token to {account}{said} Check the credentials ({source})."
    return Fault(Fate.FINAL, sentence, words)


def _words(error: exceptions.GoogleAuthError) -> str:
    """Google's reason: that of the answer, if it is written as those of the APIs are, else as google-auth tells it."""
    told, *answers = error.args or ("",)
    for answer in answers:
        try:
            return cleaned(str((json.loads(answer) if isinstance(answer, str) else answer)["error"]["message"]))
        except (ValueError, KeyError, TypeError):
            continue
    return cleaned(str(told))


def _wrong(offset_s: float | None) -> str:
    if offset_s is None or abs(offset_s) < 60:
        return "seems to be wrong"
    return f"is {_span(abs(offset_s))} {'fast' if offset_s > 0 else 'slow'}"


def _span(seconds: float) -> str:
    for name, length in (("days", 86_400), ("hours", 3600)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {name}"
    return f"{seconds / 60:.0f} minutes"


class _Unwell(exceptions.TransportError):
    """The token service has trouble of its own; google-auth would ask again by itself, three times, unstoppably."""

    def __init__(self, status: int) -> None:
        super().__init__(f"{status}")  # type: ignore[no-untyped-call]
        self.status = status
