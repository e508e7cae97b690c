"""A schedule: who looks when, and what fails or happens just before which request. Equal schedules, equal seasons."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tests.live.people import DEEDS
from tests.live.stage import SEASONS

LOST = ("500", "502", "503", "reset", "half", "silence")
"""Faults after which nobody knows whether a request was carried out."""

REFUSED = ("429", "401")
"""Faults after which everybody knows that it was not."""

LATEST = 4
"""Requests that may be answered before a late one is applied."""


@dataclass(frozen=True, slots=True)
class Event:
    """What happens just before a request is sent.

    Args:
        watcher: Whose request.
        at: Which of its requests, from 1.
        kind: `fault`, `token` (a fault when a new access token is asked for), `act` (of a person), `look` (of another
            watcher) or `crash`.
        what: The fault's kind, the deed's name, the other watcher's name.
        when: Of a fault: before, after or late.
        late: After how many further requests a late one is applied.
    """

    watcher: str
    at: int
    kind: str
    what: str = ""
    when: str = "before"
    late: int = 1


@dataclass(frozen=True, slots=True)
class Schedule:
    """A season to be played.

    Args:
        turns: Names of watchers, who look in this order; names of deeds, done between looks.
        events: What happens in the middle of looks.
        season: What lies in the spreadsheet.
    """

    turns: tuple[str, ...]
    events: tuple[Event, ...] = ()
    season: str = "wars"

    @classmethod
    def of(cls, text: str) -> Schedule:
        """What `str` gave.

        Raises:
            ValueError: It is something else.
        """
        try:
            it = json.loads(text)
            made = cls(tuple(it["turns"]), tuple(Event(**event) for event in it["events"]), it.get("season", "wars"))
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError(f"this is no schedule as one is printed ({error})") from error
        if made.season not in SEASONS:
            raise ValueError(f"there is no season {made.season!r}")
        for event in made.events:
            if event.kind == "act" and event.what not in DEEDS:
                raise ValueError(f"nobody knows how to {event.what!r}")
        return made

    @property
    def deeds(self) -> set[str]:
        """What people do in it."""
        return {it for it in (*self.turns, *(event.what for event in self.events)) if it in DEEDS}

    def __str__(self) -> str:
        """On one line, for a person and for `of`."""
        events = [_short(event) for event in self.events]
        return json.dumps({"season": self.season, "turns": self.turns, "events": events})

    def smaller(self) -> Iterator[Schedule]:
        """The same without one event or one turn."""
        for left_out in range(len(self.events)):
            yield replace(self, events=self.events[:left_out] + self.events[left_out + 1 :])
        for left_out in reversed(range(len(self.turns))):
            yield replace(self, turns=self.turns[:left_out] + self.turns[left_out + 1 :])


def _short(event: Event) -> dict[str, Any]:
    usual = Event("", 0, "")
    its = {name: getattr(event, name) for name in Event.__slots__}
    return {name: it for name, it in its.items() if it != getattr(usual, name)}


WATCHED = ("A", "A", "tick the last one", "A", "A", "A")
"""One watcher: three wars wait, are ruled; one more is asked for, waits, is ruled."""

IN_TURN = ("A", "B", "A", "B", "tick the last one", "A", "B", "A", "B")
"""Two watchers, neither of whom knows of the other."""


def faults() -> Iterator[tuple[str, str, int]]:
    """Every kind, when, and how late."""
    for kind in REFUSED:
        yield kind, "before", 1
    for kind in LOST:
        yield kind, "before", 1
        yield kind, "after", 1
        for late in range(1, LATEST + 1):
            yield kind, "late", late


SENT = 17
"""Requests of `WATCHED` when nothing goes wrong."""

LOOK, WRITE = 6, 7
"""The requests before and with which three wars are ruled."""

ESSENTIAL = (
    ("429", "before", 1),
    ("401", "before", 1),
    ("503", "before", 1),
    ("reset", "after", 1),
    *(("half", "late", late) for late in range(1, LATEST + 1)),
)
"""One of each kind of fault that the program tells from others: refused, sign in again, lost and not carried out, lost
and carried out, lost and carried out later."""


def pairs() -> list[Schedule]:
    """Every two essential faults at every two requests."""
    twos = itertools.combinations(range(1, SENT + 1), 2)
    return [
        Schedule(WATCHED, (Event("A", first, "fault", *one), Event("A", second, "fault", *other)))
        for (first, second), one, other in itertools.product(twos, ESSENTIAL, ESSENTIAL)
    ]


MIXTURES = (
    ("fault", "fault", "fault", "token"),
    ("fault", "fault", "act"),
    ("fault", "crash"),
    ("fault", "look", "look", "crash"),
)
"""What happens in one schedule. Rows that move under a write are put right by name a moment later; who dies in that
moment, or rules in it, is beyond any program: a spreadsheet has no way to write to a row by its name."""

MOVES = ("insert", "delete", "drag", "sort", "copy")
"""With these words begin deeds that move rows or columns. Of a write that comes late, after rows were moved, nobody
knows any more whose process has died."""


def drawn(seed: int, requests: int = 22) -> Schedule:
    """Any schedule.

    Args:
        seed: Which one.
        requests: About as many as a watcher sends.
    """
    luck = random.Random(seed)
    turns = list(luck.choice((WATCHED, WATCHED, IN_TURN)))
    for _ in range(luck.choice((0, 1, 1, 2, 3))):
        turns.insert(luck.randrange(len(turns) + 1), luck.choice(sorted(DEEDS)))
    watchers = sorted({turn for turn in turns if turn not in DEEDS})
    others = luck.sample(("B", "C"), 2) if len(watchers) > 1 else ["B"]
    kinds = luck.choice(MIXTURES)
    events = [
        _event(luck, luck.choice(kinds), luck.choice(watchers), others, requests)
        for _ in range(luck.choice((1, 2, 2, 3, 4)))
    ]
    if any(it.kind == "crash" for it in events) and any(it.when == "late" for it in events):
        turns = [turn for turn in turns if not turn.startswith(MOVES)]
    season = luck.choice(("wars", "wars", "wars and scores", "wars and forecasts"))
    return Schedule(tuple(turns), tuple(sorted(events, key=lambda it: (it.watcher, it.at))), season)


def _event(luck: random.Random, kind: str, watcher: str, others: list[str], requests: int) -> Event:
    at = luck.randint(1, requests)
    match kind:
        case "fault":
            kind, when, late = luck.choice(list(faults()))
            return Event(watcher, at, "fault", kind, when, late)
        case "token":
            return Event(watcher, at, "token", luck.choice(LOST), luck.choice(("before", "after")))
        case "act":
            return Event(watcher, at, "act", luck.choice(sorted(DEEDS)))
        case "look":
            return Event(watcher, at, "look", next(it for it in (*others, "C", "B") if it != watcher))
        case _:
            return Event(watcher, at, "crash")
