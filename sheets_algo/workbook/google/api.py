"""One spreadsheet over HTTP: what is sent again, what never is, and how long, whatever the network does.

A read may be repeated. A write may only if it certainly was not carried out: a write without an answer is an
`UnknownOutcome`, and whoever sent it reads again before anything else.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any, TypeVar

import requests
from gspread.http_client import HTTPClient
from gspread.urls import SPREADSHEET_BATCH_UPDATE_URL

from sheets_algo.settings import BadSetting
from sheets_algo.workbook.base import UnknownOutcome, WorkbookUnavailable
from sheets_algo.workbook.google.access import Access, NoToken
from sheets_algo.workbook.google.backoff import Interrupted, Pace, within
from sheets_algo.workbook.google.budget import Budget, Kind
from sheets_algo.workbook.google.errors import (
    SHEETS,
    BadRequest,
    Fate,
    Fault,
    Sender,
    connection_fault,
    response_fault,
)
from sheets_algo.workbook.google.sessions import CONNECT_S, is_open, session

__all__ = ["Api", "BadRequest", "Counts", "Interrupted"]

GOOGLE = "https://sheets.googleapis.com"
URL_VARIABLE = "SHEETS_ALGO_API_URL"
RENEWALS = 2
"""How often one request gets a new token after a 401, as google-auth's own session does."""
GRACE_S = 1.0
"""How long a write that is on its way may still take after a stop."""

_Found = TypeVar("_Found")
_Send = Callable[[Mapping[str, str]], requests.Response]
_Ask = Callable[[Kind, _Send, bool], requests.Response]


@dataclass(slots=True)
class Counts:
    """What was sent so far.

    Args:
        reads: Requests, repeated ones too.
        writes: Likewise.
        retries: How many of both were repeated.
        waited_s: Seconds spent waiting for the budget or before another attempt.
        bytes: Of the bodies of all answers, unpacked.
    """

    reads: int = 0
    writes: int = 0
    retries: int = 0
    waited_s: float = 0.0
    bytes: int = 0


