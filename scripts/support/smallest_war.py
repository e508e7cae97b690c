"""The smallest war that a workbook can hold, for tests of single columns.

Left attacks Right on a heath in the year 1000; every cell that may be blank is blank.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from engine.autoalgo.inputs import WarInputs
from engine.receipt import ReceiptText as Printed
from scripts.support.workbooks import Rows, forms, read, run, workbook
from sheets_algo.database.records import Database
from sheets_algo.forms.base import Form
from sheets_algo.ruling.plan import Ruling

YEAR = 1000
SIDES = ("Left", "Right")


def war_rows(*flanks: dict[str, Any], **cells: Any) -> Rows:
    """Return the workbook's rows; cells of the request by header, `_` for a blank (`Terrain_Map`)."""
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
    """Return the form of War Requests."""
    return next(form for form in forms() if form.key == "autoalgo")


def war(rows: Rows) -> WarInputs:
    """Return the inputs of the first request.

    Raises:
        Rejected: The request cannot be ruled.
    """
    form = war_form()
    book = Database(read(workbook(rows)), form.records(), form.vocabulary)
    inputs = form.read(next(iter(book.table(form.request))), book).inputs
    assert isinstance(inputs, WarInputs)
    return inputs


def ruling(rows: Rows) -> Ruling:
    """Return the one ruling of a pass."""
    (ruling_,) = run(workbook(rows)).rulings
    return ruling_


def receipt_losses(printed: Printed, block: int) -> Counter[str]:
    """Return the men whom a side lost by what became of them, and ships sunk: block 1 attacker, 2 defender."""
    items = receipt_line(printed, "Losses", block).split(", ")
    return Counter({what: int(men.replace(",", "")) for what, _, men in (item.rpartition(" ") for item in items)})


def receipt_line(printed: Printed, label: str, block: int = 3) -> str:
    """Return a line of the receipt: block 0 head, 1 attacker, 2 defender, 3 result."""
    return next(line.text for line in printed.blocks[block].lines if line.label == label)
