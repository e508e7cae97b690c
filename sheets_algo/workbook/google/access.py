"""Credentials for Google: where they are looked for, what a person hears about them, and the tokens they are good for.

Nothing of a key or a token ever stands in a message, a log or a repr.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import time
import warnings
from collections.abc import Mapping
from dataclasses import replace
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import google.auth
import requests
from google.auth import exceptions
from google.auth.credentials import Credentials, with_scopes_if_required
from google.auth.transport import requests as transport

from sheets_algo.workbook.base import WorkbookUnavailable
from sheets_algo.workbook.google.errors import Fate, Fault, cleaned, connection_fault

SCOPES = ("https://www.googleapis.com/auth/spreadsheets",)
VARIABLE = "GOOGLE_APPLICATION_CREDENTIALS"
CONNECT_S = 10.0
"""How long a connection may take to come about."""

_TOKENS = "Google's token service"
_NO_TOKEN = Fault(
    Fate.UNSENT, f"{_TOKENS} answered with something that is no token: a proxy may stand in between; try again later."
)
_HOW = "docs/google.md tells how to make a service account and its key."
_KINDS = {
    "service_account": "service account key",
    "authorized_user": "a person's login (gcloud)",
    "external_account": "workload identity federation",
    "external_account_authorized_user": "a person's login (workforce identity)",
    "impersonated_service_account": "impersonated service account",
}


class BadCredentials(WorkbookUnavailable):
    """There are no credentials, or none that can be used; waiting will not help."""


class NoToken(Exception):
    """The credentials brought no access token; nothing was sent to the spreadsheet."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.sentence)
        self.fault = fault


def find(file: Path | None = None, environment: Mapping[str, str] = os.environ) -> Access:
    """The credentials in force.

    In this order: the file given, that of GOOGLE_APPLICATION_CREDENTIALS, gspread's default file, application default
    credentials (gcloud's login, or the identity of the machine the program runs on).

    Args:
        file: A key file that was asked for by name.
        environment: Variables.

    Raises:
        BadCredentials: None are there, or the first that are there cannot be used.
    """
    if file is not None:
        return _from_file(file.expanduser(), str(file))
    if named := environment.get(VARIABLE, "").strip():
        return _from_file(Path(named), f"{named}, named by {VARIABLE}")
    usual = _gspreads_file()
    if usual.exists():
        return _from_file(usual, f"{usual}, gspread's default place")
    return _default(usual)


class Access:
    """Credentials, and what to say about them. Safe between threads.

    Args:
        credentials: As google-auth made them.
        kind: What they are, in words.
        source: Where they come from, in words.
    """

    def __init__(self, credentials: Credentials, kind: str, source: str) -> None:
        email = getattr(credentials, "service_account_email", None)
        self.email: str | None = email if isinstance(email, str) and "@" in email else None
        self.kind = kind
        self.source = source
        self.clock_offset_s: float | None = None
        self._credentials = credentials
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"Access({self.kind}, {self.source})"

    def authorization(self, timeout: float, *, refused: Mapping[str, str] | None = None) -> dict[str, str]:
        """The headers of a request, with a token that is good for some minutes at least.

        Args:
            timeout: Seconds that the token service may take to answer.
            refused: Headers that Google did not accept (401); never given again.

        Raises:
            NoToken: There is none; the fault says why.
        """
        with self._lock:
            if not self._credentials.valid or self._headers() == refused:
                self._refresh(timeout)
            return self._headers()

    def hidden(self, fault: Fault) -> Fault:
        """A fault without the present token, should an answer have quoted it."""
        token = self._credentials.token
        if not token:
            return fault
        return replace(fault, sentence=fault.sentence.replace(token, "…"), message=fault.message.replace(token, "…"))

    def heard(self, headers: Mapping[str, str]) -> None:
        """Compare clocks by an answer's `Date`: `clock_offset_s` is ours minus Google's, in seconds."""
        try:
            theirs = parsedate_to_datetime(headers["Date"]).timestamp()
        except (KeyError, ValueError, TypeError):
            return
        self.clock_offset_s = round(time.time() - theirs, 1)

    def _headers(self) -> dict[str, str]:
        headers: dict[str, str] = {}
        self._credentials.apply(headers)
        return headers

    def _refresh(self, timeout: float) -> None:
        try:
            self._credentials.refresh(_TokenRequest(self, timeout))
        except exceptions.GoogleAuthError as error:
            raise NoToken(_token_fault(error, self, timeout)) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            # an answer that is not what google-auth takes for granted: a sign-in page, for example
            raise NoToken(_NO_TOKEN) from error
        except OSError as error:  # which google-auth lets through as it is
            raise NoToken(connection_fault(error, _TOKENS, timeout)) from error


class _Unwell(exceptions.TransportError):
    """The token service has trouble of its own; google-auth would ask again by itself, three times, unstoppably."""

    def __init__(self, status: int) -> None:
        super().__init__(f"{status}")  # type: ignore[no-untyped-call]
        self.status = status


