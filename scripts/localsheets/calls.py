"""One request as it came, one answer as it goes, and the table that says who answers which path."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from localsheets.errors import ApiError, invalid, violations
from starlette.routing import compile_path

Kind = Literal["read", "write", "drive", "token", "other"]
JSON = "application/json; charset=UTF-8"
HTML = "text/html; charset=UTF-8"


@dataclass(frozen=True, slots=True)
class Call:
    """One HTTP request: what a late fault keeps and applies afterwards.

    Attributes:
        path: Decoded once, so that a range reads `'War Requests'!A1:K`.
        query: Every value of every name, in order.
        headers: Names in lower case.
    """

    method: str
    path: str
    query: Mapping[str, Sequence[str]] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    def one(self, name: str) -> str | None:
        """The last value of a query parameter; empty counts as absent."""
        values = self.query.get(name)
        return values[-1] or None if values else None

    def many(self, name: str) -> list[str]:
        """Every value of a query parameter that repeats."""
        return list(self.query.get(name, ()))

    def flag(self, name: str) -> bool:
        """A yes or no; Python's `False` and JSON's `false` are the same word."""
        text = self.one(name)
        if text is None or text.lower() in ("true", "false", "1", "0"):
            return text is not None and text.lower() in ("true", "1")
        raise invalid_value(name, "TYPE_BOOL", text)

    def json(self) -> dict[str, Any]:
        """The body as an object, without the names whose value is null; none is an empty one.

        Raises:
            ApiError: 400, in Google's words, for what is no JSON object.
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
    """What goes back."""

    status: int = 200
    body: bytes = b""
    media: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Any, status: int = 200, end: str = "\n") -> Answer:
        """JSON as Google prints it, two spaces a level."""
        return cls(status, (json.dumps(data, indent=2, ensure_ascii=False) + end).encode("utf-8", "replace"))

    def dense(self) -> Answer:
        """The same without its spaces, for `prettyPrint=false`."""
        data = json.dumps(json.loads(self.body), separators=(",", ":"), ensure_ascii=False)
        return replace(self, body=data.encode("utf-8", "replace"))


def refusal(error: ApiError) -> Answer:
    """An error of the Sheets API."""
    return Answer.of(error.body(), error.code)


@dataclass(frozen=True, slots=True)
class Route:
    """A method and a path (`{name}` up to the next slash, `{name:path}` to the end) and who answers.

    Attributes:
        pattern: As written in the table; counters and logs name requests by it.
        query: The parameters it knows.
    """

    method: str
    pattern: str
    kind: Kind
    handler: Callable[..., Any]
    query: tuple[str, ...] = ()


class Routes:
    """The table, asked from the top."""

    def __init__(self, routes: Sequence[Route]) -> None:
        self._routes = [(route, compile_path(route.pattern)[0]) for route in routes]

    def find(self, method: str, path: str) -> tuple[Route, dict[str, str]] | None:
        """The first that fits, with the parts of the path that it names."""
        for route, regex in self._routes:
            if route.method == method and (found := regex.match(path)):
                return route, found.groupdict()
        return None


COMMON = frozenset({
    "$.xgafv", "access_token", "alt", "callback", "fields", "key", "oauth_token", "prettyPrint", "quotaUser",
    "uploadType", "upload_protocol",
})  # fmt: skip
"""Every Google API takes them."""


def check_query(call: Call, route: Route) -> None:
    """Refuse a parameter that the method does not have, as Google does."""
    for name in call.query:
        if name not in COMMON and name not in route.query:
            what = f"Cannot bind query parameter. Field '{name}' could not be found in request message."
            raise violations(("", f'Invalid JSON payload received. Unknown name "{name}": {what}'))


def invalid_value(name: str, kind: str, found: str) -> ApiError:
    """The 400 of a parameter whose value is none of its type."""
    snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
    return violations((snake, f"Invalid value at '{snake}' ({kind}), \"{found}\""))


def _not_json(body: bytes, error: ValueError | RecursionError) -> str:
    """Google shows the line and a caret under the first character it cannot read."""
    text = body.decode("utf-8", "replace")
    at = min(getattr(error, "pos", len(text)), len(text))
    if at >= len(text.rstrip()):
        return "Invalid JSON payload received. Unexpected end of string. Expected a value.\n\n^"
    start = max(text.rfind("\n", 0, at) + 1, at - 40)
    line = text[start : at + 40].split("\n")[0]
    return f"Invalid JSON payload received. Unexpected token.\n{line}\n{' ' * (at - start)}^"
