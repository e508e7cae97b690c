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

SECONDS = (5, 20, 45, 100, 300)
"""By the clock of the season, in which a turn takes 15, until a late one is applied."""

WAITS = {"a minute passes": 60.0, "five minutes pass": 300.0}
"""Turns in which nobody does anything: what is late arrives while no process is at work."""

RUNS = ("R", "S")
"""Processes that work once and end, as `sheets-algo run` does; each time it is a new one, in a new folder."""

ENDS = ("crash", "exit", "stop")
"""How a process ends before its time: `kill -9`; no answer to anything any more, until it gives up; SIGTERM."""

KINDS = ("fault", "token", "act", "look", *ENDS)


@dataclass(frozen=True, slots=True)
class Event:
    """What happens just before a request is sent.

    Args:
        watcher: Whose request; that of `run`-like processes counts on from one to the next.
        at: Which of its requests, from 1.
        kind: `fault`, `token` (a fault when a new access token is asked for), `act` (of a person), `look` (of another
            process), or one of `ENDS`.
        what: The fault's kind, the deed's name, the other process's name.
        when: Of a fault: before, after or late.
        late: After how many further requests a late one is applied.
        seconds: After how long a late one is applied instead, if not 0.
    """

    watcher: str
    at: int
    kind: str
    what: str = ""
    when: str = "before"
    late: int = 1
    seconds: int = 0


@dataclass(frozen=True, slots=True)
class Schedule:
    """A season to be played.

    Args:
        turns: Names of processes, who look or run in this order; between them, names of deeds and of `WAITS`.
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
        if unknown := sorted(it for it in made.processes if not (len(it) == 1 and it.isupper())):
            raise ValueError(f"nobody knows how to {unknown[0]!r}")
        if made.season not in SEASONS:
            raise ValueError(f"there is no season {made.season!r}")
        for event in made.events:
            if event.kind not in KINDS:
                raise ValueError(f"there is no event {event.kind!r}")
            if event.kind == "act" and event.what not in DEEDS:
                raise ValueError(f"nobody knows how to {event.what!r}")
        return made

    @property
    def processes(self) -> set[str]:
        """Who looks or runs in it."""
        others = {event.what for event in self.events if event.kind == "look"}
        return {it for it in self.turns if it not in DEEDS and it not in WAITS} | others

    @property
    def has_ends(self) -> bool:
        """Whether processes end in it, perhaps in the middle of something."""
        return any(it in RUNS for it in self.processes) or any(event.kind in ENDS for event in self.events)

    @property
    def is_timed(self) -> bool:
        """Whether something in it is late by time."""
        return any(event.seconds for event in self.events)

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


RUN = ("R", "R", "tick the last one", "R", "R")
"""One `run` after another, each on a new machine."""

MIXED = ("A", "R", "A", "tick the last one", "R", "A", "A")
"""A watcher, and somebody who runs the program in between."""


def faults() -> Iterator[tuple[str, str, int, int]]:
    """Every kind, when, and how late: requests, seconds."""
    for kind in REFUSED:
        yield kind, "before", 1, 0
    for kind in LOST:
        yield kind, "before", 1, 0
        yield kind, "after", 1, 0
        for late in range(1, LATEST + 1):
            yield kind, "late", late, 0
        for seconds in SECONDS:
            yield kind, "late", 1, seconds


ESSENTIAL = (
    ("429", "before", 1),
    ("401", "before", 1),
    ("503", "before", 1),
    ("reset", "after", 1),
    *(("half", "late", late) for late in range(1, LATEST + 1)),
)
"""One of each kind of fault that the program tells from others: refused, sign in again, lost and not carried out, lost
and carried out, lost and carried out later."""


def pairs(sent: int) -> list[Schedule]:
    """Every two essential faults at every two of so many requests."""
    twos = itertools.combinations(range(1, sent + 1), 2)
    return [
        Schedule(WATCHED, (Event("A", first, "fault", *one), Event("A", second, "fault", *other)))
        for (first, second), one, other in itertools.product(twos, ESSENTIAL, ESSENTIAL)
    ]


OFTEN = ("fault", "fault", "fault", "token", "act", "act", "look", "look", *ENDS)
"""What happens, as often as it is drawn. Nothing is left out, and nothing excludes anything else."""


NEAR = 3
"""Requests within which most of what happens in one schedule happens: what is far apart has little to do with each
other."""


def drawn(seed: int, requests: int = 22) -> Schedule:
    """Any schedule.

    Args:
        seed: Which one.
        requests: About as many as a process sends.
    """
    luck = random.Random(seed)
    turns = list(luck.choice((WATCHED, WATCHED, IN_TURN, RUN, MIXED)))
    for _ in range(luck.choice((0, 1, 1, 2, 3))):
        turns.insert(luck.randrange(len(turns) + 1), luck.choice(sorted(DEEDS)))
    for _ in range(luck.choice((0, 0, 1, 2))):
        turns.insert(luck.randrange(len(turns) + 1), luck.choice(sorted(WAITS)))
    processes = sorted(Schedule(tuple(turns)).processes)
    near = luck.choice(processes), luck.randint(1, requests)
    places = [
        (near[0], near[1] + luck.randint(0, NEAR)) if luck.random() < 0.6 else _anywhere(luck, processes, requests)
        for _ in range(luck.choice((1, 2, 2, 3, 4, 5)))
    ]
    events = [_event(luck, *place) for place in places]
    season = luck.choice(("wars", "wars", "wars and scores", "wars and forecasts"))
    return Schedule(tuple(turns), tuple(sorted(events, key=lambda it: (it.watcher, it.at))), season)


def _anywhere(luck: random.Random, processes: list[str], requests: int) -> tuple[str, int]:
    return luck.choice(processes), luck.randint(1, requests)


def _event(luck: random.Random, process: str, at: int) -> Event:
    kind = luck.choice(OFTEN)
    match kind:
        case "fault":
            fault, when, late, seconds = luck.choice(list(faults()))
            return Event(process, at, kind, fault, when, late, seconds)
        case "token":
            return Event(process, at, kind, luck.choice(LOST), luck.choice(("before", "after")))
        case "act":
            return Event(process, at, kind, luck.choice(sorted(DEEDS)))
        case "look":
            return Event(process, at, kind, luck.choice([it for it in ("A", "B", "C", *RUNS) if it != process]))
        case _:
            return Event(process, at, kind)