class _TokenRequest(transport.Request):
    """What google-auth asks with: within a time, never again by itself, comparing the clocks on the way."""

    def __init__(self, access: Access, timeout: float) -> None:
        super().__init__(requests.Session())
        self._access = access
        self._timeout = timeout

    def __call__(
        self,
        url: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: object = None,
        **kwargs: Any,
    ) -> Any:
        self.session.trust_env = not _is_here(url)
        answer = super().__call__(url, method, body, headers, (CONNECT_S, self._timeout), **kwargs)  # type: ignore[no-untyped-call]
        self._access.heard(answer.headers)
        if answer.status >= 500 or answer.status in (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS):
            raise _Unwell(answer.status)
        return answer


def session(url: str) -> requests.Session:
    """A session for requests to `url`: a server on this machine is not asked through a proxy."""
    made = requests.Session()
    made.trust_env = not _is_here(url)
    made.auth = _as_it_is
    return made


def _as_it_is(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Keeps a password that ~/.netrc has for any host from taking the token's place."""
    return request


def _is_here(url: str) -> bool:
    return urlsplit(url).hostname in ("127.0.0.1", "localhost", "::1")


def _from_file(file: Path, source: str) -> Access:
    info = _info(file, source)
    kind = str(info.get("type"))
    if "installed" in info or "web" in info:
        raise BadCredentials(
            f"The credentials in {source} are those of an OAuth client, for programs that log a person in; the key of a"
            f" service account is needed. {_HOW}"
        )
    if kind not in _KINDS:
        raise BadCredentials(f'The file {source} holds no key of a service account (no known "type"). {_HOW}')
    try:
        with warnings.catch_warnings():
            # Warns of configurations from strangers; this one was named by the person who runs the program.
            warnings.simplefilter("ignore", DeprecationWarning)
            credentials, _ = google.auth.load_credentials_from_dict(info)
            credentials = with_scopes_if_required(credentials, SCOPES)
    except (exceptions.GoogleAuthError, ValueError, KeyError, TypeError, AttributeError):
        # `from None`: what failed to parse holds the key
        raise BadCredentials(
            f"The key in {source} is damaged or not complete: download it again, or make a new one. {_HOW}"
        ) from None
    return Access(credentials, _KINDS[kind], source)


def _info(file: Path, source: str) -> dict[str, Any]:
    try:
        info = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise BadCredentials(f"There is no credentials file {source}: check the path. {_HOW}") from error
    except OSError as error:
        raise BadCredentials(f"The credentials file {source} cannot be read ({error.strerror}).") from error
    except ValueError:
        info = None
    if not isinstance(info, dict):
        raise BadCredentials(f"The credentials file {source} is not JSON as Google makes it: download it again. {_HOW}")
    return info


def _gspreads_file() -> Path:
    from gspread.auth import get_config_dir

    return get_config_dir() / "service_account.json"


def _default(usual: Path) -> Access:
    """Application default credentials."""
    logging.getLogger("google.auth._default").setLevel(logging.ERROR)  # it would warn of every place it looks at
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            credentials, _ = google.auth.default(scopes=SCOPES)
    except exceptions.GoogleAuthError:
        raise BadCredentials(
            f"There are no Google credentials: neither --credentials FILE, nor {VARIABLE}, nor {usual}, nor a login of"
            f" gcloud, nor an identity of this machine. {_HOW}"
        ) from None
    return Access(credentials, "application default credentials", "this machine's default")


def _token_fault(error: exceptions.GoogleAuthError, access: Access, timeout: float) -> Fault:
    """Why there is no token, in a sentence."""
    if isinstance(error, _Unwell):
        return Fault(Fate.UNSENT, f"{_TOKENS} is in trouble ({error.status}): try again in a few minutes.")
    if isinstance(error.__cause__, requests.RequestException):
        fault = connection_fault(error.__cause__, _TOKENS, timeout)
        return Fault(Fate.UNSENT, fault.sentence) if fault.fate is Fate.UNKNOWN else fault
    account, words = access.email or "the account", _words(error)
    known = words.casefold()
    if "no access token" in known:
        return _NO_TOKEN
    if "short-lived token" in known or "iat" in known.split() or "reasonable timeframe" in known:
        sentence = f"Google refuses a token for {account}, because the clock of this machine {_wrong(access)}: set it."
    elif "invalid jwt signature" in known:
        sentence = f"Google does not know the key of {account} ({access.source}) any more: make a new key. {_HOW}"
    elif "account not found" in known or "invalid_client" in known or "disabled_client" in known:
        sentence = f"The account {account} was deleted or disabled: enable it, or make another one. {_HOW}"
    elif "expired or revoked" in known or "invalid_rapt" in known or "reauth" in known:
        sentence = f"The login ({access.source}) has ended: run `gcloud auth application-default login` again."
    elif getattr(error, "retryable", False):
        return Fault(Fate.UNSENT, f"{_TOKENS} is in trouble: try again in a few minutes.", words)
    else:
        said = f": {words.rstrip('.')}." if words else "."
        sentence = f"Google gives no token to {account}{said} Check the credentials ({access.source})."
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


def _wrong(access: Access) -> str:
    offset = access.clock_offset_s
    if offset is None or abs(offset) < 60:
        return "seems to be wrong"
    return f"is {_span(abs(offset))} {'fast' if offset > 0 else 'slow'}"


def _span(seconds: float) -> str:
    for name, length in (("days", 86_400), ("hours", 3600)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {name}"
    return f"{seconds / 60:.0f} minutes"
