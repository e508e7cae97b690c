"""Schedules: who looks when, and which fault or event comes just before which request.

Equal schedules give equal seasons.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from scripts.support.live.losses import ANSWERS, LOSSES, OF_RECEIPTS
from scripts.support.live.people import DEEDS, EVERY_DEED, FORGET, RULE_AGAIN
from scripts.support.live.promised import TURNS, base_turns
from scripts.support.live.stage import SEASONS

LOST = ("500", "502", "503", "reset", "half", "silence")
"""Faults after which it is unknown whether a request was carried out."""

REFUSED = ("429", "401")
"""Faults after which it is known that it was not."""

LATEST = 4
"""The most requests that are answered before a late one is applied."""

SECONDS = (5, 20, 45, 100, 300)
"""Seconds until a late request is applied, by the clock of the season, in which a turn takes 15."""

WAITS = {"a minute passes": 60.0, "five minutes pass": 300.0}
"""Turns in which only time passes: late writes arrive while no process works."""

RUNS = ("R", "S")
"""Processes that work once and end, as `sheets-algo run` does; each is a new one, in a new folder."""

ENDS = ("crash", "exit", "stop")
"""Early ends of a process: `kill -9`; no answers any more, until it gives up; SIGTERM."""

KINDS = ("fault", "token", "act", "look", *ENDS)


@dataclass(frozen=True, slots=True)
class Event:
    """An event just before a request is sent.

    Args:
        watcher: The process that sends the request; `run`-like processes of one name are counted as one.
        at: The number of the request, from 1.
        kind: `fault`, `token` (a fault when a new access token is asked for), `act` (of a person), `look` (of another
            process), or one of `ENDS`.
        what: The fault's kind, the deed's name, the other process's name.
        when: The time of a fault: before, after or late.
        late: The number of further requests after which a late one is applied.
        seconds: The time after which a late one is applied instead, if not 0.
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
        turns: The names of processes, which look or run in this order, and of deeds and `WAITS` between them.
        events: The events in the middle of looks.
        season: The name of the season, one of `SEASONS`.
    """

    turns: tuple[str, ...]
    events: tuple[Event, ...] = ()
    season: str = "wars"

    @classmethod
    def of(cls, text: str) -> Schedule:
        """Parse the text that `str` returned.

        Raises:
            ValueError: The text is no schedule.
        """
        try:
            data = json.loads(text)
            schedule = cls(
                tuple(data["turns"]), tuple(Event(**event) for event in data["events"]), data.get("season", "wars")
            )
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError(f"this is no schedule as one is printed ({error})") from error
        if unknown := sorted(
            process for process in schedule.processes if not (len(process) == 1 and process.isupper())
        ):
            raise ValueError(f"nobody knows how to {unknown[0]!r}")
        if schedule.season not in SEASONS:
            raise ValueError(f"there is no season {schedule.season!r}")
        for event in schedule.events:
            if event.kind not in KINDS:
                raise ValueError(f"there is no event {event.kind!r}")
            if event.kind == "act" and event.what not in EVERY_DEED:
                raise ValueError(f"nobody knows how to {event.what!r}")
        return schedule

    @property
    def processes(self) -> set[str]:
        """Return the names of the processes."""
        others = {event.what for event in self.events if event.kind == "look"}
        return {turn for turn in self.turns if not (turn in EVERY_DEED or turn in WAITS or turn in TURNS)} | others

    @property
    def has_ends(self) -> bool:
        """Return True if processes end in it, perhaps in the middle of something."""
        return any(process in RUNS for process in self.processes) or any(event.kind in ENDS for event in self.events)

    @property
    def is_timed(self) -> bool:
        """Return True if something in it is late by time."""
        return any(event.seconds for event in self.events)

    @property
    def deeds(self) -> set[str]:
        """Return the names of the deeds."""
        return {name for name in (*self.turns, *(event.what for event in self.events)) if name in EVERY_DEED}

    def __str__(self) -> str:
        """Return the schedule on one line, for a person and for `of`."""
        events = [_short(event) for event in self.events]
        return json.dumps({"season": self.season, "turns": self.turns, "events": events})

    def smaller(self) -> Iterator[Schedule]:
        """Yield the schedule without one event or one turn."""
        for index in range(len(self.events)):
            yield replace(self, events=self.events[:index] + self.events[index + 1 :])
        for index in reversed(range(len(self.turns))):
            yield replace(self, turns=self.turns[:index] + self.turns[index + 1 :])


def _short(event: Event) -> dict[str, Any]:
    defaults = Event("", 0, "")
    values = {name: getattr(event, name) for name in Event.__slots__}
    return {name: value for name, value in values.items() if value != getattr(defaults, name)}


WATCHED = ("A", "A", "tick the last one", "A", "A", "A")
"""One watcher: three wars wait and are ruled; one more is asked for, waits and is ruled."""

IN_TURN = ("A", "B", "A", "B", "tick the last one", "A", "B", "A", "B")
"""Two watchers that do not know of each other."""


RUN = ("R", "R", "tick the last one", "R", "R")
"""One `run` after another, each on a new machine."""

MIXED = ("A", "R", "A", "tick the last one", "R", "A", "A")
"""A watcher, and a person who runs the program in between."""


def faults() -> Iterator[tuple[str, str, int, int]]:
    """Yield each kind of fault, its time, and its delay: requests, seconds."""
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
"""One fault of each kind that the program distinguishes: refused, sign in again, lost and not carried out, lost and
carried out, lost and carried out later.
"""


def pairs(sent: int) -> list[Schedule]:
    """Return the schedules of any two essential faults at any two requests."""
    places = itertools.combinations(range(1, sent + 1), 2)
    return [
        Schedule(WATCHED, (Event("A", first, "fault", *one), Event("A", second, "fault", *other)))
        for (first, second), one, other in itertools.product(places, ESSENTIAL, ESSENTIAL)
    ]


OFTEN = ("fault", "fault", "fault", "token", "act", "act", "look", "look", *ENDS)
"""Kinds of events, as often as they are drawn. None is left out, and none excludes another."""


NEAR = 3
"""Requests within which most events of a schedule happen, since distant events hardly interact."""


def random_schedule(seed: int, requests: int = 22, *, is_promised: bool = False) -> Schedule:
    """Return a random schedule.

    Args:
        seed: The seed of the schedule.
        requests: The approximate number of requests of a process.
        is_promised: True for a season with beacon luck.
    """
    rng = random.Random(seed)
    turns = base_turns(rng) if is_promised else list(rng.choice((WATCHED, WATCHED, IN_TURN, RUN, MIXED)))
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        turns.insert(rng.randrange(len(turns) + 1), rng.choice(sorted(DEEDS)))
    for _ in range(rng.choice((0, 0, 1, 2))):
        turns.insert(rng.randrange(len(turns) + 1), rng.choice(sorted(WAITS)))
    if rng.random() < LOSSES_SHARE:
        _lose(rng, turns)
    processes = sorted(Schedule(tuple(turns)).processes)
    near = rng.choice(processes), rng.randint(1, requests)
    places = [
        (near[0], near[1] + rng.randint(0, NEAR)) if rng.random() < 0.6 else _anywhere(rng, processes, requests)
        for _ in range(rng.choice((1, 2, 2, 3, 4, 5)))
    ]
    events = [_event(rng, *place) for place in places]
    acts = [event for event in events if event.kind == "act"]
    if rng.random() < LOSSES_SHARE / 4:  # in the middle of a look
        events.append(Event(*near, "act", _loss(rng)))
    if acts and rng.random() < 0.5:  # two people, or one who does two things, between two requests
        events.append(replace(rng.choice(acts), what=rng.choice(sorted(DEEDS))))
    seasons = ("wars", "wars", "wars and jousts", "wars and forecasts", "planned wars", "busy wars")
    season = "promised wars" if is_promised else rng.choice(seasons)
    return Schedule(tuple(turns), tuple(sorted(events, key=lambda event: (event.watcher, event.at))), season)


LOSSES_SHARE = 0.5
"""The share of random schedules in which somebody loses receipts, guards or results."""

OTHER_VERSIONS = ("V", "U")
"""Processes that are other versions of the program."""


def _lose(rng: random.Random, turns: list[str]) -> None:
    """Insert deeds after which something is gone, what people do about it, and perhaps another version's looks."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at = rng.randint(min(2, len(turns)), len(turns))
        turns.insert(at, _loss(rng))
        for _ in range(rng.choice((0, 1, 1, 2))):
            turns.insert(rng.randint(at + 1, len(turns)), rng.choice((*ANSWERS, RULE_AGAIN, FORGET)))
    turns += rng.choice(((), ("A",), ("A", "B"), ("A", "A", "R")))
    if rng.random() < 0.15:
        turns.insert(rng.randint(0, len(turns)), rng.choice(OTHER_VERSIONS))


def _loss(rng: random.Random) -> str:
    """Return a deed, in half of the cases one that receipts are lost by."""
    return rng.choice(OF_RECEIPTS if rng.random() < 0.5 else sorted(LOSSES))


def _anywhere(rng: random.Random, processes: list[str], requests: int) -> tuple[str, int]:
    return rng.choice(processes), rng.randint(1, requests)


def _event(rng: random.Random, process: str, at: int) -> Event:
    kind = rng.choice(OFTEN)
    match kind:
        case "fault":
            fault, when, late, seconds = rng.choice(list(faults()))
            return Event(process, at, kind, fault, when, late, seconds)
        case "token":
            return Event(process, at, kind, rng.choice(LOST), rng.choice(("before", "after")))
        case "act":
            return Event(process, at, kind, rng.choice(sorted(DEEDS)))
        case "look":
            return Event(process, at, kind, rng.choice([name for name in ("A", "B", "C", *RUNS) if name != process]))
        case _:
            return Event(process, at, kind)
