"""Games of CiAIS in round 3."""

from __future__ import annotations

from typing import Any

from scripts.support.workbooks import Rows, example
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.tabs import key, keys

ORDERS = "CiAIS Requests"
OVERTHROW = {
    "Player": "Anna",
    "Order": "Battle",
    "Attacker unit": "1st Army",
    "Defender unit": "Siberian Scouts",
    "Roll": 1,
}


def game(*orders: dict[str, Any]) -> Rows:
    """Return the example game in round 3, with these orders; one battle overthrows Dmitri."""
    rows = example("ciais")
    for player in rows["CiAIS Players"]:
        player["Tax changed in round"] = None
    for unit in rows["CiAIS Units"]:
        if unit["Unit"] == "Siberian Scouts":
            unit |= {"Unit type": "Army", "Latitude": 50, "Longitude": 15}
    rows[ORDERS] = [{"Request": f"C-{number}", "Ready": True} | order for number, order in enumerate(orders, start=1)]
    return rows


def type_in(book: MemoryWorkbook, header: str, request: int, value: Any, tab: str = ORDERS) -> None:
    """Type a value into the row of a request as a person does."""
    sheet = book.read(keys(tab)).sheet(key(tab))
    assert sheet is not None
    book.type_in(tab, request + 1, list(sheet.rows[1]).index(header) + 1, value)
