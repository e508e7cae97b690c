"""One spreadsheet over HTTP: retries, timeouts, and what may be sent again.

A read may be repeated. A write may be repeated only if it certainly was not carried out: a write without an answer is
an `UnknownOutcome`, and its sender has to read again before anything else.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any, TypeVar

import requests
from gspread.http_client import HTTPClient
from gspread.urls import SPREADSHEET_BATCH_UPDATE_URL, SPREADSHEET_URL, SPREADSHEET_VALUES_BATCH_URL

from sheets_algo.workbook.errors import BadSetting, Interrupted, UnknownOutcome, WorkbookUnavailable
from sheets_algo.workbook.google.http.access import Access, NoToken
from sheets_algo.workbook.google.http.backoff import Pace, within
from sheets_algo.workbook.google.http.budget import Kind, RequestBudget
from sheets_algo.workbook.google.http.errors import (
    DRIVE,
    SHEETS,
    BadRequest,
    Fault,
    RequestFate,
    Sender,
    connection_fault,
    response_fault,
)
from sheets_algo.workbook.google.http.replies import (
    Replies,
    RepliesWithTabs,
    Spreadsheet,
    SpreadsheetWithTabs,
    ValueRanges,
    decoded,
)
from sheets_algo.workbook.google.http.sessions import CONNECT_S, is_unencrypted, session, whole
from sheets_algo.workbook.store import RequestCounts

__all__ = ["Api", "BadRequest"]

GOOGLE = "https://sheets.googleapis.com"
DRIVE_URL = "https://www.googleapis.com"
URL_VARIABLE = "SHEETS_ALGO_API_URL"
RENEWALS = 2
"""The maximum number of new tokens that one request gets after a 401, as in google-auth's own session."""
GRACE_S = 1.0
"""The time that a write in progress is given after a stop, in seconds."""

_Result = TypeVar("_Result")
_Send = Callable[[Mapping[str, str]], requests.Response]
_Reads = Callable[[bytes], object]
"""Function that parses an answer; None if it is not an answer to the request."""
_Ask = Callable[[Kind, _Send, _Reads, bool], requests.Response]


