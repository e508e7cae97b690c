"""A budget never lets more requests through in any minute than it was given, whoever asks."""

import heapq
import threading
from collections.abc import Iterable, Sequence
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheets_algo.workbook.errors import Interrupted
from sheets_algo.workbook.google.http.backoff import Pace
from sheets_algo.workbook.google.http.budget import RequestBudget
from tests.helpers.example_budget import BUDGET, LAW
from tests.helpers.rows import each
from tests.workbook.google.scripted import Clock


class Play:
    """Spreadsheets that ask side by side: a thread each, of which one works at a time; time passes by waiting alone.

    Args:
        is_last_first: Whether of those that wake up at the same moment the last to fall asleep goes first.
    """

    def __init__(self, is_last_first: bool = False) -> None:
        self.now = 1000.0
        self.pace = Pace(now=lambda: self.now, wait=self._wait, chance=lambda: 1.0)
        self._waiting: list[tuple[float, int, threading.Event]] = []
        self._numbers = count(0, -1 if is_last_first else 1)
        self._turn = threading.Semaphore(0)

    def of(self, asking: Iterable[tuple[RequestBudget, Sequence[float]]]) -> list[list[tuple[float, float]]]:
        """Let each share pause for so long before each request; when its requests were allowed, after what wait."""
        served: list[list[tuple[float, float]]] = []
        threads = []
        for share, pauses in asking:
            served.append([])
            threads.append(threading.Thread(target=self._ask, args=(share, pauses, served[-1]), daemon=True))
            threads[-1].start()
            self._turn.acquire()
        while self._waiting:
            self.now, _, awakes = heapq.heappop(self._waiting)
            awakes.set()
            self._turn.acquire()
        for thread in threads:
            thread.join()
        return served

    def _ask(self, share: RequestBudget, pauses: Sequence[float], served: list[tuple[float, float]]) -> None:
        try:
            for pause in pauses:
                self._wait(pause)
                began = self.now
                share.take("read")
                served.append((self.now, self.now - began))
        finally:
            self._turn.release()

    def _wait(self, seconds: float, stop: threading.Event | None = None) -> None:
        awakes = threading.Event()
        heapq.heappush(self._waiting, (self.now + seconds, next(self._numbers), awakes))
        self._turn.release()
        awakes.wait()


def test_requests_within_the_budget_do_not_wait():
    clock = Clock()
    budget = RequestBudget(3, pace=clock.pace)

    assert [budget.take("read") for _ in range(3)] == [0, 0, 0]
    assert [budget.take("write") for _ in range(3)] == [0, 0, 0]
    assert clock.waits == []


def test_the_next_one_waits_until_the_first_is_a_minute_old():
    clock = Clock()
    budget = RequestBudget(2, pace=clock.pace)
    budget.take("read")
    clock.time += 15
    budget.take("read")

    assert budget.take("read") == 45
    assert budget.take("read") == 15
    assert budget.left == {"read": 0, "write": 2}


@given(
    limit=st.integers(1, 5),
    idle=st.lists(st.one_of(st.just(0.0), st.floats(0, 90)), max_size=40),
)
def test_no_minute_has_more_requests_than_the_budget(limit, idle):
    clock = Clock()
    budget = RequestBudget(limit, pace=clock.pace)
    times = []
    for seconds in idle:
        clock.time += seconds
        budget.take("read")
        times.append(clock.time)

    assert all(later - earlier >= 60 - 1e-6 for earlier, later in zip(times, times[limit:], strict=False))


def test_the_budget_recovers_after_a_minute():
    clock = Clock()
    budget = RequestBudget(3, pace=clock.pace)
    budget.take("read")
    budget.take("write")

    assert budget.left == {"read": 2, "write": 2}
    clock.time += 60
    assert budget.left == {"read": 3, "write": 3}


# Shares


def test_unused_shares_are_lent_except_for_half():
    clock = Clock()
    busy, *idle = RequestBudget(45, pace=clock.pace).share(4)

    assert busy.left == {"read": 45 - 3 * 5, "write": 45 - 3 * 5}
    assert [busy.take("read") for _ in range(30)] == [0] * 30
    assert [[share.take("read") for _ in range(5)] for share in idle] == [[0] * 5] * 3
    assert busy.wait("read") == 60


def test_requests_within_a_share_precede_borrowed_ones():
    play = Play()
    greedy, patient = RequestBudget(4, pace=play.pace).share(2)
    for _ in range(3):
        greedy.take("read")
        play.now += 1
    patient.take("read")

    first, second = play.of([(greedy, [0.0, 0.0]), (patient, [0.5, 0.0])])

    assert [time for time, _ in second] == [1060, 1063]
    assert [time for time, _ in first] == [1061, 1062]