class Api:
    """One spreadsheet.

    Args:
        spreadsheet: Its id.
        access: Whose requests they are.
        budget: How many a minute.
        patience: Seconds after the first attempt in which another one may begin; 0 for no second attempt.
        timeout: Seconds that one request may take.
        stop: Ends every wait at once.
        url: A server that answers in Google's place; else that of SHEETS_ALGO_API_URL, else Google.
        tells: Hears why a request has to wait, once for each reason of an operation.
        pace: Clock, waits and chance.

    Raises:
        BadSetting: The server would be sent access tokens that others could read.
    """

    def __init__(
        self,
        spreadsheet: str,
        access: Access,
        budget: Budget,
        *,
        patience: float = 120,
        timeout: float = 60,
        stop: threading.Event | None = None,
        url: str | None = None,
        tells: Callable[[str], None] | None = None,
        pace: Pace | None = None,
    ) -> None:
        self.spreadsheet = spreadsheet
        self.counts = Counts()
        self._access = access
        self._budget = budget
        self._patience = patience
        self._timeout = timeout
        self._stop = stop
        self._tells = tells or (lambda sentence: None)
        self._pace = pace or Pace()
        url = (url or os.environ.get(URL_VARIABLE) or GOOGLE).strip().rstrip("/")
        if is_open(url):
            raise BadSetting(
                f"{URL_VARIABLE}: {url} would carry an access token in the open. Enter an https:// address, or one of"
                " this machine (http://127.0.0.1, http://[::1], http://localhost)."
            )
        self._client = _Client(url, timeout, self.counts, self._ask)

    @property
    def email(self) -> str | None:
        """The service account's e-mail, if that is what the credentials are."""
        return self._access.email

    @property
    def clock_offset_s(self) -> float | None:
        """How far this machine's clock is ahead of Google's, in seconds; None before the first answer."""
        return self._access.clock_offset_s

    def get(self, *, fields: str, ranges: Sequence[str] = ()) -> dict[str, Any]:
        """The spreadsheet itself, as far as `fields` goes (spreadsheets.get).

        Args:
            fields: A mask; grid data is there if the mask names it.
            ranges: Where grid data is wanted.

        Raises:
            BadRequest: A range or the mask is wrong.
            WorkbookUnavailable: It cannot be read; the text says why.
            Interrupted: The program was asked to stop.
        """
        params: dict[str, Any] = {"fields": fields}
        if ranges:
            params["ranges"] = list(ranges)
        return dict(self._client.fetch_sheet_metadata(self.spreadsheet, params))

    def batch_get(self, ranges: Sequence[str]) -> list[list[list[Any]]]:
        """The values of some ranges in one request, dates as serial numbers (values:batchGet).

        Returns:
            For each range, in order, its rows; empty cells at a row's end and empty rows at the end are left out.

        Raises:
            BadRequest: A range is wrong.
            WorkbookUnavailable: They cannot be read; the text says why.
            Interrupted: The program was asked to stop.
        """
        params: dict[str, Any] = {
            "valueRenderOption": "UNFORMATTED_VALUE",
            "dateTimeRenderOption": "SERIAL_NUMBER",
            "prettyPrint": "false",  # else a third and more of an answer is spaces
        }
        answer = self._client.values_batch_get(self.spreadsheet, list(ranges), params)
        found = [it.get("values", []) for it in answer.get("valueRanges", [])]
        if len(found) != len(ranges):
            raise WorkbookUnavailable(f"{SHEETS} answered with {len(found)} ranges of {len(ranges)}: try again.")
        return found

    def batch_update(self, body: Mapping[str, Any], *, fields: str = "", is_last: bool = False) -> dict[str, Any]:
        """Change the spreadsheet, all of `body` or nothing (spreadsheets.batchUpdate).

        Args:
            body: Requests, and what to answer.
            fields: A mask of the answer; else all of it.
            is_last: It is sent even if the program was asked to stop, and gets `GRACE_S` then.

        Raises:
            BadRequest: Refused for what it says; nothing was changed.
            UnknownOutcome: No answer came; it may have been carried out, or may be yet.
            WorkbookUnavailable: It was not carried out; the text says why.
            Interrupted: The program was asked to stop; if the write was on its way, its outcome is unknown.
        """
        url = SPREADSHEET_BATCH_UPDATE_URL % self.spreadsheet
        params = {"fields": fields} if fields else None
        return dict(self._client.request("post", url, params=params, json=body, is_last=is_last).json())

    def close(self) -> None:
        """Close the connections."""
        self._client.session.close()

    def _ask(self, kind: Kind, send: _Send, is_last: bool) -> requests.Response:
        """One operation: attempts until there is an answer, a refusal, or no patience any more."""
        if is_last and self._stop is not None and self._stop.is_set():
            return self._ask_once(kind, send)
        told: set[str] = set()
        attempt, end = 0, float("inf")
        while True:
            if self._stop is not None and self._stop.is_set():
                raise Interrupted
            self.counts.waited_s += self._budget.take(kind, self._stop)
            end = min(end, self._pace.now() + self._patience)
            attempt += 1
            answer = self._attempt(kind, send)
            if isinstance(answer, requests.Response):
                return answer
            wait = self._wait(answer, kind, attempt)
            if self._pace.now() + max(wait, self._budget.wait(kind)) > end:
                raise WorkbookUnavailable(answer.sentence)
            if answer.sentence not in told:
                told.add(answer.sentence)
                self._tells(answer.sentence)
            self.counts.retries += 1
            if wait:
                self.counts.waited_s += wait
                self._pace.wait(wait, self._stop)

    def _ask_once(self, kind: Kind, send: _Send) -> requests.Response:
        """The same after a stop: one attempt, and little time for it."""
        try:
            response = within(partial(send, self._access.authorization(GRACE_S)), GRACE_S, None)
        except (NoToken, OSError) as error:
            raise Interrupted from error
        self._access.heard(response.headers)
        if _is_data(response):
            return response
        fault = response_fault(response, Sender(self.spreadsheet, kind, self._access.email, self._access.source))
        if fault.fate is Fate.BAD:
            raise BadRequest(fault.message, fault.details)
        raise Interrupted

    def _attempt(self, kind: Kind, send: _Send) -> requests.Response | Fault:
        """An answer that is data, or what went wrong."""
        sender = Sender(self.spreadsheet, kind, self._access.email, self._access.source)
        headers: Mapping[str, str] | None = None
        for _ in range(RENEWALS + 1):
            try:
                headers = self._within(partial(self._access.authorization, self._timeout, refused=headers))
                response = self._within(partial(send, headers), grace=GRACE_S if kind == "write" else 0)
            except NoToken as error:
                return error.fault
            except OSError as error:  # requests' own are of this kind
                return connection_fault(error, SHEETS, self._timeout)
            self._access.heard(response.headers)
            self.counts.bytes += len(response.content)
            if response.status_code != HTTPStatus.UNAUTHORIZED:
                break
        return response if _is_data(response) else self._access.hidden(response_fault(response, sender))

    def _within(self, call: Callable[[], _Found], grace: float = 0) -> _Found:
        return within(call, CONNECT_S + self._timeout, self._stop, grace)

    def _wait(self, fault: Fault, kind: Kind, attempt: int) -> float:
        """Seconds before the next attempt, if there may be one."""
        match fault.fate:
            case Fate.LIMITED:
                self._budget.refused(kind)
                return 0  # the budget waits
            case Fate.UNKNOWN if kind == "write":
                raise UnknownOutcome(f"A write has no answer and may have been carried out. {fault.sentence}")
            case Fate.UNSENT | Fate.UNKNOWN:
                return self._pace.backoff(attempt)
            case Fate.BAD:
                raise BadRequest(fault.message, fault.details)
            case Fate.FINAL:
                raise WorkbookUnavailable(fault.sentence)


