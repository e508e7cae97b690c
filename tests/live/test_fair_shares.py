"""A broken, a restless and a huge spreadsheet beside others, in simulated time: nobody waits for them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest

from scripts.support.many_games import INTERVAL_S, REQUESTS, ManyGames
from scripts.support.sheets_server import LocalSheets
from sheets_algo.runtime.watch.supervisor import LEAST_REST

GAMES, TICKED = 12, (1, 2, 3)
"""More games than the account can look at every 15 seconds."""
BROKEN, RESTLESS, HUGE = 0, 4, 5
BEGIN_S, LASTS_S = 90, 240
MOST_S = 2 * 1.2 * INTERVAL_S + 60
"""From tick to receipt: the question to Drive and the look, each a fifth late, and what the limit of requests adds."""
SLOWNESS = 100
"""The computer is so many times slower."""


@dataclass
class Evening:
    games: ManyGames
    looks: list[tuple[float, float]] = field(default_factory=list)  # begin and end of each look at the huge one, CPU-s
    times: list[float] = field(default_factory=list)  # when they ended

    def reads(self, game: int) -> int:
        return self.games.reads()[self.games.ids[game]]


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    request = {"War": "Quarrel", "Year": 1000, "Attacker": "Left", "Defender": "Right", "Location": "Heath"}
    requests = [{"Request": f"X-{number}", **request} for number in range(1000)]
    with LocalSheets() as server:
        folder: Path = tmp_path_factory.mktemp("evening")
        games = ManyGames(server, folder, GAMES, extra={HUGE: {"War Requests": requests}}, slowness=SLOWNESS)
        evening = Evening(games)
        marks: list[float] = []

        def cpu() -> float:
            marks.append(time.thread_time() * SLOWNESS)
            if len(marks) % 2 == 0:
                evening.looks.append((marks[-2], marks[-1]))
                evening.times.append(games.time.now())
            return marks[-1]

        games.watchers[games.ids[HUGE]].cpu = cpu
        games.at(BEGIN_S, lambda: server.fault("503", match=games.ids[BROKEN], every=1))
        for game in TICKED:
            games.tick_at(BEGIN_S + 40 * game, game)
        for second in range(LASTS_S):
            games.edit_at(BEGIN_S + second, RESTLESS)
            if second % INTERVAL_S == 0:
                games.edit_at(BEGIN_S + second, HUGE)
                games.edit_at(BEGIN_S + second, BROKEN)
        games.watch(BEGIN_S + LASTS_S)
        yield evening


def test_other_spreadsheets_get_receipts_without_delay(evening):
    assert evening.games.spans(TICKED)[-1] < MOST_S


def test_a_spreadsheet_with_failing_reads_is_read_less_and_less(evening):
    assert evening.games.watchers[evening.games.ids[BROKEN]].tally.failures >= 3
    assert evening.reads(BROKEN) < REQUESTS / GAMES * (BEGIN_S + LASTS_S) / 60 * 2


def test_a_constantly_changing_spreadsheet_is_read_as_often_as_others(evening):
    looks = 1 + (BEGIN_S + LASTS_S) / (0.8 * INTERVAL_S)
    assert LASTS_S / INTERVAL_S < evening.reads(RESTLESS) < 2 * looks, "a small read and a whole one for each look"


def test_a_huge_spreadsheet_takes_a_quarter_of_a_processor_at_most(evening):
    took = [end - begun for begun, end in evening.looks]
    assert len(took) >= 3
    assert LEAST_REST * max(took) > 1.2 * INTERVAL_S, "it would take more"
    for cpu_s, (ended, next_ended) in zip(took, pairwise(evening.times), strict=False):
        assert next_ended - ended >= LEAST_REST * cpu_s - 0.01


def test_a_single_spreadsheet_does_not_rest_longer(tmp_path):
    with LocalSheets() as server:
        games = ManyGames(server, tmp_path, 1, slowness=10_000)
        games.tick_at(60, 0)
        games.watch(120)
    assert games.spans([0])[-1] < 1.3 * INTERVAL_S
