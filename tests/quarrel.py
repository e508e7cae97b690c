"""The smallest war a workbook can hold, for tests of single columns: `from tests.quarrel import quarrel, ruling`.

Left attacks Right on a heath in the year 1000; every cell that may be blank is blank.
"""

from __future__ import annotations

from typing import Any

from engine.autoalgo.inputs import WarInputs
from engine.receipt import Receipt as Printed
from sheets_algo.book import Book
from sheets_algo.forms.base import Form
from sheets_algo.plans import Ruling
from tests.desks import Rows, forms, read, run, workbook

YEAR = 1000
SIDES = ("Left", "Right")


def quarrel(*flanks: dict[str, Any], **cells: Any) -> Rows:
    """The workbook's rows; cells of the request by header, `_` for a blank (`Terrain_Map`)."""
    return {
        "War Requests": [
            {
                "Request": "W-1",
                "War": "Quarrel",
                "Year": YEAR,
                "Attacker": "Left",
                "Defender": "Right",
                "Location": "Heath",
                "Ready": True,
            }
            | {header.replace("_", " "): value for header, value in cells.items()}
        ],
        "Flanks": [{"Request": "W-1"} | flank for flank in flanks],
        "Nations": [{"Name": name, "Population": 1_000_000, "Year Founded": 900, "Year Crisis": 960} for name in SIDES],
        "Militaries": [{"Nation": name, "Name": f"Host of {name}", "Size": 9_000} for name in SIDES],
        "Locations": [{"Name": "Heath"}],
        "Leaders": [],
        "Units": [],
    }


def war_form() -> Form[Any]:
    """The form of War Requests."""
    return next(form for form in forms() if form.key == "autoalgo")


def war(rows: Rows) -> WarInputs:
    """What the first request is read as.

    Raises:
        Rejected: It cannot be ruled.
    """
    form = war_form()
    book = Book(read(workbook(rows)), form.records(), form.vocabulary)
    it = form.read(next(iter(book.table(form.request))), book).inputs
    assert isinstance(it, WarInputs)
    return it


def ruling(rows: Rows) -> Ruling:
    """The one ruling of a pass."""
    (made,) = run(workbook(rows)).rulings
    return made


def told(printed: Printed, label: str, block: int = 3) -> str:
    """A line of the receipt: block 0 head, 1 attacker, 2 defender, 3 result."""
    return next(line.text for line in printed.blocks[block].lines if line.label == label)