def test_a_stop_removes_the_request_from_the_queue():
    clock = Clock()
    one, other = RequestBudget(2, pace=clock.pace).share(2)
    stop = threading.Event()
    stop.set()
    one.take("read")
    one.take("read")
    with pytest.raises(Interrupted):
        one.take("read", stop)
    clock.time = 1060.0

    assert other.take("read") == 0
    assert other.take("read") == 0


@settings(LAW, max_examples=max(5, round(30 * BUDGET)))
@given(data=st.data(), limit=st.integers(1, 24), parts=st.integers(1, 30), is_last_first=st.booleans())
def test_limit_and_promises_hold_for_any_requests(data, limit, parts, is_last_first):
    """What the docstring of `RequestBudget.share` promises."""
    play = Play(is_last_first)
    shares = RequestBudget(limit, pace=play.pace).share(parts)
    due, minutes = limit // parts, -(-parts // limit)
    kept = due // 2 if due >= 4 else 0
    pauses = st.lists(st.one_of(st.just(0.0), st.floats(0, 100)), max_size=2 * limit)
    lively = data.draw(st.lists(pauses, min_size=1, max_size=min(parts, 5)))
    asking = lively + [[0.0] * 3] * (parts - len(lively))

    served = play.of(zip(shares, asking, strict=True))

    times = sorted(time for of_one in served for time, _ in of_one)
    assert len(times) == sum(map(len, asking))
    assert all(later - earlier >= 60 - 1e-6 for earlier, later in zip(times, times[limit:], strict=False))
    for of_one in served:
        for number, (time, waited) in enumerate(of_one):
            before, by_then = (
                sum(earlier > moment - 60 - 1e-6 for earlier, _ in of_one[:number]) for moment in (time - waited, time)
            )
            assert waited == 0 or by_then >= kept
            assert waited <= 60 * minutes + 1e-6 or 0 < due <= before


@each("is_last_first", [False, True])
@each(("limit", "parts"), [(45, 2), (45, 7), (10, 10), (3, 8)])
def test_competing_spreadsheets_get_their_shares_and_waste_little(limit, parts, is_last_first):
    play = Play(is_last_first)
    shares = RequestBudget(limit, pace=play.pace).share(parts)

    served = play.of([(share, [0.0] * (20 * limit // parts)) for share in shares])

    times = [[time for time, _ in of_one if 1120 <= time < 1120 + 8 * 60] for of_one in served]
    assert 8 * (limit - 1) <= sum(map(len, times)) <= 8 * limit
    assert all(abs(len(of_one) - 8 * limit / parts) <= 8 * (limit % parts) / parts + 2 for of_one in times)


def test_a_late_spreadsheet_has_its_share_within_a_minute():
    play = Play()
    greedy, late = RequestBudget(40, pace=play.pace).share(2)

    _, served = play.of([(greedy, [0.0] * 200), (late, [30.0] + [0.0] * 60)])

    assert [waited for _, waited in served[:10]] == [0] * 10
    assert sum(1090 <= time < 1150 for time, _ in served) >= 20


def test_after_a_refusal_one_probe_in_ten_seconds_is_sent_until_the_minute_ends():
    clock = Clock(chance=0)
    one, other = RequestBudget(40, pace=clock.pace).share(2)
    one.take("read")
    one.refused("read")
    began = clock.time
    probes = []
    while clock.time < began + 61:
        (one, other)[len(probes) % 2].take("read")
        probes.append(clock.time - began)
        if len(probes) > 10:
            break

    assert probes[:6] == [10, 20, 30, 40, 50, 60]
    assert probes[6:] == [60] * 5
    assert other.take("write") == 0


def test_two_programs_do_not_probe_at_the_same_time():
    assert {RequestBudget(pace=Clock(chance).pace).wait("read") for chance in (0.0, 1.0)} == {0}
    waits = []
    for chance in (0.0, 0.5, 1.0):
        budget = RequestBudget(pace=Clock(chance).pace)
        budget.refused("read")
        waits.append(budget.wait("read"))

    assert waits == [10, 12.5, 15]


def test_threads_share_one_budget():
    budget = RequestBudget(50, pace=Pace(wait=lambda seconds, stop: pytest.fail("waited")))
    threads = [threading.Thread(target=lambda: [budget.take("read") for _ in range(10)]) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert budget.left == {"read": 0, "write": 50}


def test_a_stop_ends_a_wait_at_once():
    stop = threading.Event()
    budget = RequestBudget(1)
    budget.take("read", stop)
    stop.set()

    with pytest.raises(Interrupted):
        budget.take("read", stop)


def test_a_budget_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        RequestBudget(0)
