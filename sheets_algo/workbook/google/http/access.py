"""Credentials for Google: finding them, describing them, and getting access tokens with them.

Neither a key nor a token is ever part of a message, a log or a repr.
"""

from __future__ import annotations

import json
import logging
import os
import re
import threading
import time
import warnings
from collections.abc import Mapping
from dataclasses import replace
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import google.auth
from google.auth import exceptions
from google.auth.credentials import Credentials, with_scopes_if_required

from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.google.http.errors import SCOPES, SHEETS, Fault, RequestFate
from sheets_algo.workbook.google.http.sessions import is_unencrypted
from sheets_algo.workbook.google.http.tokens import HOW, TokenRequest, token_fault

VARIABLE = "GOOGLE_APPLICATION_CREDENTIALS"

IDENTITY = "workload identity federation"
"""The one kind of credentials whose file holds no secret."""

_KINDS = {
    "service_account": "service account key",
    "authorized_user": "a person's login (gcloud)",
    "external_account": IDENTITY,
    "external_account_authorized_user": "a person's login (workforce identity)",
    "impersonated_service_account": "impersonated service account",
}

_ADDRESSES = ("token_uri", "token_url", "service_account_impersonation_url")
"""The fields of a file that hold addresses of token services."""


class BadCredentials(WorkbookUnavailable):
    """Missing or unusable credentials; waiting will not help."""