class Api:
    """One spreadsheet over HTTP, or an account's Drive.

    Args:
        spreadsheet: The spreadsheet's id; blank for Drive.
        access: The credentials that requests are sent with.
        patience: The seconds after the first attempt in which another one may begin; 0 for no second attempt.
        timeout: The longest time of one request, in seconds.
        stop: The event that ends every wait at once.
        url: The address of a server that replaces Google; by default that of SHEETS_ALGO_API_URL, else Google.
        tells: Function called with the reason of a wait, once for each reason of an operation.

    Raises:
        BadSetting: The address would send access tokens unencrypted.
    """

    def __init__(
        self,
        spreadsheet: str,
        access: Access,
        budget: RequestBudget,
        *,
        patience: float = 120,
        timeout: float = 60,
        stop: threading.Event | None = None,
        url: str | None = None,
        tells: Callable[[str], None] | None = None,
        pace: Pace | None = None,
    ) -> None:
        self.spreadsheet = spreadsheet
        self.counts = RequestCounts()
        self.access = access
        self.budget = budget
        self._patience = patience
        self._timeout = timeout
        self._stop = stop
        self._tells = tells or (lambda sentence: None)
        self._pace = pace or Pace()
        url = (url or os.environ.get(URL_VARIABLE) or GOOGLE).strip().rstrip("/")
        if is_unencrypted(url):
            raise BadSetting(
                f"{URL_VARIABLE}: {url} would carry an access token in the open. Enter an https:// address, or one of"
                " this machine (http://127.0.0.1, http://[::1], http://localhost)."
            )
        self._service = SHEETS if spreadsheet else DRIVE
        self._client = _Client(url, timeout, self.counts, self._ask)

    def get(self, *, fields: str, ranges: Sequence[str] = (), cause: str = "other") -> dict[str, Any]:
        """Return the spreadsheet itself, as far as `fields` goes (spreadsheets.get).

        Args:
            fields: The mask of the answer; grid data is included if the mask names it.
            ranges: The ranges of the requested grid data.
            cause: The key in `RequestCounts.causes`.

        Raises:
            BadRequest: A range or the mask is wrong.
            WorkbookUnavailable: The spreadsheet cannot be read; the text gives the reason.
            Interrupted: The program was asked to stop.
        """
        params: dict[str, Any] = {"fields": fields}
        if ranges:
            params["ranges"] = list(ranges)
        reads = partial(decoded, shape=SpreadsheetWithTabs if "sheets(" in fields else Spreadsheet)
        spreadsheet: dict[str, Any] = self._client.ask(
            "get", SPREADSHEET_URL % self.spreadsheet, reads, cause=cause, params=params
        )
        return spreadsheet

    def batch_get(self, ranges: Sequence[str], cause: str = "other") -> list[list[list[Any]]]:
        """Return the values of some ranges in one request, dates as serial numbers (values:batchGet).

        Returns:
            For each range, in order, its rows; empty cells at a row's end and empty rows at the end are left out.

        Raises:
            BadRequest: A range is wrong.
            WorkbookUnavailable: The ranges cannot be read; the text says why.
            Interrupted: The program was asked to stop.
        """
        params: dict[str, Any] = {
            "ranges": list(ranges),
            "valueRenderOption": "UNFORMATTED_VALUE",
            "dateTimeRenderOption": "SERIAL_NUMBER",
            "prettyPrint": "false",  # otherwise a third of an answer or more is spaces
        }

        def rows(content: bytes) -> list[list[list[Any]]] | None:
            answer = decoded(content, ValueRanges)
            if answer is None or len(answer["valueRanges"]) != len(ranges):
                return None
            return [values.get("values", []) for values in answer["valueRanges"]]

        url = SPREADSHEET_VALUES_BATCH_URL % self.spreadsheet
        return self._client.ask("get", url, rows, cause=cause, params=params)

    def batch_update(self, body: Mapping[str, Any], *, fields: str = "", is_last: bool = False) -> dict[str, Any]:
        """Change the spreadsheet, all of `body` or nothing (spreadsheets.batchUpdate).

        Args:
            body: The requests, and the options of the answer.
            fields: The mask of the answer, which begins with `replies`; blank for all of it.
            is_last: Send it even if the program was asked to stop, with `GRACE_S` to complete.

        Raises:
            BadRequest: Google refused the content of the request; nothing was changed.
            UnknownOutcome: No answer came, or one to something else; the write may have been carried out, or may be
                carried out later.
            WorkbookUnavailable: The write was not carried out; the text says why.
            Interrupted: The program was asked to stop; if the write was already sent, its outcome is unknown.
        """
        url = SPREADSHEET_BATCH_UPDATE_URL % self.spreadsheet
        params = {"fields": fields} if fields else None
        shape = RepliesWithTabs if body.get("includeSpreadsheetInResponse") else Replies

        def replies(content: bytes) -> dict[str, Any] | None:
            answer: dict[str, Any] | None = decoded(content, shape)
            return answer if answer and len(answer["replies"]) == len(body["requests"]) else None

        return self._client.ask("post", url, replies, params=params, json=body, is_last=is_last)

    def drive(self, path: str, shape: type, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return Drive's answer about the account's files: `changes`, `files`.

        Raises:
            BadRequest: A parameter is wrong, or a page token is not accepted any more.
            WorkbookUnavailable: Drive cannot be asked; the text says why.
            Interrupted: The program was asked to stop.
        """
        url, reads = f"{DRIVE_URL}/drive/v3/{path}", partial(decoded, shape=shape)
        answer: dict[str, Any] = self._client.ask("get", url, reads, params=params)
        return answer

    def close(self) -> None:
        """Close the connections."""
        self._client.session.close()

    def _ask(self, kind: Kind, send: _Send, reads: _Reads, is_last: bool) -> requests.Response:
        """Carry out one operation: attempts until there is an answer or a refusal, or the patience ends."""
        if is_last and self._stop is not None and self._stop.is_set():
            return self._ask_once(kind, send, reads)
        told_reasons: set[str] = set()
        attempt, end = 0, float("inf")
        while True:
            if self._stop is not None and self._stop.is_set():
                raise Interrupted
            self.counts.waited_s += self.budget.take(kind, self._stop)
            end = min(end, self._pace.now() + self._patience)
            attempt += 1
            answer = self._attempt(kind, send, reads)
            if isinstance(answer, requests.Response):
                return answer
            wait = self._wait(answer, kind, attempt)
            if self._pace.now() + max(wait, self.budget.wait(kind)) > end:
                raise WorkbookUnavailable(answer.sentence)
            if answer.sentence not in told_reasons:
                told_reasons.add(answer.sentence)
                self._tells(answer.sentence)
            self.counts.retries += 1
            if wait:
                self.counts.waited_s += wait
                self._pace.wait(wait, self._stop)

    def _ask_once(self, kind: Kind, send: _Send, reads: _Reads) -> requests.Response:
        """Carry out one operation after a stop: one attempt, in little time."""
        try:
            response = within(partial(send, self.access.authorization(GRACE_S)), GRACE_S, None)
        except (NoToken, OSError) as error:
            raise Interrupted from error
        self.access.compare_clocks(response.headers)
        if _is_data(response, reads):
            return response
        fault = response_fault(
            response, Sender(self.spreadsheet, kind, self.access.email, self.access.source, self._service)
        )
        if fault.fate is RequestFate.BAD:
            raise BadRequest(fault.message, fault.details)
        raise Interrupted

    def _attempt(self, kind: Kind, send: _Send, reads: _Reads) -> requests.Response | Fault:
        """Return an answer that is data, or the fault of the attempt."""
        sender = Sender(self.spreadsheet, kind, self.access.email, self.access.source, self._service)
        headers: Mapping[str, str] | None = None
        for _ in range(RENEWALS + 1):
            try:
                headers = self._within(partial(self.access.authorization, self._timeout, refused=headers))
                response = self._within(partial(send, headers), grace=GRACE_S if kind == "write" else 0)
            except NoToken as error:
                return error.fault
            except OSError as error:  # the exceptions of requests are OSErrors
                return connection_fault(error, self._service, self._timeout)
            self.access.compare_clocks(response.headers)
            self.counts.bytes += len(response.content)
            if response.status_code != HTTPStatus.UNAUTHORIZED:
                break
        return response if _is_data(response, reads) else self.access.without_token(response_fault(response, sender))

    def _within(self, call: Callable[[], _Result], grace: float = 0) -> _Result:
        return within(call, CONNECT_S + self._timeout, self._stop, grace)

    def _wait(self, fault: Fault, kind: Kind, attempt: int) -> float:
        """Return the seconds before the next attempt, or raise the error if there may be none."""
        match fault.fate:
            case RequestFate.LIMITED:
                self.budget.refused(kind)
                return 0  # the budget waits
            case RequestFate.UNKNOWN if kind == "write":
                raise UnknownOutcome(f"A write has no answer and may have been carried out. {fault.sentence}")
            case RequestFate.UNSENT | RequestFate.UNKNOWN:
                return self._pace.backoff(attempt)
            case RequestFate.BAD:
                raise BadRequest(fault.message, fault.details)
            case RequestFate.FINAL:
                raise WorkbookUnavailable(fault.sentence)


class _Client(HTTPClient):
    """gspread's client with a request method of its own.

    Args:
        url: The address of the server.
        timeout: The longest time of one request, in seconds.
        ask: A function that calls its second argument, which sends the request with the headers of an authorization, as
            often as needed; its third reads an answer, and its fourth says whether to send it even after a stop.
    """

    def __init__(self, url: str, timeout: float, counts: RequestCounts, ask: _Ask) -> None:
        super().__init__(auth=None, session=session(url))  # type: ignore[arg-type] # None is allowed by its docstring
        self.set_timeout((CONNECT_S, timeout))
        self._url = url
        self._counts = counts
        self._ask = ask

    def ask(self, method: str, endpoint: str, reads: Callable[[bytes], _Result | None], **options: Any) -> _Result:
        """Send one request as `request` does, and return its parsed answer."""
        content = reads(self.request(method, endpoint, reads=reads, **options).content)
        assert content is not None  # `Api` has read it
        return content

    def request(
        self,
        method: str,
        endpoint: str,
        params: Any = None,
        data: bytes | None = None,
        json: Mapping[str, Any] | None = None,
        files: Any = None,
        headers: Any = None,
        reads: _Reads | None = None,
        is_last: bool = False,
        cause: str = "other",
    ) -> requests.Response:
        """Send one request and retry it as `Api` decides."""
        kind: Kind = "read" if method == "get" else "write"
        is_google = self._url == GOOGLE
        url = endpoint if is_google else endpoint.replace(GOOGLE, self._url, 1).replace(DRIVE_URL, self._url, 1)

        def send(authorization: Mapping[str, str]) -> requests.Response:
            if kind == "read":
                self._counts.reads += 1
                self._counts.causes[cause] += 1
            else:
                self._counts.writes += 1
            response = self.session.request(
                method,
                url,
                params=params,
                data=data,
                json=json,
                files=files,
                headers={**(headers or {}), **authorization},
                timeout=self.timeout,
                allow_redirects=False,
                stream=kind == "read",
            )
            return whole(response) if kind == "read" else response

        return self._ask(kind, send, reads or partial(decoded, shape=dict), is_last)


def _is_data(response: requests.Response, reads: _Reads) -> bool:
    """Return True if an answer belongs to its request, and is not a page of a proxy, or other JSON."""
    return response.status_code == HTTPStatus.OK and reads(response.content) is not None
