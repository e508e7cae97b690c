"""A turn that ends at its deadline in a Google spreadsheet: once, whoever looks, is killed or gets no answer."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from scripts.support.patience import wait_until
from scripts.support.workbooks import example

ROUNDS, TURNS = "Round Requests", "Turns"
ORDERS: tuple[dict[str, Any], ...] = (
    {"Player": "Anna", "Order": "Set tax", "Tax %": 15},
    {"Player": "Chen", "Order": "Set tax", "Tax %": "much"},
)


def begun(online, seconds: float) -> str:
    """Return a season that `init` has begun, with two blank rows with ids and a deadline some seconds from now."""
    rows = example("rounds")
    for player in rows["Round Players"]:
        player["Taxed in round"] = None
    rows[ROUNDS] = [{"Request": f"R-{number}", "Ready": True} | order for number, order in enumerate(ORDERS, start=1)]
    rows[ROUNDS] += [{"Request": f"R-{number}", "Ready": False} for number in (3, 4)]
    rows[TURNS] = [{"Turn": 3}]
    id = online.make(rows, begins=False)
    assert online.types("init", id).code == 0
    deadline = datetime.now(UTC) + timedelta(seconds=seconds)
    online.server.type(id, "Turns!C2", [[deadline.strftime("%Y-%m-%dT%H:%M:%SZ")]])
    return id


def ended(online, id: str) -> None:
    """Check that the round has ended once."""
    assert online.rulings(id) == ["R-1", "R-3"]
    assert online.column(id, "Request", ROUNDS) == ["R-1", "R-2", "R-3", "R-4"]
    assert online.column(id, "Status", ROUNDS) == ["Done", "Lapsed", "Done", ""]
    assert online.column(id, "Order", ROUNDS)[2:] == ["End round", ""]
    assert online.column(id, "Status", TURNS)[0].startswith("Ended at ")
    assert online.types("verify", id).out.splitlines()[-1] == "2 of 2 receipts equal."
    assert online.types("run", id).code == 0
    assert online.rulings(id) == ["R-1", "R-3"]


@pytest.mark.first(1)
def test_trn_03_two_watchers_end_a_round_once_even_if_one_is_killed(online):
    id = begun(online, 20)
    with online.watches(id) as first:
        wait_until(lambda: online.column(id, "Status", ROUNDS)[0] == "Done", first.out.read_text)
        with online.watches(id):
            wait_until(lambda: online.column(id, "Status", ROUNDS)[2] == "Done", first.out.read_text)
            first.process.kill()
            wait_until(lambda: str(online.column(id, "Status", TURNS)[0]).startswith("Ended"), lambda: "not shown")
    ended(online, id)


@pytest.mark.parametrize("fault", [{"when": "after"}, {"when": "late", "after_requests": 50}])
def test_trn_03_a_write_without_an_answer_ends_a_round_once(online, fault):
    """The answer is lost though the write was carried out, or it is carried out only when another run has ended it."""
    id = begun(online, 1)
    time.sleep(2)
    online.server.fault("reset", match="write", at=1, **fault)

    for _ in range(3):
        online.types("run", id)
    online.server.control("late", {})

    ended(online, id)
