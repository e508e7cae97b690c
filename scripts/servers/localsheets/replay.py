"""Replay of recorded traffic with Google against this server, comparing answer with answer.

Values that Google chooses freely (ids, times, the caller) are learnt from the first answer that has them and must be
the same from then on; everything else has to be equal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import requests

CHOSEN = frozenset(
    [
        "id",
        "spreadsheetId",
        "sheetId",
        "namedRangeId",
        "protectedRangeId",
        "bandedRangeId",
        "filterViewId",
        "metadataId",
        "permissionId",
    ]
)
"""Names of fields whose values Google chooses."""
TIMES = frozenset(["createdTime", "modifiedTime"])
HOSTS = re.compile(r"https://(?:sheets|www)\.googleapis\.com")
TOKEN = {"Authorization": "Bearer recorded"}


@dataclass(frozen=True, slots=True)
class Pair:
    """One request with the comparison of its two answers.

    Attributes:
        name: The recording's file name without its suffix.
        number: The request's place in the recording, from 0.
        request: The method and path.
        differences: One line for each difference; none if the answers are equal.
    """

    name: str
    number: int
    request: str
    differences: tuple[str, ...]

    @property
    def key(self) -> str:
        """Return the pair's name in a list of known differences."""
        return f"{self.name}#{self.number}"


@dataclass(slots=True)
class Ids:
    """The values that Google chose, and those that this server chose instead."""

    ours: dict[Any, Any] = field(default_factory=dict)

    def sent(self, value: Any) -> Any:
        """Return a recorded request's body with this server's values."""
        if isinstance(value, Mapping):
            return {name: self._known(item) if name in CHOSEN else self.sent(item) for name, item in value.items()}
        return [self.sent(item) for item in value] if isinstance(value, list) else value

    def address(self, uri: str) -> str:
        """Return a recorded address with this server's ids."""
        for recorded, found in self.ours.items():
            if isinstance(recorded, str) and len(recorded) > 20:
                uri = uri.replace(quote(recorded), str(found))
        return uri

    def is_same(self, name: str, recorded: Any, found: Any) -> bool:
        """Return True if a chosen value is the one that was chosen before; the first time any value will do."""
        if type(recorded) is not type(found):
            return False
        return bool(self.ours.setdefault(recorded, found) == found)

    def _known(self, item: Any) -> Any:
        return self.ours.get(item, item) if isinstance(item, str | int) else self.sent(item)


def recordings(folder: Path) -> list[Path]:
    """Return the recordings of a folder, by name."""
    return sorted(folder.glob("*.json"))


def replay(path: Path, url: str, session: requests.Session) -> Iterator[Pair]:
    """Replay one recording from its start, on an empty server, and yield the comparisons.

    Args:
        path: The recording.
        url: The server's address.
        session: The session that sends the requests.
    """
    session.post(f"{url}/_control/reset", json={}).raise_for_status()
    ids = Ids()
    for number, interaction in enumerate(json.loads(path.read_text(encoding="utf-8"))["interactions"]):
        asked, recorded = interaction["request"], interaction["response"]
        uri = ids.address(asked["uri"])
        _lock_out(url, session, uri, recorded["status"]["code"])
        body = _body(asked["body"])
        sent = json.dumps(ids.sent(body)) if isinstance(body, dict) else asked["body"]
        headers = {**TOKEN, "Content-Type": "application/json"} if sent else TOKEN
        data = sent.encode() if sent else None
        answer = session.request(asked["method"], HOSTS.sub(url, uri), data=data, headers=headers)
        answer.encoding = "utf-8"
        differences = tuple(_differences(ids, recorded, answer))
        yield Pair(path.stem, number, f"{asked['method']} {urlsplit(asked['uri']).path}", differences)


def _lock_out(url: str, session: requests.Session, uri: str, status: int) -> None:
    """Make a spreadsheet private whose request was refused in the recording."""
    if status == 403 and (found := re.search(r"/spreadsheets/([^/?:]+)", uri)):
        session.post(f"{url}/_control/private/{found[1]}", json={}).raise_for_status()


def _differences(ids: Ids, recorded: Mapping[str, Any], answer: requests.Response) -> Iterator[str]:
    status = recorded["status"]["code"]
    if status != answer.status_code:
        yield f"status: {status} recorded, {answer.status_code} here"
    there, here = _body(recorded["body"].get("string")), _body(answer.text)
    yield from _compare(ids, "", "", there, here)


def _compare(ids: Ids, name: str, path: str, there: Any, here: Any) -> Iterator[str]:
    """Yield lines that describe the differences of two bodies."""
    if isinstance(there, dict) and isinstance(here, dict):
        for key in [*there, *(key for key in here if key not in there)]:
            inner = f"{path}.{key}" if path else key
            if key not in here or key not in there:
                side, value = ("recorded", there[key]) if key in there else ("here", here[key])
                yield f"{inner}: only {side}: {_short(value)}"
            else:
                yield from _compare(ids, key, inner, there[key], here[key])
    elif isinstance(there, list) and isinstance(here, list) and len(there) == len(here):
        for place, (former, latter) in enumerate(zip(there, here, strict=True)):
            yield from _compare(ids, name, f"{path}[{place}]", former, latter)
    elif not _is_equal(ids, name, there, here):
        yield f"{path or 'body'}: {_short(there)} recorded, {_short(here)} here"


def _is_equal(ids: Ids, name: str, there: object, here: object) -> bool:
    if name in CHOSEN or (name == "users" and isinstance(there, str)):
        return ids.is_same(name, there, here)
    if name in TIMES and isinstance(there, str) and isinstance(here, str):
        return bool(re.sub(r"\d", "0", there) == re.sub(r"\d", "0", here))
    if name == "spreadsheetUrl" and isinstance(there, str):
        there = ids.address(there)
    return there == here and isinstance(there, bool) == isinstance(here, bool)


def _body(text: str | None) -> Any:
    try:
        return json.loads(text or "")
    except ValueError:
        return text or ""


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else text[:200] + "…"