class NoToken(Exception):
    """Missing access token: the credentials brought none, and nothing was sent to the spreadsheet."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.sentence)
        self.fault = fault


def find(file: Path | None = None, environment: Mapping[str, str] = os.environ, *, service: str = SHEETS) -> Access:
    """Return the credentials to use.

    In this order: the file given, that of GOOGLE_APPLICATION_CREDENTIALS, gspread's default file, application default
    credentials (gcloud's login, or the identity of the machine the program runs on).

    Args:
        file: A key file that was asked for by name.

    Raises:
        BadCredentials: There are none, or the first that are found cannot be used.
    """
    if file is not None:
        return _from_file(file.expanduser(), str(file), service)
    if path := environment.get(VARIABLE, "").strip():
        return _from_file(Path(path), f"{path}, named by {VARIABLE}", service)
    gspread_key = _gspread_key()
    if gspread_key.exists():
        return _from_file(gspread_key, f"{gspread_key}, gspread's default place", service)
    return _default(gspread_key, service)


_TOKEN = re.compile("[!-~]+")
"""A token that a header can carry."""
_UNREADABLE = (
    exceptions.GoogleAuthError, OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError,
    RecursionError,
)  # fmt: skip
"""The errors that google-auth raises at refusals, and at answers of other forms than it expects."""


class Access:
    """Credentials and their description. Safe between threads.

    Args:
        credentials: The credentials, as google-auth made them.
        kind: The kind of credentials, in words for people.
        source: Their origin, in words for people.
        file: The file that they were read from; it is read again for each new token, since a key may be replaced.
    """

    def __init__(
        self, credentials: Credentials, kind: str, source: str, file: Path | None = None, service: str = SHEETS
    ) -> None:
        self.kind = kind
        self.source = source
        self.file = file
        self.clock_offset_s: float | None = None
        self._credentials = credentials
        self._service = service
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"Access({self.kind}, {self.source})"

    @property
    def email(self) -> str | None:
        """Return the service account's e-mail, None for other credentials."""
        email = getattr(self._credentials, "service_account_email", None)
        return email if isinstance(email, str) and "@" in email else None

    def authorization(self, timeout: float, *, refused: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the headers of a request, with a token that is valid for some minutes at least.

        Args:
            timeout: The longest time to wait for the token service, in seconds.
            refused: The headers that Google did not accept (401); they are not returned again.

        Raises:
            NoToken: There is no token; the fault says why.
        """
        with self._lock:
            if not self._credentials.valid or self._headers() == refused:
                self._refresh(timeout)
            return self._headers()

    def without_token(self, fault: Fault) -> Fault:
        """Return a fault without the present token, in case an answer quoted it."""
        token = self._credentials.token
        if not token:
            return fault
        return replace(fault, sentence=fault.sentence.replace(token, "…"), message=fault.message.replace(token, "…"))

    def compare_clocks(self, headers: Mapping[str, str]) -> None:
        """Set `clock_offset_s` by an answer's `Date`: this machine's clock minus Google's, in seconds."""
        try:
            google_time = parsedate_to_datetime(headers["Date"]).timestamp()
        except (KeyError, ValueError, TypeError, OverflowError):
            return
        self.clock_offset_s = round(time.time() - google_time, 1)

    def _headers(self) -> dict[str, str]:
        headers: dict[str, str] = {}
        self._credentials.apply(headers)
        return headers

    def _refresh(self, timeout: float) -> None:
        read_error = self._read_again()
        try:
            self._credentials.refresh(TokenRequest(timeout, self.compare_clocks))
            if not isinstance(self._credentials.token, str) or not _TOKEN.fullmatch(self._credentials.token):
                self._credentials.token = None
                raise ValueError("no token")
        except _UNREADABLE as error:
            account = self.email or "the account"
            fault = token_fault(error, account, self.source, self.clock_offset_s, timeout)
            if read_error and fault.fate is RequestFate.FINAL:
                fault = replace(fault, sentence=str(read_error))
            raise NoToken(fault) from error

    def _read_again(self) -> BadCredentials | None:
        """Read the file again; if it cannot be used, return the error and keep the credentials of before."""
        if self.file is not None:
            try:
                self._credentials, self.kind = _read(self.file, self.source, self._service)
            except BadCredentials as error:
                return error
        return None


def _from_file(file: Path, source: str, service: str) -> Access:
    return Access(*_read(file, source, service), source, file, service)


def _scopes(service: str) -> tuple[str]:
    return (f"https://www.googleapis.com/auth/{SCOPES[service]}",)


def _read(file: Path, source: str, service: str) -> tuple[Credentials, str]:
    info = _info(file, source)
    kind = str(info.get("type"))
    if "installed" in info or "web" in info:
        raise BadCredentials(
            f"The credentials in {source} are those of an OAuth client, for programs that log a person in; the key of a"
            f" service account is needed. {HOW}"
        )
    if kind not in _KINDS:
        raise BadCredentials(f'The file {source} holds no key of a service account (no known "type"). {HOW}')
    for name in _ADDRESSES:
        if is_unencrypted(str(info.get(name, ""))):
            raise BadCredentials(
                f"The credentials in {source} ask {info[name]} for tokens ({name}), in the open: an address has to"
                f" begin with https:// unless it is this machine's own. {HOW}"
            )
    try:
        with warnings.catch_warnings():
            # It warns of files from unknown sources; this one was named by the person who runs the program.
            warnings.simplefilter("ignore", DeprecationWarning)
            credentials, _ = google.auth.load_credentials_from_dict(info)
            credentials = with_scopes_if_required(credentials, _scopes(service))
    except (exceptions.GoogleAuthError, ValueError, KeyError, TypeError, AttributeError):
        # `from None`: the original error may quote the key
        raise BadCredentials(
            f"The key in {source} is damaged or not complete: download it again, or make a new one. {HOW}"
        ) from None
    return credentials, _KINDS[kind]


def _info(file: Path, source: str) -> dict[str, Any]:
    try:
        info = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise BadCredentials(f"There is no credentials file {source}: check the path. {HOW}") from error
    except OSError as error:
        raise BadCredentials(f"The credentials file {source} cannot be read ({error.strerror}).") from error
    except ValueError:
        info = None
    if not isinstance(info, dict):
        raise BadCredentials(f"The credentials file {source} is not JSON as Google makes it: download it again. {HOW}")
    return info


def _gspread_key() -> Path:
    from gspread.auth import get_config_dir

    return get_config_dir() / "service_account.json"


def _default(default: Path, service: str) -> Access:
    logging.getLogger("google.auth._default").setLevel(logging.ERROR)  # it would log a warning for every place it tries
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            credentials, _ = google.auth.default(scopes=_scopes(service))
    except exceptions.GoogleAuthError:
        raise BadCredentials(
            f"There are no Google credentials: neither --credentials FILE, nor {VARIABLE}, nor {default}, nor a login"
            f" of gcloud, nor an identity of this machine. {HOW}"
        ) from None
    return Access(credentials, "application default credentials", "this machine's default", service=service)
