"""Control requests, `/_control/…`, by which tests and people steer the server. They are neither counted nor spoiled.

Bodies and answers are JSON; docs/sheets-server.md lists them.
"""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
import traceback
from collections.abc import Awaitable, Callable
from typing import Any

from localsheets.clock import Clock
from localsheets.desk import Desk
from localsheets.door import Act, Door, Hold
from localsheets.errors import ApiError
from localsheets.faults import Fault
from localsheets.fill import fill
from localsheets.quota import Limits
from localsheets.spreadsheet import Spreadsheet
from localsheets.store import PERSON, ROBOT, Weather
from localsheets.triggers import Trigger
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

Handler = Callable[[Request, Any], Any]


class Control:
    """The handlers of control requests.

    Args:
        door: The door that is steered.
        save: The function that writes the snapshots.
        stop: The function that ends the server.
    """

    def __init__(self, door: Door, save: Callable[[], Any], stop: Callable[[], Any]) -> None:
        self.door = door
        self.save = save
        self.stop = stop
        self._holds = itertools.count(1)

    @property
    def desk(self) -> Desk:
        """Return the desk behind the door."""
        return self.door.desk

    def routes(self) -> list[Route]:
        """Return the routes of all control requests."""
        table: tuple[tuple[str, str, Handler], ...] = (
            ("GET", "ids", self.ids),
            ("POST", "spreadsheets", self.make),
            ("POST", "key", self.key),
            ("POST", "key/revoke", lambda request, body: self.desk.tokens.revoke(body.get("email", ROBOT))),
            ("POST", "tokens/expire", lambda request, body: self.desk.tokens.expire(body.get("email"))),
            ("POST", "faults", self.add_faults),
            ("GET", "faults", lambda request, body: [_shown(fault) for fault in self.door.faults.script]),
            ("DELETE", "faults", lambda request, body: self.door.faults.script.clear()),
            ("POST", "late", self.apply_late),
            ("GET", "late", lambda request, body: {"waiting": len(self.door.late)}),
            ("POST", "user/{id}", self.user),
            ("GET", "user", lambda request, body: {"waiting": len(self.door.acts), "refused": self.door.refused}),
            ("POST", "tab/{id}", self.tab),
            ("GET", "tabs/{id}", self.tabs),
            ("POST", "show/{id}", lambda request, body: self._inside(request).get(**body)),
            ("POST", "hold", self.hold),
            ("GET", "hold/{number:int}", self.caught),
            ("POST", "release", self.release),
            ("POST", "private/{id:path}", self.private),
            ("DELETE", "private/{id:path}", self.private),
            ("POST", "changes", self.changes),
            ("POST", "share/{id}", self.share),
            ("POST", "clock", self.clock),
            ("GET", "clock", self.clock),
            ("POST", "quota", self.quota),
            ("GET", "counters", lambda request, body: self.door.counts),
            ("POST", "counters", lambda request, body: self.door.reset_counts()),
            ("GET", "log", self.log),
            ("GET", "state", lambda request, body: self.desk.store.to_json()),
            ("PUT", "state", lambda request, body: self.desk.store.take(body)),
            ("POST", "save", lambda request, body: {"saved": self.save()}),
            ("POST", "reset", lambda request, body: self.reset()),
            ("POST", "shutdown", lambda request, body: self.stop()),
        )
        return [Route(f"/_control/{path}", _endpoint(handler), methods=[method]) for method, path, handler in table]

    def ids(self, request: Request, body: Any) -> Any:
        """Return the title of every file by id."""
        return {file.id: file.title for file in self.desk.store.files.values()}

    def make(self, request: Request, body: Any) -> Any:
        """Make a spreadsheet as a person makes and shares it."""
        shares = body.get("shares", [ROBOT])
        title = body.get("title", "Untitled spreadsheet")
        file = self.desk.store.make(title, body.get("owner", PERSON), shares, body.get("id"))
        if body.get("tabs"):
            assert file.spreadsheet is not None
            fill(file.spreadsheet, body["tabs"])
        return {"id": file.id}

    def key(self, request: Request, body: Any) -> Any:
        """Return a new key file."""
        token_uri = body.get("token_uri") or f"{str(request.base_url).rstrip('/')}/token"
        return self.desk.tokens.new_key(token_uri, body.get("email", ROBOT))

    def add_faults(self, request: Request, body: Any) -> Any:
        """Add faults to the script."""
        new = [Fault.of(fault) for fault in (body if isinstance(body, list) else [body])]
        self.door.faults.script.extend(new)
        return {"faults": len(self.door.faults.script)}

    def apply_late(self, request: Request, body: Any) -> Any:
        """Apply all late requests."""
        due, self.door.late = self.door.late, []
        for late in due:
            self.door.apply_late(late, self.door.log[-1].n)
        return {"applied": len(due)}

    def user(self, request: Request, body: Any) -> Any:
        """Make a person's change, now or at a request."""
        id, email = request.path_params["id"], body.get("email", PERSON)
        for when in ("before_request", "after_request"):
            if when in body:
                trigger = Trigger.of({"at": body[when], "match": body.get("match", "any")})
                is_before = when == "before_request"
                self.door.acts.append(Act(trigger=trigger, is_before=is_before, id=id, asked=body, email=email))
                return {"waiting": len(self.door.acts)}
        return self.desk.as_person(id, body, email)

    def tab(self, request: Request, body: Any) -> Any:
        """Return a tab's values."""
        range = "'" + body["title"].replace("'", "''") + "'"
        render = body.get("render", "UNFORMATTED_VALUE")
        found = self._inside(request).values_get(
            range, major_dimension="ROWS", value_render=render, date_time_render="SERIAL_NUMBER"
        )
        return {"values": found.get("values", [])}

    def tabs(self, request: Request, body: Any) -> Any:
        """Return the id of every tab of a spreadsheet by title."""
        tabs = self._inside(request).get(fields="sheets.properties").get("sheets", [])
        return {tab["properties"]["title"]: tab["properties"].get("sheetId", 0) for tab in tabs}

    def _inside(self, request: Request) -> Spreadsheet:
        file = self.desk.store.files.get(request.path_params["id"])
        if file is None or file.spreadsheet is None:
            raise ValueError("there is no such spreadsheet; GET /_control/ids lists them")
        return file.spreadsheet

    def hold(self, request: Request, body: Any) -> Any:
        """Hold a request that matches."""
        number = next(self._holds)
        is_before = body.get("when", "before") == "before"
        self.door.holds[number] = Hold(trigger=Trigger.of(body), is_before=is_before)
        return {"hold": number}

    async def caught(self, request: Request, body: Any) -> Any:
        """Wait until a request is held; return its number."""
        hold = self.door.holds.get(request.path_params["number"])
        if hold is None:
            raise ValueError("there is no such hold; POST /_control/hold makes one")
        try:
            await asyncio.wait_for(hold.caught.wait(), float(request.query_params.get("seconds", 10)))
        except TimeoutError:
            return {"caught": None}
        return {"caught": hold.n}

    def release(self, request: Request, body: Any) -> Any:
        """Release held requests."""
        numbers = [body["hold"]] if "hold" in body else list(self.door.holds)
        for number in numbers:
            self.door.holds.pop(number).released.set()
        return {"released": len(numbers)}

    def private(self, request: Request, body: Any) -> Any:
        """Close or open a spreadsheet, known or not."""
        id, private = request.path_params["id"], self.desk.store.private
        if request.method == "DELETE" or "off" in request.query_params:
            private.discard(id)
        else:
            private.add(id)
        return {"private": sorted(private)}

    def changes(self, request: Request, body: Any) -> Any:
        """Say how Drive reports changes from now on; `expire` refuses all tokens of before."""
        store = self.desk.store
        if body.pop("expire", False):
            store.last_change += 1
            body["first"] = store.last_change + 1
        store.weather = Weather(**body)
        return dataclasses.asdict(store.weather)

    def share(self, request: Request, body: Any) -> Any:
        """Share a spreadsheet, or stop sharing it."""
        file = self.desk.store.files[request.path_params["id"]]
        email, role = body.get("email", ROBOT), body.get("role", "writer")
        type = "anyone" if email == "anyone" else "user"
        found = file.share(role or "reader", type, "" if type == "anyone" else email)
        former = file.viewers
        if role is None:
            file.permissions.remove(found)
        self.desk.store.note(file, former)
        return {"permissions": file.permissions}

    def clock(self, request: Request, body: Any) -> Any:
        """Stop, start or move the time."""
        clock: Clock = self.desk.clock
        if body.get("stop"):
            clock.stop()
        if body.get("run"):
            clock.run()
        if "set" in body:
            clock.set(float(body["set"]))
        if "advance" in body:
            clock.advance(float(body["advance"]))
        self.door.apply_due()
        if "skew" in body:
            self.desk.tokens.skew = float(body["skew"])
        return {"now": clock.now(), "stopped": clock.is_stopped}

    def quota(self, request: Request, body: Any) -> Any:
        """Limit requests a minute, from now on."""
        self.desk.quota.limits = None if body.get("off") else Limits(**body)
        self.desk.quota.forget()
        limits = self.desk.quota.limits
        return dataclasses.asdict(limits) if limits else {"off": True}

    def log(self, request: Request, body: Any) -> Any:
        """Return the requests so far."""
        after = int(request.query_params.get("after", 0))
        return [dataclasses.asdict(entry) for entry in self.door.log if entry.n > after]

    def reset(self) -> None:
        """Reset the server to its initial state."""
        self.desk.store.take({"files": []})
        self.desk.tokens.expire()
        self.desk.quota.limits = None
        self.desk.tokens.skew = 0
        for hold in self.door.holds.values():
            hold.released.set()
        door = self.door
        for kept in (door.faults.script, door.acts, door.refused, door.holds, door.late, door.log):
            kept.clear()
        self.door.reset_counts()


def _endpoint(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        try:
            body = await request.json() if await request.body() else {}
            said = handler(request, body)
            if asyncio.iscoroutine(said):
                said = await said
        except ApiError as error:
            return JSONResponse(error.body(), error.code)
        except (ValueError, KeyError, TypeError) as error:
            return JSONResponse({"error": f"{type(error).__name__}: {error}"}, 400)
        except Exception as error:  # a bug of the server, which the caller should see
            traceback.print_exc()
            return JSONResponse({"error": f"{type(error).__name__}: {error}"}, 500)
        return JSONResponse({} if said is None else said)

    return answer


def _shown(fault: Fault) -> dict[str, Any]:
    trigger = {name: getattr(fault.trigger, name) for name in ("match", "at", "every", "probability", "times", "fired")}
    return {"kind": fault.kind, "when": fault.when} | {
        name: value for name, value in trigger.items() if value is not None
    }
