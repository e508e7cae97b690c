"""HTTP requests and answers, and the table of routes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import msgspec
from localsheets.errors import ApiError, invalid, violations
from starlette.routing import compile_path

Kind = Literal["read", "write", "drive", "token", "other"]
JSON = "application/json; charset=UTF-8"
HTML = "text/html; charset=UTF-8"


@dataclass(frozen=True, slots=True)
class Call:
    """One HTTP request: the part that a late fault keeps and applies afterwards.

    Attributes:
        path: The path, decoded once, so that a range reads `'War Requests'!A1:K`.
        query: All values by name, in order.
        headers: Headers by name in lower case.
    """

    method: str
    path: str
    query: Mapping[str, Sequence[str]] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    def one(self, name: str) -> str | None:
        """Return the last value of a query parameter; empty counts as absent."""
        values = self.query.get(name)
        return values[-1] or None if values else None

    def many(self, name: str) -> list[str]:
        """Return every value of a query parameter that repeats."""
        return list(self.query.get(name, ()))

    def flag(self, name: str) -> bool:
        """Return a query parameter as a boolean; Python's `False` and JSON's `false` are both accepted."""
        text = self.one(name)
        if text is None or text.lower() in ("true", "false", "1", "0"):
            return text is not None and text.lower() in ("true", "1")
        raise invalid_value(name, "TYPE_BOOL", text)

    def json(self) -> dict[str, Any]:
        """Return the body as an object, without the names whose value is null; an empty body is an empty object.

        Raises:
            ApiError: 400, as Google words it, for a body that is no JSON object.
        """
        if not self.body.strip():
            return {}
        try:
            body = json.loads(self.body)
        except (ValueError, RecursionError) as error:
            raise invalid(_not_json(self.body, error)) from error
        if not isinstance(body, dict):
            raise violations(("", 'Invalid JSON payload received. Unknown name "": Root element must be a message.'))
        return {name: value for name, value in body.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Answer:
    """One HTTP answer."""

    status: int = 200
    body: bytes = b""
    media: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Any, status: int = 200, end: str = "\n") -> Answer:
        """Return an answer with JSON as Google prints it, two spaces a level."""
        text = json.dumps(data, ensure_ascii=False).encode(
            "utf-8", "replace"
        )  # an indent in dumps itself takes ten times longer
        return cls(status, msgspec.json.format(text, indent=2) + end.encode())

    def dense(self) -> Answer:
        """Return the answer without its spaces, for `prettyPrint=false`."""
        return replace(self, body=msgspec.json.format(self.body, indent=-1))


def refusal(error: ApiError) -> Answer:
    """Return the answer for an error of the Sheets API."""
    return Answer.of(error.body(), error.code)


@dataclass(frozen=True, slots=True)
class Route:
    """A method, a path (`{name}` up to the next slash, `{name:path}` to the end) and its handler.

    Attributes:
        pattern: The path's pattern, by which counters and logs name requests.
        query: The parameters that are accepted.
    """

    method: str
    pattern: str
    kind: Kind
    handler: Callable[..., Any]
    query: tuple[str, ...] = ()


class Routes:
    """The table of routes, searched from the top."""

    def __init__(self, routes: Sequence[Route]) -> None:
        self._routes = [(route, compile_path(route.pattern)[0]) for route in routes]

    def find(self, method: str, path: str) -> tuple[Route, dict[str, str]] | None:
        """Return the first route that fits, with the parts of the path that it names."""
        for route, regex in self._routes:
            if route.method == method and (found := regex.match(path)):
                return route, found.groupdict()
        return None


COMMON = frozenset({
    "$.xgafv", "access_token", "alt", "callback", "fields", "key", "oauth_token", "prettyPrint", "quotaUser",
    "uploadType", "upload_protocol",
})  # fmt: skip
"""Parameters that every Google API takes."""


def check_query(call: Call, route: Route) -> None:
    """Refuse a parameter that the method does not have, as Google does."""
    for name in call.query:
        if name not in COMMON and name not in route.query:
            what = f"Cannot bind query parameter. Field '{name}' could not be found in request message."
            raise violations(("", f'Invalid JSON payload received. Unknown name "{name}": {what}'))


def invalid_value(name: str, kind: str, found: str) -> ApiError:
    """Return the 400 for a parameter whose value has another type."""
    snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
    return violations((snake, f"Invalid value at '{snake}' ({kind}), \"{found}\""))


def _not_json(body: bytes, error: ValueError | RecursionError) -> str:
    """Return Google's message for invalid JSON: the line, and a caret under the first unreadable character."""
    text = body.decode("utf-8", "replace")
    position = min(getattr(error, "pos", len(text)), len(text))
    if position >= len(text.rstrip()):
        return "Invalid JSON payload received. Unexpected end of string. Expected a value.\n\n^"
    start = max(text.rfind("\n", 0, position) + 1, position - 40)
    line = text[start : position + 40].split("\n")[0]
    return f"Invalid JSON payload received. Unexpected token.\n{line}\n{' ' * (position - start)}^"
