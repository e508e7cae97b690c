"""The entrance of requests: they are numbered, logged, held or spoiled as scripted, and answered one at a time."""

from __future__ import annotations

import asyncio
import gzip
import sys
import traceback
from collections import Counter
from dataclasses import dataclass, field
from email.utils import formatdate
from typing import Any

from localsheets.calls import Answer, Call, Kind, refusal
from localsheets.desk import Desk
from localsheets.errors import ApiError
from localsheets.faults import LOST, Fault, Faults
from localsheets.oauth import Caller
from localsheets.triggers import Seen, Trigger
from localsheets.wire import Wire
from starlette.requests import ClientDisconnect, Request

Scope = Any
KEPT = 20_000
"""The number of requests that the log keeps."""
A_MOMENT_S = 0.01
"""The most by which a timer may be ahead of the machine's clock, in seconds."""


@dataclass(slots=True, kw_only=True)
class Act:
    """A change that a person makes to a spreadsheet, just before or after a request is applied."""

    trigger: Trigger
    is_before: bool
    id: str
    asked: dict[str, Any]
    email: str


@dataclass(slots=True, kw_only=True)
class Hold:
    """A request that waits until it is released."""

    trigger: Trigger
    is_before: bool
    caught: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)
    n: int | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class Late:
    """A request whose answer was lost and which is applied after some more requests, or at a time.

    Attributes:
        left: The number of requests until then.
        due: The server's time when it is applied, in Unix seconds; then requests do not count.
    """

    left: int
    due: float | None
    call: Call
    caller: Caller
    seen: Seen