class _Client(HTTPClient):
    """gspread's client, with our own way of sending a request.

    Args:
        url: What answers in Google's place, or Google.
        timeout: Seconds that an answer may take.
        counts: Where requests are counted.
        ask: Calls its second argument, with the headers of an authorization, as often as it sees fit; the third says
            whether it is to be sent even after a stop.
    """

    def __init__(self, url: str, timeout: float, counts: Counts, ask: _Ask) -> None:
        super().__init__(auth=None, session=session(url))  # type: ignore[arg-type] # as its docstring says
        self.set_timeout((CONNECT_S, timeout))
        self._url = url
        self._counts = counts
        self._ask = ask

    def request(
        self,
        method: str,
        endpoint: str,
        params: Any = None,
        data: bytes | None = None,
        json: Mapping[str, Any] | None = None,
        files: Any = None,
        headers: Any = None,
        is_last: bool = False,
    ) -> requests.Response:
        """Send one request until it is answered, as `Api` sees fit."""
        kind: Kind = "read" if method == "get" else "write"
        url = endpoint.replace(GOOGLE, self._url, 1)

        def send(authorization: Mapping[str, str]) -> requests.Response:
            if kind == "read":
                self._counts.reads += 1
            else:
                self._counts.writes += 1
            return self.session.request(
                method,
                url,
                params=params,
                data=data,
                json=json,
                files=files,
                headers={**(headers or {}), **authorization},
                timeout=self.timeout,
                allow_redirects=False,
            )

        return self._ask(kind, send, is_last)


def _is_data(response: requests.Response) -> bool:
    """Whether an answer is whole: JSON to its last brace, and not a page that stands in between."""
    try:
        return response.status_code == HTTPStatus.OK and isinstance(response.json(), dict)
    except ValueError:
        return False
