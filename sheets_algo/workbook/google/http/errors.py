"""Faults of requests: a sentence, and the permitted next step, for a status, a body or an exception."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import requests
from urllib3.exceptions import NewConnectionError

from sheets_algo.workbook.google.http.budget import Kind
from sheets_algo.workbook.google.http.sessions import MOST_BYTES, PIECE, AnswerTooLong
from sheets_algo.workbook.redact import redact

SHEETS = "Google Sheets"
DRIVE = "Google Drive"
SCOPES = {SHEETS: "spreadsheets", DRIVE: "drive.metadata.readonly"}
"""The last part of a service's scope."""
LATER = "try again in a few minutes."
LONGEST_QUOTE = 240
"""The maximum number of characters of Google's own text in a sentence."""


class RequestFate(Enum):
    """The outcome of a failed request, which says whether it may be sent again."""

    LIMITED = "refused by a limit: wait, then send it again"
    UNSENT = "not carried out, for a reason that passes: wait, then send it again"
    UNKNOWN = "carried out or not, nobody can say: a read is sent again, a write never"
    BAD = "refused for what it says (400): the caller knows why"
    FINAL = "refused until a person does something"


@dataclass(frozen=True, slots=True)
class Fault:
    """One failed request."""

    fate: RequestFate  # The outcome of the request
    sentence: str  # The message for a person: where it failed, why, and what to do
    message: str = ""  # Google's text, on one line
    details: tuple[Mapping[str, Any], ...] = ()  # Google's `error.details`


@dataclass(frozen=True, slots=True)
class Sender:
    """The origin of a request, as sentences name it."""

    spreadsheet: str  # The spreadsheet's id
    kind: Kind  # The kind of the request
    email: str | None  # The account's e-mail, if it has one
    source: str  # The place of the credentials
    service: str = SHEETS  # The service

    @property
    def account(self) -> str:
        """Return the account's name for a sentence."""
        return self.email or f"the account of the credentials ({self.source})"


