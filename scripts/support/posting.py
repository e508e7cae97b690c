"""Workbooks in memory with posts that wait, and posters of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from engine.receipt import Block, Line
from scripts.support.workbooks import example, library, workbook
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.database.headers import key_of
from sheets_algo.forecasts.queue import ForecastQueue
from sheets_algo.posting.channel import Post
from sheets_algo.posting.open_channels import open_channels
from sheets_algo.posting.poster import Poster
from sheets_algo.ruling.corrections import undo
from sheets_algo.runtime.run.pass_context import WatchState, steps_of_workbook
from sheets_algo.runtime.run.run_pass import run_pass
from sheets_algo.runtime.session.session import Session, opened
from sheets_algo.steps.posts.post_row import PostRow, read_posts
from sheets_algo.workbook.memory import MemoryWorkbook


@dataclasses.dataclass
class Clock:
    """A time that moves when it is told to."""

    time: datetime = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def read(self) -> datetime:
        return self.time

    def seconds(self) -> float:
        return self.time.timestamp()

    def move(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


@dataclasses.dataclass
class Outbox:
    """A season in memory, with its channels and the time.

    Args:
        folder: The folder of its files.
        channels: The channels.
        story: The example whose requests are ruled.
        begun: The workbook; None for that of the example.
    """

    folder: Path
    channels: tuple[ChannelSettings, ...]
    story: str = "jousts"
    begun: MemoryWorkbook | None = None
    clock: Clock = dataclasses.field(default_factory=Clock)

    def __post_init__(self) -> None:
        self.book = self.begun or workbook(example(self.story))
        self.rule()

    def rule(self) -> None:
        """Rule what is ready, and compute the odds that are asked for, of a few battles."""
        state = WatchState(known=None, forecasts=ForecastQueue(battles=12))
        while run_pass(self.session(), state=state).is_partial:
            pass

    def session(self) -> Session:
        return Session(
            workbook=self.book,
            folder=self.folder,
            library=library(),
            draws_pictures=False,
            channels=self.channels,
            clock=self.clock.read,
        )

    def poster(self) -> Poster:
        """Return a poster as it begins: it knows what stands in the workbook, and no more."""
        return Poster(self.session(), open_channels(self.channels), clock=self.clock.seconds)

    def undo(self, request: str) -> None:
        seen = opened(self.session())
        steps = steps_of_workbook(self.session(), seen)
        _, changes = undo(seen.snapshot, seen.forms, seen.receipts, request, self.session().now(), (), steps)
        self.book.commit(seen.snapshot, changes)

    def posts(self, *names: str) -> list[tuple[Any, ...]]:
        """Return some attributes of the rows of the tab Posts."""
        return [
            tuple(getattr(entry, name) for name in names) for entry in read_posts(self.book.read([key_of(PostRow)]))
        ]

    def message(self, row: int = 0) -> str:
        return str(read_posts(self.book.read([key_of(PostRow)]))[row].row.value("message") or "")

    def act(self, row: int, action: str) -> None:
        self.book.type_in("Posts", row + 2, self.book.rows("Posts")[0].index("Action") + 1, action)


def post(title: str = "Hastings, 1066", items: int = 3, text: Callable[[int], str] = str, **more: Any) -> Post:
    """Return a post made up, with some items."""
    lines = tuple(Line(f"Item {number}", text(number)) for number in range(items))
    given: dict[str, Any] = {
        "number": 8,
        "mark": "R-0008 5f3c9a01",
        "kind": "Ruling",
        "request": "W-0007",
        "war": title,
        "ruleset": "jousts",
        "winner": "Attacker",
        "time": "2026-03-01T12:00:00Z",
        "wiki": f"== {title} ==\n* '''Item 0:''' {text(0)}",
        "title": title,
        "blocks": (Block("Result", lines),),
    }
    return Post(**given | more)
