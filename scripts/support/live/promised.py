"""Seasons with beacon luck: a beacon that follows the season's clock and fails as it is told, and what must hold."""

from __future__ import annotations

import functools
import hashlib
import hmac
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec
from localbeacon.server import FAULTS, LocalBeacon

from scripts.support.live.begun import SECRET
from scripts.support.local_beacon import CHAIN
from sheets_algo.ruling.luck.beacon import Chain
from sheets_algo.ruling.luck.draw import SeasonLuck
from sheets_algo.runtime.session.beacon_hosts import BeaconHosts

SOUND = "the beacon is sound"
TURNS = {SOUND: ("", ""), "half of the beacon is away": ("reset", "")} | {
    f"the beacon's hosts fail: {fault}": (fault, fault) for fault in FAULTS
}
"""Turns in which the two hosts of the beacon change, by name: the fault of each."""


@functools.cache
def hosts() -> tuple[LocalBeacon, LocalBeacon]:
    """Return two hosts of one beacon, which serve all seasons of this process; silence takes no time."""
    pair = LocalBeacon(CHAIN, silence_s=0.02), LocalBeacon(CHAIN, silence_s=0.02)
    for host in pair:
        host.__enter__()
    return pair


def luck() -> SeasonLuck:
    """Return the luck of such a season."""
    return SeasonLuck(luck="beacon", chain=msgspec.convert(CHAIN.info(), Chain))


@dataclass
class StageBeacon:
    """The beacon of one season.

    Args:
        clock: Returns the season's time in Unix seconds.
    """

    clock: Any
    fetch: BeaconHosts = field(init=False)

    def __post_init__(self) -> None:
        for host in hosts():
            host.now = self.clock
        self.set(SOUND)
        self.fetch = BeaconHosts([host.url for host in hosts()], timeout_s=20.0)

    def set(self, turn: str) -> None:
        """Let the hosts fail, or be sound."""
        for host, fault in zip(hosts(), TURNS[turn], strict=True):
            host.fault = fault


