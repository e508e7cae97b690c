"""A budget never lets more requests through in any minute than it was given, whoever asks."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheets_algo.workbook.google.backoff import Interrupted, Pace
from sheets_algo.workbook.google.budget import Budget
from tests.workbook.google.scripted import Clock


def test_requests_within_the_budget_do_not_wait():
    clock = Clock()
    budget = Budget(3, 2, pace=clock.pace)

    assert [budget.take("read") for _ in range(3)] == [0, 0, 0]
    assert [budget.take("write") for _ in range(2)] == [0, 0]
    assert clock.waits == []


def test_the_next_one_waits_until_the_first_is_a_minute_old():
    clock = Clock()
    budget = Budget(2, 2, pace=clock.pace)
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
def test_no_minute_holds_more_than_the_budget(limit, idle):
    clock = Clock()
    budget = Budget(limit, 1, pace=clock.pace)
    times = []
    for seconds in idle:
        clock.time += seconds
        budget.take("read")
        times.append(clock.time)

    assert all(later - earlier >= 60 - 1e-6 for earlier, later in zip(times, times[limit:], strict=False))


def test_what_is_left_comes_back_after_a_minute():
    clock = Clock()
    budget = Budget(3, 2, pace=clock.pace)
    budget.take("read")
    budget.take("write")

    assert budget.left == {"read": 2, "write": 1}
    clock.time += 60
    assert budget.left == {"read": 3, "write": 2}


def test_shares_together_take_no_more_than_the_whole():
    clock = Clock()
    shares = Budget(45, 10, pace=clock.pace).share(4)

    assert [it.left for it in shares] == [{"read": 11, "write": 2}] * 4


def test_more_workbooks_than_requests_a_minute_take_turns_of_some_minutes():
    clock = Clock()
    share = Budget(10, 10, pace=clock.pace).share(30)[7]

    assert [share.take("read") for _ in range(3)] == [0, 180, 180]


def test_after_googles_own_limit_one_probe_in_ten_seconds_until_the_minute_is_over():
    clock = Clock(chance=0)
    one, other = Budget(40, 40, pace=clock.pace).share(2)
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
    assert {Budget(pace=Clock(chance).pace).wait("read") for chance in (0.0, 1.0)} == {0}
    waits = []
    for chance in (0.0, 0.5, 1.0):
        budget = Budget(pace=Clock(chance).pace)
        budget.refused("read")
        waits.append(budget.wait("read"))

    assert waits == [10, 12.5, 15]


def test_threads_share_one_budget():
    budget = Budget(50, 1, pace=Pace(wait=lambda seconds, stop: pytest.fail("waited")))
    threads = [threading.Thread(target=lambda: [budget.take("read") for _ in range(10)]) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert budget.left == {"read": 0, "write": 1}


def test_a_stop_ends_a_wait_at_once():
    stop = threading.Event()
    budget = Budget(1, 1)
    budget.take("read", stop)
    stop.set()

    with pytest.raises(Interrupted):
        budget.take("read", stop)


def test_a_budget_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        Budget(0, 45)