class BadRequest(Exception):
    """An error 400: Google refused the content of the request, and nothing was changed."""

    def __init__(self, message: str, details: tuple[Mapping[str, Any], ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.details = details


def response_fault(response: requests.Response, sender: Sender) -> Fault:
    """Return the fault of an answer that is not 200 or holds no data."""
    error = _ErrorBody.of(response)
    status, service = response.status_code, sender.service
    match status:
        case _ if status < 300:
            return Fault(RequestFate.UNKNOWN, f"{service} answered with {error.kind} instead of data: {_IN_BETWEEN}")
        case _ if status < 400:
            return Fault(RequestFate.UNKNOWN, f"{service} answered with a redirect{_to(response)}: {_IN_BETWEEN}")
        case 400 if not error.is_googles:  # the request may have been stopped on its way there or back
            return Fault(
                RequestFate.UNKNOWN, f"{service} answered with {error.kind} instead of a reason: {_IN_BETWEEN}"
            )
        case 400:
            return Fault(
                RequestFate.BAD,
                f"{service} does not accept the request: {error.quote}",
                error.words,
                error.details,
            )
        case 401:
            sentence = (
                f"{service} does not accept the access token of {sender.account}, nor a new one: check in the Google"
                " Cloud console that the account still exists, and make it a new key."
            )
        case 403:
            return _forbidden(error, sender)
        case 404:
            sentence = (
                f'There is no spreadsheet "{sender.spreadsheet}": it was deleted, or its id is misspelled. Copy its'
                " address from the browser again."
            )
        case 407:
            sentence = "The proxy wants a password (407): set it in HTTPS_PROXY."
        case 408 | 409:
            return Fault(RequestFate.UNKNOWN, f"{service} gave up on the request ({status}): try again.", error.words)
        case 413 | 414:
            sentence = f"The request is too long for {service} ({status}): remove tabs or rows that are not needed."
        case 429:
            return _limited(error, sender)
        case _ if status >= 500:
            return Fault(RequestFate.UNKNOWN, f"{service} is in trouble ({_phrase(status)}): {LATER}", error.words)
        case _:
            sentence = f"{service} refuses the request ({_phrase(status)}): {error.quote}"
    return Fault(RequestFate.FINAL, sentence, error.words, error.details)


def connection_fault(error: OSError, where: str, seconds: float) -> Fault:
    """Return the fault of a request without a whole answer.

    Raises:
        OSError: `error` itself, if neither the network nor a setting caused it.
    """
    match error:
        case requests.exceptions.ProxyError():
            return Fault(RequestFate.UNSENT, f"The proxy on the way to {where} cannot be reached: check HTTPS_PROXY.")
        case requests.exceptions.SSLError():
            return _insecure(error, where)
        case requests.exceptions.ConnectTimeout():
            return Fault(RequestFate.UNSENT, f"There is no connection to {where} (no answer to the call): {_NETWORK}")
        case AnswerTooLong():
            most = f"{MOST_BYTES // PIECE} megabytes"
            sentence = f"{where} has more than {most} of cells to read: delete rows that no ruling needs any more."
            return Fault(RequestFate.FINAL, sentence)
        case requests.exceptions.Timeout() | TimeoutError():
            return Fault(RequestFate.UNKNOWN, f"{where} gave no answer within {seconds:g} seconds: {LATER}")
        case requests.exceptions.ConnectionError() if isinstance(_cause(error), NewConnectionError):
            return Fault(RequestFate.UNSENT, f"There is no connection to {where}{_why(error)}: {_NETWORK}")
        case (
            requests.exceptions.ConnectionError()
            | requests.exceptions.ChunkedEncodingError()
            | requests.exceptions.ContentDecodingError()
        ):
            return Fault(RequestFate.UNKNOWN, f"{where} broke off before its answer was complete: {LATER}")
        case (
            requests.exceptions.InvalidURL() | requests.exceptions.MissingSchema() | requests.exceptions.InvalidSchema()
        ):
            sentence = f"{where} cannot be asked, the address is wrong: check SHEETS_ALGO_API_URL and HTTPS_PROXY."
            return Fault(RequestFate.FINAL, sentence)
        case _ if "CA certificate" in str(error):
            sentence = f"{where} cannot be asked: there is no file of certificates where REQUESTS_CA_BUNDLE says."
            return Fault(RequestFate.FINAL, sentence)
        case _:
            raise error


def cleaned(text: str) -> str:
    """Return text from outside on one line, shortened, without anything that looks like a secret."""
    text = _LONG.sub("…", redact(" ".join(text.split())))
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"


_IN_BETWEEN = "a proxy or the sign-in page of a Wi-Fi may be in between; open a web page in a browser to see."
_NETWORK = "check the network."
_LONG = re.compile(r"(?<![-\w./:?=&%])[-\w+/=]{60,}")
"""Longer than any word of Google's: a key or a token of some kind."""


@dataclass(frozen=True, slots=True)
class _ErrorBody:
    """The error in the body of an answer."""

    words: str  # Google's message, cleaned
    details: tuple[Mapping[str, Any], ...] = field(default=())  # Google's details
    kind: str = "an error"  # The kind of body, if it is not data
    is_googles: bool = False  # True if it has the form of Google's errors

    @classmethod
    def of(cls, response: requests.Response) -> _ErrorBody:
        try:
            body = response.json()
        except (ValueError, RecursionError):
            return cls._of_page(response)
        try:
            error = body["error"]
            # Drive and the front end of every API still use the older form, `errors`.
            items = (*error.get("details", ()), *error.get("errors", ()))
            details, words = tuple(item for item in items if isinstance(item, dict)), error.get("message", "")
            return cls(cleaned(str(words)), details, is_googles=isinstance(words, str))
        except (KeyError, TypeError, AttributeError):
            return cls(cleaned(response.text[:100_000]), kind="JSON of another form")

    @classmethod
    def _of_page(cls, response: requests.Response) -> _ErrorBody:
        text = response.text[:100_000]
        if "<" not in text[:200]:
            return cls(cleaned(text), kind="half a text" if text else "nothing")
        title = re.search(r"(?is)<title[^>]*>(.*?)</title>", text)
        words = cleaned(html.unescape(title[1])) if title else ""
        return cls(words, kind=f'a web page ("{words}")' if words else "a web page")

    @property
    def quote(self) -> str:
        """Return the message as the end of a sentence."""
        return f"{self.words.rstrip('.')}." if self.words else "no reason is given."

    @property
    def reasons(self) -> set[str]:
        """Return the machine-readable reasons."""
        return {str(item.get("reason", "")) for item in self.details}

    @property
    def is_rate_limit(self) -> bool:
        """Return True if the message speaks of a rate limit."""
        return "rate limit exceeded" in self.words.casefold()


def _forbidden(error: _ErrorBody, sender: Sender) -> Fault:
    account = sender.account
    if error.reasons & {"RATE_LIMIT_EXCEEDED", "rateLimitExceeded", "userRateLimitExceeded"} or error.is_rate_limit:
        return _limited(error, sender)
    if "SERVICE_DISABLED" in error.reasons or "it is disabled" in error.words:
        page = re.search(r"https://\S+?(?=[.,]?(\s|$))", error.words)
        api = sender.service.split()[-1].lower()
        where = page[0] if page else f"https://console.cloud.google.com/apis/library/{api}.googleapis.com"
        sentence = (
            f"The {sender.service} API is switched off in the Google Cloud project of {account}: enable it at {where},"
            " wait some minutes and try again."
        )
    elif "ACCESS_TOKEN_SCOPE_INSUFFICIENT" in error.reasons or "insufficient authentication scopes" in error.words:
        sentence = (
            f"The credentials ({sender.source}) may not be used for {sender.service}: use a service account's key, or"
            f" log in anew with the scope https://www.googleapis.com/auth/{SCOPES[sender.service]}."
        )
    elif error.reasons & {"dailyLimitExceeded", "quotaExceeded", "storageQuotaExceeded"} or "uota" in error.words:
        sentence = f"A quota of {account} at Google is used up: {error.quote} Try again tomorrow, or ask for more."
    elif "does not have permission" in error.words and sender.kind == "write":
        sentence = (
            f'{_capital(account)} may read the spreadsheet "{sender.spreadsheet}" but not change it: open it in a'
            f" browser, choose Share and make {sender.email or 'the account'} an Editor."
        )
    elif "does not have permission" in error.words:
        sentence = (
            f'The spreadsheet "{sender.spreadsheet}" is not shared with {account}: open it in a browser, choose Share'
            f" and add {sender.email or 'the account'} as an Editor."
        )
    else:
        sentence = (
            f'Google refuses {account} the spreadsheet "{sender.spreadsheet}" (403): {error.quote} Check that it is'
            " shared with this account, and that no proxy or rule of an organisation forbids it."
        )
    return Fault(RequestFate.FINAL, sentence, error.words, error.details)


def _limited(error: _ErrorBody, sender: Sender) -> Fault:
    sentence = (
        f"Google's limit of {sender.kind} requests a minute is used up for {sender.account}, by this or another"
        " program: wait a minute; if it comes often, look at the spreadsheet less often."
    )
    return Fault(RequestFate.LIMITED, sentence, error.words, error.details)


def _insecure(error: OSError, where: str) -> Fault:
    """Return the fault of a failed TLS connection: an untrusted certificate stops it before anything is sent."""
    text = str(error)
    if "certificate" not in text.lower():
        return Fault(RequestFate.UNKNOWN, f"The secure connection to {where} broke off: {LATER}")
    reason = re.search(r"certificate verify failed: ([^(]*)", text)
    return Fault(
        RequestFate.FINAL,
        f"The certificate of {where} is not trusted ({cleaned(reason[1]) if reason else 'it cannot be verified'}): set"
        " the clock; if a proxy or a virus scanner reads along, name its certificates in REQUESTS_CA_BUNDLE.",
    )


def _cause(error: OSError) -> object:
    inner = error.args[0] if error.args else None
    return getattr(inner, "reason", None)


def _why(error: OSError) -> str:
    text = str(_cause(error))
    if "resolve" in text:
        return " (its name is not found)"
    return " (connection refused)" if "refused" in text else ""


def _to(response: requests.Response) -> str:
    host = urlsplit(response.headers.get("Location", "")).hostname
    return f" to {host}" if host else ""


def _phrase(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _capital(text: str) -> str:
    """Return a sentence's start with a capital; an e-mail stays as it is."""
    return text if "@" in text else text[:1].upper() + text[1:]
