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
from pathlib import Path
from typing import Any

import google.auth
from google.auth import exceptions
from google.auth.credentials import Credentials, with_scopes_if_required

from sheets_algo.workbook.base import WorkbookUnavailable
from sheets_algo.workbook.google.errors import Fate, Fault
from sheets_algo.workbook.google.sessions import is_open
from sheets_algo.workbook.google.tokens import HOW, TokenRequest, token_fault

SCOPES = ("https://www.googleapis.com/auth/spreadsheets",)
VARIABLE = "GOOGLE_APPLICATION_CREDENTIALS"

IDENTITY = "workload identity federation"
"""The one kind whose file holds nothing secret."""

_KINDS = {
    "service_account": "service account key",
    "authorized_user": "a person's login (gcloud)",
    "external_account": IDENTITY,
    "external_account_authorized_user": "a person's login (workforce identity)",
    "impersonated_service_account": "impersonated service account",
}

_ASKED = ("token_uri", "token_url", "service_account_impersonation_url")
"""Where a file says whom to ask for tokens."""


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
        file: Where they were read; it is read again for each new token, since a key may be replaced.
    """

    def __init__(self, credentials: Credentials, kind: str, source: str, file: Path | None = None) -> None:
        self.kind = kind
        self.source = source
        self.file = file
        self.clock_offset_s: float | None = None
        self._credentials = credentials
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"Access({self.kind}, {self.source})"

    @property
    def email(self) -> str | None:
        """The service account's e-mail, if that is what the credentials are."""
        email = getattr(self._credentials, "service_account_email", None)
        return email if isinstance(email, str) and "@" in email else None

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
        unread = self._read_again()
        try:
            self._credentials.refresh(TokenRequest(timeout, self.heard))
        except (exceptions.GoogleAuthError, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            account = self.email or "the account"
            fault = token_fault(error, account, self.source, self.clock_offset_s, timeout)
            if unread and fault.fate is Fate.FINAL:
                fault = replace(fault, sentence=str(unread))
            raise NoToken(fault) from error

    def _read_again(self) -> BadCredentials | None:
        """Take what the file holds now; if that cannot be used, say why and keep what was read before."""
        if self.file is not None:
            try:
                self._credentials, self.kind = _read(self.file, self.source)
            except BadCredentials as error:
                return error
        return None


def _from_file(file: Path, source: str) -> Access:
    return Access(*_read(file, source), source, file)


def _read(file: Path, source: str) -> tuple[Credentials, str]:
    """The credentials of a file, and what they are."""
    info = _info(file, source)
    kind = str(info.get("type"))
    if "installed" in info or "web" in info:
        raise BadCredentials(
            f"The credentials in {source} are those of an OAuth client, for programs that log a person in; the key of a"
            f" service account is needed. {HOW}"
        )
    if kind not in _KINDS:
        raise BadCredentials(f'The file {source} holds no key of a service account (no known "type"). {HOW}')
    for name in _ASKED:
        if is_open(str(info.get(name, ""))):
            raise BadCredentials(
                f"The credentials in {source} ask {info[name]} for tokens ({name}), in the open: an address has to"
                f" begin with https:// unless it is this machine's own. {HOW}"
            )
    try:
        with warnings.catch_warnings():
            # Warns of configurations from strangers; this one was named by the person who runs the program.
            warnings.simplefilter("ignore", DeprecationWarning)
            credentials, _ = google.auth.load_credentials_from_dict(info)
            credentials = with_scopes_if_required(credentials, SCOPES)
    except (exceptions.GoogleAuthError, ValueError, KeyError, TypeError, AttributeError):
        # `from None`: what failed to parse holds the key
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
            f" gcloud, nor an identity of this machine. {HOW}"
        ) from None
    return Access(credentials, "application default credentials", "this machine's default")