def violations(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield what is wrong with the promises and rulings of a season, reckoned from the rows of Receipts alone.

    Each ruling keeps the last promise of its request, for the same inputs but for what rulings have written since; its
    seed is made of that promise's round as the beacon gave it; each promise that was withdrawn is counted; and wars of
    one nation are ruled in the order of their promises, or the receipt tells which are not.
    """
    promises = {int(row["Seq"]): row for row in rows if row["Kind"] == "Promise"}
    for row in rows:
        if row["Kind"] != "Ruling":
            continue
        seq, own = int(row["Seq"]), str(row["Request"])
        draw = json.loads(row["Seed Source"])
        earlier = [number for number, other in promises.items() if number < seq and _same(other, row)]
        if not earlier or draw.get("promise") != earlier[-1]:
            yield f"receipt {seq} keeps promise {draw.get('promise')}; the last one of {own} is among {earlier}"
            continue
        kept = promises[earlier[-1]]
        promised = json.loads(kept["Seed Source"])
        if unexplained := _unexplained(kept, row, rows):
            yield f"receipt {seq} rules other inputs than were promised: {unexplained}"
        if draw["round"] != promised["round"]:
            yield f"receipt {seq}: round {promised['round']} was promised, and {draw['round']} decided"
        signature = CHAIN.signature(promised["round"])
        randomness = hashlib.sha256(signature).hexdigest()
        if (draw["signature"], draw["randomness"]) != (signature.hex(), randomness):
            yield f"receipt {seq}: this is not what the beacon gave as round {promised['round']}"
        key, text = _hmac(SECRET.encode(), own.casefold()), f"{kept['Inputs']}\n{randomness}"
        if (draw.get("key"), promised["key"]) != (key.hex(), hashlib.sha256(key).hexdigest()):
            yield f"receipt {seq} has another key than its request"
        seed = int.from_bytes(_hmac(key, text)[:8], "big")
        if row["Seed"] != str(seed):
            yield f"receipt {seq} has another seed than its promised round gives"
        counted = {*draw.get("before", ()), *draw.get("after", ()), *draw.get("far", ())}
        told = {*draw.get("passed", ()), *draw.get("open", ()), *counted, *draw.get("undone", ())}
        if untold := sorted({*_held_back(row, kept, rows)} - told):
            yield f"receipt {seq} does not tell that the promises {untold} came before it and are not ruled"
        if uncounted := sorted({*earlier[:-1]} - counted):
            yield f"receipt {seq} does not count the withdrawn promises {uncounted}"
    for seq, row in promises.items():
        due = CHAIN.genesis_time + (json.loads(row["Seed Source"])["round"] - 1) * CHAIN.period
        if due < _seconds(row["Time"]) + 300:
            yield f"receipt {seq} promises a round that was less than five minutes ahead"


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def _unexplained(kept: dict[str, Any], ruling: dict[str, Any], rows: list[dict[str, Any]]) -> list[str]:
    """Return the numbers and words of a ruling's inputs that neither its promise nor a ruling between them has."""
    between = [row for row in rows if int(kept["Seq"]) < int(row["Seq"]) < int(ruling["Seq"])]
    changes = [change["after"] for row in between if row["Changes"] for change in json.loads(row["Changes"])]
    written = {str(value) for _, value in _leaves("", changes)}
    before, after = (dict(_leaves("", json.loads(row["Inputs"]))) for row in (kept, ruling))
    gone = written and {path for path in before if path.startswith((".attacker.units.3", ".defender.units.3"))}
    changed = [path for path in {*before, *after} - (gone or set()) if before.get(path) != after.get(path)]
    return [path for path in sorted(changed) if str(after.get(path)) not in written | {"", "None"}]


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _leaves(f"{path}.{key}", part)
    else:
        yield path, float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _held_back(ruling: dict[str, Any], kept: dict[str, Any], rows: list[dict[str, Any]]) -> Iterator[int]:
    """Yield the promises of other wars of the same nations that came before, and had a round, and are not ruled yet."""
    own, nations = int(kept["Seq"]), _nations(kept)
    due = json.loads(kept["Seed Source"])["round"]
    before = [row for row in rows if int(row["Seq"]) < int(ruling["Seq"])]
    ruled = {str(row["Request"]).casefold() for row in before if row["Kind"] == "Ruling"}
    earlier = {
        str(row["Request"]).casefold(): row for row in before if row["Kind"] == "Promise" and int(row["Seq"]) < own
    }
    for request, row in earlier.items():
        later = [other for other in before if other["Kind"] == "Promise" and int(other["Seq"]) > int(row["Seq"])]
        again = next((other for other in later if str(other["Request"]).casefold() == request), None)
        is_new = again and _seconds(again["Time"]) < CHAIN.genesis_time + (due - 1) * CHAIN.period
        if request not in ruled and not is_new and nations & _nations(row):
            yield int(row["Seq"])


def _nations(promise: dict[str, Any]) -> set[str]:
    inputs = json.loads(promise["Inputs"])
    return {inputs[side]["nation"]["name"] for side in ("attacker", "defender")}


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return str(one["Request"]).casefold() == str(other["Request"]).casefold()


def _seconds(time: str) -> float:
    return datetime.fromisoformat(time).timestamp()


PROMISED = (
    *("A", "A", "A", "a minute passes", "A", "A", "tick the last one", "A", "A", "a minute passes"),
    *("A", "a minute passes", "A", "A"),
)
"""One watcher: three wars are promised and ruled, those of one nation one after the other; one more is asked for."""

IN_TURN = (
    *("A", "B", "A", "B", "a minute passes", "A", "B", "tick the last one", "A", "B", "a minute passes", "A", "B"),
    *("a minute passes", "A", "B"),
)
RUN = ("R", "R", "a minute passes", "R", "tick the last one", "R", "a minute passes", "R", "a minute passes", "R", "R")


EDITS = ("edit a size", "edit a year", "move a flank", "untick one", "edit an id", "clear an id")
"""Deeds after which a promise may no longer hold, or a war stands under another id."""


def base_turns(rng: random.Random) -> list[str]:
    """Return the turns of a random season, with a beacon that fails for a while."""
    turns = list(rng.choice((PROMISED, PROMISED, IN_TURN, RUN)))
    for _ in range(rng.choice((0, 1, 1, 2))):
        start = rng.randrange(len(turns))
        turns.insert(start, rng.choice(sorted(TURNS)))
        if rng.random() < 0.7:
            turns.insert(rng.randrange(start + 1, len(turns) + 1), SOUND)
    for _ in range(rng.choice((0, 1, 1, 2))):
        turns.insert(rng.randrange(2, len(turns) + 1), rng.choice(EDITS))
    return turns
