"""`run` and `watch`, killed by `kill -9` at each request to Google: the season ends as without it (RCP-19, RCP-31)."""

from __future__ import annotations

import itertools
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from localsheets.store import File

from engine.ruleset import no_op
from scripts.support.live.stage import small_season
from scripts.support.moderator import SECRET, Moderator
from scripts.support.patience import PATIENCE_S, wait_until
from scripts.support.sheets_server import LocalSheets
from scripts.support.workbooks import example, grids
from tests.e2e.online import Online, Watching
from tests.helpers.example_budget import spread

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="processes are killed as POSIX has it"),
]

ENV = {"SHEETS_ALGO_SECRET": SECRET}
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\dZ")
WHENS = ("before", "late", "after")
"""When the request of the killed process is carried out: before the next process, after it, or before the kill."""
STEPS = {"run": 12, "watch": 24}
"""By the command, a run of the tests plays one of so many points times 2.5; a budget of 24 plays all."""
RUNS = 4
"""The most processes until one has nothing to write."""
POLLS = 3
"""Successive readings of values, of which at least one is a poll that finds nothing new."""


def rounds() -> dict[str, Any]:
    """Return a game in its third round: orders, one without an id and one with a mistake, and the end of the round."""
    rows = example("rounds")
    del rows["Round Requests"][1]["Request"]
    rows["Round Requests"] += [
        {"Request": "R-0007", "Player": "Chen", "Order": "Set tax", "Tax %": 8, "Round": 4, "Ready": True},
        {"Request": "R-0008", "Player": "Chen", "Order": "Set tax", "Tax %": "much", "Ready": True},
    ]
    return grids(rows)


GAMES: Mapping[str, Callable[[], dict[str, Any]]] = {"wars": small_season, "turns": rounds}


@dataclass(frozen=True)
class Season:
    """A spreadsheet whose requests are ready, in the state before the first process looks."""

    online: Online
    id: str
    before: Mapping[str, File]  # The files of the server

    def renew(self) -> None:
        """Bring back the spreadsheet as it was, and delete the folder of its files."""
        shutil.rmtree(self.online.moderator.folder / "state", ignore_errors=True)
        self.online.server.put_back(self.before)

    def requests(self, after: int) -> list[dict[str, Any]]:
        """Return the requests to Sheets after one."""
        return [request for request in self.online.server.log(after) if "/v4/" in request["path"]]

    @contextmanager
    def process(self, verb: str) -> Iterator[Watching]:
        """Start `run` or `watch`, and kill it at the end."""
        words = {"run": ("run",), "watch": ("watch", "--interval", "2")}[verb]
        out = self.online.moderator.folder / "out.txt"
        process = self.online.moderator.starts([*words, self.id], self.online.environment | ENV, out, out)
        try:
            yield Watching(process, out)
        finally:
            process.kill()
            process.wait()

    def work(self, verb: str) -> int:
        """Let a process do what there is to do; return the number of its requests."""
        last = self.last_request
        with self.process(verb) as process:
            if verb == "run":
                assert process.process.wait(PATIENCE_S) in (0, 1), process.out.read_text()
            else:
                process.until(lambda: self.is_at_rest(last))
                assert process.stops() == 0, process.out.read_text()
        return len(self.requests(last))

    @property
    def last_request(self) -> int:
        log = self.online.server.log()
        return int(log[-1]["n"]) if log else 0

    def is_at_rest(self, after: int) -> bool:
        """Return True if the watcher has polled without reading everything."""
        last = self.requests(after)[-POLLS:]
        return len(last) == POLLS and all(request["path"].endswith("values:batchGet") for request in last)

    def kill(self, verb: str, at: int, when: str) -> Callable[[], None]:
        """Kill a process during its request `at`; return what carries out a request that is late."""
        server = self.online.server
        hold = server.hold(at=at, when="after" if when == "after" else "before", match="/v4/")
        with self.process(verb) as process:
            process.until(lambda: server.caught(hold, 0.5) is not None)
        caught = server.caught(hold)
        assert caught is not None

        def carry_out() -> None:
            server.release(hold)
            wait_until(
                lambda: server.log(caught - 1)[0]["status"] is not None, lambda: f"request {caught} has no answer"
            )

        if when == "late":
            return carry_out
        carry_out()
        return no_op

    def end(self, verb: str) -> Mapping[str, Any]:
        """Work until nothing is written; return all cells and names of logs, without times and digests of them."""
        for _ in range(RUNS):
            last = self.last_request
            self.work(verb)
            verb = "run"
            if not any(request["method"] == "POST" for request in self.requests(last)):
                break
        else:
            raise AssertionError("each run writes")
        server = self.online.server
        tabs = {title: [[*map(timeless, row)] for row in server.tab(self.id, title)] for title in server.tabs(self.id)}
        for row in tabs["Receipts"][2:]:
            row[tabs["Receipts"][0].index("Previous")] = "DIGEST"
        logs = sorted(TIME.sub("TIME", file.name) for file in self.online.moderator.folder.glob("state/*/logs/*"))
        return tabs | {"logs": logs}


def timeless(value: Any) -> Any:
    return TIME.sub("TIME", value) if isinstance(value, str) else value


@pytest.fixture(scope="module", params=[*GAMES])
def season(request, tmp_path_factory, home) -> Iterator[Season]:
    with LocalSheets() as server:
        online = Online(Moderator(tmp_path_factory.mktemp("game"), home), server)
        id = server.make("Season", GAMES[request.param]())
        yield Season(online, id, server.files())


@pytest.mark.first(1)
@pytest.mark.parametrize("verb", [*STEPS])
def test_a_season_ends_the_same_after_a_process_is_killed_at_any_request(season, verb):
    season.renew()
    number = season.work(verb)
    never_killed = season.end("run")
    assert {row[2] for row in never_killed["Receipts"][2:]} == {"Ruling"}
    rulings = [row[3] for row in never_killed["Receipts"][2:]]
    assert len(rulings) == len(set(rulings)) == len(never_killed["logs"])

    for at, when in spread(itertools.product(range(1, number + 1), WHENS), STEPS[verb]):
        season.renew()
        carry_out = season.kill(verb, at, when)
        if when == "late":
            season.work(verb)
        carry_out()
        assert season.end(verb) == never_killed, f"{verb} killed {when} request {at} of {number} was carried out"
