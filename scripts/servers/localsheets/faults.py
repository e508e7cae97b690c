"""Faults of answers: their kinds, and the requests that get one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from localsheets.calls import HTML, Answer, refusal
from localsheets.drive_errors import DriveError
from localsheets.errors import ApiError
from localsheets.oauth import BAD_CLOCK, NOT_SIGNED_IN, insufficient
from localsheets.quota import exhausted
from localsheets.store import forbidden
from localsheets.triggers import Seen, Trigger

When = Literal["before", "after", "late"]
LOST = ("reset", "close", "half", "silence")
"""The kinds in which no whole answer arrives."""
KINDS = (
    "400", "401", "403", "403-scopes", "403-disabled", "403-quota", "404", "429", "500", "502", "503", "504",
    "invalid_grant", *LOST, "slow", "list", "string", "null", "other", "400-other",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One scripted fault.

    Attributes:
        kind: One of `KINDS`: an error, a lost answer, or a slow one.
        when: "before": the request is not applied. "after": it is, and then the answer goes wrong. "late": the answer
            goes wrong now and the request is applied later.
        after_requests: Of a late one: the number of further answers before it is applied.
        after_seconds: Of a late one: the seconds by the server's clock after which it is applied, instead.
        seconds: Of a slow one: the seconds that it waits before it is applied.
        retry_after: The seconds of a `Retry-After` header, which Google does not send.
    """

    trigger: Trigger
    kind: str
    when: When = "before"
    after_requests: int = 1
    after_seconds: float | None = None
    seconds: float = 1.0
    retry_after: int | None = None

    @classmethod
    def of(cls, asked: Mapping[str, Any]) -> Fault:
        """Return the fault that a control request's JSON describes.

        Raises:
            ValueError: A field is unknown or has a wrong value.
        """
        known = {"at", "every", "probability", "seed", "match", "times", "kind", "when", "seconds", "retry_after"}
        known |= {"after_requests", "after_seconds"}
        if unknown := sorted(set(asked) - known):
            raise ValueError(f"a fault has no {unknown[0]!r}; it has {', '.join(sorted(known))}")
        kind, when = str(asked.get("kind")), asked.get("when", "before")
        if kind not in KINDS:
            raise ValueError(f"kind is {kind!r}; give one of {', '.join(KINDS)}")
        if {"after_requests", "after_seconds"} <= set(asked):
            raise ValueError("after_requests and after_seconds exclude each other; give one")
        if when not in get_args(When):
            raise ValueError(f"when is {when!r}; give one of {', '.join(get_args(When))}")
        return cls(
            trigger=Trigger.of(asked),
            kind=kind,
            when=when,
            after_requests=int(asked.get("after_requests", 1)),
            after_seconds=float(asked["after_seconds"]) if asked.get("after_seconds") is not None else None,
            seconds=float(asked.get("seconds", 1.0)),
            retry_after=asked.get("retry_after"),
        )

    @property
    def name(self) -> str:
        """Return the fault's name in the log: `503 after`."""
        return f"{self.kind} {self.when}"

    def answer(self, request: Seen) -> Answer:
        """Return the answer with the error.

        Raises:
            KeyError: The kind of fault loses the answer instead.
        """
        answer = _answer(self.kind, request)
        if self.retry_after is None:
            return answer
        return Answer(answer.status, answer.body, answer.media, {"Retry-After": str(self.retry_after)})


class Faults:
    """The scripted faults."""

    def __init__(self) -> None:
        self.script: list[Fault] = []

    def pick(self, request: Seen) -> Fault | None:
        """Return the first fault that means this request; each one counts it."""
        meant = [fault for fault in self.script if fault.trigger.fires(request)]
        return meant[0] if meant else None


def _answer(kind: str, request: Seen) -> Answer:
    if kind == "invalid_grant":
        return Answer.of({"error": "invalid_grant", "error_description": BAD_CLOCK}, 400)
    if kind in _SHAPES:
        return Answer.of(_SHAPES[kind], 400 if kind.startswith("400") else 200)
    if kind in ("502", "504"):
        return Answer(int(kind), _PAGE.format(kind, _PAGES[kind]).encode(), HTML)
    error = _error(kind, request)
    return DriveError.of(error).answer() if request.kind == "drive" else refusal(error)


def _error(kind: str, request: Seen) -> ApiError:
    service = "drive.googleapis.com" if request.kind == "drive" else "sheets.googleapis.com"
    match kind:
        case "400":
            return ApiError(400, "INVALID_ARGUMENT", "Request contains an invalid argument.")
        case "401":
            return ApiError(401, "UNAUTHENTICATED", NOT_SIGNED_IN)
        case "403":
            return forbidden()
        case "403-scopes":
            return insufficient(request.kind == "drive")
        case "403-disabled":
            return _disabled(service)
        case "403-quota":
            return ApiError(403, "RESOURCE_EXHAUSTED", "User Rate Limit Exceeded")
        case "404":
            return ApiError(404, "NOT_FOUND", "Requested entity was not found.")
        case "429":
            return exhausted(request.kind, 60)
        case "500":
            return ApiError(500, "INTERNAL", "Internal error encountered.")
        case _:
            return ApiError(503, "UNAVAILABLE", "The service is currently unavailable.")


def _disabled(service: str) -> ApiError:
    name = "Google Drive API" if service.startswith("drive") else "Google Sheets API"
    page = f"https://console.developers.google.com/apis/api/{service}/overview?project=106600000000"
    message = (
        f"{name} has not been used in project 106600000000 before or it is disabled. Enable it by visiting {page} then "
        "retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and "
        "retry."
    )
    info = {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "SERVICE_DISABLED",
        "domain": "googleapis.com",
        "metadata": {"service": service, "consumer": "projects/106600000000"},
    }
    link = {"description": "Google developers console API activation", "url": page}
    help = {"@type": "type.googleapis.com/google.rpc.Help", "links": [link]}
    return ApiError(403, "PERMISSION_DENIED", message, [help, info])


_SHAPES: Mapping[str, Any] = {
    "list": [{}],
    "string": "OK",
    "null": None,
    "other": {"replies": {"0": {}}, "sheets": [None], "valueRanges": "A1", "spreadsheetId": 7},
    "400-other": {"error": ["Invalid"]},
}
"""Bodies that are JSON and no answer to any request."""
_PAGES = {"502": "Bad Gateway", "504": "Gateway Timeout"}
_PAGE = """<!DOCTYPE html>
<html lang=en>
  <meta charset=utf-8>
  <title>Error {0} ({1})!!1</title>
  <p><b>{0}.</b> <ins>That's an error.</ins>
  <p>The server encountered a temporary error and could not complete your request.<p>Please try again in 30 seconds.
  <ins>That's all we know.</ins>
"""
