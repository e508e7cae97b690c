"""What went wrong with a request, from a status, a body or an exception to one sentence and what may be done next."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import requests
from urllib3.exceptions import NewConnectionError

from sheets_algo.discretion import discreet
from sheets_algo.workbook.google.budget import Kind

SHEETS = "Google Sheets"
LATER = "try again in a few minutes."
LONGEST_QUOTE = 240
"""Characters of Google's own words in a sentence."""


class Fate(Enum):
    """What became of a request, and so what may be done about it."""

    LIMITED = "refused by a limit: wait, then send it again"
    UNSENT = "not carried out, for a reason that passes: wait, then send it again"
    UNKNOWN = "carried out or not, nobody can say: a read is sent again, a write never"
    BAD = "refused for what it says (400): the caller knows why"
    FINAL = "refused until a person does something"


@dataclass(frozen=True, slots=True)
class Fault:
    """One failed request.

    Args:
        fate: What became of it.
        sentence: Where, what, what to do.
        message: Google's own words, on one line.
        details: Google's `error.details`.
    """

    fate: Fate
    sentence: str
    message: str = ""
    details: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Sender:
    """Who asks for what, as far as sentences name it.

    Args:
        spreadsheet: Its id.
        kind: Of the request.
        email: The account's e-mail, if it has one.
        source: Where the credentials come from.
    """

    spreadsheet: str
    kind: Kind
    email: str | None
    source: str

    @property
    def account(self) -> str:
        """How the account is called in a sentence."""
        return self.email or f"the account of the credentials ({self.source})"


