"""The server without its connections: takes a request, returns an answer, and changes the state in one step."""

from __future__ import annotations

from html import escape
from typing import Any

from localsheets.calls import HTML, JSON, Answer, Call, Kind, Route, Routes, check_query, refusal
from localsheets.clock import Clock
from localsheets.drive import Drive
from localsheets.drive_changes import Changes
from localsheets.drive_errors import DriveError
from localsheets.errors import ApiError
from localsheets.mask import select, unchecked
from localsheets.oauth import Caller, Tokens, insufficient
from localsheets.quota import Limits, Quota
from localsheets.sheets_api import SheetsApi
from localsheets.store import PERSON, Store


class Desk:
    """The local replacement of Google's servers."""

    def __init__(self, clock: Clock | None = None, limits: Limits | None = None, *, is_strict: bool = False) -> None:
        self.clock = clock or Clock()
        self.store = Store(self.clock)
        self.tokens = Tokens(self.clock, is_strict)
        self.quota = Quota(self.clock, limits)
        parts = (self.tokens, SheetsApi(self.store), Drive(self.store), Changes(self.store))
        self.routes = Routes([route for part in parts for route in part.routes])

    def find(self, call: Call) -> tuple[Route, dict[str, str]] | None:
        """Return the route that answers a request, with the parts of its path."""
        return self.routes.find(call.method, call.path)

    def admit(self, call: Call, route: Route | None) -> Caller | Answer:
        """Return the caller, or the answer that turns it away: no token, wrong scopes, too many requests."""
        if route is None or route.kind == "token":
            return Caller("")
        try:
            caller = self.tokens.caller(call)
            if not caller.may(route.kind):
                raise insufficient(route.kind == "drive")
            self.quota.take(route.kind, caller.email)
        except ApiError as error:
            return _refused(error, route.kind)
        return caller

    def apply(self, call: Call, caller: Caller) -> Answer:
        """Carry out a request and return its answer."""
        found = self.find(call)
        if found is None:
            return Answer(404, _NOWHERE.format(escape(call.path)).encode(), HTML)
        route, parts = found
        try:
            if route.kind != "drive":  # Drive ignores unknown parameters
                check_query(call, route)
            answered = route.handler(call, caller, **parts)
            if route.kind in ("read", "write") and isinstance(answered, dict):
                answered = select(unchecked(call.one("fields") or ""), answered)
        except ApiError as error:
            return _refused(error, route.kind)
        except DriveError as error:
            return error.answer()
        if route.kind == "write" and (file := self.store.files.get(parts.get("id", ""))):
            self.store.touch(file, caller.email)
        answer = answered if isinstance(answered, Answer) else Answer.of(answered)
        is_dense = answer.media == JSON and (call.one("prettyPrint") or "").lower() == "false"
        return answer.dense() if is_dense else answer

    def as_person(self, id: str, asked: dict[str, Any], email: str = PERSON) -> Any:
        """Make a change as a person does in the browser, whatever the sharing.

        Args:
            id: The spreadsheet's id.
            asked: `requests` as of a batchUpdate, or `range` and `values` that are typed there.
            email: The person's e-mail; by default the owner is used.

        Raises:
            ApiError: The API would refuse the change.
        """
        file = self.store.files.get(id)
        if file is None or file.spreadsheet is None:
            raise ApiError(404, "NOT_FOUND", "Requested entity was not found.")
        editor = file.owner if email == PERSON else email
        self.store.touch(file, editor)
        if "requests" in asked:
            return file.spreadsheet.batch_update({"requests": asked["requests"]}, caller=editor)
        body = {"values": asked["values"]}
        return file.spreadsheet.values_update(asked["range"], body, value_input="USER_ENTERED", caller=editor)


def _refused(error: ApiError, kind: Kind) -> Answer:
    return DriveError.of(error).answer() if kind == "drive" else refusal(error)


_NOWHERE = """<!DOCTYPE html>
<html lang=en>
  <meta charset=utf-8>
  <title>Error 404 (Not Found)!!1</title>
  <p><b>404.</b> <ins>That's an error.</ins>
  <p>The requested URL <code>{0}</code> was not found on this server.  <ins>That's all we know.</ins>
"""
