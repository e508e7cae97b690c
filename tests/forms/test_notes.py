"""Notes of `check`: leaders and armies that no war uses, and the ships that a land power hires at sea."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.support.workbooks import Rows, check, example, messages, read, run, workbook
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.forms.rulesets import open_forms

WAR = "War Requests"


def season() -> Rows:
    """Return the season of 1066, in which every leader is named and every army has its war."""
    return example("1066")


def row_of(rows: Rows, tab: str, name: str) -> dict[str, Any]:
    return next(row for row in rows[tab] if row["Name"] == name)


def land_power(ships: int | None = None, transport: str | None = "Galley", location: str = "English Channel") -> Rows:
    """Return a war of William's Army, which has soldiers, on a place with Water."""
    rows = season()
    rows[WAR] = [rows[WAR][1] | {"Location": location}, *(war | {"Ready": None} for war in rows[WAR][2:])]
    rows["Flanks"] = []
    row_of(rows, "Militaries", "William's Army").update({"Ship Number": ships, "Transport": transport})
    row_of(rows, "Militaries", "Harold's Host")["Ship Number"] = 200
    return rows


def test_a_fresh_season_has_no_notes() -> None:
    book = workbook({tab: list(rows) for tab, rows in ConfigLoader().example("1066").items()})

    assert check(read(book), open_forms(ConfigLoader())[:1]) == ()


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (land_power(), "50 Galley hired for 7,500 men [MD-05]"),
        (land_power(ships=60), "60 Galley of its own [MIL-12]"),
        (land_power(location="York and the Derwent"), "50 Galley hired to cross, which do not fight [R-122]"),
    ],
    ids=["hired", "own", "boats"],
)
def test_r_117_message_names_ships_beside_the_army_and_the_rule(rows: Rows, says: str) -> None:
    ((_, _, message),) = [told for told in messages(run(workbook(rows))) if told[1] == "Done"]

    assert says in message
    assert "note:" not in message