class BadRequest(Exception):
    """Google refused what a request says (400); nothing was changed.

    Args:
        message: Google's sentence.
        details: Google's `error.details`.
    """

    def __init__(self, message: str, details: tuple[Mapping[str, Any], ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.details = details


def response_fault(response: requests.Response, sender: Sender) -> Fault:
    """An answer that is not 200, or is no data."""
    said = _Said.of(response)
    status = response.status_code
    match status:
        case _ if status < 300:
            return Fault(Fate.UNKNOWN, f"{SHEETS} answered with {said.kind} instead of data: {_IN_BETWEEN}")
        case _ if status < 400:
            return Fault(Fate.UNKNOWN, f"{SHEETS} answered with a redirect{_to(response)}: {_IN_BETWEEN}")
        case 400:
            return Fault(Fate.BAD, f"{SHEETS} does not accept the request: {said.quote}", said.words, said.details)
        case 401:
            sentence = (
                f"{SHEETS} does not accept the access token of {sender.account}, nor a new one: check in the Google"
                " Cloud console that the account still exists, and make it a new key."
            )
        case 403:
            return _forbidden(said, sender)
        case 404:
            sentence = (
                f'There is no spreadsheet "{sender.spreadsheet}": it was deleted, or its id is misspelled. Copy its'
                " address from the browser again."
            )
        case 407:
            sentence = "The proxy wants a password (407): set it in HTTPS_PROXY."
        case 408 | 409:
            return Fault(Fate.UNKNOWN, f"{SHEETS} gave up on the request ({status}): try again.", said.words)
        case 413 | 414:
            sentence = f"The request is too long for {SHEETS} ({status}): remove tabs or rows that are not needed."
        case 429:
            return _limited(said, sender)
        case _ if status >= 500:
            return Fault(Fate.UNKNOWN, f"{SHEETS} is in trouble ({_phrase(status)}): {LATER}", said.words)
        case _:
            sentence = f"{SHEETS} refuses the request ({_phrase(status)}): {said.quote}"
    return Fault(Fate.FINAL, sentence, said.words, said.details)


def connection_fault(error: OSError, where: str, seconds: float) -> Fault:
    """No answer, or not all of one.

    Args:
        error: What requests raised, or TimeoutError.
        where: Who was asked, as a person calls it.
        seconds: How long an answer was waited for.

    Raises:
        OSError: `error` itself, if it is no matter of network or settings.
    """
    match error:
        case requests.exceptions.ProxyError():
            return Fault(Fate.UNSENT, f"The proxy on the way to {where} cannot be reached: check HTTPS_PROXY.")
        case requests.exceptions.SSLError():
            return _insecure(error, where)
        case requests.exceptions.ConnectTimeout():
            return Fault(Fate.UNSENT, f"There is no connection to {where} (no answer to the call): {_NETWORK}")
        case requests.exceptions.Timeout() | TimeoutError():
            return Fault(Fate.UNKNOWN, f"{where} gave no answer within {seconds:g} seconds: {LATER}")
        case requests.exceptions.ConnectionError() if _is_unopened(error):
            return Fault(Fate.UNSENT, f"There is no connection to {where}{_why(error)}: {_NETWORK}")
        case (
            requests.exceptions.ConnectionError()
            | requests.exceptions.ChunkedEncodingError()
            | requests.exceptions.ContentDecodingError()
        ):
            return Fault(Fate.UNKNOWN, f"{where} broke off before its answer was complete: {LATER}")
        case (
            requests.exceptions.InvalidURL() | requests.exceptions.MissingSchema() | requests.exceptions.InvalidSchema()
        ):
            sentence = f"{where} cannot be asked, the address is wrong: check SHEETS_ALGO_API_URL and HTTPS_PROXY."
            return Fault(Fate.FINAL, sentence)
        case _ if "CA certificate" in str(error):
            sentence = f"{where} cannot be asked: there is no file of certificates where REQUESTS_CA_BUNDLE says."
            return Fault(Fate.FINAL, sentence)
        case _:
            raise error


def cleaned(text: str) -> str:
    """Words from outside, on one line, shortened, without anything that looks like a secret."""
    text = _LONG.sub("…", discreet(" ".join(text.split())))
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"


_IN_BETWEEN = "a proxy or the sign-in page of a Wi-Fi may stand in between; open a web page in a browser to see."
_NETWORK = "check the network."
_LONG = re.compile(r"(?<![-\w./:?=&%])[-\w+/=]{60,}")
"""No word of Google's: a key or a token of whatever kind."""


@dataclass(frozen=True, slots=True)
class _Said:
    """The body of an answer.

    Args:
        words: Google's message, cleaned.
        details: Google's details.
        kind: What the body is, if it is not data.
    """

    words: str
    details: tuple[Mapping[str, Any], ...] = field(default=())
    kind: str = "something"

    @classmethod
    def of(cls, response: requests.Response) -> _Said:
        try:
            error = response.json()["error"]
            details = tuple(it for it in error.get("details", ()) if isinstance(it, dict))
            return cls(cleaned(str(error.get("message", ""))), (*details, *_drive_errors(error)))
        except (ValueError, KeyError, TypeError, AttributeError):
            return cls._of_page(response)

    @classmethod
    def _of_page(cls, response: requests.Response) -> _Said:
        text = response.text[:100_000]
        if "<" not in text[:200]:
            return cls(cleaned(text), kind="half a text" if text else "nothing")
        title = re.search(r"(?is)<title[^>]*>(.*?)</title>", text)
        words = cleaned(html.unescape(title[1])) if title else ""
        return cls(words, kind=f'a web page ("{words}")' if words else "a web page")

    @property
    def quote(self) -> str:
        """The message as the end of a sentence."""
        return f"{self.words.rstrip('.')}." if self.words else "no reason is given."

    @property
    def reasons(self) -> set[str]:
        """Google's words for programs."""
        return {str(it.get("reason", "")) for it in self.details}

    @property
    def is_of_rate(self) -> bool:
        """Whether too much was asked in a short time, by the words alone."""
        return "rate limit exceeded" in self.words.casefold()


def _drive_errors(error: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The older form of details, which Drive and the front of every API still use."""
    return (it for it in error.get("errors", ()) if isinstance(it, dict))


def _forbidden(said: _Said, sender: Sender) -> Fault:
    account = sender.account
    if said.reasons & {"RATE_LIMIT_EXCEEDED", "rateLimitExceeded", "userRateLimitExceeded"} or said.is_of_rate:
        return _limited(said, sender)
    if "SERVICE_DISABLED" in said.reasons or "it is disabled" in said.words:
        page = re.search(r"https://\S+?(?=[.,]?(\s|$))", said.words)
        where = page[0] if page else "https://console.cloud.google.com/apis/library/sheets.googleapis.com"
        sentence = (
            f"The Google Sheets API is switched off in the Google Cloud project of {account}: enable it at {where},"
            " wait some minutes and try again."
        )
    elif "ACCESS_TOKEN_SCOPE_INSUFFICIENT" in said.reasons or "insufficient authentication scopes" in said.words:
        sentence = (
            f"The credentials ({sender.source}) may not be used for spreadsheets: use a service account's key, or log"
            " in anew with the scope https://www.googleapis.com/auth/spreadsheets."
        )
    elif said.reasons & {"dailyLimitExceeded", "quotaExceeded", "storageQuotaExceeded"} or "uota" in said.words:
        sentence = f"A quota of {account} at Google is used up: {said.quote} Try again tomorrow, or ask for more."
    elif "does not have permission" in said.words and sender.kind == "write":
        sentence = (
            f'{_capital(account)} may read the spreadsheet "{sender.spreadsheet}" but not change it: open it in a'
            f" browser, choose Share and make {sender.email or 'the account'} an Editor."
        )
    elif "does not have permission" in said.words:
        sentence = (
            f'The spreadsheet "{sender.spreadsheet}" is not shared with {account}: open it in a browser, choose Share'
            f" and add {sender.email or 'the account'} as an Editor."
        )
    else:
        sentence = (
            f'Google refuses {account} the spreadsheet "{sender.spreadsheet}" (403): {said.quote} Check that it is'
            " shared with this account, and that no proxy or rule of an organisation forbids it."
        )
    return Fault(Fate.FINAL, sentence, said.words, said.details)


def _limited(said: _Said, sender: Sender) -> Fault:
    sentence = (
        f"Google's limit of {sender.kind} requests a minute is used up for {sender.account}, by this or another"
        " program: wait a minute; if it comes often, look at the spreadsheet less often."
    )
    return Fault(Fate.LIMITED, sentence, said.words, said.details)


def _insecure(error: OSError, where: str) -> Fault:
    """A certificate that is not trusted was never sent a request; any other failure of TLS may come in the middle."""
    text = str(error)
    if "certificate" not in text.lower():
        return Fault(Fate.UNKNOWN, f"The secure connection to {where} broke off: {LATER}")
    reason = re.search(r"certificate verify failed: ([^(]*)", text)
    return Fault(
        Fate.FINAL,
        f"The certificate of {where} is not trusted ({cleaned(reason[1]) if reason else 'it cannot be verified'}): set"
        " the clock; if a proxy or a virus scanner reads along, name its certificates in REQUESTS_CA_BUNDLE.",
    )


def _is_unopened(error: OSError) -> bool:
    return isinstance(_reason(error), NewConnectionError)


def _reason(error: OSError) -> object:
    """What lies beneath an exception of requests."""
    inner = error.args[0] if error.args else None
    return getattr(inner, "reason", None)


def _why(error: OSError) -> str:
    text = str(_reason(error))
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
    """The start of a sentence; an e-mail stays as it is."""
    return text if "@" in text else text[:1].upper() + text[1:]