class Door:
    """The ASGI application in front of the desk.

    Changes of the state happen between two awaits, so each request, each person's act and each late request is applied
    as a whole; waiting requests do not delay others.

    Attributes:
        log: The requests so far, oldest first.
        counts: The counters since the last reset: kinds, methods with paths, statuses, bytes.
        acts: The scripted changes of people.
        refused: Google's messages for changes of people that were refused.
    """

    def __init__(self, desk: Desk, wire: Wire) -> None:
        self.desk = desk
        self.wire = wire
        self.faults = Faults()
        self.acts: list[Act] = []
        self.holds: dict[int, Hold] = {}
        self.late: list[Late] = []
        self.log: list[Seen] = []
        self.counts: dict[str, Counter[str]] = {}
        self.refused: list[str] = []
        self.stopping = asyncio.Event()
        self._n = 0
        self.reset_counts()

    def reset_counts(self) -> None:
        """Reset the counters; the log and its numbers go on."""
        self.counts = {name: Counter() for name in ("kinds", "requests", "statuses", "bytes")}

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Answer one request."""
        try:
            call = await _call(scope, receive)
        except ClientDisconnect:
            return
        self.apply_due()
        seen = self._note(call)
        fault = self.faults.pick(seen)
        acts, holds = self._due(seen), self._held(seen)
        self._act(acts, is_before=True)
        await self._wait(holds, seen, is_before=True)
        if fault and fault.kind == "slow":
            await self._sleep(fault.seconds)
        answer = self._answer(call, seen, fault)
        self._act(acts, is_before=False)
        self._apply_late(seen)
        await self._wait(holds, seen, is_before=False)
        seen.fault = fault.name if fault else None
        if fault and fault.kind in LOST:
            await self._lose(fault.kind, answer, seen, scope, receive, send)
        else:
            await self._send(answer, call, seen, send)

    def _note(self, call: Call) -> Seen:
        self._n += 1
        found = self.desk.find(call)
        kind: Kind = found[0].kind if found else "other"
        pattern = found[0].pattern if found else None
        seen = Seen(
            n=self._n,
            time=self.desk.clock.now(),
            kind=kind,
            method=call.method,
            path=call.path,
            pattern=pattern,
            bytes_in=len(call.body),
        )
        self.log.append(seen)
        del self.log[:-KEPT]
        self.counts["kinds"][kind] += 1
        self.counts["requests"][f"{call.method} {pattern or call.path}"] += 1
        self.counts["bytes"]["in"] += len(call.body)
        return seen

    def _answer(self, call: Call, seen: Seen, fault: Fault | None) -> Answer:
        """Apply the request as far as the fault lets it; return its answer."""
        is_lost = fault is not None and fault.kind in LOST
        if fault and fault.kind != "slow" and fault.when == "before":
            return Answer.of({}) if is_lost else fault.answer(seen)
        found = self.desk.find(call)
        caller = self.desk.admit(call, found[0] if found else None)
        if isinstance(caller, Answer):
            return caller
        seen.caller = caller.email or None
        if fault and fault.when == "late":
            self._delay(fault, call, caller, seen)
            return Answer.of({}) if is_lost else fault.answer(seen)
        answer = self._apply(call, caller)
        return fault.answer(seen) if fault and fault.kind != "slow" and not is_lost else answer

    def _delay(self, fault: Fault, call: Call, caller: Caller, seen: Seen) -> None:
        due = None
        if fault.after_seconds is not None:
            due = self.desk.clock.now() + fault.after_seconds
            if not self.desk.clock.is_stopped:
                asyncio.get_running_loop().call_later(fault.after_seconds + A_MOMENT_S, self.apply_due)
        self.late.append(Late(left=fault.after_requests + 1, due=due, call=call, caller=caller, seen=seen))

    def apply_due(self) -> None:
        """Apply the late requests whose time has come, the earliest first."""
        now = self.desk.clock.now()
        due = [late for late in self.late if late.due is not None and late.due <= now]
        self.late = [late for late in self.late if late not in due]
        for late in sorted(due, key=lambda request: request.due or 0.0):
            self.apply_late(late, self._n)

    def _apply_late(self, seen: Seen) -> None:
        for late in self.late:
            late.left -= 1
        due = [late for late in self.late if late.due is None and late.left <= 0]
        self.late = [late for late in self.late if late not in due]
        for late in due:
            self.apply_late(late, seen.n)

    def apply_late(self, late: Late, n: int) -> None:
        """Apply a late request now, after request `n`; its answer is discarded."""
        late.seen.late = n
        self._apply(late.call, late.caller)

    def _apply(self, call: Call, caller: Caller) -> Answer:
        """Return the desk's answer; a bug of the server is printed and answered with a 500."""
        try:
            return self.desk.apply(call, caller)
        except Exception:
            traceback.print_exc()
            print(f"while answering {call.method} {call.path} {call.body[:2000]!r}", file=sys.stderr, flush=True)
            return refusal(ApiError(500, "INTERNAL", "Internal error encountered."))

    def _due(self, seen: Seen) -> list[Act]:
        due = [act for act in self.acts if act.trigger.fires(seen)]
        self.acts = [act for act in self.acts if not act.trigger.is_over]
        return due

    def _act(self, acts: list[Act], *, is_before: bool) -> None:
        for act in acts:
            if act.is_before is is_before:
                try:
                    self.desk.as_person(act.id, act.asked, act.email)
                except ApiError as error:
                    self.refused.append(error.message)

    def _held(self, seen: Seen) -> list[Hold]:
        return [hold for hold in self.holds.values() if hold.trigger.fires(seen)]

    async def _wait(self, holds: list[Hold], seen: Seen, *, is_before: bool) -> None:
        for hold in holds:
            if hold.is_before is is_before:
                hold.n = seen.n
                hold.caught.set()
                await self._first(hold.released.wait())

    async def _sleep(self, seconds: float) -> None:
        await self._first(asyncio.sleep(seconds))

    async def _first(self, waiting: Any) -> None:
        """Wait for an awaitable, or for the server to stop."""
        tasks = [asyncio.ensure_future(awaitable) for awaitable in (waiting, self.stopping.wait())]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()

    async def _send(self, answer: Answer, call: Call, seen: Seen, send: Any) -> None:
        date = formatdate(self.desk.clock.now(), usegmt=True)
        headers = {"Content-Type": answer.media, "Date": date, "Vary": "Origin, X-Origin, Referer", **answer.headers}
        body = answer.body
        if body and "gzip" in call.headers.get("accept-encoding", ""):
            body = gzip.compress(body, 1, mtime=0)
            headers["Content-Encoding"] = "gzip"
        self._count(seen, answer.status, len(body))
        await send(_start(answer.status, headers, len(body)))
        await send({"type": "http.response.body", "body": body})

    async def _lose(self, kind: str, answer: Answer, seen: Seen, scope: Scope, receive: Any, send: Any) -> None:
        """Let the connection end without a whole answer."""
        match kind:
            case "reset":
                self.wire.reset(scope)
            case "silence":
                await self._first(_wait_for_disconnect(receive))
                self.wire.close(scope)
            case "half":
                half = answer.body[: len(answer.body) // 2]
                self._count(seen, answer.status, len(half))
                await send(_start(answer.status, {"Content-Type": answer.media}, len(answer.body)))
                await send({"type": "http.response.body", "body": half, "more_body": True})
                self.wire.close(scope)
            case _:
                self.wire.close(scope)

    def _count(self, seen: Seen, status: int, size: int) -> None:
        seen.status = status
        seen.bytes_out = size
        self.counts["statuses"][str(status)] += 1
        self.counts["bytes"]["out"] += size


async def _call(scope: Scope, receive: Any) -> Call:
    request = Request(scope, receive)
    query: dict[str, list[str]] = {}
    for name, value in request.query_params.multi_items():
        query.setdefault(name, []).append(value)
    return Call(request.method, scope["path"], query, dict(request.headers), await request.body())


async def _wait_for_disconnect(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _start(status: int, headers: dict[str, str], size: int) -> dict[str, Any]:
    pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    return {
        "type": "http.response.start",
        "status": status,
        "headers": [*pairs, (b"content-length", str(size).encode())],
    }
