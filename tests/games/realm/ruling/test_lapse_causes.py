"""Each cause for which an order of a realm lapses, though it fitted before the rulings of its turn (REQ-18)."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.support.workbooks import Rows, messages, run, workbook
from tests.games.realm.forms.test_form import ASK, HIRE, LEADERS, REALMS, SPY, TURN, UNITS, ordered
from tests.games.realm.forms.test_form import changed as with_cells
from tests.helpers.lapses import spoilt

EXECUTE = ASK | {"Order": "Execute"}
HORSE = {"Order": "Hire mercenary", "Target": "Free Horse"}
SCOUT = {"Order": "Scout garrison", "Target realm": "Gaul", "Target": "Alesia", "Agents": 1}


def told(rows: Rows) -> list[tuple[str, str]]:
    return [(status, text) for _, status, text in messages(run(workbook(rows)))]


def realm(*orders: dict[str, Any], tab: str = REALMS, name: str = "Rome", **cells: Any) -> Rows:
    """Return the example's realms with these orders and a hired horse on offer; other cells in one row."""
    rows = ordered(*orders)
    rows[UNITS].append({"Unit": "Free Horse", "Type": "Numidian Horse", "Offered to": "Rome"})
    return with_cells(rows, tab, name, **cells)


CASES = {
    "agents are out": (realm(SPY | {"Agents": 1}, SPY | {"Agents": 8}, TURN, Agents=8), "8 agents, but Rome has"),
    "gold is spent": (realm(HIRE, HIRE | {"Target": "Gnaeus Norbanus"}, TURN, Treasury=30), "it costs 22 gold, and"),
    "a prisoner is dead": (realm(EXECUTE, ASK, TURN), "Brennus is dead"),
    "a prisoner was asked": (realm(ASK, ASK, TURN), "Brennus has already been interrogated by Rome"),
    "a leader is hired": (realm(HIRE, HIRE, TURN), "Marcus Atilius has no offer of service to Rome"),
    "a unit is hired": (realm(HORSE, HORSE, TURN), "Free Horse has no offer of service to Rome"),
}


@pytest.mark.parametrize("case", CASES)
def test_req_18_an_order_lapses_if_an_earlier_one_makes_it_impossible(case: str) -> None:
    rows, why = CASES[case]
    if case == "gold is spent":
        rows = with_cells(rows, LEADERS, "Gnaeus Norbanus", Offer="Service", Offered_to="Rome")

    first, second, end = told(rows)

    assert (first[0], second[0], end[0]) == ("Done", "Lapsed", "Done"), second
    assert why in second[1]
    assert "-1)" in second[1]


def test_req_18_orders_of_and_against_a_defeated_realm_lapse() -> None:
    """Gaul holds Rome's ruler and executes her, which takes Rome out of the game (RL-RUL-05)."""
    orders = (
        EXECUTE | {"Realm": "Gaul", "Target": "Livia Drusa"},
        SPY | {"Realm": "Germania", "Target realm": "Rome"},
        SPY,
        TURN,
        TURN | {"Realm": "Germania"},
    )
    rows = realm(*orders, tab=LEADERS, name="Livia Drusa", Status="Prisoner", Captor="Gaul")

    found = told(rows)

    assert [status for status, _ in found] == ["Done", "Lapsed", "Lapsed", "Lapsed", "Done"]
    assert "Rome is out of the game (T-1)" in found[1][1]


def test_req_18_an_order_lapses_if_an_event_keeps_its_agents_at_home() -> None:
    orders = (TURN | {"Fixed rolls": "RL-RND-01=96"}, SPY | {"Turn": 13}, TURN | {"Turn": 13})

    _, spy, end = told(realm(*orders))

    assert (spy[0], end[0]) == ("Lapsed", "Done")
    assert "Rome cannot send agents before turn 14 (T-1)" in spy[1]


def test_req_18_an_order_lapses_if_its_city_rebelled() -> None:
    rolls = "; ".join(f"RL-REB-01 {city}={roll}" for city, roll in (("Gergovia", 100), ("Alesia", 1)))
    orders = (TURN | {"Realm": "Gaul", "Fixed rolls": rolls}, SCOUT, TURN)

    _, scout, end = told(realm(*orders, name="Gaul", Happiness=1))

    assert (scout[0], end[0]) == ("Lapsed", "Done"), scout
    assert "Alesia does not belong to Gaul (T-1)" in scout[1]


def test_req_18_dead_agents_lapse_an_order_but_too_many_are_a_mistake() -> None:
    for agents, found in ((8, "Lapsed"), (9, "Invalid")):
        lost = told(realm(SPY | {"Agents": 6, "Seed": 14}, SPY | {"Agents": agents}, TURN, name="Gaul", Agents=40))

        assert (lost[0][0], lost[1][0]) == ("Done", found)
        assert "left (2 in all" in lost[1][1]


OUT = realm(
    EXECUTE | {"Realm": "Gaul", "Target": "Livia Drusa"},
    SPY | {"Realm": "Germania", "Target realm": "Rome"},
    SPY,
    {"Order": "Process all turns", "Realm": None},
    tab=LEADERS,
    name="Livia Drusa",
    Status="Prisoner",
    Captor="Gaul",
)
DEAD = realm(EXECUTE, ASK, TURN)


@pytest.mark.parametrize(("rows", "order"), [(OUT, 1), (OUT, 2), (DEAD, 1)])
def test_req_18_an_order_on_a_missing_object_lapses_despite_other_mistakes(rows: Rows, order: int) -> None:
    for header, more in spoilt(rows, "Turn Requests", order):
        found = told(more)

        assert found[order][0] == "Lapsed", (header, found)
